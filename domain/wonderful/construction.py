"""The construction area: slate a card, put something on it, complete it, give it up (rules 5, 7, 8)."""

from collections.abc import Mapping

from domain.kernel.errors import Reason
from domain.wonderful.board import Board, Construction
from domain.wonderful.cards import Card
from domain.wonderful.cubes import COLOURS, INDEX, KRYSTALLIUM, NAMES


def why_not_fill(board: Board, card: str, thing: int, space: int, count: int, rule: str) -> Reason | None:
    """Why `count` of a thing cannot lie on the free spaces of one kind of a card under construction, or
    None."""
    construction = board.constructions.get(card)
    if construction is None:
        return Reason("not-under-construction", "no such card is under construction here", rule)
    if thing != space and not (thing == KRYSTALLIUM and space in COLOURS):
        return Reason("wrong-space", f"{NAMES[thing]} does not go on a space for {NAMES[space]}", rule)
    if not construction.empty[space]:
        return Reason("no-space", f"no space for {NAMES[space]} is free on this card", rule)
    if count > construction.empty[space]:
        return Reason("too-many", f"only {construction.empty[space]} such spaces are free", rule)
    return None


def why_not_spend(board: Board, thing: int, count: int, rule: str) -> Reason | None:
    """Why `count` of a thing cannot be taken from what this player has to place, or None."""
    if count < 1:
        return Reason("count", "place at least one", rule)
    if count > board.pool[thing]:
        return Reason("not-enough", f"you have {board.pool[thing]} {NAMES[thing]} to place", rule)
    return None


def next_name(board: Board, kind: str) -> str:
    """The name the next slated card of a kind gets: `zeppelin-1`, `zeppelin-2`; never used twice."""
    return f"{kind}-{board.slated.get(kind, 0) + 1}"


def slate(board: Board, card: Card, name: str) -> None:
    """A card lies in the construction area, all its spaces free."""
    board.slated[card.id] = board.slated.get(card.id, 0) + 1
    board.constructions[name] = Construction(card.id, list(card.cost), card.spaces)


def put(construction: Construction, thing: int, space: int, count: int) -> None:
    """Things lie on a card."""
    construction.empty[space] -= count
    construction.left -= count
    construction.placed[thing] += count


def construct(board: Board, card: Card, name: str, bonus: Mapping[str, int]) -> None:
    """A card joins the Empire; its bonus is kept on the Empire card (rules 7.4, 7.5)."""
    board.constructions.pop(name, None)
    board.constructed.append(card.id)
    for thing, count in bonus.items():
        board.pool[INDEX[thing]] += count
    board.types[card.type] += 1
    board.rates.extend(card.rates)
    for index, count in enumerate(card.production):
        board.flat[index] += count
