"""The choice phase: one offers two cards, the other takes an area, in turn (rules 3)."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.redaction import FACE_DOWN, take
from domain.kernel.seats import Seat
from domain.wonderful.commands import Validate
from domain.wonderful.events import StepValidated
from domain.wonderful_kingdom.anytime import activations, usable
from domain.wonderful_kingdom.cards import ADVISOR, CALAMITY, CHOICE_END, MENACE, CardSet
from domain.wonderful_kingdom.collecting import forced
from domain.wonderful_kingdom.commands import OfferCards, PeekCard, SalvageCard, SelectArea
from domain.wonderful_kingdom.counting import traps_left
from domain.wonderful_kingdom.effects import owes, why_busy
from domain.wonderful_kingdom.events import (
    AreaSelected,
    CardPeeked,
    CardSalvaged,
    CardsOffered,
    CollectionsRevealed,
    LeftoversDiscarded,
    OffersBegan,
    SeatAsked,
)
from domain.wonderful_kingdom.paying import refused_if
from domain.wonderful_kingdom.planning import reveal
from domain.wonderful_kingdom.rulings import OFFERED, TURNS
from domain.wonderful_kingdom.state import (
    AREAS,
    LEFT,
    LEFTOVERS,
    NOBODY,
    OFFER,
    RIGHT,
    SELECT,
    Laid,
    State,
    seats_from_start,
    turn_of,
)

VALIDATE: Final = Validate()


# Offering


def offers(hand: Sequence[str], traps: int) -> list[Command]:
    """Every offer of two cards of a sorted hand with so many trap tokens left, each once."""
    most = min(traps, OFFERED)
    return [
        offer
        for first, second in dict.fromkeys(combinations(hand, OFFERED))
        for offer in _of_pair(first, second)[most]
    ]


@lru_cache(maxsize=1024)
def _of_pair(first: str, second: str) -> tuple[tuple[OfferCards, ...], ...]:
    """The offers of two cards with no, one and two trap tokens left; made once, as hands share pairs."""
    found: list[tuple[int, OfferCards]] = []
    for places in _PLACES:
        if first == second and places[0] > places[1]:
            continue
        down = sum(face_down for _, face_down in places)
        lists: dict[tuple[int, bool], list[str]] = {}
        for card, place in zip((first, second), places, strict=True):
            lists.setdefault(place, []).append(card)
        found.append((down, _offer(lists)))
        if down == OFFERED and places[0] == places[1] and first != second:
            found.append((down, _offer({places[0]: [second, first]})))
    return tuple(tuple(offer for down, offer in found if down <= traps) for traps in range(OFFERED + 1))


_SPOTS: Final = tuple((area, face_down) for face_down in (False, True) for area in (0, 1))
_PLACES: Final = tuple((first, second) for first in _SPOTS for second in _SPOTS)


def _offer(lists: dict[tuple[int, bool], list[str]]) -> OfferCards:
    return OfferCards(*(lists.get(spot, []) for spot in _SPOTS))


def why_not_offer(cards: CardSet, state: State, seat: Seat, command: OfferCards) -> Reason | None:
    """Why these cards cannot be offered so, or None (rules 3.3, 3.6)."""
    if seat != turn_of(state):
        return Reason("not-your-turn", "the other player offers now", "WK 3.3")
    up = (command.left, command.right)
    down = (command.left_face_down, command.right_face_down)
    named = [card for cards in (*up, *down) for card in cards]
    if len(named) != OFFERED:
        return Reason("two-cards", "exactly two cards are offered", "WK 3.3")
    hand = state.hands[seat]
    if any(named.count(card) > hand.count(card) for card in named):
        return Reason("not-in-hand", "these cards are not in your hand", "WK 3.3")
    if any(cards != sorted(cards) for cards in up):
        return Reason("not-sorted", "face-up cards are named in alphabetical order", "WK 3.3")
    if sum(map(len, down)) > traps_left(cards, state.boards[seat]):
        return Reason("no-trap-left", "you have no trap token left for this", "WK 3.6")
    return why_busy(state.boards[seat], "WK 3.3")


def offer_moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """Every offer and the advisors of the offering seat."""
    board = state.boards[seat]
    if seat != turn_of(state) or owes(board):
        return activations(cards, state, seat)
    return offers(state.hands[seat], traps_left(cards, board)) + activations(cards, state, seat)


def offer(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Lay two cards into the areas. Raises IllegalMove."""
    if not isinstance(command, OfferCards):
        raise refuse("not-now", "cards are offered now", "WK 3.3")
    refused_if(why_not_offer(cards, state, seat, command))
    return [CardsOffered(seat, command.left, command.right, command.left_face_down, command.right_face_down)]


