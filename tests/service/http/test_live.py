"""The service as it runs: gunicorn over loopback, an embedded Valkey, several processes and threads."""

import contextlib
import json
import re
import socket
import threading
import time
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest
import requests

from events import bundle
from tests.service.http.conftest import GAME, Live
from tests.service.http.play import Party, play_out, sit_down
from tests.service.http.running import Client, gunicorn, new_key


def is_whole(answer: bytes) -> bool:
    """Whether this is an answer to its last byte."""
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    return bool(end) and length is not None and len(body) >= int(length[1])


def wire(live: Live, raw: bytes) -> tuple[int, dict[str, str], dict[str, Any]]:
    """Send bytes as they are; status, headers and problem of the answer."""
    host, port = live.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        # Who is refused before all was read may find the connection reset, after the answer.
        with contextlib.suppress(ConnectionError):
            connection.sendall(raw)
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        while not is_whole(answer) and (part := connection.recv(65536)):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), headers, json.loads(body)


# Every "s0cret" is a token that may be in no log: no random id has a 0 among its letters.
BROKEN = {
    "no HTTP at all": (b"hello\r\n\r\n", 400, "malformed"),
    "an unknown version": (b"GET / HTTP/9.9\r\n\r\n", 400, "malformed"),
    "a header without a name": (b"GET / HTTP/1.1\r\nHost: x\r\n: st_s0cret\r\n\r\n", 400, "malformed"),
    "a token with a line break": (
        b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer st_s0cret\r\n continued\r\n\r\n",
        400,
        "malformed",
    ),
    "an address too long": (b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri-too-long"),
    "a header too long": (
        b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: st_s0cret" + b"x" * 9000 + b"\r\n\r\n",
        431,
        "headers-too-large",
    ),
    "too many headers": (
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: 1\r\n" % n for n in range(99)) + b"\r\n",
        431,
        "headers-too-large",
    ),
    "an unknown transfer coding": (
        b"POST /v1/matches HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: st_s0cret\r\n\r\n",
        501,
        "not-implemented",
    ),
}


@pytest.mark.parametrize(("raw", "status", "code"), BROKEN.values(), ids=BROKEN.keys())
def test_what_is_not_http_is_a_problem_too(raw: bytes, status: int, code: str, live: Live) -> None:
    found, headers, problem = wire(live, raw)
    assert (found, problem["code"], problem["status"]) == (status, code, status)
    assert headers["Content-Type"] == "application/problem+json"
    assert headers["Connection"] == "close" and headers["Server"] == "wonderlog"
    assert problem["type"] == f"{live.url}/problems/{code}"
    assert problem["instance"] == headers["Request-Id"] != ""
    assert parsedate_to_datetime(headers["Date"]) and headers["traceparent"].startswith("00-")
    assert "s0cret" not in live.server.log.read_text()


TOO_LARGE = b"10000\r\n" + b" " * 65536 + b"\r\n1\r\n \r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("framing", "body", "status", "code"),
    [
        (b"Content-Length: 10\r\n", b'{"a"', 400, "malformed"),
        (b"Content-Length: 99999999\r\n", b"", 413, "payload-too-large"),
        (b"Transfer-Encoding: chunked\r\n", b"zz\r\n", 400, "malformed"),
        (b"Transfer-Encoding: chunked\r\n", b"5\r\n[1,2]\r\n0\r\n\r\n", 400, "malformed"),
        (b"Transfer-Encoding: chunked\r\n", TOO_LARGE, 413, "payload-too-large"),
    ],
    ids=["cut short", "announced too large", "broken chunk", "chunked array", "chunked too large"],
)  # fmt: skip
def test_a_body_is_read_only_as_far_as_it_is_sound(
    framing: bytes, body: bytes, status: int, code: str, live: Live
) -> None:
    token = live.services.keys.create("wire").key.encode()
    head = b"POST /v1/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += (
        b"Connection: close\r\nIdempotency-Key: "
        + b"k" * 20
        + b"\r\nAuthorization: Bearer "
        + token
        + b"\r\n"
    )
    found, headers, problem = wire(live, head + framing + b"\r\n" + body)
    assert (found, problem["code"]) == (status, code)
    assert headers["Content-Type"] == "application/problem+json"


def test_the_server_does_not_say_what_it_is_made_of(live: Live) -> None:
    answer = requests.get(f"{live.url}/healthz/live", timeout=60)
    assert answer.headers["Server"] == "wonderlog"
    assert "Date" in answer.headers


