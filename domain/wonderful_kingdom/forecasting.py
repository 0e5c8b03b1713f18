"""What a bot reckons with: cubes still to come round by round, and what a card will bring when it is done.

All of it is read from the view of one seat and the printed cards. A plan orders developments by what they
bring for the cubes they take, then gives each the earliest cubes that are left, so that a later one sees what
the earlier ones use and what they will produce themselves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.wonderful_kingdom.bags import COLOURS, KRYSTALLIUM, NAMES, SOLDIERS, STEPS
from domain.wonderful_kingdom.cards import (
    ADVISOR,
    CALAMITY,
    DEVELOPMENT,
    MENACE,
    TYPES,
    CardSet,
    Development,
    Per,
    Quest,
    recycling,
)
from domain.wonderful_kingdom.rulings import ROUNDS

# What a cube, a krystallium, a soldier is worth in points; frozen by a test of recorded moves.
PRICE: Final = (0.5, 0.6, 0.75, 0.9, 1.6, 1.5)
LIKELY: Final = 0.3  # further cards of a type that a card scores for, in each round left
STORED: Final = 0.2  # a cube on the duchy
SPARING: Final = 0.4  # keeps nearly finished cards from being ranked without bound
HOPED: Final = 0.6  # what a card not yet planned is worth of what it would bring
ADVICE: Final = 3.0  # an advisor with the soldier it brings
BAD: Final = 0.5  # what a menace does beside its points


@dataclass(slots=True)
class Prospect:
    """A development a seat may complete: `missing` by kind of slot; `name` under construction, or None."""

    kind: str
    missing: Sequence[int]
    name: str | None = None


@dataclass(slots=True)
class Planned:
    """A prospect in the plan: when it is done (round, step), what it brings, the krystallium it takes."""

    prospect: Prospect
    round: int
    step: int
    worth: float
    krystallium: int


@dataclass(slots=True)
class Forecast:
    """What a seat has and will have. `cubes[round][colour]` are still to be given out."""

    round: int
    step: int  # the last step whose cubes are out; -1 before production
    cubes: list[list[int]]
    krystallium: int
    soldiers: int
    types: list[int]
    effects: list[Per]

    def copy(self) -> "Forecast":
        """Another forecast that may be changed."""
        cubes = [list(row) for row in self.cubes]
        return Forecast(
            self.round,
            self.step,
            cubes,
            self.krystallium,
            self.soldiers,
            list(self.types),
            list(self.effects),
        )


def major_quest(cards: CardSet, view: dict[str, Any], seat: int) -> Quest | None:
    """The major quest, while this seat has still to pay it."""
    board = cards.boards.get(view.get("quest_board", ""))
    for quest in board.quests if board else ():
        if quest.major and quest.id not in view["boards"][seat]["quests"]:
            return quest
    return None


def lacking(quest: Quest, board: dict[str, Any]) -> list[int]:
    """What a quest takes and does not lie ready, by kind."""
    held = {**board["cubes"], "krystallium": board["krystallium"], "soldiers": board["soldiers"]}
    return [max(0, need - held.get(name, 0)) for need, name in zip(quest.cost, NAMES, strict=True)]


def forecast(cards: CardSet, view: dict[str, Any], seat: int) -> Forecast:
    """The forecast of a seat. What the major quest takes is set aside, its cubes from the last rounds."""
    board = view["boards"][seat]
    number = max(1, view["round"])
    step = -1 if view["step"] is None else STEPS.index(view["step"])
    if view["phase"] == "before_count":
        step -= 1
    per_round = [board["production"][name] for name in STEPS]
    cubes = [[0] * len(STEPS) for _ in range(ROUNDS + 1)]
    for later in range(number, ROUNDS + 1):
        cubes[later] = list(per_round)
    for colour in range(len(STEPS) if view["phase"] == "fight" else step + 1):
        cubes[number][colour] = board["to_place"].get(NAMES[colour], 0)
    kinds = [cards.developments[each["kind"]] for each in board["constructed"]]
    types = [sum(row.type == type_ for row in kinds) for type_ in range(len(TYPES))]
    future = Forecast(
        number,
        step,
        cubes,
        board["krystallium"],
        board["soldiers"],
        types,
        [row.per for row in kinds if row.per is not None],
    )
    quest = major_quest(cards, view, seat)
    if quest is not None:
        future.krystallium -= quest.cost[KRYSTALLIUM]
        future.soldiers -= quest.cost[SOLDIERS]
        short = lacking(quest, board)
        for colour in COLOURS:
            for later in range(ROUNDS, number - 1, -1):
                used = min(short[colour], cubes[later][colour])
                cubes[later][colour] -= used
                short[colour] -= used
            future.krystallium -= short[colour]
    return future


def brings(future: Forecast, card: Development) -> float:
    """The points a card adds at the counts of now, with what is likely to come for its effects."""
    worth: float = card.points
    worth += sum(each.points for each in future.effects if each.type == card.type)
    if card.per is not None:
        held = future.types[card.per.type] + (card.per.type == card.type)
        worth += card.per.points * (held + LIKELY * (ROUNDS - future.round + 1))
    return worth + sum(count * PRICE[index] for index, count in enumerate(card.bonus))


def produces(future: Forecast, card: Development, number: int, step: int) -> float:
    """What a card produces from the moment it is done until the end, at the prices of cubes."""
    worth = 0.0
    for colour in COLOURS:
        if card.production[colour]:
            worth += card.production[colour] * PRICE[colour] * (ROUNDS - number + (colour > step))
    for rate in card.rates:
        made = rate.amount * (future.types[rate.type] + (rate.type == card.type) + 1)
        worth += made * PRICE[rate.resource] * (ROUNDS - number + (rate.resource > step))
    return worth


def fit(cards: CardSet, future: Forecast, prospect: Prospect) -> Planned | None:
    """The earliest way to complete a card with the cubes left, or None; krystallium fills what lacks."""
    missing = prospect.missing
    spare = future.krystallium - missing[KRYSTALLIUM]
    if missing[SOLDIERS] > max(0, future.soldiers) or (missing[KRYSTALLIUM] and spare < 0):
        return None
    left = [[colour, missing[colour]] for colour in COLOURS if missing[colour]]
    short = sum(need[1] for need in left)
    for number in range(future.round, ROUNDS + 1):
        done = -1
        row = future.cubes[number]
        for need in left:
            used = min(need[1], row[need[0]])
            if used:
                need[1] -= used
                short -= used
                done = need[0]
        if short <= max(0, spare):
            card = cards.developments[prospect.kind]
            step = max(done, future.step) if number == future.round else done
            worth = brings(future, card) + produces(future, card, number, step)
            worth -= short * PRICE[KRYSTALLIUM]
            return Planned(prospect, number, step, worth, short + missing[KRYSTALLIUM])
    return None


def take(cards: CardSet, future: Forecast, planned: Planned) -> None:
    """Reserve what a planned card needs, and count on what it will bring."""
    card, missing = cards.developments[planned.prospect.kind], planned.prospect.missing
    for colour in COLOURS:
        left, number = missing[colour], future.round
        while left and number <= planned.round:
            used = min(left, future.cubes[number][colour])
            future.cubes[number][colour] -= used
            left -= used
            number += 1
    future.krystallium += card.bonus[KRYSTALLIUM] - planned.krystallium
    future.soldiers += card.bonus[SOLDIERS] - missing[SOLDIERS]
    future.types[card.type] += 1
    if card.per is not None:
        future.effects.append(card.per)
    made = list(card.production)
    for rate in card.rates:
        made[rate.resource] += rate.amount * future.types[rate.type]
    for colour in COLOURS:
        if made[colour]:
            for number in range(planned.round + (colour <= planned.step), ROUNDS + 1):
                future.cubes[number][colour] += made[colour]


def price(counts: Sequence[int]) -> float:
    """So many of each kind at the prices of cubes."""
    return sum(count * each for count, each in zip(counts, PRICE, strict=True))


def ranked(cards: CardSet, future: Forecast, prospects: Iterable[Prospect]) -> list[tuple[float, Prospect]]:
    """The cards that could be completed, each with what it brings for what it costs; best first."""
    found = []
    for prospect in prospects:
        planned = fit(cards, future, prospect)
        if planned is not None:
            found.append((planned.worth / (price(prospect.missing) + SPARING), prospect))
    return sorted(found, key=lambda each: -each[0])


def plan(cards: CardSet, future: Forecast, order: Iterable[tuple[float, Prospect]]) -> list[Planned]:
    """The cards worth completing, in the order in which they get their cubes. Changes `future`."""
    chosen: list[Planned] = []
    for _, prospect in order:
        planned = fit(cards, future, prospect)
        if planned is not None and planned.worth > price(recycling(cards, prospect.kind)) + STORED:
            take(cards, future, planned)
            chosen.append(planned)
    return chosen


def prospects(cards: CardSet, board: dict[str, Any]) -> list[Prospect]:
    """What a board has under construction, free of stolen tokens, and face up in its collection area."""
    found = [
        Prospect(each["kind"], [each["missing"].get(name, 0) for name in NAMES], each["card"])
        for each in board["under_construction"]
        if each["stolen_by"] is None
    ]
    for laid in board["collection_area"]:
        if cards.kinds.get(laid["card"]) == DEVELOPMENT:
            found.append(Prospect(laid["card"], cards.developments[laid["card"]].cost))
    return found


def worth(cards: CardSet, future: Forecast, card: str) -> float:
    """What a card is worth to the seat of a forecast before it is planned."""
    kind = cards.kinds[card]
    if kind == CALAMITY:
        return cards.calamities[card].points
    if kind == MENACE:
        return cards.menaces[card].points - BAD
    if kind == ADVISOR:
        return ADVICE
    floor = price(recycling(cards, card))
    if kind != DEVELOPMENT:
        return floor
    planned = fit(cards, future, Prospect(card, cards.developments[card].cost))
    return floor if planned is None else max(floor, HOPED * planned.worth)
