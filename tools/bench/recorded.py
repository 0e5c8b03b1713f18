"""A whole match as the service records it: table, bots, sealed and chained events."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from domain import seven_wonders
from domain.catalogue import GAMES
from domain.kernel import match as rules
from domain.kernel import table
from domain.kernel.chance import Chance, Dice, subkey
from domain.kernel.game import Game
from domain.kernel.match import By
from domain.kernel.table import CreateMatch, Match, SeatPlan, Start
from events.chain import seal_events
from events.envelope import ZERO_HASH, Recorded
from service import wire
from service.clock import timestamp

_BEGAN_MS: Final = 1_767_600_000_000
_BETWEEN_MS: Final = 2_000


@dataclass(slots=True)
class Story:
    """A recorded match. `commands` groups the events by the command that brought them."""

    id: str
    game: Game
    chance: Chance
    commands: list[list[Recorded]]

    @property
    def events(self) -> list[Recorded]:
        """All events in order."""
        return [event for group in self.commands for event in group]

    @property
    def secrets(self) -> dict[str, str]:
        """The secrets as the store keeps them."""
        return {"match_key": self.chance.match_key.hex(), "commit_nonce": self.chance.commit_nonce.hex()}


def story(seats: int, seed: int = 1, game: Game = seven_wonders) -> Story:
    """A match of `easy` bots, from its creation to its end; the same one each time."""
    return _story(seats, seed, game.NAME)


@cache
def _story(seats: int, seed: int, name: str) -> Story:
    game = GAMES[name]
    id = f"mat_{game.NAME.replace('-', '')}{seats}x{seed}"
    told = Story(id, game, Chance(id, bytes([seed]) * 32, bytes(32)), [])
    state = rules.initial()
    plan = [SeatPlan("bot", "easy")] * seats
    _tell(told, state, By(None, "host"), CreateMatch(options(game), plan))
    _tell(told, state, By(None, "host"), Start())
    while waiting := rules.awaited(game, state):
        seat = waiting[0]
        choices = rules.legal_moves(game, state, seat)
        dice = Dice(told.chance.bot_seed(state.version, seat, "bench"))
        view = game.view(state.play, seat)
        move = game.BOTS["easy"](view, [command for _, command in choices], dice)
        _tell(told, state, By(seat, "bot", choices[0][0].id), move)
    return told


def options(game: Game) -> dict[str, Any]:
    """The options of table and game, all at their defaults."""
    return {option.name: option.default for option in (*table.OPTIONS, *game.OPTIONS)}


def _tell(told: Story, state: Match, by: By, command: Any) -> None:
    last = told.commands[-1][-1] if told.commands else None
    version, hash = (0, ZERO_HASH) if last is None else (last.version, last.hash)
    facts = rules.handle(told.game, state, by, command, told.chance)
    drafts = wire.of(told.game).drafts(facts, by.decision, {})
    moment = timestamp(_BEGAN_MS + _BETWEEN_MS * len(told.commands))
    seal_key = subkey(told.chance.match_key, "seal")
    told.commands.append(seal_events(drafts, told.id, version, hash, moment, seal_key))
