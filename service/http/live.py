"""A stream, whoever writes it: what comes next, when it ends. Knows no sockets and no threads."""

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from events.store import Archived
from service.credentials import Caller
from service.errors import CursorExpired, Forbidden, NotFound, Unauthenticated
from service.following import Log
from service.http.stream_items import Encoding, Reason

# Events read at once: what a stream may hold in memory at most, besides what waits to be sent.
PAGE: Final = 100


class Step(NamedTuple):
    """What to send, the cursor and the head after it; `behind`: there is more; `ended`: this was all."""

    data: bytes
    after: str
    head: str
    behind: bool = False
    ended: bool = False


# Of one moment: streams that ask the same with the same rights get the same answer.
Memo = MutableMapping[tuple[Caller, str, str, str], Step]


@dataclass(slots=True)
class Stream:
    """Follows a log from a cursor on."""

    log: Log
    encoding: Encoding
    after: str
    head: str = ""
    behind: bool = False
    ended: bool = False

    def begin(self) -> bytes:
        """The first items: `hello`, and what there is. Raises as `Log.page` does, but never CursorExpired."""
        try:
            found = self.log.page(self.after, 1)
        except CursorExpired as lost:
            resumed_from, head = lost.head, lost.head
        else:
            resumed_from, head = self.after, found.head
        hello = self.encoding.hello(self.log.shown(head), self.log.shown(resumed_from))
        return hello + self.more({})

    def more(self, memo: Memo) -> bytes:
        """What there is now; empty when that is nothing. Raises StoreUnavailable: ask again later."""
        asked = (self.log.caller, self.log.topic, self.encoding.media_type, self.after)
        step = memo.get(asked)
        if step is None:
            step = memo[asked] = _step(self.log, self.encoding, self.after)
        self.after, self.head, self.behind, self.ended = step.after, step.head, step.behind, step.ended
        return step.data

    def ping(self) -> bytes:
        """A heartbeat."""
        return self.encoding.ping(self.log.shown(self.head))

    def bye(self, reason: Reason) -> bytes:
        """The last item."""
        self.ended = True
        return self.encoding.bye(reason)


def _step(log: Log, encoding: Encoding, after: str) -> Step:
    try:
        found = log.page(after, PAGE)
    except (Unauthenticated, Forbidden, NotFound):
        return Step(encoding.bye("auth-revoked"), after, after, ended=True)
    except Archived:
        return Step(encoding.bye("match-over"), after, after, ended=True)
    except CursorExpired as lost:
        return Step(encoding.reset(log.shown(lost.head)), lost.head, lost.head, behind=True)
    data = b"".join(encoding.event(cursor, envelope) for cursor, envelope in found.items)
    behind = found.next_after not in (after, found.head)
    ended = found.over and found.next_after == found.head
    if ended:
        data += encoding.bye("match-over")
    return Step(data, found.next_after, found.head, behind, ended)
