"""The game alone: piles instead of a draft, cards swapped for others, scenarios (rules 11)."""

from collections.abc import Callable
from itertools import combinations
from typing import Final

from domain.kernel.chance import Chance, draw
from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.redaction import take
from domain.kernel.seats import Seat
from domain.wonderful.board import lay
from domain.wonderful.construction import slate
from domain.wonderful_world.building import refused_if
from domain.wonderful_world.commands import KeepCard, SwapCards
from domain.wonderful_world.decks import CARDS
from domain.wonderful_world.events import CardKept, CardsSwapped, PilesDealt, PileTaken, ScenarioLaidOut
from domain.wonderful_world.options import FREE_PLAY, SCENARIO, SCENARIO_CARDS, SCENARIOS
from domain.wonderful_world.state import PLANNING, ROUNDS, State

PILES: Final = 2 * ROUNDS
PILE: Final = 5
GIVEN: Final = 2  # cards given up in a swap
DRAWN: Final = 5  # cards drawn in a swap, of which one is kept
MEDALS: Final = ("bronze", "silver", "gold")


def set_up(state: State, chance: Chance, label: str, cards: list[str]) -> list[Event]:
    """Lay out the scenario, deal eight piles of five, take the first (rules 11.1, 11.6)."""
    events: list[Event] = []
    scenario = str(state.options[SCENARIO])
    if scenario != FREE_PLAY:
        kinds = SCENARIOS[scenario][0]
        for kind in kinds:
            cards.remove(kind)
        events.append(ScenarioLaidOut(0, scenario, list(kinds)))
    shuffled = draw(chance, label, cards)
    piles = [sorted(shuffled.output[at : at + PILE]) for at in range(0, PILES * PILE, PILE)]
    return [*events, shuffled, PilesDealt(piles), PileTaken(1, 1, piles[0])]


def second_pile_waits(state: State) -> bool:
    """Whether the round has a pile left: as many piles wait as two for each later round, and one."""
    return len(state.piles) > 2 * (ROUNDS - state.round)


def take_pile(state: State, number: int) -> PileTaken:
    """The next pile comes to the draft area, in this round or the next (rules 11.2)."""
    return PileTaken(number, PILES - len(state.piles) + 1, state.piles[0])


def why_not_swap(state: State, cards: list[str]) -> Reason | None:
    """Why these cards cannot be swapped, or None (rules 11.3, 11.7)."""
    if state.seats != 1:
        return Reason("not-alone", "cards are swapped in the game alone only", "WW 11.3")
    if state.offered:
        return Reason("choice-open", "keep one of the cards drawn first", "WW 11.3")
    if len(cards) != GIVEN:
        return Reason("two-cards", "two cards are given up", "WW 11.3")
    if cards != sorted(cards):
        return Reason("not-in-order", "name the two cards in alphabetical order of their ids", "WW 11.3")
    area = state.boards[0].area
    if any(cards.count(card) > area.count(card) for card in cards):
        return Reason("not-drafted", "these cards are not in your draft area", "WW 11.3")
    if len(state.deck) < DRAWN:
        return Reason("deck-too-small", "fewer than five cards are left to draw", "WW 11.7")
    return None


def swaps(state: State) -> list[Command]:
    """Every pair of cards that may be swapped."""
    if len(state.deck) < DRAWN:
        return []
    pairs = dict.fromkeys(combinations(state.boards[0].area, GIVEN))
    return [SwapCards(list(pair)) for pair in pairs]


def keeps(state: State) -> list[Command]:
    """Every card that may be kept of those drawn."""
    return [KeepCard(card) for card in dict.fromkeys(state.offered)]


def decide(state: State, seat: Seat, command: Command) -> list[Event] | None:
    """Swap or keep; None for any other command. Raises IllegalMove."""
    if isinstance(command, SwapCards):
        refused_if(why_not_swap(state, command.cards))
        return [CardsSwapped(seat, command.cards, sorted(state.deck[:DRAWN]))]
    if isinstance(command, KeepCard):
        if command.card not in state.offered:
            raise refuse("not-drawn", "this card is not among the cards drawn", "WW 11.3")
        rest = list(state.offered)
        rest.remove(command.card)
        return [CardKept(seat, command.card, rest)]
    return None


def medal(state: State, total: int) -> str | None:
    """What a total earns in the scenario: gold, silver, bronze or (null) nothing."""
    scenario = str(state.options[SCENARIO])
    if scenario == FREE_PLAY or (state.options[SCENARIO_CARDS] and not cards_constructed(state)):
        return None
    limits = SCENARIOS[scenario][1]
    reached = sum(total >= limit for limit in limits)
    return MEDALS[reached - 1] if reached else None


def cards_constructed(state: State) -> bool:
    """Whether all cards of the scenario are constructed."""
    constructed = state.boards[0].constructed
    return all(kind in constructed for kind in SCENARIOS[str(state.options[SCENARIO])][0])


def _laid_out(state: State, event: ScenarioLaidOut) -> None:
    for kind in event.cards:
        slate(state.boards[event.seat], CARDS[kind], f"{kind}-1")


def _dealt(state: State, event: PilesDealt) -> None:
    state.piles = [list(pile) for pile in event.piles]
    del state.deck[: sum(map(len, event.piles))]


def _taken(state: State, event: PileTaken) -> None:
    del state.piles[0]
    state.phase, state.round, state.step, state.opened = PLANNING, event.round, -1, state.version
    board = state.boards[0]
    board.validated = False
    for card in event.cards:
        lay(board.area, card)


def _swapped(state: State, event: CardsSwapped) -> None:
    board = state.boards[event.seat]
    for card in event.cards:
        take(board.area, card)
        lay(state.discard, card)
    del state.deck[: len(event.drawn)]
    state.offered = list(event.drawn)


def _kept(state: State, event: CardKept) -> None:
    lay(state.boards[event.seat].area, event.card)
    for card in event.discarded:
        lay(state.discard, card)
    state.offered = []


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    ScenarioLaidOut: _laid_out,
    PilesDealt: _dealt,
    PileTaken: _taken,
    CardsSwapped: _swapped,
    CardKept: _kept,
}
