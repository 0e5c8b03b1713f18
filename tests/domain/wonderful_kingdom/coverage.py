"""Which ops, triggers, windows and limits of the vocabulary a match exercises, seen from what happens in it.

An op that happens is seen by its facts. One that only holds is seen by what would be otherwise: without the
menaces that have it, the same table would count, lay, win, place or pay differently.
"""

import copy
from collections.abc import Iterable, Iterator
from typing import Any, Final

from domain.kernel.errors import IllegalMove
from domain.kernel.game import Game
from domain.wonderful.commands import PlaceKrystallium
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.anytime import why_not_activate
from domain.wonderful_kingdom.bags import NAMES
from domain.wonderful_kingdom.building import free_moves
from domain.wonderful_kingdom.cards import OPS, STATIC, TRIGGERS, WINDOWS, CardSet
from domain.wonderful_kingdom.commands import CompleteQuest
from domain.wonderful_kingdom.counting import all_icons, supremacy, trap_limit
from tests.domain.wonderful_kingdom.matches import Turn
from tests.given_when_then import NoChance

LIMITS: Final = frozenset({"advisor once a round", "quest once a player", "completion bonus once a copy"})
VOCABULARY: Final = frozenset(OPS) | frozenset(TRIGGERS) | frozenset(WINDOWS) | LIMITS
_WINDOW_OF: Final = {
    "offer": "choice_offer",
    "select": "choice_select",
    "leftovers": "choice_end",
    "planning": "planning",
    "before_count": "production_step_before_count",
    "production": "production_step",
}


def exercised(game: Game, cards: CardSet, turns: Iterable[Turn]) -> set[str]:
    """The words of the vocabulary that this match exercises."""
    seen: set[str] = set()
    before: Any = None
    for turn in turns:
        if before is not None:
            seen |= set(_happened(cards, before, turn))
            seen |= set(_limits(game, cards, turn))
        if turn.state.boards:
            seen |= set(_held(cards, turn.state))
        before = copy.deepcopy(turn.state)
    return seen


def _happened(cards: CardSet, before: Any, turn: Turn) -> Iterator[str]:
    granted = [
        event
        for event in turn.events
        if isinstance(event, ev.EffectGranted) and event.effect == "boost_production"
    ]
    for event in turn.events:
        match event:
            case ev.AdvisorActivated(_, advisor):
                yield _WINDOW_OF[before.phase]
                yield from (effect.op for effect in cards.advisors[advisor].effects if effect.op in _AT_ONCE)
            case ev.QuestCompleted(_, quest):
                for board in cards.boards.values():
                    for each in board.quests:
                        if each.id == quest:
                            yield from (effect.op for effect in each.rewards if effect.op in _AT_ONCE)
            case ev.TokensGained(_, _, _, 1):
                yield "fill_training"
            case ev.CubeChosen():
                yield "gain_cubes_choice"
            case ev.CubesTransmuted():
                yield "transmute"
            case ev.CardPeeked():
                yield "peek_trap"
            case ev.AreaSelected(_, _, extra) if extra:
                yield "take_extra"
            case ev.CardSalvaged():
                yield "salvage_leftover"
            case ev.DrawnKept():
                yield "draw_keep"
            case ev.CardRecycled(_, _, _, to_duchy, doubled):
                if doubled:
                    yield "double_recycle"
                if to_duchy:
                    yield "recycle_to_duchy_only"
            case ev.RatsSpawned(_, _, spawned) if spawned:
                yield from ("spawn_rat", "production_start")
            case ev.TokenStolen(_, _, _, card) if card is not None:
                yield from ("steal", "production_start")
            case ev.CollectedDiscarded():
                yield from ("discard_collected", "planning_reveal")
            case ev.CardsOffered(seat):
                board = turn.state.boards[seat]
                if board.extra_traps and board.traps > 2:
                    yield "extra_trap"
            case ev.CubesProduced(resource, counts):
                step = NAMES.index(resource)
                for seat, board in enumerate(before.boards):
                    boosted = [grant.count for grant in granted if grant.seat == seat]
                    if boosted and counts[seat] == all_icons(cards, board)[step] + sum(boosted):
                        yield "boost_production"
                yield from _counted(cards, before, step, counts)


_AT_ONCE: Final = {"gain_cubes", "gain_krystallium", "gain_soldiers"}


def _counted(cards: CardSet, before: Any, step: int, counts: list[int]) -> Iterator[str]:
    """What the count of a step shows: a tie won."""
    plain = copy.deepcopy(before)
    for board in plain.boards:
        board.wins_ties = False
    if supremacy(cards, before, step, counts) != supremacy(cards, plain, step, counts):
        yield "win_supremacy_ties"


def _held(cards: CardSet, state: Any) -> Iterator[str]:
    """The static effects that make a difference now."""
    for seat, board in enumerate(state.boards):
        ops = {
            effect.op
            for menace in board.menaces
            for effect in cards.menaces[menace].effects
            if effect.trigger == STATIC
        }
        if not ops:
            continue
        without = copy.deepcopy(state)
        without.boards[seat].menaces = []
        freed = without.boards[seat]
        if "production_modifier" in ops and all_icons(cards, board) != all_icons(cards, freed):
            yield from ("production_modifier", STATIC)
        if "trap_limit" in ops and trap_limit(cards, board) != trap_limit(cards, freed):
            yield from ("trap_limit", STATIC)
        if "supremacy_block" in ops and state.phase == "production":
            step, counts = state.step, state.counts
            if supremacy(cards, state, step, counts) != supremacy(cards, without, step, counts):
                yield from ("supremacy_block", STATIC)
        if "krystallium_no_substitute" in ops:
            substitutes = [
                move
                for move in free_moves(cards, freed)
                if isinstance(move, PlaceKrystallium) and move.space != "krystallium"
            ]
            if any(move not in free_moves(cards, board) for move in substitutes):
                yield from ("krystallium_no_substitute", STATIC)


def _limits(game: Game, cards: CardSet, turn: Turn) -> Iterator[str]:
    """Limits that refuse what could be paid again; a bonus received for each of several copies."""
    for event in turn.events:
        if isinstance(event, ev.AdvisorActivated):
            reason = why_not_activate(cards, turn.state, event.seat, event.advisor, event.substitutes)
            if reason is not None and reason.code == "already-used":
                yield "advisor once a round"
        if isinstance(event, ev.QuestCompleted):
            try:
                game.decide(turn.state, event.seat, CompleteQuest(event.quest, event.substitutes), NoChance())
            except IllegalMove as refusal:
                if refusal.reason.code == "already-completed":
                    yield "quest once a player"
        if isinstance(event, ev.DevelopmentCompleted) and event.bonus:
            kinds = list(turn.state.boards[event.seat].constructed.values())
            if kinds.count(event.kind) > 1:
                yield "completion bonus once a copy"
