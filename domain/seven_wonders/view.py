"""What each viewer sees of the table and of each event. Hidden: other hands, decks, choices not yet revealed,
markers and discards that lie face down, the discard pile while Halicarnassus searches it (U7, U9)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from domain.kernel.chance import DeckShuffled
from domain.kernel.redaction import FACE_DOWN, OPEN, Redactions, Secret, face_down
from domain.kernel.seats import Viewer
from domain.kernel.table import MatchStarted
from domain.seven_wonders import events as ev
from domain.seven_wonders.effects import SYMBOLS, unpacked
from domain.seven_wonders.ending import symbol_counts
from domain.seven_wonders.options import FACE_DOWN_CARDS
from domain.seven_wonders.state import GUILD, SEARCHING, SEVENTH, Action, City, State
from domain.seven_wonders.state import SYMBOLS as CHOOSE_SYMBOLS

# Redaction


def _hands(hands: list[list[str]], viewer: Viewer) -> list[list[str]]:
    return [hand if seat == viewer else face_down(hand) for seat, hand in enumerate(hands)]


def _own(hide: Callable[[Any], Any]) -> Secret:
    """Only the seat that acted (and the log) sees the whole event."""
    return Secret(
        seats=lambda event: (event.seat,),
        hide=lambda event, viewer: event if viewer == event.seat else hide(event),
    )


def _marker(event: Any) -> Any:
    return event if event.face_up else replace(event, card=FACE_DOWN)


def _dealt_anew(event: ev.HiddenDealt, viewer: Viewer) -> ev.HiddenDealt:
    return replace(
        event,
        hands=_hands(event.hands, viewer),
        chosen=[
            chosen if chosen is None or event.actors[number] == viewer else FACE_DOWN
            for number, chosen in enumerate(event.chosen)
        ],
        markers=[
            markers if event.open_markers or number == viewer else face_down(markers)
            for number, markers in enumerate(event.markers)
        ],
        discard=face_down(event.discard),
        found=event.found if event.searched_by == viewer else face_down(event.found),
        pile=event.pile if event.pile_seen_by == viewer else face_down(event.pile),
        boards=face_down(event.boards),
    )


REDACTIONS: Redactions = {
    MatchStarted: OPEN,
    DeckShuffled: Secret(
        seats=lambda event: (),
        hide=lambda event, viewer: replace(
            event, input=face_down(event.input), output=face_down(event.output)
        ),
    ),
    ev.TableSet: OPEN,
    ev.BoardsOffered: OPEN,
    ev.BoardDealt: OPEN,
    ev.BoardChoiceOpened: OPEN,
    ev.BoardChosen: OPEN,
    ev.HandsDealt: Secret(
        seats=lambda event: range(len(event.hands)),
        hide=lambda event, viewer: replace(
            event, hands=_hands(event.hands, viewer), pile=face_down(event.pile)
        ),
    ),
    ev.CardDrawn: _own(lambda event: replace(event, card=FACE_DOWN)),
    ev.ActionChosen: _own(lambda event: replace(event, action=FACE_DOWN)),
    ev.ActionWithdrawn: OPEN,
    ev.StructureBuilt: OPEN,
    ev.StageBuilt: _own(_marker),
    ev.CardDiscarded: _own(_marker),
    ev.LeftoversDiscarded: Secret(
        seats=lambda event: range(len(event.hands)),
        hide=lambda event, viewer: replace(
            event, hands=_hands(event.hands, viewer), pile=face_down(event.pile)
        ),
    ),
    ev.SeventhCardKept: _own(lambda event: event if event.card is None else replace(event, card=FACE_DOWN)),
    ev.SeventhCardLeft: _own(lambda event: replace(event, card=FACE_DOWN)),
    ev.DiscardPileSearched: Secret(
        seats=lambda event: (event.seat,),
        hide=lambda event, viewer: (
            event if event.asked and viewer == event.seat else replace(event, cards=face_down(event.cards))
        ),
    ),
    ev.NothingTaken: OPEN,
    ev.HandsPassed: Secret(
        seats=lambda event: range(len(event.hands)),
        hide=lambda event, viewer: replace(event, hands=_hands(event.hands, viewer)),
    ),
    ev.ConflictsResolved: OPEN,
    ev.GuildChoiceOffered: OPEN,
    ev.GuildCopied: OPEN,
    ev.SymbolChoiceOffered: OPEN,
    ev.SymbolsChosen: OPEN,
    ev.PointsCounted: OPEN,
    ev.HiddenDealt: Secret(seats=lambda event: range(len(event.hands)), hide=_dealt_anew),
}


# View


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """The table as this seat (or the spectator) sees it."""
    cities = [_city(state, number, viewer) for number in range(len(state.cities))]
    shown: dict[str, Any] = {
        "phase": state.phase,
        "age": state.age,
        "turn": state.turn,
        "you": viewer if 0 <= viewer < state.seats else None,
        "passing": None if not state.age else ("right" if state.age == 2 else "left"),
        "cities": cities,
        "hands": [len(hand) for hand in state.hands],
        "hand": list(state.hands[viewer]) if 0 <= viewer < len(state.hands) else None,
        "chosen": [chosen is not None for chosen in state.chosen],
        "choices": _choices(state, viewer),
        "discard_pile": len(state.discard),
        "searching": None,
        "offered": {
            "boards": list(state.offered),
            "guilds": list(state.guilds) if state.phase == GUILD else [],
        },
        "scores": [dict(points) for points in state.scores] or None,
        "copied_guilds": {str(seat): guild for seat, guild in sorted(state.copied.items())},
    }
    if state.options.get(FACE_DOWN_CARDS) == "revealed":
        shown["discards_face_up"] = list(state.face_up)
    if state.phase == CHOOSE_SYMBOLS:
        shown["offered"]["symbols"] = {str(seat): count for seat, count in sorted(state.wild.items())}
    if state.symbols:
        shown["chosen_symbols"] = {str(seat): list(names) for seat, names in sorted(state.symbols.items())}
    if state.phase == SEARCHING and viewer in state.awaited:
        shown["searching"] = list(state.found)
    if state.seats < len(state.cities):
        acting = viewer in state.awaited and state.phase == SEVENTH and state.powered >= state.seats
        shown["free_city"] = {
            "holder": state.holder,
            "draw_pile": len(state.pile),
            "seventh_card": list(state.pile) if acting else None,
        }
    return shown


def _choices(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    """What the viewer itself has chosen and not yet revealed."""
    return [
        {"city": number, "use": chosen.use, "card": chosen.card, "left": chosen.left, "right": chosen.right}
        for number, chosen in enumerate(state.chosen)
        if isinstance(chosen, Action) and state.actors[number] == viewer
    ]


def _city(state: State, number: int, viewer: Viewer) -> dict[str, Any]:
    city = state.cities[number]
    stages = len(city.markers)
    shown: dict[str, Any] = {
        "city": number,
        "seat": number if number < state.seats else None,
        "wonder": city.wonder or None,
        "side": city.side or None,
        "coins": city.coins,
        "stages": stages,
        "cards": list(city.cards),
        "shields": city.shields,
        "tokens": list(city.tokens),
        "symbols": dict(zip(SYMBOLS, symbol_counts(city), strict=True)),
    }
    if city.side:
        shown["next_stage"] = _next_stage(city, stages)
    if number == viewer or state.options[FACE_DOWN_CARDS] == "revealed":
        shown["markers"] = list(city.markers)
    return shown


def _next_stage(city: City, built: int) -> dict[str, Any] | None:
    stages = city.board.stages
    if built == len(stages):
        return None
    return {"stage": built + 1, "cost": {"coins": stages[built].coins, **unpacked(stages[built].cost)}}
