"""Tables of It's a Wonderful Kingdom made of events: boards, what lies on them, the phase of play."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from domain.kernel.chance import DeckShuffled
from domain.kernel.game import Event
from domain.kernel.seats import Seat
from domain.kernel.table import MatchStarted
from domain.wonderful.commands import Validate
from domain.wonderful.events import CubesPlaced, KrystalliumPlaced
from domain.wonderful_kingdom import GAME, ORIGINAL
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.bags import STEPS
from domain.wonderful_kingdom.setup import CALAMITIES_LABEL, DECK_LABEL, deck
from tests.given_when_then import Given, given, secrets

Vector = dict[str, Any]

VECTOR_FILE: Final = Path(__file__).parents[2] / "vectors" / "wonderful_kingdom.json"
VECTORS: Final[dict[str, Vector]] = {
    vector["id"]: vector for vector in json.loads(VECTOR_FILE.read_text("utf-8"))["vectors"]
}
DEFAULTS: Final = {option.name: option.default for option in GAME.OPTIONS}
SETS: Final = ("giant_rats", "thieves")
HAND: Final = (
    "dev_claywright_yard",
    "dev_counting_loft",
    "dev_longhouse_row",
    "dev_muster_green",
    "dev_ropewalk_quay",
    "dev_terraced_barley",
    "dev_waystone_road",
)
SEEDS: Final = ("dev_honest_assayers", "dev_oathbound_pikes")


def expect(id: str) -> Any:
    """What a vector expects."""
    return VECTORS[id]["expect"]


@dataclass(frozen=True, slots=True)
class Land:
    """A board as the story begins. `building`: kind -> what lies on it by name, `gold:krystallium` for a
    krystallium on a slot for gold. `collected` lies in the collection area when planning begins."""

    duchy: str = "duchy_teressie"
    constructed: Sequence[str] = ()
    building: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    collected: Sequence[str] = ()
    cubes: Mapping[str, int] = field(default_factory=dict)
    krystallium: int = 0
    soldiers: int = 0
    training: int = 0
    calamities: Sequence[str] = ()
    menaces: Sequence[str] = ()
    advisors: Sequence[str] = ()


VALADOS: Final = Land("duchy_valados")


def lands(
    *boards: Land,
    mode: str = "menaces",
    side: str = "A",
    round: int = 1,
    start: Seat = 0,
    hands: Sequence[Sequence[str]] = ((), ()),
    top: Sequence[str] = (),
    **options: Any,
) -> list[Event]:
    """A table in a round, before its first offer. `top` are the next cards of the deck."""
    cards = deck(ORIGINAL, mode, [])
    for card in top:
        cards.remove(card)
    chosen = {**DEFAULTS, "mode": mode, "side": side, **options}
    events: list[Event] = [
        MatchStarted(2, chosen),
        ev.DuchiesDealt(side, [board.duchy for board in boards], [0, 0], [0, 0], start),
        DeckShuffled(DECK_LABEL, 80, [], cards[:16] + list(top) + cards[16:]),
    ]
    if mode == "menaces":
        events += [ev.MenaceSetChosen(seat, name) for seat, name in enumerate(SETS)]
    else:
        events.append(DeckShuffled(CALAMITIES_LABEL, 8, [], sorted(ORIGINAL.calamities)))
    events.append(ev.HandsDealt(round, start, [sorted(hand) for hand in hands], list(SEEDS)))
    for seat, board in enumerate(boards):
        events += _lying(seat, board)
    return events


def _lying(seat: Seat, board: Land) -> list[Event]:
    events: list[Event] = [
        ev.DevelopmentCompleted(seat, f"{kind}-built-{number}", kind, {})
        for number, kind in enumerate(board.constructed)
    ]
    for kind, placed in board.building.items():
        events += _built(seat, kind, placed)
    for number, (name, count) in enumerate(board.cubes.items(), 1):
        there = dict(list(board.cubes.items())[:number])
        events += [ev.CubesGained(seat, {name: count}), ev.CubesStored(seat, name, count, 0, there)]
    events.append(ev.TokensGained(seat, board.krystallium, board.soldiers, board.training))
    events += [ev.CalamityPlaced(seat, card) for card in board.calamities]
    events += [ev.MenacePlaced(seat, card) for card in board.menaces]
    return events + [ev.AdvisorPlaced(seat, card, 0) for card in board.advisors]


def _built(seat: Seat, kind: str, placed: Mapping[str, int]) -> list[Event]:
    name = f"{kind}-1"
    events: list[Event] = [ev.DevelopmentBegun(seat, kind, name)]
    for thing, count in placed.items():
        if thing in STEPS:
            events += [ev.CubesGained(seat, {thing: count}), CubesPlaced(seat, name, thing, count)]
        elif thing.endswith("krystallium"):
            space = thing.split(":")[0]
            events += [
                ev.TokensGained(seat, krystallium=count),
                KrystalliumPlaced(seat, name, space, count),
            ]
        else:
            events += [ev.TokensGained(seat, soldiers=count), ev.SoldiersPlaced(seat, name, count)]
    return events


def choosing(*boards: Land, hands: Sequence[Sequence[str]] = (HAND, HAND), **table: Any) -> Given:
    """The table as the start player offers first."""
    both = boards or (Land(), VALADOS)
    events = [*lands(*both, hands=hands, **table), ev.OffersBegan(table.get("start", 0))]
    return given(GAME, events, secrets(seats=2))


def planning(*boards: Land, **table: Any) -> Given:
    """The table while the collected cards are planned; what the reveal sets off has been done."""
    events = lands(*boards, **table)
    events.append(ev.CollectionsRevealed([list(board.collected) for board in boards]))
    return given(GAME, events, secrets(seats=2))


def producing(resource: str, counts: Sequence[int], *boards: Land, **table: Any) -> Given:
    """The table in a production step that gave so many cubes; nobody won supremacy."""
    events = [*lands(*boards, **table), ev.CubesProduced(resource, list(counts))]
    return given(GAME, events, secrets(seats=2))


def fighting(*boards: Land, seats: Sequence[Seat] = (0, 1), **table: Any) -> Given:
    """The table in the fight after production."""
    events = [*lands(*boards, **table), ev.FightBegan(list(seats))]
    return given(GAME, events, secrets(seats=2))


def both_done(table: Given) -> list[Event]:
    """Both seats are done with the step; the events since."""
    recorded: list[Event] = []
    for seat in (0, 1):
        if not table.view()["boards"][seat]["validated"]:
            recorded += table.when(seat, Validate()).recorded
    return recorded


def board(table: Given, seat: Seat = 0, viewer: Seat = -1) -> dict[str, Any]:
    """A board as a viewer sees it."""
    shown: dict[str, Any] = table.view(viewer)["boards"][seat]
    return shown


def missing(table: Given, card: str, seat: Seat = 0) -> dict[str, int]:
    """The free slots of a development under construction."""
    for each in board(table, seat)["under_construction"]:
        if each["card"] == card:
            found: dict[str, int] = each["missing"]
            return found
    raise AssertionError(f"{card} is not under construction")


def kinds_constructed(table: Given, seat: Seat = 0) -> list[str]:
    """The constructed developments by kind."""
    return [each["kind"] for each in board(table, seat)["constructed"]]


def total(table: Given, seat: Seat = 0) -> int:
    """The points of a board as it stands."""
    return sum(board(table, seat)["points"].values())
