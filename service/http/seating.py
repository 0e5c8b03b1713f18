"""Who holds a seat: its token replaced or ended, another person or a bot to play it."""

from typing import Final

from flask import Response

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import EITHER, Answer, Asked, Operation, SchemaBody
from service.http.schemas import Controller, Nothing


def renew_token(face: Face, asked: Asked) -> Response:
    """Replace the token of a seat

    By the seat itself, or by the tenant for a player who lost it. The old token is refused from then on,
    and waits and streams that it had opened end. The new one is shown for this key only; after a lost answer
    the old token may ask once more, with the same key.
    """
    return replies.done(
        *face.matches.renew_token(asked.caller, asked.match, asked.seat, asked.key, asked.fingerprint)
    )


def revoke_token(face: Face, asked: Asked) -> Response:
    """End the token of a seat

    The seat keeps its player but opens to nobody until the tenant replaces the token. Waits and streams that
    it had opened end.
    """
    face.matches.revoke_token(asked.caller, asked.match, asked.seat)
    return replies.nothing()


def hand_over(face: Face, asked: Asked) -> Response:
    """Hand a seat over

    To another person, who gets a new token, or to a bot: by the seat itself, or by the tenant. What the seat
    holds, knows and has chosen stays with it. The old token ends; only a seat that lends itself to a bot
    keeps it, to take itself back with `reclaim_seat`. Everybody sees in the log that it changed hands.
    """
    return replies.done(
        *face.matches.hand_over(
            asked.caller, asked.match, asked.seat, asked.body, asked.key, asked.fingerprint
        )
    )


_GIVEN: Final = ("IdempotencyReplayed", "CacheControl")
_REFUSED: Final = ("match-over", "conflict", "archived", "seat-mismatch", "seat-open", "illegal-move")

OPERATIONS = (
    Operation(
        "POST",
        "/v1/matches/<match>/seats/<seat>/token",
        "renewSeatToken",
        renew_token,
        {200: Answer("The seat and its new token.", "JoinedSeat", _GIVEN)},
        EITHER,
        credential=True,
        scope=scopes.SEATS,
        body=SchemaBody(Nothing),
        keyed=True,
        problems=_REFUSED,
    ),
    Operation(
        "DELETE",
        "/v1/matches/<match>/seats/<seat>/token",
        "revokeSeatToken",
        revoke_token,
        {204: Answer("The seat has no token any more.")},
        EITHER,
        credential=True,
        scope=scopes.SEATS,
        problems=_REFUSED,
    ),
    Operation(
        "PUT",
        "/v1/matches/<match>/seats/<seat>/controller",
        "handOverSeat",
        hand_over,
        {200: Answer("The seat and, for a person, its new token.", "JoinedSeat", _GIVEN)},
        EITHER,
        credential=True,
        scope=scopes.SEATS,
        body=SchemaBody(Controller),
        keyed=True,
        problems=(*_REFUSED, "not-started"),
    ),
)
