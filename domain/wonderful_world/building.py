"""What may be done with cards under construction at any time, and what happens on a board (rules 7, 8)."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from domain.kernel.errors import IllegalMove, Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.redaction import take
from domain.kernel.seats import Seat
from domain.wonderful.board import Board, Construction, lay
from domain.wonderful.commands import DiscardConstruction, PlaceKrystallium
from domain.wonderful.construction import construct, put, slate, why_not_fill, why_not_spend
from domain.wonderful.cubes import CHARACTERS, FOR_KRYSTALLIUM, INDEX, KRYSTALLIUM, NAMES, stored
from domain.wonderful.events import (
    CardConstructed,
    CardRecycled,
    CardSlated,
    ConstructionDiscarded,
    CubesPlaced,
    CubesStored,
    KrystalliumPlaced,
    StepValidated,
)
from domain.wonderful_world.commands import PlaceCharacters
from domain.wonderful_world.decks import CARDS
from domain.wonderful_world.events import CharactersPlaced
from domain.wonderful_world.state import State

CACHED: Final = 1 << 14  # commands kept ready, as the same few thousand are offered again and again

discard_construction = lru_cache(CACHED)(DiscardConstruction)
place_krystallium = lru_cache(CACHED)(PlaceKrystallium)
place_characters = lru_cache(CACHED)(PlaceCharacters)


def free_moves(board: Board) -> list[Command]:
    """Everything this player may do at any time (rules 8.2-8.5), counts at their maximum."""
    moves: list[Command] = []
    krystallium = board.pool[KRYSTALLIUM]
    characters = [character for character in CHARACTERS if board.pool[character]]
    for name, construction in board.constructions.items():
        empty = construction.empty
        if krystallium:
            for space in range(KRYSTALLIUM + 1):
                if empty[space]:
                    count = min(krystallium, empty[space])
                    moves.append(place_krystallium(name, NAMES[space], count))
        for character in characters:
            if empty[character]:
                count = min(board.pool[character], empty[character])
                moves.append(place_characters(name, NAMES[character], count))
        moves.append(discard_construction(name))
    return moves


def resource(name: str, rule: str) -> int:
    """The index of a resource or character a command names. Raises IllegalMove for other words."""
    index = INDEX.get(name)
    if index is None:
        raise refuse("unknown-resource", "there is no such resource or character", rule)
    return index


def refused_if(reason: Reason | None) -> None:
    """Raise the reason as an IllegalMove, if there is one."""
    if reason is not None:
        raise IllegalMove(reason)


def completing(seat: Seat, name: str, construction: Construction, placing: Event, count: int) -> list[Event]:
    """Things are placed; when they fill the last space the card is constructed at once (rules 7.4)."""
    if count < construction.left:
        return [placing]
    kind = construction.kind
    return [placing, CardConstructed(seat, name, kind, CARDS[kind].bonus)]


def _place_krystallium(board: Board, seat: Seat, command: PlaceKrystallium) -> list[Event]:
    space, count = resource(command.space, "WW 7.1"), command.count
    refused_if(why_not_fill(board, command.card, KRYSTALLIUM, space, count, "WW 7.1"))
    refused_if(why_not_spend(board, KRYSTALLIUM, count, "WW 8.2"))
    placing = KrystalliumPlaced(seat, command.card, command.space, count)
    return completing(seat, command.card, board.constructions[command.card], placing, count)


def _place_characters(board: Board, seat: Seat, command: PlaceCharacters) -> list[Event]:
    character, count = resource(command.character, "WW 7.1"), command.count
    if character not in CHARACTERS:
        raise refuse("not-a-character", "the characters are financier and general", "WW 1.4")
    refused_if(why_not_fill(board, command.card, character, character, count, "WW 7.1"))
    refused_if(why_not_spend(board, character, count, "WW 8.3"))
    placing = CharactersPlaced(seat, command.card, command.character, count)
    return completing(seat, command.card, board.constructions[command.card], placing, count)


def _discard(board: Board, seat: Seat, command: DiscardConstruction) -> list[Event]:
    construction = board.constructions.get(command.card)
    if construction is None:
        raise refuse("not-under-construction", "no such card is under construction here", "WW 8.4")
    cube = CARDS[construction.kind].recycling
    formed = stored(board.loose, 1)[1]
    return [ConstructionDiscarded(seat, command.card, construction.kind, NAMES[cube], formed)]


_FREE: Final[dict[type, Callable[..., list[Event]]]] = {
    PlaceKrystallium: _place_krystallium,
    PlaceCharacters: _place_characters,
    DiscardConstruction: _discard,
}


def decide_free(board: Board, seat: Seat, command: Command) -> list[Event] | None:
    """The facts of a free action, or None for any other command. Raises IllegalMove."""
    chapter = _FREE.get(type(command))
    return None if chapter is None else chapter(board, seat, command)


# What happened


def _slated(state: State, event: CardSlated) -> None:
    board = state.boards[event.seat]
    take(board.area, event.kind)
    slate(board, CARDS[event.kind], event.card)


def _recycled(state: State, event: CardRecycled) -> None:
    board = state.boards[event.seat]
    take(board.area, event.kind)
    lay(state.discard, event.kind)
    cube = INDEX[event.resource]
    if event.target is None:
        _lay_loose(board, 1, event.krystallium)
    else:
        put(board.constructions[event.target], cube, cube, 1)


def _lay_loose(board: Board, count: int, krystallium: int) -> None:
    board.loose += count - krystallium * FOR_KRYSTALLIUM
    board.pool[KRYSTALLIUM] += krystallium


def _cubes_placed(state: State, event: CubesPlaced) -> None:
    board, cube = state.boards[event.seat], INDEX[event.resource]
    board.pool[cube] -= event.count
    put(board.constructions[event.card], cube, cube, event.count)


def _cubes_stored(state: State, event: CubesStored) -> None:
    board = state.boards[event.seat]
    board.pool[INDEX[event.resource]] -= event.count
    _lay_loose(board, event.count, event.krystallium)


def _krystallium_placed(state: State, event: KrystalliumPlaced) -> None:
    board = state.boards[event.seat]
    board.pool[KRYSTALLIUM] -= event.count
    put(board.constructions[event.card], KRYSTALLIUM, INDEX[event.space], event.count)


def _characters_placed(state: State, event: CharactersPlaced) -> None:
    board, character = state.boards[event.seat], INDEX[event.character]
    board.pool[character] -= event.count
    put(board.constructions[event.card], character, character, event.count)


def _discarded(state: State, event: ConstructionDiscarded) -> None:
    board = state.boards[event.seat]
    del board.constructions[event.card]
    lay(state.discard, event.kind)
    _lay_loose(board, 1, event.krystallium)


def _constructed(state: State, event: CardConstructed) -> None:
    construct(state.boards[event.seat], CARDS[event.kind], event.card, event.bonus)


def _validated(state: State, event: StepValidated) -> None:
    state.boards[event.seat].validated = True


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    CardSlated: _slated,
    CardRecycled: _recycled,
    CubesPlaced: _cubes_placed,
    CubesStored: _cubes_stored,
    KrystalliumPlaced: _krystallium_placed,
    CharactersPlaced: _characters_placed,
    ConstructionDiscarded: _discarded,
    CardConstructed: _constructed,
    StepValidated: _validated,
}
