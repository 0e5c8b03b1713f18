"""One all-in-one server for the tests that only need some server, and one finished match on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.running import Up, play, seated, start_up, wonderlog


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A server that runs for the whole session."""
    up = start_up(tmp_path_factory.mktemp("session") / "home")
    yield up
    if up.process.poll() is None:
        up.stop()


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over, and its bundle."""

    id: str
    token: str
    bundle: Path


@pytest.fixture(scope="session")
def finished(server: Up, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A match played to its end over HTTP, exported."""
    match, token = seated(server, "finished")
    assert play(server, match, token)["status"] == "over"
    file = tmp_path_factory.mktemp("bundle") / "match.jsonl"
    done = wonderlog("export", match, "-o", str(file), "--data", str(server.home))
    assert done.returncode == 0, done.stderr
    return Finished(match, token, file)
