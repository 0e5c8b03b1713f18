"""The processes of the all-in-one server: started, started again when they end, ended in order.

None outlives its parent: a watchdog process ends them if the parent is killed (see `watchdog`).
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
# A process that has lived this long, in seconds, is started again without a pause.
_SOUND_LIFE: Final = 10.0
_LARGEST_LOG: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class Program:
    """What to run: its name, command line, environment, folder, log file, and file descriptors to inherit."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    folder: Path
    log: Path
    inherits: tuple[int, ...] = ()


@dataclass(slots=True)
class Child:
    """A program that runs, or is to run again at `due` (monotonic seconds)."""

    program: Program
    process: "subprocess.Popen[bytes]"
    began: float
    pause: float = _FIRST_PAUSE
    due: float | None = None

    @property
    def is_alive(self) -> bool:
        """Whether its process runs."""
        return self.process.poll() is None


class Children:
    """All of them. Not for use by several threads at once."""

    def __init__(self) -> None:
        self._children: dict[str, Child] = {}
        self._watchdog = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(__file__).with_name("watchdog.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    def start(self, program: Program) -> Child:
        """Start a program in a process group of its own, so that Ctrl-C is its parent's to answer."""
        with suppress(FileNotFoundError):
            if program.log.stat().st_size > _LARGEST_LOG:
                program.log.replace(program.log.with_suffix(".old.log"))
        child = Child(program, self._launch(program), time.monotonic())
        self._children[program.name] = child
        return child

    def pids(self) -> dict[str, int]:
        """The process ids of those that run, by name."""
        return {name: child.process.pid for name, child in self._children.items() if child.is_alive}

    def look_after(self) -> list[str]:
        """Start those again that have ended, at once or after a pause that doubles; says what happened."""
        news = []
        now = time.monotonic()
        for name, child in self._children.items():
            if child.is_alive:
                continue
            if child.due is None:
                self._forget(child)
                sound = now - child.began > _SOUND_LIFE
                child.due = now if sound else now + child.pause
                child.pause = _FIRST_PAUSE if sound else min(child.pause * 2, _LONGEST_PAUSE)
                news.append(f"{name} ended ({_ending(child.process.returncode)})")
            if now >= child.due:
                child.process, child.began, child.due = self._launch(child.program), now, None
                news.append(f"{name} was started again")
        return news

    def stop(self, *names: str, seconds: float = 10.0) -> None:
        """End these and wait: SIGTERM, and SIGKILL for what is left after `seconds`."""
        stopping = [self._children.pop(name) for name in names if name in self._children]
        for child in stopping:
            _signal(child, signal.SIGTERM)
        deadline = time.monotonic() + seconds
        for child in stopping:
            try:
                child.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                _signal(child, signal.SIGKILL)
                child.process.wait()
            self._forget(child)

    def close(self) -> None:
        """End all that are left, then the watchdog."""
        self.stop(*self._children)
        with suppress(BrokenPipeError):
            assert self._watchdog.stdin is not None
            self._watchdog.stdin.close()
        self._watchdog.wait()

    def _launch(self, program: Program) -> "subprocess.Popen[bytes]":
        descriptor = os.open(program.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            process = subprocess.Popen(
                program.command,
                cwd=program.folder,
                env=dict(program.environment),
                stdin=subprocess.DEVNULL,
                stdout=descriptor,
                stderr=descriptor,
                pass_fds=program.inherits,
                start_new_session=True,
            )
        finally:
            os.close(descriptor)
        self._tell(f"+{process.pid}\n")
        return process

    def _forget(self, child: Child) -> None:
        # Its group may outlive it (workers of a killed gunicorn): they are ended with it.
        _signal(child, signal.SIGTERM)
        self._tell(f"-{child.process.pid}\n")

    def _tell(self, line: str) -> None:
        with suppress(BrokenPipeError):
            assert self._watchdog.stdin is not None
            self._watchdog.stdin.write(line.encode())
            self._watchdog.stdin.flush()


def last_lines(log: Path, count: int = 15) -> str:
    """The end of a log file, for an error message."""
    with suppress(FileNotFoundError):
        return "\n".join(log.read_text(errors="replace").splitlines()[-count:])
    return ""


def _signal(child: Child, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.process.pid, number)


def _ending(returncode: int | None) -> str:
    if returncode is None or returncode >= 0:
        return f"exit code {returncode}"
    return signal.Signals(-returncode).name
