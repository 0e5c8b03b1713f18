"""What is checked across several members of a request, in words of JSON Schema.

The checks themselves stand in `schemas`, `unions` and the use cases; here they are told to whoever builds
requests from the document. Generators of clients read past `if` and `then`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from domain.kernel.game import Game
from domain.kernel.table import SCRIPT
from service import games
from service.http.shapes import Shape

_FOR_BOTS: Final = {"required": ["kind"], "properties": {"kind": {"enum": ["bot"]}}}
_NOT_FOR_BOTS: Final = ("name", "entropy", "player_ref")
# By component: what to add to its schema.
CONDITIONS: Final[Mapping[str, Shape]] = {
    "WebhookChange": {"minProperties": 1},
    "ClockMove": {"minProperties": 1, "maxProperties": 1},
    "SeatPlan": {
        "allOf": [
            {
                "if": {"required": ["script"]},
                "then": {"required": ["bot"], "properties": {"bot": {"enum": [SCRIPT]}}},
            }
        ]
    },
    "NewQueueTicket": {"dependentRequired": {"name": ["player_ref"]}},
}


def add_to(schemas: dict[str, Any], catalogue: Mapping[str, Game]) -> None:
    """Put the conditions into the finished components; `catalogue`: what a match can be made of."""
    for name, schema in schemas.items():
        asked = schema.get("additionalProperties") is False
        if asked and {"kind", "bot"} <= schema.get("properties", {}).keys():
            schema.update(_of_bots(schema["properties"]))
        schema.update(CONDITIONS.get(name, {}))
    move = [{"$ref": "#/components/schemas/Command"}, {"type": "null"}]
    schemas["SeatPlan"]["properties"]["script"]["items"] = {"anyOf": move}
    new_match = schemas["NewMatch"]
    new_match["properties"]["game"]["enum"] = sorted(catalogue)
    new_match["allOf"] = [_of_game(game) for game in catalogue.values()]
    wish = schemas["NewQueueTicket"]
    wish["properties"]["game"]["enum"] = sorted(catalogue)
    wish["allOf"] = [_of_wish(game) for game in catalogue.values()]


def _of_bots(properties: Mapping[str, Shape]) -> Shape:
    """Of every request for a bot: `bot` names it; what is a person's goes with a person only."""
    persons = [{"not": {"required": [name]}} for name in _NOT_FOR_BOTS if name in properties]
    return {
        "if": _FOR_BOTS,
        "then": {"required": ["bot"], **({"allOf": persons} if persons else {})},
        "else": {"not": {"required": ["bot"]}},
    }


def _of_game(game: Game) -> Shape:
    """What a game asks of a new match: how many sit, its bots, its options."""
    seat = {"properties": {"bot": {"enum": sorted((*game.BOTS, SCRIPT))}}}
    of_seats = {"minItems": game.SEATS[0], "maxItems": game.SEATS[-1], "items": seat}
    return {
        "if": {"properties": {"game": {"enum": [game.NAME]}}},
        "then": {"properties": {"seats": of_seats, "options": games.options_schema(game)}},
    }


def _of_wish(game: Game) -> Shape:
    """What a game asks of whoever waits for a table."""
    bounds = {"minimum": game.SEATS[0], "maximum": game.SEATS[-1]}
    asked = {
        "options": games.options_schema(game),
        "bot": {"enum": sorted(game.BOTS)},
        "seats": {"properties": {"min": bounds, "max": bounds}},
    }
    return {"if": {"properties": {"game": {"enum": [game.NAME]}}}, "then": {"properties": asked}}


def commanding(names: Iterable[str]) -> Shape:
    """A body whose command is one of these."""
    command = {"required": ["type"], "properties": {"type": {"enum": sorted(names)}}}
    return {"required": ["command"], "properties": {"command": command}}
