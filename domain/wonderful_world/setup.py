"""Setting the table and beginning a round: Empire cards, decks, hands (rules 2, 4.1-4.3, 12.1)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.chance import Chance, DeckShuffled, draw
from domain.kernel.game import Event
from domain.kernel.table import MatchStarted
from domain.wonderful.board import Board
from domain.wonderful.cubes import KRYSTALLIUM
from domain.wonderful_world import empires, solo
from domain.wonderful_world.decks import ascension_deck, base_deck
from domain.wonderful_world.empires import EMPIRES
from domain.wonderful_world.events import EmpiresDealt, HandsDealt
from domain.wonderful_world.options import SIDE, WAR_OR_PEACE, with_ascension
from domain.wonderful_world.state import DRAFT, PICKS, State

EMPIRES_LABEL: Final = "wonderful_world/empires"
DECK_LABEL: Final = "wonderful_world/deck"
ASCENSION_LABEL: Final = "wonderful_world/ascension-deck"

TWO_PLAYERS: Final = 10  # cards dealt to each of two players, of which seven are picked (rules 4.3)
# Cards dealt to each player from the base deck and the Ascension deck, by number of players (rules 12.1).
ASCENSION_DEAL: Final = {2: (8, 4), 3: (6, 3), 4: (6, 3), 5: (6, 2), 6: (6, 2), 7: (5, 2)}


def deal(state: State) -> tuple[int, int]:
    """How many cards of the base deck and of the Ascension deck a hand is dealt."""
    if with_ascension(state.options, state.seats):
        return ASCENSION_DEAL[state.seats]
    return (TWO_PLAYERS if state.seats == 2 else PICKS), 0


def advance(state: State, chance: Chance) -> list[Event]:
    """Deal the Empire cards, shuffle the decks, begin the first round."""
    ascension = with_ascension(state.options, state.seats)
    side = str(state.options[SIDE])
    names = draw(chance, EMPIRES_LABEL, list(EMPIRES if ascension else empires.BASE), state.seats)
    start = [EMPIRES[name][side].krystallium for name in names.output]
    events: list[Event] = [names, EmpiresDealt(side, names.output, start)]
    cards = base_deck(bool(state.options[WAR_OR_PEACE]))
    if state.seats == 1:
        return events + solo.set_up(state, chance, DECK_LABEL, cards)
    decks = [draw(chance, DECK_LABEL, cards)]
    if ascension:
        decks.append(draw(chance, ASCENSION_LABEL, ascension_deck()))
    return [*events, *decks, _deal_hands(state, 1, decks[0].output, decks[-1].output)]


def begin_round(state: State, number: int) -> HandsDealt:
    """Deal the hands of the next round from what is left of the decks."""
    return _deal_hands(state, number, state.deck, state.ascension)


def _deal_hands(state: State, number: int, deck: list[str], ascension: list[str]) -> HandsDealt:
    base, extra = deal(state)
    hands = [
        sorted(deck[seat * base : (seat + 1) * base] + ascension[seat * extra : (seat + 1) * extra])
        for seat in range(state.seats)
    ]
    return HandsDealt(number, hands, [extra] * state.seats)


def _started(state: State, event: MatchStarted) -> None:
    state.seats, state.options = event.seats, event.options


def _shuffled(state: State, event: DeckShuffled) -> None:
    if event.label == DECK_LABEL:
        state.deck = list(event.output)
    elif event.label == ASCENSION_LABEL:
        state.ascension = list(event.output)


def _empires_dealt(state: State, event: EmpiresDealt) -> None:
    state.side = event.side
    state.boards = []
    for name, krystallium in zip(event.empires, event.krystallium, strict=True):
        empire = EMPIRES[name][event.side]
        board = Board(empire=name, flat=list(empire.production))
        board.pool[KRYSTALLIUM] = krystallium
        state.boards.append(board)
    state.choices = [0] * len(event.empires)


def _hands_dealt(state: State, event: HandsDealt) -> None:
    extra = sum(event.ascension)
    del state.deck[: sum(map(len, event.hands)) - extra]
    del state.ascension[:extra]
    state.phase, state.round, state.step, state.opened = DRAFT, event.round, -1, state.version
    state.hands = [list(hand) for hand in event.hands]
    state.backs = list(event.ascension)
    state.picks = [None] * len(event.hands)
    state.withdrawals = [0] * len(event.hands)


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    MatchStarted: _started,
    DeckShuffled: _shuffled,
    EmpiresDealt: _empires_dealt,
    HandsDealt: _hands_dealt,
}