def default_offer(cards: CardSet, state: State, seat: Seat) -> Command:
    """The first two cards of the hand, face up, one into either area."""
    first, second = state.hands[seat][:OFFERED]
    return OfferCards([first], [second])


# Selecting


def extras(state: State, seat: Seat, area: str) -> list[list[int]]:
    """Every choice of face-up cards to take from the area not named, none first."""
    most = state.boards[seat].extra_cards
    places = [place for place, laid in enumerate(state.areas[_opposite(area)]) if not laid.face_down]
    return [list(each) for count in range(most + 1) for each in combinations(places, count)]


def _opposite(area: str) -> str:
    return RIGHT if area == LEFT else LEFT


def laid_at(state: State, area: object, position: object) -> Laid:
    """The card at a place of an area. Raises IllegalMove."""
    if area not in AREAS or type(position) is not int:
        raise refuse("no-such-area", "the areas are left and right", "WK 3.2")
    cards = state.areas[str(area)]
    if not 0 <= position < len(cards):
        raise refuse("no-such-card", "no card lies there", "WK 3.2")
    return cards[position]


def select_moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """Either area, with the extra cards an advisor allows; face-down cards to peek at; advisors."""
    board = state.boards[seat]
    if seat != turn_of(state) or owes(board):
        return activations(cards, state, seat)
    moves: list[Command] = [SelectArea(area, extra) for area in AREAS for extra in extras(state, seat, area)]
    if board.peeks:
        moves += [
            PeekCard(area, place)
            for area in AREAS
            for place, laid in enumerate(state.areas[area])
            if laid.face_down and seat not in laid.seen
        ]
    return moves + activations(cards, state, seat)


