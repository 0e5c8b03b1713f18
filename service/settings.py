"""Settings from the environment: one frozen dataclass, read once, passed on as an argument."""

import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Final, Literal

from events.envelope import HASH
from events.published_keys import PublicKey

Durability = Literal["memory", "fsync", "replicated"]
DURABILITIES: Final[tuple[Durability, ...]] = ("memory", "fsync", "replicated")
MEMORY_URL: Final = "memory:"
KINGDOM_CARDS: Final = "WONDERLOG_KINGDOM_CARDS"

# How much a client may ask for in a minute, by what it asks for; `in-flight`: how many requests it may have
# under way in one process. `tenant` and `match` count everybody's, `strangers` those of an address without a
# credential.
LIMITS: Final[Mapping[str, int]] = {
    "commands": 1_200,
    "reads": 6_000,
    "lobby": 6_000,
    "exports": 300,
    "bot-work": 6_000,
    "tenant": 60_000,
    "match": 30_000,
    "strangers": 1_200,
    "in-flight": 24,
}


class SettingsError(Exception):
    """A setting that is missing or makes no sense; the message names the variable, never its value."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set.

    | field | variable | meaning |
    | --- | --- | --- |
    | `streams_url` | `WONDERLOG_STREAMS_URL` | where the logs live: `redis://`, `rediss://`, `unix://`, `redis+sentinel://`, `redis+cluster://`; `memory:` keeps all in this process, for tests |
    | `queues_url` | `WONDERLOG_QUEUES_URL` | where the jobs live, one server or Sentinel; default: `streams_url` |
    | `persons_url` | `WONDERLOG_PERSONS_URL` | where the keys of persons live, as for `streams_url`; apart from the matches, so that a backup of these names nobody who was erased; default: `streams_url` |
    | `durability` | `WONDERLOG_DURABILITY` | what an accepted command waits for: `memory` (nothing), `fsync` (the disk, default), `replicated` (disk and one replica) |
    | `allow_no_aof` | `WONDERLOG_ALLOW_NO_AOF` | `1`: run on a server that keeps no append-only file |
    | `server_secret` | `WONDERLOG_SERVER_SECRET` | at least 32 bytes, hex; seat tokens, match ids and cursors derive from it; the same in every process |
    | `signing_seed` | `WONDERLOG_SIGNING_KEY` | 32 bytes, hex: seed of the Ed25519 key that signs heads; default: derived from the server secret |
    | `old_signing_keys` | `WONDERLOG_OLD_SIGNING_KEYS` | public keys that signed before, published with the present one: `<64 hex digits>@<when it was retired>`, comma-separated; the time is RFC 3339, with its offset |
    | `public_spectators` | `WONDERLOG_PUBLIC_SPECTATORS` | `0`: nobody watches a public match without a credential |
    | `queue` | `WONDERLOG_QUEUE` | name of the RQ queue, letters, digits, `_`, `-`; default `wonderlog` |
    | `workers` | `WONDERLOG_WORKERS` | job worker processes that `wonderlog up` starts; default 2 |
    | `bot_limit_ms` | `WONDERLOG_BOT_LIMIT_MS` | time of one try of a bot at one decision; default 5000 |
    | `outage_ms` | `WONDERLOG_OUTAGE_MS` | when nobody looked after deadlines for so long, that time is given back; default 30000 |
    | `cached_matches` | `WONDERLOG_CACHED_MATCHES` | folded matches each process keeps; default 1000 |
    | `store_timeout_ms` | `WONDERLOG_STORE_TIMEOUT_MS` | how long to wait for the streams server; default 5000 |
    | `webhooks_allow_loopback` | `WONDERLOG_WEBHOOKS_ALLOW_LOOPBACK` | `1`, for development only: webhooks may go to this machine, and there by http |
    | `webhook_timeout_ms` | `WONDERLOG_WEBHOOK_TIMEOUT_MS` | time of one attempt to deliver a webhook; default 15000 |
    | `webhook_threads` | `WONDERLOG_WEBHOOK_THREADS` | threads of each job worker that deliver webhooks; default 4 |
    | `limits` | `WONDERLOG_LIMITS` | `off`, or numbers that differ from the defaults, such as `commands=600 in-flight=8`; see docs/limits.md |
    | `feed_entries` | `WONDERLOG_FEED_ENTRIES` | appends the feed of a tenant remembers, at least; default 1000000 |
    | `imports` | `WONDERLOG_IMPORTS` | imported matches a tenant may have at once; default 1000 |
    | `import_days` | `WONDERLOG_IMPORT_DAYS` | days after which an imported match is removed; default 0, never |
    | `import_kb` | `WONDERLOG_IMPORT_KB` | size of the largest bundle that can be imported, in kB of 1024 bytes; default 8192 |
    | `forks_a_day` | `WONDERLOG_FORKS_A_DAY` | forks of a match each seat, and the tenant, may make in a day; fifty times as many of all matches of a tenant together; default 50 |
    | `fork_idle_hours` | `WONDERLOG_FORK_IDLE_HOURS` | a fork in which nothing has happened for so long is cancelled; default 168, a week |
    | `streams` | `WONDERLOG_STREAMS` | event streams each HTTP process holds; default 1000 |
    | `stream_age_s` | `WONDERLOG_STREAM_AGE_S` | seconds after which a stream ends and the client resumes; default 900 |
    | `stream_ping_s` | `WONDERLOG_STREAM_PING_S` | seconds between the heartbeats of a stream; default 15 |
    | `base_url` | `WONDERLOG_BASE_URL` | address under which clients reach the service, when it is not the one they ask for |
    | `trusted_proxies` | `WONDERLOG_TRUSTED_PROXIES` | addresses or networks, with commas between, whose `X-Forwarded-For`, `-Proto` and `-Host` are believed; default: nobody's |
    | `require_tls` | `WONDERLOG_REQUIRE_TLS` | `1`: a credential that came over plain HTTP is refused; needs a proxy that says `https` |
    | `archive_url` | `WONDERLOG_ARCHIVE_URL` | where finished matches go: a folder (a path, or `file:///path`) that every process reaches, or `s3://bucket/prefix`; default: nowhere; see docs/archive.md |
    | `archive_after_s` | `WONDERLOG_ARCHIVE_AFTER_S` | seconds after its end at which a match goes there; default 86400 |
    | `kingdom_cards` | `WONDERLOG_KINGDOM_CARDS` | folders with card sets of It's a Wonderful Kingdom, `:` between them; new matches get the first; the same in every process; default: the original set alone |
    """  # noqa: E501 -- a table row is one line

    streams_url: str
    queues_url: str
    server_secret: bytes = field(repr=False)
    signing_seed: bytes = field(repr=False)
    durability: Durability = "fsync"
    old_signing_keys: tuple[PublicKey, ...] = ()
    allow_no_aof: bool = False
    public_spectators: bool = True
    queue: str = "wonderlog"
    workers: int = 2
    bot_limit_ms: int = 5000
    outage_ms: int = 30_000
    cached_matches: int = 1000
    store_timeout_ms: int = 5000
    feed_entries: int = 1_000_000
    imports: int = 1000
    import_days: int | None = None
    import_kb: int = 8192
    forks_a_day: int = 50
    fork_idle_hours: int = 168
    streams: int = 1000
    stream_age_s: int = 900
    stream_ping_s: int = 15
    base_url: str | None = None
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    require_tls: bool = False
    kingdom_cards: tuple[Path, ...] = ()
    archive_url: str | None = None
    archive_after_s: int = 86_400
    webhooks_allow_loopback: bool = False
    webhook_timeout_ms: int = 15_000
    webhook_threads: int = 4
    limits: Mapping[str, int] | None = field(default_factory=lambda: LIMITS)
    persons_url: str | None = None

    def __repr__(self) -> str:
        """Without secrets: URLs may hold passwords, so they are left out as well."""
        return f"Settings(durability={self.durability!r}, queue={self.queue!r})"


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of the given environment, by default that of this process. Raises SettingsError."""
    values = os.environ if environment is None else environment
    secret = _hex(values, "WONDERLOG_SERVER_SECRET")
    if len(secret) < 32:
        raise SettingsError("WONDERLOG_SERVER_SECRET must hold at least 32 bytes, in hex")
    streams = values.get("WONDERLOG_STREAMS_URL", "redis://127.0.0.1:6379/0")
    return Settings(
        streams_url=streams,
        queues_url=values.get("WONDERLOG_QUEUES_URL") or streams,
        server_secret=secret,
        signing_seed=_signing_seed(values, secret),
        durability=_durability(values),
        old_signing_keys=_old_keys(values),
        allow_no_aof=_flag(values, "WONDERLOG_ALLOW_NO_AOF", False),
        public_spectators=_flag(values, "WONDERLOG_PUBLIC_SPECTATORS", True),
        queue=_name(values, "WONDERLOG_QUEUE", "wonderlog"),
        workers=_count(values, "WONDERLOG_WORKERS", 2),
        bot_limit_ms=_count(values, "WONDERLOG_BOT_LIMIT_MS", 5000),
        outage_ms=_count(values, "WONDERLOG_OUTAGE_MS", 30_000),
        cached_matches=_count(values, "WONDERLOG_CACHED_MATCHES", 1000),
        store_timeout_ms=_count(values, "WONDERLOG_STORE_TIMEOUT_MS", 5000),
        feed_entries=_count(values, "WONDERLOG_FEED_ENTRIES", 1_000_000),
        imports=_count(values, "WONDERLOG_IMPORTS", 1000),
        import_days=_count_or_none(values, "WONDERLOG_IMPORT_DAYS"),
        import_kb=_count(values, "WONDERLOG_IMPORT_KB", 8192),
        forks_a_day=_count(values, "WONDERLOG_FORKS_A_DAY", 50),
        fork_idle_hours=_count(values, "WONDERLOG_FORK_IDLE_HOURS", 168),
        streams=_count(values, "WONDERLOG_STREAMS", 1000),
        stream_age_s=_count(values, "WONDERLOG_STREAM_AGE_S", 900),
        stream_ping_s=_count(values, "WONDERLOG_STREAM_PING_S", 15),
        base_url=values.get("WONDERLOG_BASE_URL") or None,
        trusted_proxies=_networks(values, "WONDERLOG_TRUSTED_PROXIES"),
        require_tls=_flag(values, "WONDERLOG_REQUIRE_TLS", False),
        kingdom_cards=kingdom_cards(values),
        archive_url=values.get("WONDERLOG_ARCHIVE_URL") or None,
        archive_after_s=_count(values, "WONDERLOG_ARCHIVE_AFTER_S", 86_400),
        webhooks_allow_loopback=_flag(values, "WONDERLOG_WEBHOOKS_ALLOW_LOOPBACK", False),
        webhook_timeout_ms=_count(values, "WONDERLOG_WEBHOOK_TIMEOUT_MS", 15_000),
        limits=_limits(values),
        persons_url=values.get("WONDERLOG_PERSONS_URL") or None,
        webhook_threads=_count(values, "WONDERLOG_WEBHOOK_THREADS", 4),
    )


def kingdom_cards(values: Mapping[str, str]) -> tuple[Path, ...]:
    """The folders with card sets, made absolute; nothing is read."""
    folders = (values.get(KINGDOM_CARDS) or "").split(os.pathsep)
    return tuple(Path(folder).expanduser().absolute() for folder in folders if folder)


def for_memory(server_secret: bytes) -> Settings:
    """Settings of a service that keeps everything in this process: for tests and examples."""
    return Settings(MEMORY_URL, MEMORY_URL, server_secret, derived(server_secret, "signing"))


def derived(secret: bytes, purpose: str) -> bytes:
    """A 32-byte key for one purpose, from the server secret (HKDF-SHA256 with one block)."""
    extracted = hmac.digest(bytes(32), secret, "sha256")
    return hmac.digest(extracted, f"wonderlog/server/{purpose}/1".encode() + b"\x01", "sha256")


def _signing_seed(values: Mapping[str, str], secret: bytes) -> bytes:
    if "WONDERLOG_SIGNING_KEY" not in values:
        return derived(secret, "signing")
    seed = _hex(values, "WONDERLOG_SIGNING_KEY")
    if len(seed) != 32:
        raise SettingsError("WONDERLOG_SIGNING_KEY must hold 32 bytes, in hex")
    return seed


def _old_keys(values: Mapping[str, str]) -> tuple[PublicKey, ...]:
    name, found = "WONDERLOG_OLD_SIGNING_KEYS", []
    for entry in filter(None, map(str.strip, values.get(name, "").split(","))):
        key, _, retired = entry.partition("@")
        try:
            moment = datetime.fromisoformat(retired)
        except ValueError:
            raise SettingsError(f"{name} must hold entries <public key>@<time>") from None
        if HASH.fullmatch(key) is None or moment.tzinfo is None:
            raise SettingsError(f"{name} must hold keys of 64 lower-case hex digits, times with an offset")
        text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
        found.append(PublicKey(key, text.replace("+00:00", "Z")))
    return tuple(found)


def _limits(values: Mapping[str, str]) -> Mapping[str, int] | None:
    text = values.get("WONDERLOG_LIMITS", "").strip()
    if text == "off":
        return None
    chosen = dict(LIMITS)
    for pair in text.replace(",", " ").split():
        name, _, number = pair.partition("=")
        if name not in LIMITS or not (number.isascii() and number.isdigit()) or int(number) < 1:
            raise SettingsError(f"WONDERLOG_LIMITS is off, or holds name=number for {', '.join(LIMITS)}")
        chosen[name] = int(number)
    return chosen


def _hex(values: Mapping[str, str], name: str) -> bytes:
    try:
        return bytes.fromhex(values[name].strip())
    except KeyError:
        raise SettingsError(f"{name} is not set") from None
    except ValueError:
        raise SettingsError(f"{name} is not hex") from None


def _durability(values: Mapping[str, str]) -> Durability:
    wanted = values.get("WONDERLOG_DURABILITY") or "fsync"
    for known in DURABILITIES:
        if wanted == known:
            return known
    raise SettingsError(f"WONDERLOG_DURABILITY must be one of {', '.join(DURABILITIES)}")


def _flag(values: Mapping[str, str], name: str, default: bool) -> bool:
    value = values.get(name) or ("1" if default else "0")
    if value not in ("0", "1"):
        raise SettingsError(f"{name} must be 0 or 1")
    return value == "1"


def _networks(values: Mapping[str, str], name: str) -> tuple[IPv4Network | IPv6Network, ...]:
    listed = [part.strip() for part in (values.get(name) or "").split(",") if part.strip()]
    try:
        return tuple(ip_network(part) for part in listed)
    except ValueError:
        raise SettingsError(f"{name} must list addresses or networks, such as 10.0.0.0/8") from None


def _count(values: Mapping[str, str], name: str, default: int) -> int:
    value = values.get(name) or str(default)
    if not value.isascii() or not value.isdigit() or int(value) < 1:
        raise SettingsError(f"{name} must be a whole number above 0")
    return int(value)


def _count_or_none(values: Mapping[str, str], name: str) -> int | None:
    return None if (values.get(name) or "0") == "0" else _count(values, name, 0)


def _name(values: Mapping[str, str], name: str, default: str) -> str:
    value = values.get(name) or default
    if not value.isascii() or not value.replace("_", "").replace("-", "").isalnum():
        raise SettingsError(f"{name} may hold letters, digits, _ and -")
    return value
