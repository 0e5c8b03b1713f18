"""The game alone: piles, swaps, supremacy from five cubes on, scenarios (rules 11)."""

from typing import Any

import pytest

from domain import wonderful_world
from domain.kernel import match as matches
from domain.kernel import table as lobby
from domain.kernel.chance import DeckShuffled
from domain.kernel.match import By
from domain.kernel.redaction import FACE_DOWN, redact
from domain.kernel.table import MatchStarted
from domain.wonderful.commands import RecycleCard, SlateCard, Validate
from domain.wonderful.events import CardRecycled, StepValidated
from domain.wonderful_world.commands import KeepCard, SwapCards
from domain.wonderful_world.decks import base_deck
from domain.wonderful_world.events import (
    CardKept,
    CardsSwapped,
    CubesProduced,
    EmpiresDealt,
    HandsDealt,
    PilesDealt,
    PileTaken,
    PointsCounted,
    ScenarioLaidOut,
)
from domain.wonderful_world.options import SCENARIOS
from tests import twins
from tests.domain.wonderful_world.tables import Land, board, planning, producing, under_construction
from tests.domain.wonderful_world.test_drafting import start
from tests.given_when_then import Given


def alone(table: Given) -> dict[str, Any]:
    shown: dict[str, Any] = table.view(0)["alone"]
    return shown


def recycle_all(table: Given) -> None:
    while board(table)["draft_area"]:
        table.when(0, RecycleCard(board(table)["draft_area"][0]))


def test_the_game_begins_with_eight_piles_of_five_and_no_hand() -> None:
    table = start(1)
    table.then_types(MatchStarted, DeckShuffled, EmpiresDealt, DeckShuffled, PilesDealt, PileTaken)
    assert alone(table)["piles"] == [5] * 7
    assert len(board(table)["draft_area"]) == 5
    assert table.view(0)["deck"] == 150 - 40
    assert table.view(0)["hands"] == []
    assert table.awaited() == [("planning", (0,))]


def test_nobody_sees_into_a_pile_before_it_is_taken() -> None:
    table = start(1)
    hidden = redact(wonderful_world.REDACTIONS, table.last(PilesDealt), 0)
    assert hidden.piles == [[FACE_DOWN] * 5] * 8


def test_two_piles_are_planned_a_round_and_then_comes_production() -> None:
    table = start(1)
    taken = [table.last(PileTaken).pile]
    for number in range(1, 5):
        recycle_all(table)
        table.when(0, Validate()).then_types(StepValidated, PileTaken)
        taken.append(table.last(PileTaken).pile)
        assert table.view()["round"] == number
        recycle_all(table)
        table.when(0, Validate())
        assert isinstance(table.recorded[1], CubesProduced)
        while table.view()["phase"] == "production":
            table.when(0, wonderful_world.default_move(table.state, 0))
        if number < 4:
            taken.append(table.last(PileTaken).pile)
    assert taken == list(range(1, 9))
    table.then_among(PointsCounted(table.state.scores))
    outcome = wonderful_world.outcome(table.state)
    assert outcome is not None and outcome.ranking == [[0]]
    table.then_no(HandsDealt)


def test_the_first_pile_is_planned_whole_before_the_second() -> None:
    table = start(1)
    table.when(0, RecycleCard(board(table)["draft_area"][0])).then_types(CardRecycled)
    table.refuses(0, Validate(), "cards-left")


def test_two_cards_are_swapped_for_one_of_five() -> None:
    table = start(1)
    area = board(table)["draft_area"]
    drawn = sorted(table.state.deck[:5])
    table.when(0, SwapCards(area[:2])).then(CardsSwapped(0, area[:2], drawn))
    assert alone(table)["offered"] == drawn
    assert table.view()["deck"] == 105
    table.refuses(0, Validate(), "choice-open")
    table.refuses(0, SlateCard(area[2]), "choice-open")
    table.refuses(0, SwapCards(area[2:4]), "choice-open")
    table.refuses(0, KeepCard("zeppelin-1"), "not-drawn")
    assert wonderful_world.default_move(table.state, 0) == KeepCard(drawn[0])
    table.when(0, KeepCard(drawn[3])).then(CardKept(0, drawn[3], drawn[:3] + drawn[4:]))
    assert board(table)["draft_area"] == sorted([*area[2:], drawn[3]])
    assert table.view()["discard_pile"] == sorted([*area[:2], *drawn[:3], drawn[4]])
    assert board(table)["loose_cubes"] == 0
    assert alone(table)["offered"] == []


