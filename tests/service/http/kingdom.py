"""It's a Wonderful Kingdom over HTTP for tests: how a client without rule code moves through a match."""

import random
from typing import Any

from tests.service.http import world

GAME = "its-a-wonderful-kingdom"
MODES = ("menaces", "advisors", "quests")
# Moves that only give something up, or may be made for ever, unlike the rest.
_IDLE = ("validate", "scrap_development", "decline_effect")

Json = dict[str, Any]


def choose(moves: list[Json], dice: random.Random, played: world.Played) -> Json:
    """A kind of move, then any move of it with a count at either end of its range or in between: rare kinds
    are as likely as the hundred ways to offer two cards. Idle kinds are rare while there are others."""
    kinds = sorted({move["body"]["command"]["type"] for move in moves})
    steps = [kind for kind in kinds if kind not in _IDLE]
    kind = dice.choice(steps if steps and dice.random() < 0.9 else kinds)
    of_it = [move for move in moves if move["body"]["command"]["type"] == kind]
    return world.choose(of_it, dice, played)
