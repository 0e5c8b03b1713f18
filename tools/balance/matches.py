"""A match of `easy` against `easy`, and what it says about the cards."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from domain.kernel import engine
from domain.kernel.chance import Dice
from domain.kernel.game import Event
from domain.wonderful_kingdom import GAME, Kingdom
from domain.wonderful_kingdom import events as facts
from domain.wonderful_kingdom.state import MENACE_SET
from tools.bench.playing import begin, dealt, secrets, turns

MODES: Final = ("menaces", "advisors", "quests")

# What is counted, by event: the kind of thing, and the field that names it.
_COUNTED: Final[Mapping[type, tuple[str, str]]] = {
    facts.DevelopmentBegun: ("begun", "kind"),
    facts.DevelopmentCompleted: ("completed", "kind"),
    facts.AdvisorActivated: ("activated", "advisor"),
    facts.QuestCompleted: ("paid", "quest"),
    facts.MenacePlaced: ("arrived", "card"),
    facts.MenaceDefeated: ("defeated", "card"),
}


@dataclass(slots=True)
class Played:
    """A match that is over. `winners`: seats, none when both failed the major quest; `points` and
    `categories` by seat; `start`: the seat that began; `counts`: what was completed, activated, paid, by kind
    and id; `sets`: the menace set of each seat."""

    options: dict[str, Any]
    winners: list[int]
    points: list[int]
    categories: list[dict[str, int]]
    failed: list[int]
    start: int
    duchies: list[str]
    developments: list[int]
    sets: list[str]
    counts: dict[str, Counter[str]] = field(default_factory=dict)


def play(mode: str, seed: int, game: Kingdom = GAME) -> Played:
    """Match number `seed` of this mode: the deal, the side and the quest board follow from the number, and
    so do the menace sets, as `easy` would only ever choose its favourites."""
    options = dealt(game, {"mode": mode}, seed)
    chance = secrets(seed, 2)
    told: list[Event] = []
    state = begin(2, chance, game, options, told)
    for seat in turns(state, game):
        dice = Dice(chance.bot_seed(state.version, seat, "balance"))
        bot = game.BOTS["random" if state.phase == MENACE_SET else "easy"]
        command = bot(game.view(state, seat), game.legal_moves(state, seat), dice)
        told += engine.handle(game, state, seat, command, chance)
    outcome = game.outcome(state)
    assert outcome is not None, "the decisions have run out, so the match is over"
    table = next(event for event in told if isinstance(event, facts.DuchiesDealt))
    counts: dict[str, Counter[str]] = {kind: Counter() for kind, _ in _COUNTED.values()}
    for event in told:
        if type(event) in _COUNTED:
            kind, name = _COUNTED[type(event)]
            counts[kind][getattr(event, name)] += 1
    return Played(
        options,
        outcome.ranking[0] if outcome.winners is None else list(outcome.winners),
        [sum(score.values()) for score in outcome.scores],
        outcome.scores,
        list(state.failed),
        table.start,
        list(table.duchies),
        [len(board.constructed) for board in state.boards],
        [board.menace_set for board in state.boards],
        counts,
    )
