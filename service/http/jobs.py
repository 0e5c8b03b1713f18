"""Many matches at once, and the jobs that may take."""

from typing import Final

from flask import Response

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import TENANT, Answer, Asked, Operation, SchemaBody
from service.http.schemas import NewMatchBatch
from service.job_records import FAILED, FINISHED


def create_match_batch(face: Face, asked: Asked) -> Response:
    """Set up many matches at once

    Up to 200, all of them or none: nobody sees one before all are there. Answers 201 when they are, 202
    when that takes longer; then the job says when, whatever becomes of the process that began it.
    """
    job, replayed = face.matches.create_batch(asked.caller, asked.body, asked.key, asked.fingerprint)
    ended = job["status"] in (FINISHED, FAILED)
    return replies.done(job, replayed, 201 if ended else 202, f"/v1/jobs/{job['id']}")


def show_job(face: Face, asked: Asked) -> Response:
    """Read a job

    `queued`, `started`, `finished` with a result, or `failed` and undone. Kept for a week after its end.
    """
    return replies.as_json(face.matches.job(asked.caller, asked.path["job"]))


_CREATED: Final = ("Location", "IdempotencyReplayed", "CacheControl")

OPERATIONS = (
    Operation(
        "POST",
        "/v1/match-batches",
        "createMatchBatch",
        create_match_batch,
        {
            201: Answer("All matches are there; or, in a job that `failed`, none.", "Job", _CREATED),
            202: Answer("They will be.", "Job", _CREATED),
        },
        TENANT,
        credential=True,
        scope=scopes.WRITE,
        body=SchemaBody(NewMatchBatch),
        keyed=True,
    ),
    Operation(
        "GET",
        "/v1/jobs/<job>",
        "getJob",
        show_job,
        {200: Answer("The job.", "Job", ("CacheControl",))},
        TENANT,
        credential=True,
        scope=scopes.READ,
    ),
)
