"""Points while a match runs: what every seat would have if it ended now, from what all can see."""

from domain import seven_wonders
from domain.kernel.game import Game
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import Match
from domain.seven_wonders.ending import score
from domain.seven_wonders.state import State


def standings(game: Game, match: Match) -> list[int]:
    """The points of each seat; nothing where the game does not say. The final ones once the match is over."""
    if match.ended is not None and match.ended.scores:
        return [each.total for each in match.ended.scores]
    if match.play is None:
        return []
    if game.NAME == seven_wonders.NAME:
        return _of_seven_wonders(match.play)
    boards = game.view(match.play, SPECTATOR).get("boards", [])
    return [sum(board["points"].values()) for board in boards if isinstance(board.get("points"), dict)]


def _of_seven_wonders(play: State) -> list[int]:
    """Science at its best, no guild copied: that is counted at the end."""
    if not play.cities or not all(city.side for city in play.cities):
        return []
    return [sum(score(play, seat, None).values()) for seat in range(play.seats)]
