"""Setting the table and beginning an Age: boards, decks, hands (rules 1, 2.1, 12.1-12.3)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.chance import Chance, DeckShuffled, draw
from domain.kernel.errors import refuse
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.kernel.table import MatchStarted
from domain.seven_wonders.cards import GUILDS, deck
from domain.seven_wonders.commands import ChooseBoard
from domain.seven_wonders.events import (
    BoardChoiceOpened,
    BoardChosen,
    BoardDealt,
    BoardsOffered,
    CardDrawn,
    HandsDealt,
    TableSet,
)
from domain.seven_wonders.options import SIDES
from domain.seven_wonders.options import WONDERS as WONDERS_OPTION
from domain.seven_wonders.state import BOARDS, CHOOSING, FREE_CITY, SETUP, City, State
from domain.seven_wonders.wonders import WONDERS

START_COINS: Final = 3
HAND: Final = 7


def advance(state: State, chance: Chance) -> list[Event]:
    """Set the table; ask for boards where the options say so; begin the first Age."""
    if state.phase == SETUP and not state.cities:
        return [TableSet(max(3, state.seats), START_COINS), _shuffle_boards(state, chance)]
    if state.phase == SETUP:
        events = _deal_boards(state)
        if WONDERS_OPTION in _asked(state) or SIDES in _asked(state):
            return [*events, BoardChoiceOpened(0)]
        return [*events, *begin_age(state, 1, chance)]
    if state.awaited:
        return []
    unset = [seat for seat in range(state.seats) if not state.cities[seat].side]
    if unset:
        return [BoardChoiceOpened(unset[0])]
    if not all(city.side for city in state.cities):
        wonder, side = free_faces(state)[0].split(":")
        return [BoardDealt(FREE_CITY, wonder, side)]
    return begin_age(state, 1, chance)


def _asked(state: State) -> list[str]:
    return [name for name in (WONDERS_OPTION, SIDES) if state.options[name] == "choose"]


def _shuffle_boards(state: State, chance: Chance) -> DeckShuffled:
    sides = ("A",) if state.options[SIDES] == "A" else ("A", "B")
    return draw(chance, "seven_wonders/boards", [f"{wonder}:{side}" for wonder in WONDERS for side in sides])


def _faces(state: State) -> list[str]:
    """The wonders in the order of the draw, each with the side that came first."""
    faces: dict[str, str] = {}
    for face in state.drawn:
        faces.setdefault(face.split(":")[0], face)
    return list(faces.values())


def free_faces(state: State) -> list[str]:
    """The faces in the order of the draw whose wonder is nobody's yet."""
    taken = {city.wonder for city in state.cities}
    return [face for face in _faces(state) if face.split(":")[0] not in taken]


def _deal_boards(state: State) -> list[Event]:
    faces = _faces(state)
    asked = _asked(state)
    if WONDERS_OPTION in asked:
        if SIDES in asked:
            faces = state.drawn
        return [BoardsOffered(sorted(faces))]
    if SIDES not in asked:
        dealt = [face.split(":") for face in faces[: len(state.cities)]]
        return [BoardDealt(number, wonder, side) for number, (wonder, side) in enumerate(dealt)]
    events: list[Event] = []
    for seat, face in enumerate(faces[: state.seats]):
        events.append(BoardDealt(seat, face.split(":")[0], None))
    wonders = {event.wonder for event in events}
    events.append(BoardsOffered(sorted(face for face in state.drawn if face.split(":")[0] in wonders)))
    return events


def boards(state: State, seat: Seat) -> list[ChooseBoard]:
    """The boards this seat may take: either side of its own wonder, or any offered one that is free."""
    own = state.cities[seat].wonder
    taken = {city.wonder for city in state.cities}
    faces = [face.split(":") for face in state.offered]
    return [
        ChooseBoard(wonder, side) for wonder, side in faces if (wonder == own if own else wonder not in taken)
    ]


