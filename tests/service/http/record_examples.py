"""Records the examples of the OpenAPI document: `python -m tests.service.http.record_examples`.

Requests and answers are what was sent and received; only tokens are blanked and long lists cut to their first
two entries.
"""

import dataclasses
import json
import logging
import re
from typing import Any

from domain import seven_wonders
from domain.catalogue import GAMES
from service import bootstrap, settings
from service.adapters.quotas import MemoryQuotas
from service.http import face as faces
from service.http.app import create_app
from service.http.examples import RECORDED
from service.http.face import HttpSettings, face_of
from service.http.hub import Hub, StreamLimits
from service.http.limits import Limits
from service.http.stream_items import ENCODINGS
from service.keyring import Wish
from service.settings import LIMITS
from service.webhooks.subscriptions import MOST_ENDPOINTS
from tests.audit.whole_matches import lines_of
from tests.rulesets import finished
from tests.service.http.conftest import SECRET, Api
from tests.service.http.contract import operation_of
from tests.service.http.test_errors import FAILURES, ROWS, Case, Failing

SECRET_OF_HOOK = re.compile(r"whsec_[A-Za-z0-9+/=]+")
TOKEN = re.compile(r"\b(stk|st|it|vt|tk_live|tk_test)_[a-z0-9]{16,}(?:_[a-z0-9_]{20,})?")
CUT = ("items", "moves", "refused", "events", "cards", "wonders", "guilds", "boards", "picks", "shuffles")


