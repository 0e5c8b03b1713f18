"""What a player counts: icons of a step, the trap limit, who wins supremacy (rules 3.6, 5.2, 5.3)."""

from collections.abc import Iterator, Sequence

from domain.kernel.seats import Seat
from domain.wonderful_kingdom.bags import COLOURS
from domain.wonderful_kingdom.cards import STATIC, CardSet, Effect
from domain.wonderful_kingdom.rulings import TRAPS
from domain.wonderful_kingdom.state import NOBODY, Board, State, other


def statics(cards: CardSet, board: Board, op: str) -> Iterator[Effect]:
    """The effects of an op that menaces have on this player all the time."""
    for menace in board.menaces:
        for effect in cards.menaces[menace].effects:
            if effect.trigger == STATIC and effect.op == op:
                yield effect


def suffers(cards: CardSet, board: Board, op: str) -> bool:
    """Whether a menace has this effect on this player."""
    return next(statics(cards, board, op), None) is not None


def all_icons(cards: CardSet, board: Board) -> list[int]:
    """The icons of every step: duchy, constructed developments without a stolen token, a boost; menaces take
    from the sum, never below zero (rules 5.2)."""
    counts = [board.icons[colour] + board.boost for colour in COLOURS]
    silenced = board.stolen.values()
    for name, kind in board.constructed.items():
        if name in silenced:
            continue
        row = cards.developments[kind]
        for colour in COLOURS:
            counts[colour] += row.production[colour]
        for rate in row.rates:
            counts[rate.resource] += rate.amount * board.types[rate.type]
    for effect in statics(cards, board, "production_modifier"):
        counts[effect.resources[0]] += effect.count
    return [max(0, count) for count in counts]


def icons(cards: CardSet, board: Board, colour: int) -> int:
    """The icons of one step."""
    return all_icons(cards, board)[colour]


def trap_limit(cards: CardSet, board: Board) -> int:
    """How many cards this player may lay face down this round (rules 3.6)."""
    deltas = sum(effect.count for effect in statics(cards, board, "trap_limit"))
    return max(0, TRAPS + deltas + board.extra_traps)


def traps_left(cards: CardSet, board: Board) -> int:
    """Trap tokens this player may still use this round."""
    return max(0, trap_limit(cards, board) - board.traps)


def supremacy(cards: CardSet, state: State, colour: int, counts: Sequence[int]) -> Seat:
    """Who wins supremacy in a step, or nobody: the strictly higher count, or a tie of at least one won by
    effect; a player whom a menace blocks does not win, and loses no tie (rules 5.3)."""
    blocked = [
        any(colour in effect.resources for effect in statics(cards, board, "supremacy_block"))
        for board in state.boards
    ]
    if counts[0] == counts[1]:
        winners = [seat for seat, board in enumerate(state.boards) if board.wins_ties and counts[0]]
        winner = winners[0] if len(winners) == 1 and not any(blocked) else NOBODY
    else:
        winner = 0 if counts[0] > counts[1] else other(0)
    return NOBODY if winner != NOBODY and blocked[winner] else winner
