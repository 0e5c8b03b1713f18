"""Where the sums are kept: for each tenant and game, in a generation that a rebuild replaces as a whole."""

from collections.abc import Mapping
from typing import Protocol

from service.statistics.counting import Counts, Name


class RebuildOvertaken(Exception):
    """Another rebuild was begun after this one; that one counts."""

    def __init__(self) -> None:
        super().__init__("another rebuild was begun meanwhile")


class Totals(Protocol):
    """A match is added once to each generation. Methods raise StoreUnavailable."""

    def has(self, tenant: str, match: str) -> bool:
        """Whether a match is in the sums that are shown, and in those a rebuild under way makes."""

    def add(self, tenant: str, game: str, match: str, counts: Mapping[Name, int]) -> None:
        """Add a match to the sums that are shown and to those a rebuild under way makes, to neither twice."""

    def sums(self, tenant: str, game: str) -> Counts:
        """The sums of a tenant's matches of a game."""

    def tenants(self) -> list[str]:
        """The tenants that have any, in order."""

    def begin(self) -> str:
        """Begin sums anew, beside those that are shown; the name of the new generation. One that was begun
        and not finished is dropped."""

    def add_to(self, generation: str, tenant: str, game: str, match: str, counts: Mapping[Name, int]) -> None:
        """Add a match to a generation, not twice."""

    def finish(self, generation: str) -> None:
        """Show a generation from now on, and drop the one before. Raises RebuildOvertaken."""


def written(name: Name) -> str:
    """A name as one string."""
    return "|".join(name)


def read(text: str) -> Name:
    """The name of a string."""
    return tuple(text.split("|"))
