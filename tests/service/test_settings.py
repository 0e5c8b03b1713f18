"""Settings come from the environment, and wrong ones are named without their values."""

import pytest

from events.published_keys import PublicKey
from service.settings import SettingsError, derived, for_memory, from_environment

OLD_KEYS = f"{'ab' * 32}@2026-11-30T13:00:00+01:00, {'cd' * 32}@2026-01-01T00:00:00Z"
GOOD = {"WONDERLOG_SERVER_SECRET": "5e" * 32}


def test_the_server_secret_is_enough_to_begin_with() -> None:
    known = from_environment(GOOD)
    assert known.streams_url == known.queues_url == "redis://127.0.0.1:6379/0"
    assert known.durability == "fsync"
    assert not known.allow_no_aof
    assert known.public_spectators
    assert known.signing_seed == derived(known.server_secret, "signing")
    assert known.base_url is None


def test_everything_can_be_set() -> None:
    known = from_environment(
        {
            **GOOD,
            "WONDERLOG_STREAMS_URL": "redis+cluster://a:1,b:2",
            "WONDERLOG_QUEUES_URL": "redis://c:3/1",
            "WONDERLOG_DURABILITY": "replicated",
            "WONDERLOG_ALLOW_NO_AOF": "1",
            "WONDERLOG_SIGNING_KEY": "77" * 32,
            "WONDERLOG_OLD_SIGNING_KEYS": OLD_KEYS,
            "WONDERLOG_PUBLIC_SPECTATORS": "0",
            "WONDERLOG_QUEUE": "night-shift_2",
            "WONDERLOG_WORKERS": "5",
            "WONDERLOG_BOT_LIMIT_MS": "250",
            "WONDERLOG_CACHED_MATCHES": "10",
            "WONDERLOG_STORE_TIMEOUT_MS": "900",
            "WONDERLOG_BASE_URL": "https://play.example.org",
        }
    )
    assert (known.streams_url, known.queues_url) == ("redis+cluster://a:1,b:2", "redis://c:3/1")
    assert (known.durability, known.allow_no_aof, known.public_spectators) == ("replicated", True, False)
    assert known.signing_seed == bytes.fromhex("77" * 32)
    assert known.old_signing_keys == (
        PublicKey("ab" * 32, "2026-11-30T12:00:00.000Z"),
        PublicKey("cd" * 32, "2026-01-01T00:00:00.000Z"),
    )
    assert (known.queue, known.workers, known.bot_limit_ms) == ("night-shift_2", 5, 250)
    assert (known.cached_matches, known.store_timeout_ms) == (10, 900)
    assert known.base_url == "https://play.example.org"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WONDERLOG_SERVER_SECRET", "nonsense"),
        ("WONDERLOG_SERVER_SECRET", "5e" * 31),
        ("WONDERLOG_SIGNING_KEY", "77" * 31),
        ("WONDERLOG_SIGNING_KEY", "seventy-seven"),
        ("WONDERLOG_OLD_SIGNING_KEYS", "77" * 32),
        ("WONDERLOG_OLD_SIGNING_KEYS", "77@2026-11-30T12:00:00Z"),
        ("WONDERLOG_OLD_SIGNING_KEYS", f"{'77' * 32}@2026-11-30"),
        ("WONDERLOG_OLD_SIGNING_KEYS", f"{'77' * 32}@yesterday"),
        ("WONDERLOG_DURABILITY", "eventually"),
        ("WONDERLOG_ALLOW_NO_AOF", "yes"),
        ("WONDERLOG_QUEUE", "a:b"),
        ("WONDERLOG_WORKERS", "0"),
        ("WONDERLOG_WORKERS", "-1"),
        ("WONDERLOG_BOT_LIMIT_MS", "1.5"),
        ("WONDERLOG_CACHED_MATCHES", "many"),
    ],
)
def test_a_wrong_setting_is_named_without_its_value(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as wrong:
        from_environment({**GOOD, name: value})
    assert name in str(wrong.value)
    assert value not in str(wrong.value) or len(value) < 3


def test_without_a_server_secret_nothing_starts() -> None:
    with pytest.raises(SettingsError):
        from_environment({})


def test_no_secret_shows_when_settings_are_printed() -> None:
    known = from_environment({**GOOD, "WONDERLOG_STREAMS_URL": "redis://:hush@here/0"})
    for shown in (repr(known), str(known), f"{known}"):
        assert "hush" not in shown
        assert known.server_secret.hex() not in shown
        assert repr(known.server_secret) not in shown


def test_each_purpose_has_a_key_of_its_own() -> None:
    known = for_memory(b"x" * 32)
    assert len({derived(known.server_secret, purpose) for purpose in ("ids", "cursors", "signing")}) == 3
