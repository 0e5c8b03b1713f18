"""Costs paid in full at once: from soldiers, krystallium and the cubes on the duchy (effects 1).

A krystallium may stand for any resource cube of a cost, never for a soldier; a menace can forbid that.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from domain.kernel.errors import Reason, refuse
from domain.wonderful_kingdom.bags import COLOURS, INDEX, KRYSTALLIUM, NAMES, SOLDIERS, Bag, named
from domain.wonderful_kingdom.cards import CardSet
from domain.wonderful_kingdom.counting import suffers
from domain.wonderful_kingdom.state import Board

NO_SUBSTITUTE: Final = "krystallium_no_substitute"


def refused_if(reason: Reason | None) -> None:
    """Raise IllegalMove if there is a reason."""
    if reason is not None:
        raise refuse(reason.code, reason.detail, reason.rule)


def why_not_list(words: object, known: Sequence[str], rule: str) -> Reason | None:
    """Why a list of a command is not one of known names in alphabetical order, or None."""
    if not isinstance(words, list) or any(word not in known for word in words):
        return Reason("unknown-name", "a name in this list is not known here", rule)
    if words != sorted(words):
        return Reason("not-sorted", "this list is in alphabetical order", rule)
    return None


def spent(cost: Bag, substitutes: Sequence[str]) -> list[int]:
    """What a cost takes when krystallium stands for these cubes."""
    counts = list(cost)
    for name in substitutes:
        counts[INDEX[name]] -= 1
        counts[KRYSTALLIUM] += 1
    return counts


def why_not_pay(cards: CardSet, board: Board, cost: Bag, substitutes: list[str], rule: str) -> Reason | None:
    """Why this cost cannot be paid so, or None."""
    wrong = why_not_list(substitutes, NAMES[: len(COLOURS)], rule)
    if wrong is not None:
        return wrong
    if substitutes and suffers(cards, board, NO_SUBSTITUTE):
        return Reason("no-substitute", "your krystallium cannot stand in for cubes now", rule)
    counts = spent(cost, substitutes)
    if min(counts) < 0:
        return Reason("too-many-substitutes", "krystallium stands for more cubes than the cost has", rule)
    if counts[SOLDIERS] > board.pool[SOLDIERS]:
        return Reason("not-enough-soldiers", f"this takes {counts[SOLDIERS]} soldiers", rule)
    if counts[KRYSTALLIUM] > board.pool[KRYSTALLIUM]:
        return Reason("not-enough-krystallium", f"this takes {counts[KRYSTALLIUM]} krystallium", rule)
    for colour in COLOURS:
        if counts[colour] > board.loose[colour]:
            return Reason("not-enough-cubes", f"this takes {counts[colour]} {NAMES[colour]}", rule)
    return None


def payments(cards: CardSet, board: Board, cost: Bag) -> list[list[str]]:
    """Every way to pay a cost, each as the cubes krystallium stands for; the fewest first."""
    if cost[SOLDIERS] > board.pool[SOLDIERS]:
        return []
    spare = board.pool[KRYSTALLIUM] - cost[KRYSTALLIUM]
    if spare < 0:
        return []
    most = 0 if suffers(cards, board, NO_SUBSTITUTE) else spare
    ranges = []
    for colour in COLOURS:
        least = max(0, cost[colour] - board.loose[colour])
        ranges.append(range(least, min(cost[colour], most) + 1))
    ways = [counts for counts in product(*ranges) if sum(counts) <= most]
    return [
        sorted(NAMES[colour] for colour in COLOURS for _ in range(counts[colour]))
        for counts in sorted(ways, key=sum)
    ]


def paid(cost: Bag, substitutes: Sequence[str]) -> dict[str, int]:
    """What was paid, for the record."""
    return named(spent(cost, substitutes))


def take_payment(board: Board, payment: Mapping[str, int]) -> None:
    """What was paid returns to the stock."""
    for name, count in payment.items():
        index = INDEX[name]
        if index in COLOURS:
            board.loose[index] -= count
        else:
            board.pool[index] -= count
