"""Production: step by step, count, award supremacy, place cubes, complete cards (rules 6)."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.wonderful.board import Board
from domain.wonderful.commands import PlaceCubes, StoreCubes, Validate
from domain.wonderful.construction import why_not_fill, why_not_spend
from domain.wonderful.cubes import (
    CHARACTERS,
    ENERGY,
    EXPLORATION,
    FINANCIER,
    GENERAL,
    GOLD,
    KRYSTALLIUM,
    MATERIALS,
    NAMES,
    SCIENCE,
    stored,
)
from domain.wonderful.events import CubesPlaced, CubesStored, StepValidated
from domain.wonderful.production import supremacy, yields
from domain.wonderful_world import ending, setup, solo
from domain.wonderful_world.building import CACHED, completing, free_moves, refused_if, resource
from domain.wonderful_world.commands import ChooseCharacter
from domain.wonderful_world.events import CharacterChosen, CubesProduced, SupremacyAwarded, TokensProduced
from domain.wonderful_world.options import AUTO_VALIDATE
from domain.wonderful_world.state import PRODUCTION, ROUNDS, STEPS, TOKENS, State

# Who comes to the seat that produces most of a resource; None: it chooses (rules 6.5).
CHARACTER_OF: Final[dict[int, str | None]] = {
    MATERIALS: "financier",
    ENERGY: "general",
    SCIENCE: None,
    GOLD: "financier",
    EXPLORATION: "general",
}
ALONE: Final = 5  # what the game alone asks for instead of a comparison (rules 11.4)

place_cubes = lru_cache(CACHED)(PlaceCubes)
store_cubes = lru_cache(CACHED)(StoreCubes)
CHOICES: Final = tuple(ChooseCharacter(NAMES[character]) for character in CHARACTERS)
VALIDATE: Final = Validate()


def cubes_left(state: State, seat: Seat) -> int:
    """Cubes of this step's resource this seat has still to place."""
    return state.boards[seat].pool[state.step] if state.step < TOKENS else 0


def why_not_validate(state: State, seat: Seat) -> Reason | None:
    """Why the step is not over for this seat, or None (rules 6.10)."""
    if state.boards[seat].validated:
        return Reason("already-validated", "you have validated this step", "WW 6.9")
    if state.choices[seat]:
        return Reason("choose-character", "choose a character first", "WW 6.6")
    if cubes_left(state, seat):
        return Reason("cubes-left", "every cube is placed or stored first", "WW 6.7")
    return None


def legal_moves(state: State, seat: Seat) -> list[Command]:
    """Place, store, choose a character, validate; and the free actions."""
    board = state.boards[seat]
    moves: list[Command] = []
    left = cubes_left(state, seat)
    if left:
        step, name = state.step, NAMES[state.step]
        for card, construction in board.constructions.items():
            if construction.empty[step]:
                moves.append(place_cubes(card, name, min(left, construction.empty[step])))
        moves.append(store_cubes(name, left))
    if state.choices[seat]:
        moves += CHOICES
    elif not left and not board.validated:
        moves.append(VALIDATE)
    return moves + free_moves(board)


def decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """Place, store, choose, validate. Raises IllegalMove."""
    match command:
        case Validate():
            refused_if(why_not_validate(state, seat))
            return [StepValidated(seat)]
        case ChooseCharacter(character):
            if not state.choices[seat]:
                raise refuse("nothing-to-choose", "you have no character to choose", "WW 6.6")
            if resource(character, "WW 6.5") not in CHARACTERS:
                raise refuse("not-a-character", "the characters are financier and general", "WW 6.5")
            return [CharacterChosen(seat, character)]
        case PlaceCubes(card, name, count):
            return _place(state.boards[seat], seat, card, name, count)
        case StoreCubes(name, count):
            return _store(state.boards[seat], seat, name, count, forced=False)
    raise refuse("not-now", "this cannot be done during production", "WW 6")


def _place(board: Board, seat: Seat, card: str, name: str, count: int) -> list[Event]:
    cube = resource(name, "WW 6.7")
    if cube >= KRYSTALLIUM:
        raise refuse("not-a-cube", "only cubes of the five colours are produced", "WW 6.7")
    refused_if(why_not_fill(board, card, cube, cube, count, "WW 6.7"))
    refused_if(why_not_spend(board, cube, count, "WW 6.7"))
    placing = CubesPlaced(seat, card, name, count)
    return completing(seat, card, board.constructions[card], placing, count)


