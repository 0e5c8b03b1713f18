"""What a ruleset would change: finished matches decided again under it, what differs grouped by rule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.kernel.game import Game
from domain.kernel.library import Library, UnknownRuleset, library
from events.envelope import Recorded
from events.store import Archived, EventStore
from service.redeciding import Difference, Redecided, Undecidable, redecide

Json = dict[str, Any]

SAME: Final = "same"
DIFFERS: Final = "differs"
SKIPPED: Final = "skipped"
UNREADABLE: Final = "unreadable"

# The rules themselves gave up: a draft that is not finished.
BROKEN: Final = "broken"
# Of the matches that differ in the same way, so many are named.
MOST_NAMED: Final = 20


@dataclass(frozen=True, slots=True)
class Examined:
    """One match: `status` is same, differs, skipped or unreadable, `reason` says why where it is not same.
    `kind` and `subject` say which rule the difference is about, `version` at which event it is."""

    match: str
    status: str
    commands: int = 0
    reason: str = ""
    version: int = 0
    kind: str = ""
    subject: str = ""


def examine(game: Game, name: str, match: str, envelopes: Sequence[Json]) -> Examined:
    """Decide a finished match again under `game`; `name` is what the report calls it. A ruleset that raises
    what no rule raises is part of the report, as a difference of the kind `broken`."""
    try:
        found = redecide(game, match, envelopes)
    except Undecidable as why:
        return Examined(name, UNREADABLE, reason=str(why))
    except Exception as error:  # whatever a draft of rules stumbles over
        said = f"the rules raise {type(error).__name__}: {error}"
        found = Redecided(0, Difference(0, BROKEN, type(error).__name__, said))
    different = found.difference
    if different is None:
        return Examined(name, SAME, found.commands)
    return Examined(
        name,
        DIFFERS,
        found.commands,
        different.reason,
        different.version,
        different.kind,
        different.subject,
    )


def examine_stored(games: Library, match: str, records: Sequence[Recorded], ruleset: str | None) -> Examined:
    """Examine a match as a store holds it, under `ruleset` (None: its own). One that is not over, a fork, or
    of another game is skipped."""
    first = records[0].data if records else {}
    if not records or records[-1].type != "match.ended":
        return Examined(match, SKIPPED, reason="it is not over")
    if first.get("forked_from") is not None:
        return Examined(match, SKIPPED, reason="it is a fork")
    game = rules_for(games, str(first["game"]), records[0].ruleset, ruleset)
    if isinstance(game, str):
        return Examined(match, SKIPPED, reason=game)
    return examine(game, match, match, [_envelope(record) for record in records])


def _envelope(record: Recorded) -> Json:
    names = ("version", "type", "schema", "command", "decision", "actor", "cause", "data")
    return {name: getattr(record, name) for name in names}


def rules_for(games: Library, name: str, own: str, ruleset: str | None) -> Game | str:
    """The rules to try on a match of the game `name` played under `own`; in words why there are none."""
    wanted = ruleset or own
    if wanted.partition("/")[0] != name:
        return f"it is a match of {name}"
    try:
        return games.under(name, own, wanted)
    except UnknownRuleset as unknown:
        return str(unknown)


def report(ruleset: str | None, examined: Iterable[Examined]) -> Json:
    """The report: how many matches and commands, and per rule how many matches differ first in it, the most
    frequent first. `ruleset` None: each match under its own."""
    every = list(examined)
    rules: dict[tuple[str, str], list[Examined]] = {}
    for one in every:
        if one.status == DIFFERS:
            rules.setdefault((one.kind, one.subject), []).append(one)
    groups = sorted(rules.items(), key=lambda group: (-len(group[1]), group[0]))
    return {
        "ruleset": ruleset,
        "matches": sum(one.status in (SAME, DIFFERS) for one in every),
        "commands": sum(one.commands for one in every),
        "same": sum(one.status == SAME for one in every),
        "different": sum(one.status == DIFFERS for one in every),
        "rules": [
            {
                "kind": kind,
                "subject": subject,
                "matches": len(found),
                "first": [
                    {"match": one.match, "version": one.version, "reason": one.reason}
                    for one in found[:MOST_NAMED]
                ],
            }
            for (kind, subject), found in groups
        ],
        SKIPPED: [{"match": one.match, "reason": one.reason} for one in every if one.status == SKIPPED],
        UNREADABLE: [{"match": one.match, "reason": one.reason} for one in every if one.status == UNREADABLE],
    }


class Auditing:
    """Examines the matches of a store."""

    def __init__(self, store: EventStore, games: Mapping[str, Game]) -> None:
        self._store = store
        self._games = library(games)

    def examine(self, match: str, ruleset: str | None) -> Examined:
        """See `examine_stored`. Raises the errors of the store."""
        try:
            records = self._store.load(match).records
        except Archived:
            return Examined(match, SKIPPED, reason="it was removed for good")
        return examine_stored(self._games, match, records, ruleset)
