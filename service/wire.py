"""Between the events of a game and their recorded form: names, schemas, upcasts, forms for each viewer."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from domain.kernel import match as match_rules
from domain.kernel import redaction, table
from domain.kernel.game import Event, Game
from domain.kernel.match import Fact
from events import codec
from events.envelope import Draft, Recorded

Json = dict[str, Any]

TABLE_NAMES: Final[Mapping[type, str]] = {kind.cls: name for name, kind in table.EVENTS.items()}


def table_name(cls: type) -> str:
    """The wire name of an event of the table."""
    return TABLE_NAMES[cls]


class Wire:
    """The registries of one game, joined with the table's and turned over for look-ups."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.ruleset = game.RULESET
        self.events = match_rules.events(game)
        self._upcasts = match_rules.upcasts(game)
        self._redactions = match_rules.redactions(game)
        self._types = {kind.cls: kind for kind in self.events.values()}
        self.commands: Mapping[str, type] = {**table.COMMANDS, **game.COMMANDS}
        self._command_names = {cls: name for name, cls in self.commands.items()}

    def decode(self, record: Recorded) -> Event:
        """The recorded event in its newest shape."""
        return codec.read(self.events, self._upcasts, record.type, record.schema, record.data)

    def command_json(self, command: object) -> Json:
        """A command as it is posted."""
        return {"type": self._command_names[type(command)], **codec.encode(command)}

    def drafts(self, facts: Iterable[Fact], decision: str | None, meta: Json) -> list[Draft]:
        """The facts of one command as drafts; `meta` goes with the first."""
        made = []
        for fact in facts:
            made.append(self._draft(fact, decision, meta))
            meta = {}
        return made

    def _draft(self, fact: Fact, decision: str | None, meta: Json) -> Draft:
        kind = self._types[type(fact.event)]
        public, seats, sealed = redaction.forms(self._redactions, fact.event)
        data = codec.encode(fact.event)
        return Draft(
            type=kind.name,
            schema=kind.schema,
            ruleset=self.ruleset,
            decision=decision,
            actor=fact.actor,
            cause=fact.cause,
            data=data,
            public=codec.encode(public) if sealed else data,
            parts={f"s{seat}": codec.encode(form) for seat, form in seats.items()} if sealed else None,
            meta=meta,
        )


# By identity: a game is a module. Each entry keeps its game alive, so no identity is ever used twice.
_WIRES: Final[dict[int, Wire]] = {}


def of(game: Game) -> Wire:
    """The registries of a game, made once."""
    known = _WIRES.get(id(game))
    if known is None:
        known = _WIRES[id(game)] = Wire(game)
    return known
