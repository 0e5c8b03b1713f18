"""What Schemathesis is told about the service: which match there is, and whose credential goes with what.

Loaded by the command line of Schemathesis (SCHEMATHESIS_HOOKS), never by pytest. `FUZZ_CREDENTIALS` holds, as
JSON, a match that runs, the tokens of its seats, the key of its tenant. Tokens of seats that are taken on the
way are learnt from the answers.
"""

import json
import os
import re
from itertools import count, cycle
from typing import Any
from urllib.parse import urlencode

import schemathesis

KNOWN = json.loads(os.environ["FUZZ_CREDENTIALS"])
TENANT_KEY: str = KNOWN["tenant"]
PINNED: str = KNOWN["match"]
SEATS: dict[str, dict[int, str]] = {PINNED: dict(enumerate(KNOWN["seats"]))}
# Commands of the host; and what would end the one match that has to stay alive: nobody may ask that of it.
HOSTS_OWN = {"start", "cancel"}
FATAL = {"resign"}
CURSORS: set[str] = set()
turn = count()
SEEDS = cycle(
    {"game": game, "seats": [{"kind": kind, **({"bot": "random"} if kind == "bot" else {})}] * seats}
    for game, seats in (("seven-wonders", 3), ("its-a-wonderful-world", 2), ("its-a-wonderful-kingdom", 2))
    for kind in ("bot", "open")
)
LONGEST_QUERY = 3500
STREAMS = 16
STREAM_KINDS = ("text/event-stream", "application/x-ndjson")
followed = count()


def command_types(body: Any) -> set[str]:
    """The types of the commands in a body, whatever else is wrong with it."""
    if not isinstance(body, dict):
        return set()
    listed = body.get("commands") if isinstance(body.get("commands"), list) else [body]
    commands = [each.get("command") for each in listed if isinstance(each, dict)]
    types = [command.get("type") for command in commands if isinstance(command, dict)]
    return {each for each in types if isinstance(each, str)}


def credential(match: str, schemes: set[str], types: set[str]) -> str | None:
    """A token for a request: of a seat of the match where one may be used and is known, else the tenant's."""
    seats = list(SEATS.get(match, {}).values())
    hosts = bool(types & HOSTS_OWN) or (match == PINNED and bool(types & FATAL))
    if "SeatToken" in schemes and seats and not hosts and ("TenantKey" not in schemes or next(turn) % 3):
        return seats[next(turn) % len(seats)]
    return TENANT_KEY if schemes else None


@schemathesis.hook
def before_load_schema(context: Any, document: dict[str, Any]) -> None:
    """The match in a path is the one there is, unless a link leads to another. Conditions on a version of it
    are made up: the examples are of a match elsewhere, and nothing would ever come to pass with them. Tickets
    open one stream once, and are left to the tests of streams."""
    for parameter in document["components"]["parameters"].values():
        if parameter["name"] in ("If-Match", "If-None-Match", "Wonderlog-Known-Head"):
            parameter.pop("example", None)
            parameter.pop("examples", None)
    for item in document["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict):
                operation["parameters"] = [
                    given for given in operation.get("parameters", ()) if given.get("name") != "ticket"
                ]
                security = operation.get("security", [])
                operation["security"] = [option for option in security if "StreamTicket" not in option]
        for parameter in item.get("parameters", ()):
            if parameter.get("in") == "path" and parameter["name"] == "match":
                parameter["schema"] = {"type": "string", "enum": [PINNED]}


@schemathesis.hook
def filter_case(context: Any, case: schemathesis.Case) -> bool:
    """Leave out what is called valid and is not, and addresses that are too long: gunicorn refuses those
    before there is an operation that could document it (test_live.py).

    In the coverage phase Schemathesis 4.32 offers `If-Match: 0` (the number where a string is wanted, spelt
    out) as a valid value of an optional header, whatever its pattern. And no schema can say that a cursor is
    signed: valid are those that were given out."""
    if len(urlencode(case.query or {}, doseq=True)) > LONGEST_QUERY:
        return False
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return True
    for parameter in case.operation.headers:
        value, pattern = case.headers.get(parameter.name), parameter.definition["schema"].get("pattern")
        if value is not None and pattern is not None and re.search(pattern, value) is None:
            return False
    cursor = (case.query or {}).get("cursor")
    return cursor is None or cursor in CURSORS


@schemathesis.hook
def map_case(context: Any, case: schemathesis.Case) -> schemathesis.Case:
    """Every other valid new match is one that can be made and started, or joined, so that links lead on."""
    makes = case.operation.definition.raw["operationId"] == "createMatch"
    if makes and case.meta is not None and case.meta.generation.mode.is_positive and next(turn) % 2:
        case.body = next(SEEDS)
    return case


@schemathesis.auth(refresh_interval=None)
class Credentials:
    """A valid credential for each request that takes one."""

    def get(self, case: schemathesis.Case, context: schemathesis.AuthContext) -> str | None:
        """The token."""
        security = context.operation.definition.raw.get("security", [])
        schemes = {name for option in security for name in option}
        match = (case.path_parameters or {}).get("match")
        return credential(str(match), schemes, command_types(case.body))

    def set(self, case: schemathesis.Case, data: str | None, context: schemathesis.AuthContext) -> None:
        """Put it into the header."""
        if data is not None:
            case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_call(context: Any, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """Ask for some streams, until there were enough: each goes on for a second, as the server is set."""
    if case.operation.definition.raw["operationId"] in ("listEvents", "listFeed"):
        number = next(followed)
        if number < 2 * STREAMS and number % 2:
            case.headers["Accept"] = STREAM_KINDS[number // 2 % 2]


@schemathesis.hook
def after_call(context: Any, case: schemathesis.Case, response: schemathesis.Response) -> None:
    """Learn the tokens and the cursors that are handed out."""
    if case.query is not None and response.status_code == 200 and b'"next_cursor"' in response.content:
        CURSORS.add(response.json().get("next_cursor"))
    match = (case.path_parameters or {}).get("match")
    if response.status_code == 201 and case.operation.definition.raw["operationId"] == "joinMatch":
        seat = response.json()
        if "token" in seat:
            SEATS.setdefault(str(match), {})[seat["seat"]] = seat["token"]


@schemathesis.deserializer("application/x-ndjson")
def a_line(context: Any, response: schemathesis.Response) -> Any:
    """The schema under NDJSON is that of a line: one of them, another each time."""
    return _one_of([line for line in response.content.split(b"\n") if line])


def _one_of(texts: list[bytes]) -> Any:
    return json.loads(texts[next(turn) % len(texts)])


@schemathesis.serializer("application/x-ndjson")
def one_line(context: Any, value: Any) -> bytes:
    """A body of lines, here one."""
    return json.dumps(value).encode() + b"\n"
