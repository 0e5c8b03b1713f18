"""Streams as they run: gunicorn, a real store, several processes, a hostile network, many clients."""

import contextlib
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import redis
import requests

from tests.service.http.conftest import Live
from tests.service.http.play import Party, play_out, sit_down
from tests.service.http.running import Client, Gunicorn, gunicorn
from tests.service.http.streaming import NDJSON, Follower, Opened, ndjson_items, sse_items

QUICK = {"WONDERLOG_STREAM_PING_S": "1"}


@pytest.fixture(scope="module")
def server(live: Live, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gunicorn]:
    """One process with four threads and a heartbeat a second."""
    folder = tmp_path_factory.mktemp("streams")
    with gunicorn(folder / "log", {**live.environment, **QUICK}, workers=1, threads=4) as running:
        yield running


@pytest.fixture
def host(live: Live, server: Gunicorn) -> Iterator[Client]:
    """A tenant of its own."""
    with Client(server.url, live.services.keys.create(f"t{time.monotonic_ns()}").key) as client:
        yield client


def port_of(server: Gunicorn) -> int:
    return int(server.url.rpartition(":")[2])


def test_streams_hold_no_thread_and_all_hear_of_every_event(server: Gunicorn, host: Client) -> None:
    """Twelve streams of a process with four threads, while a whole match is played."""
    party = sit_down(host, 3)
    tokens = [None, host.token, *(seat.token for seat in party.seats)]
    streams = [Opened.at(port_of(server), f"{party.path}/events", token) for token in tokens * 2]
    streams += [Opened.at(port_of(server), f"{party.path}/events", None, NDJSON) for _ in range(2)]
    texts: list[str] = []
    readers = [
        threading.Thread(target=lambda s=stream: texts.append(s.read_head().to_the_end()))
        for stream in streams
    ]
    for reader in readers:
        reader.start()
    play_out(party, seed=5)
    for reader in readers:
        reader.join(timeout=120)
    head = host.get(party.path).json()["version"]
    for stream in streams:
        assert (stream.status, stream.headers["connection"]) == (200, "close")
        if stream.headers["content-type"] == NDJSON:
            items = [item for item in ndjson_items(stream.text) if item is not None]
        else:
            items = [item for _, item in sse_items(stream.text)]
        versions = [item["version"] for item in items if "." in item["type"]]
        assert versions == list(range(1, head + 1))
        assert items[0]["type"] == "hello" and items[-1] == {"type": "bye", "reason": "match-over"}
        stream.close()