def test_a_swap_needs_two_cards_of_the_draft_area_that_differ_as_cards() -> None:
    table = start(1)
    (card, *_) = [card for card in board(table)["draft_area"] if board(table)["draft_area"].count(card) == 1]
    table.refuses(0, SwapCards([card]), "two-cards")
    table.refuses(0, SwapCards(board(table)["draft_area"][1::-1]), "not-in-order")
    table.refuses(0, SwapCards([card, card]), "not-drafted")
    table.refuses(0, SwapCards(sorted([card, "nothing"])), "not-drafted")


def test_swaps_go_on_while_two_cards_and_five_to_draw_are_left() -> None:
    table = start(1)
    for left in (4, 3, 2, 1):
        assert table.legal(0, SwapCards)
        table.when(0, table.legal(0, SwapCards)[0]).when(0, table.legal(0, KeepCard)[0])
        assert len(board(table)["draft_area"]) == left
    assert table.legal(0, SwapCards) == []
    small = start(1)
    del small.state.deck[4:]
    assert small.legal(0, SwapCards) == []
    small.refuses(0, SwapCards(board(small)["draft_area"][:2]), "deck-too-small")


def test_nobody_swaps_at_a_table_with_more_seats() -> None:
    table = planning(Land(drafted=["zeppelin", "museum"]), Land(drafted=["zeppelin", "museum"]))
    table.refuses(0, SwapCards(["museum", "zeppelin"]), "not-alone")
    table.refuses(0, KeepCard("zeppelin"), "not-drawn")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_cards_of_a_scenario_are_under_construction_and_not_in_the_deck(scenario: str) -> None:
    table = start(1, scenario=scenario)
    kinds = list(SCENARIOS[scenario][0])
    table.then_among(ScenarioLaidOut(0, scenario, kinds))
    assert list(under_construction(table)) == [f"{kind}-1" for kind in kinds]
    deck = [event for event in table.recorded if isinstance(event, DeckShuffled)][-1]
    assert sorted([*deck.input, *kinds]) == base_deck(False)
    assert alone(table)["scenario"] == scenario


WON = ("research_center", "neuroscience", "time_travel", "giant_tower", "alexanders_tomb", "teleportation")


@pytest.mark.parametrize(
    ("constructed", "required", "medal"),
    [
        ((), False, None),
        ((*WON, "giant_tower"), False, None),
        ((*WON, "the_wall"), False, "bronze"),
        ((*WON, "the_wall"), True, "bronze"),
        ((*WON[:2], "the_wall", "the_wall", "the_wall"), False, "bronze"),
        ((*WON[:2], "the_wall", "the_wall", "the_wall"), True, None),
        ((*WON, "the_wall", "the_wall"), False, "silver"),
        ((*WON, "the_wall", "the_wall", "the_wall"), True, "gold"),
    ],
)
def test_the_medal_of_a_scenario(constructed: tuple[str, ...], required: bool, medal: str | None) -> None:
    options = {"scenario": "back-to-the-future", "scenario_cards_required": required}
    land = Land("noram_states", constructed)
    table = producing("exploration", [0], land, round=4, side="B", **options)
    table.when(0, Validate())
    assert alone(table)["medal"] == medal
    assert alone(table)["scenario_cards_constructed"] == (set(WON[:3]) <= set(constructed))


def test_free_play_has_no_medal() -> None:
    table = producing("exploration", [0], Land(constructed=["the_wall"] * 9), round=4)
    table.when(0, Validate())
    assert alone(table) == {
        "scenario": "free-play",
        "scenario_cards_constructed": None,
        "medal": None,
        "piles": [],
        "offered": [],
    }


def test_a_match_alone_is_played_to_its_end_at_the_table() -> None:
    told = twins.tell(wonderful_world, 1, 5)
    ended = told[-1].fact.event
    assert ended.reason == "finished"
    assert ended.ranking == [[0]]


def test_giving_up_alone_ends_the_match() -> None:
    state, chance = matches.initial(), twins.chance("mat_alone", 1)
    host, seat = By(None, "host"), By(0, "player")
    matches.handle(
        wonderful_world,
        state,
        host,
        lobby.CreateMatch(twins.options(wonderful_world), [lobby.SeatPlan()]),
        chance,
    )
    matches.handle(wonderful_world, state, seat, lobby.JoinSeat(0), chance)
    matches.handle(wonderful_world, state, host, lobby.Start(), chance)
    assert matches.awaited(wonderful_world, state) == [0]
    facts = matches.handle(wonderful_world, state, seat, lobby.Resign(), chance)
    assert [type(fact.event) for fact in facts] == [lobby.SeatResigned, lobby.MatchEnded]
    assert (facts[-1].event.reason, facts[-1].event.ranking) == ("forfeit", [[0]])
