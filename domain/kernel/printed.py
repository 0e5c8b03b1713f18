"""The ids of what a game prints (cards, boards), and where they are named."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from domain.kernel.game import Game


def strings(value: Any) -> Iterator[str]:
    """Every string in a value made of JSON values and dataclasses; keys and names of fields apart."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for inner in value:
            yield from strings(inner)
    elif is_dataclass(value):
        for each in fields(value):
            yield from strings(getattr(value, each.name))


def printed(game: Game) -> frozenset[str]:
    """The ids of everything the game prints."""
    for known, ids in _KNOWN:
        if known is game:
            return ids
    found = frozenset(_ids(game.catalogue()))
    _KNOWN.append((game, found))
    return found


# Found once a game; a game is a module or lives as long as one.
_KNOWN: Final[list[tuple[Game, frozenset[str]]]] = []


def _ids(value: Any) -> Iterable[str]:
    if isinstance(value, Mapping):
        if isinstance(value.get("id"), str):
            yield value["id"]
        for inner in value.values():
            yield from _ids(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _ids(inner)
