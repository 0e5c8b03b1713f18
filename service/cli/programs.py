"""The processes of the service as command lines: the HTTP face under gunicorn, a job worker."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

import service


@dataclass(frozen=True, slots=True)
class Process:
    """A command line with its environment."""

    command: tuple[str, ...]
    environment: dict[str, str] = field(repr=False)


def environment(changes: Mapping[str, str]) -> dict[str, str]:
    """The environment of this process with changes, without the credentials of the client commands."""
    kept = {name: value for name, value in os.environ.items() if name not in CLIENT_VARIABLES}
    return {**kept, **changes}


def web(environment: dict[str, str]) -> Process:
    """gunicorn as `deploy/gunicorn.conf.py` has it. Raises click.ClickException without that file."""
    config = Path(service.__file__).parents[1] / "deploy" / "gunicorn.conf.py"
    if not config.is_file():
        raise click.ClickException(f"{config} is missing: run from a checkout, or installed with --editable")
    return Process((sys.executable, "-P", "-m", "gunicorn", "--config", str(config)), environment)


def worker(environment: dict[str, str]) -> Process:
    """One job worker with its deadline loop and sweeper. Known by name only: nothing here imports it."""
    return Process((sys.executable, "-P", "-m", "workers.main"), environment)


CLIENT_VARIABLES = frozenset({"WONDERLOG_URL", "WONDERLOG_KEY", "WONDERLOG_TOKEN"})
