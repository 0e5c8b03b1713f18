"""Responses that are not errors: JSON, with the headers that say how long it keeps."""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from flask import Response, request

from service.http.conditions import not_modified

AT_HEAD: Final = "private, no-cache"
FOR_EVER: Final = "private, immutable, max-age=31536000"
CATALOGUE: Final = "public, max-age=300"
NEVER: Final = "no-store"

_VARY: Final = "Authorization, Accept, Accept-Language"
_encoder: Final = msgspec.json.Encoder()


def as_json(value: Mapping[str, Any], status: int = 200, *, keeps: str = NEVER, **headers: str) -> Response:
    """The value as a JSON body. `keeps` is the Cache-Control; headers with underscores for dashes."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    response = Response(_encoder.encode(value), status, named, mimetype="application/json")
    response.headers["Cache-Control"] = keeps
    return response


def done(
    value: Mapping[str, Any], replayed: bool, status: int = 200, location: str | None = None
) -> Response:
    """The answer to a request under an idempotency key: whether it is that of before, and where what it made
    is to be found."""
    response = as_json(value, status)
    if location is not None:
        response.headers["Location"] = location
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


def made(value: Mapping[str, Any], replayed: bool, location: str | None) -> Response:
    """The same for a request that has made something: 201."""
    return done(value, replayed, 201, location)


def tagged(value: Mapping[str, Any], tag: str, *, keeps: str) -> Response:
    """The value under an entity tag, or 304 for a client that has it already."""
    headers = {"ETag": tag, "Cache-Control": keeps, "Vary": _VARY}
    if not_modified(request.headers.get("If-None-Match"), tag):
        return Response(status=304, headers=headers)
    return Response(_encoder.encode(value), 200, headers, mimetype="application/json")


def printed(body: bytes) -> Response:
    """A JSON body that changes with a release only: its tag is a hash, caches may keep it a while."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": CATALOGUE, "Vary": "Accept"}
    if not_modified(request.headers.get("If-None-Match"), tag):
        return Response(status=304, headers=headers)
    return Response(body, 200, headers, mimetype="application/json")


def nothing() -> Response:
    """204."""
    return Response(status=204, headers={"Cache-Control": NEVER})