class Recorder:
    """Remembers the first answer of each operation, the requests by name, the problems by code."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.requests: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, Any] = {}
        self.problems: dict[str, Any] = {}

    def ask(self, method: str, path: str, token: str | None = None, name: str = "", **more: Any) -> Any:
        """A request that is remembered under `name`."""
        answer = self.api.ask(method, path, token, **more)
        operation = operation_of(method, path)
        body = json.loads(answer.data.splitlines()[0]) if answer.data and "json" in answer.mimetype else None
        if answer.status_code >= 400:
            assert isinstance(body, dict)
            self.problems.setdefault(body["code"], shown(body))
            return body
        assert operation is not None
        id = operation["operationId"]
        if "json" in more:
            self.requests.setdefault(id, {})[name or "example"] = shown(more["json"])
        if body is not None and id != "getOpenApi":
            self.answers.setdefault(id, shown(body))
        return body

    def follow(self, path: str, token: str, media_type: str) -> None:
        """The first item of a stream."""
        headers = {"Authorization": f"Bearer {token}", "Accept": media_type}
        answer = self.api.app.test_client().get(path, headers=headers)
        text = next(iter(answer.response)).decode()
        answer.close()
        line = next(line for line in text.splitlines() if "{" in line)
        operation = operation_of("GET", path)
        assert operation is not None and answer.mimetype == media_type
        said = json.loads(line.removeprefix("data: "))
        self.answers[f"{operation['operationId']} {media_type}"] = said


def feed_cursor(seen: Recorder, host: str) -> str:
    """A cursor that leaves a few events of the feed."""
    items = seen.api.get("/v1/events?limit=200", host).json["items"]
    return str(items[-3]["cursor"])


def shown(value: Any) -> Any:
    """Without tokens, and with long lists cut."""
    if isinstance(value, dict):
        return {name: shown(cut(inner) if name in CUT else inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [shown(item) for item in value]
    return SECRET_OF_HOOK.sub("whsec_…", TOKEN.sub(r"\1_…", value)) if isinstance(value, str) else value


def cut(value: Any) -> Any:
    """The first two entries of a long list or object."""
    if isinstance(value, list):
        return value[:2]
    return dict(list(value.items())[:2]) if isinstance(value, dict) and len(value) > 5 else value


def record(api: Api) -> Recorder:
    """Play, and fail in every way there is."""
    seen = Recorder(api)
    host = api.tenant("acme")
    over = finished.put(api.services.store, finished.records(seven_wonders, 3, 5), "others")
    api.services.upkeep.look_at(over)
    seen.ask("GET", "/v1/games/seven-wonders/statistics", api.tenant("others"))
    alone = ("/healthz/live", "/healthz/ready", "/.well-known/wonderlog-keys.json")
    for path in ("/v1/games", "/v1/games/seven-wonders", *alone):
        seen.ask("GET", path)
    plan: dict[str, Any] = {
        "game": "seven-wonders",
        "seats": [{"kind": "open"}] * 2 + [{"kind": "bot", "bot": "easy"}],
    }
    plan["options"] = {"sides": "A", "decision_limit_ms": 60000}
    match = seen.ask("POST", "/v1/matches", host, "two people and a bot", json=plan)
    path = match["links"]["self"]
    ann = seen.ask("POST", f"{path}/seats", host, "a person", json={"name": "Ann", "entropy": "c0ffee"})[
        "token"
    ]
    seen.ask("DELETE", f"{path}/seats/0", ann)
    seen.ask("POST", f"{path}/seats", host, "a bot", json={"kind": "bot", "bot": "random", "seat": 0})
    change = {"options": {"decision_limit_ms": 90000}}
    seen.ask("PATCH", path, host, "a little more time", json=change)
    bob = seen.ask("POST", f"{path}/seats", host, json={"name": "Bob"})["token"]
    seen.requests["joinMatch"].pop("example")
    start = seen.ask("POST", f"{path}/commands", host, "start", json={"command": {"type": "start"}})
    moves = seen.ask("GET", f"{path}/legal-moves", bob)["moves"]
    key = {"Idempotency-Key": "0198c2a4-6a52-7d1e-9c41-1f0f6f1c2b3a"}
    seen.answers.pop("sendCommand")
    seen.ask("POST", f"{path}/commands", bob, "a move", json=moves[0]["body"], headers=key)
    seen.ask("GET", f"{path}/commands/{key['Idempotency-Key']}", bob)
    other = {"commands": [move["body"] for move in moves[1:3]]}
    seen.ask("POST", f"{path}/command-batches", bob, "a second thought and a third", json=other)
    seen.ask("POST", f"{path}/commands", bob, json=moves[1]["body"], headers=key)
    late = {**moves[0]["body"], "decision": "d1.choose"}
    seen.ask("POST", f"{path}/commands", bob, json=late)
    illegal = {**moves[0]["body"], "command": {"type": "build_structure", "card": "palace"}}
    seen.ask("POST", f"{path}/commands", bob, json=illegal)
    seen.ask("GET", f"{path}/proof", bob)
    lost = {"Wonderlog-Known-Head": f"{start['version']}:{'f' * 64}"}
    seen.ask("GET", f"{path}/view", bob, headers=lost)
    after = f"{path}/events?after={start['version']}"
    for address in (
        path,
        f"{path}/seats",
        f"{path}/seats/1",
        f"{path}/view",
        after,
        f"{path}/export",
        f"{path}/diff?from=8",
        f"{path}/events/{start['version']}",
    ):
        seen.ask("GET", address, bob)
    plan = {"version": start["version"], "seats": [{"kind": "bot", "bot": "easy"}] * 2 + [{"kind": "person"}]}
    seen.ask("POST", f"{path}/forks", bob, "me on another chair", json=plan)
    seen.ask("GET", "/v1/matches", host)
    seen.ask("GET", f"/v1/events?after={feed_cursor(seen, host)}", host)
    seen.ask("POST", "/v1/stream-tickets", host, "for a match", json={"match": match["id"]})
    seen.ask("POST", "/v1/stream-tickets", host, "for the feed", json={})
    for address, token in ((after, bob), ("/v1/events", host)):
        for media_type in ENCODINGS:
            seen.follow(address, token, media_type)
    seen.ask("POST", f"{path}/commands", host, json={"command": {"type": "start"}})
    seen.ask("POST", f"{path}/commands", bob, "resign", json={"command": {"type": "resign"}})
    record_steps(seen, host)
    record_webhooks(seen, api.tenant("hooks"))
    record_credentials(seen, host)
    record_rematch(seen, host)
    record_sandbox(seen, api)
    record_lobby(seen, host)
    record_import(seen, host)
    fail(seen, host)
    return seen


def record_steps(seen: Recorder, host: str) -> None:
    """A game with steps of many small moves: whole steps at once, a move with a range."""
    options = {"scenario": "end-of-times", "side": "E"}
    plan = {"game": "its-a-wonderful-world", "seats": [{"kind": "open"}], "options": options}
    match = seen.ask("POST", "/v1/matches", host, "It's a Wonderful World, alone", json=plan)
    path = match["links"]["self"]
    ann = seen.api.post(f"{path}/seats", {"name": "Ann"}, host).json["token"]
    seen.api.post(f"{path}/commands", {"command": {"type": "start"}}, host)
    for _ in range(2):  # two piles a round
        view = seen.api.get(f"{path}/view", ann).json
        (decision,) = view["decisions"]
        commands: list[dict[str, Any]] = [
            {"type": "recycle_card", "card": card, "target": None}
            for card in view["state"]["boards"][0]["draft_area"]
        ]
        bodies = [{"decision": decision["id"], "command": c} for c in [*commands, {"type": "validate"}]]
        seen.ask("POST", f"{path}/command-batches", ann, "a whole planning step", json={"commands": bodies})
    moves = seen.api.get(f"{path}/legal-moves", ann).json["moves"]
    ranged = next(m for m in moves if m.get("parameters", {}).get("count", {}).get("max", 1) > 1)
    some = {**ranged["body"], "command": {**ranged["body"]["command"], "count": 1}}
    seen.ask("POST", f"{path}/commands", ann, "one of several cubes", json=some)


def record_webhooks(seen: Recorder, host: str) -> None:
    """A webhook from its making to its end."""
    plan = {"url": "https://example.com/hook", "types": ["match.decision.opened", "match.ended"]}
    path = f"/v1/webhooks/{seen.ask('POST', '/v1/webhooks', host, 'your turn, and the end', json=plan)['id']}"
    ping = seen.ask("POST", f"{path}/test", host, json={})
    for address in ("/v1/webhooks", path, f"{path}/deliveries", f"{path}/deliveries/{ping['id']}"):
        seen.ask("GET", address, host)
    seen.ask("POST", f"{path}/secret", host, "the old one for an hour more", json={"overlap_ms": 3_600_000})
    since = {"since": "2026-01-05T10:11:12.345Z"}
    seen.ask("POST", f"{path}/redeliver", host, "all that failed", json=since)
    seen.ask("PATCH", path, host, "switch it off", json={"enabled": False})
    seen.ask("POST", f"{path}/test", host, json={})
    for _ in range(MOST_ENDPOINTS - 1):
        seen.api.post("/v1/webhooks", plan, host)
    seen.ask("POST", "/v1/webhooks", host, json=plan)
    seen.ask("DELETE", path, host)


def record_credentials(seen: Recorder, host: str) -> None:
    """Invites, spectators, seats that change hands, keys."""
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3, "visibility": "private"}
    path = seen.api.post("/v1/matches", plan, host).json["links"]["self"]
    wanted = {"seat": 0, "label": "for Ann"}
    invite = seen.ask("POST", f"{path}/invites", host, "one seat, once", json=wanted)
    crowd = {"uses": 2, "expires_in_s": 86400}
    seen.ask("POST", f"{path}/invites", host, "any seat, twice, for a day", json=crowd)
    seats = [seen.api.post(f"{path}/seats", {"name": "Ann"}, invite["token"]).json["token"]]
    seats += [seen.api.post(f"{path}/seats", {}, host).json["token"] for _ in range(2)]
    seen.ask("GET", f"{path}/invites", host)
    seen.ask("GET", f"{path}/invites/{invite['id']}", host)
    seen.ask("DELETE", f"{path}/invites/{invite['id']}", host)
    seen.ask("POST", f"{path}/seats", invite["token"], json={})
    commentator = {"label": "commentator"}
    watcher = seen.ask("POST", f"{path}/spectators", host, "for a commentator", json=commentator)
    seen.ask("GET", f"{path}/spectators/{watcher['id']}", host)
    seen.ask("GET", f"{path}/spectators", host)
    renewed = seen.ask("POST", f"{path}/seats/0/token", seats[0], "nothing to say", json={})
    seen.api.post(f"{path}/commands", {"command": {"type": "start"}}, host)
    to_bot = {"kind": "bot", "bot": "easy"}
    seen.ask("PUT", f"{path}/seats/0/controller", renewed["token"], "to a bot", json=to_bot, headers=FIRST)
    to_person = {"kind": "person", "name": "Bob"}
    seen.ask("PUT", f"{path}/seats/0/controller", host, "to a person", json=to_person, headers=SECOND)
    scopes = {"scopes": ["matches:read"], "label": "nightly job"}
    made = seen.ask("POST", "/v1/keys", host, "for reading only", json=scopes)
    seen.ask("POST", f"/v1/keys/{made['id']}/rotation", host, "an hour for both", json={"overlap_s": 3600})
    seen.ask("GET", f"/v1/keys/{made['id']}", host)
    seen.ask("GET", "/v1/keys", host)
    seen.ask("PUT", "/v1/origins", host, "one page", json={"origins": ["https://play.example"]})
    seen.ask("GET", "/v1/origins", host)
    seen.ask("DELETE", "/v1/persons/user-4711", host)


def record_rematch(seen: Recorder, host: str) -> None:
    """A match that ends at once, and its rematch."""
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3, "visibility": "private"}
    path = seen.api.post("/v1/matches", plan, host).json["links"]["self"]
    seats = [seen.api.post(f"{path}/seats", {}, host).json["token"] for _ in range(3)]
    seen.api.post(f"{path}/commands", {"command": {"type": "start"}}, host)
    for seat in (1, 2):
        seen.api.post(f"{path}/commands", {"command": {"type": "resign"}}, seats[seat])
    seen.ask("POST", f"{path}/rematch", seats[0], "nothing to say", json={})
    seen.ask("GET", "/v1/matches?open_seats=true&visibility=private", host)


def record_lobby(seen: Recorder, host: str) -> None:
    """Two who find each other in the queue, one who waits no longer, matches by the dozen."""
    wish = {"game": "its-a-wonderful-world", "seats": {"min": 2, "max": 2}, "player_ref": "user-4711"}
    first = seen.api.post("/v1/queue-tickets", {**wish, "player_ref": "user-0815"}, host).json
    seen.ask("POST", "/v1/queue-tickets", host, "a table for two", json=wish)
    seen.ask("GET", f"/v1/queue-tickets/{first['id']}?wait=1", host)
    patient = {**wish, "seats": {"min": 3, "max": 5}, "wait_ms": 60000, "bot": "easy"}
    other = seen.ask("POST", "/v1/queue-tickets", host, "three to five, bots after a minute", json=patient)
    seen.ask("DELETE", f"/v1/queue-tickets/{other['id']}", host)
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 4, "visibility": "private"}
    batch = {"matches": [plan, {**plan, "options": {"sides": "A"}}]}
    job = seen.ask("POST", "/v1/match-batches", host, "two tables of a tournament", json=batch)
    seen.ask("GET", f"/v1/jobs/{job['id']}", host)


FIRST, SECOND = ({"Idempotency-Key": f"0198c2a4-6a52-7d1e-9c41-00000000000{n}"} for n in (1, 2))


def record_sandbox(seen: Recorder, api: Api) -> None:
    """A match with a seed and a scripted opponent, and a clock that is moved on."""
    test = api.services.keys.create("acme", Wish(mode="test")).key
    # With this seed, at two seats that bring no entropy, the second is dealt this card.
    script = [{"type": "draft_card", "card": "tank_division"}, None]
    seats = [{"kind": "open"}, {"kind": "bot", "bot": "script", "script": script}]
    plan = {"game": "its-a-wonderful-world", "seats": seats, "sandbox": {"seed": "tuesday"}}
    seen.ask("POST", "/v1/matches", test, "in the sandbox", json=plan)
    seen.ask("GET", "/v1/sandbox/clock", test)
    seen.ask("POST", "/v1/sandbox/clock", test, "a day later", json={"advance_ms": 86_400_000})
    later = {"set": "2100-01-01T00:00:00.000Z"}
    seen.ask("POST", "/v1/sandbox/clock", test, "a time of your own", json=later)


def record_import(seen: Recorder, host: str) -> None:
    """A match from elsewhere, and one whose bundle was changed on the way."""
    lines, sent = lines_of("its-a-wonderful-kingdom"), {"content_type": "application/x-ndjson"}
    taken = seen.ask("POST", "/v1/imports", host, data=b"".join(lines), **sent)
    seen.ask("GET", "/v1/imports", host)
    seen.ask("DELETE", f"/v1/imports/{taken['id']}", host)
    seen.requests["createImport"] = {"the beginning of a bundle": lines[0].decode()}
    seen.ask("POST", "/v1/imports", host, data=b"".join([*lines[:7], *lines[8:]]), **sent)


def fail(seen: Recorder, host: str) -> None:
    """Every problem, from the rows of the error matrix and a few tables."""
    api = seen.api
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}
    made = api.post("/v1/matches", plan, host).json
    path = made["links"]["self"]
    seen.ask("POST", f"{path}/commands", host, json={"command": {"type": "start"}})
    seen.ask("DELETE", f"{path}/seats/2", host)
    seats = [api.post(f"{path}/seats", {}, host).json["token"] for _ in range(3)]
    tokens = {"host": host, "seat 0": seats[0], "stranger": api.tenant("other"), "garbage": "hello-world"}
    for _, case in ROWS:
        if case.code not in seen.problems and (case.who is None or case.who in tokens):
            provoke(seen, case, path, tokens)
    api.post(f"{path}/commands", {"command": {"type": "start"}}, host)
    seen.ask("POST", f"{path}/commands", seats[0], json={"command": {"type": "reclaim_seat"}})
    seen.ask("POST", f"{path}/commands", seats[0], json={"command": {"type": "undo"}})
    seen.ask("POST", f"{path}/commands", host, json={"command": {"type": "pause"}})
    move = {"decision": "d9.choose", "command": {"type": "discard_for_coins", "card": "baths"}}
    seen.ask("POST", f"{path}/commands", seats[0], json=move)
    seen.ask("POST", f"{path}/commands", host, "go on after a pause", json={"command": {"type": "resume"}})
    for seat in (0, 1):
        api.post(f"{path}/commands", {"command": {"type": "resign"}}, seats[seat])
    seen.ask("POST", f"{path}/commands", seats[2], json={"command": {"type": "resign"}})
    notation = api.get(f"{path}/export?format=notation", seats[2])
    assert notation.status_code == 200, notation.text
    seen.ask("GET", f"{path}/audit/secrecy", seats[2])
    seen.answers["exportMatch text/plain"] = notation.text[:1200]
    api.documented = False
    face = face_of(api.app)
    few = Limits({**LIMITS, "lobby": 1}, MemoryQuotas())
    faces.install(api.app, dataclasses.replace(face, limits=few))
    for _ in range(2):
        seen.ask("GET", "/v1/matches", host)
    faces.install(api.app, face)
    full = Hub(face.streams.feed, StreamLimits(most=0))
    faces.install(api.app, dataclasses.replace(face, streams=full))
    seen.ask("GET", f"{path}/events", host, headers={"Accept": "text/event-stream"})
    for error, _, _ in FAILURES:
        broken: Any = Failing(error)
        faces.install(api.app, dataclasses.replace(face, matches=broken))
        seen.ask("GET", path)
    faces.install(api.app, face)


def provoke(seen: Recorder, case: Case, path: str, tokens: dict[str, str]) -> None:
    """Send the request of a row."""
    headers = {name.replace("_", "-"): value for name, value in case.headers.items()}
    token = None if case.who is None else tokens[case.who]
    seen.ask(case.method, case.path.replace("{match}", path), token, headers=headers, **case.more)


def main() -> None:
    """Write the file."""
    services = bootstrap.services(settings.for_memory(SECRET))
    api = Api(create_app(services.matches, HttpSettings(public_url="http://127.0.0.1:8080"), GAMES), services)
    logging.getLogger("wonderlog").setLevel(logging.CRITICAL)  # failures are the purpose
    seen = record(api)
    seen.problems.pop("conflict", None)
    kept = {"requests": seen.requests, "answers": seen.answers, "problems": seen.problems}
    RECORDED.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    services.close()


if __name__ == "__main__":
    main()
