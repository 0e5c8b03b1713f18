"""What the rules say by name: quests at any time, traps whose limit moves, advisors taken in the middle of
the choice, a pile of rats, both players without the major quest."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from domain.kernel.engine import handle
from domain.kernel.game import Command
from domain.kernel.seats import Seat
from domain.wonderful.commands import StoreCubes, Validate
from domain.wonderful_kingdom import GAME, ORIGINAL
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.bags import COLOURS, KRYSTALLIUM, SOLDIERS
from domain.wonderful_kingdom.cards import Quest
from domain.wonderful_kingdom.commands import (
    ActivateAdvisor,
    CompleteQuest,
    DefeatMenace,
    ExchangeCubes,
    OfferCards,
    RecycleCollected,
    SelectArea,
)
from domain.wonderful_kingdom.effects import unresolved
from domain.wonderful_kingdom.state import Board
from tests.domain.wonderful_kingdom.matches import BOARDS, anything, begin, turns
from tests.domain.wonderful_kingdom.tables import (
    HAND,
    VALADOS,
    Land,
    board,
    both_done,
    choosing,
    fighting,
    planning,
)
from tests.given_when_then import Given

YARD, LOFT, ROW, GREEN = HAND[:4]
CORIN, AMARANTH, DRUE = "adv_veilmaster_corin", "adv_herald_amaranth", "adv_alchemist_drue"


def affordable(board: Board, quest: Quest) -> bool:
    """Whether the duchy holds the cost: krystallium fills in for cubes, never for soldiers."""
    lacking = sum(max(0, quest.cost[colour] - board.loose[colour]) for colour in COLOURS)
    spare = board.pool[KRYSTALLIUM] - quest.cost[KRYSTALLIUM]
    return board.pool[SOLDIERS] >= quest.cost[SOLDIERS] and 0 <= lacking <= spare


def hoarder(state: Any, seat: Seat, moves: Sequence[Command], dice: random.Random) -> Command:
    """Recycles everything, keeps every cube on the duchy and pays only where nothing else can be done."""
    left = [move for move in moves if not isinstance(move, (CompleteQuest, ExchangeCubes))]
    wanted = [move for move in left if isinstance(move, (StoreCubes, RecycleCollected))]
    return anything(state, seat, wanted or left or moves, dice)


@pytest.mark.parametrize("quest_board", BOARDS)
def test_a_quest_is_paid_whenever_it_can_be_from_the_first_deal_to_the_end(quest_board: str) -> None:
    quests = {quest.id: quest for quest in ORIGINAL.boards[quest_board].quests}
    met: Counter[tuple[str, bool]] = Counter()
    for seed in range(4):
        options = {"mode": "quests", "quest_board": quest_board, "side": "AB"[seed % 2]}
        for turn in turns(options, seed, hoarder):
            decisions = GAME.decisions(turn.state)
            for seat, each in enumerate(turn.state.boards if decisions else []):
                moves = GAME.legal_moves(turn.state, seat)
                offered = {move.quest for move in moves if isinstance(move, CompleteQuest)}
                open_ = [quest for id, quest in quests.items() if id not in each.quests]
                free = unresolved(each) is None
                assert offered == {quest.id for quest in open_ if free and affordable(each, quest)}
                if offered:
                    (decision,) = decisions
                    assert seat in decision.awaited + decision.revisable
                    met[decision.kind, seat in decision.awaited] += 1
    # Offers and selections of the other player included, also when done with planning or with a step.
    for phase in ("offer", "select", "planning", "production"):
        assert met[phase, True] and met[phase, False], met


def test_quests_are_paid_in_any_order_and_bring_their_reward_at_once() -> None:
    land = Land(cubes={"exploration": 3, "materials": 3}, krystallium=9, soldiers=4)
    first, *_, major = (quest.id for quest in ORIGINAL.boards[BOARDS[0]].quests)
    for order in ((first, major), (major, first)):
        table = planning(land, VALADOS, mode="quests")
        for quest in order:
            table.when(0, next(move for move in table.legal(0, CompleteQuest) if move.quest == quest))
            assert table.last(ev.QuestCompleted).quest == quest
            assert len(table.recorded) > 1  # the reward
            while table.legal(0) and not table.allows(0, Validate()):
                table.when(0, GAME.default_move(table.state, 0))
        assert board(table)["quests"] == list(order)


# Traps


def test_a_raised_and_a_lowered_limit_add_up() -> None:
    """No mode of the original set brings both effects together; the rules say what then."""
    table = choosing(Land(advisors=[CORIN], soldiers=1, menaces=["men_shadow_1"]), VALADOS, mode="advisors")
    assert board(table)["trap_limit"] == 1
    table.when(0, ActivateAdvisor(CORIN))
    assert board(table)["trap_limit"] == 2
    assert table.allows(0, OfferCards(left_face_down=[YARD, LOFT]))


def test_the_third_trap_of_an_advisor_is_gone_in_the_next_round() -> None:
    hands = ([*HAND, YARD], [*HAND, YARD])
    table = choosing(Land(advisors=[CORIN], soldiers=1), VALADOS, mode="advisors", hands=hands)
    table.when(0, ActivateAdvisor(CORIN)).when(0, OfferCards(left_face_down=[YARD, YARD]))
    assert (board(table)["trap_limit"], board(table)["traps_left"]) == (3, 1)
    while table.view()["round"] == 1:
        seat = GAME.decisions(table.state)[0].awaited[0]
        table.when(seat, GAME.default_move(table.state, seat))
    assert [(each["trap_limit"], each["traps_left"]) for each in table.view()["boards"]] == [(2, 2)] * 2


# Advisors in the middle of the choice


def test_an_advisor_taken_in_the_choice_is_active_at_once_with_the_soldier_it_brought() -> None:
    hands = ([*HAND, CORIN], [*HAND, YARD])
    table = choosing(Land(), VALADOS, mode="advisors", hands=hands)
    table.when(0, OfferCards(left=[CORIN, YARD])).when(1, SelectArea("left"))
    assert (board(table, 1)["soldiers"], board(table, 1)["trap_limit"]) == (1, 2)
    table.when(1, ActivateAdvisor(CORIN))  # before the own offer that follows
    assert (board(table, 1)["soldiers"], board(table, 1)["trap_limit"]) == (0, 3)
    assert table.awaited() == [("offer", (1,))]
    table.when(1, OfferCards(left_face_down=[YARD, LOFT])).when(0, SelectArea("right"))
    assert board(table, 1)["traps_left"] == 1


def test_an_advisor_that_lies_face_down_is_nobodys_until_planning() -> None:
    hands = ([*HAND, CORIN], [*HAND, YARD])
    table = choosing(Land(), VALADOS, mode="advisors", hands=hands)
    table.when(0, OfferCards(left=[YARD], left_face_down=[CORIN])).when(1, SelectArea("left"))
    assert board(table, 1)["advisors"] == [] and board(table, 1)["soldiers"] == 0
    table.refuses(1, ActivateAdvisor(CORIN), "not-your-advisor")


def test_an_advisor_among_the_seeds_does_nothing_until_it_is_taken() -> None:
    state, events, chance = begin(GAME, {"mode": "advisors"}, 0)
    for seed in range(40):
        state, events, chance = begin(GAME, {"mode": "advisors"}, seed)
        while state.phase == "advisor":
            seat = GAME.decisions(state)[0].awaited[0]
            events += handle(GAME, state, seat, GAME.default_move(state, seat), chance)
        seeds = next(event.seeds for event in events if isinstance(event, ev.HandsDealt))
        if seeds[0] in ORIGINAL.advisors:
            break
    assert seeds[0] in ORIGINAL.advisors
    table = Given(GAME, state, chance)
    before = [len(each.advisors) for each in state.boards]
    offerer = state.start
    hand = [card for card in table.view(offerer)["hand"] if card not in ORIGINAL.advisors][:2]
    table.when(offerer, OfferCards(right=hand))
    assert [len(each["advisors"]) for each in table.view()["boards"]] == before
    table.when(1 - offerer, SelectArea("left"))
    table.then_among(ev.AdvisorPlaced(1 - offerer, seeds[0], 1))


# Rats


def test_rats_multiply_no_further_than_their_pile() -> None:
    table = planning(
        Land(menaces=["men_rats_1", "men_rats_2"]), Land("duchy_valados", menaces=["men_rats_3"])
    )
    del table.state.rats[2:]
    both_done(table)
    spawned = [len(each["menaces"]) for each in table.view()["boards"]]
    assert spawned == [2 + 2, 1]  # the start player's first, then none are left
    assert table.view()["rats_left"] == 0


def test_a_defeated_rat_goes_to_the_box_and_does_not_come_again() -> None:
    table = fighting(Land(menaces=["men_rat_01"], cubes={"materials": 4}, krystallium=3, soldiers=3), VALADOS)
    left = table.view()["rats_left"]
    way = next(move for move in table.legal(0, DefeatMenace) if move.card == "men_rat_01")
    table.when(0, way)
    assert board(table)["menaces"] == []
    assert (table.view()["box"], table.view()["rats_left"]) == (["men_rat_01"], left)


# Both without the major quest


@pytest.mark.parametrize("quest_board", BOARDS)
def test_nobody_wins_a_whole_match_in_which_nobody_completes_the_major_quest(quest_board: str) -> None:
    state, _, chance = begin(GAME, {"mode": "quests", "quest_board": quest_board}, 5)
    while GAME.outcome(state) is None:
        seat = GAME.decisions(state)[0].awaited[0]
        handle(GAME, state, seat, GAME.default_move(state, seat), chance)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranking, outcome.winners, state.failed) == ([[0, 1]], [], [0, 1])
    assert GAME.view(state, -1)["winners"] == []
