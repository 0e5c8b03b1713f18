"""What every store promises, in memory, on one server and on a cluster."""

import dataclasses
import threading
from collections.abc import Callable, Sequence

import pytest

from events.archive import Moves
from events.chain import seal_events, verify_chain
from events.envelope import ZERO_HASH, Recorded
from events.keys import TOMBSTONE
from events.store import (
    Appended,
    Archived,
    CommandRecord,
    EventStore,
    Head,
    HistoryForked,
    KeyReused,
    VersionConflict,
)
from tests.events.sample import NOON, SEAL_KEY, noted, open_draft, put_away, whole_match


def follow(events: Sequence[Recorded], count: int = 1, tag: str = "") -> list[Recorded]:
    """The events of the next append."""
    return noted(events[-1].match, count, events[-1].version, events[-1].hash, tag)


def test_an_unknown_match_is_empty(store: EventStore, match: str) -> None:
    loaded = store.load(match, 0, "c1")
    assert (loaded.records, loaded.command, loaded.secrets, loaded.version) == ([], None, {}, 0)
    assert store.head(match) == Head(0, ZERO_HASH)
    assert store.read(match, 0, 10) == []
    assert store.secrets(match) == {}
    assert not store.exists(match)


def test_what_was_appended_is_what_is_read(store: EventStore, match: str) -> None:
    records = whole_match(match)
    done = 0
    for event in records:
        if event.version == event.command:
            append = [other for other in records if other.command == event.command]
            assert store.append(match, done, f"c{done}", "f", append) == Appended(
                done + 1, append[-1].version, False
            )
            done = append[-1].version
    assert store.load(match).records == records
    assert store.load(match).version == len(records)
    assert store.load(match, after=5).records == records[5:]
    assert store.read(match, 3, 4) == records[3:7]
    assert store.head(match) == (len(records), records[-1].hash)
    assert store.exists(match)
    verify_chain(store.load(match).records, match, seal_key=SEAL_KEY)


def test_an_append_at_another_version_conflicts_and_writes_nothing(store: EventStore, match: str) -> None:
    first = noted(match, 2)
    store.append(match, 0, "c1", "f", first)
    for late in (noted(match, 1, tag="late"), noted(match, 1, 1, first[0].hash), follow(follow(first))):
        with pytest.raises(VersionConflict) as conflict:
            store.append(match, late[0].version - 1, "c2", "f", late, {"token": "late"})
        assert conflict.value.actual == 2
    loaded = store.load(match, 0, "c2")
    assert (loaded.records, loaded.command, loaded.secrets) == (first, None, {})


def test_an_append_to_another_history_of_the_same_length_is_refused(store: EventStore, match: str) -> None:
    store.append(match, 0, "c1", "f", noted(match, 1, tag="this history"))
    other = noted(match, 1, tag="another history")
    with pytest.raises(HistoryForked):
        store.append(match, 1, "c2", "f", follow(other))
    assert store.load(match, 0, "c2").command is None


def test_a_known_command_is_answered_from_its_record_whatever_has_happened_since(
    store: EventStore, match: str
) -> None:
    first = noted(match, 2)
    assert store.append(match, 0, "c1", "f1", first) == Appended(1, 2, False)
    store.append(match, 2, "c2", "f2", follow(first))
    assert store.append(match, 0, "c1", "f1", first) == Appended(1, 2, True)
    assert store.append(match, 2, "c1", "f1", follow(first, tag="again")) == Appended(1, 2, True)
    assert store.load(match, 0, "c1").command == CommandRecord("f1", 1, 2)
    assert store.load(match).version == 3


def test_a_command_id_with_another_fingerprint_is_refused(store: EventStore, match: str) -> None:
    first = noted(match)
    store.append(match, 0, "c1", "f1", first)
    with pytest.raises(KeyReused):
        store.append(match, 1, "c1", "f2", follow(first))
    assert store.load(match).version == 1


