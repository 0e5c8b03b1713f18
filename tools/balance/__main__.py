"""`python -m tools.balance`: matches of `easy` against itself, and what they say about the card set."""

import json
import multiprocessing
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from domain.wonderful_kingdom import ORIGINAL
from tools.balance.matches import MODES, play
from tools.balance.report import Report, Share, report
from tools.bench.figures import machine


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--matches", type=click.IntRange(min=2), default=2000, show_default=True, help="Of each mode.")
@click.option(
    "--mode", "modes", multiple=True, type=click.Choice(MODES), help="Only this mode; may be given again."
)
@click.option(
    "--json",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("balance-figures.json"),
    show_default=True,
    help="Where the figures go as JSON.",
)
def main(matches: int, modes: Sequence[str], path: Path) -> None:
    """Play the bot `easy` of It's a Wonderful Kingdom against itself, mode by mode; sides and quest boards
    take turns. Says who wins by seat, side and duchy, how scores spread, and which cards are never completed
    or used. The same numbers give the same matches everywhere."""
    console, found_on = Console(), machine()
    began, reports = time.monotonic(), list[Report]()
    # Never by fork: this process may have threads.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=spawn) as pool:
        for mode in modes or MODES:
            played = list(pool.map(partial(play, mode), range(matches), chunksize=10))
            reports.append(report(mode, played, ORIGINAL))
            show(console, reports[-1])
    path.write_text(json.dumps([_document(each) for each in reports], indent=2) + "\n", "utf-8")
    took = time.monotonic() - began
    console.print(f"{found_on['cores']} cores, {found_on['python']}; {took:.0f} s; JSON in {path}.")


def show(console: Console, found: Report) -> None:
    """A report as tables and sentences."""
    table = Table(title=f"{found.mode}: {found.matches:,} matches of easy against itself")
    for column in ("who", "won", "of", "share", "95 % interval", ""):
        table.add_column(column, justify="left" if column in ("who", "") else "right")
    for share in found.shares:
        table.add_row(*_row(share), "leans" if share.leans else "")
    table.add_section()
    for share in found.failed:
        table.add_row(*_row(Share(f"major quest failed: {share.name}", share.won, share.of)), "")
    console.print(table)
    spread = ", ".join(f"p{percent} {points}" for percent, points in found.percentiles.items())
    console.print(
        f"{found.shared} shared, {found.without_winner} without a winner. Score {found.mean:.1f} ± "
        f"{found.deviation:.1f}, {found.scores[0]} to {found.scores[-1]}; {spread}."
    )
    parts = ", ".join(f"{name} {points:.1f}" for name, points in found.categories.items())
    console.print(f"Of a seat: {found.developments:.1f} developments; {parts}.")
    console.print(f"Never completed: {', '.join(found.never_completed) or 'none'}.")
    console.print(
        f"Completed by fewer than 2 % of the copies: {', '.join(found.rarely_completed) or 'none'}."
    )
    console.print(f"In play and never used: {', '.join(found.unused) or 'none'}.")
    rates = sorted(found.rates.items(), key=lambda row: row[1])
    for name, some in (("least", rates[:5]), ("most", rates[:-6:-1])):
        shown = ", ".join(f"{kind} {rate:.0%}" for kind, rate in some)
        console.print(f"Copies completed a match, {name}: {shown}.")


def _row(share: Share) -> tuple[str, str, str, str, str]:
    low, high = share.interval
    of_all = share.won / share.of if share.of else 0.0
    return (
        share.name,
        f"{share.won:g}",
        f"{share.of:,}",
        f"{of_all:.1%}",
        f"{100 * low:.1f} to {100 * high:.1f}",
    )


def _document(found: Report) -> dict[str, object]:
    return {
        "mode": found.mode,
        "matches": found.matches,
        "shared": found.shared,
        "without_winner": found.without_winner,
        "shares": [_share(share) for share in found.shares],
        "major_quest_failed": [_share(share) for share in found.failed],
        "score": {"mean": found.mean, "deviation": found.deviation, "percentiles": found.percentiles},
        "categories": found.categories,
        "developments": found.developments,
        "never_completed": found.never_completed,
        "rarely_completed": found.rarely_completed,
        "never_used": found.unused,
        "completed_a_copy_and_match": found.rates,
    }


def _share(share: Share) -> dict[str, object]:
    return {"name": share.name, "won": share.won, "of": share.of, "interval": share.interval}


if __name__ == "__main__":
    main()