def legal_moves(state: State, seat: Seat) -> list[Command]:
    """The boards, when it is this seat's turn."""
    return list(boards(state, seat))


def decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """Take a board. Raises IllegalMove."""
    if not isinstance(command, ChooseBoard):
        raise refuse("not-now", "choose a board", "7W 1.5")
    if command not in boards(state, seat):
        raise refuse("board-not-free", "this board is not free", "7W 1.5")
    return [BoardChosen(seat, command.wonder, command.side)]


def default_move(state: State, seat: Seat) -> Command:
    """The first board offered."""
    return boards(state, seat)[0]


def deck_label(age: int) -> str:
    """The label of the draw of an Age's deck."""
    return f"seven_wonders/age-{age}/deck"


def begin_age(state: State, age: int, chance: Chance) -> list[Event]:
    """Shuffle the Age's deck and deal 7 cards to every seat; Age III with n + 2 guilds (rules 1.2-1.4)."""
    players = max(3, state.seats)
    events: list[Event] = []
    cards = deck(age, players)
    if age == 3:
        guilds = draw(chance, "seven_wonders/guilds", list(GUILDS), players + 2)
        events.append(guilds)
        cards = cards + guilds.output
    shuffled = draw(chance, deck_label(age), cards)
    order = shuffled.output
    hands = [sorted(order[seat * HAND : (seat + 1) * HAND]) for seat in range(state.seats)]
    pile = order[state.seats * HAND :]
    events += [shuffled, HandsDealt(age, hands, pile)]
    if pile:
        events.append(CardDrawn(_first_holder(age), pile[0]))
    return events


def _first_holder(age: int) -> Seat:
    """Who starts an Age with the Free City card: the player to its left, in Age II its right (rules 12.2)."""
    return 1 if age == 2 else 0


def _started(state: State, event: MatchStarted) -> None:
    state.seats = event.seats
    state.options = event.options


def _table_set(state: State, event: TableSet) -> None:
    state.cities = [City(coins=event.coins) for _ in range(event.cities)]
    state.actors = list(range(event.cities))


def _drawn(state: State, event: DeckShuffled) -> None:
    state.drawn = event.output


def _offered(state: State, event: BoardsOffered) -> None:
    state.offered = event.boards


def _dealt_board(state: State, event: BoardDealt) -> None:
    if event.side is None:
        state.cities[event.city].wonder = event.wonder
    else:
        _settle(state, event.city, event.wonder, event.side)


def _choice_opened(state: State, event: BoardChoiceOpened) -> None:
    state.phase, state.awaited, state.opened = BOARDS, [event.seat], state.version


def _board_chosen(state: State, event: BoardChosen) -> None:
    state.awaited = []
    _settle(state, event.seat, event.wonder, event.side)


def _settle(state: State, number: int, wonder: str, side: str) -> None:
    city = state.cities[number]
    city.wonder, city.side = wonder, side
    city.own += city.board.makes
    city.sale += city.board.makes


def _dealt(state: State, event: HandsDealt) -> None:
    state.phase, state.age, state.turn = CHOOSING, event.age, 1
    state.hands = [list(hand) for hand in event.hands]
    state.pile = list(event.pile)
    state.chosen = [None] * len(state.cities)
    state.changes = [0] * len(state.cities)
    state.opened = state.version


def _card_drawn(state: State, event: CardDrawn) -> None:
    state.pile = state.pile[1:]
    state.hands[event.seat] = sorted([*state.hands[event.seat], event.card])
    state.holder = event.seat
    state.actors[FREE_CITY] = event.seat
    state.opened = state.version


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    MatchStarted: _started,
    TableSet: _table_set,
    DeckShuffled: _drawn,
    BoardsOffered: _offered,
    BoardDealt: _dealt_board,
    BoardChoiceOpened: _choice_opened,
    BoardChosen: _board_chosen,
    HandsDealt: _dealt,
    CardDrawn: _card_drawn,
}
