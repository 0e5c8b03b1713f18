"""Passes of a match: invites to sit down, spectator tokens to watch."""

from collections.abc import Callable
from typing import Final

from flask import Response

from service import scopes
from service.credentials import INVITE, SPECTATOR
from service.http import replies
from service.http.face import Face
from service.http.operations import TENANT, Answer, Asked, Operation, SchemaBody
from service.http.schemas import NewInvite, NewSpectator


def create_invite(face: Face, asked: Asked) -> Response:
    """Issue an invite

    Whoever holds its token may take a seat, a certain one or any, so many times, until it expires. The token
    is shown for this key only.
    """
    return _issued(face, asked, INVITE)


def list_invites(face: Face, asked: Asked) -> Response:
    """List the invites of a match

    Without their tokens.
    """
    return _listed(face, asked, INVITE)


def show_invite(face: Face, asked: Asked) -> Response:
    """Read about an invite

    Without its token.
    """
    return _shown(face, asked, INVITE)


def revoke_invite(face: Face, asked: Asked) -> Response:
    """End an invite

    Whoever sat down with it stays.
    """
    return _ended(face, asked, INVITE)


def create_spectator(face: Face, asked: Asked) -> Response:
    """Issue a spectator token

    Whoever holds it watches the match, also a private one, and trails behind by its `spectator_delay`. The
    token is shown for this key only.
    """
    return _issued(face, asked, SPECTATOR)


def list_spectators(face: Face, asked: Asked) -> Response:
    """List the spectator tokens of a match

    Without the tokens themselves.
    """
    return _listed(face, asked, SPECTATOR)


def show_spectator(face: Face, asked: Asked) -> Response:
    """Read about a spectator token

    Without the token itself.
    """
    return _shown(face, asked, SPECTATOR)


def revoke_spectator(face: Face, asked: Asked) -> Response:
    """End a spectator token"""
    return _ended(face, asked, SPECTATOR)


def _issued(face: Face, asked: Asked, role: str) -> Response:
    made, replayed = face.matches.issue_pass(
        asked.caller, asked.match, role, asked.body, asked.key, asked.fingerprint
    )
    return replies.made(made, replayed, f"/v1/matches/{asked.match}/{role}s/{made['id']}")


def _listed(face: Face, asked: Asked, role: str) -> Response:
    found = face.matches.passes(asked.caller, asked.match, role)
    return replies.as_json(found, keeps=replies.AT_HEAD, Vary="Authorization")


def _shown(face: Face, asked: Asked, role: str) -> Response:
    found = face.matches.one_pass(asked.caller, asked.match, role, asked.path[role])
    return replies.as_json(found, keeps=replies.AT_HEAD, Vary="Authorization")


def _ended(face: Face, asked: Asked, role: str) -> Response:
    face.matches.end_pass(asked.caller, asked.match, role, asked.path[role])
    return replies.nothing()


_CREATED: Final = ("Location", "IdempotencyReplayed", "CacheControl")
_KINDS: Final[tuple[tuple[str, str, type, tuple[Callable[[Face, Asked], Response], ...]], ...]] = (
    (INVITE, "Invite", NewInvite, (create_invite, list_invites, show_invite, revoke_invite)),
    (
        SPECTATOR,
        "Spectator",
        NewSpectator,
        (create_spectator, list_spectators, show_spectator, revoke_spectator),
    ),
)


def _rows(
    role: str, name: str, schema: type, views: tuple[Callable[[Face, Asked], Response], ...]
) -> tuple[Operation, ...]:
    path, (create, list_all, show, end) = f"/v1/matches/<match>/{role}s", views
    words = "invite" if role == INVITE else "spectator token"
    return (
        Operation(
            "POST",
            path,
            f"create{name}",
            create,
            {201: Answer(f"The {words}.", f"{name}Issued", _CREATED)},
            TENANT,
            credential=True,
            scope=scopes.SEATS,
            body=SchemaBody(schema),
            keyed=True,
            problems=("conflict", "match-over", "archived"),
        ),
        Operation(
            "GET",
            path,
            f"list{name}s",
            list_all,
            {200: Answer(f"Every {words}, oldest first.", f"{name}List", ("CacheControl",))},
            TENANT,
            credential=True,
            scope=scopes.SEATS,
            problems=("match-over", "archived"),
        ),
        Operation(
            "GET",
            f"{path}/<{role}>",
            f"get{name}",
            show,
            {200: Answer(f"The {words}.", name, ("CacheControl",))},
            TENANT,
            credential=True,
            scope=scopes.SEATS,
            problems=("archived",),
        ),
        Operation(
            "DELETE",
            f"{path}/<{role}>",
            f"revoke{name}",
            end,
            {204: Answer(f"The {words} opens nothing any more.")},
            TENANT,
            credential=True,
            scope=scopes.SEATS,
            problems=("match-over", "archived"),
        ),
    )


OPERATIONS = tuple(row for kind in _KINDS for row in _rows(*kind))
