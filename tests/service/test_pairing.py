"""Who sits down together."""

from dataclasses import replace

from service.pairing import Party, pair
from service.queue_tickets import QueueTicket

NOW = 1_000_000


def ticket(number: int, least: int = 2, most: int = 4, waits: int = 30_000, **more: object) -> QueueTicket:
    """A ticket that came `number` milliseconds after the others."""
    made = NOW + number
    return QueueTicket(
        id=f"qt_{number}",
        tenant="acme",
        fingerprint="",
        pool="p",
        game="tiny",
        options={},
        visibility="public",
        least=least,
        most=most,
        made_ms=made,
        start_ms=made + waits,
        expires_ms=made + 600_000,
        **more,  # type: ignore[arg-type]
    )


def ids(party: Party | None) -> list[str] | None:
    return None if party is None else [each.id for each in party.tickets]


def test_the_largest_table_that_is_asked_for_starts_as_soon_as_it_is_full() -> None:
    assert pair([ticket(n) for n in range(3)], NOW) is None
    party = pair([ticket(n) for n in range(5)], NOW)
    assert party is not None and ids(party) == ["qt_0", "qt_1", "qt_2", "qt_3"]
    assert (party.size, party.bot) == (4, None)


def test_a_smaller_wish_does_not_wait_for_a_larger_table() -> None:
    waiting = [ticket(0), ticket(1, most=2), ticket(2)]
    assert ids(pair(waiting, NOW)) == ["qt_1", "qt_0"]


def test_who_has_waited_long_enough_takes_what_there_is() -> None:
    waiting = [ticket(0, waits=10), ticket(1)]
    assert pair(waiting, NOW + 9) is None
    party = pair(waiting, NOW + 10)
    assert ids(party) == ["qt_0", "qt_1"] and party is not None and party.bot is None
    assert pair([ticket(0, waits=10)], NOW + 10) is None, "nobody plays alone without bots"


def test_bots_take_the_seats_that_are_left_at_the_smallest_table_for_most_people() -> None:
    waiting = [ticket(0, 3, 4, waits=0, bot="easy"), ticket(1, 4, 4, bot="random"), ticket(2, 2, 3)]
    party = pair(waiting, NOW)
    assert party is not None
    assert (ids(party), party.size, party.bot) == (["qt_0", "qt_1"], 4, "easy")
    alone = pair(waiting[:1], NOW)
    assert alone is not None and (ids(alone), alone.size) == (["qt_0"], 3)


def test_nobody_who_wants_people_only_sits_down_with_bots() -> None:
    waiting = [ticket(0, 3, 3, waits=0, bot="easy"), ticket(1, 3, 3)]
    assert ids(pair(waiting, NOW)) == ["qt_0"]


def test_people_are_preferred_to_bots() -> None:
    waiting = [ticket(0, 2, 4, waits=0, bot="easy"), ticket(1, 2, 4)]
    party = pair(waiting, NOW)
    assert party is not None and (ids(party), party.size, party.bot) == (["qt_0", "qt_1"], 2, None)


def test_nobody_sits_down_with_itself() -> None:
    twice = [ticket(n, 2, 2, person="ann") for n in range(2)]
    assert pair(twice, NOW) is None
    assert ids(pair([*twice, ticket(2, 2, 2)], NOW)) == ["qt_0", "qt_2"]
    nameless = [replace(each, person=None) for each in twice]
    assert ids(pair(nameless, NOW)) == ["qt_0", "qt_1"]
