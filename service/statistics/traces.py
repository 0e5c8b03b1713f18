"""What each game's log says about boards, cards built, and the order in which cards were taken from hands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from events.envelope import Recorded

Json = dict[str, Any]
Pick = tuple[str, int]  # a card, and as which card of the hands of its age or round it was taken, from 1


@dataclass(frozen=True, slots=True)
class Traces:
    """By seat: the board it played, the cards that stood at its end (each once). `picks` of all seats."""

    boards: list[str] = field(default_factory=list)
    cards: list[list[str]] = field(default_factory=list)
    picks: list[Pick] = field(default_factory=list)


def traces(game: str, seats: int, view: Json, records: Sequence[Recorded]) -> Traces:
    """The traces of a finished match. `view` is the game's own, as a spectator sees the end; `records` are
    its events in full. Of a game that is not known here there are none."""
    read = _GAMES.get(game)
    if read is None:
        return Traces()
    shown, taken = read
    boards, cards = shown(view, seats)
    return Traces(boards, [sorted(set(each)) for each in cards], taken(seats, standing(records)))


def standing(records: Sequence[Recorded]) -> list[Recorded]:
    """The events without those that were taken back."""
    kept: list[Recorded] = []
    for record in records:
        if record.type == "match.undone":
            kept = [each for each in kept if each.version <= record.data["to"]]
        kept.append(record)
    return kept


# 7 Wonders

_FROM_HAND: Final = frozenset(
    ("seven_wonders.structure_built", "seven_wonders.stage_built", "seven_wonders.card_discarded")
)

_SEVENTH: Final = 7


def _cities(view: Json, seats: int) -> tuple[list[str], list[list[str]]]:
    own = view["cities"][:seats]
    return [f"{city['wonder']}:{city['side']}" for city in own], [city["cards"] for city in own]


def _turns(seats: int, records: Sequence[Recorded]) -> list[Pick]:
    """The turn of its Age in which a card left the hand: built, under the wonder, or for coins. The seventh
    card is not taken from a choice, nor is what comes from the discard pile or for the Free City."""
    picks, turn = list[Pick](), 1
    for record in records:
        data = record.data
        if record.type == "seven_wonders.hands_dealt":
            turn = 1
        elif record.type == "seven_wonders.hands_passed":
            turn += 1
        elif record.type == "seven_wonders.seventh_card_kept":
            turn = _SEVENTH
        elif record.type in _FROM_HAND and data["city"] == data["seat"]:
            by_choice = turn < _SEVENTH and data.get("by") != "discard-pile"
            picks += [(data["card"], turn)] if by_choice else []
    return picks


# The Wonderful games


def _empires(view: Json, seats: int) -> tuple[list[str], list[list[str]]]:
    boards = view["boards"]
    return [f"{board['empire']}:{view['side']}" for board in boards], [
        board["constructed"] for board in boards
    ]


def _drafts(seats: int, records: Sequence[Recorded]) -> list[Pick]:
    picks, number = list[Pick](), 1
    for record in records:
        if record.type == "wonderful_world.hands_dealt":
            number = 1
        elif record.type == "wonderful_world.picks_revealed":
            picks += [(card, number) for card in record.data["cards"]]
            number += 1
    return picks


def _duchies(view: Json, seats: int) -> tuple[list[str], list[list[str]]]:
    boards = view["boards"]
    return [f"{board['duchy']}:{view['side']}" for board in boards], [
        [each["kind"] for each in board["constructed"]] for board in boards
    ]


def _no_picks(seats: int, records: Sequence[Recorded]) -> list[Pick]:
    """It's a Wonderful Kingdom has no hands that go round: cards are offered and selected by areas."""
    return []


Shown = Callable[[Json, int], tuple[list[str], list[list[str]]]]
Taken = Callable[[int, Sequence[Recorded]], list[Pick]]

_GAMES: Final[Mapping[str, tuple[Shown, Taken]]] = {
    "seven-wonders": (_cities, _turns),
    "its-a-wonderful-world": (_empires, _drafts),
    "its-a-wonderful-kingdom": (_duchies, _no_picks),
}
