"""The service in memory behind Flask's test client, matches ready to be played, and the real thing."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from domain.catalogue import GAMES
from service import bootstrap, settings
from service.bootstrap import Services
from service.http.app import create_app
from service.http.face import HttpSettings
from tests.embedded import redis_url
from tests.service.http.contract import undocumented
from tests.service.http.running import Gunicorn, gunicorn, new_key

SECRET = bytes(range(32))
GAME = "seven-wonders"


@dataclass(slots=True)
class Api:
    """Calls the application in this process and holds every answer against the OpenAPI document. `secrets`
    are the tokens it has handed out; `documented` is False where the use cases fail as they never do."""

    app: Flask
    services: Services
    secrets: list[str] = field(default_factory=list)
    documented: bool = True

    def ask(self, method: str, path: str, token: str | None = None, **more: Any) -> Any:
        """A request; POSTs get an Idempotency-Key unless `headers` has one (None: leave it out)."""
        headers: dict[str, str | None] = dict(more.pop("headers", {}))
        if token is not None:
            headers.setdefault("Authorization", f"Bearer {token}")
        if method == "POST":
            headers.setdefault("Idempotency-Key", new_key())
        sent = {name: value for name, value in headers.items() if value is not None}
        answer = self.app.test_client().open(path, method=method, headers=sent, **more)
        if self.documented:
            wrong = undocumented(method, path, answer.status_code, answer.headers, answer.data)
            assert not wrong, wrong
        return answer

    def get(self, path: str, token: str | None = None, **more: Any) -> Any:
        """GET."""
        return self.ask("GET", path, token, **more)

    def post(self, path: str, body: Any, token: str | None = None, **more: Any) -> Any:
        """POST a JSON body."""
        return self.ask("POST", path, token, json=body, **more)

    def tenant(self, name: str) -> str:
        """A new key of a tenant."""
        key = self.services.keys.create(name).key
        self.secrets.append(key)
        return key


@dataclass(slots=True)
class Table:
    """A match over HTTP: its id, its host's key, the tokens of its seats."""

    api: Api
    id: str
    host: str
    seats: list[str]

    @property
    def path(self) -> str:
        """The path of the match."""
        return f"/v1/matches/{self.id}"

    def start(self) -> "Table":
        """Start the match."""
        answer = self.api.post(f"{self.path}/commands", {"command": {"type": "start"}}, self.host)
        assert answer.status_code == 200, answer.text
        return self

    def cancel(self) -> "Table":
        """Call the match off."""
        answer = self.api.post(f"{self.path}/commands", {"command": {"type": "cancel"}}, self.host)
        assert answer.status_code == 200, answer.text
        return self

    def moves(self, seat: int) -> list[dict[str, Any]]:
        """The bodies this seat may post now."""
        answer = self.api.get(f"{self.path}/legal-moves", self.seats[seat])
        assert answer.status_code == 200, answer.text
        return [move["body"] for move in answer.json["moves"]]

    def send(self, seat: int, body: dict[str, Any], **headers: str) -> Any:
        """Post a command of a seat."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.api.post(f"{self.path}/commands", body, self.seats[seat], headers=named)


Seated = Callable[..., Table]


@pytest.fixture
def api() -> Iterator[Api]:
    """The service in memory, where nobody is limited: twins ask faster than strangers may."""
    services = bootstrap.services(settings.for_memory(SECRET))
    yield Api(create_app(services.matches, HttpSettings(limits=None), GAMES), services)
    services.close()


@pytest.fixture
def seated(api: Api) -> Seated:
    """Sets up a match of three seats with everybody seated, in the lobby."""

    def make(visibility: str = "public", open_seats: int = 0) -> Table:
        host = api.tenant("acme")
        plan = {"game": GAME, "seats": [{"kind": "open"}] * 3, "visibility": visibility}
        made = api.post("/v1/matches", plan, host)
        assert made.status_code == 201, made.text
        table = Table(api, made.json["id"], host, [])
        for number in range(3 - open_seats):
            joined = api.post(f"{table.path}/seats", {"name": f"Player {number}"}, host)
            assert joined.status_code == 201, joined.text
            table.seats.append(joined.json["token"])
        api.secrets.extend(table.seats)
        return table

    return make


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Everything that is logged, from the lowest level on."""
    caplog.set_level(logging.DEBUG)
    return caplog


@dataclass(slots=True)
class Live:
    """A running service: gunicorn, on a real server, and the use cases of another process on the same one."""

    server: Gunicorn
    services: Services
    environment: dict[str, str]

    @property
    def url(self) -> str:
        """Where it listens."""
        return self.server.url


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """gunicorn over loopback with an embedded Valkey."""
    folder: Path = tmp_path_factory.mktemp("live")
    with redis_url() as url:
        environment = {"WONDERLOG_STREAMS_URL": url, "WONDERLOG_SERVER_SECRET": SECRET.hex()}
        services = bootstrap.services(settings.from_environment(environment))
        with gunicorn(folder / "gunicorn.log", environment) as server:
            yield Live(server, services, environment)
        services.close()
