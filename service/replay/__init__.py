"""A match as one HTML file: every table at every version, for those whose eyes the bundle has.

The file needs no network and no server. What a bundle brings along is data in it, never markup: it is written
as JSON without `<`, and the script shows it as text. A policy in the page allows its own
script and style only.
"""

import base64
import hashlib
import html
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final

import msgspec

from domain.kernel import match as match_rules
from domain.kernel.game import Event, Game
from domain.kernel.seats import SPECTATOR, Viewer
from events import codec
from events.bundle import Bundle
from events.envelope import FULL, SEAT
from service import json_patch
from service.replay.standings import standings

Json = dict[str, Any]

_HERE: Final = files(__name__)


def viewers(perspective: str, seats: int) -> list[Viewer]:
    """Through whose eyes a bundle of a perspective can be shown."""
    if perspective == FULL:
        return [SPECTATOR, *range(seats)]
    return [int(perspective[1:])] if SEAT.fullmatch(perspective) else [SPECTATOR]


def events(game: Game, envelopes: Sequence[Json]) -> list[Event]:
    """The events of envelopes. Raises UnknownEvent, Malformed."""
    registry, upcasts = match_rules.events(game), match_rules.upcasts(game)
    return [codec.read(registry, upcasts, each["type"], each["schema"], each["data"]) for each in envelopes]


def recording(game: Game, read: Bundle) -> Json:
    """Everything the page shows: for each viewer the first view and what each event changes in it (JSON
    Patches), the events, the points of every seat after every event, the names of cards and boards. Raises
    UnknownEvent, Malformed."""
    told = events(game, read.envelopes)
    seen = viewers(read.header["perspective"], read.header["seats"])
    views: dict[Viewer, Json] = {}
    first: dict[Viewer, Json] = {}
    patches: dict[Viewer, list[list[Json]]] = {viewer: [] for viewer in seen}
    points: list[list[int]] = []
    state = match_rules.initial()
    for event in told:
        match_rules.evolve(game, state, event)
        points.append(standings(game, state))
        for viewer in seen:
            view = match_rules.view(game, state, viewer)
            view = msgspec.json.decode(msgspec.json.encode(view))
            if viewer in views:
                patches[viewer].append(json_patch.patch(views[viewer], view))
            else:
                first[viewer] = view
            views[viewer] = view
    return {
        "match": read.header["match"],
        "game": game.TITLE,
        "over": read.header["over"],
        "perspective": read.header["perspective"],
        "viewers": [
            {
                "name": "a spectator" if viewer == SPECTATOR else f"seat {viewer}",
                "first": first[viewer],
                "patches": patches[viewer],
            }
            for viewer in seen
        ],
        "events": [
            {name: each[name] for name in ("type", "actor", "cause", "occurred_at", "data")}
            for each in read.envelopes
        ],
        "points": points,
        "names": _names(game.catalogue()),
    }


def _names(printed: Any) -> dict[str, str]:
    """What cards and boards are called, by id."""
    found: dict[str, str] = {}
    inner = printed.values() if isinstance(printed, dict) else printed if isinstance(printed, list) else ()
    if (
        isinstance(printed, dict)
        and isinstance(printed.get("id"), str)
        and isinstance(printed.get("name"), str)
    ):
        found[printed["id"]] = printed["name"]
    for each in inner:
        found |= _names(each)
    return found


def page(game: Game, read: Bundle) -> str:
    """The HTML file of a bundle, which should have been verified. Raises UnknownEvent, Malformed."""
    shown = recording(game, read)
    script, style = (_HERE.joinpath(name).read_text(encoding="utf-8") for name in ("page.js", "page.css"))
    filled = {
        "{{policy}}": f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'",
        "{{title}}": html.escape(f"{shown['game']}, {shown['match']}"),
        "{{style}}": style,
        "{{script}}": script,
        "{{data}}": embedded(shown),
    }
    made = _HERE.joinpath("page.html").read_text(encoding="utf-8")
    parts = made.split("{{")
    out = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}}")
        out += [filled["{{" + name + "}}"], rest]
    return "".join(out)


def embedded(value: Any) -> str:
    """JSON that may stand in a script element: no `<`, no `>`, no `&`, no separators scripts end lines at."""
    text = msgspec.json.encode(value).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
