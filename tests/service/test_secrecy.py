"""The check of secrecy: honest matches pass it, whatever leaks is caught, in every game."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from domain.kernel.chance import subkey
from domain.kernel.game import Game
from domain.kernel.redaction import OPEN, Secret
from domain.kernel.variant import Variant
from events.chain import seal_events
from events.envelope import ZERO_HASH, Recorded
from service import secrecy, wire
from service.secrecy import Checked
from tests import twins
from tests.audit.short_match import OCCURRED_AT
from tests.audit.whole_matches import MATCH, SECRETS, SEED, TABLES, log_of
from tests.domain.stories import TITLES, Story, story
from tests.service.http.test_twin_worlds import KINDS
from tests.twins import Told

GAMES = list(TABLES)


@cache
def told_of(name: str) -> list[Told]:
    """The match of `log_of`, fact by fact."""
    game, seats, options = TABLES[name]
    return twins.tell(game, seats, SEED, MATCH, **options)


def recorded(game: Game, told: Sequence[Told]) -> list[Recorded]:
    """The facts as a service with this game records them."""
    log: list[Recorded] = []
    for number in sorted({each.command for each in told}):
        mine = [each for each in told if each.command == number]
        drafts = wire.of(game).drafts([each.fact for each in mine], mine[0].decision, {})
        previous = log[-1].hash if log else ZERO_HASH
        key = subkey(SECRETS.match_key, "seal")
        log += seal_events(drafts, MATCH, len(log), previous, OCCURRED_AT, key)
    return log


def with_names(game: Game, **names: Any) -> Game:
    """The game with names bound to something else."""
    changed: Any = Variant(game, {"RULESET": game.RULESET, **names})
    found: Game = changed
    return found


def caught(game: Game, log: Sequence[Recorded], every: int = 8) -> list[Checked]:
    """What was found for the viewers for whom something was."""
    return [each for each in secrecy.check(game, log, every) if each.difference is not None]


@pytest.mark.parametrize("name", GAMES)
def test_an_honest_match_keeps_every_secret_at_every_version(name: str) -> None:
    game, seats, _ = TABLES[name]
    found = list(secrecy.check(game, log_of(name)))
    assert [each.viewer for each in found] == ["public", *(f"s{seat}" for seat in range(seats))]
    before_the_end = len(log_of(name)) - 1
    for each in found:
        assert each.difference is None
        assert each.versions == before_the_end
        assert each.dealt_anew > 0.9 * before_the_end
        assert each.exchanged > 0.6 * before_the_end


def told_in(known: Story) -> list[Told]:
    return [
        Told(fact, step.by.decision, number)
        for number, step in enumerate(known.steps, 1)
        for fact in step.facts
    ]


@pytest.mark.parametrize(
    "title", [title for title in TITLES if title.seats in (1, 2, 4) and not title.seed], ids=str
)
def test_nothing_is_found_where_bots_play_and_people_give_up_or_change_their_mind(title: Any) -> None:
    """No false alarm: under options drawn at random, with moves taken back, seats lent and left."""
    known = story(title)
    assert caught(known.game, recorded(known.game, told_in(known)), every=5) == []


def hidden_classes(name: str) -> Iterator[type]:
    """The classes of events of the match of which somebody is told less than all."""
    game, seats, _ = TABLES[name]
    found = set()
    for each in told_of(name):
        secret = game.REDACTIONS.get(type(each.fact.event))
        event = each.fact.event
        if secret is not None and any(secret.hide(event, v) != event for v in twins.viewers(seats)):
            found.add(type(event))
    yield from sorted(found, key=lambda cls: cls.__name__)


LEAKS = [(name, cls) for name in GAMES for cls in hidden_classes(name)]


@pytest.mark.parametrize(("name", "cls"), LEAKS, ids=[f"{name}-{cls.__name__}" for name, cls in LEAKS])
def test_an_event_that_is_not_redacted_is_caught(name: str, cls: type) -> None:
    game = with_names(TABLES[name][0], REDACTIONS={**TABLES[name][0].REDACTIONS, cls: OPEN})
    found = caught(game, recorded(game, told_of(name)))
    assert found, "somebody was told too much"
    assert {each.difference.response for each in found if each.difference} <= {"events", "view"}
    kind = next(event.name for event in game.EVENTS.values() if event.cls is cls)
    first = found[0].difference
    assert first is not None and first.place.startswith("/")
    types = {record.version: record.type for record in log_of(name)}
    assert any(each.difference and types[each.difference.version] == kind for each in found)


@pytest.mark.parametrize("name", GAMES)
def test_an_event_that_tells_one_seat_what_is_anothers_is_caught(name: str) -> None:
    """The seat next to the one whose card it is sees it; nobody else does."""
    base = TABLES[name][0]
    cls = next(cls for cls in hidden_classes(name) if "Deal" in cls.__name__ or "Dealt" in cls.__name__)
    honest = base.REDACTIONS[cls]
    assert honest is not None
    leaky = Secret(honest.seats, lambda event, viewer: honest.hide(event, 0 if viewer == 1 else viewer))
    game = with_names(base, REDACTIONS={**base.REDACTIONS, cls: leaky})
    found = caught(game, recorded(game, told_of(name)))
    assert "s1" in {each.viewer for each in found}
    assert "s0" not in {each.viewer for each in found}


def secret_number(state: Any, viewer: int) -> int:
    """A number that depends on what others hold: it names no card."""
    hands = getattr(state, "hands", [])
    return sum(len(card) for seat, hand in enumerate(hands) for card in hand if seat != viewer)


@pytest.mark.parametrize("name", GAMES)
def test_a_view_in_which_hidden_cards_are_counted_is_caught(name: str) -> None:
    base = TABLES[name][0]
    game = with_names(
        base, view=lambda state, viewer: base.view(state, viewer) | {"x": secret_number(state, viewer)}
    )
    found = caught(game, log_of(name))
    assert len(found) == TABLES[name][1] + 1
    for each in found:
        assert each.difference is not None
        assert (each.difference.response, each.difference.place) == ("view", "/state/x")


@pytest.mark.parametrize("name", GAMES)
def test_moves_that_depend_on_what_is_hidden_are_caught(name: str) -> None:
    base = TABLES[name][0]

    def moves(state: Any, seat: int) -> list[Any]:
        found = base.legal_moves(state, seat)
        return found[::-1] if secret_number(state, seat) % 2 else found

    found = caught(with_names(base, legal_moves=moves), log_of(name), every=1)
    assert {each.viewer for each in found} == {f"s{seat}" for seat in range(TABLES[name][1])}
    assert {each.difference.response for each in found if each.difference} == {"legal-moves"}


@pytest.mark.parametrize("name", GAMES)
def test_what_was_recorded_too_openly_once_is_caught_by_the_rules_of_today(name: str) -> None:
    base = TABLES[name][0]
    cls = next(iter(hidden_classes(name)))
    leaky = with_names(base, REDACTIONS={**base.REDACTIONS, cls: OPEN})
    found = caught(base, recorded(leaky, told_of(name)))
    assert found and all(each.difference and each.difference.response == "events" for each in found)


def test_a_match_that_is_not_over_cannot_be_checked() -> None:
    with pytest.raises(ValueError, match="over"):
        list(secrecy.check(TABLES[GAMES[0]][0], log_of(GAMES[0])[:-1]))


@pytest.mark.parametrize("name", GAMES)
def test_cards_of_one_back_are_those_that_twin_worlds_exchange(name: str) -> None:
    backs, kinds = TABLES[name][0].backs(), KINDS[name]
    assert backs.keys() == kinds.keys()
    assert (
        len(set(backs.values()))
        == len({(backs[card], kinds[card]) for card in backs})
        == len(set(kinds.values()))
    )
