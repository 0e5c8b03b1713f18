"""`python -m tests.chaos.archiving_steps URL FOLDER`: a match moves into the archive, comes back and is
removed in processes that are killed at every line of the code that does it; after each it is looked at.

Prints one JSON line: how many processes were killed, by what they did. Ends with 1 at the first match that is
in neither place or has another byte.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

from events import archive, redis_moves, redis_streams
from events.archive import Whole
from service import archived, archiving, bootstrap, settings
from service.adapters import archive_folder, finished
from service.archiving import Listed
from service.bootstrap import Services
from service.credentials import Caller
from tests.service import tiny_game
from tests.service.table import SECRET, Table
from tests.service.table import finished as played

FILES: Final = {
    module.__file__ for module in (archived, archiving, archive_folder, finished, redis_moves, redis_streams)
}
Step = Callable[[Services, str], object]


def services(url: str, folder: Path) -> Services:
    """What a process of its own would have."""
    known = settings.Settings(url, url, SECRET, SECRET, archive_url=str(folder))
    return bootstrap.services(known, {tiny_game.NAME: tiny_game})


def kill_at(number: int) -> None:
    """Let this process be killed before it runs the line of this number of those it runs in the files above,
    each counted once."""
    seen: set[tuple[str, int]] = set()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in FILES:
            return None
        if event == "line":
            seen.add((frame.f_code.co_filename, frame.f_lineno))
            if len(seen) > number:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)


def killed(step: Step, url: str, folder: Path, match: str, number: int) -> bool:
    """Do a step in a process that is killed at a line; False when it came to its end before."""
    child = os.fork()
    if child == 0:
        try:
            made = services(url, folder)
            kill_at(number)
            step(made, match)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0, f"{step} failed at line {number}"
    return False


def whole(made: Services, match: str) -> Whole | None:
    """Everything that is kept of a match, wherever it is."""
    parts = made.adapters.archive
    text = parts.moves.tombstone(match)
    if text is None:
        return parts.moves.whole(match)
    stone = archive.read_tombstone(text)
    assert stone is not None and parts.storage is not None
    packed = parts.storage.get(stone.file) if stone.file else None
    return None if packed is None else archive.unpack(packed)


def read(made: Services, table: Table) -> list[Any]:
    """What its players are shown."""
    callers = [table.tenant, table.seat(0)]
    return [
        [list(made.matches.export(each, table.match)), made.matches.view(each, table.match)]
        for each in callers
    ]


def through(
    name: str,
    step: Step,
    prepare: Step,
    url: str,
    folder: Path,
    table: Table,
    before: Whole,
    shown: list[Any],
) -> int:
    """Kill a step at each of its lines; how many processes that took."""
    number = 0
    while True:
        prepare(services(url, folder), table.match)
        was_killed = killed(step, url, folder, table.match, number)
        after = services(url, folder)
        assert whole(after, table.match) == before, f"{name}, line {number}: the match is another"
        assert read(after, table) == shown, f"{name}, line {number}: it is shown otherwise"
        after.close()
        if not was_killed:
            return number
        number += 1


def archive_it(made: Services, match: str) -> object:
    return made.archiving.archive(match, now=True)


def restore_it(made: Services, match: str) -> object:
    return made.archiving.restore(match, 60)


def write_to_it(made: Services, match: str) -> object:
    """What changes nothing and yet brings it back."""
    return made.store.put_secrets(match, {"tenant": made.store.secrets(match)["tenant"]})


def remove(made: Services, match: str, listed: Listed) -> object:
    return made.archiving.remove(listed)


def removed(url: str, folder: Path, host: Caller) -> int:
    """Kill a removal at each of its lines: the match is there or gone, and gone once it is done again."""
    number = 0
    while True:
        made = services(url, folder)
        table = played(made, host=host, options={"rounds": 1})
        archive_it(made, table.match)
        (listed,) = [each for each in made.archiving.present() if each.match == table.match]
        was_killed = killed(partial(remove, listed=listed), url, folder, table.match, number)
        if any(each.match == table.match for each in made.archiving.present()):
            assert table.view()["status"] == "over"
        assert made.archiving.remove(listed) or not was_killed
        assert whole(made, table.match) is None
        assert not list((folder / "acme").glob(f"{table.match}*"))
        listed_now = made.matches.list_matches(host)["items"]
        assert table.match not in [each["id"] for each in listed_now]
        made.close()
        if not was_killed:
            return number
        number += 1


def main(url: str, folder: Path) -> None:
    """All of it."""
    made = services(url, folder)
    table = played(made, options={"rounds": 1})
    before, shown = whole(made, table.match), read(made, table)
    assert before is not None
    rest = (url, folder, table, before, shown)
    counts = {
        "archive": through("archive", archive_it, restore_it, *rest),
        "restore": through("restore", restore_it, archive_it, *rest),
        "write": through("write", write_to_it, archive_it, *rest),
        "remove": removed(url, folder, table.tenant),
    }
    made.close()
    print(json.dumps(counts))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
