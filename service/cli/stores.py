"""The services of a command that works straight at the store."""

import os
from pathlib import Path

import click

from service import bootstrap, settings
from service.bootstrap import Services
from service.cli import home as homes


def services(data: Path | None) -> Services:
    """Those of a running `wonderlog up` with this data directory, else of the environment; closed when the
    command ends. Raises SettingsError."""
    environment = dict(os.environ)
    if data is not None:
        ready = homes.read_ready(data)
        environment |= homes.environment(data, ready["redis_url"], homes.load_secrets(data))
    try:
        made = bootstrap.services(settings.from_environment(environment))
    except ValueError as error:
        raise settings.SettingsError(str(error)) from error
    click.get_current_context().call_on_close(made.close)
    return made
