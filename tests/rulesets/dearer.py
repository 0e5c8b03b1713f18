"""A second ruleset of 7 Wonders: a discarded card brings 4 coins, not 3. Everything else is as it was."""

from dataclasses import replace
from typing import Any, Final

from domain import seven_wonders
from domain.kernel.chance import Chance
from domain.kernel.game import Command, Event, Game
from domain.kernel.seats import Seat
from domain.kernel.variant import variant
from domain.seven_wonders.events import CardDiscarded

RULESET: Final = "seven-wonders/1.1.0"
COINS: Final = 4


def _dearer(events: list[Event]) -> list[Event]:
    return [
        replace(event, coins=COINS) if isinstance(event, CardDiscarded) and event.coins else event
        for event in events
    ]


def _decide(state: Any, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    return _dearer(seven_wonders.decide(state, seat, command, chance))


def _advance(state: Any, chance: Chance) -> list[Event]:
    return _dearer(seven_wonders.advance(state, chance))


GAME: Final[Game] = variant(seven_wonders, RULESET, decide=_decide, advance=_advance)