def _store(board: Board, seat: Seat, name: str, count: int, forced: bool) -> list[Event]:
    cube = resource(name, "WW 6.7")
    if cube >= KRYSTALLIUM:
        raise refuse("not-a-cube", "only cubes of the five colours are stored", "WW 6.7")
    refused_if(why_not_spend(board, cube, count, "WW 6.7"))
    return [CubesStored(seat, name, count, stored(board.loose, count)[1], forced)]


def default_move(state: State, seat: Seat) -> Command:
    """Choose a financier, store the cubes, validate."""
    if state.choices[seat]:
        return CHOICES[0]
    left = cubes_left(state, seat)
    return StoreCubes(NAMES[state.step], left) if left else VALIDATE


def advance(state: State, chance: Chance) -> list[Event]:
    """Store what fits nowhere; when everybody has validated, the next step, round, or the end."""
    step = state.step
    if step < TOKENS:
        forced: list[Event] = []
        for seat, board in enumerate(state.boards):
            if board.pool[step] and not any(card.empty[step] for card in board.constructions.values()):
                forced += _store(board, seat, NAMES[step], board.pool[step], forced=True)
        if forced:
            return forced
    if state.options[AUTO_VALIDATE]:
        idle = [
            StepValidated(seat, True)
            for seat, board in enumerate(state.boards)
            if not (board.validated or board.constructions or state.choices[seat])
        ]
        if idle:
            return list(idle)
    if not all(board.validated for board in state.boards):
        return []
    return begin_step(state, step + 1)


def begin_step(state: State, step: int) -> list[Event]:
    """Count production as it is now, for all seats, and award supremacy before anything is placed (rules
    6.1-6.4); after the last step the next round begins or the game ends."""
    if step < TOKENS:
        counts = [yields(board, step) for board in state.boards]
        character = CHARACTER_OF[step]
        return [
            CubesProduced(STEPS[step], counts),
            *(SupremacyAwarded(seat, STEPS[step], character) for seat in winners(counts)),
        ]
    if step == TOKENS:
        kept = [
            [yields(board, thing) for board in state.boards] for thing in (KRYSTALLIUM, FINANCIER, GENERAL)
        ]
        producing = [seat for seat in range(state.seats) if any(counts[seat] for counts in kept)]
        if producing:
            return [TokensProduced(producing, *kept)]
    if state.round == ROUNDS:
        return [ending.count_points(state)]
    if state.seats == 1:
        return [solo.take_pile(state, state.round + 1)]
    return [setup.begin_round(state, state.round + 1)]


def winners(counts: list[int]) -> list[Seat]:
    """Who gets a character: whoever produces most, the two first of six and more players, alone from five
    cubes on (rules 6.4, 11.4, 12.4)."""
    if len(counts) == 1:
        return [0] if counts[0] >= ALONE else []
    return supremacy(counts, 2 if len(counts) > 5 else 1)


def _produced(state: State, event: CubesProduced) -> None:
    step = STEPS.index(event.resource)
    state.phase, state.step, state.opened = PRODUCTION, step, state.version
    state.counts = list(event.counts)
    for board, count in zip(state.boards, event.counts, strict=True):
        board.pool[step] += count
        board.validated = False


def _tokens_produced(state: State, event: TokensProduced) -> None:
    state.step, state.opened = TOKENS, state.version
    state.counts = [
        sum(counts) for counts in zip(event.krystallium, event.financiers, event.generals, strict=True)
    ]
    for seat, board in enumerate(state.boards):
        board.pool[KRYSTALLIUM] += event.krystallium[seat]
        board.pool[FINANCIER] += event.financiers[seat]
        board.pool[GENERAL] += event.generals[seat]
        board.validated = seat not in event.seats


def _awarded(state: State, event: SupremacyAwarded) -> None:
    if event.character is None:
        state.choices[event.seat] += 1
    else:
        state.boards[event.seat].pool[NAMES.index(event.character)] += 1


def _chosen(state: State, event: CharacterChosen) -> None:
    state.choices[event.seat] -= 1
    state.boards[event.seat].pool[NAMES.index(event.character)] += 1


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    CubesProduced: _produced,
    TokensProduced: _tokens_produced,
    SupremacyAwarded: _awarded,
    CharacterChosen: _chosen,
}
