"""Worlds that may be, for all a viewer of It's a Wonderful World knows: hands, picks, decks, piles dealt
anew.

Every pick is shown in the end, so a viewer knows all of a hand that it has held, wherever it is passed to.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.game import Event
from domain.kernel.redaction import FACE_DOWN
from domain.kernel.redealing import Dice
from domain.kernel.seats import Viewer, left_of, right_of
from domain.wonderful_world import events as ev
from domain.wonderful_world.decks import ASCENSION, CARDS, ascension_deck, base_deck
from domain.wonderful_world.options import FREE_PLAY, SCENARIO, SCENARIOS, WAR_OR_PEACE, with_ascension
from domain.wonderful_world.state import SETUP, State


def backs() -> dict[str, str]:
    """Cards by the deck they come from; rewards come with the base deck."""
    return {name: "ascension" if name in ASCENSION else "base" for name in CARDS}


def redeal(state: State, viewer: Viewer, told: Sequence[Event], chance: Chance) -> list[Event]:
    """The fact that puts cards wherever cards lie face down for the viewer."""
    if state.phase == SETUP:
        return []
    dice = Dice(chance)
    shown, known = _seen(told, viewer)
    hands = [
        list(hand) if FACE_DOWN not in hand else known.get(seat) for seat, hand in enumerate(state.hands)
    ]
    for hand in hands:
        shown.update(hand or ())
    base = Counter(base_deck(bool(state.options[WAR_OR_PEACE])))
    base.subtract(_of_the_scenario(state))
    extra = Counter(ascension_deck() if with_ascension(state.options, state.seats) else ())
    deck = dice.shuffled((base - shown).elements())
    ascension = dice.shuffled((extra - shown).elements())
    dealt: list[list[str]] = []
    for hand, size, backs in zip(hands, map(len, state.hands), state.backs, strict=True):
        if hand is None:
            hand = deck[: size - backs] + ascension[:backs]
            del deck[: size - backs], ascension[:backs]
        dealt.append(sorted(hand))
    piles = []
    for pile in state.piles:
        piles.append(sorted(deck[: len(pile)]))
        del deck[: len(pile)]
    picks = [
        hand[dice.below(len(hand))] if pick == FACE_DOWN else pick
        for pick, hand in zip(state.picks, dealt, strict=True)
    ]
    return [ev.HiddenDealt(dealt, picks, deck, ascension, piles)]


def _of_the_scenario(state: State) -> Sequence[str]:
    """The cards that were never in the deck (rules 11.6)."""
    alone = state.seats == 1 and state.options[SCENARIO] != FREE_PLAY
    return SCENARIOS[str(state.options[SCENARIO])][0] if alone else ()


def _seen(told: Sequence[Event], viewer: Viewer) -> tuple[Counter[str], dict[int, list[str]]]:
    """The cards that the viewer has seen leave the decks and that are in no hand any more; and the hands it
    has held, by who holds them now."""
    shown: Counter[str] = Counter()
    hands: dict[int, list[str]] = {}
    seats = 0
    for event in told:
        match event:
            case ev.HandsDealt():
                seats = len(event.hands)
                hands = {viewer: list(event.hands[viewer])} if 0 <= viewer < seats else {}
            case ev.PicksRevealed():
                shown.update(event.cards)
                for seat, card in enumerate(event.cards):
                    if seat in hands:
                        hands[seat].remove(card)
            case ev.HandsPassed():
                to = left_of if event.to == "left" else right_of
                hands = {to(seat, seats): hand for seat, hand in hands.items()}
                if 0 <= viewer < seats:
                    hands[viewer] = list(event.hands[viewer])
            case ev.LeftoversDiscarded():
                shown.update(card for hand in event.hands for card in hand)
                hands = {}
            case ev.PileTaken():
                shown.update(event.cards)
            case ev.CardsSwapped():
                shown.update(event.drawn)
    return shown, hands


def _dealt_anew(state: State, event: ev.HiddenDealt) -> None:
    state.hands = [list(hand) for hand in event.hands]
    state.picks = list(event.picks)
    state.deck, state.ascension = list(event.deck), list(event.ascension)
    state.piles = [list(pile) for pile in event.piles]


HANDLERS: Final[dict[type, Callable[..., None]]] = {ev.HiddenDealt: _dealt_anew}
