"""The end: four-part score, tie-breaks, shared victory (rules 9)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.game import Outcome
from domain.kernel.seats import ranked
from domain.wonderful.board import Board
from domain.wonderful.cubes import CHARACTERS, FINANCIER, GENERAL
from domain.wonderful.scoring import points
from domain.wonderful_world.decks import CARDS
from domain.wonderful_world.empires import EMPIRES
from domain.wonderful_world.events import PointsCounted
from domain.wonderful_world.state import OVER, State

CATEGORIES: Final = ("gross", "combo", "generals", "financiers")


def score(board: Board, side: str) -> dict[str, int]:
    """The points of a board as it stands, by category. What lies on cards under construction, krystallium and
    loose cubes count nothing (rules 9.2)."""
    cards = [CARDS[card] for card in board.constructed]
    effects = [effect for card in cards for effect in card.per]
    effects += EMPIRES[board.empire][side].per
    elements = [*board.types, board.pool[FINANCIER], board.pool[GENERAL]]
    return points(sum(card.points for card in cards), effects, elements)


def count_points(state: State) -> PointsCounted:
    """The game is over: the points of every seat."""
    return PointsCounted([score(board, state.side) for board in state.boards])


def outcome(state: State) -> Outcome | None:
    """None while the game runs; then ranked by points, cards constructed, characters held (rules 9.3)."""
    if state.phase != OVER:
        return None
    keys = [
        (
            sum(scores.values()),
            len(board.constructed),
            sum(board.pool[character] for character in CHARACTERS),
        )
        for scores, board in zip(state.scores, state.boards, strict=True)
    ]
    return Outcome(ranked(range(state.seats), keys), [dict(scores) for scores in state.scores])


def _counted(state: State, event: PointsCounted) -> None:
    state.phase, state.scores = OVER, list(event.scores)


HANDLERS: Final[dict[type, Callable[..., None]]] = {PointsCounted: _counted}
