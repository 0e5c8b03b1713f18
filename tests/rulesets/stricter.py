"""Drafts of rulesets that refuse, draw or order otherwise, for reports of what a change would change."""

from typing import Any, Final

from domain import seven_wonders
from domain.kernel.chance import Chance
from domain.kernel.errors import refuse
from domain.kernel.game import Command, Event, Game
from domain.kernel.seats import Seat
from domain.kernel.variant import variant
from domain.seven_wonders.commands import BuildStage, DiscardForCoins


def _no_stages(state: Any, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    if isinstance(command, BuildStage) and state.age == 1:
        raise refuse("too-early", "no stage is built in the first Age")
    return seven_wonders.decide(state, seat, command, chance)


def _no_discards(state: Any, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    if isinstance(command, DiscardForCoins):
        raise refuse("no-discards", "no card is discarded")
    return _no_stages(state, seat, command, chance)


NO_STAGES: Final[Game] = variant(seven_wonders, "seven-wonders/1.2.0", decide=_no_stages)
NEITHER: Final[Game] = variant(seven_wonders, "seven-wonders/1.2.1", decide=_no_discards)
