"""What every store promises to the archive: in memory, on one server and on a cluster."""

import dataclasses
from collections.abc import Callable

import pytest

from events import archive
from events.archive import Damaged, Moves, Tombstone, Whole
from events.keys import TOMBSTONE, of_match
from events.redis_moves import RedisMoves
from events.redis_streams import RedisStreams
from events.store import Archived, CommandRecord, EventStore, VersionConflict
from tests.events.sample import noted, whole_match

SECRETS = {"match_key": "00" * 32, "tenant": "acme", "name:0": "Zoë"}


@pytest.fixture
def whole(store: EventStore, moves: Moves, match: str) -> Whole:
    """A match that was played, as it is kept."""
    records = whole_match(match)
    for event in records:
        if event.version == event.command:
            append = [other for other in records if other.command == event.command]
            secrets = SECRETS if event.version == 1 else {}
            store.append(match, event.version - 1, f"tenant:ä:{event.version}", "f 1", append, secrets)
    found = moves.whole(match)
    assert found is not None
    return found


def test_all_of_a_match_is_copied(store: EventStore, moves: Moves, whole: Whole) -> None:
    assert whole.records() == store.read(whole.match, 0, 1000)
    assert (whole.version, whole.hash) == store.head(whole.match)
    assert whole.secrets == SECRETS
    assert whole.commands["tenant:ä:1"] == CommandRecord("f 1", 1, 1).text
    assert moves.whole(whole.match + "x") is None
    assert moves.tombstone(whole.match) is None


def test_a_match_survives_its_file(whole: Whole) -> None:
    packed = archive.pack(whole)
    assert archive.unpack(packed) == whole
    assert archive.pack(archive.unpack(packed)) == packed


def test_a_match_moves_away_and_comes_back_byte_by_byte(
    store: EventStore, moves: Moves, whole: Whole
) -> None:
    match = whole.match
    moves.move(whole, "there")
    assert moves.tombstone(match) == "there"
    assert match in moves.away()
    attempts: list[Callable[[], object]] = [
        lambda: store.load(match),
        lambda: moves.whole(match),
        lambda: moves.move(whole, "elsewhere"),
        lambda: moves.restore(whole, "elsewhere"),
        lambda: moves.bury(match, "elsewhere", "x"),
    ]
    for attempt in attempts:
        with pytest.raises(Archived) as away:
            attempt()
        assert away.value.tombstone == "there"
    moves.restore(whole, "there")
    assert moves.whole(match) == whole
    assert match not in moves.away()
    assert store.load(match, 0, "tenant:ä:1").command == CommandRecord("f 1", 1, 1)
    replayed = store.append(match, 0, "tenant:ä:1", "f 1", whole.records()[:1])
    assert (replayed.first, replayed.last, replayed.replayed) == (1, 1, True)
    head = whole.records()[-1]
    store.append(match, head.version, "c", "f", noted(match, 1, head.version, head.hash))
    assert store.head(match).version == whole.version + 1


def test_only_what_was_copied_is_moved(store: EventStore, moves: Moves, whole: Whole) -> None:
    others = [
        dataclasses.replace(whole, entries=whole.entries[:-1]),
        dataclasses.replace(whole, secrets={**SECRETS, "name:0": "Zoe"}),
        dataclasses.replace(whole, secrets={**SECRETS, "name:1": "Bob"}),
        dataclasses.replace(whole, secrets={"match_key": "00" * 32}),
        dataclasses.replace(whole, commands={}),
        dataclasses.replace(whole, entries=[*whole.entries[:-1], whole.entries[0]]),
    ]
    for other in others:
        with pytest.raises(VersionConflict):
            moves.move(other, "there")
    assert moves.whole(whole.match) == whole
    store.put_secrets(whole.match, {"name:0": ""})
    with pytest.raises(VersionConflict):
        moves.move(whole, "there")
    with pytest.raises(LookupError):
        moves.move(dataclasses.replace(whole, match=whole.match + "x"), "there")


def test_without_a_tombstone_nothing_is_restored_or_buried(moves: Moves, whole: Whole) -> None:
    for attempt in (lambda: moves.restore(whole, "there"), lambda: moves.bury(whole.match, "there", "x")):
        with pytest.raises(LookupError):
            attempt()
    assert moves.whole(whole.match) == whole


def test_a_tombstone_gives_way_to_another(moves: Moves, whole: Whole) -> None:
    moves.move(whole, "there")
    moves.bury(whole.match, "there", "gone")
    assert moves.tombstone(whole.match) == "gone"
    with pytest.raises(Archived):
        moves.restore(whole, "there")


def test_the_functions_of_the_server_check_their_arguments_first(streams: RedisStreams, match: str) -> None:
    streams.append(match, 0, "c", "f", noted(match), {"a": "b"})
    keys = of_match(match)
    wrong: dict[str, list[tuple[str, ...]]] = {
        "wonderlog_move_v1": [
            (),
            ("1", "h", "1"),
            ("x", "h", "1", "t"),
            ("1", "h", "1", ""),
            ("1", "h", "1", "t", "a"),
        ],
        "wonderlog_restore_v1": [
            (),
            ("t", "0", "1", "0", "0"),
            ("t", "1", "0", "0", "0", "hash"),
            ("t", "1", "1", "0", "0", "hash"),
            ("t", "1", "1", "x", "0", "hash", "h"),
            ("t", "1", "1", "0", "1", "hash", "h", TOMBSTONE, "x"),
        ],
        "wonderlog_bury_v1": [(), ("a",), ("a", "")],
    }
    before = RedisMoves(streams).whole(match)
    for function, cases in wrong.items():
        for arguments in cases:
            with pytest.raises(Exception, match="wonderlog"):
                streams.call(function, keys, arguments, False, "move_matches.lua")
    assert RedisMoves(streams).whole(match) == before


def test_a_damaged_file_is_found_out(whole: Whole) -> None:
    packed = archive.pack(whole)
    flipped = packed[:20] + bytes([packed[20] ^ 0xFF]) + packed[21:]
    for wrong in (b"", b"no file", packed[:-9], flipped):
        with pytest.raises(Damaged):
            archive.unpack(wrong)
    short = dataclasses.replace(whole, entries=whole.entries[1:])
    changed = dataclasses.replace(whole, entries=[list(entry) for entry in whole.entries])
    changed.entries[2][2] = b'{"other":1}'  # type: ignore[index]  # a list, made just now
    for wrong_log in (short, changed, dataclasses.replace(whole, secrets={})):
        with pytest.raises(Damaged):
            archive.check(wrong_log)


def test_tombstones_are_read_as_they_were_engraved() -> None:
    stone = Tombstone("acme", "acme/m.1.2.aa.gz", "ab" * 32, 2, "cd" * 32)
    assert archive.read_tombstone(archive.engrave(stone)) == stone
    assert archive.read_tombstone(archive.engrave(Tombstone("acme"))) == Tombstone("acme")
    for text in ("elsewhere", "{}", '{"is":"moved"}', ""):
        assert archive.read_tombstone(text) is None
