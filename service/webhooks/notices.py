"""Notices: what a tenant is told by webhook. Thin on purpose: ids, seats, times; nothing a seat could hide.

They are derived from the log, so that whoever derives them again finds the same ones under the same ids.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from domain.kernel import agreements, table
from domain.kernel import match as match_rules
from events.envelope import Recorded
from service import showing, wire
from service.clock import milliseconds, timestamp
from service.credentials import letters
from service.positions import Position

Json = dict[str, Any]

DECISION_OPENED: Final = "match.decision.opened"
PING: Final = "webhook.ping"
DISABLED: Final = "webhook.disabled"
# Bytes of a body; the standard asks for less than 20 kB.
LARGEST: Final = 20_000


@dataclass(frozen=True, slots=True)
class NoticeType:
    """What a type of notice means, and which members its data has besides `match`, `game`, `title`,
    `version`."""

    words: str
    members: tuple[str, ...] = ()


def _nothing(event: Any) -> Json:
    return {}


def _seat(event: Any) -> Json:
    return {"seat": event.seat}


def _ended(event: Any) -> Json:
    return {"reason": event.reason, "ranking": event.ranking}


# Event of the table -> type of the notice, and the members taken from the event.
_OF_EVENT: Final[Mapping[type, tuple[str, Callable[[Any], Json]]]] = {
    table.MatchCreated: ("match.created", _nothing),
    table.SeatJoined: ("match.seat.joined", lambda event: {"seat": event.seat, "kind": "human"}),
    table.BotSeated: ("match.seat.joined", lambda event: {"seat": event.seat, "kind": "bot"}),
    table.SeatLeft: ("match.seat.left", _seat),
    table.MatchStarted: ("match.started", _nothing),
    table.SeatResigned: ("match.seat.resigned", lambda event: {"seat": event.seat, "reason": event.reason}),
    table.SeatTakenOver: ("match.seat.taken_over", _seat),
    table.SeatReclaimed: ("match.seat.reclaimed", _seat),
    table.SeatHandedOver: ("match.seat.handed_over", lambda event: {"seat": event.seat, "to": event.to}),
    # A sandbox begins with the log it branched off from; it is news as a whole, once.
    table.MatchForked: ("match.created", _nothing),
    agreements.ProposalMade: (
        "match.proposal.made",
        lambda event: {"seat": event.seat, "proposal": event.kind},
    ),
    agreements.MatchPaused: ("match.paused", _nothing),
    agreements.MatchResumed: ("match.resumed", _nothing),
    agreements.MatchUndone: ("match.undone", lambda event: {"seat": event.seat, "reopened": event.reopened}),
    table.MatchEnded: ("match.ended", _ended),
}
_OF_WIRE_NAME: Final = {wire.table_name(cls): row for cls, row in _OF_EVENT.items()}

# What may be told of a match whose spectators are kept waiting, also to who may not see it live.
_NEVER_AHEAD: Final = frozenset(
    {"match.created", "match.seat.joined", "match.seat.left", "match.started", "match.ended"}
)

TYPES: Final[Mapping[str, NoticeType]] = {
    "match.created": NoticeType("A match was set up."),
    "match.seat.joined": NoticeType("A person or a bot sat down.", ("seat", "kind")),
    "match.seat.left": NoticeType("A seat is open again.", ("seat",)),
    "match.started": NoticeType("Play has begun."),
    DECISION_OPENED: NoticeType(
        "The match waits for people: `awaited` are the seats, `deadline_at` is when their time is over, or"
        " null. Dropped instead of delivered late when the decision is closed by then.",
        ("decision", "kind", "awaited", "deadline_at"),
    ),
    "match.seat.resigned": NoticeType("A seat gave up.", ("seat", "reason")),
    "match.seat.taken_over": NoticeType("A bot plays on for an absent person.", ("seat",)),
    "match.seat.reclaimed": NoticeType("The person is back.", ("seat",)),
    "match.seat.handed_over": NoticeType("Somebody else plays a seat: a person, or a bot.", ("seat", "to")),
    "match.proposal.made": NoticeType(
        "A seat proposes to pause or to take moves back; the others are asked.", ("seat", "proposal")
    ),
    "match.paused": NoticeType("Play has stopped for a while."),
    "match.resumed": NoticeType("Play goes on."),
    "match.undone": NoticeType("A move was taken back.", ("seat", "reopened")),
    "match.ended": NoticeType("The match is over.", ("reason", "ranking")),
    PING: NoticeType("You asked for a test.", ("webhook",)),
    DISABLED: NoticeType("Another webhook of yours was switched off.", ("webhook", "reason")),
}


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice. `id` is its `webhook-id`, the same at every derivation and every attempt; `body` the JSON
    that is signed and sent. `match`, `decision`: what it is about, if anything."""

    id: str
    type: str
    at_ms: int
    body: str
    match: str | None = None
    decision: str | None = None
    ahead: bool = False


