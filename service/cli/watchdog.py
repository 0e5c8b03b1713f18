"""Ends what its parent has started when the parent is gone, however it went. Run as a script, imports nothing
of the project.

Standard input names the process groups to end, a line each: `+123` from its start, `-123` from its end. It is
a pipe that only the parent holds open, so end of file means that the parent is gone.
"""

import os
import signal
import sys
import time
from contextlib import suppress

# How long processes get to end by themselves, in seconds.
PATIENCE = 8.0


def main() -> None:
    """Follow standard input to its end, then end the groups that are left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line[0] == "+":
            groups.add(group)
        else:
            groups.discard(group)
    end(groups)


def end(groups: set[int]) -> None:
    """End process groups: SIGTERM, and SIGKILL for what is left after a while."""
    for group in groups:
        send(group, signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE
    while any(send(group, 0) for group in groups) and time.monotonic() < deadline:
        time.sleep(0.05)
    for group in groups:
        send(group, signal.SIGKILL)


def send(group: int, number: int) -> bool:
    """Whether the group was there to be sent the signal."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
        return True
    return False


if __name__ == "__main__":
    main()
