"""The unions of the wire, built from the registries: every command a seat or a host may send, every event.

Each variant is a component of its own whose `type` is required and has one value, so that generated clients
tell them apart.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import getdoc
from typing import Any, Final

from domain.kernel import table
from domain.kernel.game import Game
from domain.kernel.registry import EventType
from service.errors import Fault
from service.games import PUBLIC_TABLE_COMMANDS
from service.http.problems import Problem
from service.http.shapes import Shape, faults, members, object_of

DECISION_ID: Final[Shape] = {
    "type": "string",
    "pattern": r"^d[1-9][0-9]{0,8}\.[a-z][a-z0-9_-]{0,63}$",
    "maxLength": 80,
    "description": "The decision this command answers, as `legal-moves` and `view` name it. Game commands"
    " need it; the commands of the table do not take part in a decision.",
    "examples": ["d42.choose"],
}


@dataclass(frozen=True, slots=True)
class Variant:
    """A member of a union: its wire name, its component and the component's schema; `decides` for commands
    that answer a decision."""

    wire: str
    component: str
    shape: Shape
    decides: bool = False


def camel(name: str) -> str:
    """`seven-wonders`, `hands_passed` as `SevenWonders`, `HandsPassed`."""
    return "".join(part.capitalize() for part in name.replace("-", "_").replace(".", "_").split("_"))


def commands(games: Mapping[str, Game]) -> dict[str, Variant]:
    """Every command that may be sent, by wire name. Raises ValueError when two games give one name to
    different commands: a client could not tell them apart."""
    union = {
        name: _command(name, "Match", table.COMMANDS[name], decides=False) for name in PUBLIC_TABLE_COMMANDS
    }
    for game in games.values():
        for name, cls in game.COMMANDS.items():
            variant = _command(name, camel(game.NAME), cls, decides=True)
            known = union.setdefault(name, variant)
            if known.shape != variant.shape:
                raise ValueError(f"{game.NAME} gives the name {name} to another command")
    return union


def _command(name: str, owner: str, cls: type, *, decides: bool) -> Variant:
    properties, required = members(cls, closed=True)
    tagged = {"type": _only(name), **properties}
    shape = object_of(tagged, ["type", *required], closed=True)
    shape["description"] = _words(cls)
    return Variant(name, f"{owner}{camel(name)}Command", shape, decides)


def events(games: Mapping[str, Game]) -> dict[str, Variant]:
    """Every event a match may hold, by wire name: the envelope with its own data."""
    kinds: dict[str, EventType] = dict(table.EVENTS)
    for game in games.values():
        kinds.update(game.EVENTS)
    return {name: _event(kind) for name, kind in kinds.items()}


def _event(kind: EventType) -> Variant:
    properties, required = members(kind.cls, closed=False)
    data = object_of(properties, required, closed=False)
    envelope = {
        "type": _only(kind.name),
        "schema": {"type": "integer", "format": "int32", "minimum": 1, "examples": [kind.schema]},
        "data": data,
        **{name: {"$ref": f"#/components/schemas/{ref}"} for name, ref in HEADER.items()},
        "public": {
            "type": "object",
            "description": "The spectator's form; left out where it equals `data`.",
        },
    }
    needed = ["match", "version", "type", "schema", "ruleset", "decision", "actor", "cause", "command"]
    needed += ["occurred_at", "data", "seals", "prev_hash", "hash"]
    shape = object_of(envelope, needed, closed=False)
    shape["description"] = _words(kind.cls)
    return Variant(kind.name, f"{camel(kind.name)}Event", shape)


# The members every envelope has, and the components that describe them.
HEADER: Final[Mapping[str, str]] = {
    "match": "MatchId",
    "version": "Version",
    "ruleset": "Ruleset",
    "decision": "AnsweredDecision",
    "actor": "Actor",
    "cause": "Cause",
    "command": "Version",
    "occurred_at": "Time",
    "seals": "Seals",
    "nonce": "Nonce",
    "prev_hash": "Hash",
    "hash": "Hash",
    "cursor": "FeedCursor",
}


def union(variants: Iterable[Variant], description: str, property_name: str = "type") -> Shape:
    """The `oneOf` of the variants with its discriminator and explicit mapping."""
    mapping = {variant.wire: f"#/components/schemas/{variant.component}" for variant in variants}
    return {
        "description": description,
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": property_name, "mapping": mapping},
    }


def _only(name: str) -> Shape:
    return {"type": "string", "enum": [name]}


def _words(cls: type) -> str:
    return " ".join((getdoc(cls) or "").split())


@dataclass(frozen=True, slots=True)
class CommandBody:
    """Reads the body of `POST …/commands` against the union."""

    variants: Mapping[str, Variant]
    schema: str = "SendCommand"
    may_be_left_out: bool = False

    def read(self, body: dict[str, Any]) -> dict[str, Any]:
        """The body, unchanged. Raises Problem `validation` with a pointer for each fault."""
        wrong = self.faults(body)
        if wrong:
            raise Problem("validation", "the command does not fit its schema", wrong)
        return body

    def faults(self, body: dict[str, Any]) -> list[Fault]:
        """Everything that is wrong with the body."""
        wrong = list(faults(_BODY, body, ""))
        command = body.get("command")
        if not wrong and isinstance(command, dict):
            variant = self.variants.get(command["type"])
            if variant is None:
                wrong.append(Fault("/command/type", "unknown", "there is no such command"))
            else:
                wrong.extend(faults(variant.shape, command, "/command"))
                if variant.decides and "decision" not in body:
                    wrong.append(Fault("/decision", "required", "is missing"))
        return wrong


@dataclass(frozen=True, slots=True)
class BatchBody:
    """Reads the body of `POST …/command-batches`: a list of bodies as `POST …/commands` takes them."""

    variants: Mapping[str, Variant]
    schema: str = "SendCommandBatch"
    may_be_left_out: bool = False

    def read(self, body: dict[str, Any]) -> dict[str, Any]:
        """The body, unchanged. Raises Problem `validation` with a pointer for each fault."""
        wrong = list(faults(_BATCH, body, ""))
        if not wrong:
            single = CommandBody(self.variants)
            for number, each in enumerate(body["commands"]):
                wrong += [
                    Fault(f"/commands/{number}{fault.pointer}", fault.code, fault.detail)
                    for fault in single.faults(each)
                ]
        if wrong:
            raise Problem("validation", "a command does not fit its schema", wrong)
        return body


LONGEST_BATCH: Final = 100

_BODY: Final = object_of(
    {
        "decision": DECISION_ID,
        "command": object_of({"type": {"type": "string", "maxLength": 80}}, ["type"], closed=False),
    },
    ["command"],
    closed=True,
)
_BATCH: Final = object_of(
    {
        "commands": {
            "type": "array",
            "minItems": 1,
            "maxItems": LONGEST_BATCH,
            "items": object_of({}, [], closed=False),
        }
    },
    ["commands"],
    closed=True,
)
