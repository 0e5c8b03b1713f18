"""Bots every game has: `random` plays any legal move, each equally likely."""

from collections.abc import Sequence

from domain.kernel.game import Command, Generator, View


def random_policy(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    """Any legal move, each equally likely; taking a choice back is no move of its own accord."""
    return moves[dice.below(len(moves))]
