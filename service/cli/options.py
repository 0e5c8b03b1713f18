"""Options that several commands share: which service, with which credential."""

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from service.cli import home as homes
from service.cli.client import Api

DEFAULT_URL: Final = "http://127.0.0.1:8080"
DEFAULT_HOME: Final = Path("data")

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: Final = (
    click.option(
        "--url",
        envvar="WONDERLOG_URL",
        show_envvar=True,
        metavar="URL",
        help=f"The service; else {DEFAULT_URL}.",
    ),
    click.option("--key", envvar="WONDERLOG_KEY", show_envvar=True, metavar="KEY", help="Tenant key."),
    click.option("--token", envvar="WONDERLOG_TOKEN", show_envvar=True, metavar="TOKEN", help="Seat token."),
    click.option(
        "--data",
        type=click.Path(path_type=Path),
        envvar="WONDERLOG_DATA",
        show_envvar=True,
        default=DEFAULT_HOME,
        show_default=True,
        help="Data directory of a running `wonderlog up`, which gives URL and key when --url is not given.",
    ),
)


def data_option(
    otherwise: str = "the store of WONDERLOG_STREAMS_URL", only_with: str = ""
) -> Callable[[F], F]:
    """Adds --data, the argument `data`, to a command that works straight at the store, as `stores.services`
    takes it. `otherwise`: what is used without it; `only_with`: the option it means nothing without."""
    which = f"For {only_with}: data directory" if only_with else "Data directory"
    return click.option(
        "--data",
        type=click.Path(path_type=Path),
        envvar="WONDERLOG_DATA",
        show_envvar=True,
        help=f"{which} of a running `wonderlog up`; else {otherwise}.",
    )


@dataclass(frozen=True, slots=True)
class Access:
    """How to reach a service, as the options say."""

    url: str
    key: str | None
    token: str | None

    def host(self) -> Api:
        """The service with the tenant key. Raises click.ClickException without one."""
        if not self.key:
            raise click.UsageError(
                "this needs a tenant key: --key, WONDERLOG_KEY, or a running `wonderlog up` in --data"
            )
        return Api(self.url, self.key)

    def best(self) -> Api:
        """The service with the seat token, else the tenant key, else nothing."""
        return Api(self.url, self.token or self.key)


def access_of_environment(data: Path | None) -> Access:
    """How to reach a service, as the environment says."""
    url, key, token = (os.environ.get(f"WONDERLOG_{name}") for name in ("URL", "KEY", "TOKEN"))
    return _access(url, key, token, data or DEFAULT_HOME)


def access_options(command: F) -> F:
    """Adds --url, --key, --token and --data, which arrive together as the argument `access`."""

    @functools.wraps(command)
    def gathered(*, url: str | None, key: str | None, token: str | None, data: Path, **rest: Any) -> Any:
        return command(access=_access(url, key, token, data), **rest)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered  # type: ignore[return-value]  # the same command, its options gathered


def _access(url: str | None, key: str | None, token: str | None, data: Path) -> Access:
    """What is not said is taken from the server that runs on the data directory; its key only goes to it."""
    if url is None and (data / homes.READY).exists():
        ready = homes.read_ready(data)
        return Access(ready["url"], key or ready["tenant_key"], token)
    return Access(url or DEFAULT_URL, key, token)
