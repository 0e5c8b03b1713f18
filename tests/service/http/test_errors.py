"""Every error is a problem document with a stable type, the right status, and nothing hidden in it."""

import base64
import dataclasses
import hashlib
import html
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from werkzeug.test import TestResponse

from domain.kernel.errors import Reason
from events.archive import Tombstone, engrave
from events.store import Archived, KeyReused, OutcomeUnknown, StoreUnavailable, VersionConflict
from service.errors import Current, InviteInvalid, NotReady, Refused, RulesetUnsupported
from service.http import face as faces
from service.http.catalogue import CATALOGUE
from service.http.face import face_of
from service.http.problems import Problem
from tests.events.sample import put_away
from tests.service.http.conftest import Api, Seated, Table

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Case:
    """A request that must fail: who sends what where, and what comes back."""

    method: str
    path: str
    who: str | None
    status: int
    code: str
    pointers: tuple[str, ...] | None = None
    headers: Mapping[str, str | None] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)


Row = tuple[str, Case]


def get(name: str, path: str, status: int, code: str, who: str | None = None, **headers: str) -> Row:
    """A GET."""
    return name, Case("GET", path, who, status, code, None, headers)


def query(name: str, path: str, pointer: str, who: str | None = None) -> Row:
    """A GET with a parameter that is refused."""
    return name, Case("GET", path, who, 400, "validation", (pointer,))


def other(name: str, method: str, path: str, status: int, code: str, who: str | None = None) -> Row:
    """Another method, without a body."""
    return name, Case(method, path, who, status, code)


def malformed(name: str, raw: bytes) -> Row:
    """Text that is no JSON as it is read here."""
    more = {"data": raw, "content_type": JSON}
    return name, Case("POST", "/v1/matches", "host", 400, "malformed", None, {}, more)


def media(name: str, content_type: str | None, **headers: str) -> Row:
    """A body of another kind."""
    more = {"data": b"{}", "content_type": content_type}
    return name, Case("POST", "/v1/matches", "host", 415, "unsupported-media-type", None, headers, more)


def new(name: str, change: dict[str, Any], *pointers: str) -> Row:
    """A match that cannot be set up."""
    more = {"json": {**NEW, **change}}
    return name, Case("POST", "/v1/matches", "host", 400, "validation", pointers, {}, more)


def sit(name: str, body: dict[str, Any], *pointers: str) -> Row:
    """A seat that cannot be taken, because of the body."""
    return name, Case("POST", "{match}/seats", "host", 400, "validation", pointers, {}, {"json": body})


def command(name: str, body: dict[str, Any], *pointers: str) -> Row:
    """A command that does not fit its schema."""
    return name, Case("POST", "{match}/commands", "seat 0", 400, "validation", pointers, {}, {"json": body})


def send(
    name: str, who: str | None, body: dict[str, Any], status: int, code: str, **headers: str | None
) -> Row:
    """A command that fits its schema and is refused."""
    return name, Case("POST", "{match}/commands", who, status, code, None, headers, {"json": body})


def seat(name: str, body: dict[str, Any], status: int, code: str) -> Row:
    """A seat that cannot be taken, because of the table."""
    return name, Case("POST", "{match}/seats", "host", status, code, None, {}, {"json": body})


UNKNOWN = "/v1/matches/mat_" + "a" * 26
CARD = {"type": "discard_for_coins", "card": "altar"}
MOVE = {"decision": "d1.choose", "command": CARD}
START = {"command": {"type": "start"}}
RESIGN = {"command": {"type": "resign"}}
EXPIRE = {"command": {"type": "expire_deadline", "decision": "d1.choose"}}
NEW = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}
OPEN = {"kind": "open"}
BOT = {"kind": "bot", "bot": "random"}
NO_SUCH_PATH = (404, "not-found")
NO_CREDENTIAL = (401, "unauthenticated")
TICKET = "stk_" + "a" * 52
SSE = "text/event-stream"

