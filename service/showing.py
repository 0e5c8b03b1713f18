"""What callers are shown of a match, as JSON values: the resource, its seats, the view, the legal moves."""

import json
import re
from typing import Any, Final

from domain.kernel import match as match_rules
from domain.kernel import pausing
from domain.kernel.game import Decision, Description, Refusal
from domain.kernel.seats import Seat, Viewer
from domain.kernel.table import OVER, RUNNING, ReclaimSeat
from service import offers, wire
from service.clock import timestamp
from service.imports import FOREIGN
from service.persons import NAMELESS, Names
from service.positions import Position

Json = dict[str, Any]

_LINKS: Final = (
    "seats", "commands", "legal-moves", "view", "diff", "events", "export", "proof", "forks", "rematch",
    "audit/secrecy",
)  # fmt: skip


def player_field(seat: Seat) -> str:
    """The secret of a match that holds the id of the person at a seat, where the tenant calls it
    anything; see `Persons`."""
    return f"player:{seat}"


# The secret of a match that is being set up with others, and shown to nobody before they are there.
HIDDEN: Final = "hidden"
# Secrets of a match that name the one before it and the one after it.
REMATCH_OF: Final = "rematch-of"
REMATCH: Final = "rematch"


def rematches(position: Position) -> Json:
    """The match this one is a rematch of, and its own rematch, where there are such."""
    named = {"rematch_of": REMATCH_OF, "rematch": REMATCH}
    return {member: position.secrets[name] for member, name in named.items() if name in position.secrets}


def resource(position: Position, named: Names = NAMELESS) -> Json:
    """The match: what kind it is, who sits where. Not the table. Lists show it without names."""
    state, path = position.state, f"/v1/matches/{position.id}"
    foreign = _foreign(position)
    return foreign | {
        "id": position.id,
        "game": state.game,
        "ruleset": position.game.RULESET,
        "status": state.status,
        "version": state.version,
        "visibility": state.visibility,
        "seats": seats(position, named),
        "options": state.options,
        "created_at": timestamp(position.times.created),
        "updated_at": timestamp(position.times.last),
        **forked(position),
        **rematches(position),
        **_sandbox(position),
        "links": {"self": path} | {re.sub("[-/]", "_", link): f"{path}/{link}" for link in _LINKS},
    }


def forked(position: Position) -> Json:
    """Where a fork branched off, for all time; nothing for other matches."""
    origin = position.state.forked_from
    return {} if origin is None else {"forked_from": {"match": origin.match, "version": origin.version}}


def _sandbox(position: Position) -> Json:
    """The mark of a match that was played to try things out; nothing for other matches."""
    mark = position.state.sandbox
    return {} if mark is None else {"sandbox": {"seed": mark.seed}}


def _foreign(position: Position) -> Json:
    """Where an imported match is from: for ever the mark of one that was not played here."""
    if FOREIGN not in position.secrets:
        return {}
    origin = json.loads(position.secrets[FOREIGN])
    header = origin["header"]
    return {
        "foreign": {
            "match": header["match"],
            "public_key": header["public_key"],
            "imported_at": origin["imported_at"],
        }
    }


def seats(position: Position, named: Names) -> list[Json]:
    """The seats as everybody sees them, with names where players gave them."""
    shown = []
    for number, chair in enumerate(position.state.chairs):
        seat = match_rules.seat_view(number, chair)
        if name := named.get(number):
            seat["name"] = name
        shown.append(seat)
    return shown


def decision(position: Position, open_: Decision) -> Json:
    """An open decision with its times."""
    deadline = position.deadline_ms(open_)
    return {
        "id": open_.id,
        "kind": open_.kind,
        "awaited": list(open_.awaited),
        "opened_at": timestamp(position.opened_ms(open_)),
        "deadline_at": None if deadline is None else timestamp(deadline),
    }


def view(position: Position, viewer: Viewer, named: Names) -> Json:
    """The table through the viewer's eyes."""
    shown = match_rules.view(position.game, position.state, viewer)
    shown["decisions"] = [decision(position, open_) for open_ in position.decisions()]
    shown["seats"] = seats(position, named)
    shown["spectator_delay"] = match_rules.spectator_delay(position.state)
    shown |= pausing.view(position.state)
    shown["clocks"] = offers.clocks(position)
    return {"match": position.id, **shown}


def legal_moves(position: Position, seat: Seat) -> Json:
    """Everything the service would accept from the seat, as bodies to post, and what it would refuse, and
    why. `moves` are those of the game (and taking the seat back from a bot), `table` those around it."""
    game, state = position.game, position.state
    moves, refused = [], []
    if state.status == RUNNING and state.chairs[seat].taken_over:
        moves = [_table_move("m1", "Take your seat back from the bot", ReclaimSeat(), position)]
    elif state.status == RUNNING and not state.chairs[seat].resigned and not state.paused:
        command_json = wire.of(game).command_json
        for number, (open_, command) in enumerate(match_rules.legal_moves(game, state, seat), 1):
            body = {"decision": open_.id, "command": command_json(command)}
            moves.append(_move(f"m{number}", body, game.describe(state.play, seat, command)))
        refused = [_refusal(refusal) for refusal in game.refused(state.play, seat)]
    return {
        "match": position.id,
        "version": position.version,
        "decisions": [decision(position, open_) for open_ in position.decisions()],
        "moves": moves,
        "refused": refused,
        "table": offers.at_the_table(position, seat),
        "clocks": offers.clocks(position),
    }


def _move(id: str, body: Json, said: Description) -> Json:
    shown = {"id": id, "label": said.label, "body": body, "cost": said.cost, "effects": said.effects}
    if said.parameters:
        shown["parameters"] = {
            name: {"min": least, "max": most} for name, (least, most) in said.parameters.items()
        }
    return shown


def _table_move(id: str, label: str, command: object, position: Position) -> Json:
    body = {"command": wire.of(position.game).command_json(command)}
    return {"id": id, "label": label, "body": body, "cost": {}, "effects": {}}


def _refusal(refusal: Refusal) -> Json:
    reason = {"code": refusal.reason.code, "detail": refusal.reason.detail}
    if refusal.reason.rule:
        reason["rule"] = refusal.reason.rule
    return {"label": refusal.label, "reason": reason, "missing": refusal.missing}


def is_over(position: Position) -> bool:
    """Whether the match is over, so that everything may be shown to all who may see it."""
    return position.state.status == OVER
