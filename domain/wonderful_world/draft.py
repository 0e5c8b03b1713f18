"""The draft: pick in secret, reveal together, pass the hands (rules 4)."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.redaction import take
from domain.kernel.seats import Seat, left_of, right_of
from domain.wonderful.board import lay
from domain.wonderful_world.building import CACHED, free_moves, refused_if
from domain.wonderful_world.commands import DraftCard, WithdrawPick
from domain.wonderful_world.decks import ASCENSION
from domain.wonderful_world.events import (
    CardDrafted,
    HandsPassed,
    LeftoversDiscarded,
    PicksRevealed,
    PickWithdrawn,
    PlanningBegan,
)
from domain.wonderful_world.state import DRAFT, PICKS, PLANNING, REVEALED, State

draft_card = lru_cache(CACHED)(DraftCard)
WITHDRAW: Final = WithdrawPick()


# How often a pick may be taken back: a log must not grow without end.
MOST_WITHDRAWALS: Final = 50


def why_not_withdraw(state: State, seat: Seat) -> Reason | None:
    """Why the pick cannot be taken back now, or None."""
    if state.picks[seat] is None:
        return Reason("nothing-picked", "there is no pick to withdraw", "WW 4.6")
    if state.withdrawals[seat] >= MOST_WITHDRAWALS:
        return Reason("too-many-changes", "this pick was taken back too often: it stands", "WW 4.6")
    return None


def why_not_pick(state: State, seat: Seat, card: str) -> Reason | None:
    """Why this card cannot be picked now, or None."""
    if state.picks[seat] is not None:
        return Reason("already-picked", "you have picked; withdraw first to pick another card", "WW 4.6")
    if card not in state.hands[seat]:
        return Reason("not-in-hand", "this card is not in your hand", "WW 4.2")
    return None


def legal_moves(state: State, seat: Seat) -> list[Command]:
    """Pick or take the pick back; and the free actions."""
    moves: list[Command]
    if state.picks[seat] is None:
        moves = [draft_card(card) for card in dict.fromkeys(state.hands[seat])]
    else:
        moves = [WITHDRAW] if why_not_withdraw(state, seat) is None else []
    return moves + free_moves(state.boards[seat])


def decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """Pick or withdraw. Raises IllegalMove."""
    if isinstance(command, DraftCard):
        refused_if(why_not_pick(state, seat, command.card))
        return [CardDrafted(seat, command.card)]
    if isinstance(command, WithdrawPick):
        refused_if(why_not_withdraw(state, seat))
        return [PickWithdrawn(seat)]
    raise refuse("not-now", "this cannot be done in the draft", "WW 4")


def default_move(state: State, seat: Seat) -> Command:
    """The first card of the hand."""
    return DraftCard(state.hands[seat][0])


def advance(state: State, chance: Chance) -> list[Event]:
    """Reveal when everybody has picked; a last single card is taken by itself (rules 4.2, 4.5)."""
    if len(state.hands[0]) == 1 and len(state.boards[0].area) == PICKS - 1:
        return [PicksRevealed([hand[0] for hand in state.hands])]
    picks = [pick for pick in state.picks if pick is not None]
    return [PicksRevealed(picks)] if len(picks) == len(state.picks) else []


def advance_revealed(state: State, chance: Chance) -> list[Event]:
    """Pass the hands on; after seven picks discard what is left and begin to plan (rules 4.2-4.4)."""
    if len(state.boards[0].area) < PICKS:
        return [pass_hands(state.round, state.hands, state.backs)]
    left: list[Event] = [LeftoversDiscarded([list(hand) for hand in state.hands])] if state.hands[0] else []
    return [*left, PlanningBegan(state.round)]


def pass_hands(number: int, hands: list[list[str]], backs: list[int]) -> HandsPassed:
    """Hands go to the left in rounds 1 and 3, to the right in rounds 2 and 4 (rules 4.4)."""
    to_left = number % 2 == 1
    giver = right_of if to_left else left_of
    givers = [giver(seat, len(hands)) for seat in range(len(hands))]
    return HandsPassed(
        "left" if to_left else "right",
        [sorted(hands[seat]) for seat in givers],
        [backs[seat] for seat in givers],
    )


def _drafted(state: State, event: CardDrafted) -> None:
    state.picks[event.seat] = event.card


def _withdrawn(state: State, event: PickWithdrawn) -> None:
    state.picks[event.seat] = None
    state.withdrawals[event.seat] += 1


def _revealed(state: State, event: PicksRevealed) -> None:
    for seat, card in enumerate(event.cards):
        take(state.hands[seat], card)
        state.backs[seat] -= card in ASCENSION
        lay(state.boards[seat].area, card)
    state.picks = [None] * len(event.cards)
    state.withdrawals = [0] * len(event.cards)
    state.phase = REVEALED


def _passed(state: State, event: HandsPassed) -> None:
    state.phase = DRAFT
    state.hands = [list(hand) for hand in event.hands]
    state.backs = list(event.ascension)
    state.opened = state.version


def _leftovers(state: State, event: LeftoversDiscarded) -> None:
    for hand in event.hands:
        for card in hand:
            lay(state.discard, card)
    state.hands = [[] for _ in event.hands]
    state.backs = [0] * len(event.hands)


def _planning(state: State, event: PlanningBegan) -> None:
    state.phase, state.opened = PLANNING, state.version
    for board in state.boards:
        board.validated = False


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    CardDrafted: _drafted,
    PickWithdrawn: _withdrawn,
    PicksRevealed: _revealed,
    HandsPassed: _passed,
    LeftoversDiscarded: _leftovers,
    PlanningBegan: _planning,
}