ROWS = [
    # Addresses and methods
    get("an unknown address", "/v1/nothing", *NO_SUCH_PATH),
    get("a slash at the end", "/v1/games/", *NO_SUCH_PATH),
    get("two slashes", "/v1//games", *NO_SUCH_PATH),
    get("a path upwards", "/v1/../etc/passwd", *NO_SUCH_PATH),
    get("an unknown game", "/v1/games/chess", *NO_SUCH_PATH),
    get("an unknown problem", "/problems/none", *NO_SUCH_PATH),
    get("a match id that cannot be one", "/v1/matches/x}:events", *NO_SUCH_PATH),
    get("an unknown match", UNKNOWN, *NO_SUCH_PATH),
    get("an unknown match, as a tenant", UNKNOWN, *NO_SUCH_PATH, "host"),
    get("a seat that is no number", "{match}/seats/x", *NO_SUCH_PATH),
    get("a seat beyond the table", "{match}/seats/6", *NO_SUCH_PATH),
    get("a version that is not there yet", "{match}/view?version=999", *NO_SUCH_PATH),
    other("a seat far beyond the table", "DELETE", "{match}/seats/99", *NO_SUCH_PATH, "host"),
    other("a method there is not", "PUT", "/v1/games", 405, "method-not-allowed"),
    other("a method there is not, with a path", "PUT", "{match}", 405, "method-not-allowed"),
    other("a method nobody knows", "BREW", "/v1/games", 405, "method-not-allowed"),
    # Credentials
    get("no credential", "/v1/matches", *NO_CREDENTIAL),
    get("a token of nobody", "{match}", *NO_CREDENTIAL, "garbage"),
    get("a token that looks like a key", "{match}", *NO_CREDENTIAL, "forged key"),
    get("a token that looks like a seat's", "{match}", *NO_CREDENTIAL, "forged seat"),
    get("another scheme", "{match}", *NO_CREDENTIAL, Authorization="Basic YTpi"),
    get("a scheme alone", "{match}", *NO_CREDENTIAL, Authorization="Bearer "),
    get("a seat, to list matches", "/v1/matches", 403, "forbidden", "seat 0"),
    get("a host, to see legal moves", "{match}/legal-moves", 403, "forbidden", "host"),
    send("no credential, for a write", None, START, *NO_CREDENTIAL),
    send("no credential, before the schema", None, {"x": 1}, *NO_CREDENTIAL),
    send("a seat, to start", "seat 0", START, 403, "forbidden"),
    send("a host, to move", "host", MOVE, 403, "forbidden"),
    send("another tenant, to start", "stranger", START, *NO_SUCH_PATH),
    other("a seat, to leave another", "DELETE", "{match}/seats/1", 403, "seat-mismatch", "seat 0"),
    # Query strings
    query("an unknown parameter", "/v1/games?x=1", "/query/x"),
    query("an unknown one among known", "{match}/view?seat=1", "/query/seat"),
    query("a parameter twice", "{match}/events?after=1&after=2", "/query/after"),
    query("a wait too long", "{match}/events?wait=31", "/query/wait"),
    query("a limit of zero", "{match}/events?limit=0", "/query/limit"),
    query("a limit too large", "/v1/matches?limit=201", "/query/limit", "host"),
    query("a negative number", "{match}/events?after=-1", "/query/after"),
    query("a number with a plus", "{match}/events?after=%2B1", "/query/after"),
    query("digits of another script", "{match}/view?version=%D9%A3", "/query/version"),
    query("a number far too large", "{match}/view?version=99999999999", "/query/version"),
    query("an unknown status", "/v1/matches?status=x", "/query/status", "host"),
    query("a cursor of nobody", "/v1/matches?cursor=abcd", "/query/cursor", "host"),
    query("a key that cannot be one", "{match}/commands/short", "/path/key", "host"),
    get("events as a table", "{match}/events", 406, "not-acceptable", Accept="text/csv"),
    get("a feed cursor of nobody", "/v1/events?after=9.00000000", 410, "cursor-expired", "host"),
    get("a version the log has not", "{match}/events?after=999", 410, "cursor-expired", "seat 0"),
    get("to wait after such a version", "{match}/events?after=999&wait=9", 410, "cursor-expired", "host"),
    query("a feed cursor that cannot be one", "/v1/events?after=9", "/query/after", "host"),
    query("a ticket for a page", f"{{match}}/events?ticket={TICKET}", "/query/ticket"),
    get("a ticket of nobody", f"{{match}}/events?ticket={TICKET}", *NO_CREDENTIAL, Accept=SSE),
    get("two credentials", f"{{match}}/events?ticket={TICKET}", 400, "validation", "host", Accept=SSE),
    # Bodies as text
    malformed("no body", b""),
    malformed("half a body", b'{"game":'),
    malformed("an array", b"[]"),
    malformed("bytes that are not UTF-8", b'{"game":"\xff"}'),
    malformed("a lone surrogate", b'{"game":"\\ud800"}'),
    malformed("a member twice", b'{"game":"a","game":"b"}'),
    malformed("NaN", b'{"game":NaN}'),
    malformed("a huge integer", b'{"game":' + b"9" * 5000 + b"}"),
    malformed("deep nesting", b'{"a":' * 9000 + b"1" + b"}" * 9000),
    media("a form", "application/x-www-form-urlencoded"),
    media("no media type", None),
    media("JSON in another charset", "application/json; charset=latin-1"),
    media("a packed body", JSON, Content_Encoding="gzip"),
    # Bodies against their schemas
    new("an unknown member", {"seed": 1}, "/seed"),
    new("a member with odd characters", {"a/b~": 1}, "/a~1b~0"),
    new("an unknown game to play", {"game": "chess"}, "/game"),
    new("a game that is a number", {"game": 7}, "/game"),
    new("too few seats", {"seats": [OPEN]}, "/seats"),
    new("too many seats", {"seats": [OPEN] * 8}, "/seats"),
    new("a bot without a name", {"seats": [{"kind": "bot"}, OPEN]}, "/seats/0/bot"),
    new("a person with a bot's name", {"seats": [{**BOT, "kind": "open"}, OPEN]}, "/seats/0/bot"),
    new("a bot nobody knows", {"seats": [OPEN, {**BOT, "bot": "deep-blue"}]}, "/seats/1/bot"),
    new("a seat of an unknown kind", {"seats": [{"kind": "x"}]}, "/seats/0/kind"),
    new("an option there is not", {"options": {"x": 1}}, "/options/x"),
    new("an option with a wrong value", {"options": {"sides": 1.5}}, "/options/sides"),
    new("midnight, without days", {"options": {"daily_anchor_minute": 0}}, "/options/daily_anchor_minute"),
    new("an option without a name", {"options": {"": 1}}, "/options/"),
    new("options that are a list", {"options": []}, "/options"),
    new("an unknown visibility", {"visibility": "x"}, "/visibility"),
    new("two faults", {"visibility": "x", "seed": 1}, "/visibility", "/seed"),
    sit("a name too long", {"name": "x" * 81}, "/name"),
    sit("a name with a line break", {"name": "a\nb"}, "/name"),
    sit("a name that ends with a line break", {"name": "Ann\n"}, "/name"),
    sit("entropy that ends with a line break", {"entropy": "ab\n"}, "/entropy"),
    sit("entropy that is not hex", {"entropy": "xy"}, "/entropy"),
    sit("a bot nobody knows, to sit down", {**BOT, "bot": "deep-blue"}, "/bot"),
    sit("entropy for a bot", {**BOT, "entropy": "ab"}, "/entropy"),
    sit("a seat that is text", {"seat": "0"}, "/seat"),
    sit("a seat that is true", {"seat": True}, "/seat"),
    command("a command without a type", {"command": {}}, "/command/type"),
    command("no command", {}, "/command"),
    command("a command nobody knows", {"command": {"type": "cheat"}}, "/command/type"),
    command("a command of the service", EXPIRE, "/command/type"),
    command("a seat in a command", {**MOVE, "command": {**CARD, "seat": 1}}, "/command/seat"),
    command("a player beside a command", {**MOVE, "playerID": 1}, "/playerID"),
    command("a decision that ends with a line break", {**MOVE, "decision": "d9.choose\n"}, "/decision"),
    command("a move without its decision", {"command": CARD}, "/decision"),
    command("a decision that cannot be one", {**MOVE, "decision": "now"}, "/decision"),
    # Keys and conditions
    send("no key", "seat 0", MOVE, 400, "idempotency-key-required", Idempotency_Key=None),
    send("a short key", "seat 0", MOVE, 400, "idempotency-key-required", Idempotency_Key="short"),
    send("If-Match: *", "seat 0", MOVE, 400, "validation", If_Match="*"),
    send("a list of tags", "seat 0", MOVE, 400, "validation", If_Match='"v1", "v2"'),
    send("an old version", "host", START, 412, "stale-version", If_Match='"v1"'),
    send("another version than any", "host", START, 412, "stale-version", If_Match='"w1"'),
    # The table
    send("a move before the start", "seat 0", MOVE, 409, "not-started"),
    send("to resign before the start", "seat 0", RESIGN, 409, "not-started"),
    seat("to sit where all is taken", {}, 409, "seat-taken"),
    seat("to sit on a taken seat", {"seat": 1}, 409, "seat-taken"),
    seat("to sit beyond the table", {"seat": 5}, 422, "illegal-move"),
    (
        "a body too large",
        Case(
            "POST", "/v1/matches", "host", 413, "payload-too-large", None, {}, {"json": {"game": "x" * 65536}}
        ),
    ),
    (
        "a seat, to set up a match",
        Case("POST", "/v1/matches", "seat 0", 403, "forbidden", None, {}, {"json": NEW}),
    ),
]


