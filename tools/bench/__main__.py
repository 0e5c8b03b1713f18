"""`python -m tools.bench`: measure, show a table, write JSON."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from tools.bench import archive, figures, http, listing, lists, log, moves, playouts, store, streams, strength
from tools.bench.calibration import calibrate
from tools.bench.figures import Figure, machine, show, write

SECTIONS: Final[dict[str, Callable[[bool], list[Figure]]]] = {
    "playouts": playouts.figures,
    "moves": moves.figures,
    "lists": lists.figures,
    "log": log.figures,
    "store": store.figures,
    "archive": archive.figures,
    "listing": listing.figures,
    "bots": strength.figures,
    "http": http.figures,
    "streams": streams.figures,
}


def _chosen(context: click.Context, parameter: click.Parameter, value: str | None) -> list[str]:
    names = list(SECTIONS) if value is None else value.split(",")
    for name in names:
        if name not in SECTIONS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(SECTIONS)}")
    return names


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--only", callback=_chosen, metavar="A,B", help=f"Sections: {', '.join(SECTIONS)}; default all."
)
@click.option("--quick", is_flag=True, help="Seconds instead of minutes, and figures that are only a hint.")
@click.option(
    "--json",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("bench-figures.json"),
    show_default=True,
    help="Where the figures go as JSON.",
)
@click.option(
    "--markdown",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the table goes as Markdown, for docs/performance.md.",
)
def main(only: list[str], quick: bool, path: Path, markdown: Path | None) -> None:
    """Measure this engine and service, each figure beside a calibration loop of the same run.

    Values are of this machine, now; ratios are what can be compared."""
    console = Console()
    found_on = machine()
    busy = f"load average {found_on['load_average']} before"
    console.print(f"{found_on['processor']}, {found_on['cores']} cores, {found_on['python']}, {busy}")
    began, found = time.monotonic(), list[Figure]()
    for name in only:
        with console.status(f"measuring {name}"):
            found += SECTIONS[name](quick)
    show(console, found)
    loops = calibrate(1.0)
    measured = {"machine": found_on, "quick": quick, "calibration": {"loops_a_cpu_second": round(loops)}}
    write(path, measured, found)
    if markdown is not None:
        markdown.write_text(figures.markdown(found), "utf-8")
    took = time.monotonic() - began
    console.print(f"One calibration loop takes {1e6 / loops:.0f} µs here. {took:.0f} s; JSON in {path}.")
    if any(figure.met is False for figure in found):
        console.print("[red]Some targets are missed.[/red]")


if __name__ == "__main__":
    main()
