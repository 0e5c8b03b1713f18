"""In forks only: what a viewer could not see."""

from dataclasses import dataclass

from domain.kernel.seats import Seat


@dataclass(frozen=True, slots=True)
class Lying:
    """A card in an area or a collection, and who has seen it; null: it lies face up."""

    card: str
    seen_by: list[Seat] | None


@dataclass(frozen=True, slots=True)
class HiddenDealt:
    """Whatever one viewer could not see was dealt anew, and lies so now. Of the areas the left one comes
    first; `drawn` are cards looked at and `advisors` advisors drawn, by seat."""

    hands: list[list[str]]
    areas: list[list[Lying]]
    collections: list[list[Lying]]
    buried: list[Lying]
    drawn: list[list[str]]
    advisors: list[list[str]]
    picks: list[str | None]
    unplayed: list[list[str]]
    deck: list[str]
    calamities: list[str]
