"""An operation of the API as a row: route, who may call it, what it reads, what it answers.

The row is registered once, for routing and for the document alike, so that neither can say something else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

import flask
from flask import Response, g, request
from flask_smorest import Blueprint  # type: ignore[import-untyped]  # ships no types
from marshmallow import Schema
from werkzeug.exceptions import RequestEntityTooLarge

from service import access
from service.credentials import NOBODY, Caller
from service.errors import Fault, Forbidden, Unauthenticated
from service.http import auth, conditions, faults, limits, negotiation, schemas, strict_json
from service.http.catalogue import CATALOGUE
from service.http.face import Face, face_of
from service.http.problems import Problem
from service.http.versioning import Deprecation

TENANT: Final = ("TenantKey",)
SEAT: Final = ("SeatToken",)
EITHER: Final = ("TenantKey", "SeatToken")
JOINERS: Final = (*TENANT, "InviteToken")
WATCHERS: Final = (*EITHER, "SpectatorToken")
INVITED: Final = (*WATCHERS, "InviteToken")

_JSON: Final = "application/json"


class Body(Protocol):
    """Reads a request body."""

    @property
    def schema(self) -> Any:
        """The schema, or the name of its component."""

    @property
    def may_be_left_out(self) -> bool:
        """Whether no body at all says the same as an empty object."""

    def read(self, body: dict[str, Any]) -> dict[str, Any]:
        """The body with defaults filled in. Raises Problem `validation`."""


@dataclass(frozen=True, slots=True)
class SchemaBody:
    """A body read by a marshmallow schema."""

    schema: type[Schema]

    @property
    def may_be_left_out(self) -> bool:
        """Whether nothing in it is required."""
        return not any(field.required for field in self.schema().fields.values())

    def read(self, body: dict[str, Any]) -> dict[str, Any]:
        """The body with defaults filled in. Raises Problem `validation`."""
        return schemas.read(self.schema, body)


@dataclass(frozen=True, slots=True)
class Upload:
    """A body that is read line by line: its media type, and the name of its component; `also`: others."""

    media_type: str
    schema: str
    also: Mapping[str, str] = field(default_factory=dict)

    @property
    def kinds(self) -> Mapping[str, str]:
        """The components by media type."""
        return {self.media_type: self.schema, **self.also}


@dataclass(frozen=True, slots=True)
class Answer:
    """A success: what it means, its schema (None: no body), its headers, its media type; `more`: other media
    types it may have, and the component each item of those has; `texts`: others that are texts."""

    description: str
    schema: Any = None
    headers: tuple[str, ...] = ()
    media_type: str = "application/json"
    more: Mapping[str, str] = field(default_factory=dict)
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as the operation sees it, everything checked that can be checked without the match.

    `wants` is the version an If-Match names; `key` and `fingerprint` are empty where no key is needed;
    `accepts` is the media type of the answer."""

    caller: Caller
    path: Mapping[str, str]
    query: Mapping[str, Any]
    body: dict[str, Any]
    key: str = ""
    fingerprint: str = ""
    wants: int | None = None
    lines: Iterator[bytes] = field(default_factory=lambda: iter(()))
    accepts: str = "application/json"

    @property
    def match(self) -> str:
        """The id of the match in the path."""
        return self.path["match"]

    @property
    def seat(self) -> int:
        """The seat in the path. Raises Problem `not-found`."""
        text = self.path["seat"]
        if len(text) != 1 or text not in "0123456789":
            raise Problem("not-found", "there is no such seat")
        return int(text)


View = Callable[[Face, Asked], Response]
# A row -> what is said of the operation, and of the parameters in its path.
Document = Callable[["Operation"], tuple[dict[str, Any], list[dict[str, Any]]]]


