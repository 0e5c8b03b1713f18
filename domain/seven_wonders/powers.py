"""The end of a turn: powers, leftovers, conflicts, passing hands (rules 2.3-2.5, 7 steps 7-8, 9)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.errors import IllegalMove, refuse
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.seven_wonders import building, choosing, conflicts, ending
from domain.seven_wonders.cards import CARDS
from domain.seven_wonders.commands import LeaveSeventhCard, TakeFromDiscard, TakeNothing
from domain.seven_wonders.effects import BuildFromDiscard, SeventhCard
from domain.seven_wonders.events import (
    CardDrawn,
    DiscardPileSearched,
    HandsPassed,
    LeftoversDiscarded,
    NothingTaken,
    SeventhCardKept,
    SeventhCardLeft,
    StructureBuilt,
)
from domain.seven_wonders.options import MAY_DECLINE, SEARCH_ORDER
from domain.seven_wonders.setup import begin_age
from domain.seven_wonders.state import CHOOSING, ENDING, FREE_CITY, SEARCHING, SEVENTH, State

LAST_TURN: Final = 6
LAST_AGE: Final = 3


def advance(state: State, chance: Chance) -> list[Event]:
    """What follows when a turn was carried out (rules 9.3)."""
    last = state.turn == LAST_TURN
    if last and (events := _leftovers(state)):
        return events
    steps = [_seventh_card, _search]
    if state.options[SEARCH_ORDER] == "before-seventh-card":
        steps.reverse()
    for step in steps:
        if events := step(state):
            return events
    return [conflicts.resolve(state)] if last else pass_hands(state)


def advance_age(state: State, chance: Chance) -> list[Event]:
    """After the conflicts: the next Age, or the end of the game."""
    if state.age < LAST_AGE:
        return begin_age(state, state.age + 1, chance)
    return ending.finish(state)


def _leftovers(state: State) -> list[Event]:
    """Leftover cards are discarded without coins, except those Babylon may play (rules 2.4, 9.1)."""
    kept = [building.has_power(city, SeventhCard) for city in state.cities]
    hands = [[] if kept[seat] else list(hand) for seat, hand in enumerate(state.hands)]
    pile = [] if state.seats == FREE_CITY and kept[FREE_CITY] else list(state.pile)
    return [LeftoversDiscarded(hands, pile)] if pile or any(hands) else []


def _seventh_card(state: State) -> list[Event]:
    if state.turn != LAST_TURN:
        return []
    for number, city in enumerate(state.cities):
        if not building.has_power(city, SeventhCard):
            continue
        if number < state.seats and state.hands[number]:
            return [SeventhCardKept(number, number)]
        if number >= state.seats and state.pile:
            return [SeventhCardKept(state.holder, number, state.pile[0])]
    return []


def _search(state: State) -> list[Event]:
    """Halicarnassus looks through the discard pile; nobody is asked when nothing can be built (rules 9.2)."""
    for number in state.fresh:
        city = state.cities[number]
        stage = city.board.stages[len(city.markers) - 1]
        if any(isinstance(effect, BuildFromDiscard) for effect in stage.effects):
            asked = any(CARDS[name].structure not in city.structures for name in state.discard)
            return [DiscardPileSearched(state.actors[number], number, sorted(state.discard), asked)]
    return []


def pass_hands(state: State) -> list[Event]:
    """Hands go to the left, in Age II to the right; two players exchange them (rules 2.3, 12.3)."""
    step = -1 if state.age == 2 else 1
    hands = [list(state.hands[(seat - step) % state.seats]) for seat in range(state.seats)]
    events: list[Event] = [HandsPassed(hands)]
    if state.seats == FREE_CITY:
        events.append(CardDrawn(1 - state.holder, state.pile[0]))
    return events


# The seventh card of Babylon


def seventh_legal_moves(state: State, seat: Seat) -> list[Command]:
    """Build, use for a stage, discard for coins, or leave the seventh card."""
    return [*choosing.legal_moves(state, seat), LeaveSeventhCard()]


def seventh_decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """Play or leave the seventh card. Raises IllegalMove."""
    if isinstance(command, LeaveSeventhCard):
        hand = state.hands[seat] if state.powered == seat else state.pile
        return [SeventhCardLeft(seat, state.powered, hand[0])]
    return choosing.decide(state, seat, command, chance)


# The discard pile of Halicarnassus


def takeable(state: State) -> list[str]:
    """The kinds in the discard pile that can be built (no duplicates, rules 3.6)."""
    built = state.cities[state.powered].structures
    return [name for name in dict.fromkeys(state.found) if CARDS[name].structure not in built]


def search_legal_moves(state: State, seat: Seat) -> list[Command]:
    """The cards that can be built from the discard pile, and none where the options allow it."""
    moves: list[Command] = [TakeFromDiscard(name) for name in takeable(state)]
    return [*moves, TakeNothing()] if state.options[MAY_DECLINE] else moves


def search_decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """Build from the discard pile, or nothing. Raises IllegalMove."""
    number = state.powered
    if isinstance(command, TakeNothing):
        if not state.options[MAY_DECLINE]:
            raise refuse("must-take", "a card must be built from the discard pile", "7W 9.2")
        return [NothingTaken(seat, number)]
    if not isinstance(command, TakeFromDiscard):
        raise refuse("not-now", "choose a card of the discard pile", "7W 9.2")
    if command.card not in state.found:
        raise refuse("not-in-discard", "this card is not in the discard pile", "7W 9.2")
    card = CARDS[command.card]
    reason = building.why_not_structure(state, number, card)
    if reason is not None:
        raise IllegalMove(reason)
    coins = building.income(state, number, card.effects, {number: building.action("structure", command.card)})
    return [StructureBuilt(seat, number, card.id, "discard-pile", coins=coins)]


def search_default_move(state: State, seat: Seat) -> Command:
    """Build nothing, or the first card that can be built where one must."""
    return TakeNothing() if state.options[MAY_DECLINE] else TakeFromDiscard(takeable(state)[0])


# Folding


def _left_over(state: State, event: LeftoversDiscarded) -> None:
    for hand, left in zip(state.hands, event.hands, strict=True):
        state.discard += left
        if left:
            hand.clear()
    state.discard += event.pile
    if event.pile:
        state.pile = []


def _kept(state: State, event: SeventhCardKept) -> None:
    state.phase, state.awaited, state.powered = SEVENTH, [event.seat], event.city
    state.opened = state.version
    if event.card is not None:
        state.pile = [event.card]


def _left(state: State, event: SeventhCardLeft) -> None:
    state.discard.append(event.card)
    if event.city == event.seat:
        state.hands[event.seat] = []
    else:
        state.pile = []
    state.phase, state.awaited, state.powered = ENDING, [], -1


def _searched(state: State, event: DiscardPileSearched) -> None:
    state.fresh = [number for number in state.fresh if number != event.city]
    if event.asked:
        state.phase, state.awaited, state.powered = SEARCHING, [event.seat], event.city
        state.found = list(event.cards)
        state.opened = state.version


def _nothing_taken(state: State, event: NothingTaken) -> None:
    state.phase, state.awaited, state.powered, state.found = ENDING, [], -1, []


def _passed(state: State, event: HandsPassed) -> None:
    state.phase, state.turn = CHOOSING, state.turn + 1
    state.hands = [list(hand) for hand in event.hands]
    state.changes = [0] * len(state.cities)
    state.fresh = []
    state.opened = state.version


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    LeftoversDiscarded: _left_over,
    SeventhCardKept: _kept,
    SeventhCardLeft: _left,
    DiscardPileSearched: _searched,
    NothingTaken: _nothing_taken,
    HandsPassed: _passed,
}