def test_appends_without_a_command_id_leave_no_record(store: EventStore, match: str) -> None:
    first = noted(match)
    assert store.append(match, 0, None, "", first) == Appended(1, 1, False)
    assert store.append(match, 1, None, "", follow(first)) == Appended(2, 2, False)
    with pytest.raises(VersionConflict):
        store.append(match, 0, None, "", first)
    assert store.load(match, 0, "c").command is None


def test_fingerprints_and_secrets_may_hold_any_text(store: EventStore, match: str) -> None:
    fingerprint, secret = "a b-c 1-2 \n ü 🂡", "x=1\n\0 🂡"
    store.append(match, 0, "ü 🂡 1-2", fingerprint, noted(match), {"na me": secret})
    loaded = store.load(match, 0, "ü 🂡 1-2")
    assert loaded.command == CommandRecord(fingerprint, 1, 1)
    assert loaded.secrets == {"na me": secret}
    assert store.append(match, 0, "ü 🂡 1-2", fingerprint, noted(match)).replayed


def test_secrets_are_written_with_the_events(store: EventStore, match: str) -> None:
    first = noted(match)
    store.append(match, 0, "c1", "f", first, {"match_key": "k", "seat:0": "h0"})
    store.append(match, 1, "c2", "f", follow(first), {"seat:0": "h1"})
    assert store.secrets(match) == store.load(match).secrets == {"match_key": "k", "seat:0": "h1"}


def test_a_replay_does_not_write_its_secrets_again(store: EventStore, match: str) -> None:
    first = noted(match)
    store.append(match, 0, "c1", "f", first, {"seat:0": "first"})
    store.put_secrets(match, {"seat:0": "rotated"})
    store.append(match, 0, "c1", "f", first, {"seat:0": "first"})
    assert store.secrets(match) == {"seat:0": "rotated"}


def test_secrets_can_be_changed_without_an_event(store: EventStore, match: str) -> None:
    with pytest.raises(LookupError):
        store.put_secrets(match, {"seat:0": "h0"})
    with pytest.raises(LookupError):
        store.drop_secrets(match, ["seat:0"])
    store.append(match, 0, "c1", "f", noted(match), {"seat:0": "h0", "seat:1": "h1"})
    store.put_secrets(match, {"seat:0": "h2", "seat:2": "h3"})
    store.drop_secrets(match, ["seat:1", "never there"])
    assert store.secrets(match) == {"seat:0": "h2", "seat:2": "h3"}
    assert store.load(match).version == 1


def wrong_arguments(match: str) -> dict[str, tuple[object, ...]]:
    """Arguments that do not fit together, by what is wrong with them."""
    one, two = noted(match), noted(match, 2)
    swapped = [dataclasses.replace(two[0], version=2), dataclasses.replace(two[1], version=1)]
    return {
        "no events": (match, 0, "c", "f", []),
        "a gap": (match, 0, "c", "f", [two[1]]),
        "swapped": (match, 0, "c", "f", swapped),
        "negative": (match, -1, "c", "f", noted(match)),
        "another match": (match, 0, "c", "f", noted("mat_other")),
        "second event elsewhere": (match, 0, "c", "f", [one[0], noted("mat_other", 2)[1]]),
        "unchained": (match, 0, "c", "f", [one[0], dataclasses.replace(two[1], prev_hash="1" * 64)]),
        "another command": (match, 0, "c", "f", [dataclasses.replace(one[0], command=2)]),
        "empty command id": (match, 0, "", "f", one),
        "no fingerprint": (match, 0, "c", "", one),
        "reserved secret": (match, 0, "c", "f", one, {"fine": "x", TOMBSTONE: "x"}),
        "nameless secret": (match, 0, "c", "f", one, {"": "x"}),
        "braces in the id": ("a}b", 0, "c", "f", noted("a}b")),
    }


@pytest.mark.parametrize("what", wrong_arguments("mat_x"))
def test_arguments_are_checked_before_anything_is_written(store: EventStore, match: str, what: str) -> None:
    with pytest.raises(ValueError):
        store.append(*wrong_arguments(match)[what])  # type: ignore[arg-type]  # the table is of every type
    loaded = store.load(match, 0, "c")
    assert (loaded.records, loaded.command, loaded.secrets) == ([], None, {})


