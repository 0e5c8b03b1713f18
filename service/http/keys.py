"""The keys of a tenant, for a key with the scope `admin`; and the origins its browser clients come from."""

from functools import partial
from typing import Final

from flask import Response

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import TENANT, Answer, Asked, Operation, SchemaBody
from service.http.schemas import NewKey, Origins, Rotation


def list_keys(face: Face, asked: Asked) -> Response:
    """List your keys

    Every key the tenant ever had, the oldest first, without secrets. `last_used_at` is right to some minutes.
    """
    return replies.as_json(face.matches.keys(asked.caller), keeps=replies.AT_HEAD, Vary="Authorization")


def show_key(face: Face, asked: Asked) -> Response:
    """Read about a key"""
    key = face.matches.key(asked.caller, asked.path["id"])
    return replies.as_json(key, keeps=replies.AT_HEAD, Vary="Authorization")


def create_key(face: Face, asked: Asked) -> Response:
    """Make a key

    With some of the scopes of the key that asks, or all of them. The key is shown for this Idempotency-Key
    only.
    """
    made, replayed = face.matches.create_key(asked.caller, asked.body, asked.key, asked.fingerprint)
    return replies.made(made, replayed, f"/v1/keys/{made['id']}")


def rotate_key(face: Face, asked: Asked) -> Response:
    """Rotate a key

    Makes a key like it. The old one ends at once, or after an overlap in which both are good; it does not
    end earlier than an overlap says that was granted before, unless it is revoked. The new key is shown for
    this Idempotency-Key only.
    """
    made, replayed = face.matches.rotate_key(
        asked.caller, asked.path["id"], asked.body, asked.key, asked.fingerprint
    )
    return replies.made(made, replayed, f"/v1/keys/{made['id']}")


def revoke_key(face: Face, asked: Asked) -> Response:
    """Revoke a key

    It is refused everywhere within two seconds. A key may revoke itself if it has the scope `admin`, as for
    all that is done with keys; one without it is revoked with another key, or by the operator.
    """
    face.matches.revoke_key(asked.caller, asked.path["id"])
    return replies.nothing()


def show_origins(face: Face, asked: Asked) -> Response:
    """Read the origins of your browser clients"""
    return replies.as_json(face.matches.origins(asked.caller), keeps=replies.AT_HEAD, Vary="Authorization")


def set_origins(face: Face, asked: Asked) -> Response:
    """Set the origins of your browser clients

    Pages of these origins may call the API with credentials of this tenant and its matches. Followed
    everywhere within some seconds.
    """
    return replies.as_json(face.matches.set_origins(asked.caller, asked.body["origins"]))


_CREATED: Final = ("Location", "IdempotencyReplayed", "CacheControl")


_row: Final = partial(Operation, security=TENANT, credential=True, scope=scopes.ADMIN)

OPERATIONS = (
    _row(
        "GET",
        "/v1/keys",
        "listKeys",
        list_keys,
        {200: Answer("Every key, oldest first.", "KeyList", ("CacheControl",))},
    ),
    _row(
        "POST",
        "/v1/keys",
        "createKey",
        create_key,
        {201: Answer("The key, this once.", "KeyIssued", _CREATED)},
        body=SchemaBody(NewKey),
        keyed=True,
    ),
    _row("GET", "/v1/keys/<id>", "getKey", show_key, {200: Answer("The key.", "Key", ("CacheControl",))}),
    _row(
        "DELETE", "/v1/keys/<id>", "revokeKey", revoke_key, {204: Answer("The key opens nothing any more.")}
    ),
    _row(
        "POST",
        "/v1/keys/<id>/rotation",
        "rotateKey",
        rotate_key,
        {201: Answer("The new key, this once.", "KeyIssued", _CREATED)},
        body=SchemaBody(Rotation),
        keyed=True,
        problems=("conflict",),
    ),
    _row(
        "GET",
        "/v1/origins",
        "getOrigins",
        show_origins,
        {200: Answer("The origins.", "OriginList", ("CacheControl",))},
    ),
    _row(
        "PUT",
        "/v1/origins",
        "setOrigins",
        set_origins,
        {200: Answer("The origins from now on.", "OriginList", ("CacheControl",))},
        body=SchemaBody(Origins),
    ),
)
