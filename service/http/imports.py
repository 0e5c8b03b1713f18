"""Matches from elsewhere, brought along as bundles."""

from typing import Final

from flask import Response

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import TENANT, Answer, Asked, Operation, Upload
from service.http.stream_items import NDJSON

_CREATED: Final = ("Location", "IdempotencyReplayed", "CacheControl")


def import_match(face: Face, asked: Asked) -> Response:
    """Import a match

    The full bundle of a match that is over, of this service or another, as `export` gives it. It is checked
    line by line and refused with the first wrong one. Then it can be seen like any match, at any version; it
    is marked as foreign for ever, it is in no list and no statistics, and nobody can play it. The same key
    again gives the same match.
    """
    match, replayed = face.matches.import_bundle(asked.caller, asked.lines, asked.key)
    response = replies.as_json(match, 201, Location=f"/v1/matches/{match['id']}")
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return response


OPERATIONS = (
    Operation(
        "POST",
        "/v1/imports",
        "createImport",
        import_match,
        {201: Answer("The match, to be seen and not to be played.", "Match", _CREATED)},
        TENANT,
        credential=True,
        scope=scopes.WRITE,
        upload=Upload(NDJSON, "BundleUpload"),
        keyed=True,
        problems=("bundle-refused", "ruleset-unsupported"),
    ),
)
