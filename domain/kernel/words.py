"""What the members of commands may hold, beyond their Python types: said once, at the type.

`card: CardId` is a string for the domain; whoever reads a command from outside (the HTTP face) finds the form
in `typing.Annotated` and refuses what does not have it before the domain sees it. The domain does not rely on
that: its rules refuse words and numbers they do not know by themselves.
"""

from dataclasses import dataclass
from typing import Annotated, Final


@dataclass(frozen=True, slots=True)
class Form:
    """A string of this form (a regular expression for the whole of it), with an example."""

    pattern: str
    example: str
    longest: int = 80


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these strings."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """A whole number from `least` to `most`, both included."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class AtMost:
    """A list of so many items at most."""

    items: int


MOST_COUNTED: Final = 1000  # far more than lies on any table, so no rule depends on it

# The name of a card, of a copy of one (`zeppelin-1`), of a wonder, an advisor, a quest.
CardId = Annotated[str, Form(r"^[a-z][a-z0-9_]*(-[0-9]+)?$", "zeppelin-1")]
Count = Annotated[int, Range(1, MOST_COUNTED)]
Coins = Annotated[int, Range(0, MOST_COUNTED)]
