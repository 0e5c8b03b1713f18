"""Matches from elsewhere, brought along as bundles."""

from typing import Final

from flask import Response

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import TENANT, Answer, Asked, Operation, Upload
from service.http.stream import NOTATION
from service.http.stream_items import NDJSON

_CREATED: Final = ("Location", "IdempotencyReplayed", "CacheControl")


def import_match(face: Face, asked: Asked) -> Response:
    """Import a match

    The full bundle of a match that is over, of this service or another, as `export` gives it. It is checked
    line by line and decided again by the rules, and refused with the first wrong line. Then it can be seen
    like any match, at any version; it is marked as foreign for ever, it is in no list of matches and no
    statistics, and nobody can play it. The same key again gives the same match. A notation with its key is
    played by the rules and taken as the bundle that makes.
    """
    match, replayed = face.matches.import_bundle(asked.caller, asked.lines, asked.key)
    return replies.made(match, replayed, f"/v1/matches/{match['id']}")


def list_imports(face: Face, asked: Asked) -> Response:
    """List what you have imported"""
    return replies.as_json(face.matches.imports(asked.caller))


def delete_import(face: Face, asked: Asked) -> Response:
    """Delete an imported match

    For good, and for everybody who could see it.
    """
    face.matches.drop_import(asked.caller, asked.path["id"])
    return replies.nothing()


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
        upload=Upload(NDJSON, "BundleUpload", {NOTATION: "NotationUpload"}),
        keyed=True,
        problems=("bundle-refused", "ruleset-unsupported", "quota-exceeded"),
    ),
    Operation(
        "GET",
        "/v1/imports",
        "listImports",
        list_imports,
        {200: Answer("All of them, the newest first.", "ImportList", ("CacheControl",))},
        TENANT,
        credential=True,
        scope=scopes.READ,
    ),
    Operation(
        "DELETE",
        "/v1/imports/<id>",
        "deleteImport",
        delete_import,
        {204: Answer("It is gone.")},
        TENANT,
        credential=True,
        scope=scopes.WRITE,
    ),
)
