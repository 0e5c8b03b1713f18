"""The end: points, the major quest, ties, shared victory (rules 9, 8.6)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.game import Outcome
from domain.kernel.seats import ranked
from domain.wonderful_kingdom.anytime import quests
from domain.wonderful_kingdom.bags import SOLDIERS
from domain.wonderful_kingdom.cards import CardSet
from domain.wonderful_kingdom.events import PointsCounted
from domain.wonderful_kingdom.state import OVER, Board, State

CATEGORIES: Final = ("flat", "per_type", "negative")


def score(cards: CardSet, board: Board) -> dict[str, int]:
    """The points of a board as it stands, by category (rules 9.2). A development under a stolen token gives
    no points of its own; it still counts as one of its type."""
    flat = per_type = 0
    silenced = board.stolen.values()
    for name, kind in board.constructed.items():
        if name in silenced:
            continue
        row = cards.developments[kind]
        flat += row.points
        if row.per is not None:
            per_type += row.per.points * board.types[row.per.type]
    negative = sum(cards.calamities[card].points for card in board.calamities)
    negative += sum(cards.menaces[card].points for card in board.menaces)
    return {"flat": flat, "per_type": per_type, "negative": negative}


def major_quest_done(cards: CardSet, state: State, board: Board) -> bool:
    """Whether this player completed the major quest; true where there is none."""
    return all(quest.id in board.quests for quest in quests(cards, state) if quest.major)


def count_points(cards: CardSet, state: State) -> PointsCounted:
    """The game is over: the points of every seat, and who loses for want of the major quest (rules 8.6)."""
    return PointsCounted(
        [score(cards, board) for board in state.boards],
        [seat for seat, board in enumerate(state.boards) if not major_quest_done(cards, state, board)],
    )


def ranking(state: State) -> list[list[int]]:
    """Seats from first to last: with the major quest before those without; points, developments
    constructed, soldiers in the pool; else shared (rules 9.3, 9.4)."""
    keys = [
        (
            int(seat not in state.failed),
            0 if seat in state.failed else sum(state.scores[seat].values()),
            0 if seat in state.failed else len(board.constructed),
            0 if seat in state.failed else board.pool[SOLDIERS],
        )
        for seat, board in enumerate(state.boards)
    ]
    return ranked(range(state.seats), keys)


def winners(state: State) -> list[int]:
    """Who won: nobody when both failed the major quest (A26)."""
    return [seat for seat in ranking(state)[0] if seat not in state.failed]


def outcome(state: State) -> Outcome | None:
    """None while the game runs. Seats that failed the major quest come last and lose, also when all did."""
    if state.phase != OVER:
        return None
    scores = [dict(scores) for scores in state.scores]
    return Outcome(ranking(state), scores, None if winners(state) else [])


def _counted(cards: CardSet, state: State, event: PointsCounted) -> None:
    state.phase, state.scores, state.failed = OVER, list(event.scores), list(event.failed)


HANDLERS: Final[dict[type, Callable[..., None]]] = {PointsCounted: _counted}
