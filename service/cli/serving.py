"""`wonderlog up`, `serve`, `work`: the service, all of it or one process of it."""

import os
from pathlib import Path
from typing import Any

import click

from service import settings
from service.cli import programs
from service.cli.all_in_one import AllInOne
from service.cli.options import DEFAULT_HOME


@click.command()
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_HOME,
    show_default=True,
    help="Where everything is kept; made if missing.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 takes a free one."
)
@click.option("--workers", type=click.IntRange(1), help="Job workers.  [default: WONDERLOG_WORKERS, else 2]")
@click.option(
    "--ready-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write {url, tenant_key, sandbox_key, redis_url, pids} here, as JSON, once the service answers.",
)
def up(data: Path, host: str, port: int, workers: int | None, ready_file: Path | None) -> None:
    """Run everything: a Valkey server, the HTTP face, job workers.

    The first start makes the secrets, a tenant key and a key of its sandbox and prints the keys; a later one
    goes on with every match where it was. Accepted moves are on disk before they are answered. Ctrl-C (or
    SIGTERM) lets requests and jobs finish, then ends all processes; a process that ends by itself is started
    again. Logs: DATA/logs.

    The settings of docs/operations.md hold, except those that say where the store is.
    """

    def tell(ready: dict[str, Any]) -> None:
        click.echo(
            f"Wonderlog is ready.\n"
            f"  address     {ready['url']}\n"
            f"  tenant key  {ready['tenant_key']}\n"
            f"  sandbox     {ready['sandbox_key']}\n"
            f"  data        {data}\n"
            f"Ctrl-C ends it; the next start goes on where it was. Try: wonderlog play"
        )

    AllInOne(data, host, port, workers, ready_file).run(tell)


@click.command()
@click.option(
    "--bind", metavar="HOST:PORT", help="Where to listen.  [default: WONDERLOG_BIND, else 127.0.0.1:8080]"
)
def serve(bind: str | None) -> None:
    """Run the HTTP face alone, under gunicorn, with the settings of the environment.

    For deployments in which Redis or Valkey and the workers run elsewhere (`wonderlog work`); see
    docs/operations.md. `wonderlog up` is for everything on one machine.
    """
    _check_settings()
    _become(programs.web(programs.environment({"WONDERLOG_BIND": bind} if bind else {})))


@click.command()
def work() -> None:
    """Run one job worker, with the settings of the environment.

    It plays the turns of bots, ends decisions whose time is over, and finds work that was left behind. Run at
    least two, so that one may fail. SIGTERM lets it finish its job.
    """
    _check_settings()
    _become(programs.worker(programs.environment({})))


def _check_settings() -> None:
    try:
        settings.from_environment()
    except settings.SettingsError as error:
        raise click.ClickException(f"{error}; see docs/operations.md") from None


def _become(process: programs.Process) -> None:
    """Replace this process: whoever supervises it sees the signals and the exit code of the real one."""
    os.execve(process.command[0], process.command, process.environment)
