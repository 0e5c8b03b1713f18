"""A ruleset made from another one: the same game with some of its names bound to something else.

Every number, card and function that is not replaced is that of the other ruleset, so a variant is as long as
what it changes. What it decides is written down as facts; `evolve` of the old rules folds them wherever it
takes the fact as it stands, and needs no replacement there.
"""

import re
from typing import Any, Final, cast

from domain.kernel.game import Game

# All that the Game protocol asks for.
NAMES: Final = frozenset(name for name in vars(Game) if not name.startswith("_"))
_VERSION: Final = re.compile(r"[0-9]+(\.[0-9]+){1,3}")
_FIXED: Final = frozenset(("NAME", "RULESET"))


class Variant:
    """A game with names replaced; satisfies the Game protocol where the other one does."""

    def __init__(self, base: Game, names: dict[str, Any]) -> None:
        self._base = base
        self.__dict__.update(names)

    def __getattr__(self, name: str) -> Any:
        if name not in NAMES:
            raise AttributeError(name)
        return getattr(self._base, name)

    def __repr__(self) -> str:
        return f"Variant({self.RULESET})"


def variant(base: Game, ruleset: str, **replaced: Any) -> Game:
    """The game `base` as another ruleset: `replaced` binds names of the Game protocol anew, a function taking
    what the protocol says. `ruleset` is `<name>/<version>`; the card set that `base` pins goes with it.
    Events keep names and shapes: one of another shape takes a new schema and an upcast, as ever.

    Raises ValueError for a ruleset of another game or that of `base`, TypeError for a name no game has."""
    unknown = sorted(replaced.keys() - NAMES | replaced.keys() & _FIXED)
    if unknown:
        raise TypeError(f"a variant cannot replace {', '.join(unknown)}")
    name, _, version = ruleset.partition("/")
    if name != base.NAME or _VERSION.fullmatch(version) is None:
        raise ValueError(f"a ruleset of {base.NAME} is named {base.NAME}/1.2.3, not {ruleset}")
    pinned = base.RULESET.partition("+")
    named = ruleset + pinned[1] + pinned[2]
    if named == base.RULESET:
        raise ValueError(f"{named} is the ruleset it is made from")
    return cast(Game, Variant(base, {"RULESET": named, **replaced}))
