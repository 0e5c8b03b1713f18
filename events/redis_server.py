"""Whether a Redis server may keep a log: nothing evicted, everything on disk."""

from typing import Final

from redis.connection import ConnectionPool
from redis.exceptions import ResponseError

from events.redis_link import LinkLost, RedisLink, Reply, exchange, is_passing
from events.store import StoreUnavailable

_ASKED: Final = (("INFO", "memory"), ("INFO", "persistence"), ("INFO", "replication"), ("INFO", "server"))
_LEAST_VERSION: Final = (7, 2)


class UnfitServer(Exception):
    """Settings under which events get lost; `problems` names each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def check(link: RedisLink, without_disk: bool = False) -> list[str]:
    """Warnings about the servers. Raises UnfitServer for an eviction policy other than noeviction, a server
    without append-only file (unless `without_disk`), a replica, too old a version; StoreUnavailable."""
    problems: list[str] = []
    warnings: list[str] = []
    for pool in link.pools():
        _check_one(pool, without_disk, problems, warnings)
    if problems:
        raise UnfitServer(problems)
    return warnings


def _check_one(pool: ConnectionPool, without_disk: bool, problems: list[str], warnings: list[str]) -> None:
    *sections, fsync = exchange(pool, [*_ASKED, ("CONFIG", "GET", "appendfsync")])
    info = _info(sections)
    version = tuple(int(number) for number in info["redis_version"].split(".")[:2])
    if version < _LEAST_VERSION:
        problems.append(f"version {info['redis_version']} has no WAITAOF; 7.2 is the first that has")
    if info["role"] != "master":
        problems.append("it is a replica and takes no writes")
    if info["maxmemory_policy"] != "noeviction":
        problems.append(f"maxmemory-policy is {info['maxmemory_policy']} and must be noeviction")
    if info["aof_enabled"] != "1":
        if not without_disk:
            problems.append("appendonly is off: what is written is not on disk")
        return
    if isinstance(fsync, LinkLost):
        raise StoreUnavailable(str(fsync))
    if isinstance(fsync, ResponseError):
        warnings.append("appendfsync cannot be read (CONFIG is not allowed); it should be always")
    elif fsync[1] != b"always":
        warnings.append(f"appendfsync is {fsync[1].decode()}: every answer waits for it; use always")


def _info(sections: list[Reply]) -> dict[str, str]:
    info: dict[str, str] = {}
    for section in sections:
        if isinstance(section, LinkLost) or is_passing(section):
            raise StoreUnavailable(str(section))
        if isinstance(section, Exception):
            raise section
        for line in section.decode().splitlines():
            name, colon, value = line.partition(":")
            if colon:
                info[name] = value
    return info
