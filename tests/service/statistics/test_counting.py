"""A finished match as counts, held against the match itself."""

from collections import Counter
from dataclasses import replace

import pytest

from domain import seven_wonders, wonderful_kingdom, wonderful_world
from domain.kernel.game import Game
from domain.kernel.seats import SPECTATOR
from events.envelope import Recorded
from service.positions import Position, follow, new
from service.statistics.counting import Counts, counts, counts_for_statistics, player
from service.statistics.traces import standing, traces
from tests.rulesets import finished

TABLES: list[tuple[Game, int]] = [
    (seven_wonders, 3),
    (seven_wonders, 2),
    (wonderful_world, 3),
    (wonderful_kingdom.GAME, 2),
]


def position_of(game: Game, log: list[Recorded]) -> Position:
    """The match after its log."""
    made = new(log[0].match, game, {"tenant": "acme"})
    for command in sorted({record.command for record in log}):
        follow(made, [record for record in log if record.command == command])
    return made


def of(game: Game, seats: int, seed: int = 5) -> tuple[Position, list[Recorded], Counts]:
    """A match, its log, its counts without the ruleset."""
    log = finished.records(game, seats, seed)
    position = position_of(game, log)
    found = counts(position, log)
    assert {name[0] for name in found} == {game.RULESET}
    return position, log, Counter({name[1:]: number for name, number in found.items()})


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=lambda value: getattr(value, "NAME", value))
def test_results_and_boards_are_those_of_the_outcome(game: Game, seats: int) -> None:
    position, log, found = of(game, seats)
    ended = log[-1].data
    assert found["matches", str(seats)] == 1
    winners = ended["winners"] if ended["winners"] is not None else ended["ranking"][0]
    for seat in range(seats):
        key = ("result", str(seats), str(seat), "person")
        assert found[*key, "played"] == 1
        assert found[*key, "won"] == (seat in winners)
        assert found[*key, "points"] == ended["scores"][seat]["total"]
    boards = {name: number for name, number in found.items() if name[0] == "board"}
    assert sum(number for name, number in boards.items() if name[3] == "played") == seats
    assert sum(number for name, number in boards.items() if name[3] == "points") == sum(
        score["total"] for score in ended["scores"]
    )


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=lambda value: getattr(value, "NAME", value))
def test_cards_and_boards_are_known_to_the_catalogue(game: Game, seats: int) -> None:
    position, log, found = of(game, seats)
    printed = {card["id"] for card in game.catalogue()["cards"]}
    told = traces(game.NAME, seats, game.view(position.state.play, SPECTATOR), log)
    assert all(set(cards) <= printed for cards in told.cards) and any(told.cards)
    built = Counter(card for cards in told.cards for card in cards)
    for card, number in built.items():
        assert found["card", str(seats), card, "played"] == number
    assert {name[2] for name in found if name[0] == "card"} == set(built)
    assert {card for card, _ in told.picks} <= printed


def test_everybody_takes_six_cards_of_each_age() -> None:
    position, log, found = of(seven_wonders, 3)
    places = Counter[str]()
    for name, number in found.items():
        if name[0] == "pick":
            places[name[3]] += number
    assert places == dict.fromkeys("123456", 9)
    first = next(record for record in log if record.type == "seven_wonders.structure_built")
    assert found["pick", "3", first.data["card"], "1"] >= 1


def test_everybody_drafts_seven_cards_of_each_round() -> None:
    _, log, found = of(wonderful_world, 3)
    places = Counter[str]()
    for name, number in found.items():
        if name[0] == "pick":
            places[name[3]] += number
    assert places == dict.fromkeys("1234567", 3 * 4)


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=lambda value: getattr(value, "NAME", value))
def test_every_draw_is_made_again(game: Game, seats: int) -> None:
    position, log, found = of(game, seats)
    draws = [record for record in log if record.type.endswith(".deck_shuffled")]
    assert (found["draws", "as-drawn"], found["draws", "otherwise"]) == (len(draws), 0)
    firsts = sum(number for name, number in found.items() if name[0] == "shuffle" and name[2] == "first")
    assert firsts == sum(len(record.data["input"]) > 1 for record in draws)


def test_a_draw_that_is_recorded_otherwise_is_seen() -> None:
    position, log, _ = of(seven_wonders, 3)
    at = next(number for number, record in enumerate(log) if record.type.endswith(".deck_shuffled"))
    output = log[at].data["output"]
    forged = replace(log[at], data={**log[at].data, "output": [*output[1:], output[0]]})
    found = counts(position, [*log[:at], forged, *log[at + 1 :]])
    assert found[seven_wonders.RULESET, "draws", "otherwise"] == 1


def test_what_was_taken_back_does_not_count() -> None:
    log = finished.records(seven_wonders, 3, 5)
    at = next(number for number, record in enumerate(log) if record.type.endswith(".structure_built"))
    undone = replace(log[at], version=at + 2, type="match.undone", data={"seat": 0, "to": at, "closed": []})
    assert log[at] not in standing([*log[: at + 1], undone])
    assert log[at] in standing(log)


def test_a_seat_that_changed_hands_or_was_given_up_is_mixed() -> None:
    position, _, _ = of(seven_wonders, 3)
    assert player(position.state, 0, set()) == "person"
    assert player(position.state, 0, {0}) == "mixed"
    position.state.chairs[1].resigned = True
    assert player(position.state, 1, set()) == "mixed"
    position.state.chairs[2].kind, position.state.chairs[2].bot = "bot", "easy"
    assert player(position.state, 2, set()) == "bot:easy"


def test_only_a_finished_public_match_that_was_played_here_counts() -> None:
    log = finished.records(seven_wonders, 3, 5)
    assert counts_for_statistics(position_of(seven_wonders, log))
    assert not counts_for_statistics(position_of(seven_wonders, log[:-1]))
    forfeit = replace(log[-1], data={**log[-1].data, "reason": "forfeit"})
    assert not counts_for_statistics(position_of(seven_wonders, [*log[:-1], forfeit]))
    for member, value in (
        ("visibility", "private"),
        ("forked_from", {"match": "mat_x", "version": 3}),
        ("sandbox", {"seed": None}),
    ):
        other = replace(log[0], data={**log[0].data, member: value})
        assert not counts_for_statistics(position_of(seven_wonders, [other, *log[1:]]))
    imported = position_of(seven_wonders, log)
    imported.secrets = {**imported.secrets, "foreign": "{}"}
    assert not counts_for_statistics(imported)
