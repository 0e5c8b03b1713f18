"""Views, moves, events, scores as tables for a terminal. Knows JSON and card names, not rules."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from service.cli.client import Api

Json = dict[str, Any]

# The width of output that goes to a file or a pipe.
_WIDE: Final = 140

# What is left out of lists of properties.
_NOTHING: Final[tuple[Any, ...]] = (None, 0, [], {})

_COLOURS: Final = {
    "brown": "yellow3",
    "grey": "grey70",
    "blue": "dodger_blue1",
    "yellow": "bright_yellow",
    "red": "red3",
    "green": "green3",
    "purple": "medium_purple1",
    "structure": "grey70",
    "vehicle": "grey50",
    "research": "green3",
    "project": "bright_yellow",
    "discovery": "dodger_blue1",
    "memorial": "medium_purple1",
}


class Names:
    """What cards and boards are called, by id, from the catalogue of the game."""

    def __init__(self, game: Mapping[str, Any]) -> None:
        self._cards: dict[str, Json] = {card["id"]: card for card in game.get("cards", [])}
        self._others: dict[str, str] = {
            each["id"]: each["name"]
            for listed in game.values()
            if isinstance(listed, list)
            for each in listed
            if isinstance(each, dict) and {"id", "name"} <= each.keys() and each["id"] not in self._cards
        }

    def card(self, id: str) -> Json | None:
        """A card of the catalogue, None for an id that is none."""
        return self._cards.get(id)

    def text(self, value: Any) -> Text:
        """Any JSON value in a cell: cards by name in their colour, lists and objects on one line."""
        match value:
            case None:
                return Text("-", style="dim")
            case bool():
                return Text("yes" if value else "no")
            case str() if card := self._cards.get(value):
                return Text(
                    card["name"], style=_COLOURS.get(card.get("colour") or card.get("type") or "", "")
                )
            case str():
                return self._placed(value)
            case {"card": str(card), "face_down_by": int(by)}:
                return self.text(card) + Text(f" (laid by seat {by})", style="dim")
            case {"card": str(card), "used": bool(used)}:
                return self.text(card) + Text(" (used)" if used else "")
            case {"card": str(card)} if len(value) == 1:
                return self.text(card)
            case {"card": str(card), "kind": str(kind), **rest} if kind in self._cards and rest:
                return self.text(card) + Text(": ") + self.text(rest)
            case dict():
                shown = [self._member(key, each) for key, each in value.items() if each not in _NOTHING]
                return Text(", ").join(shown) if shown else Text("-", style="dim")
            case list():
                between = "\n" if any(isinstance(each, dict) for each in value) else ", "
                return Text(between).join(map(self.text, value)) if value else Text("-", style="dim")
            case _:
                return Text(str(value))

    def _placed(self, value: str) -> Text:
        """A card with a number of its own, `zeppelin-2`, by name; any other word as it is."""
        kind, _, number = value.rpartition("-")
        if kind in self._cards and number.isdecimal():
            return self.text(kind) + Text("" if number == "1" else f" ({number})")
        return Text(self._others.get(value, value))

    def _member(self, key: str, value: Any) -> Text:
        return Text(key) if value is True or value == "" else Text(f"{key} ") + self.text(value)


def names_of(api: Api, match: str) -> Names:
    """The names of the cards a match is played with. Raises click.ClickException."""
    shown = api.get(f"/v1/matches/{match}")
    return Names(api.get(f"/v1/games/{shown['game']}", ruleset=shown["ruleset"]))


def view(shown: Json, names: Names) -> RenderableType:
    """The table as the viewer sees it: where the match stands, the players' boards, the hand."""
    state = shown.get("state") or {}
    parts: list[RenderableType] = [Text(_standing(shown, state), style="bold")]
    plain = Table.grid(padding=(0, 2))
    for key, value in state.items():
        if key in _SAID or value in (None, [], {}):
            continue
        if isinstance(value, list) and isinstance(value[0], dict) and value[0].keys() & _SEATED:
            parts.append(_rows(key, value, names))
        else:
            plain.add_row(Text(key.replace("_", " "), style="dim"), names.text(value))
    if plain.row_count:
        parts.append(plain)
    if state.get("hand"):
        parts.append(_hand(state["hand"], names))
    if shown.get("outcome"):
        parts.append(scores(shown["outcome"], shown.get("seats", [])))
    return Group(*parts)


_SAID: Final = frozenset({"hand", "phase", "age", "round", "step", "turn", "scores"})
# What the rows of a table of boards begin with.
_SEATED: Final = frozenset({"seat", "city"})


def _standing(shown: Json, state: Json) -> str:
    said = [f"version {shown['version']}", shown["status"]]
    said += [f"{key} {state[key]}" for key in ("phase", "age", "round", "turn", "step") if state.get(key)]
    if shown.get("awaited"):
        said.append("waits for " + ", ".join(f"seat {seat}" for seat in shown["awaited"]))
    return " | ".join(said)


def _rows(title: str, rows: Sequence[Json], names: Names) -> Table:
    """A list of alike objects: one column for each of them when they are wide, else one row."""
    table = Table(title=title.replace("_", " "), title_justify="left", show_lines=False, pad_edge=False)
    keys = list(dict.fromkeys(key for row in rows for key in row))
    table.add_column("")
    for row in rows:
        table.add_column(escape(str(next(iter(row.values())))), overflow="fold")
    for key in keys[1:]:
        table.add_row(key.replace("_", " "), *(names.text(row.get(key)) for row in rows))
    return table


