"""What a cost costs: every legal way to pay for it with own production and purchases from the two neighbours.

Theory. A source gives at most one unit of what it can give (a two-unit card is two sources), so a part of a
cost is coverable when its units can be matched to different sources. All parts of a cost of n kinds form a
box: vectors below the cost, numbered in mixed radix. The coverable parts are one bit each of an integer, and
one more source widens the set by one shift: `reach |= (reach & room) << stride`, where `room` are the parts
that still lack that resource. Then

* what must be bought is the complement of the largest parts own production covers (missing units only);
* a split of what must be bought is a part for the left neighbour, its complement being the right neighbour's
  part. Number `i` has complement `size - 1 - i`, so the possible splits are the left set AND the right set
  read backwards;
* each discount gives a split a price, so splits are grouped by price once, and asking for the cheapest is a
  few ANDs.

Each set depends on one city only, so few are ever asked for and nearly all are remembered (bounded, at most
some 30 MB). All answers are exact.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from domain.seven_wonders.effects import (
    FIELD_BITS,
    FIELD_MASK,
    FIELDS,
    MADE_LEFT,
    MADE_RIGHT,
    RAW,
    RAW_LEFT,
    RAW_RIGHT,
    RESOURCES,
    Sources,
    unpacked,
)

Payment = tuple[int, int]  # coins to the left neighbour, coins to the right neighbour
Payments = tuple[Payment, ...]

FREE: Final[Payments] = ((0, 0),)


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """All parts of one need, numbered 0 (nothing) to size - 1 (all of it).

    `mask` keeps the fields of sources that can give something of the need; `steps` holds, for each such
    field, its shift and the (room, stride) of every resource it can give; `sums` holds the parts of 0, 1,
    2... units.
    """

    size: int
    mask: int
    parts: tuple[Sources, ...]
    steps: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    sums: tuple[int, ...]


def payments(cost: Sources, own: Sources, left: Sources, right: Sources, discounts: int) -> Payments:
    """Every legal pair (coins to the left, coins to the right), sorted, whatever the treasury holds; () if
    some unit cannot be had at all. Own production covers as many units as it can, and only the missing ones
    are bought (rules 5.1-5.11)."""
    wants = lacking(cost, own & box(cost).mask)
    if len(wants) == 1:
        need, mask = wants[0]
        return _purchases(need, left & mask, right & mask, discounts) if need else FREE
    found = {pair for need, mask in wants for pair in _purchases(need, left & mask, right & mask, discounts)}
    return tuple(sorted(found))


def cheapest(cost: Sources, own: Sources, left: Sources, right: Sources, discounts: int) -> int | None:
    """The fewest coins to both neighbours together of a legal payment, or None if there is none."""
    least: int | None = None
    for need, mask in lacking(cost, own & box(cost).mask):
        total = _least(need, left & mask, right & mask, discounts)
        if total is not None and (least is None or total < least):
            least = total
    return least


def undominated(pairs: Iterable[Payment]) -> Payments:
    """The pairs that no other pair beats on one side without being dearer on the other; sorted."""
    front: list[Payment] = []
    for pair in sorted(set(pairs)):
        if not front or pair[1] < front[-1][1]:
            front.append(pair)
    return tuple(front)


def affordable(pairs: Iterable[Payment], budget: int) -> Payments:
    """The pairs that cost `budget` coins or fewer in all, in the order given. The budget is the treasury at
    the start of the turn less the card's own coins; it may be negative."""
    return tuple(pair for pair in pairs if pair[0] + pair[1] <= budget)


def missing(cost: Sources, own: Sources, left: Sources, right: Sources) -> dict[str, int]:
    """The units that nobody can supply, by resource; {} if all can be had. Where one source could cover
    either of two missing units, it is said to cover the one that comes first in `RESOURCES`."""
    inside = box(cost)
    reach = _widened(inside, _widened(inside, _widened(inside, 1, own), left), right)
    best = next(top for top in (reach & level for level in reversed(inside.sums)) if top)
    covered = (best & -best).bit_length() - 1
    return unpacked(cost - inside.parts[covered])


@lru_cache(maxsize=1 << 15)
def lacking(cost: Sources, own: Sources) -> tuple[tuple[Sources, int], ...]:
    """What must be bought: the needs left by the largest parts that own production covers, each with the mask
    of the sources that can help. One entry, (0, 0), if nothing is missing; several if an either/or source
    leaves a choice."""
    inside = box(cost)
    reach = _widened(inside, 1, own)
    best = next(top for top in (reach & level for level in reversed(inside.sums)) if top)
    needs = [cost - part for index, part in enumerate(inside.parts) if best >> index & 1]
    return tuple((need, box(need).mask) for need in needs)


