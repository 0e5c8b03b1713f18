"""Child processes: started again with growing pauses, ended in time, never left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.cli.children import Children, Program, last_lines
from tests.cli.running import is_alive, wait_for

STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
time.sleep(600)
"""


@pytest.fixture
def children() -> Iterator[Children]:
    made = Children()
    yield made
    made.close()


def program(folder: Path, name: str, code: str) -> Program:
    """A Python program."""
    return Program(name, (sys.executable, "-c", code), os.environ, folder, folder / f"{name}.log")


def test_one_that_ends_is_started_again_and_the_pauses_grow(children: Children, tmp_path: Path) -> None:
    children.start(program(tmp_path, "brief", "print('hello')"))
    pauses: list[float] = []
    ended = 0.0
    while len(pauses) < 3:
        before = time.monotonic()
        for line in children.look_after():
            if line == "brief was started again":
                pauses.append(time.monotonic() - ended)
            else:
                assert line == "brief ended (exit code 0)"
                ended = before
        time.sleep(0.01)
    # At least: nothing says how late a busy machine lets us look.
    assert all(pause >= least for pause, least in zip(pauses, (0.5, 1.0, 2.0), strict=True)), pauses
    assert last_lines(tmp_path / "brief.log", 2) == "hello\nhello"


def test_one_that_does_not_listen_is_killed_when_its_time_is_up(children: Children, tmp_path: Path) -> None:
    pid = children.start(program(tmp_path, "stubborn", STUBBORN)).process.pid
    wait_for(lambda: last_lines(tmp_path / "stubborn.log") == "up", "its start")
    began = time.monotonic()
    children.stop("stubborn", seconds=0.3)
    assert 0.3 <= time.monotonic() - began < 5
    assert not is_alive(pid)
    assert children.pids() == {}


def test_none_outlives_a_parent_that_is_killed(tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(pids) == 2
    assert all(map(is_alive, pids))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    wait_for(lambda: not any(map(is_alive, pids)), "the end of the children")


PARENT = """
import os, sys, time
from pathlib import Path
from service.cli.children import Children, Program
folder, children = Path(sys.argv[1]), Children()
for name, code in (
    ("mild", "import time; time.sleep(600)"),
    ("grand", "import subprocess; subprocess.run(['sleep', '600'])"),
):
    children.start(Program(name, (sys.executable, "-c", code), os.environ, folder, folder / name))
print(*children.pids().values(), flush=True)
time.sleep(600)
"""


def test_a_long_log_is_put_aside_at_the_next_start(children: Children, tmp_path: Path) -> None:
    log = tmp_path / "brief.log"
    with log.open("wb") as file:
        file.truncate(20_000_001)
    children.start(program(tmp_path, "brief", "print('hello')"))
    wait_for(lambda: last_lines(log) == "hello", "its output")
    assert (tmp_path / "brief.old.log").stat().st_size == 20_000_001
