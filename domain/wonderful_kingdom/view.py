"""What each viewer sees of the table and of each event (rules 10).

Hidden: the decks, other hands, the menaces left in the other's set, advisors drawn and not kept, cards drawn
and not yet kept, and every card laid face down, from all but who laid it or peeked at it, until planning
turns the collection areas; what is left over face down is never turned.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from domain.kernel.chance import DeckShuffled
from domain.kernel.redaction import FACE_DOWN, OPEN, Redactions, Secret, face_down
from domain.kernel.seats import Viewer
from domain.kernel.table import MatchStarted
from domain.wonderful import events as shared
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom import redealing
from domain.wonderful_kingdom.bags import COLOURS, KRYSTALLIUM, NAMES, SOLDIERS, STEPS, named
from domain.wonderful_kingdom.cards import CardSet
from domain.wonderful_kingdom.counting import all_icons, trap_limit, traps_left
from domain.wonderful_kingdom.ending import score, winners
from domain.wonderful_kingdom.options import ADVISORS, BOARD, MENACES, MODE, QUESTS, SIDE
from domain.wonderful_kingdom.setup import set_cards
from domain.wonderful_kingdom.state import (
    AREAS,
    BEFORE_COUNT,
    NOBODY,
    OVER,
    PRODUCTION,
    Board,
    Laid,
    State,
    turn_of,
)

# Redaction


def _hands(hands: list[list[str]], viewer: Viewer) -> list[list[str]]:
    return [hand if seat == viewer else face_down(hand) for seat, hand in enumerate(hands)]


_OWN_HAND: Final = Secret(
    seats=lambda event: range(len(event.hands)),
    hide=lambda event, viewer: replace(event, hands=_hands(event.hands, viewer)),
)


def _own(*names: str) -> Secret:
    """Cards in these fields are for the acting seat alone."""

    def hide(event: Any, viewer: Viewer) -> Any:
        if viewer == event.seat:
            return event
        return replace(event, **{name: _back(getattr(event, name)) for name in names})

    return Secret(seats=lambda event: (event.seat,), hide=hide)


def _back(value: str | list[str]) -> str | list[str]:
    return FACE_DOWN if isinstance(value, str) else face_down(value)


REDACTIONS: Redactions = {
    MatchStarted: OPEN,
    DeckShuffled: Secret(
        seats=lambda event: (),
        hide=lambda event, viewer: replace(
            event, input=face_down(event.input), output=face_down(event.output)
        ),
    ),
    ev.AdvisorsDrawn: _OWN_HAND,
    ev.AdvisorKept: _own("advisor"),
    ev.HandsDealt: _OWN_HAND,
    ev.MenaceChosen: _own("card"),
    ev.CardsOffered: _own("left_face_down", "right_face_down"),
    ev.CardPeeked: _own("card"),
    ev.CardsDrawn: _own("cards"),
    ev.DuchiesDealt: OPEN,
    ev.MenaceSetsOffered: OPEN,
    ev.MenaceSetChosen: OPEN,
    ev.AdvisorsRevealed: OPEN,
    ev.OffersBegan: OPEN,
    ev.AreaSelected: OPEN,
    ev.CardSalvaged: OPEN,
    ev.LeftoversDiscarded: OPEN,
    ev.SeatAsked: OPEN,
    ev.CollectionsRevealed: OPEN,
    ev.CalamityPlaced: OPEN,
    ev.MenacePlaced: OPEN,
    ev.AdvisorPlaced: OPEN,
    ev.CollectedDiscarded: OPEN,
    ev.DevelopmentBegun: OPEN,
    ev.CardRecycled: OPEN,
    shared.CubesPlaced: OPEN,
    ev.CubesStored: OPEN,
    shared.KrystalliumPlaced: OPEN,
    ev.SoldiersPlaced: OPEN,
    ev.DevelopmentScrapped: OPEN,
    ev.DevelopmentCompleted: OPEN,
    ev.CubesExchanged: OPEN,
    ev.QuestCompleted: OPEN,
    ev.AdvisorActivated: OPEN,
    ev.MenaceDefeated: OPEN,
    ev.EffectGranted: OPEN,
    ev.EffectDeclined: OPEN,
    ev.CubesGained: OPEN,
    ev.CubeChosen: OPEN,
    ev.TokensGained: OPEN,
    ev.CubesTransmuted: OPEN,
    ev.DrawnKept: OPEN,
    ev.ProductionBegan: OPEN,
    ev.RatsSpawned: OPEN,
    ev.TokenStolen: OPEN,
    ev.CubesProduced: OPEN,
    ev.SupremacyWon: OPEN,
    ev.FightBegan: OPEN,
    shared.StepValidated: OPEN,
    ev.PointsCounted: OPEN,
    ev.HiddenDealt: Secret(seats=lambda event: range(len(event.collections)), hide=redealing.hidden),
}


# View


def view(cards: CardSet, state: State, viewer: Viewer) -> dict[str, Any]:
    """The table as this seat (or the spectator) sees it."""
    seated = 0 <= viewer < len(state.hands)
    mode = state.options.get(MODE)
    shown: dict[str, Any] = {
        "phase": state.phase,
        "you": viewer if 0 <= viewer < state.seats else None,
        "mode": mode,
        "side": state.options.get(SIDE),
        "round": state.round,
        "start_player": None if state.start == NOBODY else state.start,
        "turn": state.turn,
        "acting": _acting(state),
        "step": _step(state),
        "produced": list(state.counts) if state.phase == PRODUCTION else None,
        "areas": {area: _laid(state.areas[area], viewer) for area in AREAS},
        "boards": [_board(cards, state, seat, board, viewer) for seat, board in enumerate(state.boards)],
        "hands": [len(hand) for hand in state.hands],
        "hand": list(state.hands[viewer]) if seated else None,
        "discard_pile": list(state.discard),
        "discarded_face_down": _laid(state.buried, viewer),
        "box": list(state.box),
        "deck": len(state.deck),
        "calamities_left": len(state.calamities),
        "scores": state.scores or None,
        "winners": winners(state) if state.phase == OVER else None,
    }
    if mode == MENACES:
        shown["rats_left"] = len(state.rats)
    if mode == ADVISORS:
        shown["advisors"] = _advisors(state, viewer)
    if mode == QUESTS:
        shown["quest_board"] = state.options[BOARD]
    return shown


def _acting(state: State) -> int | None:
    if state.phase in ("offer", "select"):
        return turn_of(state)
    return None if state.actor == NOBODY else state.actor


def _step(state: State) -> str | None:
    if state.phase == PRODUCTION:
        return STEPS[state.step]
    return STEPS[state.step + 1] if state.phase == BEFORE_COUNT else None


def _laid(cards: Sequence[Laid], viewer: Viewer) -> list[dict[str, Any]]:
    return [
        {"card": laid.card}
        if not laid.face_down
        else {"card": laid.shown_to(viewer), "face_down_by": laid.by, "seen_by": sorted(laid.seen)}
        for laid in cards
    ]


def _advisors(state: State, viewer: Viewer) -> dict[str, Any]:
    """Two drawn and one kept in secret; afterwards the one returned to the box."""
    own = 0 <= viewer < len(state.drawn_advisors)
    return {
        "drawn": list(state.drawn_advisors[viewer]) if own else None,
        "chosen": [pick is not None for pick in state.picks],
        "choice": state.picks[viewer] if own else None,
    }


def _board(cards: CardSet, state: State, seat: int, board: Board, viewer: Viewer) -> dict[str, Any]:
    own = seat == viewer
    total = set_cards(cards, board.menace_set) if board.menace_set else []
    stolen = {card: thief for thief, card in board.stolen.items()}
    counts = all_icons(cards, board)
    return {
        "seat": seat,
        "duchy": board.duchy,
        "cubes": named(board.loose),
        "krystallium": board.pool[KRYSTALLIUM],
        "soldiers": board.pool[SOLDIERS],
        "training_ground": board.training,
        "to_place": named(board.pool[:KRYSTALLIUM]),
        "to_store": named(board.bound),
        "collection_area": _laid(board.collection, viewer),
        "under_construction": [
            {
                "card": name,
                "kind": construction.kind,
                "placed": named(construction.placed),
                "missing": named(construction.empty),
                "stolen_by": stolen.get(name),
            }
            for name, construction in board.constructions.items()
        ],
        "constructed": [
            {"card": name, "kind": kind, "stolen_by": stolen.get(name)}
            for name, kind in board.constructed.items()
        ],
        "calamities": list(board.calamities),
        "menaces": list(board.menaces),
        "menace_set": board.menace_set or None,
        "menaces_left": len(total) - board.menaces_dealt,
        "menaces_in_set": list(board.unplayed) if own else None,
        "menace_chosen": bool(state.picks and state.picks[seat] is not None and board.menace_set),
        "advisors": [{"card": card, "used": card in board.used} for card in board.advisors],
        "quests": list(board.quests),
        "trap_limit": trap_limit(cards, board),
        "traps_left": traps_left(cards, board),
        "production": {NAMES[colour]: counts[colour] for colour in COLOURS},
        "points": score(cards, board),
        "validated": board.done,
        "owed": {
            "drawn": len(board.drawn),
            "drawn_cards": list(board.drawn) if own else None,
            "keep": board.keep,
            "kept": list(board.kept),
            "cubes_to_choose": [list(each) for each in board.choices],
            "transmutes": [{"cubes": price, "krystallium": gain} for price, gain in board.transmutes],
            "discards": board.discards,
        },
        "granted": {
            "peeks": board.peeks,
            "extra_cards": board.extra_cards,
            "salvages": board.salvages,
            "double_recycles": board.doubles,
            "boost": board.boost,
            "wins_ties": board.wins_ties,
        },
    }
