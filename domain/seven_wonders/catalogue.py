"""Cards and boards as data for clients, made from the tables the rules themselves use."""

from dataclasses import asdict
from typing import Any

from domain.kernel.registry import snake
from domain.seven_wonders.cards import CARDS
from domain.seven_wonders.describing import printed_cost
from domain.seven_wonders.effects import RESOURCES, SYMBOLS, Discount, Effect, Produce, Science
from domain.seven_wonders.wonders import WONDERS


def catalogue() -> dict[str, Any]:
    """Every card and every board of the 1st edition."""
    return {
        "resources": list(RESOURCES),
        "symbols": list(SYMBOLS),
        "cards": [
            {
                "id": card.id,
                "structure": card.structure,
                "name": card.name,
                "age": card.age,
                "colour": card.colour,
                "cost": printed_cost(card.coins, card.cost),
                "chain_from": list(card.chain_from),
                "effects": [effect_view(effect) for effect in card.effects],
                "player_counts": None if card.marks is None else list(card.marks),
            }
            for card in CARDS.values()
        ],
        "wonders": [
            {
                "id": wonder,
                "name": sides["A"].name,
                "full_name": sides["A"].full_name,
                "resource": RESOURCES[sides["A"].resource],
                "sides": {
                    side: [
                        {
                            "stage": number,
                            "cost": printed_cost(stage.coins, stage.cost),
                            "effects": [effect_view(effect) for effect in stage.effects],
                        }
                        for number, stage in enumerate(board.stages, 1)
                    ]
                    for side, board in sides.items()
                },
            }
            for wonder, sides in WONDERS.items()
        ],
    }


def effect_view(effect: Effect) -> dict[str, Any]:
    """An effect as JSON values: its `type`, and its fields with resources and symbols by name."""
    shown: dict[str, Any] = {"type": snake(type(effect).__name__), **asdict(effect)}
    if isinstance(effect, Produce):
        shown["alternatives"] = [[RESOURCES[unit] for unit in bundle] for bundle in effect.alternatives]
    elif isinstance(effect, Science):
        shown["symbol"] = SYMBOLS[effect.symbol]
    elif isinstance(effect, Discount):
        shown["resources"] = [RESOURCES[unit] for unit in effect.resources]
    return {key: list(value) if isinstance(value, tuple) else value for key, value in shown.items()}
