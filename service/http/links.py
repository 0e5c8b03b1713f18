"""Which answer leads to which request: the OpenAPI links of the document, a row a link.

A row says: after this operation, that one may be asked, with these parameters taken from the request or the
answer (runtime expressions of OpenAPI), and with this body.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_HERE: Final = {"match": "$request.path.match"}
_MADE: Final = {"match": "$response.body#/id"}


@dataclass(frozen=True, slots=True)
class Link:
    """To the operation `to`, for the reason in `words`."""

    to: str
    words: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


LINKS: Final[Mapping[str, tuple[Link, ...]]] = {
    "listGames": (Link("getGame", "A game in full.", {"game": "$response.body#/items/0/name"}),),
    "createMatch": (
        Link("getMatch", "Read the match.", _MADE),
        Link("joinMatch", "Take its first open seat.", _MADE, {}),
        Link("listSeats", "See who sits where.", _MADE),
        Link("sendCommand", "Start it, once every seat is taken.", _MADE, {"command": {"type": "start"}}),
        Link("updateMatch", "Change its options.", _MADE, {"options": {}}),
        Link("getView", "See the table.", _MADE),
        Link("listEvents", "Follow the log.", _MADE),
    ),
    "listMatches": (
        Link("getMatch", "Read a match.", {"match": "$response.body#/items/0/id"}),
        Link("listMatches", "The next page, while there is one.", {"cursor": "$response.body#/next_cursor"}),
    ),
    "createQueueTicket": (
        Link("getQueueTicket", "Wait for a table.", {"ticket": "$response.body#/id"}),
        Link("deleteQueueTicket", "Wait no longer.", {"ticket": "$response.body#/id"}),
    ),
    "createMatchBatch": (Link("getJob", "How far it is.", {"job": "$response.body#/id"}),),
    "joinMatch": (
        Link("getSeat", "Read the seat.", {**_HERE, "seat": "$response.body#/seat"}),
        Link("leaveSeat", "Leave it again.", {**_HERE, "seat": "$response.body#/seat"}),
        Link("listLegalMoves", "See what the seat may do, with its token.", _HERE),
    ),
    "listLegalMoves": (
        Link("sendCommand", "Make the first of the moves.", _HERE, "$response.body#/moves/0/body"),
        Link(
            "sendCommandBatch",
            "Make the first of the moves, as a batch of one.",
            _HERE,
            {"commands": ["$response.body#/moves/0/body"]},
        ),
    ),
    "sendCommand": (
        Link(
            "getCommandOutcome",
            "Look the command up by its key.",
            {**_HERE, "key": "$request.header.Idempotency-Key"},
        ),
        Link("getView", "The table as the command left it.", {**_HERE, "version": "$response.body#/version"}),
    ),
    "sendCommandBatch": (
        Link(
            "getCommandOutcome",
            "Look the batch up by its key.",
            {**_HERE, "key": "$request.header.Idempotency-Key"},
        ),
    ),
    "listEvents": (
        Link("listEvents", "What comes after these.", {**_HERE, "after": "$response.body#/next_after"}),
    ),
}


def of(operation: str) -> dict[str, Any]:
    """The `links` member of the answers of an operation; empty where nothing follows."""
    return {link.to: _shown(link) for link in LINKS.get(operation, ())}


def _shown(link: Link) -> dict[str, Any]:
    shown: dict[str, Any] = {"operationId": link.to, "description": link.words}
    if link.parameters:
        shown["parameters"] = dict(link.parameters)
    if link.body is not None:
        shown["requestBody"] = link.body
    return shown
