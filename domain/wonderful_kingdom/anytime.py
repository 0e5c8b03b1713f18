"""Free actions and advisors: what a player may do beside the phase's own moves (rules 7.6, 8.3, 8.4, A29)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.wonderful_kingdom import building, effects
from domain.wonderful_kingdom.bags import INDEX, KRYSTALLIUM
from domain.wonderful_kingdom.cards import (
    BEFORE_COUNT,
    CHOICE_END,
    CHOICE_OFFER,
    CHOICE_SELECT,
    PLANNING,
    STEP,
    CardSet,
    Quest,
)
from domain.wonderful_kingdom.commands import ActivateAdvisor, CompleteQuest, ExchangeCubes
from domain.wonderful_kingdom.effects import happen, returns, unresolved, why_not_return
from domain.wonderful_kingdom.events import AdvisorActivated, CubesExchanged, QuestCompleted
from domain.wonderful_kingdom.options import BOARD, MODE, QUESTS
from domain.wonderful_kingdom.paying import paid, payments, refused_if, take_payment, why_not_pay
from domain.wonderful_kingdom.rulings import FOR_KRYSTALLIUM
from domain.wonderful_kingdom.state import BEFORE_COUNT as COUNTING
from domain.wonderful_kingdom.state import LEFTOVERS, OFFER, PRODUCTION, SELECT, State, turn_of
from domain.wonderful_kingdom.state import PLANNING as PLANNING_PHASE

# The phases in which one seat acts, with the window it opens for that seat.
_TURNS: Final = {OFFER: CHOICE_OFFER, SELECT: CHOICE_SELECT}
_ASKED: Final = {LEFTOVERS: CHOICE_END, COUNTING: BEFORE_COUNT}
_TOGETHER: Final = {PLANNING_PHASE: PLANNING, PRODUCTION: STEP}


def window(state: State, seat: Seat) -> str | None:
    """The window for advisors that is open for this seat now, or None (effects 3)."""
    if state.phase in _TURNS:
        return _TURNS[state.phase] if seat == turn_of(state) else None
    if state.phase in _ASKED:
        return _ASKED[state.phase] if seat == state.actor else None
    if state.phase in _TOGETHER and not state.boards[seat].done:
        return _TOGETHER[state.phase]
    return None


def why_not_activate(
    cards: CardSet, state: State, seat: Seat, advisor: str, substitutes: list[str]
) -> Reason | None:
    """Why this advisor cannot be activated so, or None (rules 7.6)."""
    board = state.boards[seat]
    if advisor not in board.advisors:
        return Reason("not-your-advisor", "this advisor is not in your advisor area", "WK 7.6")
    if advisor in board.used:
        return Reason("already-used", "this advisor was activated this round", "WK 7.6")
    if window(state, seat) not in cards.advisors[advisor].windows:
        return Reason("wrong-time", "this advisor cannot be activated now", "WK effects 3")
    if unresolved(board) is not None:
        return Reason("unresolved", "resolve the effect that waits for you first", "WK effects 2")
    return why_not_pay(cards, board, cards.advisors[advisor].cost, substitutes, "WK 7.6")


def activations(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """Every advisor this seat may activate now, with every way to pay it."""
    board = state.boards[seat]
    if not board.advisors or unresolved(board) is not None:
        return []
    now = window(state, seat)
    return [
        ActivateAdvisor(advisor, way)
        for advisor in board.advisors
        if advisor not in board.used and now in cards.advisors[advisor].windows
        for way in payments(cards, board, cards.advisors[advisor].cost)
    ]


def usable(cards: CardSet, state: State, seat: Seat, at: str) -> bool:
    """Whether this seat could activate an advisor in a window."""
    board = state.boards[seat]
    return any(
        advisor not in board.used
        and at in cards.advisors[advisor].windows
        and payments(cards, board, cards.advisors[advisor].cost)
        for advisor in board.advisors
    )


def quests(cards: CardSet, state: State) -> tuple[Quest, ...]:
    """The quests of this match; none in the other modes."""
    if state.options[MODE] != QUESTS:
        return ()
    return cards.boards[str(state.options[BOARD])].quests


def why_not_quest(cards: CardSet, state: State, seat: Seat, id: str, substitutes: list[str]) -> Reason | None:
    """Why this quest cannot be paid so, or None (rules 8.3, 8.5)."""
    board = state.boards[seat]
    quest = next((each for each in quests(cards, state) if each.id == id), None)
    if quest is None:
        return Reason("no-such-quest", "this quest is not on the board", "WK 8.2")
    if id in board.quests:
        return Reason("already-completed", "you have completed this quest", "WK 8.3")
    if unresolved(board) is not None:
        return Reason("unresolved", "resolve the effect that waits for you first", "WK effects 2")
    return why_not_pay(cards, board, quest.cost, substitutes, "WK 8.5")


def free_moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """All free actions: krystallium, soldiers, scrapping, quests, exchanging cubes in quest mode."""
    board = state.boards[seat]
    moves = building.free_moves(cards, board)
    if unresolved(board) is None:
        for quest in quests(cards, state):
            if quest.id not in board.quests:
                moves += [CompleteQuest(quest.id, way) for way in payments(cards, board, quest.cost)]
    if not building.exchanges(state) and sum(board.loose) >= FOR_KRYSTALLIUM:
        moves += [ExchangeCubes(cubes) for cubes in returns(board, FOR_KRYSTALLIUM)]
    return moves


def may_act_freely(cards: CardSet, state: State, seat: Seat) -> bool:
    """Whether this seat has a free action: whatever may be filled may be scrapped, too."""
    board = state.boards[seat]
    stolen = board.stolen.values()
    if any(card not in stolen for card in board.constructions):
        return True
    return bool(quests(cards, state)) and bool(free_moves(cards, state, seat))


def moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """What this seat may do in every phase: resolve what it owes, place cubes, free actions."""
    board = state.boards[seat]
    return [
        *effects.moves(cards, state, seat),
        *building.placings(board),
        *free_moves(cards, state, seat),
    ]


def decide(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event] | None:
    """Any of these moves and activations; None for any other command. Raises IllegalMove."""
    facts = effects.decide(cards, state, seat, command)
    if facts is None:
        facts = building.decide(cards, state, seat, command)
    if facts is not None:
        return facts
    board = state.boards[seat]
    match command:
        case ActivateAdvisor(advisor, substitutes):
            refused_if(why_not_activate(cards, state, seat, advisor, substitutes))
            row = cards.advisors[advisor]
            fact = AdvisorActivated(seat, advisor, paid(row.cost, substitutes), substitutes)
            return [fact, *happen(state, seat, row.effects)]
        case CompleteQuest(id, substitutes):
            refused_if(why_not_quest(cards, state, seat, id, substitutes))
            quest = next(each for each in quests(cards, state) if each.id == id)
            done = QuestCompleted(seat, id, paid(quest.cost, substitutes), substitutes)
            return [done, *happen(state, seat, quest.rewards)]
        case ExchangeCubes(cubes):
            if building.exchanges(state):
                raise refuse("no-exchanging", "cubes are exchanged by themselves in this mode", "WK 5.10")
            refused_if(why_not_return(board, cubes, FOR_KRYSTALLIUM, "WK 8.4"))
            return [CubesExchanged(seat, cubes)]
    return None


def automatic(cards: CardSet, state: State) -> list[Event]:
    """What follows on the boards by itself: owed choices that leave no choice, cubes with one place to go."""
    return effects.automatic(cards, state) or building.automatic_storing(state)


def _activated(cards: CardSet, state: State, event: AdvisorActivated) -> None:
    board = state.boards[event.seat]
    take_payment(board, event.paid)
    board.used.append(event.advisor)


def _completed(cards: CardSet, state: State, event: QuestCompleted) -> None:
    board = state.boards[event.seat]
    take_payment(board, event.paid)
    board.quests.append(event.quest)


def _exchanged(cards: CardSet, state: State, event: CubesExchanged) -> None:
    board = state.boards[event.seat]
    for name in event.cubes:
        board.loose[INDEX[name]] -= 1
    board.pool[KRYSTALLIUM] += 1


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    AdvisorActivated: _activated,
    QuestCompleted: _completed,
    CubesExchanged: _exchanged,
}
