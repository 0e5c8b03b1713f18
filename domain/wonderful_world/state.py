"""The table of It's a Wonderful World: boards, hands, decks, and what was picked in secret."""

from dataclasses import dataclass, field
from typing import Any, Final

from domain.wonderful.board import Board
from domain.wonderful.cubes import NAMES

# Phases of play, each the key of a chapter of the rules.
SETUP: Final = "setup"
DRAFT: Final = "draft"
REVEALED: Final = "revealed"  # the picks lie open; hands are passed or planning begins
PLANNING: Final = "planning"
PRODUCTION: Final = "production"
OVER: Final = "over"

ROUNDS: Final = 4
PICKS: Final = 7
TOKENS: Final = 5  # the sixth production step: krystallium and characters (rules 12.5)
STEPS: Final = (*NAMES[:TOKENS], "tokens")


@dataclass(slots=True)
class State:
    """The state of play. `version` counts the events of the match, `opened` is the version at which the open
    decision opened. `backs` counts the Ascension cards of each hand, whose backs everybody sees; `choices`
    the characters a seat has still to choose; `offered` and `piles` belong to the game alone."""

    version: int = 0
    opened: int = 0
    phase: str = SETUP
    seats: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    side: str = ""
    round: int = 0
    step: int = -1  # index into STEPS while producing
    boards: list[Board] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)
    backs: list[int] = field(default_factory=list)
    picks: list[str | None] = field(default_factory=list)
    withdrawals: list[int] = field(default_factory=list)  # how often each seat took this pick back
    deck: list[str] = field(default_factory=list)
    ascension: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)  # sorted, as everybody may look through it
    counts: list[int] = field(default_factory=list)  # what each seat produced in this step
    choices: list[int] = field(default_factory=list)
    piles: list[list[str]] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    scores: list[dict[str, int]] = field(default_factory=list)
