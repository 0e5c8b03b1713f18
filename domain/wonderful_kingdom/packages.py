"""A card set from the documents of a data package, checked: closed vocabulary, counts, references.

Reading files and hashing them is the business of whoever calls; here parsed JSON becomes values. The
documents are named like their files: `developments`, `treasures`, `calamities`, `menaces`, `advisors`,
`quest_boards`, `duchies`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from domain.wonderful_kingdom.bags import COLOURS, INDEX, KRYSTALLIUM, NAMES, SOLDIERS, Bag
from domain.wonderful_kingdom.cards import (
    BONUSES,
    OPS,
    RAT_PILE,
    REWARDS,
    TRIGGERS,
    TYPES,
    WINDOWS,
    Advisor,
    Calamity,
    CardSet,
    Development,
    Duchy,
    DuchySide,
    Effect,
    Menace,
    Origin,
    Per,
    Quest,
    QuestBoard,
    Rate,
    Treasure,
    card_set,
)
from domain.wonderful_kingdom.rulings import HAND, ROUNDS
from domain.wonderful_kingdom.state import AREAS

Shape = Mapping[str, Any]
Row = TypeVar("Row")
DOCUMENTS: Final = (
    "developments",
    "treasures",
    "calamities",
    "menaces",
    "advisors",
    "quest_boards",
    "duchies",
)
# How many cards there are of each kind, copies included (the publisher's numbers).
COUNTS: Final[Mapping[str, int]] = {
    "developments": 70,
    "treasures": 10,
    "calamities": 8,
    "menaces": 26,
    "advisors": 14,
    "quest_boards": 3,
    "duchies": 2,
}
SET_SIZES: Final[Mapping[str, int]] = {
    "giant_rats": 4,
    "frost_giants": 4,
    "shadows": 4,
    "thieves": 4,
    RAT_PILE: 10,
}
_COUNT: Final = ("amount", "count", "uses", "delta", "draw", "max_times")
_ZONES: Final = ("constructed", "under_construction")
_CHOOSERS: Final = ("owner", "opponent")


class InvalidPackage(ValueError):
    """A data package that is no card set: the message names the card and what is wrong."""


def _bag(where: str, shape: Shape, allowed: range = range(len(NAMES))) -> Bag:
    counts = [0] * len(NAMES)
    for name, count in shape.items():
        if INDEX.get(name, -1) not in allowed or type(count) is not int or count < 1:
            raise InvalidPackage(f"{where}: {name}: {count!r} is no count of a resource here")
        counts[INDEX[name]] = count
    return tuple(counts)


def _number(where: str, value: object, least: int | None = 1) -> int:
    if type(value) is not int or (least is not None and value < least):
        raise InvalidPackage(f"{where}: {value!r} is no number that may stand here")
    return value


def _one_of(where: str, value: object, known: tuple[str, ...]) -> int:
    if value not in known:
        raise InvalidPackage(f"{where}: {value!r} is none of {', '.join(known)}")
    return known.index(str(value))


def effect(where: str, shape: Shape, allowed: frozenset[str]) -> Effect:
    """An effect with exactly the parameters of its op. Raises InvalidPackage."""
    op = shape.get("op")
    if op not in OPS or op not in allowed:
        raise InvalidPackage(f"{where}: the op {op!r} has no meaning here")
    given = set(shape) - {"op", "trigger"}
    if given != set(OPS[op]):
        raise InvalidPackage(f"{where}: {op} takes {', '.join(OPS[op]) or 'no parameters'}")
    count, cubes, resources, price, gain, keep = 0, Bag(), tuple[int, ...](), 0, 0, 0
    for name in given:
        value = shape[name]
        if name in _COUNT:
            count = _number(where, value, None if name == "delta" else 1)
        elif name == "cubes" and op == "gain_cubes":
            cubes = _bag(where, value, COLOURS)
        elif name == "cubes":
            price = _number(where, value)
        elif name == "krystallium":
            gain = _number(where, value)
        elif name == "keep":
            keep = _number(where, value)
        elif name in ("resources", "resource"):
            listed = value if name == "resources" else [value]
            resources = tuple(_one_of(where, each, NAMES[: len(COLOURS)]) for each in listed)
        elif name == "face":
            _one_of(where, value, ("up",))
        elif name == "scope":
            _one_of(where, value, ("round",))
        elif name == "zone":
            _one_of(where, value, _ZONES)
        elif name == "chooser":
            _one_of(where, value, ("owner",) if op == "discard_collected" else _CHOOSERS)
    return Effect(
        str(op),
        str(shape.get("trigger", "")),
        count,
        cubes,
        resources,
        price,
        gain,
        keep,
        str(shape.get("zone", "")),
        str(shape.get("chooser", "")),
    )


def _origin(shape: Shape) -> Origin:
    return Origin(
        str(shape["provenance"]), tuple(shape.get("printed_fields", ())), str(shape.get("printed_note", ""))
    )


def _development(shape: Shape) -> Development:
    where = str(shape["id"])
    flat = [0] * len(NAMES)
    rates: list[Rate] = []
    for line in shape["production"]:
        resource = _one_of(where, line["resource"], NAMES[: len(COLOURS)])
        amount = _number(where, line["amount"])
        if line["kind"] == "flat":
            flat[resource] += amount
        else:
            _one_of(where, line["kind"], ("per_type",))
            rates.append(Rate(resource, _one_of(where, line["card_type"], TYPES), amount))
    bonus = [0] * len(NAMES)
    for each in shape["completion_bonus"]:
        got = effect(where, each, BONUSES)
        bonus[SOLDIERS if got.op == "gain_soldiers" else KRYSTALLIUM] += got.count
    points, per = 0, None
    worth = shape["victory_points"]
    if worth is not None:
        if worth["kind"] == "flat":
            points = _number(where, worth["amount"], None)
        else:
            _one_of(where, worth["kind"], ("per_type",))
            per = Per(_number(where, worth["amount"]), _one_of(where, worth["card_type"], TYPES))
    cost = _bag(where, shape["cost"])
    if not any(cost):
        raise InvalidPackage(f"{where}: a development costs something")
    return Development(
        where,
        str(shape["name"]),
        _one_of(where, shape["type"], TYPES),
        _number(where, shape["copies"]),
        cost,
        _bag(where, shape["recycling"], COLOURS),
        tuple(flat),
        tuple(rates),
        tuple(bonus),
        points,
        per,
        _origin(shape),
    )


def _treasure(shape: Shape) -> Treasure:
    where = str(shape["id"])
    cubes = _bag(where, shape["recycling"], COLOURS)
    return Treasure(where, str(shape["name"]), _number(where, shape["copies"]), cubes, _origin(shape))


def _calamity(shape: Shape) -> Calamity:
    where = str(shape["id"])
    return Calamity(where, str(shape["name"]), _number(where, shape["victory_points"], None), _origin(shape))


def _menace(shape: Shape) -> Menace:
    where = str(shape["id"])
    _one_of(where, shape["set"], tuple(SET_SIZES))
    effects = []
    for each in shape["effects"]:
        _one_of(where, each.get("trigger"), tuple(TRIGGERS))
        effects.append(effect(where, each, TRIGGERS[each["trigger"]]))
    return Menace(
        where,
        str(shape["name"]),
        str(shape["set"]),
        _bag(where, shape["defeat_cost"]),
        _number(where, shape["victory_points"], None),
        tuple(effects),
        str(shape["text"]),
        _origin(shape),
    )


def _advisor(shape: Shape) -> Advisor:
    where = str(shape["id"])
    windows = tuple(shape["window"])
    for window in windows:
        _one_of(where, window, tuple(WINDOWS))
    allowed = frozenset.intersection(*(WINDOWS[window] for window in windows))
    _one_of(where, shape["limit"], ("once_per_round",))
    return Advisor(
        where,
        str(shape["name"]),
        _bag(where, shape["activation_cost"]),
        windows,
        tuple(effect(where, each, allowed) for each in shape["effects"]),
        str(shape["text"]),
        bool(shape["two_player_only"]),
        _origin(shape),
    )


def _board(shape: Shape) -> QuestBoard:
    quests = tuple(
        Quest(
            str(step["id"]),
            str(step["name"]),
            _bag(str(step["id"]), step["cost"]),
            tuple(effect(str(step["id"]), each, REWARDS) for each in step["rewards"]),
            bool(step["major"]),
            str(step["text"]),
        )
        for step in shape["steps"]
    )
    where = str(shape["id"])
    if [quest.major for quest in quests] != [False, False, False, True]:
        raise InvalidPackage(f"{where}: four quests, the last of them the major one")
    return QuestBoard(where, str(shape["name"]), quests, _origin(shape))


def _duchy(shape: Shape) -> Duchy:
    where = str(shape["id"])
    sides = {
        side: DuchySide(
            _bag(where, each["production"], COLOURS), _bag(where, each["start"], range(KRYSTALLIUM, 6))
        )
        for side, each in shape["sides"].items()
    }
    if sorted(sides) != ["A", "B"]:
        raise InvalidPackage(f"{where}: a duchy has the sides A and B")
    return Duchy(where, str(shape["name"]), str(shape["color"]), sides, _origin(shape))


def _rows(
    documents: Shape, name: str, field: str, read: Callable[[Shape], Row], copies: Callable[[Row], int]
) -> list[Row]:
    try:
        rows = [read(shape) for shape in documents[name][field]]
    except (AttributeError, KeyError, TypeError) as fault:
        raise InvalidPackage(f"{name}: not of the expected shape ({fault!r})") from fault
    total = sum(map(copies, rows))
    if total != COUNTS[name]:
        raise InvalidPackage(f"{name}: {total} cards instead of {COUNTS[name]}")
    return rows


def _once(row: object) -> int:
    return 1


def _check_draws(cards: CardSet) -> None:
    """An effect draws once, and no match empties the deck (rules 3.10)."""
    for row in cards.advisors.values():
        if sum(each.op == "draw_keep" for each in row.effects) > 1:
            raise InvalidPackage(f"{row.id}: cards are drawn once in an effect")
    for quest in (quest for board in cards.boards.values() for quest in board.quests):
        if sum(each.op == "draw_keep" for each in quest.rewards) > 1:
            raise InvalidPackage(f"{quest.id}: cards are drawn once in an effect")
    spare = COUNTS["developments"] + COUNTS["treasures"] - ROUNDS * (2 * HAND + len(AREAS))
    advised = ROUNDS * sum(_drawn(row.effects) for row in cards.advisors.values())
    quested = max(2 * sum(_drawn(quest.rewards) for quest in board.quests) for board in cards.boards.values())
    if max(advised, quested) > spare:
        raise InvalidPackage(f"more than {spare} cards could be drawn in a match")


def _drawn(effects: Iterable[Effect]) -> int:
    return sum(each.count for each in effects if each.op == "draw_keep")


def read(name: str, digest: str, documents: Shape) -> CardSet:
    """The card set of a package. `documents` maps the names of `DOCUMENTS` to parsed JSON. Raises
    InvalidPackage."""
    menaces = _rows(documents, "menaces", "cards", _menace, _once)
    for group, size in SET_SIZES.items():
        if sum(card.set == group for card in menaces) != size:
            raise InvalidPackage(f"menaces: the set {group} has {size} cards")
    try:
        cards = card_set(
            name,
            digest,
            _rows(documents, "duchies", "cards", _duchy, _once),
            _rows(documents, "developments", "designs", _development, lambda row: row.copies),
            _rows(documents, "treasures", "cards", _treasure, lambda row: row.copies),
            _rows(documents, "calamities", "cards", _calamity, _once),
            menaces,
            _rows(documents, "advisors", "cards", _advisor, _once),
            _rows(documents, "quest_boards", "boards", _board, _once),
        )
        _check_draws(cards)
        return cards
    except InvalidPackage:
        raise
    except ValueError as fault:
        raise InvalidPackage(str(fault)) from fault
