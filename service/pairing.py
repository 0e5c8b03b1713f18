"""Who sits down together: a pure function of the tickets that wait and of the time."""

from collections.abc import Sequence
from dataclasses import dataclass

from service.queue_tickets import QueueTicket


@dataclass(frozen=True, slots=True)
class Party:
    """Tickets for one table of so many seats; bots take those that are left."""

    tickets: list[QueueTicket]
    size: int
    bot: str | None = None


def pair(waiting: Sequence[QueueTicket], now_ms: int) -> Party | None:
    """The first party that can sit down; `waiting` are tickets of one pool, the oldest first.

    A ticket gets the largest table it asks for as soon as there are people for it. Once its time has come
    it gets the largest table people fill, or else, if it takes bots, one with as many people as there are.
    Bots sit down only with people who all take them, and nobody sits down with itself."""
    for first in waiting:
        due = now_ms >= first.start_ms
        for size in range(first.most, first.least - 1, -1) if due else (first.most,):
            people = _people(first, waiting, size, bots=False)
            if len(people) == size:
                return Party(people, size)
        if due and first.bot is not None:
            return _with_bots(first, waiting)
    return None


def _with_bots(first: QueueTicket, waiting: Sequence[QueueTicket]) -> Party:
    """The table with most people; of several the smallest."""
    found = [
        Party(_people(first, waiting, size, bots=True), size, first.bot)
        for size in range(first.least, first.most + 1)
    ]
    return max(found, key=lambda party: (len(party.tickets), -party.size))


def _people(first: QueueTicket, waiting: Sequence[QueueTicket], size: int, bots: bool) -> list[QueueTicket]:
    """At most `size` people who would sit at such a table with `first`, who is one of them."""
    found, players = [first], {first.person} - {None}
    for ticket in waiting:
        if len(found) == size:
            break
        fits = ticket.least <= size <= ticket.most and not (bots and ticket.bot is None)
        if ticket.id != first.id and fits and ticket.person not in players:
            found.append(ticket)
            players |= {ticket.person} - {None}
    return found
