"""Checking from outside: the signed head of a match, the keys that sign."""

from flask import Response

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import WATCHERS, Answer, Asked, Operation
from service.http.schemas import ProofQuery


def show_proof(face: Face, asked: Asked) -> Response:
    """Read the signed head

    Version and hash of the newest event, or of one of the past, signed: whoever keeps it can prove later
    what the log was. With the commitment to the secrets behind every draw; once the match is over with the
    secrets themselves.
    """
    proof = face.matches.proof(asked.caller, asked.match, asked.query.get("version"))
    return replies.as_json(proof, keeps=replies.AT_HEAD, Vary="Authorization")


def list_keys(face: Face, asked: Asked) -> Response:
    """List the keys that sign

    The key that signs heads and bundles now, and those that did before. Take them over a connection you
    trust, and give the file to `wonderlog verify --keys`.
    """
    return replies.as_json(face.matches.public_keys(), keeps=replies.CATALOGUE)


OPERATIONS = (
    Operation(
        "GET",
        "/v1/matches/<match>/proof",
        "getProof",
        show_proof,
        {200: Answer("The head, signed.", "Proof", ("CacheControl", "Vary"))},
        WATCHERS,
        scope=scopes.READ,
        query=ProofQuery,
    ),
    Operation(
        "GET",
        "/.well-known/wonderlog-keys.json",
        "listPublicKeys",
        list_keys,
        {200: Answer("The keys.", "PublicKeys", ("CacheControl",))},
    ),
)
