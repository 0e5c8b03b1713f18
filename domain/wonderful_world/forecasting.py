"""What a bot reckons with: cubes still to come round by round, and what a card will bring when it is done.

All of it is read from the view of one seat. A plan orders cards by what they bring for the cubes they take,
then gives each card the earliest cubes that are left, so that a later card sees what the earlier ones use and
what they will produce themselves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.wonderful.cards import ELEMENTS, TYPES, Card, Per
from domain.wonderful.cubes import COLOURS, FINANCIER, GENERAL, KRYSTALLIUM, NAMES
from domain.wonderful_world.decks import CARDS
from domain.wonderful_world.empires import EMPIRES
from domain.wonderful_world.state import ROUNDS, TOKENS

# What a cube, a krystallium, a character is worth in points; frozen by a test of recorded moves.
PRICE: Final = (0.5, 0.6, 0.75, 0.75, 1.0, 1.6, 1.0, 1.0)
LIKELY: Final = 0.25  # further cards of a type (or characters) that a card scores for, in each round left
STORED: Final = 0.2  # a cube on the Empire card
SPARING: Final = 0.4  # keeps nearly finished cards from being ranked without bound


@dataclass(slots=True)
class Prospect:
    """A card a seat may complete: `missing` by kind of space; `name` under construction, None if drafted."""

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
    characters: list[int]
    counts: list[int]  # constructed cards by type, then characters held
    effects: list[Per]

    def copy(self) -> "Forecast":
        """Another forecast that may be changed."""
        return Forecast(
            self.round,
            self.step,
            [list(row) for row in self.cubes],
            self.krystallium,
            list(self.characters),
            list(self.counts),
            list(self.effects),
        )


def forecast(view: dict[str, Any], seat: int) -> Forecast:
    """The forecast of a seat from the view."""
    board = view["boards"][seat]
    number = max(1, view["round"])
    step = -1 if view["step"] is None else min(TOKENS, [*NAMES[:TOKENS], "tokens"].index(view["step"]))
    per_round = [board["production"][NAMES[colour]] for colour in COLOURS]
    cubes = [[0] * len(COLOURS) for _ in range(ROUNDS + 1)]
    for later in range(number, ROUNDS + 1):
        cubes[later] = list(per_round)
    for colour in range(step + 1 if step < TOKENS else TOKENS):
        cubes[number][colour] = board["to_place"].get(NAMES[colour], 0)
    cards = [CARDS[kind] for kind in board["constructed"]]
    counts = [0] * len(ELEMENTS)
    for card in cards:
        counts[card.type] += 1
    counts[FINANCIER], counts[GENERAL] = board["financiers"], board["generals"]
    effects = [effect for card in cards for effect in card.per]
    effects += EMPIRES[board["empire"]][view["side"]].per
    return Forecast(
        number,
        step,
        cubes,
        board["krystallium"],
        [board["financiers"], board["generals"]],
        counts,
        effects,
    )


def brings(future: Forecast, card: Card) -> float:
    """The points a card adds at the counts of now, with what is likely to come for its effects."""
    worth: float = card.points
    for effect in future.effects:
        if effect.of == (card.type,):
            worth += effect.points
    rounds = ROUNDS - future.round + 1
    for effect in card.per:
        if len(effect.of) > 1:
            worth += effect.points * min(future.counts[element] for element in effect.of)
        else:
            element = effect.of[0]
            held = future.counts[element] + (element == card.type)
            if element >= len(TYPES):
                held += card.bonus.get(ELEMENTS[element], 0)
            worth += effect.points * (held + LIKELY * rounds)
    for thing, count in card.bonus.items():
        index = NAMES.index(thing)
        value = PRICE[index]
        value += sum(effect.points for effect in future.effects if effect.of == (index,))
        worth += count * value
    return worth


def produces(future: Forecast, card: Card, number: int, step: int) -> float:
    """What a card produces from the moment it is done until the end, at the prices of cubes."""
    worth = 0.0
    for index, made in enumerate(card.production):
        if made:
            worth += made * PRICE[index] * (ROUNDS - number + (index > step))
    for rate in card.rates:
        made = rate.amount * (future.counts[rate.type] + (rate.type == card.type) + 1)
        worth += made * PRICE[rate.resource] * (ROUNDS - number + (rate.resource > step))
    return worth


def fit(future: Forecast, prospect: Prospect) -> Planned | None:
    """The earliest way to complete a card with the cubes left, or None; krystallium fills what lacks."""
    missing = prospect.missing
    if missing[FINANCIER] > future.characters[0] or missing[GENERAL] > future.characters[1]:
        return None
    spare = future.krystallium - missing[KRYSTALLIUM]
    if spare < 0:
        return None
    left = [[colour, missing[colour]] for colour in COLOURS if missing[colour]]
    lacking = sum(need[1] for need in left)
    for number in range(future.round, ROUNDS + 1):
        done = -1
        row = future.cubes[number]
        for need in left:
            used = min(need[1], row[need[0]])
            if used:
                need[1] -= used
                lacking -= used
                done = need[0]
        if lacking <= spare:
            card = CARDS[prospect.kind]
            step = max(done, future.step) if number == future.round else done
            worth = brings(future, card) + produces(future, card, number, step)
            worth -= lacking * PRICE[KRYSTALLIUM]
            return Planned(prospect, number, step, worth, lacking + missing[KRYSTALLIUM])
    return None


def take(future: Forecast, planned: Planned) -> None:
    """Reserve what a planned card needs, and count on what it will bring."""
    card, missing = CARDS[planned.prospect.kind], planned.prospect.missing
    for colour in COLOURS:
        left, number = missing[colour], future.round
        while left and number <= planned.round:
            used = min(left, future.cubes[number][colour])
            future.cubes[number][colour] -= used
            left -= used
            number += 1
    future.krystallium += card.bonus.get("krystallium", 0) - planned.krystallium
    for place, index in enumerate((FINANCIER, GENERAL)):
        gained = card.bonus.get(NAMES[index], 0) - missing[index]
        future.characters[place] += gained
        future.counts[index] += gained
    future.counts[card.type] += 1
    future.effects.extend(card.per)
    made = list(card.production)
    for rate in card.rates:
        made[rate.resource] += rate.amount * future.counts[rate.type]
    for colour in COLOURS:
        if made[colour]:
            for number in range(planned.round + (colour <= planned.step), ROUNDS + 1):
                future.cubes[number][colour] = max(0, future.cubes[number][colour] + made[colour])


def cost(prospect: Prospect) -> float:
    """What the spaces still free cost at the prices of cubes."""
    return sum(count * price for count, price in zip(prospect.missing, PRICE, strict=True))


def ranked(future: Forecast, prospects: Iterable[Prospect]) -> list[tuple[float, Prospect]]:
    """The cards that could be completed, each with what it brings for what it costs; best first."""
    found = []
    for prospect in prospects:
        planned = fit(future, prospect)
        if planned is not None:
            found.append((planned.worth / (cost(prospect) + SPARING), prospect))
    return sorted(found, key=lambda each: -each[0])


def plan(future: Forecast, order: Iterable[tuple[float, Prospect]]) -> list[Planned]:
    """The cards worth completing, in the order in which they get their cubes. Changes `future`."""
    chosen: list[Planned] = []
    for _, prospect in order:
        planned = fit(future, prospect)
        if planned is not None and planned.worth > STORED:
            take(future, planned)
            chosen.append(planned)
    return chosen
