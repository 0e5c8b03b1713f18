"""Worlds dealt anew are uniform among all that fit, where these can be counted: chi-square over each."""

import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from domain import seven_wonders, wonderful_kingdom, wonderful_world
from domain.kernel.chance import Chance
from domain.kernel.game import Event
from domain.kernel.redaction import FACE_DOWN
from domain.kernel.redealing import redealt
from domain.seven_wonders import events as seven
from domain.wonderful_kingdom import events as kingdom_events
from domain.wonderful_kingdom.cards import CALAMITY
from domain.wonderful_world import events as world
from domain.wonderful_world import redealing as world_redealing
from domain.wonderful_world.state import State
from tests import twins
from tests.audit.test_chance_is_fair import bound
from tests.domain.stories import fold

VIEWER = 0
A_CELL = 60  # worlds drawn for each that there is


def chance(number: int) -> Chance:
    """Another one for each number."""
    return Chance("mat_uniform", number.to_bytes(32), bytes(32))


def insist_on(found: "Counter[Any]", weights: Mapping[Any, int]) -> None:
    """Only worlds that fit, all of them, and each as often as its weight says."""
    assert set(found) <= set(weights), "a world that cannot be"
    each = found.total() / sum(weights.values())
    value = sum((found[world] - each * weight) ** 2 / (each * weight) for world, weight in weights.items())
    limit = bound(len(weights) - 1)
    print(f"{len(weights)} worlds, {found.total()} drawn: chi-square {value:.1f}, bound {limit:.1f}")
    assert value < limit


def test_the_test_finds_a_deal_that_is_not_uniform() -> None:
    crooked = Counter({world: A_CELL * (2 if world % 2 else 1) for world in range(24)})
    with pytest.raises(AssertionError):
        insist_on(crooked, dict.fromkeys(range(24), 1))
    with pytest.raises(AssertionError, match="cannot be"):
        insist_on(Counter({"another": 1}), {"one": 1})


# 7 Wonders: the third turn of three players. What others discarded lies face down: one card of the hand the
# viewer had passed on, the others from hands before the viewer saw them.


def third_turn(seed: int) -> list[Event]:
    """The events of a match up to its third turn."""
    events = [each.fact.event for each in twins.tell(seven_wonders, 3, seed)]
    return events[: [n for n, event in enumerate(events, 1) if isinstance(event, seven.HandsPassed)][1]]


def possible_discards(events: list[Event]) -> set[tuple[str, ...]]:
    """Every discard pile that may lie there for all the viewer knows: all are tried."""
    hands = [event.hands for event in events if isinstance(event, seven.HandsDealt | seven.HandsPassed)]
    taken = [event for event in events if isinstance(event, seven.CardDiscarded | seven.StructureBuilt)]
    assert len(taken) == 6, "a story in which nobody builds a stage"
    seen = {card for turn in hands for card in turn[VIEWER]}
    seen |= {event.card for event in taken if isinstance(event, seven.StructureBuilt)}
    unseen = {card for hand in hands[0] for card in hand} - seen
    choices = []
    for number, event in enumerate(taken):
        hand = hands[number // 3][event.seat]
        if isinstance(event, seven.CardDiscarded):
            passed_on = number >= 3 and set(hand) < set(hands[0][VIEWER])
            choices.append([event.card] if event.seat == VIEWER else hand if passed_on else sorted(unseen))
    return {pile for pile in itertools.product(*choices) if len(set(pile)) == len(pile)}


@pytest.mark.parametrize(("seed", "worlds"), [(5, 36), (6, 12), (10, 2)])
def test_discards_of_seven_wonders(seed: int, worlds: int) -> None:
    events = third_turn(seed)
    possible, found = possible_discards(events), Counter[Any]()
    assert len(possible) == worlds
    for number in range(A_CELL * worlds):
        play = redealt(seven_wonders, events, VIEWER, chance(number)).play
        found[tuple(play.discard)] += 1
    insist_on(found, dict.fromkeys(possible, 1))


# It's a Wonderful World with a deck of six cards: the viewer and another seat hold two each; one is picked.

DECK = ["a", "b", "c", "d", "e", "f"]


def test_hands_picks_and_deck_of_its_a_wonderful_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world_redealing, "base_deck", lambda war_or_peace: DECK)
    monkeypatch.setattr(world_redealing, "with_ascension", lambda options, seats: False)
    told = world.HandsDealt(1, [["a", "b"], [FACE_DOWN] * 2], [0, 0])
    state = State(phase="draft", seats=2, options=dict.fromkeys(("war_or_peace", "scenario")))
    state.hands, state.backs, state.picks = told.hands, [0, 0], ["a", FACE_DOWN]
    state.deck = [FACE_DOWN] * 2
    unseen = [card for card in DECK if card not in "ab"]
    possible = {
        (*sorted(order[:2]), pick, *order[2:])
        for order in itertools.permutations(unseen)
        for pick in order[:2]
    }
    assert len(possible) == 6 * 2 * 2
    found = Counter[Any]()
    for number in range(A_CELL * len(possible)):
        (dealt,) = wonderful_world.redeal(state, VIEWER, [told], chance(number))
        assert isinstance(dealt, world.HiddenDealt)
        found[(*dealt.hands[1], dealt.picks[1], *dealt.deck)] += 1
    insist_on(found, dict.fromkeys(possible, 1))


# It's a Wonderful Kingdom: a round has begun, and the other hand holds one of the calamities.

KINGDOM: Final = wonderful_kingdom.GAME


def kingdom(seed: int, ends: Callable[[Event], bool]) -> list[Event]:
    """A match up to and with the first event of which this holds."""
    events = [each.fact.event for each in twins.tell(KINGDOM, 2, seed, mode="quests")]
    return events[: next(n for n, event in enumerate(events, 1) if ends(event))]


def is_calamity(card: str) -> bool:
    return KINGDOM.cards.kinds[card] == CALAMITY


def test_the_hand_and_the_deck_of_its_a_wonderful_kingdom() -> None:
    events = kingdom(3, lambda event: isinstance(event, kingdom_events.HandsDealt))
    full = fold(KINGDOM, events).play
    unseen = Counter([*full.hands[1], *full.deck, *full.calamities])
    of_hand, top = Counter[Any](), Counter[Any]()
    for number in range(1000):
        play = redealt(KINGDOM, events, VIEWER, chance(number)).play
        (calamity,) = filter(is_calamity, play.hands[1])
        of_hand[calamity] += 1
        top[play.deck[0]] += 1
    insist_on(of_hand, {card: 1 for card in unseen if is_calamity(card)})
    insist_on(top, {card: count for card, count in unseen.items() if not is_calamity(card)})


@pytest.mark.parametrize("seed", [22, 25])
def test_a_calamity_lies_face_down_as_often_as_any_card_of_the_hand(seed: int) -> None:
    events = kingdom(seed, hides_cards)
    full = fold(KINGDOM, events).play
    laid = [
        lying for row in full.areas.values() for lying in row if lying.face_down and VIEWER not in lying.seen
    ]
    down, found = len(laid), Counter[Any]()
    assert down
    for number in range(1000):
        play = redealt(KINGDOM, events, VIEWER, chance(number)).play
        found[sum(map(is_calamity, play.hands[1]))] += 1
    insist_on(found, {1: len(full.hands[1]), 0: down})


def hides_cards(event: Event) -> bool:
    """Whether the other seat laid cards face down with it."""
    return (
        isinstance(event, kingdom_events.CardsOffered)
        and event.seat != VIEWER
        and (bool(event.left_face_down or event.right_face_down))
    )
