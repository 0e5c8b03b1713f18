"""What a viewer sees of an event: hidden cards keep their place and lose their face.

A redaction table is closed: an event class without an entry is an error, never a leak.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.kernel.seats import SPECTATOR, Seat, Viewer

FACE_DOWN: Final = "face-down"


@dataclass(frozen=True, slots=True)
class Secret:
    """How one class of event is hidden.

    `seats(event)` names the seats with a form (and a seal) of their own; it may look at public fields only.
    `hide(event, viewer)` gives the event as `viewer` sees it, the same class with the same fields.
    """

    seats: Callable[[Any], Sequence[Seat]]
    hide: Callable[[Any, Viewer], Any]


# The whole event is public: nobody has a form of their own and nothing is sealed.
OPEN: Final[Secret | None] = None

Redactions = Mapping[type, Secret | None]


def redact(table: Redactions, event: Any, viewer: Viewer) -> Any:
    """The event as a seat or the spectator sees it. Raises KeyError for a class without an entry."""
    secret = table[type(event)]
    return event if secret is None else secret.hide(event, viewer)


def forms(table: Redactions, event: Any) -> tuple[Any, dict[Seat, Any], bool]:
    """All forms of an event: the spectator's, those of the seats with a form of their own, and whether
    the event is sealed at all. Raises KeyError for a class without an entry."""
    secret = table[type(event)]
    if secret is None:
        return event, {}, False
    return (
        secret.hide(event, SPECTATOR),
        {seat: secret.hide(event, seat) for seat in secret.seats(event)},
        True,
    )


def face_down(cards: Sequence[str]) -> list[str]:
    """As many backs as there are cards."""
    return [FACE_DOWN] * len(cards)


def take(cards: list[str], card: str) -> None:
    """Remove `card` from `cards`, or one back when the cards lie face down. Total: else no change."""
    if card in cards:
        cards.remove(card)
    elif FACE_DOWN in cards:
        cards.remove(FACE_DOWN)