def make(type: str, at_ms: int, data: Json, *unique: str | int) -> Notice:
    """A notice with an id made from `unique` and its type."""
    told = "\n".join(["wonderlog/notice/1", type, *map(str, unique)])
    id = f"ntc_{letters(hashlib.sha256(told.encode()).digest()[:16])}"
    body = msgspec.json.encode({"type": type, "timestamp": timestamp(at_ms), "data": data}).decode()
    if len(body) > LARGEST:
        raise AssertionError(f"a notice of {len(body)} characters")
    return Notice(id, type, at_ms, body, data.get("match"), data.get("decision"))


def derive(position: Position, records: Iterable[Recorded]) -> list[Notice]:
    """What is to be told of a match at its head, of which `records` are the events nobody was told of yet.

    Of decisions only those still open: what opened and closed meanwhile is superseded."""
    found: list[tuple[int, Notice]] = []
    first = position.version + 1
    for record in records:
        first = min(first, record.version)
        if record.type in _OF_WIRE_NAME:
            type, members = _OF_WIRE_NAME[record.type]
            event = wire.of(position.game).decode(record)
            data = _about(position, record.version) | members(event)
            at_ms = milliseconds(record.occurred_at)
            if isinstance(event, table.MatchForked):
                found.clear()
            found.append((record.version, make(type, at_ms, data, position.id, record.version)))
    for open_ in position.decisions():
        people = [seat for seat in open_.awaited if not _bot(position, seat)]
        if open_.opened >= first and people:
            shown = showing.decision(position, open_)
            data = _about(position, open_.opened) | {
                "decision": open_.id,
                "kind": open_.kind,
                "awaited": people,
                "deadline_at": shown["deadline_at"],
            }
            notice = make(DECISION_OPENED, position.opened_ms(open_), data, position.id, open_.id)
            found.append((open_.opened, notice))
    told = [notice for _, notice in sorted(found, key=lambda each: each[0])]
    if match_rules.shown_to_spectators(position.state) == position.version:
        return told
    return [replace(notice, ahead=notice.type not in _NEVER_AHEAD) for notice in told]


def is_news(position: Position, records: Iterable[Recorded]) -> bool:
    """Whether a commit holds anything to tell; `position` is the match after it."""
    first = position.version + 1
    for record in records:
        if record.type in _OF_WIRE_NAME:
            return True
        first = min(first, record.version)
    return any(open_.opened >= first for open_ in position.decisions())


def is_superseded(position: Position | None, decision: str) -> bool:
    """Whether a decision waits for no person any more. Of a match that cannot be folded here nobody knows."""
    if position is not None and position.unsupported is not None:
        return position.gone is not None
    open_ = None if position is None else position.decision(decision)
    return position is None or open_ is None or all(_bot(position, seat) for seat in open_.awaited)


def _about(position: Position, version: int) -> Json:
    return {
        "match": position.id,
        "game": position.state.game,
        "title": position.game.TITLE,
        "version": version,
    }


def _bot(position: Position, seat: int) -> bool:
    chair = position.state.chairs[seat]
    return chair.played_by_bot or chair.resigned
