"""The only file that knows all games."""

from collections.abc import Mapping
from typing import Final

from domain import seven_wonders, wonderful_kingdom, wonderful_world
from domain.kernel.game import Game

# Name in URLs -> the game. A match keeps the ruleset it was created with (`Game.RULESET`).
GAMES: Final[Mapping[str, Game]] = {
    seven_wonders.NAME: seven_wonders,
    wonderful_world.NAME: wonderful_world,
    wonderful_kingdom.NAME: wonderful_kingdom.GAME,
}
