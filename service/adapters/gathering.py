"""Notes that are written a moment later, many at once, by one thread of the process.

Only for what is made good elsewhere when the process dies before it is written.
"""

import logging
import os
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Final, Generic, TypeVar

from redis import Redis
from redis.commands.core import Script

from events.redis_link import Client, Command, exchange
from events.store import StoreUnavailable

# How long notes gather, in seconds.
_GATHER_S: Final = 0.005

Key = TypeVar("Key", bound=Hashable)
Note = TypeVar("Note")
# A script, its keys, its arguments.
Call = tuple[Script, Sequence[str], Sequence[str | bytes | int]]

log = logging.getLogger(__name__)


class Gathering(Generic[Key, Note]):
    """Gathers notes, one under each key. The thread is started by the first note, so that it lives in the
    process that notes (a thread started before a fork is dead after it)."""

    def __init__(
        self, write: Callable[[Mapping[Key, Note]], None], newer: Callable[[Note, Note], Note]
    ) -> None:
        """`newer`: which of two notes counts, the known one or the other. `write` may raise StoreUnavailable:
        then the notes are lost, and a warning says so."""
        self._write = write
        self._newer = newer
        self._closing = threading.Event()
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._noted = threading.Event()
        self._notes: dict[Key, Note] = {}
        self._thread: threading.Thread | None = None
        self._process = os.getpid()

    def note(self, key: Key, note: Note) -> None:
        """Note something, to be written within milliseconds; at once after `close`."""
        if self._process != os.getpid():
            self._reset()
        with self._lock:
            self._notes[key] = self._newer(self._notes[key], note) if key in self._notes else note
            running = self._thread is not None and self._thread.is_alive()
            if not running and not self._closing.is_set():
                self._thread = threading.Thread(target=self._run, name="wonderlog-gathering", daemon=True)
                self._thread.start()
        self._noted.set()
        if self._closing.is_set():
            self.settle()

    def settle(self) -> None:
        """Write what was noted before this call, here or in the thread, and wait for it."""
        if self._process != os.getpid():
            return
        with self._writing:
            with self._lock:
                notes, self._notes = self._notes, {}
            if not notes:
                return
            try:
                self._write(notes)
            except StoreUnavailable as error:
                log.warning("%d notes left to the sweeper: %s", len(notes), error)

    def close(self) -> None:
        """Write what there is and end the thread."""
        self._closing.set()
        self._noted.set()
        if self._thread is not None and self._process == os.getpid():
            self._thread.join()
        self.settle()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._noted.wait()
            self._closing.wait(_GATHER_S)
            self._noted.clear()
            self.settle()


def at_once(client: Client, calls: Sequence[Call]) -> list[bool]:
    """Call scripts in one round trip, and say which were done. Of a Cluster none is: it has a server for each
    key. What was not done may be called again, and then the script is sent along. Raises StoreUnavailable."""
    if not isinstance(client, Redis):
        return [False] * len(calls)
    commands: list[Command] = [
        ("EVALSHA", script.sha, len(keys), *keys, *arguments) for script, keys, arguments in calls
    ]
    return [not isinstance(reply, Exception) for reply in exchange(client.connection_pool, commands)]
