"""What an answer promises is on disk before the answer, beside the logs as in them; at a retry too."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import pytest
from redis import Redis

from events.keys import HEADS_CHANNEL
from events.redis_link import Client, connect
from events.redis_streams import waits_of
from events.store import OutcomeUnknown
from service.adapters.redis_jobs import RedisJobs
from service.adapters.redis_keys import RedisKeys
from service.adapters.redis_persons import RedisPersons
from service.adapters.redis_webhooks import RedisWebhooks
from service.job_records import JobRecord
from service.person_keys import PersonKey
from service.settings import Durability
from service.tenant_keys import KeyAction, KeyRecord
from service.webhooks.endpoints import Endpoint
from tests.embedded import Valkey, start_valkey

ACTION = KeyAction("2026-01-01T00:00:00.000Z", "create", "k", "acme", "operator")
RECORD = KeyRecord("k", "acme", "0" * 64, ACTION.at)
HOOK = Endpoint("whk_a", "acme", "https://example.com/", "f", 1, 1)
JOB = JobRecord("job_a", "acme", "match-batch", "f", "tk", [], 1)
WAIT_S = 0.05


@pytest.fixture(scope="module")
def lazy() -> Iterator[Valkey]:
    """With appendfsync=no the server never says that anything is on disk."""
    with start_valkey(appendfsync="no") as server:
        yield server


@dataclass(frozen=True, slots=True)
class Kept:
    """The storages of a process."""

    client: Client
    durability: Durability

    def writes(self) -> dict[str, Callable[[], object]]:
        """What must not be answered before it is durable."""
        waits = waits_of(self.durability, WAIT_S)
        keys, hooks = RedisKeys(self.client, waits), RedisWebhooks(self.client, waits)
        persons = RedisPersons(self.client, self.durability, WAIT_S)
        return {
            "a key": partial(keys.add, RECORD, ACTION),
            "the end of a key": partial(keys.end, "k", ACTION.at, "revoked", ACTION),
            "origins": partial(keys.put_origins, "acme", ("https://example.com",), ACTION),
            "a webhook": partial(hooks.swap, None, HOOK),
            "a webhook again": partial(hooks.swap, HOOK, HOOK),
            "a job": partial(RedisJobs(self.client, waits).add, JOB, 1),
            "a person": partial(persons.claim, "index", PersonKey("per_a", "00")),
        }


def test_nothing_is_promised_that_is_not_on_disk_in_time(lazy: Valkey) -> None:
    for _ in range(2):
        # The second process finds all of it done, and has written nothing itself.
        client = connect(lazy.url)
        for what, write in Kept(client, "fsync").writes().items():
            if what == "a webhook" and RedisWebhooks(client, ()).endpoints("acme"):
                continue  # refused: it is there
            with pytest.raises(OutcomeUnknown):
                write()
        client.close()
    careless = connect(lazy.url)
    for what, write in Kept(careless, "memory").writes().items():
        assert write() is not None or what in ("the end of a key", "origins")
    assert RedisKeys(careless, ()).get("k") == KeyRecord(**{**_members(RECORD), "revoked_at": ACTION.at})
    careless.close()


def _members(record: KeyRecord) -> dict[str, object]:
    return {name: getattr(record, name) for name in KeyRecord.__slots__}


def test_what_was_done_with_a_key_is_written_down_once_however_often_it_is_asked(lazy: Valkey) -> None:
    client = connect(lazy.url)
    keys = RedisKeys(client, ())
    before = len(keys.actions(100))
    for _ in range(3):
        keys.add(KeyRecord("once", "acme", "0" * 64, ACTION.at), ACTION)
        keys.end("once", ACTION.at, "revoked", ACTION)
    assert len(keys.actions(100)) == before + 2
    client.close()


def test_everybody_is_told_of_a_key_that_ended_also_when_the_disk_is_slow(lazy: Valkey) -> None:
    client = connect(lazy.url)
    with Redis.from_url(lazy.url) as ears, ears.pubsub(ignore_subscribe_messages=True) as heard:
        heard.subscribe(HEADS_CHANNEL)
        heard.get_message(timeout=60)
        with pytest.raises(OutcomeUnknown):
            RedisKeys(client, waits_of("fsync", WAIT_S)).end("k2", ACTION.at, "revoked", ACTION)
        message = heard.get_message(timeout=60)
        assert message is not None and message["data"] == b"* 0 -"
    client.close()