@lru_cache(maxsize=1 << 10)
def box(need: Sources) -> Box:
    """The box of a need."""
    counts = [(index, need >> FIELD_BITS * index & FIELD_MASK) for index in range(len(RESOURCES))]
    parts: list[Sources] = [0]
    strides: dict[int, int] = {}
    for resource, count in counts:
        if count:
            strides[resource] = len(parts)
            parts = [part + (n << FIELD_BITS * resource) for n in range(count + 1) for part in parts]
    room = {
        resource: sum(
            1 << index
            for index, part in enumerate(parts)
            if (part >> FIELD_BITS * resource & FIELD_MASK) < (need >> FIELD_BITS * resource & FIELD_MASK)
        )
        for resource in strides
    }
    steps = []
    for field, gives in enumerate(FIELDS):
        moves = tuple((room[resource], strides[resource]) for resource in gives if resource in strides)
        if moves:
            steps.append((FIELD_BITS * field, moves))
    sums = [0] * (sum(count for _, count in counts) + 1)
    for index, part in enumerate(parts):
        sums[sum(unpacked(part).values())] |= 1 << index
    mask = sum(FIELD_MASK << shift for shift, _ in steps)
    return Box(len(parts), mask, tuple(parts), tuple(steps), tuple(sums))


def _widened(inside: Box, reach: int, sources: Sources) -> int:
    """The parts coverable by what covered `reach` together with `sources`."""
    for shift, moves in inside.steps:
        for _ in range(sources >> shift & FIELD_MASK):
            before = reach
            for room, stride in moves:
                reach |= (before & room) << stride
            if reach == before:
                break
    return reach


@lru_cache(maxsize=1 << 15)
def _from_left(need: Sources, sells: Sources) -> int:
    """The splits of a need whose left part these sources can supply."""
    return _widened(box(need), 1, sells)


@lru_cache(maxsize=1 << 15)
def _from_right(need: Sources, sells: Sources) -> int:
    """The splits of a need whose right part these sources can supply."""
    return int(f"{_from_left(need, sells):0{box(need).size}b}"[::-1], 2)


@lru_cache(maxsize=1 << 12)
def _priced(need: Sources, discounts: int) -> tuple[tuple[Payment, int], ...]:
    """The splits of a need grouped by what they pay the two neighbours, sorted."""
    inside = box(need)
    groups: dict[Payment, int] = {}
    for index, part in enumerate(inside.parts):
        to_left = _price(part, discounts & RAW_LEFT, discounts & MADE_LEFT)
        to_right = _price(need - part, discounts & RAW_RIGHT, discounts & MADE_RIGHT)
        groups[to_left, to_right] = groups.get((to_left, to_right), 0) | 1 << index
    return tuple(sorted(groups.items()))


@lru_cache(maxsize=1 << 12)
def _totals(need: Sources, discounts: int) -> tuple[tuple[int, int], ...]:
    """The splits of a need grouped by what they cost in all, the cheapest first."""
    groups: dict[int, int] = {}
    for (to_left, to_right), splits in _priced(need, discounts):
        groups[to_left + to_right] = groups.get(to_left + to_right, 0) | splits
    return tuple(sorted(groups.items()))


def _price(part: Sources, raw_discount: int, made_discount: int) -> int:
    """Two coins a unit, one with a discount for its class."""
    coins = 0
    for name, count in unpacked(part).items():
        discounted = raw_discount if RESOURCES.index(name) in RAW else made_discount
        coins += count if discounted else 2 * count
    return coins


def _purchases(need: Sources, left: Sources, right: Sources, discounts: int) -> Payments:
    """Every pair of sums that buys exactly this need."""
    if not need:
        return FREE
    return _prices(need, _from_left(need, left) & _from_right(need, right), discounts)


@lru_cache(maxsize=1 << 14)
def _prices(need: Sources, splits: int, discounts: int) -> Payments:
    """What these splits of a need pay the two neighbours; few sets of splits are ever asked for."""
    return tuple([pair for pair, priced in _priced(need, discounts) if splits & priced])


def _least(need: Sources, left: Sources, right: Sources, discounts: int) -> int | None:
    """The least total that buys exactly this need."""
    if not need:
        return 0
    splits = _from_left(need, left) & _from_right(need, right)
    for total, priced in _totals(need, discounts):
        if splits & priced:
            return total
    return None
