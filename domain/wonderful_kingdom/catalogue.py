"""Cards, duchies and quest boards as data for clients, each with where it comes from and what of it is
printed."""

from collections.abc import Mapping
from typing import Any, Final

from domain.wonderful_kingdom.bags import NAMES, STEPS, named
from domain.wonderful_kingdom.cards import (
    ADVISOR,
    CALAMITY,
    DEVELOPMENT,
    MENACE,
    OPS,
    TREASURE,
    TYPES,
    CardSet,
    Development,
    Effect,
    Origin,
)

NOTICE: Final = (
    "The printed card list of this game is not public. A fact of a card is that of the printed one only if"
    " `printed_fields` names it; cards of provenance `original` were designed for Wonderlog."
)
_COUNTS: Final = ("amount", "count", "uses", "delta", "draw", "max_times")


def catalogue(cards: CardSet) -> dict[str, Any]:
    """Everything printed, in the words of the data package."""
    return {
        "card_set": {"name": cards.name, "digest": cards.digest, "notice": NOTICE},
        "resources": list(STEPS),
        "types": list(TYPES),
        "cards": [
            *(_development(row) for row in cards.developments.values()),
            *(
                {
                    "id": row.id,
                    "name": row.name,
                    "kind": TREASURE,
                    "copies": row.copies,
                    "recycling": named(row.recycling),
                    **_origin(row.origin),
                }
                for row in cards.treasures.values()
            ),
            *(
                {
                    "id": row.id,
                    "name": row.name,
                    "kind": CALAMITY,
                    "copies": 1,
                    "points": row.points,
                    **_origin(row.origin),
                }
                for row in cards.calamities.values()
            ),
            *(
                {
                    "id": row.id,
                    "name": row.name,
                    "kind": MENACE,
                    "copies": 1,
                    "set": row.set,
                    "defeat_cost": named(row.cost),
                    "points": row.points,
                    "effects": [effect(each) for each in row.effects],
                    "text": row.text,
                    **_origin(row.origin),
                }
                for row in cards.menaces.values()
            ),
            *(
                {
                    "id": row.id,
                    "name": row.name,
                    "kind": ADVISOR,
                    "copies": 1,
                    "activation_cost": named(row.cost),
                    "windows": list(row.windows),
                    "effects": [effect(each) for each in row.effects],
                    "text": row.text,
                    "two_player_only": row.two_player_only,
                    **_origin(row.origin),
                }
                for row in cards.advisors.values()
            ),
        ],
        "duchies": [
            {
                "id": row.id,
                "name": row.name,
                "color": row.color,
                "sides": {
                    side: {"production": named(each.production), "start": named(each.start)}
                    for side, each in row.sides.items()
                },
                **_origin(row.origin),
            }
            for row in cards.duchies.values()
        ],
        "quest_boards": [
            {
                "id": board.id,
                "name": board.name,
                "quests": [
                    {
                        "id": quest.id,
                        "name": quest.name,
                        "cost": named(quest.cost),
                        "rewards": [effect(each) for each in quest.rewards],
                        "major": quest.major,
                        "text": quest.text,
                    }
                    for quest in board.quests
                ],
                **_origin(board.origin),
            }
            for board in cards.boards.values()
        ],
    }


def _development(row: Development) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "kind": DEVELOPMENT,
        "type": TYPES[row.type],
        "copies": row.copies,
        "cost": named(row.cost),
        "recycling": named(row.recycling),
        "production": named(row.production),
        "production_by_type": [
            {"resource": NAMES[rate.resource], "type": TYPES[rate.type], "amount": rate.amount}
            for rate in row.rates
        ],
        "bonus": named(row.bonus),
        "points": row.points,
        "points_by_type": (
            None if row.per is None else {"points": row.per.points, "type": TYPES[row.per.type]}
        ),
        **_origin(row.origin),
    }


def _origin(origin: Origin) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "provenance": origin.provenance,
        "printed_fields": list(origin.printed_fields),
    }
    return {**shown, "printed_note": origin.note} if origin.note else shown


def effect(row: Effect) -> dict[str, Any]:
    """An effect in the words of the data package."""
    shown: dict[str, Any] = {"op": row.op}
    if row.trigger:
        shown["trigger"] = row.trigger
    values: Mapping[str, Any] = {
        "resources": [NAMES[colour] for colour in row.resources],
        "resource": NAMES[row.resources[0]] if row.resources else None,
        "krystallium": row.gain,
        "keep": row.keep,
        "zone": row.zone,
        "chooser": row.chooser,
        "face": "up",
        "scope": "round",
        "cubes": named(row.cubes) if row.cubes else row.price,
    }
    return shown | {name: row.count if name in _COUNTS else values[name] for name in OPS[row.op]}
