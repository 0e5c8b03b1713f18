"""Worlds dealt anew: what the viewer sees stays, what it cannot know is any of what it may be."""

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from domain.kernel import match as matches
from domain.kernel.chance import Chance
from domain.kernel.game import Event
from domain.kernel.redaction import FACE_DOWN
from domain.kernel.redealing import redealt
from domain.kernel.table import OVER, RUNNING
from tests.domain.stories import CATALOGUE, TITLES, Story, fold, story, strings
from tests.given_when_then import secrets


def chance(number: int) -> Chance:
    """Another one for each number."""
    return Chance(f"mat_{number}", bytes([number % 256]) * 32, bytes(32))


@pytest.fixture(params=TITLES, ids=str)
def told(request: pytest.FixtureRequest) -> Story:
    """Every story in turn."""
    return story(request.param)


def moments(told: Story, most: int) -> Iterator[tuple[int, list[Event]]]:
    """Some of the events of a story, up to moments at which it was at rest or not, before its end."""
    last = len(told.events) - 1
    for version in range(1, last, max(1, last // most)):
        yield version, told.events[:version]


def cards(value: Any, names: frozenset[str]) -> Counter[str]:
    """All cards in a state, wherever they lie."""
    return Counter(name for name in strings(value) if name in names)


def test_the_viewer_sees_the_same_and_nothing_lies_face_down(told: Story) -> None:
    for version, events in moments(told, 14):
        full = fold(told.game, events)
        for viewer in told.viewers:
            world = redealt(told.game, events, viewer, chance(version))
            assert matches.view(told.game, world, viewer) == matches.view(told.game, full, viewer), (
                version,
                viewer,
            )
            if world.play is not None and world.status == RUNNING:
                for seat in range(len(world.chairs)):
                    shown = matches.view(told.game, world, seat)
                    own = [shown["state"].get("hand"), shown["state"].get("pick")]
                    assert FACE_DOWN not in set(strings(own)), (version, viewer, seat)


def test_no_card_is_lost_or_doubled(told: Story) -> None:
    everything = EVERYTHING.get(told.game.NAME)
    if everything is None:
        pytest.skip("no cards")
    for version, events in moments(told, 10):
        full = fold(told.game, events)
        if full.play is None or full.play.phase == "setup":
            continue
        for viewer in told.viewers:
            world = redealt(told.game, events, viewer, chance(version))
            kept, dealt = everything(full.play), everything(world.play)
            assert kept.total() == dealt.total(), (version, viewer)
            free = FREE[told.game.NAME]
            assert {name: kept[name] for name in kept if not free(name)} == {
                name: dealt[name] for name in dealt if not free(name)
            }, (version, viewer, kept - dealt, dealt - kept)
            assert FACE_DOWN not in dealt


def of_seven_wonders(play: Any) -> Counter[str]:
    found = [card for hand in play.hands for card in hand] + play.discard + play.pile
    for city in play.cities:
        found += city.cards + city.markers
    return Counter(found)


def of_wonderful_world(play: Any) -> Counter[str]:
    found = [card for hand in (*play.hands, *play.piles) for card in hand] + play.deck + play.ascension
    found += play.discard + play.offered
    for board in play.boards:
        found += [*board.area, *(each.kind for each in board.constructions.values())]
        found += board.constructed
    return Counter(found)


def of_wonderful_kingdom(play: Any) -> Counter[str]:
    found = [*play.deck, *play.discard, *play.box, *play.calamities, *play.rats]
    found += [card for hand in (*play.hands, *play.drawn_advisors) for card in hand]
    found += [laid.card for row in (*play.areas.values(), play.buried) for laid in row]
    for board in play.boards:
        found += [laid.card for laid in board.collection]
        found += [*board.constructed.values(), *board.calamities, *board.menaces, *board.unplayed]
        found += [*board.advisors, *board.drawn, *board.kept]
        found += [construction.kind for construction in board.constructions.values()]
    return Counter(found)


EVERYTHING: dict[str, Any] = {
    "seven-wonders": of_seven_wonders,
    "its-a-wonderful-world": of_wonderful_world,
    "its-a-wonderful-kingdom": of_wonderful_kingdom,
}
# What may be exchanged for cards that are in no zone: guilds nobody has seen, for those left in the box.
FREE: dict[str, Any] = {
    "seven-wonders": lambda name: name.endswith("_guild"),
    "its-a-wonderful-world": lambda name: False,
    "its-a-wonderful-kingdom": lambda name: False,
}


def test_the_match_can_be_played_to_its_end_from_there(told: Story) -> None:
    for version, events in moments(told, 3):
        world = redealt(told.game, events, -1, chance(version))
        if world.status != RUNNING:
            continue
        play, game = world.play, told.game
        for _ in range(3000):
            if game.outcome(play) is not None:
                break
            facts = game.advance(play, secrets(f"mat_{version}", len(world.chairs)))
            if not facts:
                decision = game.decisions(play)[0]
                seat = decision.awaited[0]
                move = game.default_move(play, seat)
                facts = game.decide(play, seat, move, secrets(f"mat_{version}"))
            for fact in facts:
                play.version += 1
                game.evolve(play, fact)
        assert game.outcome(play) is not None, version


@pytest.mark.parametrize("game", CATALOGUE)
def test_nothing_that_was_hidden_can_make_a_difference(game: str) -> None:
    """By construction: the world is a function of what the viewer was told. Another chance, another world."""
    told = story(next(title for title in TITLES if title.game == game and title.seats > 1))
    events = told.events[: len(told.events) // 2]
    before = copy.deepcopy(events)
    one, same, other = (redealt(told.game, events, 0, chance(number)) for number in (1, 1, 2))
    assert one == same and one != other
    assert events == before
    assert fold(told.game, told.events[:-1]).status != OVER


def passing(game: str) -> Iterator[tuple[Story, int]]:
    """Every moment at which hands have just been passed in the stories of a game."""
    for title in TITLES:
        if title.game == game and title.seats > 1:
            told = story(title)
            for number, event in enumerate(told.events, 1):
                if type(event).__name__ == "HandsPassed":
                    yield told, number


@pytest.mark.parametrize("game", ["seven-wonders", "its-a-wonderful-world"])
def test_a_viewer_remembers_the_hand_it_has_passed_on(game: str) -> None:
    """Right after the pass the next hand is known card by card; from then on it holds nothing else but what
    was in it (and, with two players, what was drawn)."""
    checked = 0
    for told, version in list(passing(game))[::7]:
        full = fold(told.game, told.events[:version])
        seats = len(full.chairs)
        for viewer in range(seats):
            world = redealt(told.game, told.events[:version], viewer, chance(version))
            mine = fold(told.game, told.events[: version - 1]).play.hands[viewer]
            holders = [seat for seat in range(seats) if full.play.hands[seat] == sorted(mine)]
            if len(holders) != 1 or not mine:
                continue
            (now,) = holders
            assert sorted(world.play.hands[now]) == sorted(mine)
            later = min(version + 2 * seats + 2, len(told.events) - 1)
            if any(type(event).__name__ == "HandsPassed" for event in told.events[version:later]):
                continue
            world = redealt(told.game, told.events[:later], viewer, chance(later))
            if now < len(world.play.hands) and seats > 2:
                assert not Counter(world.play.hands[now]) - Counter(mine), (version, later)
                checked += 1
    assert checked > 20


def test_a_hand_that_went_round_holds_only_what_was_in_it() -> None:
    """7 Wonders among three: from the third turn on, both other hands are ones the viewer has held; what was
    taken from them since, openly or face down, is among what the viewer saw in them."""
    checked = 0
    for told, version in passing("seven-wonders"):
        full = fold(told.game, told.events[:version]).play
        if full.seats != 3 or full.turn < 3:
            continue
        before = fold(told.game, told.events[: version - 1]).play.hands
        (earlier,) = [n for t, n in passing("seven-wonders") if t is told and n < version][-1:]
        held = [before, fold(told.game, told.events[: earlier - 1]).play.hands]
        step = -1 if full.age == 2 else 1
        for viewer in range(3):
            world = redealt(told.game, told.events[:version], viewer, chance(version)).play
            for passes in (1, 2):
                seat = (viewer + passes * step) % 3
                mine = Counter(held[passes - 1][viewer])
                assert not Counter(full.hands[seat]) - mine, "the test itself is right"
                assert not Counter(world.hands[seat]) - mine, (version, viewer, seat)
            checked += 1
    assert checked > 30