@dataclass(frozen=True, slots=True)
class Operation:
    """A row. `security` names the schemes that may be used; `credential` says whether one must be; `scope` is
    what a tenant key must be for, where it may be used. `limited`: whether it counts for the limits.
    `streams`: the answer may be a stream, which a ticket opens as well.
    `problems` are the codes beyond those every operation of its kind can answer with. `deprecation`
    announces the end of the operation in every answer."""

    method: str
    path: str
    id: str
    view: View
    answers: Mapping[int, Answer]
    security: tuple[str, ...] = ()
    credential: bool = False
    scope: str = ""
    query: type[Schema] | None = None
    body: Body | None = None
    upload: Upload | None = None
    keyed: bool = False
    conditional: bool = False
    cached: bool = False
    streams: bool = False
    problems: tuple[str, ...] = ()
    limited: bool = True
    deprecation: Deprecation | None = None

    @property
    def of_match(self) -> bool:
        """Whether it is about one match, so that a client may name the head it knows."""
        return "<match>" in self.path

    @property
    def faults(self) -> tuple[str, ...]:
        """What can be made to go wrong, by clients of a sandbox; nothing where nobody is asked who it is."""
        if not self.security:
            return ()
        found = [faults.DROP_REQUEST, faults.DROP_RESPONSE, faults.BUSY]
        if self.keyed and self.body is not None:
            found.append(faults.DUPLICATE)
        if self.conditional:
            found.append(faults.STALE)
        if self.streams:
            found.append(faults.SLOW)
        return tuple(found)

    @property
    def codes(self) -> tuple[str, ...]:
        """Every problem this operation can answer with, in the order of the catalogue."""
        found = {"internal", "temporarily-unavailable", "validation", *self.problems}
        if self.limited:
            found |= {"rate-limited"}
        if self.security:
            found |= {"unauthenticated", "insecure-transport"}
        if self.credential or self.scope or (self.security and self.of_match):
            found |= {"forbidden"}
        if "<" in self.path:
            found |= {"not-found"}
        if "<match>" in self.path:
            found |= {"ruleset-unsupported"}
        if self.of_match:
            found |= {"history-forked", "archived"}
        if self.body is not None or self.upload is not None:
            found |= {"malformed", "payload-too-large", "unsupported-media-type"}
        if self.keyed:
            found |= {"idempotency-key-required", "idempotency-key-reused"}
        if self.method != "GET":
            found |= {"outcome-unknown"}
        if self.conditional:
            found |= {"stale-version"}
        return tuple(code for code in CATALOGUE if code in found)


def endpoint(operation: Operation) -> Callable[..., Response]:
    """The view function Flask calls for the row."""

    bucket, of_strangers = limits.bucket_of(operation.id, operation.method, operation.path)

    def serve(**path: str) -> Response:
        face = face_of(flask.current_app)
        if operation.deprecation is not None:
            g.deprecation = operation.deprecation
        match = path.get("match")
        if match is not None and schemas.IS_MATCH_ID.fullmatch(match) is None:
            raise Problem("not-found", "there is no such match")
        caller = _caller(operation, face, match)
        if face.limits is None or not operation.limited:
            return _answered(operation, face, _asked(operation, face, caller, path))
        name = bucket if caller.credential else of_strangers
        passed = face.limits.enter(name, caller, match, request.remote_addr)
        g.limit_headers = dict(passed.headers)  # of errors too: see `access_log`
        try:
            return _answered(operation, face, _asked(operation, face, caller, path))
        finally:
            # Before the client can have seen the answer and sent its next request.
            face.limits.leave(passed.client)

    serve.__name__ = operation.id
    return serve


def _answered(operation: Operation, face: Face, asked: Asked) -> Response:
    """The answer, with what the client of a sandbox wants to go wrong."""
    fault = faults.asked_for(face, asked.caller, operation.faults)
    if not fault:
        return operation.view(face, asked)

    def view(overtaken: bool) -> Response:
        if not overtaken:
            return operation.view(face, asked)
        late = faults.overtaken(asked.body) if asked.wants is None else None
        if late is not None:
            return operation.view(face, replace(asked, body=late))
        return operation.view(face, replace(asked, wants=conditions.NO_VERSION))

    return faults.served(fault, view)


def _asked(operation: Operation, face: Face, caller: Caller, path: dict[str, str]) -> Asked:
    match = path.get("match")
    _insist_on_right(operation, caller, match)
    query = _query(operation)
    known = request.headers.get("Wonderlog-Known-Head")
    if match is not None and known is not None:
        face.matches.check_head(caller, match, *conditions.known_head(known))
    if operation.body is None and operation.upload is None:
        accepts = negotiation.page_or_stream() if operation.streams else _JSON
        return Asked(caller, path, query, {}, accepts=accepts)
    key = conditions.idempotency_key(request.headers.get("Idempotency-Key")) if operation.keyed else ""
    if operation.body is None:
        assert operation.upload is not None, "there is one or the other"
        lines = _uploaded(operation.upload, face.settings.largest_upload)
        return Asked(caller, path, query, {}, key, lines=lines)
    if_match = request.headers.get("If-Match") if operation.conditional else None
    wants = conditions.wanted_version(if_match, match or "", conditions.viewer(caller, match or ""))
    body = {} if _has_no_body(operation.body) else _body(face.settings.largest_body)
    fingerprint = conditions.fingerprint(body, if_match)
    return Asked(caller, path, query, operation.body.read(body), key, fingerprint, wants)


