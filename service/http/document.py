"""The OpenAPI 3.1 document: how an operation stands in it, and the components all of them share."""

from collections.abc import Mapping
from inspect import getdoc
from typing import Any, Final

from apispec import APISpec

from domain.kernel.game import Game
from service import games
from service.http import (
    faults,
    hooks,
    joint_conditions,
    limits,
    links,
    sandbox,
    statistics,
    unions,
    versioning,
)
from service.http.address import DEFAULT
from service.http.catalogue import CATALOGUE, ProblemType
from service.http.examples import Examples
from service.http.joint_conditions import commanding
from service.http.operations import Answer, Operation
from service.http.shapes import Shape
from service.http.shown import SCHEMAS, STREAM
from service.http.unions import Variant, camel
from service.scopes import SCOPES

VERSION: Final = "1.0.0"
ACCEPTED: Final = (
    (
        "TenantKey",
        "Authorization: Bearer `tk_live_…` or `tk_test_…`. For servers: a tenant's own matches. An operation"
        f" names the scope it needs. {' '.join(f'`{name}`: {words}.' for name, words in SCOPES.items())}",
    ),
    ("SeatToken", "Authorization: Bearer `st_…`. One seat of one match; safe in a browser."),
    ("SpectatorToken", "Authorization: Bearer `vt_…`. Watches one match, public or private."),
    ("InviteToken", "Authorization: Bearer `it_…`. Takes a seat of one match."),
)
TICKET: Final = {
    "type": "apiKey",
    "in": "query",
    "name": "ticket",
    "description": "`stk_…`, from `POST /v1/stream-tickets`: opens one stream, once, within a minute.",
}