def test_reserved_names_of_secrets_are_refused_everywhere(store: EventStore, match: str) -> None:
    store.append(match, 0, "c", "f", noted(match))
    with pytest.raises(ValueError):
        store.put_secrets(match, {TOMBSTONE: "x"})
    with pytest.raises(ValueError):
        store.drop_secrets(match, [TOMBSTONE])
    assert store.load(match).version == 1


@pytest.mark.parametrize("match_id", ["", "a b", "a}b", "{a}", "ä", "a" * 65])
def test_ids_that_could_leave_their_slot_are_refused(store: EventStore, match_id: str) -> None:
    for ask in (store.load, store.secrets, store.head, store.exists):
        with pytest.raises(ValueError):
            ask(match_id)


def test_writers_at_once_leave_no_gap_and_lose_nothing(store: EventStore, match: str) -> None:
    writers, each = 8, 20
    failures: list[BaseException] = []
    barrier = threading.Barrier(writers)

    def write(writer: int) -> None:
        try:
            barrier.wait(timeout=20)
            for number in range(each):
                while True:
                    head = store.head(match)
                    draft = open_draft({"writer": writer, "number": number})
                    events = seal_events([draft], match, head.version, head.hash, NOON, SEAL_KEY)
                    try:
                        store.append(match, head.version, f"w{writer}-{number}", "f", events, durable=False)
                        break
                    except VersionConflict:
                        continue
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not failures
    records = store.load(match).records
    verify_chain(records, match, seal_key=SEAL_KEY)
    written = [(event.data["writer"], event.data["number"]) for event in records]
    assert sorted(written) == [(writer, number) for writer in range(writers) for number in range(each)]
    for writer in range(writers):
        assert [number for who, number in written if who == writer] == list(range(each))


def test_the_same_command_sent_many_times_at_once_happens_once(store: EventStore, match: str) -> None:
    senders = 8
    barrier = threading.Barrier(senders)
    answers: list[Appended] = []

    def send() -> None:
        events = noted(match, 2)
        barrier.wait(timeout=20)
        answers.append(store.append(match, 0, "c1", "f", events))

    threads = [threading.Thread(target=send) for _ in range(senders)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * (senders - 1)
    assert {(answer.first, answer.last) for answer in answers} == {(1, 2)}
    assert store.load(match).version == 2


def test_an_archived_match_leaves_a_tombstone_that_stops_every_late_command(
    store: EventStore, moves: Moves, match: str
) -> None:
    first = noted(match, 2)
    store.append(match, 0, "c1", "f", first, {"match_key": "k"})
    put_away(moves, match, "s3://bundles/1")
    attempts: list[Callable[[], object]] = [
        lambda: store.append(match, 0, "c2", "f", noted(match)),
        lambda: store.append(match, 2, "c1", "f", follow(first)),
        lambda: store.append(match, 0, "c1", "f", first),
        lambda: store.load(match),
        lambda: store.read(match, 0, 1),
        lambda: store.head(match),
        lambda: store.secrets(match),
        lambda: store.put_secrets(match, {"a": "b"}),
        lambda: store.drop_secrets(match, ["a"]),
    ]
    for attempt in attempts:
        with pytest.raises(Archived) as archived:
            attempt()
        assert archived.value.tombstone == "s3://bundles/1"
    assert not store.exists(match)


def test_new_heads_are_announced_to_every_subscriber(store: EventStore, match: str) -> None:
    one, two = store.subscribe(), store.subscribe()
    try:
        first = noted(match, 3)
        store.append(match, 0, "c1", "f", first)
        store.append(match, 0, "c1", "f", first)
        store.append(match, 3, "c2", "f", follow(first))
        for heads in (one, two):
            assert heads.next(10) == (match, 3)
            assert heads.next(10) == (match, 4)
            assert heads.next(0.01) is None
    finally:
        one.close()
        two.close()


def test_operators_notes_are_kept_and_not_served(store: EventStore, match: str) -> None:
    store.append(match, 0, "c1", "f", noted(match))
    event = store.load(match).records[0]
    assert event.meta == {"command_id": "c-1"}