def select(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Take an area, or peek. Raises IllegalMove."""
    if not isinstance(command, SelectArea | PeekCard):
        raise refuse("not-now", "an area is selected now", "WK 3.3")
    if seat != turn_of(state):
        raise refuse("not-your-turn", "the other player selects now", "WK 3.3")
    refused_if(why_busy(state.boards[seat], "WK 3.3"))
    if isinstance(command, PeekCard):
        laid = laid_at(state, command.area, command.position)
        if not state.boards[seat].peeks or not laid.face_down or seat in laid.seen:
            raise refuse("nothing-to-peek", "you may not look at this card", "WK effects 2")
        return [CardPeeked(seat, command.area, command.position, laid.card)]
    if command.area not in AREAS:
        raise refuse("no-such-area", "the areas are left and right", "WK 3.2")
    if command.extra not in extras(state, seat, command.area):
        raise refuse("no-extra", "you may not take these cards of the other area", "WK effects 2")
    taken = [laid.card for laid in state.areas[command.area] if not laid.face_down]
    taken += [state.areas[_opposite(command.area)][place].card for place in command.extra]
    at_once = [card for card in taken if cards.kinds.get(card) == ADVISOR]
    return [AreaSelected(seat, command.area, command.extra), *forced(cards, seat, at_once)]


def default_selection(cards: CardSet, state: State, seat: Seat) -> Command:
    """The area with more cards, the left of equals."""
    longer = len(state.areas[RIGHT]) > len(state.areas[LEFT])
    return SelectArea(RIGHT if longer else LEFT)


# What is left over


def _face_up(state: State) -> list[tuple[str, int]]:
    return [
        (area, place) for area in AREAS for place, laid in enumerate(state.areas[area]) if not laid.face_down
    ]


def leftover_moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """The leftovers the seat that is asked may take, its advisors, and to be done."""
    board = state.boards[seat]
    if seat != state.actor:
        return []
    moves = activations(cards, state, seat)
    if owes(board):
        return moves
    if board.salvages:
        moves += [SalvageCard(area, place) for area, place in _face_up(state)]
    return [*moves, VALIDATE]


def salvage(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Take a leftover, or be done. Raises IllegalMove."""
    if not isinstance(command, SalvageCard | Validate):
        raise refuse("not-now", "leftover cards may be taken now", "WK effects 3")
    if seat != state.actor:
        raise refuse("not-your-turn", "the other player is asked now", "WK effects 3")
    refused_if(why_busy(state.boards[seat], "WK effects 3"))
    if isinstance(command, Validate):
        return [StepValidated(seat)]
    laid = laid_at(state, command.area, command.position)
    if not state.boards[seat].salvages or laid.face_down:
        raise refuse("nothing-to-take", "you may not take this card", "WK effects 2")
    at_once = [laid.card] if cards.kinds.get(laid.card) == ADVISOR else []
    return [
        CardSalvaged(seat, command.area, command.position, laid.card),
        *forced(cards, seat, at_once),
    ]


def default_leftover(cards: CardSet, state: State, seat: Seat) -> Command:
    """Take nothing."""
    return VALIDATE


def leftover_advance(cards: CardSet, state: State, chance: Chance) -> list[Event]:
    """Whoever could take a leftover is asked, start player first; then the rest is discarded (rules 3.8) and
    planning begins."""
    up = _face_up(state)
    if state.actor != NOBODY:
        board = state.boards[state.actor]
        idle = not board.salvages and not usable(cards, state, state.actor, CHOICE_END)
        return [StepValidated(state.actor, True)] if (idle or not up) and not owes(board) else []
    if up:
        for seat in seats_from_start(state):
            if seat not in state.asked and usable(cards, state, seat, CHOICE_END):
                return [SeatAsked(seat, LEFTOVERS)]
    if any(owes(board) for board in state.boards):
        return []
    cards_up = [state.areas[area][place].card for area, place in up]
    gone = [card for card in cards_up if cards.kinds[card] in (CALAMITY, MENACE)]
    kept = [card for card in cards_up if cards.kinds[card] not in (CALAMITY, MENACE)]
    down = sum(map(len, state.areas.values())) - len(up)
    shown = CollectionsRevealed([[laid.card for laid in board.collection] for board in state.boards])
    return [LeftoversDiscarded(sorted(kept), sorted(gone), down), shown, *reveal(cards, state)]


# What happened


def _began(cards: CardSet, state: State, event: OffersBegan) -> None:
    state.phase, state.turn, state.opened = OFFER, 0, state.version
    state.picks = [None] * len(state.boards)


def _lay(state: State, seat: Seat, area: str, cards: Sequence[str], face_down: bool) -> None:
    for card in cards:
        take(state.hands[seat], card)
        laid = Laid(card, True, seat, [seat]) if face_down else Laid(card)
        state.areas[area].append(laid)


def _offered(cards: CardSet, state: State, event: CardsOffered) -> None:
    _lay(state, event.seat, LEFT, event.left, False)
    _lay(state, event.seat, RIGHT, event.right, False)
    _lay(state, event.seat, LEFT, event.left_face_down, True)
    _lay(state, event.seat, RIGHT, event.right_face_down, True)
    state.boards[event.seat].traps += len(event.left_face_down) + len(event.right_face_down)
    state.phase, state.opened = SELECT, state.version
    state.turn += 1


def _peeked(cards: CardSet, state: State, event: CardPeeked) -> None:
    laid = state.areas[event.area][event.position]
    laid.seen.append(event.seat)
    if laid.card == FACE_DOWN:
        laid.card = event.card
    state.boards[event.seat].peeks -= 1


def _selected(cards: CardSet, state: State, event: AreaSelected) -> None:
    board = state.boards[event.seat]
    board.collection += state.areas[event.area]
    state.areas[event.area] = []
    rest = state.areas[_opposite(event.area)]
    board.collection += [rest[place] for place in event.extra]
    state.areas[_opposite(event.area)] = [laid for place, laid in enumerate(rest) if place not in event.extra]
    board.peeks = board.extra_cards = 0
    state.turn += 1
    state.opened, state.asked = state.version, []
    state.phase = OFFER if state.turn < TURNS else LEFTOVERS


def _asked(cards: CardSet, state: State, event: SeatAsked) -> None:
    state.phase, state.actor, state.opened = event.phase, event.seat, state.version
    state.asked.append(event.seat)


def _salvaged(cards: CardSet, state: State, event: CardSalvaged) -> None:
    board = state.boards[event.seat]
    board.collection.append(state.areas[event.area].pop(event.position))
    board.salvages -= 1


def _leftovers(cards: CardSet, state: State, event: LeftoversDiscarded) -> None:
    state.discard = sorted([*state.discard, *event.discarded])
    state.box += event.boxed
    for area in AREAS:
        state.buried += [laid for laid in state.areas[area] if laid.face_down]
        state.areas[area] = []
    for board in state.boards:
        board.salvages = 0


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    OffersBegan: _began,
    CardsOffered: _offered,
    CardPeeked: _peeked,
    AreaSelected: _selected,
    SeatAsked: _asked,
    CardSalvaged: _salvaged,
    LeftoversDiscarded: _leftovers,
}
