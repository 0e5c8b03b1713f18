"""A figure, the table of all figures, and their JSON."""

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from domain.kernel.game import Game


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing measured. `ratio` is the promise, as it moves little from machine to machine: `to` says to
    what. `target` is what is wanted of the value (or, in words, of the ratio), `met` whether it is so."""

    section: str
    name: str
    value: float
    unit: str
    ratio: float | None = None
    to: str = ""
    target: str = ""
    met: bool | None = None
    note: str = ""


LOOPS = "loops"


def titled(game: Game, name: str) -> str:
    """A figure of a game; 7 Wonders goes without saying."""
    return name if game.NAME == "seven-wonders" else f"{game.TITLE}: {name}"


def at_least(value: float, wanted: float, unit: str = "") -> dict[str, Any]:
    """The target fields of a figure that should not be lower."""
    return {"target": f"≥ {wanted:g}{unit}", "met": value >= wanted}


def at_most(value: float, wanted: float, unit: str = "") -> dict[str, Any]:
    """The target fields of a figure that should not be higher."""
    return {"target": f"≤ {wanted:g}{unit}", "met": value <= wanted}


def machine() -> dict[str, Any]:
    """What the figures were measured on, and how busy it was already."""
    return {
        "load_average": round(os.getloadavg()[0], 1),
        "cores": len(os.sched_getaffinity(0)),
        "processor": _processor(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def _processor() -> str:
    known = Path("/proc/cpuinfo")
    if known.exists():
        for line in known.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def write(path: Path, found: dict[str, Any], figures: Sequence[Figure]) -> None:
    """The figures as JSON, with what they were measured on."""
    document = {**found, "figures": [asdict(figure) for figure in figures]}
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")


def show(console: Console, figures: Sequence[Figure]) -> None:
    """The figures as a table."""
    table = Table()
    table.add_column("figure")
    table.add_column("value", justify="right")
    table.add_column("ratio", justify="right")
    table.add_column("target")
    section = ""
    for figure in figures:
        if figure.section != section:
            section = figure.section
            table.add_section()
            table.add_row(f"[bold]{section}[/bold]", "", "", "")
        name = f"{figure.name}\n  [dim]{figure.note}[/dim]" if figure.note else figure.name
        table.add_row(name, _value(figure), _ratio(figure), _target(figure))
    console.print(table)


def markdown(figures: Sequence[Figure]) -> str:
    """The figures as the table of `docs/performance.md`."""
    lines = ["| figure | value | ratio | target |", "| --- | ---: | ---: | --- |"]
    for figure in figures:
        met = "" if figure.met is None else (" met" if figure.met else " **missed**")
        note = f" ({figure.note})" if figure.note else ""
        cells = (
            f"{figure.section}: {figure.name}{note}",
            _value(figure),
            _ratio(figure),
            figure.target + met,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _value(figure: Figure) -> str:
    return f"{_number(figure.value)} {figure.unit}"


def _ratio(figure: Figure) -> str:
    return "" if figure.ratio is None else f"{_number(figure.ratio)} {figure.to}"


def _target(figure: Figure) -> str:
    if figure.met is None:
        return figure.target
    return f"{figure.target} [{'green' if figure.met else 'red'}]{'met' if figure.met else 'missed'}[/]"


def _number(value: float) -> str:
    """Three significant digits, whole numbers from 100 on."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
