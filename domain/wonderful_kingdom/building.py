"""Cubes, krystallium and soldiers on developments and the duchy; completion; scrapping (rules 5.6-5.11)."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.wonderful.commands import PlaceCubes, PlaceKrystallium, StoreCubes
from domain.wonderful.events import CubesPlaced, KrystalliumPlaced
from domain.wonderful_kingdom.bags import COLOURS, INDEX, KRYSTALLIUM, NAMES, SOLDIERS, STEPS, named
from domain.wonderful_kingdom.cards import CardSet
from domain.wonderful_kingdom.commands import PlaceSoldiers, ScrapDevelopment
from domain.wonderful_kingdom.counting import suffers
from domain.wonderful_kingdom.events import (
    CubesStored,
    DevelopmentBegun,
    DevelopmentCompleted,
    DevelopmentScrapped,
    SoldiersPlaced,
)
from domain.wonderful_kingdom.options import MODE, QUESTS
from domain.wonderful_kingdom.paying import NO_SUBSTITUTE, refused_if
from domain.wonderful_kingdom.rulings import FOR_KRYSTALLIUM, QUESTS_FORCE_EXCHANGE
from domain.wonderful_kingdom.state import Board, Construction, State, discard

CACHED: Final = 1 << 12  # commands kept ready, as the same few are offered again and again
place_cubes = lru_cache(CACHED)(PlaceCubes)
store_cubes = lru_cache(CACHED)(StoreCubes)
place_krystallium = lru_cache(CACHED)(PlaceKrystallium)
place_soldiers = lru_cache(CACHED)(PlaceSoldiers)
scrap = lru_cache(CACHED)(ScrapDevelopment)


def to_place(board: Board) -> int:
    """Cubes this player holds and has to place now."""
    return sum(board.pool[:KRYSTALLIUM]) + sum(board.bound)


def exchanges(state: State) -> bool:
    """Whether five cubes on a duchy become a krystallium at once (rules 5.10, 8.4)."""
    return QUESTS_FORCE_EXCHANGE or state.options[MODE] != QUESTS


# What may be put where


def open_slots(board: Board, card: str, slot: int) -> int:
    """Free slots of one kind on a development something may be placed on."""
    construction = board.constructions.get(card)
    if construction is None or card in board.stolen.values():
        return 0
    return construction.empty[slot]


def why_not_put(board: Board, card: str, thing: int, slot: int, count: int, rule: str) -> Reason | None:
    """Why `count` of a thing cannot be put on the free slots of one kind of a development, or None."""
    if card not in board.constructions:
        return Reason("not-under-construction", "no such development is under construction here", rule)
    if card in board.stolen.values():
        return Reason("stolen", "nothing can be placed on a development with a stolen token", rule)
    if thing != slot and not (thing == KRYSTALLIUM and slot in COLOURS):
        return Reason("wrong-slot", f"{NAMES[thing]} does not go on a slot for {NAMES[slot]}", rule)
    if count < 1:
        return Reason("count", "place at least one", rule)
    if count > board.constructions[card].empty[slot]:
        return Reason("no-slot", f"only {board.constructions[card].empty[slot]} such slots are free", rule)
    if count > board.pool[thing]:
        return Reason("not-enough", f"you have {board.pool[thing]} {NAMES[thing]} to place", rule)
    return None


def why_not_scrap(board: Board, card: str) -> Reason | None:
    """Why this development cannot be given up, or None (rules 5.11)."""
    if card not in board.constructions:
        return Reason("not-under-construction", "no such development is under construction here", "WK 5.11")
    if card in board.stolen.values():
        return Reason("stolen", "a development with a stolen token cannot be scrapped", "WK 5.11")
    return None


def index_of(name: object, known: tuple[str, ...], rule: str) -> int:
    """The index of a resource named in a command. Raises IllegalMove."""
    if name not in known:
        raise refuse("unknown-resource", f"one of {', '.join(known)} is meant here", rule)
    return INDEX[str(name)]


def count_of(count: object, rule: str) -> int:
    """A count named in a command. Raises IllegalMove."""
    if type(count) is not int or count < 1:
        raise refuse("count", "a count is at least one", rule)
    return count


def placings(board: Board) -> list[Command]:
    """Where the cubes in hand may go."""
    moves: list[Command] = []
    for colour in COLOURS:
        free = board.pool[colour]
        if free:
            for card in board.constructions:
                slots = open_slots(board, card, colour)
                if slots:
                    moves.append(place_cubes(card, NAMES[colour], min(slots, free)))
        if free or board.bound[colour]:
            moves.append(store_cubes(NAMES[colour], free + board.bound[colour]))
    return moves


def free_moves(cards: CardSet, board: Board) -> list[Command]:
    """Krystallium, soldiers and scrapping: at any time."""
    moves: list[Command] = []
    krystallium, soldiers = board.pool[KRYSTALLIUM], board.pool[SOLDIERS]
    only_own = krystallium and suffers(cards, board, NO_SUBSTITUTE)
    stolen = board.stolen.values()
    for card, construction in board.constructions.items():
        if card in stolen:
            continue
        if krystallium:
            for slot in (KRYSTALLIUM,) if only_own else (*COLOURS, KRYSTALLIUM):
                if construction.empty[slot]:
                    moves.append(
                        place_krystallium(card, NAMES[slot], min(krystallium, construction.empty[slot]))
                    )
        if soldiers and construction.empty[SOLDIERS]:
            moves.append(place_soldiers(card, min(soldiers, construction.empty[SOLDIERS])))
        moves.append(scrap(card))
    return moves


# Deciding


def stored(state: State, board: Board, colour: int, count: int) -> tuple[int, list[int]]:
    """Cubes put on the duchy one at a time: the krystallium formed and the cubes that lie there then. Each
    time five lie there, all five become a krystallium, where the mode forces that (rules 5.10)."""
    loose, formed = list(board.loose), 0
    for _ in range(count):
        loose[colour] += 1
        if exchanges(state) and sum(loose) >= FOR_KRYSTALLIUM:
            loose, formed = [0] * len(loose), formed + 1
    return formed, loose


def store(state: State, seat: Seat, colour: int, count: int, automatic: bool = False) -> CubesStored:
    """The fact that cubes in hand go on the duchy."""
    formed, loose = stored(state, state.boards[seat], colour, count)
    return CubesStored(seat, NAMES[colour], count, formed, named(loose), automatic)


def completing(cards: CardSet, seat: Seat, card: str, board: Board, fact: Event, count: int) -> list[Event]:
    """The fact, and the completion when it fills the last slots (rules 5.9)."""
    construction = board.constructions[card]
    if construction.left > count:
        return [fact]
    bonus = named(cards.developments[construction.kind].bonus)
    return [fact, DevelopmentCompleted(seat, card, construction.kind, bonus)]


def decide(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event] | None:
    """Place, store, scrap; None for any other command. Raises IllegalMove."""
    board = state.boards[seat]
    match command:
        case PlaceCubes(card, resource, number):
            count = count_of(number, "WK 5.6")
            colour = index_of(resource, STEPS, "WK 5.6")
            refused_if(why_not_put(board, card, colour, colour, count, "WK 5.6"))
            return completing(cards, seat, card, board, CubesPlaced(seat, card, resource, count), count)
        case StoreCubes(resource, number):
            count = count_of(number, "WK 5.6")
            colour = index_of(resource, STEPS, "WK 5.6")
            if count > board.pool[colour] + board.bound[colour]:
                raise refuse("not-enough", "you have not so many cubes to place", "WK 5.6")
            return [store(state, seat, colour, count)]
        case PlaceKrystallium(card, space, number):
            count = count_of(number, "WK 5.7")
            slot = index_of(space, NAMES, "WK 5.7")
            refused_if(why_not_put(board, card, KRYSTALLIUM, slot, count, "WK 5.7"))
            if slot != KRYSTALLIUM and suffers(cards, board, NO_SUBSTITUTE):
                raise refuse("no-substitute", "your krystallium cannot stand in for cubes now", "WK 5.7")
            return completing(cards, seat, card, board, KrystalliumPlaced(seat, card, space, count), count)
        case PlaceSoldiers(card, number):
            count = count_of(number, "WK 5.8")
            refused_if(why_not_put(board, card, SOLDIERS, SOLDIERS, count, "WK 5.8"))
            return completing(cards, seat, card, board, SoldiersPlaced(seat, card, count), count)
        case ScrapDevelopment(card):
            refused_if(why_not_scrap(board, card))
            kind = board.constructions[card].kind
            return [DevelopmentScrapped(seat, card, kind, named(cards.developments[kind].recycling))]
    return None


def automatic_storing(state: State) -> list[Event]:
    """Cubes that can go nowhere but on the duchy, in an order that cannot matter, go there by themselves."""
    for seat, board in enumerate(state.boards):
        held = [board.pool[colour] + board.bound[colour] for colour in COLOURS]
        if not any(held):
            continue
        one_colour = sum(map(bool, held)) == 1
        harmless = not exchanges(state) or sum(board.loose) + sum(held) < FOR_KRYSTALLIUM
        for colour in COLOURS:
            count = board.bound[colour]
            if not any(open_slots(board, card, colour) for card in board.constructions):
                count += board.pool[colour]
            if count and (harmless or (one_colour and count == held[colour])):
                return [store(state, seat, colour, count, automatic=True)]
    return []


# What happened


def begin(cards: CardSet, seat: Seat, board: Board, kind: str) -> DevelopmentBegun:
    """The fact that a development is under construction, under a name never used twice."""
    return DevelopmentBegun(seat, kind, f"{kind}-{board.begun.get(kind, 0) + 1}")


def lay_out(cards: CardSet, board: Board, kind: str, name: str) -> None:
    """A development lies in the under-construction area, all its slots free."""
    board.begun[kind] = board.begun.get(kind, 0) + 1
    cost = list(cards.developments[kind].cost)
    board.constructions[name] = Construction(kind, cost, sum(cost))


def _put(construction: Construction, thing: int, slot: int, count: int) -> None:
    construction.empty[slot] -= count
    construction.left -= count
    construction.placed[thing] += count


def _cubes_placed(cards: CardSet, state: State, event: CubesPlaced) -> None:
    board, colour = state.boards[event.seat], INDEX[event.resource]
    board.pool[colour] -= event.count
    _put(board.constructions[event.card], colour, colour, event.count)


def _cubes_stored(cards: CardSet, state: State, event: CubesStored) -> None:
    board, colour = state.boards[event.seat], INDEX[event.resource]
    bound = min(event.count, board.bound[colour])
    board.bound[colour] -= bound
    board.pool[colour] -= event.count - bound
    board.loose = [event.duchy.get(NAMES[each], 0) for each in COLOURS]
    board.pool[KRYSTALLIUM] += event.krystallium


def _krystallium_placed(cards: CardSet, state: State, event: KrystalliumPlaced) -> None:
    board = state.boards[event.seat]
    board.pool[KRYSTALLIUM] -= event.count
    _put(board.constructions[event.card], KRYSTALLIUM, INDEX[event.space], event.count)


def _soldiers_placed(cards: CardSet, state: State, event: SoldiersPlaced) -> None:
    board = state.boards[event.seat]
    board.pool[SOLDIERS] -= event.count
    _put(board.constructions[event.card], SOLDIERS, SOLDIERS, event.count)


def _scrapped(cards: CardSet, state: State, event: DevelopmentScrapped) -> None:
    board = state.boards[event.seat]
    del board.constructions[event.card]
    discard(state, event.kind)
    for name, count in event.cubes.items():
        board.bound[INDEX[name]] += count


def _completed(cards: CardSet, state: State, event: DevelopmentCompleted) -> None:
    board = state.boards[event.seat]
    board.constructions.pop(event.card, None)
    board.constructed[event.card] = event.kind
    board.types[cards.developments[event.kind].type] += 1
    for name, count in event.bonus.items():
        board.pool[INDEX[name]] += count


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    CubesPlaced: _cubes_placed,
    CubesStored: _cubes_stored,
    KrystalliumPlaced: _krystallium_placed,
    SoldiersPlaced: _soldiers_placed,
    DevelopmentScrapped: _scrapped,
    DevelopmentCompleted: _completed,
}
