"""`wonderlog play`: a person at a terminal against bots."""

import json
import re
from typing import Any

import click

from service.cli import tables
from service.cli.client import Api, Json
from service.cli.options import Access, access_options
from service.cli.seat import Seat, set_up, sit, start, table_size

_HELP = """\
  a number   make that move; where it has a range, you are asked how many
  3 2        make the third move with the number two
  Enter      make the first move, with the greatest number
  / words    show only moves with all these words, such as: / mint left face down
  a          show all moves, also those that pay more than they need to
  t          show the table again
  u          take back what you did last, where the match allows it: --option undo=own-turn
  p          pause, or go on after a pause; with other people once they agree
  o          show what else you may do at the table; o 2 does the second of it
  x          resign
  q          leave; the match waits for you
"""


@click.command()
@click.option("--game", default="seven-wonders", show_default=True, help="Name of the game.")
@click.option("--seats", type=click.IntRange(1, 7), help="How many play; else 3, or as many as may.")
@click.option("--mode", help="Short for --option mode=…, of a game that has modes.")
@click.option("--bot", default="easy", show_default=True, help="Which bot takes the other seats.")
@click.option("--name", default="You", show_default=True, help="How the others see you.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the match, such as sides=choose. May be given several times.",
)
@click.option(
    "--match", "match_id", metavar="MATCH", help="Go on with this match, with the token of your seat."
)
@access_options
def play(
    access: Access,
    game: str,
    seats: int | None,
    mode: str | None,
    bot: str,
    name: str,
    options: tuple[str, ...],
    match_id: str | None,
) -> None:
    """Play against bots in the terminal.

    Creates a match, takes a seat and asks you for a move whenever the match waits for you: `wonderlog up` in
    one terminal, `wonderlog play` in another. Leave with q at any time, and go on later with the command that
    is printed then. Everything happens over HTTP, with the same calls any client has.
    """
    console = tables.console()
    if match_id:
        if not access.token:
            raise click.UsageError("--match needs the token of your seat: --token or WONDERLOG_TOKEN")
        seat = _seat_again(access, match_id)
    else:
        host = access.host()
        at_table = table_size(host.get(f"/v1/games/{game}"), seats, 3)
        chosen = _options(options) | ({} if mode is None else {"mode": mode})
        created = set_up(host, game, [bot] * (at_table - 1), chosen, "private")
        seat = sit(host, created["id"], name)
        start(host, seat.match)
        console.print(f"Match {seat.match}, you sit at seat {seat.number}. Type ? for help.")
    names = tables.names_of(seat.api, seat.match)
    for view, events in seat.turns():
        for event in events:
            tables.print_event(console, event, names)
        console.print(tables.view(view, names))
        if view["status"] == "over":
            return
        if not _move(seat, names, view):
            console.print("The match waits for you. To go on:")
            click.echo(
                f"  WONDERLOG_TOKEN={seat.token} wonderlog play --url {access.url} --match {seat.match}"
            )
            return


def _move(seat: Seat, names: tables.Names, view: Json) -> bool:
    """Ask until a move is made; False when the person leaves."""
    console = tables.console()
    asked, instead = seat.moves()
    listed = asked + instead
    shown = [move for move in listed if move["cost"].get("undominated", True)]
    if view.get("paused"):
        click.echo("The match is paused. p to go on, q to leave it so.")
    else:
        tables.print_moves(console, shown, names)
    while True:
        try:
            answer = click.prompt("move", default="", show_default=False).strip().lower()
            body = _chosen(answer, shown)
        except click.Abort:  # Ctrl-C, or the end of the input
            click.echo()
            return False
        match answer:
            case "?":
                click.echo(_HELP)
            case "a":
                shown = listed
                console.print(tables.moves(shown, names))
            case _ if answer.startswith("/"):
                found = tables.with_words(listed, answer[1:].split())
                if found:
                    shown = found
                    tables.print_moves(console, shown, names)
                else:
                    click.echo("No move has all these words.")
            case "t":
                console.print(tables.view(view, names))
                tables.print_moves(console, shown, names)
            case "q":
                return False
            case "u" | "p" | "o":
                if _at_the_table(seat, answer):
                    return True
            case _ if re.fullmatch("o [0-9]+", answer):
                if _at_the_table(seat, answer):
                    return True
            case "x":
                if click.confirm("Resign for good?"):
                    seat.send({"command": {"type": "resign"}})
                    return True
            case _ if body is not None:
                if seat.send(body) is None:
                    click.echo("The match has moved on.")
                return True
            case _:
                click.echo(f"A number from 1 to {len(shown)}, or ? for help." if shown else "? for help.")


def _at_the_table(seat: Seat, answer: str) -> bool:
    """Do something around the game, or show what could be done; whether the seat must look again."""
    offered = seat.offers()
    wanted = {"u": ("undo",), "p": ("pause", "resume")}.get(answer)
    if wanted is not None:
        fitting = [each for each in offered if each["body"]["command"]["type"] in wanted]
    else:
        number = int(answer[1:] or 0)
        fitting = offered[number - 1 : number] if number else []
    if fitting:
        label = fitting[0]["label"]
        if fitting[0]["body"]["command"]["type"] == "resign" and not click.confirm("Resign for good?"):
            return False
        click.echo(label if seat.send(fitting[0]["body"]) is not None else "The match has moved on.")
        return True
    if wanted is not None:
        click.echo("You cannot do that now. What you may do at the table:")
    for number, each in enumerate(offered, 1):
        click.echo(f"  o {number}  {each['label']}")
    return False


def _chosen(answer: str, shown: list[Json]) -> Json | None:
    """The body of the move somebody typed, counts filled in; None when there is no such move or number."""
    words = answer.split() or ["1"]
    if not all(word.isdecimal() for word in words) or not 1 <= int(words[0]) <= len(shown):
        return None
    move = shown[int(words[0]) - 1]
    body: Json = move["body"]
    limits = tables.ranges(move)
    if len(words) > 1 + len(limits):
        return None
    command = dict(body["command"])
    for number, (name, (least, most)) in enumerate(limits.items(), 1):
        if number < len(words):
            if not least <= int(words[number]) <= most:
                return None
            command[name] = int(words[number])
        elif answer and least < most:
            command[name] = click.prompt(name, default=most, type=click.IntRange(least, most))
    return {**body, "command": command}


def _seat_again(access: Access, match: str) -> Seat:
    parts = (access.token or "").split("_")
    if len(parts) != 4 or not parts[2].isdecimal():
        raise click.UsageError("that is no seat token")
    return Seat(match, int(parts[2]), access.token or "", Api(access.url, access.token))


def _options(pairs: tuple[str, ...]) -> dict[str, Any]:
    """`NAME=VALUE` pairs; a value is JSON if it reads as such, else text."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--option {pair}: NAME=VALUE is expected")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options