def row(operation: Operation, examples: Examples) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What `Blueprint.doc` is told about an operation, and the parameters in its path."""
    summary, _, words = " ".join((getdoc(operation.view) or "").split("\n")).partition("  ")
    said: dict[str, Any] = {
        "operationId": operation.id,
        "summary": summary.strip(),
        "parameters": _parameters(operation),
        "responses": {
            str(status): _answer(operation, answer, examples) for status, answer in operation.answers.items()
        },
        "security": [
            {scheme: [operation.scope] if scheme == "TenantKey" and operation.scope else []}
            for scheme in operation.security
        ],
    }
    if words:
        said["description"] = words.strip()
    if operation.limited:
        own, of_strangers = limits.bucket_of(operation.id, operation.method, operation.path)
        said["x-rate-limit"] = {"stranger": of_strangers}
        if operation.security:
            said["x-rate-limit"] |= {"credential": own}
    if operation.faults:
        said["x-sandbox-faults"] = list(operation.faults)
    if operation.streams:
        said["security"].append({"StreamTicket": []})
    if operation.cached:
        said["responses"]["304"] = {"$ref": "#/components/responses/NotModified"}
    if operation.deprecation is not None:
        said["deprecated"] = True
    if operation.security and not operation.credential:
        said["security"].append({})
    for code in operation.codes:
        kind = CATALOGUE[code]
        codes = [other for other in operation.codes if CATALOGUE[other].status == kind.status]
        said["responses"][str(kind.status)] = {
            "$ref": f"#/components/responses/{_status_name(kind.status)}",
            "description": ", ".join(f"`{other}`" for other in codes),
        }
    if operation.body is not None:
        content: dict[str, Any] = {"schema": operation.body.schema}
        content.update(examples.of_request(operation.id))
        required = not operation.body.may_be_left_out
        said["requestBody"] = {"required": required, "content": {"application/json": content}}
    if operation.upload is not None:
        kinds = {
            media: {"schema": {"$ref": f"#/components/schemas/{schema}"}}
            for media, schema in operation.upload.kinds.items()
        }
        kinds[operation.upload.media_type].update(examples.of_request(operation.id))
        said["requestBody"] = {"required": True, "content": kinds}
    in_path = [
        {"in": "path", "name": name, "required": True, "schema": schema}
        for name, schema in _PATH.items()
        if f"<{name}>" in operation.path
    ]
    return said, in_path


def _answer(operation: Operation, answer: Answer, examples: Examples) -> dict[str, Any]:
    headers = {HEADER_NAMES[name]: {"$ref": f"#/components/headers/{name}"} for name in answer.headers}
    headers |= {HEADER_NAMES[name]: {"$ref": f"#/components/headers/{name}"} for name in _ALWAYS}
    if operation.deprecation is not None:
        headers |= {
            name: {"$ref": f"#/components/headers/{name}"} for name in ("Deprecation", "Sunset", "Link")
        }
    if operation.limited:
        for name in ("RateLimit", "RateLimitPolicy"):
            headers[HEADER_NAMES[name]] = {"$ref": f"#/components/headers/{name}"}
    if operation.faults:
        headers[HEADER_NAMES["SandboxTime"]] = {"$ref": "#/components/headers/SandboxTime"}
    headers["traceparent"] = {"$ref": "#/components/headers/TraceParent"}
    said: dict[str, Any] = {"description": answer.description, "headers": headers}
    if answer.schema is not None:
        schema = answer.schema
        if isinstance(schema, str):
            schema = {"$ref": f"#/components/schemas/{schema}"}
        content: dict[str, Any] = {"schema": schema}
        content.update(examples.of_answer(operation.id))
        said["content"] = {answer.media_type: content}
        for media_type, item in answer.more.items():
            streamed: dict[str, Any] = {"schema": {"$ref": f"#/components/schemas/{item}"}}
            streamed.update(examples.of_answer(f"{operation.id} {media_type}"))
            said["content"][media_type] = streamed
        for media in answer.texts:
            example = examples.of_answer(f"{operation.id} {media}")
            said["content"][media] = {"schema": {"type": "string"}, **example}
    following = links.of(operation.id)
    if following:
        said["links"] = following
    return said


def _parameters(operation: Operation) -> list[str | dict[str, Any]]:
    names: list[str] = ["RequestId", "TraceParent"]
    if operation.keyed:
        names.append("IdempotencyKey")
    if operation.conditional:
        names.append("IfMatch")
    if operation.cached:
        names.append("IfNoneMatch")
    if operation.of_match:
        names.append("KnownHead")
    if operation.streams:
        names.append("LastEventId")
    if operation.faults:
        names.append("SandboxFault")
    found: list[str | dict[str, Any]] = [*names]
    if operation.query is not None:
        found.append({"in": "query", "schema": operation.query})
    return found


def ordered(spec: APISpec, catalogue: Mapping[str, Game]) -> dict[str, Any]:
    """The finished document, in the order people read it; `catalogue`: what a match can be made of."""
    made = spec.to_dict()
    joint_conditions.add_to(made["components"]["schemas"], catalogue)
    if not any("deprecated" in said for item in made["paths"].values() for said in item.values()):
        for name in ("Deprecation", "Sunset"):
            del made["components"]["headers"][name]
    made["webhooks"] = hooks.section()
    parts = ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")
    return {part: made[part] for part in parts}


# Components

STREAM_ITEMS: Final = [
    Variant(name, f"Stream{camel(name)}", SCHEMAS[f"Stream{camel(name)}"]) for name in STREAM
]
_ALWAYS: Final = ("RequestId", "TraceParent", "ApiVersion", "CacheControl", "Vary")
# Of answers that many operations share: of those that are counted, and to credentials of a sandbox.
_SHARED: Final = (*_ALWAYS, "RateLimit", "RateLimitPolicy", "SandboxTime")
HEADER_NAMES: Final[Mapping[str, str]] = {
    "ETag": "ETag",
    "CacheControl": "Cache-Control",
    "Vary": "Vary",
    "Location": "Location",
    "Link": "Link",
    "IdempotencyReplayed": "Idempotency-Replayed",
    "RequestId": "Request-Id",
    "TraceParent": "traceparent",
    "ApiVersion": versioning.HEADER,
    "Deprecation": "Deprecation",
    "Sunset": "Sunset",
    "SandboxTime": sandbox.HEADER,
    "RetryAfter": "Retry-After",
    "Allow": "Allow",
    "WWWAuthenticate": "WWW-Authenticate",
    "ContentDisposition": "Content-Disposition",
    "ContentSecurityPolicy": "Content-Security-Policy",
    "AccelBuffering": "X-Accel-Buffering",
    "RateLimit": "RateLimit",
    "RateLimitPolicy": "RateLimit-Policy",
}
_HEADERS: Final[Mapping[str, tuple[str, Shape]]] = {
    "ETag": ("Match, version, viewer, build and language.", {"type": "string"}),
    "CacheControl": ("How long it keeps.", {"type": "string"}),
    "Vary": ("What the answer depends on.", {"type": "string"}),
    "Location": ("Where the new resource is.", {"type": "string", "format": "uri-reference"}),
    "Link": ('`rel="next"` while there are more.', {"type": "string"}),
    "IdempotencyReplayed": ("`true` when this is the answer of an earlier request.", {"type": "string"}),
    "RequestId": ("The request's id, echoed or new; also the `instance` of a problem.", {"type": "string"}),
    "TraceParent": ("Our span in the trace of the request (W3C Trace Context).", {"type": "string"}),
    "ApiVersion": ("The day of the contract this answer keeps to.", {"type": "string", "format": "date"}),
    "Deprecation": ("Since when the operation is deprecated: `@` and a Unix time.", {"type": "string"}),
    "Sunset": ("When the operation ends, as an HTTP date.", {"type": "string"}),
    "SandboxTime": (
        "What time it is in the sandbox: on every answer to a credential of one, and on no other.",
        {"type": "string", "format": "date-time"},
    ),
    "RetryAfter": ("Seconds.", {"type": "integer", "format": "int32", "minimum": 0}),
    "Allow": ("The methods there are.", {"type": "string"}),
    "RateLimit": (
        "What is left of a limit: `r` requests for `t` seconds.",
        {"type": "string", "examples": ['"reads";r=5990;t=42']},
    ),
    "RateLimitPolicy": (
        "The limit: `q` requests in `w` seconds, or at a time. On every answer that was counted, errors too.",
        {"type": "string", "examples": ['"reads";q=6000;w=60']},
    ),
    "WWWAuthenticate": ("The scheme: Bearer.", {"type": "string"}),
    "ContentDisposition": (
        "The name of the file.",
        {"type": "string", "examples": ['attachment; filename="mat_4sq3nkpwvx2ah5jtz7c6drfyqm.jsonl"']},
    ),
    "ContentSecurityPolicy": ("Of pages and texts: what a browser may load with them.", {"type": "string"}),
    "AccelBuffering": ("Of streams: `no`, for proxies that would hold them back.", {"type": "string"}),
}
_KEY: Final[Shape] = {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,64}$", "minLength": 16, "maxLength": 64}
_PATH: Final[Mapping[str, Shape]] = {
    "match": {"$ref": "#/components/schemas/MatchId"},
    "webhook": {"$ref": "#/components/schemas/WebhookId"},
    "delivery": {"$ref": "#/components/schemas/DeliveryId"},
    "ticket": {"$ref": "#/components/schemas/QueueTicketId"},
    "job": {"$ref": "#/components/schemas/JobId"},
    "seat": {"$ref": "#/components/schemas/SeatNumber"},
    "game": {"type": "string", "maxLength": 64, "examples": ["seven-wonders"]},
    "version": {"$ref": "#/components/schemas/Version"},
    "key": {**_KEY, "examples": ["0198c2a4-6a52-7d1e-9c41-1f0f6f1c2b3a"]},
    "code": {"type": "string", "maxLength": 64, "examples": ["illegal-move"]},
    "id": {"type": "string", "maxLength": 64, "examples": ["3h2q5zc7kx6tnbwe"]},
    "player_ref": {"type": "string", "maxLength": 128, "examples": ["user-4711"]},
    "invite": {"type": "string", "maxLength": 64, "examples": ["3h2q5zc7kx6tnbwe"]},
    "spectator": {"type": "string", "maxLength": 64, "examples": ["3h2q5zc7kx6tnbwe"]},
}
_PARAMETERS: Final[Mapping[str, dict[str, Any]]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "required": True,
        "description": "A new one for each intent, the same one for each retry, with the same body and the"
        " same `If-Match`; bare or quoted. A UUIDv7 is a good choice.",
        "schema": {
            "type": "string",
            "pattern": '^("[A-Za-z0-9_-]{16,64}"|[A-Za-z0-9_-]{16,64})$',
            "maxLength": 66,
            "examples": ["0198c2a4-6a52-7d1e-9c41-1f0f6f1c2b3a"],
        },
    },
    "IfMatch": {
        "name": "If-Match",
        "required": False,
        "description": 'Act only on exactly this version: an entity tag, or its short form `"v42"`.'
        " `*` and lists are refused.",
        "schema": {
            "type": "string",
            "pattern": '^(W/)?"[^"]*"$',
            "examples": ['"v42"'],
        },
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "required": False,
        "description": "Entity tags the client has already: 304 for those.",
        "schema": {"type": "string", "examples": ['"m:mat_4sq3nkpwvx2ah5jtz7c6drfyqm:v42:s2:b1:en"']},
    },
    "KnownHead": {
        "name": "Wonderlog-Known-Head",
        "required": False,
        "description": "Version and hash of the newest event you know. If the log does not contain it, the"
        " answer is `history-forked`: a lost event is never passed over in silence.",
        "schema": {
            "type": "string",
            "pattern": "^[1-9][0-9]{0,8}:[0-9a-f]{64}$",
            "maxLength": 80,
            "examples": ["57:db435382e07a1f76ad75ea156627b637c5234486ba3cb0c2be2bd39d210fbd2e"],
        },
    },
    "TraceParent": {
        "name": "traceparent",
        "required": False,
        "description": "The trace this request belongs to (W3C Trace Context).",
        "schema": {
            "type": "string",
            "examples": ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
        },
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "required": False,
        "description": "Of a stream that is resumed: the cursor of the last event that arrived; wins over"
        " `after`.",
        "schema": {"type": "string", "examples": ["41"]},
    },
    "SandboxFault": {
        "name": faults.HEADER,
        "required": False,
        "description": "For credentials of a sandbox; does nothing with others. What is to go wrong, every"
        " other time this request is sent, first the first time: the connection ends before the request was"
        " heard (`drop-request`) or after it was done (`drop-response`), it arrives twice (`duplicate`, for"
        " what has a key), somebody else was first (`stale`, for commands and changes: 409 `stale-decision`"
        " for a command that names a decision without an `If-Match`, else 412), `429`, or the stream comes in"
        " pieces (`slow-stream`). Each operation lists those it can have as `x-sandbox-faults`; any other is"
        " 400.",
        "schema": {"type": "string", "examples": ["drop-response"]},
    },
    "RequestId": {
        "name": "Request-Id",
        "required": False,
        "description": "An id of your own for this request: 1 to 64 characters of `A-Z a-z 0-9 . _ -` are"
        " echoed, anything else is replaced by a new one.",
        "schema": {"type": "string", "examples": ["req-0198c2a4"]},
    },
}


def components(spec: APISpec, catalogue: Mapping[str, Game], examples: Examples) -> None:
    """Put the shared components into the document."""
    for name, (words, schema) in _HEADERS.items():
        spec.components.header(name, {"description": words, "schema": schema})
    for name, parameter in _PARAMETERS.items():
        spec.components.parameter(name, "header", parameter)
    for name, schema in {**SCHEMAS, **hooks.SCHEMAS, **statistics.SCHEMAS}.items():
        spec.components.schema(name, schema)
    _commands(spec, unions.commands(catalogue))
    _union(spec, "Event", unions.events(catalogue).values(), "An event as the caller sees it; more may come.")
    _union(spec, "Notice", hooks.variants(), "What a webhook is sent; more may come.")
    items = [*unions.events(catalogue).values(), *STREAM_ITEMS]
    words = "An item of a stream, whose body is a sequence of them: an event, or one of the stream's own."
    spec.components.schema("StreamItem", unions.union(items, words))
    _problems(spec, examples)
    not_modified = {
        HEADER_NAMES[name]: {"$ref": f"#/components/headers/{name}"} for name in ("ETag", *_SHARED)
    }
    spec.components.response(
        "NotModified", {"description": "The client has it already.", "headers": not_modified}
    )
    for name, words in ACCEPTED:
        spec.components.security_scheme(name, {"type": "http", "scheme": "bearer", "description": words})
    spec.components.security_scheme("StreamTicket", TICKET)


def _commands(spec: APISpec, commands: Mapping[str, Variant]) -> None:
    _union(spec, "Command", commands.values(), "Everything a seat or the host may ask.")
    body = {
        "type": "object",
        "additionalProperties": False,
        "required": ["command"],
        "properties": {
            "decision": unions.DECISION_ID,
            "command": {"$ref": "#/components/schemas/Command"},
        },
        # Moves of a game name the decision they answer; commands of the table answer none.
        "if": commanding(name for name, variant in commands.items() if variant.decides),
        "then": {"required": ["decision"]},
    }
    spec.components.schema("SendCommand", body)
    batch = {
        "type": "object",
        "additionalProperties": False,
        "required": ["commands"],
        "properties": {
            "commands": {
                "type": "array",
                "minItems": 1,
                "maxItems": unions.LONGEST_BATCH,
                "items": {"$ref": "#/components/schemas/SendCommand"},
                "not": {"contains": commanding(games.HOST_COMMANDS)},
            }
        },
    }
    spec.components.schema("SendCommandBatch", batch)


def _union(spec: APISpec, name: str, variants: Any, words: str, tag: str = "type") -> None:
    listed = list(variants)
    for variant in listed:
        spec.components.schema(variant.component, variant.shape)
    spec.components.schema(name, unions.union(listed, words, tag))


def _problems(spec: APISpec, examples: Examples) -> None:
    spec.components.schema("Fault", _FAULT)
    spec.components.schema("Current", _CURRENT)
    variants = {code: Variant(code, f"{camel(code)}Problem", _problem(code)) for code in CATALOGUE}
    _union(spec, "Problem", variants.values(), "What went wrong; more may come.", "code")
    for status in sorted({kind.status for kind in CATALOGUE.values()}):
        mine = [variants[code] for code, kind in CATALOGUE.items() if kind.status == status]
        kinds = [CATALOGUE[variant.wire] for variant in mine]
        schema: Shape = (
            {"$ref": f"#/components/schemas/{mine[0].component}"}
            if len(mine) == 1
            else unions.union(mine, "Which of them, `code` says.", "code")
        )
        content = {"schema": schema, **examples.of_problems([variant.wire for variant in mine])}
        spec.components.response(
            _status_name(status),
            {
                "description": "; ".join(kind.title for kind in kinds) + ".",
                "headers": _problem_headers(status, kinds),
                "content": {"application/problem+json": content},
            },
        )


def _problem_headers(status: int, kinds: list[ProblemType]) -> dict[str, Any]:
    names = [*_SHARED]
    if any(kind.retry_after_s is not None for kind in kinds):
        names.append("RetryAfter")
    if status == 401:
        names.append("WWWAuthenticate")
    if status == 405:
        names.append("Allow")
    return {HEADER_NAMES[name]: {"$ref": f"#/components/headers/{name}"} for name in names}


_NAMES: Final = {
    400: "BadRequest",
    401: "Unauthenticated",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    406: "NotAcceptable",
    409: "Conflict",
    410: "Gone",
    412: "PreconditionFailed",
    413: "PayloadTooLarge",
    414: "UriTooLong",
    415: "UnsupportedMediaType",
    422: "UnprocessableContent",
    429: "TooManyRequests",
    431: "HeadersTooLarge",
    500: "InternalError",
    501: "NotImplemented",
    503: "Unavailable",
}


def _status_name(status: int) -> str:
    return _NAMES[status]


_FAULT: Final[Shape] = {
    "type": "object",
    "description": "What is wrong where.",
    "required": ["pointer", "code", "detail"],
    "properties": {
        "pointer": {
            "type": "string",
            "description": "A JSON Pointer into the body; for parameters `/query/<name>`, `/header/<name>`,"
            " `/path/<name>`; empty for the request as a whole.",
        },
        "code": {"type": "string", "description": "Stable, for programs."},
        "detail": {"type": "string", "description": "For people."},
    },
}
_CURRENT: Final[Shape] = {
    "type": "object",
    "description": "Where the match stands, so that a client heals in one round trip.",
    "required": ["version", "decision_id", "decision_ids", "cursor"],
    "properties": {
        "version": {"$ref": "#/components/schemas/Version"},
        "decision_id": {
            "type": ["string", "null"],
            "description": "The open decision that concerns the caller.",
        },
        "decision_ids": {"type": "array", "items": {"type": "string"}, "maxItems": 100},
        "cursor": {"$ref": "#/components/schemas/Version"},
    },
}
_EXTENSIONS: Final[Mapping[str, Shape]] = {
    "errors": {"type": "array", "items": {"$ref": "#/components/schemas/Fault"}, "maxItems": 1000},
    "current": {"$ref": "#/components/schemas/Current"},
    "head": {"type": "string", "description": "The cursor of the newest event."},
    "rule": {
        "type": "object",
        "description": "The rule behind a refusal.",
        "required": ["ref"],
        "properties": {"ref": {"type": "string", "examples": ["7W 5.10"]}},
    },
    "retry": {
        "type": "object",
        "description": "Whether and when the same request may be sent again.",
        "required": ["safe", "after_ms"],
        "properties": {
            "safe": {"type": "boolean"},
            "after_ms": {"type": "integer", "format": "int32", "minimum": 0},
        },
    },
}


def _problem(code: str) -> Shape:
    kind = CATALOGUE[code]
    return {
        "type": "object",
        "description": f"{kind.title}. {kind.advice}",
        "required": ["type", "code", "title", "status", "detail", "instance"],
        "properties": {
            "type": {"type": "string", "format": "uri", "description": f"Ends in `/problems/{code}`."},
            "code": {"type": "string", "enum": [code]},
            "title": {"type": "string"},
            "status": {"type": "integer", "format": "int32", "enum": [kind.status]},
            "detail": {"type": "string", "description": "For people; never names anything hidden."},
            "instance": {"type": "string", "description": "The id of the request."},
            **{name: _EXTENSIONS[name] for name in kind.extensions},
        },
    }


SERVERS: Final = [
    {
        "url": "{base}",
        "description": "Wherever it runs; a service that serves this document names its own address.",
        "variables": {"base": {"default": DEFAULT, "description": "Address without a slash."}},
    }
]