def test_it_is_ready_on_a_server_that_keeps_what_it_takes(live: Live) -> None:
    answer = requests.get(f"{live.url}/healthz/ready", timeout=60)
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")


@pytest.mark.parametrize("seats", [2, 3, 7])
def test_a_whole_match_is_played_by_legal_moves_alone(seats: int, live: Live) -> None:
    with Client(live.url, live.services.keys.create("acme").key) as host:
        party = sit_down(host, seats)
        play_out(party, seed=seats)
        view = host.get(f"{party.path}/view").json()
        assert view["status"] == "over" and view["awaited"] == [] and view["decisions"] == []
        assert view["outcome"]["reason"] == "finished"
        assert sorted(sum(view["outcome"]["ranking"], [])) == list(range(seats))
        for score in view["outcome"]["scores"]:
            assert score["total"] == sum(score["categories"].values())
        assert_log_is_whole(party, view["version"])
        last = party.seats[0].post(f"{party.path}/commands", {"command": {"type": "resign"}})
        assert (last.status_code, last.json()["code"]) == (409, "match-over")


def assert_log_is_whole(party: Party, head: int) -> None:
    """The same versions for everybody, and a bundle that verifies."""
    for caller in (party.host, party.seats[0]):
        after, events = 0, []
        while page := caller.get(f"{party.path}/events", params={"after": after, "limit": 200}).json()[
            "items"
        ]:
            events += page
            after = page[-1]["version"]
        assert [event["version"] for event in events] == list(range(1, head + 1))
        exported = caller.get(f"{party.path}/export")
        assert exported.headers["Content-Type"].startswith("application/x-ndjson")
        assert len(exported.content.splitlines()) == head + 2
        report = bundle.verify(exported.content.splitlines(keepends=True))
        assert report.ok, report


def test_a_move_reaches_those_who_wait_for_it(live: Live) -> None:
    with Client(live.url, live.services.keys.create("acme").key) as host:
        party = sit_down(host, 3)
        head = host.get(party.path).json()["version"]
        pages: list[Any] = []

        def wait() -> None:
            with host.as_(None) as spectator:
                page = spectator.get(f"{party.path}/events", params={"after": head, "wait": 30}).json()
                pages.append((time.monotonic(), page))

        move = party.moves(0)[0]
        watcher = threading.Thread(target=wait)
        watcher.start()
        time.sleep(1.5)  # long enough to see that the wait is a wait, over several of its slices
        assert not pages
        moved = time.monotonic()
        answer = party.seats[0].post(f"{party.path}/commands", move).json()
        watcher.join(timeout=60)
        came, page = pages[0]
        assert [event["version"] for event in page["items"]] == [e["version"] for e in answer["events"]]
        assert came - moved < 20, "long before the wait would have ended"


def test_a_wait_without_news_ends_with_an_empty_page(live: Live) -> None:
    with Client(live.url, live.services.keys.create("acme").key) as host:
        party = sit_down(host, 3)
        head = host.get(party.path).json()["version"]
        began = time.monotonic()
        page = host.get(f"{party.path}/events", params={"after": head, "wait": 2}).json()
        assert page == {"items": [], "head": head, "next_after": head, "spectator_delay": 0}
        assert 1.8 < time.monotonic() - began < 20


def test_waiting_never_takes_more_than_half_of_the_threads(tmp_path: Path, live: Live) -> None:
    """One process of four threads: two wait, all others are answered at once; and SIGTERM ends the waits."""
    with (
        gunicorn(tmp_path / "log", live.environment, workers=1, threads=4) as server,
        Client(server.url, live.services.keys.create("acme").key) as host,
    ):
        match = host.post("/v1/matches", {"game": GAME, "seats": [{"kind": "open"}] * 3}).json()["id"]
        waits: list[float] = []
        pages: list[Any] = []

        def wait() -> None:
            began = time.monotonic()
            answer = requests.get(
                f"{server.url}/v1/matches/{match}/events", params={"after": "1", "wait": "30"}, timeout=60
            )
            waits.append(time.monotonic() - began)
            pages.append(answer.json())

        watchers = [threading.Thread(target=wait) for _ in range(6)]
        for watcher in watchers:
            watcher.start()
        until = time.monotonic() + 20
        while len(waits) < 4 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(waits) == 4, "four had no place and were answered at once"
        assert host.get("/healthz/live").status_code == 200
        assert len(waits) == 4, "and two still wait"
        server.terminate()
        for watcher in watchers:
            watcher.join(timeout=60)
        assert len(waits) == 6 and max(waits) < 28, "the process did not wait for the long-polls"
        assert all(page["items"] == [] and page["head"] == 1 for page in pages)


