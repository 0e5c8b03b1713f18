"""The data directory of the all-in-one server: who uses it, its secrets, where it is to be reached.

| file | what |
| --- | --- |
| `up.lock` | held by the `wonderlog up` that uses the directory |
| `secrets.json` | server secret, signing seed, tenant key, sandbox key; mode 0600, made at the first start |
| `ready.json` | address, tenant key, sandbox key, Redis URL, process ids; mode 0600, while the server runs |
| `valkey/` | the logs of the matches: what is to be backed up, with `archive/` and `secrets.json` |
| `archive/` | the logs of matches that ended a day ago or earlier |
| `logs/` | what the processes have to say |
"""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import click

_SECRETS: Final = "secrets.json"
READY: Final = "ready.json"


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the server must keep from one start to the next; all hex but the keys: that of the tenant, and one
    for its sandbox, both "" until they are made."""

    server_secret: str = field(repr=False)
    signing_seed: str = field(repr=False)
    tenant_key: str = field(repr=False, default="")
    sandbox_key: str = field(repr=False, default="")


def environment(home: Path, streams_url: str, known: Secrets) -> dict[str, str]:
    """The settings of a process of the server on the directory that are not chosen by whoever runs it."""
    archive = os.environ.get("WONDERLOG_ARCHIVE_URL") or str(home / "archive")
    if "://" not in archive:
        # The processes of the server have another working directory.
        archive = str(Path(archive).absolute())
    return {
        "WONDERLOG_STREAMS_URL": streams_url,
        "WONDERLOG_QUEUES_URL": streams_url,
        "WONDERLOG_SERVER_SECRET": known.server_secret,
        "WONDERLOG_SIGNING_KEY": known.signing_seed,
        "WONDERLOG_ARCHIVE_URL": archive,
    }


@contextmanager
def occupied(home: Path) -> Iterator[None]:
    """Make the directory if need be and keep others away from it. Raises click.ClickException."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    (home / "logs").mkdir(mode=0o700, exist_ok=True)
    lock = os.open(home / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise click.ClickException(f"another `wonderlog up` runs on {home}") from None
        with suppress(FileNotFoundError):
            (home / READY).unlink()
        yield
    finally:
        os.close(lock)


def load_secrets(home: Path) -> Secrets:
    """The secrets of the directory, made if there are none. Raises click.ClickException."""
    path = home / _SECRETS
    try:
        return Secrets(**json.loads(path.read_text()))
    except FileNotFoundError:
        made = Secrets(secrets.token_hex(32), secrets.token_hex(32))
        save_secrets(home, made)
        return made
    except (ValueError, TypeError):
        raise click.ClickException(f"{path} is damaged; restore it from a backup") from None


def save_secrets(home: Path, known: Secrets) -> None:
    """Write the secrets, for this user only."""
    write_private(home / _SECRETS, asdict(known))


def write_private(path: Path, document: dict[str, Any]) -> None:
    """Write a JSON file at once and for this user only: a reader sees all of it or what was there before."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(document, file, indent=2)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def read_json(path: Path) -> dict[str, Any] | None:
    """The content of a file written by `write_private`; None when there is none."""
    try:
        document: dict[str, Any] = json.loads(path.read_text())
    except FileNotFoundError:
        return None
    return document


def read_ready(home: Path) -> dict[str, Any]:
    """Where the server that runs on the directory is reached. Raises click.ClickException if none does."""
    ready = read_json(home / READY)
    if ready is None or not _is_alive(ready["pids"]["up"]):
        raise click.ClickException(f"no server runs on {home}; start one: wonderlog up --data {home}")
    return ready


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
