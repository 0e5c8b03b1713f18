"""What each viewer sees of the table and of each event. Hidden: the decks, other hands, picks not yet
revealed, piles of the game alone not yet taken (rules 13)."""

from dataclasses import replace
from typing import Any

from domain.kernel.chance import DeckShuffled
from domain.kernel.redaction import FACE_DOWN, OPEN, Redactions, Secret, face_down
from domain.kernel.seats import Viewer
from domain.kernel.table import MatchStarted
from domain.wonderful import events as shared
from domain.wonderful.board import Board
from domain.wonderful.cubes import COLOURS, FINANCIER, GENERAL, KRYSTALLIUM, NAMES, named
from domain.wonderful.production import yields
from domain.wonderful_world import events as ev
from domain.wonderful_world import solo
from domain.wonderful_world.ending import score
from domain.wonderful_world.options import FREE_PLAY, SCENARIO
from domain.wonderful_world.state import DRAFT, PRODUCTION, STEPS, State

# Redaction


def _hands(hands: list[list[str]], viewer: Viewer) -> list[list[str]]:
    return [hand if seat == viewer else face_down(hand) for seat, hand in enumerate(hands)]


_OWN_HAND = Secret(
    seats=lambda event: range(len(event.hands)),
    hide=lambda event, viewer: replace(event, hands=_hands(event.hands, viewer)),
)

REDACTIONS: Redactions = {
    MatchStarted: OPEN,
    DeckShuffled: Secret(
        seats=lambda event: (),
        hide=lambda event, viewer: replace(
            event, input=face_down(event.input), output=face_down(event.output)
        ),
    ),
    ev.EmpiresDealt: OPEN,
    ev.HandsDealt: _OWN_HAND,
    ev.CardDrafted: Secret(
        seats=lambda event: (event.seat,),
        hide=lambda event, viewer: event if viewer == event.seat else replace(event, card=FACE_DOWN),
    ),
    ev.PickWithdrawn: OPEN,
    ev.PicksRevealed: OPEN,
    ev.HandsPassed: _OWN_HAND,
    ev.LeftoversDiscarded: OPEN,
    ev.PlanningBegan: OPEN,
    shared.CardSlated: OPEN,
    shared.CardRecycled: OPEN,
    ev.CubesProduced: OPEN,
    ev.TokensProduced: OPEN,
    ev.SupremacyAwarded: OPEN,
    ev.CharacterChosen: OPEN,
    shared.CubesPlaced: OPEN,
    shared.CubesStored: OPEN,
    shared.KrystalliumPlaced: OPEN,
    ev.CharactersPlaced: OPEN,
    shared.ConstructionDiscarded: OPEN,
    shared.CardConstructed: OPEN,
    shared.StepValidated: OPEN,
    ev.PilesDealt: Secret(
        seats=lambda event: (),
        hide=lambda event, viewer: replace(event, piles=[face_down(pile) for pile in event.piles]),
    ),
    ev.ScenarioLaidOut: OPEN,
    ev.PileTaken: OPEN,
    ev.CardsSwapped: OPEN,
    ev.CardKept: OPEN,
    ev.PointsCounted: OPEN,
    ev.HiddenDealt: Secret(
        seats=lambda event: range(len(event.hands)),
        hide=lambda event, viewer: replace(
            event,
            hands=_hands(event.hands, viewer),
            picks=[
                pick if pick is None or seat == viewer else FACE_DOWN for seat, pick in enumerate(event.picks)
            ],
            deck=face_down(event.deck),
            ascension=face_down(event.ascension),
            piles=[face_down(pile) for pile in event.piles],
        ),
    ),
}


# View


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """The table as this seat (or the spectator) sees it."""
    seated = 0 <= viewer < len(state.hands)
    shown: dict[str, Any] = {
        "phase": state.phase,
        "you": viewer if 0 <= viewer < state.seats else None,
        "side": state.side,
        "round": state.round,
        "step": STEPS[state.step] if state.phase == PRODUCTION else None,
        "passing": None if not state.round else ("left" if state.round % 2 else "right"),
        "produced": list(state.counts) if state.phase == PRODUCTION else None,
        "boards": [_board(state, seat, board) for seat, board in enumerate(state.boards)],
        "hands": [
            {"cards": len(hand), "ascension": backs}
            for hand, backs in zip(state.hands, state.backs, strict=True)
        ],
        "hand": list(state.hands[viewer]) if seated else None,
        "picked": [pick is not None for pick in state.picks],
        "pick": state.picks[viewer] if seated and state.phase == DRAFT else None,
        "discard_pile": list(state.discard),
        "deck": len(state.deck),
        "ascension_deck": len(state.ascension),
        "scores": state.scores or None,
    }
    if state.seats == 1:
        shown["alone"] = _alone(state)
    return shown


def _board(state: State, seat: int, board: Board) -> dict[str, Any]:
    return {
        "seat": seat,
        "empire": board.empire,
        "krystallium": board.pool[KRYSTALLIUM],
        "financiers": board.pool[FINANCIER],
        "generals": board.pool[GENERAL],
        "loose_cubes": board.loose,
        "to_place": named(board.pool[:KRYSTALLIUM]),
        "to_choose": state.choices[seat],
        "draft_area": list(board.area),
        "under_construction": [
            {
                "card": name,
                "kind": construction.kind,
                "placed": named(construction.placed),
                "missing": named(construction.empty),
            }
            for name, construction in board.constructions.items()
        ],
        "constructed": list(board.constructed),
        "production": {NAMES[colour]: yields(board, colour) for colour in COLOURS},
        "points": score(board, state.side),
        "validated": board.validated,
    }


def _alone(state: State) -> dict[str, Any]:
    scenario = str(state.options[SCENARIO])
    played = scenario != FREE_PLAY
    return {
        "scenario": scenario,
        "scenario_cards_constructed": solo.cards_constructed(state) if played and state.boards else None,
        "medal": solo.medal(state, sum(state.scores[0].values())) if state.scores else None,
        "piles": [len(pile) for pile in state.piles],
        "offered": list(state.offered),
    }