def test_seven_seats_choose_at_once_and_nobody_is_refused(live: Live) -> None:
    with Client(live.url, live.services.keys.create("acme").key) as host:
        party = sit_down(host, 7)
        for _ in range(3):
            moves = [party.moves(seat)[0] for seat in range(7)]
            answers: list[requests.Response] = []
            ready = threading.Barrier(7)

            def choose(seat: int, moves: Any = moves, answers: Any = answers, ready: Any = ready) -> None:
                ready.wait()
                answers.append(party.seats[seat].post(f"{party.path}/commands", moves[seat]))

            threads = [threading.Thread(target=choose, args=(seat,)) for seat in range(7)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert [answer.status_code for answer in answers] == [200] * 7, [a.text for a in answers]
            ends = [answer.json()["version"] for answer in answers]
            assert len(set(ends)) == 7, "each pick has its place in the log"


def test_a_retry_on_another_process_gets_the_first_answer(tmp_path: Path, live: Live) -> None:
    with (
        gunicorn(tmp_path / "log", live.environment, workers=1) as other,
        Client(live.url, live.services.keys.create("acme").key) as host,
    ):
        party = sit_down(host, 3)
        move, key = party.moves(0)[0], new_key()
        first = party.seats[0].post(f"{party.path}/commands", move, headers={"Idempotency-Key": key})
        with Client(other.url, party.seats[0].token) as elsewhere:
            again = elsewhere.post(f"{party.path}/commands", move, headers={"Idempotency-Key": key})
        assert first.json() == again.json()
        assert again.headers["Idempotency-Replayed"] == "true"


def test_the_log_of_a_whole_session_holds_no_token_and_no_card(live: Live) -> None:
    """Runs last in this file: everything above has been logged by then."""
    with Client(live.url, live.services.keys.create("acme").key) as host:
        party = sit_down(host, 3)
        view = party.seats[0].get(f"{party.path}/view").json()
        party.seats[0].post(f"{party.path}/commands", party.moves(0)[0])
        party.seats[0].post(f"{party.path}/commands", {"command": {"type": "x", "card": "st_s0cret"}})
        logged = live.server.log.read_text()
        assert party.path in logged.replace("/v1/matches/<match>", party.path), "there are access lines"
        for client in (host, *party.seats):
            assert client.token is not None
            assert client.token.rpartition("_")[2] not in logged
        for card in view["state"]["hand"]:
            assert re.search(rf"\b{card}\b", logged) is None, "as a word: ids hold any letters"
        assert "s0cret" not in logged and "Traceback" not in logged
        assert live.environment["WONDERLOG_SERVER_SECRET"] not in logged


@pytest.mark.parametrize("half", [b"GET /v1/games HTT", b"", None], ids=["request line", "headers", "body"])
def test_clients_that_stall_do_not_hold_the_others_up(half: bytes | None, live: Live, tmp_path: Path) -> None:
    """More stalled clients than threads; each loses its thread after the timeout."""
    token = live.services.keys.create("stall").key.encode()
    whole = b"GET /v1/games HTTP/1.1\r\nHost: x\r\nAccept:"
    if half is None:
        whole = (
            b"POST /v1/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: 50\r\n"
            b"Idempotency-Key: " + b"s" * 20 + b"\r\nAuthorization: Bearer " + token + b"\r\n\r\n{"
        )
    environment = {**live.environment, "WONDERLOG_CLIENT_TIMEOUT_S": "1"}
    with gunicorn(tmp_path / "log", environment, workers=1, threads=4) as server:
        host, port = server.url.removeprefix("http://").split(":")
        stalled = [socket.create_connection((host, int(port)), timeout=60) for _ in range(12)]
        for connection in stalled:
            connection.sendall(half or whole)
        began = time.monotonic()
        with Client(server.url) as client:
            assert client.get("/healthz/live").status_code == 200
        assert time.monotonic() - began < 30
        for connection in stalled:
            connection.close()
        logged = server.log.read_text()
    assert "internal" not in logged and token.decode() not in logged
