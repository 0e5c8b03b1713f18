"""The catalogue of games, as data for clients; and the options of a new match."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.kernel import table
from domain.kernel.game import Game, Option
from domain.kernel.library import library
from events.canonical import digest
from service import wire
from service.errors import Fault, Invalid, NotFound, spelled

Json = dict[str, Any]

# The commands of the table that anybody may post; the others are made by other calls or by the service.
PUBLIC_TABLE_COMMANDS: Final = (
    "start", "cancel", "resign", "reclaim_seat", "pause", "resume", "agree", "decline", "undo", "add_time",
    "claim", "expire",
)  # fmt: skip
HOST_COMMANDS: Final = ("start", "cancel", "expire")
# What both a seat and the host may send.
SHARED_COMMANDS: Final = ("pause", "resume", "add_time", "claim")
# What depends on what came before it in the log, so that nothing can come before it in a batch.
NOT_IN_A_BATCH: Final = ("undo",)


def summary(game: Game, rulesets: Sequence[str]) -> Json:
    """A game in short, and all rulesets its matches may have."""
    return {
        "name": game.NAME,
        "title": game.TITLE,
        "seats": {"min": game.SEATS[0], "max": game.SEATS[-1]},
        "rulesets": list(rulesets),
        "bots": list(game.BOTS),
        "links": {"self": f"/v1/games/{game.NAME}"},
    }


class Catalogue:
    """The games of this service; what is printed about each is made once."""

    def __init__(self, catalogue: Mapping[str, Game]) -> None:
        self.games = library(catalogue)
        self._described: dict[str, Json] = {}
        self._digests: dict[str, str] = {}

    def all(self) -> list[Json]:
        """Every game in short."""
        return [summary(game, self._rulesets(name)) for name, game in self.games.items()]

    def game(self, name: str, ruleset: str | None = None) -> Json:
        """A game with everything printed, by default as new matches are played. Raises NotFound."""
        live = self.games.all_of(name)
        if not live:
            raise NotFound("game")
        found = next((game for game in live if ruleset in (None, game.RULESET)), None)
        if found is None:
            raise NotFound("ruleset")
        if found.RULESET not in self._described:
            self._described[found.RULESET] = self._describe(found)
        return self._described[found.RULESET]

    def _rulesets(self, name: str) -> list[str]:
        return [game.RULESET for game in self.games.all_of(name)]

    def ruleset_digest(self, game: Game) -> str:
        """Names the exact rules and cards: 64 hex digits."""
        if game.RULESET not in self._digests:
            said = ["wonderlog/ruleset/1", game.RULESET, game.catalogue()]
            self._digests[game.RULESET] = digest(said)
        return self._digests[game.RULESET]

    def _describe(self, game: Game) -> Json:
        kinds = wire.of(game).events
        return {
            **game.catalogue(),
            **summary(game, self._rulesets(game.NAME)),
            "ruleset": game.RULESET,
            "ruleset_digest": self.ruleset_digest(game),
            "options": options_schema(game),
            "decisions": {kind: {"default_move": words} for kind, words in game.DECISIONS.items()},
            "commands": {name: _command_schema(name, cls) for name, cls in public_commands(game).items()},
            "events": {
                name: {"schema": kind.schema, "data": schema_of(kind.cls)} for name, kind in kinds.items()
            },
        }


def public_commands(game: Game) -> dict[str, type]:
    """The commands that can be posted to a match of this game."""
    return {name: table.COMMANDS[name] for name in PUBLIC_TABLE_COMMANDS} | dict(game.COMMANDS)


def schema_of(cls: type) -> Json:
    """A dataclass as a JSON Schema of its own (definitions inside)."""
    (shape,), definitions = msgspec.json.schema_components([cls], ref_template="#/$defs/{name}")
    inner: Json = definitions.pop(shape["$ref"].rpartition("/")[2])
    if definitions:
        inner["$defs"] = definitions
    return inner


def _command_schema(name: str, cls: type) -> Json:
    shape = schema_of(cls)
    shape["properties"] = {"type": {"const": name}, **shape.get("properties", {})}
    shape["required"] = ["type", *shape.get("required", [])]
    shape["additionalProperties"] = False
    return shape


def insist_on_bot(game: Game, bot: str) -> None:
    """Make sure that a bot, named as `bot` in a body, plays this game. Raises Invalid."""
    if bot not in game.BOTS:
        raise Invalid(Fault("/bot", "unknown", f"the bots are {', '.join(game.BOTS)}"))


# Options


def options_schema(game: Game) -> Json:
    """A JSON Schema of the options of a match."""
    return {
        "type": "object",
        "properties": {option.name: _option_schema(option) for option in _options(game).values()},
        "additionalProperties": False,
        "allOf": [
            {
                "if": {"required": [name], "properties": {name: {"not": {"enum": [default]}}}},
                "then": {"required": [other], "properties": {other: {"not": {"enum": [None]}}}},
            }
            for name, other in _DEPENDENT
            for default in [_options(game)[name].default]
        ],
    }


def _option_schema(option: Option) -> Json:
    shape: Json
    if option.choices is not None:
        shape = {"enum": list(option.choices)}
    else:
        shape = {
            "type": ["integer", "null"] if option.default is None else "integer",
            "minimum": option.minimum,
            "maximum": option.maximum,
            "format": "int64",
        }
    shape |= {"default": option.default, "description": option.detail}
    if not option.certain:
        shape["x-uncertain"] = True
    return shape


def options(game: Game, wanted: Mapping[str, object], seats: int | None = None) -> Json:
    """The options of a match with defaults filled in, and with what the number of seats decides, where it is
    known. Raises Invalid with a fault for each wrong one."""
    known = _options(game)
    faults = [
        Fault(f"/options/{_escaped(name)}", "unknown", f"{game.TITLE} has no such option")
        for name in wanted
        if name not in known
    ]
    chosen: Json = {}
    for name, option in known.items():
        value = wanted.get(name, option.default)
        wrong = _why_not(option, value)
        if wrong is not None:
            faults.append(Fault(f"/options/{_escaped(name)}", "invalid", wrong))
        chosen[name] = value if seats is None else option.at(seats, value)
    faults += [
        Fault(f"/options/{name}", "invalid", f"{name} means nothing without {other}")
        for name, other in _DEPENDENT
        if not faults and chosen[name] != known[name].default and chosen[other] is None
    ]
    if faults:
        raise Invalid(*faults)
    return chosen


def still_meant(stored: Mapping[str, Any]) -> Json:
    """The options of a stored match, without such as mean nothing without another that is not there."""
    idle = {name for name, other in _DEPENDENT if stored.get(other) is None}
    return {name: value for name, value in stored.items() if name not in idle}


# Options that mean nothing without another.
_DEPENDENT: Final = (("increment_ms", "bank_ms"), ("daily_anchor_minute", "decision_limit_days"))


def _options(game: Game) -> dict[str, Option]:
    return {option.name: option for option in (*table.OPTIONS, *game.OPTIONS)}


def _why_not(option: Option, value: object) -> str | None:
    """What is wrong with a value of an option; JSON's true is not 1."""
    if option.choices is not None:
        if any(type(value) is type(choice) and value == choice for choice in option.choices):
            return None
        return f"one of {', '.join(spelled(choice) for choice in option.choices)} is expected"
    if value is None and option.default is None:
        return None
    if type(value) is int and option.minimum <= value <= option.maximum:
        return None
    return f"a whole number from {option.minimum} to {option.maximum} is expected"


def _escaped(name: str) -> str:
    """A member's name as a step of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")