def check_problem(answer: TestResponse, status: int, code: str) -> dict[str, Any]:
    """The problem document, after everything that holds for all of them has been checked."""
    assert answer.status_code == status, answer.text
    assert answer.mimetype == "application/problem+json"
    problem: dict[str, Any] = json.loads(answer.data)
    kind = CATALOGUE[code]
    allowed = {"type", "code", "title", "status", "detail", "instance", *kind.extensions}
    assert set(problem) <= allowed
    assert problem["type"] == f"http://localhost/problems/{code}"
    assert problem["code"] == code
    assert problem["status"] == status == kind.status
    assert problem["title"] == kind.title
    assert problem["instance"] == answer.headers["Request-Id"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert ("Retry-After" in answer.headers) == (kind.retry_after_s is not None) == ("retry" in problem)
    assert ("WWW-Authenticate" in answer.headers) == (status == 401)
    assert ("Allow" in answer.headers) == (status == 405)
    for fault in problem.get("errors", []):
        assert set(fault) == {"pointer", "code", "detail"}
        assert re.fullmatch(r"(/[^/]*)*", fault["pointer"])
    return problem


@pytest.mark.parametrize("case", [case for _, case in ROWS], ids=[name for name, _ in ROWS])
def test_the_request_is_refused_with_a_problem(
    case: Case, api: Api, seated: Seated, log: pytest.LogCaptureFixture
) -> None:
    table = seated()
    tokens = {
        None: None,
        "host": table.host,
        "seat 0": table.seats[0],
        "stranger": api.tenant("other"),
        "garbage": "hello-world",
        "forged key": "tk_live_" + "a" * 16 + "_" + "b" * 52,
        "forged seat": table.seats[0][:-4] + ("aaaa" if table.seats[0][-4:] != "aaaa" else "bbbb"),
    }
    headers = {name.replace("_", "-"): value for name, value in case.headers.items()}
    path = case.path.replace("{match}", table.path)
    answer = api.ask(case.method, path, tokens[case.who], headers=headers, **case.more)
    problem = check_problem(answer, case.status, case.code)
    if case.pointers is not None:
        assert [fault["pointer"] for fault in problem["errors"]] == list(case.pointers)
    if case.status in (409, 412, 422):
        version = api.get(table.path, table.host).json["version"]
        assert problem["current"] == {
            "version": version,
            "decision_id": None,
            "decision_ids": [],
            "cursor": version,
        }
    assert_nothing_leaked(answer, log, [*api.secrets, tokens["garbage"] or "", tokens["forged seat"] or ""])


def assert_nothing_leaked(answer: TestResponse, log: pytest.LogCaptureFixture, secrets: list[str]) -> None:
    """No token, and nothing of a token's secret part, in the answer or in any log line."""
    logged = log.text + "".join(str(record.__dict__) for record in log.records)
    for secret in secrets:
        tail = secret.rpartition("_")[2]
        assert tail not in answer.text
        assert tail not in logged
        assert tail not in str(answer.headers)


def test_a_head_request_fails_without_a_body(api: Api) -> None:
    answer = api.ask("HEAD", "/v1/nothing")
    assert (answer.status_code, answer.data) == (404, b"")


def test_405_says_which_methods_there_are(api: Api, seated: Seated) -> None:
    assert api.ask("PUT", "/v1/matches").headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    assert api.ask("POST", f"{seated().path}/seats/1").headers["Allow"] == "DELETE, GET, HEAD, OPTIONS"


def running(seated: Seated) -> Table:
    return seated().start()


def test_a_closed_decision_is_stale_and_the_answer_heals(seated: Seated) -> None:
    table = running(seated)
    first = table.moves(0)[0]
    for seat in range(3):
        assert table.send(seat, table.moves(seat)[0]).status_code == 200
    problem = check_problem(table.send(0, first), 409, "stale-decision")
    current = problem["current"]
    legal = table.api.get(f"{table.path}/legal-moves", table.seats[0]).json
    assert current["version"] == current["cursor"] == legal["version"]
    assert current["decision_id"] == legal["decisions"][0]["id"] == current["decision_ids"][0]
    healed = {**table.moves(0)[0], "decision": current["decision_id"]}
    assert table.send(0, healed).status_code == 200


def test_a_move_the_rules_forbid_names_rule_and_reason(seated: Seated) -> None:
    table = running(seated)
    body = {**table.moves(0)[0], "command": {"type": "build_structure", "card": "palace"}}
    problem = check_problem(table.send(0, body), 422, "illegal-move")
    assert problem["errors"][0]["code"] and problem["detail"] == problem["errors"][0]["detail"]
    assert problem["rule"]["ref"].startswith("7W ")
    assert problem["current"]["decision_id"] == body["decision"]


def test_why_a_card_is_refused_does_not_say_who_holds_it(seated: Seated) -> None:
    """A card in a neighbour's hand and a card that is in nobody's are refused in the same words."""
    table = running(seated)
    hands = [table.api.get(f"{table.path}/view", token).json["state"]["hand"] for token in table.seats]
    theirs = next(card for card in hands[1] if card not in hands[0])
    decision = table.moves(0)[0]["decision"]
    answers = []
    for card in (theirs, "palace", "no_such_card"):
        body = {"decision": decision, "command": {"type": "discard_for_coins", "card": card}}
        problem = check_problem(table.send(0, body), 422, "illegal-move")
        problem.pop("instance")
        answers.append(json.dumps(problem).replace(card, "?"))
    assert answers[0] == answers[1] == answers[2]


def test_after_the_end_everything_is_over(seated: Seated) -> None:
    table = seated().cancel()
    move = {"command": {"type": "resign"}}
    check_problem(table.send(0, move), 409, "match-over")
    check_problem(table.api.post(f"{table.path}/commands", START, table.host), 409, "match-over")
    check_problem(table.api.ask("DELETE", f"{table.path}/seats/0", table.host), 409, "match-over")


def test_a_match_starts_once_and_with_all_seats_taken(seated: Seated) -> None:
    table = seated(open_seats=1)
    commands = f"{table.path}/commands"
    check_problem(table.api.post(commands, START, table.host), 409, "seats-open")
    check_problem(table.api.ask("DELETE", f"{table.path}/seats/2", table.host), 409, "seat-open")
    table.api.post(f"{table.path}/seats", {"kind": "bot", "bot": "random"}, table.host)
    table.start()
    check_problem(table.api.post(commands, START, table.host), 409, "already-started")
    check_problem(table.api.post(f"{table.path}/seats", {}, table.host), 409, "already-started")
    check_problem(table.api.ask("DELETE", f"{table.path}/seats/0", table.seats[0]), 409, "already-started")


def test_who_is_not_awaited_is_told_so(seated: Seated) -> None:
    table = running(seated)
    assert table.send(0, {"command": {"type": "resign"}}).status_code == 200
    move = {"decision": table.moves(1)[0]["decision"], "command": {"type": "withdraw"}}
    check_problem(table.send(0, move), 409, "not-your-decision")
    check_problem(table.send(1, {"command": {"type": "reclaim_seat"}}), 409, "not-your-decision")


def test_nothing_moves_in_a_pause_and_nothing_is_taken_back_where_that_is_off(seated: Seated) -> None:
    table = running(seated)
    path, ann = f"{table.path}/commands", table.seats[0]
    check_problem(table.api.post(path, {"command": {"type": "undo"}}, ann), 409, "undo-refused")
    move = table.api.get(f"{table.path}/legal-moves", ann).json["moves"][0]["body"]
    assert table.api.post(path, {"command": {"type": "pause"}}, table.host).status_code == 200
    refused = check_problem(table.api.post(path, move, ann), 409, "match-paused")
    assert refused["errors"][0]["code"] == "match-paused" and refused["current"]["version"]
    assert table.api.get(f"{table.path}/legal-moves", ann).json["moves"] == []
    assert table.api.post(path, {"command": {"type": "resume"}}, table.host).status_code == 200
    assert table.api.post(path, move, ann).status_code == 200


def test_a_key_used_for_another_request_is_refused(seated: Seated) -> None:
    table = running(seated)
    moves = table.moves(0)
    key = "k" * 20
    assert table.send(0, moves[0], Idempotency_Key=key).status_code == 200
    check_problem(table.send(0, moves[1], Idempotency_Key=key), 422, "idempotency-key-reused")
    check_problem(
        table.send(0, moves[0], Idempotency_Key=key, If_Match='"v12"'), 422, "idempotency-key-reused"
    )


def test_a_refusal_does_not_use_the_key_up(seated: Seated) -> None:
    table = running(seated)
    good = table.moves(0)[0]
    bad = {**good, "command": {"type": "build_structure", "card": "palace"}}
    assert table.send(0, bad, Idempotency_Key="k" * 20).status_code == 422
    assert table.send(0, good, Idempotency_Key="k" * 20).status_code == 200


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_match_that_was_removed_is_gone_for_its_host_and_unknown_to_others(
    api: Api, seated: Seated, visibility: str
) -> None:
    table = seated(visibility).cancel()
    put_away(api.services.adapters.archive.moves, table.id, engrave(Tombstone("acme")))
    stranger, rest = api.tenant("other"), ("", "/view", "/events", "/seats", "/export", "/proof")
    for path in rest:
        check_problem(api.get(table.path + path, table.host), 410, "archived")
        check_problem(api.get(table.path + path), 404, "not-found")
        check_problem(api.get(table.path + path, stranger), 404, "not-found")
        check_problem(api.get(table.path + path, table.seats[0]), 401, "unauthenticated")
    for who, code in ((table.host, "archived"), (stranger, "not-found"), (table.seats[0], "unauthenticated")):
        sent = api.post(f"{table.path}/commands", START, who)
        check_problem(sent, {"archived": 410, "not-found": 404}.get(code, 401), code)


def test_a_tombstone_nobody_can_read_tells_nothing(api: Api, seated: Seated) -> None:
    table = seated().cancel()
    put_away(api.services.adapters.archive.moves, table.id, "elsewhere")
    check_problem(api.get(table.path, table.host), 404, "not-found")
    check_problem(api.get(table.path), 404, "not-found")


class Failing:
    """Use cases that all fail in the same way; a secret is in the message."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.cause = KeyError("st_cause_secret")

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def fail(*_: Any, **__: Any) -> Any:
            raise self.error from self.cause

        return fail


FAILURES = [
    (RuntimeError("st_secret palace"), 500, "internal"),
    (VersionConflict(7), 500, "internal"),
    (StoreUnavailable("redis://:st_secret@host"), 503, "temporarily-unavailable"),
    (OutcomeUnknown("st_secret"), 503, "outcome-unknown"),
    (NotReady(["streams: evicts"]), 503, "temporarily-unavailable"),
    (KeyReused("st_secret"), 422, "idempotency-key-reused"),
    (Archived("st_secret"), 410, "archived"),
    (InviteInvalid(), 410, "invite-invalid"),
    (Problem("insecure-transport"), 403, "insecure-transport"),
    (RulesetUnsupported("its-a-wonderful-kingdom/1.0.0+own-1@00112233"), 409, "ruleset-unsupported"),
    (Refused(Reason("odd", "an odd thing"), "something-new", Current(1, None, (), 1)), 409, "conflict"),
]


@pytest.mark.parametrize(("error", "status", "code"), FAILURES, ids=[type(f[0]).__name__ for f in FAILURES])
def test_a_failure_of_ours_is_a_problem_and_says_nothing(
    error: Exception, status: int, code: str, api: Api, log: pytest.LogCaptureFixture
) -> None:
    broken: Any = Failing(error)
    api.documented = status >= 500 and code != "outcome-unknown"
    faces.install(api.app, dataclasses.replace(face_of(api.app), matches=broken))
    answers = [
        api.get("/v1/games"),
        api.get("/healthz/ready"),
        api.get("/v1/matches/mat_" + "a" * 26 + "/export"),
        api.post("/v1/matches", {}, "tk_live_x"),
    ]
    for answer in answers:
        check_problem(answer, status, code)
        assert "secret" not in answer.text
    assert "secret" not in log.text and "palace" not in log.text
    if status == 500:
        assert f"request {answers[0].headers['Request-Id']} failed" in log.text
        assert "in fail" in log.text, "where it happened is logged"


def test_the_tests_provoke_every_problem_of_the_application() -> None:
    here = {case.code for _, case in ROWS} | {code for _, _, code in FAILURES}
    here |= {
        "stale-decision",
        "match-over",
        "seats-open",
        "seat-open",
        "already-started",
        "not-your-decision",
        "history-forked",  # test_proofs.py
        "bundle-refused",  # test_imports.py
        "match-paused",
        "undo-refused",
        "too-many-streams",  # test_streams.py
    }
    here |= {"quota-exceeded", "webhook-off", "rate-limited"}  # in test_webhooks.py, test_limits.py
    # These three are gunicorn's; test_live.py provokes them on the wire.
    assert set(CATALOGUE) - here == {"uri-too-long", "headers-too-large", "not-implemented"}


def test_every_type_has_its_page(api: Api) -> None:
    for code, kind in CATALOGUE.items():
        answer = api.get(f"/problems/{code}")
        assert answer.status_code == 200 and answer.mimetype == "text/html"
        shown = html.unescape(re.sub(r"</?code>", "`", answer.text))
        assert kind.title in shown and kind.advice in shown
        (style,) = re.findall(r"<style>(.*)</style>", answer.text)
        allowed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert (
            answer.headers["Content-Security-Policy"] == f"default-src 'none'; style-src 'sha256-{allowed}'"
        )


def test_the_types_stand_under_the_public_address_where_one_is_set(api: Api) -> None:
    face = face_of(api.app)
    public = dataclasses.replace(face.settings, public_url="https://play.test/api")
    faces.install(api.app, dataclasses.replace(face, settings=public))
    answer = api.get("/v1/nothing", headers={"Host": "evil.test"})
    assert answer.json["type"] == "https://play.test/api/problems/not-found"


def test_a_host_header_that_is_no_host_does_not_break_the_error(api: Api) -> None:
    answer = api.get("/v1/nothing", headers={"Host": "a b<script>"})
    assert answer.status_code in (400, 404)
    assert "script" not in answer.text
