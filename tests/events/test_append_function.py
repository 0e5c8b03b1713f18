"""The functions in the server check every argument before they write: nothing rolls a script back."""

from collections.abc import Iterator

import pytest
import redis

from events.keys import HEADS_CHANNEL, MatchKeys, of_match
from events.redis_streams import RedisStreams
from tests.embedded import Valkey, start_valkey
from tests.events.sample import noted

FIELDS = ("data", "hash")
ONE = ("0", "0" * 64, "c1", "f", HEADS_CHANNEL, "m 1 h", "2", "1", "1", *FIELDS, "{}", "h1", "name", "secret")


@pytest.fixture(scope="module")
def server() -> Iterator[Valkey]:
    with start_valkey() as valkey:
        store = RedisStreams(valkey.url)
        store.append("mat_first", 0, "c", "f", noted("mat_first"))
        store.close()
        yield valkey


@pytest.fixture
def client(server: Valkey) -> Iterator["redis.Redis"]:
    with redis.Redis(port=server.port) as connected:
        yield connected


def call(client: "redis.Redis", keys: MatchKeys, arguments: tuple[str, ...], name: str = "append") -> object:
    return client.execute_command("FCALL", f"wonderlog_{name}_v1", len(keys), *keys, *arguments)


def changed(position: int, value: str) -> tuple[str, ...]:
    return (*ONE[:position], value, *ONE[position + 1 :])


def test_the_arguments_of_this_file_are_right(client: "redis.Redis", match: str) -> None:
    assert call(client, of_match(match), ONE) == [b"APPENDED", 1, 1]
    assert client.hgetall(of_match(match).secrets) == {b"name": b"secret"}


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ONE[:8],
        ONE[:-1],
        (*ONE, "more"),
        changed(0, "x"),
        changed(0, "-1"),
        changed(0, "0.5"),
        changed(0, "1e0"),
        changed(3, ""),
        changed(6, "x"),
        changed(6, "3"),
        changed(7, "0"),
        changed(7, "2"),
        changed(8, "0"),
        changed(8, "2"),
        changed(10, "hush"),
        changed(13, "tombstone"),
        changed(13, ""),
    ],
    ids=lambda arguments: " ".join(arguments)[:60] or "none",
)
def test_wrong_arguments_write_nothing(client: "redis.Redis", match: str, arguments: tuple[str, ...]) -> None:
    with pytest.raises(redis.ResponseError, match="wonderlog"):
        call(client, of_match(match), arguments)
    assert client.exists(*of_match(match)) == 0


@pytest.mark.parametrize("which", range(3))
def test_keys_of_another_type_are_refused_and_nothing_is_written(
    client: "redis.Redis", match: str, which: int
) -> None:
    keys = of_match(match)
    client.set(keys[which], "text")
    with pytest.raises(redis.ResponseError, match="WRONGTYPE"):
        call(client, keys, ONE)
    assert client.exists(*keys) == 1


def test_a_stream_whose_ids_are_beyond_its_length_is_refused(client: "redis.Redis", match: str) -> None:
    keys = of_match(match)
    client.xadd(keys.events, {"hash": "h"}, id="7-0")
    with pytest.raises(redis.ResponseError):
        call(client, keys, changed(0, "1")[:1] + ("h",) + ONE[2:])
    assert client.xlen(keys.events) == 1
    assert client.exists(keys.commands, keys.secrets) == 0


@pytest.mark.parametrize("arguments", [(), ("x",), ("1", "a"), ("1", "tombstone", "x"), ("0", "tombstone")])
def test_wrong_changes_of_secrets_write_nothing(
    client: "redis.Redis", match: str, arguments: tuple[str, ...]
) -> None:
    call(client, of_match(match), ONE)
    with pytest.raises(redis.ResponseError, match="wonderlog"):
        call(client, of_match(match), arguments, "secrets")
    assert client.hgetall(of_match(match).secrets) == {b"name": b"secret"}


def test_the_number_of_keys_matters(client: "redis.Redis", match: str) -> None:
    for keys in (of_match(match)[:2], (*of_match(match), "{match:x}:more")):
        with pytest.raises(redis.ResponseError, match="wonderlog"):
            client.execute_command("FCALL", "wonderlog_append_v1", len(keys), *keys, *ONE)
    assert client.exists(*of_match(match)) == 0
