"""The bot `easy`: every line of its list, every decision it may meet, the recorded moves that freeze it."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from domain import seven_wonders
from domain.kernel import engine
from domain.kernel.bots import random_policy
from domain.kernel.chance import Chance, Dice
from domain.kernel.game import Command, Outcome, Policy
from domain.kernel.table import MatchStarted
from domain.seven_wonders import bots
from domain.seven_wonders.bots import easy_policy
from domain.seven_wonders.commands import (
    COMMANDS,
    BuildForFree,
    BuildStage,
    BuildStructure,
    ChooseBoard,
    ChooseSymbols,
    DiscardForCoins,
    PlayFreeCity,
    TakeFromDiscard,
    TakeNothing,
)
from domain.seven_wonders.events import (
    DiscardPileSearched,
    GuildChoiceOffered,
    SeventhCardKept,
    SymbolChoiceOffered,
)
from tests.domain.seven_wonders.tables import Town, options, table, town
from tests.given_when_then import Given, given

RECORDED = Path(__file__).with_name("easy_moves.ndjson")


class NoDice:
    """Dice that must not be thrown."""

    def below(self, n: int) -> int:
        raise AssertionError("easy throws no dice")


def answer(position: Given, seat: int = 0) -> Command:
    """What `easy` does at a table, from the view of its seat as JSON brings it and from its legal moves."""
    view = json.loads(json.dumps(position.view(seat)))
    return easy_policy(view, position.legal(seat), NoDice())


def holding(
    *hand: str,
    mine: Town | str = "giza:A",
    left: Town | str = "rhodes:A",
    right: Town | str = "ephesus:A",
    age: int = 1,
) -> Given:
    """A table of three at which seat 0 holds this hand."""
    return given(seven_wonders, table(mine, left, right, hands={0: hand}, age=age))


# Ages I and II


def test_a_card_with_two_or_more_resources_comes_first() -> None:
    assert answer(holding("lumber_yard", "clay_pit", "stockade", "altar")) == BuildStructure("clay_pit")


def test_of_cards_with_several_resources_the_one_that_brings_more_that_is_lacking_is_taken() -> None:
    position = holding("clay_pit", "forest_cave", mine=town("giza:A", "clay_pool"))
    assert answer(position) == BuildStructure("forest_cave")


def test_a_yellow_card_with_several_resources_counts() -> None:
    position = holding("caravansery", "press_age2", mine=town("giza:A", "marketplace"), age=2)
    assert answer(position) == BuildStructure("caravansery")


def test_a_resource_still_lacking_comes_before_shields_and_blue() -> None:
    assert answer(holding("baths", "stockade", "ore_vein", "theater")) == BuildStructure("ore_vein")


def test_a_resource_the_city_has_is_not_lacking() -> None:
    assert answer(holding("stone_pit", "theater")) == BuildStructure("theater")


def test_a_resource_that_only_an_either_or_source_gives_is_still_lacking() -> None:
    position = holding("ore_vein", "theater", mine=town("giza:A", "clay_pit"))
    assert answer(position) == BuildStructure("ore_vein")


def test_a_red_card_that_brings_the_lead_comes_before_blue() -> None:
    position = holding("barracks", "theater", mine="rhodes:A", left=town("giza:A", "stockade"))
    assert answer(position) == BuildStructure("barracks")


def test_the_only_leader_builds_no_red_card() -> None:
    position = holding("barracks", "theater", mine=town("rhodes:A", "stockade"), left="giza:A")
    assert answer(position) == BuildStructure("theater")


def test_a_red_card_that_brings_no_lead_is_left() -> None:
    position = holding("barracks", "theater", mine="rhodes:A", left=town("giza:A", "stockade", "guard_tower"))
    assert answer(position) == BuildStructure("theater")


def test_the_blue_card_with_most_points_comes_before_green() -> None:
    position = holding("scriptorium", "altar", "pawnshop", mine=town("giza:A", "press_age1"))
    assert answer(position) == BuildStructure("pawnshop")


def test_a_green_card_of_the_symbol_the_city_has_most_of_is_taken() -> None:
    position = holding(
        "workshop", "scriptorium", "tavern", mine=town("giza:A", "press_age1", "glassworks_age1", "library")
    )
    assert answer(position) == BuildStructure("scriptorium")


def test_a_stage_comes_before_yellow_and_its_marker_is_the_card_worth_least() -> None:
    position = holding("pawnshop", "altar", "tavern", mine=town("giza:A", "quarry", "altar", "pawnshop"))
    assert answer(position) == BuildStage("tavern")


def test_what_cannot_be_built_is_discarded_for_coins() -> None:
    position = holding(
        "altar",
        "theater",
        mine=town("giza:A", "altar", "theater", coins=0),
        left=town("rhodes:A", coins=0),
        right=town("ephesus:A", coins=0),
    )
    assert answer(position) == DiscardForCoins("altar")


# Age III


def test_in_the_third_age_the_most_points_at_once_are_taken() -> None:
    position = holding(
        "siege_workshop",
        "workers_guild",
        "fortifications",
        mine=town("rhodes:A", "quarry", "foundry", "walls", "brickyard", "stone_pit"),
        left=town("giza:A", "lumber_yard", "clay_pool", "ore_vein"),
        right=town("ephesus:A", "stockade"),
        age=3,
    )
    assert answer(position) == BuildStructure("workers_guild", 2, 0)


def test_a_conflict_won_by_a_red_card_counts_as_points_at_once() -> None:
    position = holding(
        "circus",
        "gardens",
        mine=town("rhodes:A", "foundry", "quarry", "statue"),
        left=town("giza:A", "stockade"),
        right=town("ephesus:A", "barracks"),
        age=3,
    )
    assert BuildStructure("gardens") in position.legal(0)
    assert answer(position) == BuildStructure("circus", 2, 0)


def test_coins_paid_cost_points() -> None:
    position = holding(
        "study", "haven", mine=town("giza:A", "temple", coins=9), left=town("rhodes:A", "lumber_yard"), age=3
    )
    assert answer(position) == DiscardForCoins("haven")


# Payments


def test_the_cheapest_payment_is_made() -> None:
    position = holding(
        "stockade",
        mine=town("giza:A", "east_trading_post"),
        left=town("rhodes:A", "lumber_yard", "altar", "theater", "pawnshop"),
        right=town("ephesus:A", "sawmill"),
    )
    assert {(move.pay_left, move.pay_right) for move in position.legal(0, BuildStructure)} == {(2, 0), (0, 1)}
    assert answer(position) == BuildStructure("stockade", 0, 1)


@pytest.mark.parametrize(("rich", "paid"), [("left", (0, 2)), ("right", (2, 0))])
def test_of_equal_payments_the_neighbour_with_fewer_points_is_paid(rich: str, paid: tuple[int, int]) -> None:
    poor, strong = ("lumber_yard",), ("lumber_yard", "pawnshop")
    left, right = (strong, poor) if rich == "left" else (poor, strong)
    position = holding("stockade", left=town("rhodes:A", *left), right=town("ephesus:A", *right))
    assert answer(position) == BuildStructure("stockade", *paid)


# Other decisions


def test_babylon_plays_its_seventh_card_by_the_list() -> None:
    position = holding("altar", mine=town("babylon:B", stages=2))
    engine.apply(seven_wonders, position.state, SeventhCardKept(0, 0))
    assert answer(position) == BuildStructure("altar")


def test_olympia_builds_for_free_what_it_cannot_pay() -> None:
    position = holding("palace", "town_hall", mine=town("olympia:A", stages=2), age=3)
    assert answer(position) == BuildForFree("palace")


def test_the_board_with_most_points_on_its_stages_is_chosen() -> None:
    view = {"phase": "board", "you": 0, "hands": [0, 0, 0], "age": 0, "turn": 0, "cities": []}
    boards = [ChooseBoard("ephesus", "A"), ChooseBoard("giza", "B"), ChooseBoard("rhodes", "B")]
    assert easy_policy(view, boards, NoDice()) == ChooseBoard("giza", "B")


def test_the_discard_pile_gives_what_the_list_wants_most() -> None:
    position = holding("altar", mine=town("halicarnassus:B", stages=1))
    found = ["altar", "clay_pit", "stockade", "tavern"]
    engine.apply(seven_wonders, position.state, DiscardPileSearched(0, 0, found, True))
    assert answer(position) == TakeFromDiscard("clay_pit")


def test_the_free_city_takes_nothing_from_the_discard_pile() -> None:
    position = given(
        seven_wonders,
        table("giza:A", "rhodes:A", town("halicarnassus:B", stages=1), seats=2, pile=["altar", "baths"]),
    )
    engine.apply(seven_wonders, position.state, DiscardPileSearched(0, 2, ["altar", "clay_pit"], True))
    assert answer(position) == TakeNothing()


def test_the_symbols_that_score_most_are_chosen() -> None:
    position = given(
        seven_wonders,
        table(
            town("babylon:A", "apothecary", "workshop", stages=2),
            "rhodes:A",
            "ephesus:A",
            age=3,
            end_of_game_choices="ask",
        ),
    )
    engine.apply(seven_wonders, position.state, SymbolChoiceOffered([0], [1]))
    assert answer(position) == ChooseSymbols(["tablet"])


def test_the_guild_that_scores_most_is_copied() -> None:
    position = given(
        seven_wonders,
        table(
            town("olympia:B", stages=3),
            town("rhodes:A", "spies_guild", "magistrates_guild", "altar", "baths"),
            town("ephesus:A", "stockade"),
            age=3,
            end_of_game_choices="ask",
        ),
    )
    engine.apply(seven_wonders, position.state, GuildChoiceOffered(0, ["magistrates_guild", "spies_guild"]))
    assert answer(position).guild == "magistrates_guild"


def test_the_free_city_gets_no_shields_and_what_the_other_player_would_want() -> None:
    position = given(
        seven_wonders,
        table(
            "giza:A",
            "rhodes:A",
            "ephesus:A",
            seats=2,
            hands={0: ["altar", "stockade", "clay_pit", "tavern"]},
            pile=["baths", "theater"],
        ),
    )
    position.when(0, BuildStructure("altar"))
    assert answer(position) == PlayFreeCity("structure", "clay_pit")


# Every decision, every number of seats


def random_options(rng: random.Random) -> dict[str, Any]:
    """Any reading of the rules, any way to get boards."""
    return options(**{option.name: rng.choice(option.choices or ()) for option in seven_wonders.OPTIONS})


def played(policies: Sequence[Policy], chosen: dict[str, Any], seed: int) -> Outcome:
    """A match of these policies, one a seat, to its end. Answers are legal and nothing shown is changed."""
    seats = len(policies)
    chance = Chance(f"mat_{seed}", seed.to_bytes(32, "big"), bytes(32), (None,) * seats)
    state = seven_wonders.initial()
    engine.record(seven_wonders, state, [MatchStarted(seats, chosen)], [])
    engine.settle(seven_wonders, state, chance, [])
    while open_decisions := seven_wonders.decisions(state):
        seat = open_decisions[0].awaited[0]
        view, moves = seven_wonders.view(state, seat), seven_wonders.legal_moves(state, seat)
        shown = repr((view, moves))
        dice = Dice(chance.bot_seed(state.version, seat, seven_wonders.RULESET))
        command = policies[seat](view, moves, dice)
        assert command in moves
        assert repr((view, moves)) == shown
        engine.handle(seven_wonders, state, seat, command, chance)
    outcome = seven_wonders.outcome(state)
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("seats", seven_wonders.SEATS)
def test_easy_finishes_matches_of_every_number_of_seats_and_every_option(seats: int) -> None:
    rng = random.Random(seats)
    for seed in range(6):
        others = [rng.choice([easy_policy, random_policy]) for _ in range(seats - 1)]
        chosen = random_options(rng)
        outcome = played([easy_policy, *others], chosen, seed)
        assert sorted(sum(outcome.ranking, [])) == list(range(seats)), (seed, chosen)


def test_easy_wins_nearly_always_against_two_random_bots() -> None:
    wins = 0.0
    for seed in range(10):
        for place in range(3):
            policies: list[Policy] = [random_policy] * 3
            policies[place] = easy_policy
            first = played(policies, options(), seed).ranking[0]
            wins += (place in first) / len(first)
    assert wins >= 0.9 * 30


# Fairness and freezing


def test_a_bot_sees_what_its_seat_sees_and_nothing_more() -> None:
    hands = {0: ["altar", "stockade"], 1: ["baths", "ore_vein"], 2: ["theater", "loom_age1"]}
    others = {0: ["altar", "stockade"], 1: ["theater", "loom_age1"], 2: ["baths", "ore_vein"]}
    tables = [
        given(seven_wonders, table("giza:A", "rhodes:A", "ephesus:A", hands=held)) for held in (hands, others)
    ]
    assert tables[0].state != tables[1].state
    assert tables[0].view(0) == tables[1].view(0)
    assert answer(tables[0]) == answer(tables[1])


def recorded() -> list[dict[str, Any]]:
    """The positions recorded when the list was frozen."""
    return [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]


def test_easy_is_frozen() -> None:
    positions = recorded()
    assert len(positions) >= 200
    for number, position in enumerate(positions):
        moves = [COMMANDS[name](*fields) for name, *fields in position["moves"]]
        name, *fields = position["answer"]
        assert easy_policy(position["view"], moves, NoDice()) == COMMANDS[name](*fields), f"position {number}"


def test_the_recorded_positions_cover_every_kind_of_decision_and_every_number_of_seats() -> None:
    positions = recorded()
    assert {position["view"]["phase"] for position in positions} == set(seven_wonders.DECISIONS)
    dealt = [len(position["view"]["hands"]) for position in positions if position["view"]["age"]]
    assert set(dealt) == set(seven_wonders.SEATS)
    assert len({position["answer"][0] for position in positions}) >= 8


def test_the_recorded_positions_tell_every_changed_list(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list(bots.AGES_I_II)
    for first in range(len(lines) - 2):
        swapped = [*lines[:first], lines[first + 1], lines[first], *lines[first + 2 :]]
        monkeypatch.setattr(bots, "AGES_I_II", tuple(swapped))
        with pytest.raises(AssertionError, match="position"):
            test_easy_is_frozen()
