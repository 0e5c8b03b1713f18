"""Cards, Empire cards and scenarios as data for clients, made from the tables the rules themselves use."""

from collections.abc import Iterable
from typing import Any

from domain.wonderful.cards import ELEMENTS, TYPES, Card, Per
from domain.wonderful.cubes import COLOURS, NAMES, named
from domain.wonderful_world.decks import ASCENSION, CARDS, REWARDS
from domain.wonderful_world.empires import ASCENSION as ASCENSION_EMPIRES
from domain.wonderful_world.empires import EMPIRES
from domain.wonderful_world.options import SCENARIOS


def catalogue() -> dict[str, Any]:
    """Every card of the base game and its expansions, every Empire card, every scenario. `certain` is false
    where no rules text stands behind the facts."""
    return {
        "resources": [NAMES[colour] for colour in COLOURS],
        "types": list(TYPES),
        "cards": [_card(card) for card in CARDS.values()],
        "empires": [
            {
                "id": name,
                "name": sides["A"].name,
                "set": "corruption_and_ascension" if name in ASCENSION_EMPIRES else "base",
                "sides": {
                    side: {
                        "production": named(empire.production),
                        "krystallium": empire.krystallium,
                        "points": _points(empire.per),
                    }
                    for side, empire in sides.items()
                },
            }
            for name, sides in EMPIRES.items()
        ],
        "scenarios": [
            {
                "id": name,
                "certain": False,
                "cards": list(cards),
                "medals": dict(zip(("bronze", "silver", "gold"), limits, strict=True)),
            }
            for name, (cards, limits) in SCENARIOS.items()
        ],
    }


def _card(card: Card) -> dict[str, Any]:
    return {
        "id": card.id,
        "name": card.name,
        "type": TYPES[card.type],
        "set": _set_of(card.id),
        "copies": card.copies,
        "cost": named(card.cost),
        "bonus": dict(card.bonus),
        "recycling": NAMES[card.recycling],
        "production": named(card.production),
        "production_by_type": [
            {"resource": NAMES[rate.resource], "type": TYPES[rate.type], "amount": rate.amount}
            for rate in card.rates
        ],
        "points": card.points,
        "points_by_element": _points(card.per),
    }


def _set_of(card: str) -> str:
    if card in ASCENSION:
        return "corruption_and_ascension"
    return "war_or_peace" if card in REWARDS else "base"


def _points(effects: Iterable[Per]) -> list[dict[str, Any]]:
    return [
        {"points": effect.points, "of": [ELEMENTS[element] for element in effect.of]} for effect in effects
    ]