def _caller(operation: Operation, face: Face, match: str | None) -> Caller:
    """Who asks; nobody where nobody is asked for a credential. Raises Unauthenticated; Problem `rate-limited`
    when that came too often from this address."""
    if not operation.security:
        return NOBODY
    header = request.headers.get("Authorization")
    ticket = negotiation.ticket() if operation.streams else None
    if (header or ticket) is not None and face.settings.require_tls and request.scheme != "https":
        raise Problem("insecure-transport")
    if ticket is not None:
        _query(operation)  # so that nothing wrong with the rest uses the ticket up
    try:
        if ticket is not None:
            g.caller = caller = face.matches.take_ticket(ticket, match)
            return caller
        g.caller = caller = auth.caller(face.matches, header, match, required=operation.credential)
    except (Unauthenticated, Forbidden):
        if face.limits is not None:
            face.limits.stranger(request.remote_addr)
        raise
    return caller


def _insist_on_right(operation: Operation, caller: Caller, match: str | None) -> None:
    """What can be said of a right before the match is known. Seats and tenants are told by the use cases
    whether a match is theirs, first, and then what is missing. Raises Forbidden."""
    if caller.tenant is not None and operation.scope:
        access.insist_on(caller, operation.scope)
    if caller.scheme and caller.scheme not in operation.security and (caller.role or match is None):
        raise Forbidden(f"this needs another credential: {' or '.join(operation.security)}")


def _query(operation: Operation) -> dict[str, Any]:
    if not request.query_string and operation.query is None:
        return {}
    given = request.args
    twice = [name for name, values in given.lists() if len(values) > 1]
    if twice:
        errors = [Fault(f"/query/{name}", "repeated", "may be given once") for name in twice]
        raise Problem("validation", "a parameter is given twice", errors)
    return schemas.read(operation.query or schemas.Request, given.to_dict(), "/query")


def _has_no_body(wanted: Body) -> bool:
    """Whether there is no body, nor a word about one, where none is needed."""
    says_nothing = request.content_type is None and not request.content_length
    return says_nothing and "Transfer-Encoding" not in request.headers and wanted.may_be_left_out


def _body(largest: int) -> dict[str, Any]:
    if request.content_type != _JSON and (
        request.mimetype != _JSON
        or request.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8")
    ):
        raise Problem("unsupported-media-type", "the body must be application/json, in UTF-8")
    if request.content_encoding is not None:
        raise Problem("unsupported-media-type", "the body must not be packed")
    try:
        raw = request.get_data(cache=False)
    except BlockingIOError:
        raise Problem("malformed", "the body did not arrive in time") from None
    except RequestEntityTooLarge:
        raise _too_large(largest) from None
    if len(raw) > largest:
        raise _too_large(largest)
    try:
        return strict_json.decode(raw)
    except strict_json.MalformedJson as wrong:
        raise Problem("malformed", str(wrong)) from None


def _too_large(largest: int) -> Problem:
    return Problem("payload-too-large", f"a body holds at most {largest // 1024} kB here")


def _uploaded(upload: Upload, largest: int) -> Iterator[bytes]:
    """The lines of the body, one after the other as they arrive. Raises Problem, also while it is read."""
    if request.mimetype not in upload.kinds or request.content_encoding is not None:
        raise Problem("unsupported-media-type", f"the body must be {' or '.join(upload.kinds)}, not packed")
    if request.content_length is not None and request.content_length > largest:
        raise _too_large(largest)
    request.max_content_length = largest + 1
    return _lines(largest)


def _lines(largest: int) -> Iterator[bytes]:
    left = largest
    while True:
        try:
            line = request.stream.readline()
        except BlockingIOError:
            raise Problem("malformed", "the body did not arrive in time") from None
        if not line:
            return
        left -= len(line)
        if left < 0:
            raise _too_large(largest)
        yield line


def blueprint(name: str, description: str, rows: Iterable[Operation], document: Document) -> flask.Blueprint:
    """A blueprint of these rows; `document` says how a row stands in the OpenAPI document."""
    made = Blueprint(name, __name__, description=description)
    for row in rows:
        said, parameters = document(row)
        view = made.doc(**said)(endpoint(row))
        made.add_url_rule(row.path, row.id, view, methods=[row.method], tags=[name], parameters=parameters)
    result: flask.Blueprint = made
    return result