@dataclass(slots=True)
class Hostile:
    """A TCP proxy that loses, repeats and reorders the items of server-sent events, and cuts lines."""

    target: int
    dice: random.Random
    done: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("drop", "repeat", "swap", "cut"), 0))
    port: int = 0
    _listener: socket.socket = field(init=False)

    def __enter__(self) -> "Hostile":
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with (
            client,
            socket.create_connection(("127.0.0.1", self.target)) as server,
            contextlib.suppress(OSError),
        ):
            server.sendall(client.recv(65536))
            buffered = b""
            while part := server.recv(65536):
                *items, buffered = (buffered + part).split(b"\n\n")
                if not self._pass_on(client, [item + b"\n\n" for item in items]):
                    return
            client.sendall(buffered)

    def _pass_on(self, client: socket.socket, items: list[bytes]) -> bool:
        for index, item in enumerate(items):
            what = self.dice.choices(("pass", *self.done), (40, 1, 3, 3, 1))[0]
            if item.startswith(b"HTTP/1.1") or what == "swap" and index + 1 == len(items):
                what = "pass"
            if what != "pass":
                self.done[what] += 1
            if what == "swap":
                items[index + 1], item = item, items[index + 1]
            if what == "cut":
                client.sendall(item[: len(item) // 2])
                return False
            if what != "drop":
                client.sendall(item * (2 if what == "repeat" else 1))
        return True


def met(followers: list[Follower]) -> bool:
    """Whether some event came twice, and some was missing."""
    return any(each.repeated for each in followers) and any(each.gaps for each in followers)


def test_a_client_that_resumes_ends_with_the_same_chain_whatever_the_network_does(
    server: Gunicorn, host: Client
) -> None:
    party = sit_down(host, 3)
    dice = random.Random(11)
    with Hostile(port_of(server), dice) as proxy:
        follower = Follower()
        clean = Follower()
        threads = [
            threading.Thread(
                target=follower.follow, args=(proxy.port, f"{party.path}/events", party.seats[0].token)
            ),
            threading.Thread(target=clean.follow, args=(port_of(server), f"{party.path}/events", None)),
        ]
        for thread in threads:
            thread.start()
        play_out(party, seed=6)
        for thread in threads:
            thread.join(timeout=120)
        # More clients have everything to catch up with, through this network, until it has done its worst.
        late: list[Follower] = []
        while not late or (len(late) < 50 and not (all(proxy.done.values()) and met([follower, *late]))):
            late.append(Follower())
            late[-1].follow(proxy.port, f"{party.path}/events", None)
    last = host.get(f"{party.path}/events", params={"after": clean.version - 1}).json()["items"][-1]
    for each in (follower, clean, *late):
        assert (each.over, each.version, each.head) == (True, last["version"], last["hash"])
    assert all(proxy.done.values()), proxy.done
    assert met([follower, *late])


def test_a_stream_survives_the_loss_of_its_process(live: Live, tmp_path: Path) -> None:
    with Client(live.url, live.services.keys.create("acme").key) as host:
        party = sit_down(host, 3)
        with gunicorn(tmp_path / "log", live.environment, workers=1, threads=4) as other:
            stream = Opened.at(port_of(other), f"{party.path}/events", party.seats[1].token).read_head()
            stream.until("seven_wonders.hands_dealt")
            known = sse_items(stream.text)[-1][0]
            feed = Opened.at(port_of(other), "/v1/events", host.token).read_head()
            took = other.terminate()
            for each in (stream, feed):
                assert sse_items(each.to_the_end())[-1][1] == {"type": "bye", "reason": "drain"}
                each.close()
            assert took < 60
        move = party.moves(0)[0]
        party.seats[0].post(f"{party.path}/commands", move)
        port = int(live.url.rpartition(":")[2])
        again = Opened.at(
            port, f"{party.path}/events", party.seats[1].token, Last_Event_ID=known or ""
        ).read_head()
        again.until("\n\n")
        hello, *_ = sse_items(again.text)
        assert hello[1]["resumed_from"] == int(known or 0)
        again.close()


def revoked(live: Live, host: Client, party: Party) -> None:
    """The operator revokes the tenant's key, in this process: not in the one that streams."""
    assert host.token is not None
    assert live.services.keys.revoke(host.token.split("_")[2])


def test_a_key_revoked_elsewhere_ends_its_streams_at_once(live: Live, server: Gunicorn, host: Client) -> None:
    party = sit_down(host, 3)
    mine = Opened.at(port_of(server), f"{party.path}/events", host.token).read_head()
    feed = Opened.at(port_of(server), "/v1/events", host.token).read_head()
    other = Opened.at(port_of(server), f"{party.path}/events", party.seats[0].token).read_head()
    for stream in (mine, feed, other):
        stream.until("hands_dealt")
    revoked(live, host, party)
    for stream in (mine, feed):
        assert sse_items(stream.to_the_end())[-1][1] == {"type": "bye", "reason": "auth-revoked"}
        stream.close()
    other.until('"type":"ping"')
    other.close()


def test_a_seat_token_ended_elsewhere_ends_its_stream_at_once(
    live: Live, server: Gunicorn, host: Client
) -> None:
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}
    path = host.post("/v1/matches", plan).headers["Location"]
    token = host.post(f"{path}/seats", {"name": "Ann"}).json()["token"]
    stream = Opened.at(port_of(server), f"{path}/events", token).read_head()
    stream.until("seat_joined")
    with Client(live.url, host.token) as elsewhere:
        assert elsewhere.ask("DELETE", f"{path}/seats/0").status_code == 204
    items = [item for _, item in sse_items(stream.to_the_end())]
    assert items[-1] == {"type": "bye", "reason": "auth-revoked"}
    assert "match.seat_left" not in [item["type"] for item in items], "not even the event that ended it"
    stream.close()


def test_a_ticket_is_used_once_whatever_process_it_is_shown_to(
    live: Live, server: Gunicorn, host: Client
) -> None:
    party = sit_down(host, 3)
    url = host.post("/v1/stream-tickets", {"match": party.path.split("/")[-1]}).json()["url"]
    ports = [port_of(server), int(live.url.rpartition(":")[2])]
    statuses: list[int] = []
    ready = threading.Barrier(20)

    def use(port: int) -> None:
        ready.wait()
        stream = Opened.at(port, url).read_head()
        statuses.append(stream.status)
        stream.close()

    threads = [threading.Thread(target=use, args=(ports[number % 2],)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [401] * 19
    secret = url.rpartition("=")[2]
    assert secret not in server.log.read_text() and secret not in live.server.log.read_text()


def test_a_reader_that_stops_reading_holds_nobody_up_and_catches_up(server: Gunicorn, host: Client) -> None:
    party = sit_down(host, 7)
    slow = Opened.at(port_of(server), f"{party.path}/events", party.seats[0].token)
    slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    quick = Follower()
    reader = threading.Thread(target=quick.follow, args=(port_of(server), f"{party.path}/events", None))
    reader.start()
    play_out(party, seed=8)
    reader.join(timeout=120)
    assert quick.over, "the others have it all"
    time.sleep(4)  # for longer than a dead client is waited for: this one lives, and may pause for a minute
    items = [item for _, item in sse_items(slow.read_head().to_the_end())]
    versions = [item["version"] for item in items if "." in item["type"]]
    assert versions == list(range(1, quick.version + 1)) and items[-1]["type"] == "bye"
    slow.close()


def test_a_client_that_goes_frees_its_place(live: Live, tmp_path: Path) -> None:
    environment = {**live.environment, **QUICK, "WONDERLOG_STREAMS": "3"}
    with (
        gunicorn(tmp_path / "log", environment, workers=1, threads=4) as server,
        Client(server.url, live.services.keys.create("acme").key) as host,
    ):
        party = sit_down(host, 3)
        path = f"{party.path}/events"
        streams = [Opened.at(port_of(server), path).read_head() for _ in range(3)]
        refused = Opened.at(port_of(server), path).read_head()
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        assert refused.headers["content-type"] == "application/problem+json"
        assert host.get(path).status_code == 200
        refused.close()
        streams.pop().close()

        def has_a_place() -> bool:
            again = Opened.at(port_of(server), path).read_head()
            again.close()
            return again.status == 200

        _until(has_a_place)
        for stream in streams:
            stream.close()


def _until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_many_half_open_clients_cost_no_connection_to_the_store_and_no_thread(
    live: Live, server: Gunicorn, host: Client
) -> None:
    """Clients that read nothing after the headers."""
    party = sit_down(host, 3)
    first = Opened.at(port_of(server), f"{party.path}/events").read_head()
    with redis.Redis.from_url(live.environment["WONDERLOG_STREAMS_URL"]) as admin:

        def connections() -> int:
            return len(admin.client_list())

        for _ in range(8):
            assert host.get(f"{party.path}/view").status_code == 200
        before = connections()
        silent = [Opened.at(port_of(server), f"{party.path}/events").read_head() for _ in range(200)]
        assert {stream.status for stream in silent} == {200}
        assert connections() <= before + 4, "at most one for each thread that had none yet"
        play_out(party, seed=9)
        assert host.get(party.path).json()["status"] == "over"
        assert connections() <= before + 4
    first.until('"match-over"')
    for stream in (first, *silent):
        stream.close()


def test_requests_beside_a_stream_see_the_same_events(server: Gunicorn, host: Client) -> None:
    party = sit_down(host, 3)
    answer = requests.get(
        f"{server.url}{party.path}/events", headers={"Accept": NDJSON}, stream=True, timeout=60
    )
    lines: Iterator[Any] = answer.iter_lines(chunk_size=1)
    next(lines)
    page = host.get(f"{party.path}/events", params={"limit": 200}).json()["items"]
    assert [ndjson_items(next(lines).decode() + "\n")[0] for _ in page] == page
    answer.close()
