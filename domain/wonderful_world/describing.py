"""Legal moves and refusals in words and numbers, for people and for clients without any rule code."""

from typing import Any

from domain.kernel.game import Command, Description, Refusal
from domain.kernel.seats import Seat
from domain.wonderful import commands as shared
from domain.wonderful.board import Board
from domain.wonderful.cubes import INDEX, NAMES, named, stored
from domain.wonderful_world import commands, planning, production
from domain.wonderful_world.decks import CARDS
from domain.wonderful_world.state import PLANNING, PRODUCTION, TOKENS, State


def describe(state: State, seat: Seat, command: Command) -> Description:
    """A legal move: label, cost (what is placed or given up), effects (cubes and tokens gained, the card it
    completes), and the range of its count."""
    board = state.boards[seat]
    match command:
        case commands.DraftCard(card):
            return Description(f"Pick {CARDS[card].name}", {}, _printed(card))
        case commands.WithdrawPick():
            return Description("Take back your pick")
        case shared.SlateCard(card):
            return Description(f"Slate {CARDS[card].name}", {}, {"spaces": named(CARDS[card].cost)})
        case shared.RecycleCard(card, target):
            cube = NAMES[CARDS[card].recycling]
            if target is None:
                effects = _stored(board, 1)
                return Description(f"Recycle {CARDS[card].name}: {cube} on the Empire card", {}, effects)
            return Description(
                f"Recycle {CARDS[card].name}: {cube} on {name_of(board, target)}",
                {},
                _completing(board, target, 1),
            )
        case shared.PlaceCubes(card, resource, count):
            return _placing(board, card, resource, resource, count)
        case shared.PlaceKrystallium(card, space, count):
            return _placing(board, card, "krystallium", space, count)
        case commands.PlaceCharacters(card, character, count):
            return _placing(board, card, character, character, count)
        case shared.StoreCubes(resource, count):
            most = board.pool[INDEX[resource]]
            return Description(
                f"Store {count} {resource} on the Empire card",
                {resource: count},
                _stored(board, count),
                {"count": (1, most)},
            )
        case shared.DiscardConstruction(card):
            construction = board.constructions[card]
            cube = NAMES[CARDS[construction.kind].recycling]
            return Description(
                f"Give up {name_of(board, card)}: {cube} on the Empire card",
                named(construction.placed),
                _stored(board, 1),
            )
        case commands.ChooseCharacter(character):
            return Description(f"Take a {character}", {}, {character: 1})
        case commands.SwapCards(cards):
            names = " and ".join(CARDS[card].name for card in cards)
            return Description(f"Give up {names} to keep one of five cards drawn", {"cards": list(cards)})
        case commands.KeepCard(card):
            return Description(f"Keep {CARDS[card].name}", {}, _printed(card))
        case shared.Validate():
            return Description("Validate")
    raise TypeError(f"not a command of It's a Wonderful World: {type(command).__name__}")


def name_of(board: Board, card: str) -> str:
    """A card under construction as people call it; numbered where it is not the only one of its kind."""
    kind = board.constructions[card].kind
    several = sum(other.kind == kind for other in board.constructions.values()) > 1
    return CARDS[kind].name + (f" ({card.removeprefix(kind + '-')})" if several else "")


def _printed(card: str) -> dict[str, Any]:
    row = CARDS[card]
    effects: dict[str, Any] = {"spaces": named(row.cost), "recycling": NAMES[row.recycling]}
    if any(row.production):
        effects["production"] = named(row.production)
    if row.points:
        effects["points"] = row.points
    return effects


def _stored(board: Board, count: int) -> dict[str, Any]:
    formed = stored(board.loose, count)[1]
    return {"krystallium": formed} if formed else {}


def _completing(board: Board, card: str, count: int) -> dict[str, Any]:
    construction = board.constructions[card]
    if count < construction.left:
        return {}
    return {"completes": construction.kind, **CARDS[construction.kind].bonus}


def _placing(board: Board, card: str, thing: str, space: str, count: int) -> Description:
    on = "" if thing == space else f" for {space}"
    most = min(board.pool[INDEX[thing]], board.constructions[card].empty[INDEX[space]])
    return Description(
        f"Place {count} {thing}{on} on {name_of(board, card)}",
        {thing: count},
        _completing(board, card, count),
        {"count": (1, most)},
    )


def refused(state: State, seat: Seat) -> list[Refusal]:
    """Why this seat may not validate yet, and which cubes it has still to place."""
    if state.phase == PLANNING:
        reason = planning.why_not_validate(state, seat)
        return [] if reason is None else [Refusal("Validate", reason)]
    if state.phase == PRODUCTION:
        reason = production.why_not_validate(state, seat)
        left = named(state.boards[seat].pool[:TOKENS])
        return [] if reason is None else [Refusal("Validate", reason, left)]
    return []