def _hand(hand: Sequence[str], names: Names) -> Table:
    table = Table(title="your hand", title_justify="left", pad_edge=False)
    for heading in ("card", "cost", "does"):
        table.add_column(heading, overflow="fold")
    for id in hand:
        card = names.card(id) or {}
        table.add_row(names.text(id), names.text(card.get("cost")), _does(card, names))
    return table


# What a card has beside what it does.
_PRINTED: Final = frozenset(
    {"id", "name", "cost", "copies", "set", "certain", "provenance", "printed_fields", "printed_note"}
)


def _does(card: Json, names: Names) -> Text:
    """The effects of a card as a list, or as the members of the card itself."""
    if "effects" in card:
        return Text("; ").join(names.text(_plain(effect)) for effect in card["effects"])
    said = {key.replace("_", " "): value for key, value in card.items() if key not in _PRINTED}
    shown = [Text(f"{key} ") + _line(value, names) for key, value in said.items() if value not in _NOTHING]
    return Text("; ").join(shown)


def _line(value: Any, names: Names) -> Text:
    """A value on one line, also a list of objects."""
    return Text(" | ").join(map(names.text, value)) if isinstance(value, list) else names.text(value)


def _plain(effect: Json) -> Json:
    return {effect.get("type", ""): "", **{key: value for key, value in effect.items() if key != "type"}}


def moves(listed: Sequence[Json], names: Names) -> Table:
    """Legal moves, numbered from 1, with what they cost and bring, and the ranges of their numbers."""
    table = Table(title="your moves", title_justify="left", pad_edge=False)
    table.add_column("", justify="right", style="bold")
    for heading in ("move", "cost", "brings"):
        table.add_column(heading, overflow="fold")
    for number, move in enumerate(listed, 1):
        cost = {key: value for key, value in move["cost"].items() if not isinstance(value, bool)}
        label = Text(move["label"])
        for name, (least, most) in ranges(move).items():
            if least < most:
                label += Text(f" ({name} {least} to {most})", style="dim")
        table.add_row(str(number), label, names.text(cost), names.text(move["effects"]))
    return table


def print_moves(console: Console, listed: Sequence[Json], names: Names) -> None:
    """Print legal moves; of a long list the beginning, and how to find the rest."""
    console.print(moves(listed[:_LISTED], names))
    if len(listed) > _LISTED:
        console.print(f"and {len(listed) - _LISTED} more: / and words to choose among them, a for all")


_LISTED: Final = 60


def with_words(listed: Sequence[Json], words: Sequence[str]) -> list[Json]:
    """The moves whose label has words that begin with all of these, whatever their case."""
    said = [(move, move["label"].lower().replace("-", " ").split()) for move in listed]
    return [
        move for move, label in said if all(any(each.startswith(word) for each in label) for word in words)
    ]


def ranges(move: Json) -> dict[str, tuple[int, int]]:
    """The members of a move's command that may be chosen, each with its least and greatest value."""
    return {name: (limits["min"], limits["max"]) for name, limits in move.get("parameters", {}).items()}


def scores(outcome: Json, seats: Iterable[Json]) -> Table:
    """The outcome: seats from first to last, with points by category."""
    called = {seat["seat"]: player(seat) for seat in seats}
    points = {score["seat"]: score for score in outcome["scores"]}
    table = Table(title=f"outcome: {outcome['reason']}", title_justify="left", pad_edge=False)
    table.add_column("")
    order: list[int] = []
    for group in outcome["ranking"]:
        for seat in group:
            name = escape(called.get(seat, ""))
            table.add_column(f"{len(order) + 1 - group.index(seat)}. seat {seat}\n{name}", justify="right")
            order.append(seat)
    categories = list(dict.fromkeys(key for score in outcome["scores"] for key in score["categories"]))
    for category in categories:
        each = (points.get(seat, {"categories": {}})["categories"].get(category, "") for seat in order)
        table.add_row(category, *map(str, each))
    if order and not outcome["winners"]:
        table.caption = "nobody has won"
    table.add_section()
    table.add_row(
        "total", *(str(points[seat]["total"]) if seat in points else "" for seat in order), style="bold"
    )
    return table


def player(seat: Json) -> str:
    """Who sits at a seat."""
    if seat["kind"] == "bot":
        return f"bot {seat.get('bot', '')}".strip()
    called = str(seat.get("name") or ("open" if seat["kind"] == "open" else "a person"))
    return f"{called} (resigned)" if seat.get("resigned") else called


def event(envelope: Json, names: Names) -> Text:
    """An event on a line: version, time, who, what, and what the viewer sees of it."""
    data = dict(envelope["data"])
    seat = data.pop("seat", None)
    who = envelope["actor"] if seat is None else f"seat:{seat}"
    if seat is not None and data.get("city") == seat:
        del data["city"]
    kind = envelope["type"].rpartition(".")[2].replace("_", " ")
    line = Text(f"{envelope['version']:>5} {envelope['occurred_at'][11:19]} ", style="dim")
    line += Text(f"{who:<7}", style="cyan") + Text(f" {kind} ", style="bold")
    return line + names.text({key: _short(value) for key, value in data.items() if value not in _NOTHING})


def _short(value: Any) -> Any:
    """Long lists by their length: an event has its line, the view has the details."""
    if isinstance(value, list):
        return f"{len(value)} items" if len(value) > 7 else [_short(each) for each in value]
    return value


def print_event(console: Console, envelope: Json, names: Names) -> None:
    """Print an event, cut off at the edge of the terminal."""
    console.print(event(envelope, names), no_wrap=True, overflow="ellipsis")


def console() -> Console:
    """The terminal; plain and wide where the output is none."""
    made = Console(highlight=False)
    return made if made.is_terminal else Console(highlight=False, width=_WIDE)
