"""The turn: everybody chooses in secret, then all is carried out together (rules 2.2, 3, 12.3)."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.errors import IllegalMove, Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.seats import Seat
from domain.seven_wonders import building
from domain.seven_wonders.commands import (
    BuildForFree,
    BuildStage,
    BuildStructure,
    DiscardForCoins,
    PlayFreeCity,
    Withdraw,
)
from domain.seven_wonders.events import ActionChosen, ActionWithdrawn
from domain.seven_wonders.state import CHOOSING, FREE_CITY, Action, State
from domain.seven_wonders.trading import Payments

_COMMANDS: Final[dict[str, Callable[[Action], Command]]] = {
    "structure": lambda act: BuildStructure(act.card, act.left, act.right),
    "free": lambda act: BuildForFree(act.card),
    "stage": lambda act: BuildStage(act.card, act.left, act.right),
    "discard": lambda act: DiscardForCoins(act.card),
}
_ACTIONS: Final[dict[type, Callable[[Command], Action]]] = {
    BuildStructure: lambda c: building.action("structure", c.card, c.pay_left, c.pay_right),
    BuildForFree: lambda c: building.action("free", c.card),
    BuildStage: lambda c: building.action("stage", c.card, c.pay_left, c.pay_right),
    DiscardForCoins: lambda c: building.action("discard", c.card),
}


def command_for(chosen: Action) -> Command:
    """The command that asks for an action in the seat's own city."""
    return _COMMANDS[chosen.use](chosen)


@lru_cache(maxsize=1 << 14)
def _commands_with(name: str, structure: Payments, free: bool, stage: Payments) -> tuple[Command, ...]:
    return tuple(command_for(chosen) for chosen in building.actions_with(name, structure, free, stage))


def command_for_free_city(chosen: Action) -> Command:
    """The command that asks for an action in the Free City."""
    return PlayFreeCity(chosen.use, chosen.card, chosen.left, chosen.right)


# How often the choice for a city may be made or withdrawn in one turn: a log must not grow without end.
MOST_CHANGES: Final = 100


def may_change(state: State, numbers: Sequence[int]) -> bool:
    """Whether what is chosen for these cities may still be replaced or withdrawn."""
    return all(state.chosen[number] is None or state.changes[number] < MOST_CHANGES for number in numbers)


def revisable(state: State) -> tuple[Seat, ...]:
    """The seats that have chosen something and may still change it."""
    chosen = {state.actors[number] for number, what in enumerate(state.chosen) if what is not None}
    return tuple(seat for seat in sorted(chosen) if may_change(state, cities_of(state, seat)))


def cities_of(state: State, seat: Seat) -> list[int]:
    """The cities this seat chooses for in this phase, in order."""
    if state.phase != CHOOSING:
        return [state.powered]
    return [number for number, actor in enumerate(state.actors) if actor == seat]


def awaited(state: State) -> tuple[Seat, ...]:
    """The seats that have not chosen for all their cities."""
    return tuple(
        sorted({state.actors[number] for number, chosen in enumerate(state.chosen) if chosen is None})
    )


def hand_for_free_city(state: State, seat: Seat) -> list[str]:
    """The cards the holder may choose from for the Free City: the hand without the card of the own city."""
    if state.phase != CHOOSING:
        return state.pile
    own = state.chosen[seat]
    hand = list(state.hands[seat])
    if isinstance(own, Action):
        hand.remove(own.card)
    return hand


def legal_moves(state: State, seat: Seat) -> list[Command]:
    """Every choice, replacement and withdrawal of this seat; what is still to choose comes first, so that
    whoever takes the first move each time gets on."""
    mine = cities_of(state, seat)
    moves: list[Command] = []
    own_first = seat not in mine or state.chosen[seat] is not None
    if FREE_CITY in mine and seat != FREE_CITY and own_first and may_change(state, [FREE_CITY]):
        hand = hand_for_free_city(state, seat)
        moves += [command_for_free_city(chosen) for chosen in building.free_city_actions(state, hand)]
    if seat in mine and may_change(state, mine):
        for card in building.uses(state, seat, state.hands[seat]):
            moves += _commands_with(*card)
    if any(state.chosen[number] is not None for number in mine) and may_change(state, mine):
        moves.append(Withdraw())
    return moves


def decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """Choose, replace or withdraw. Raises IllegalMove."""
    mine = cities_of(state, seat)
    if isinstance(command, Withdraw):
        return withdraw(state, seat, mine)
    if isinstance(command, PlayFreeCity):
        return _choose_for_free_city(state, seat, command, mine)
    if seat not in mine or type(command) not in _ACTIONS:
        raise refuse("not-now", "this cannot be done now", "7W 2.2")
    _check_changes(state, mine)
    chosen = _ACTIONS[type(command)](command)
    reason = building.why_not(state, seat, state.hands[seat], chosen)
    if reason is not None:
        raise IllegalMove(reason)
    events: list[Event] = [ActionChosen(seat, seat, chosen)]
    if FREE_CITY in mine and seat != FREE_CITY and state.chosen[FREE_CITY] is not None:
        events.append(ActionWithdrawn(seat, FREE_CITY))
    return events


def withdraw(state: State, seat: Seat, mine: Sequence[int]) -> list[Event]:
    """Take back all that this seat has chosen (the Free City's choice first)."""
    taken = [number for number in reversed(mine) if state.chosen[number] is not None]
    if not taken:
        raise refuse("nothing-chosen", "there is nothing to withdraw", "7W 2.2")
    _check_changes(state, mine)
    return [ActionWithdrawn(seat, number) for number in taken]


def _check_changes(state: State, numbers: Sequence[int]) -> None:
    """Raises IllegalMove when the choice for one of these cities was changed too often already."""
    if not may_change(state, numbers):
        raise refuse("too-many-changes", "this choice was changed too often: it stands", "7W 2.2")


def _choose_for_free_city(
    state: State, seat: Seat, command: PlayFreeCity, mine: Sequence[int]
) -> list[Event]:
    if FREE_CITY not in mine or seat == FREE_CITY:
        raise refuse("not-yours", "you do not act for the Free City now", "7W 12.3")
    if seat in mine and state.chosen[seat] is None:
        raise refuse("own-city-first", "choose for your own city first", "7W 12.3")
    _check_changes(state, [FREE_CITY])
    chosen = building.action(command.use, command.card, command.pay_left, command.pay_right)
    reason: Reason | None = building.why_not_for_free_city(state, hand_for_free_city(state, seat), chosen)
    if reason is not None:
        raise IllegalMove(reason)
    return [ActionChosen(seat, FREE_CITY, chosen)]


def default_move(state: State, seat: Seat) -> Command:
    """Discard the first card; for the Free City the first thing it may do."""
    mine = cities_of(state, seat)
    if seat in mine and state.chosen[seat] is None:
        return DiscardForCoins(state.hands[seat][0])
    hand = hand_for_free_city(state, seat)
    return command_for_free_city(building.free_city_actions(state, hand)[0])


def advance(state: State, chance: Chance) -> list[Event]:
    """When every city has its action: carry them out, the Free City's first (rules 7, 12.4)."""
    if state.phase == CHOOSING:
        if None in state.chosen:
            return []
        order = list(range(len(state.cities)))
        if state.seats == FREE_CITY:
            order = [FREE_CITY, *order[:FREE_CITY]]
        return building.carry_out(state, order)
    if state.chosen[state.powered] is None:
        return []
    return building.carry_out(state, [state.powered])


def command_of(event: ActionChosen | ActionWithdrawn) -> Command | None:
    """The command behind a choice or a withdrawal."""
    if isinstance(event, ActionWithdrawn):
        return Withdraw()
    if not isinstance(event.action, Action):
        return None
    return command_for(event.action) if event.city == event.seat else command_for_free_city(event.action)


def _chosen(state: State, event: ActionChosen) -> None:
    state.chosen[event.city] = event.action
    state.changes[event.city] += 1
    state.awaited = [seat for seat in state.awaited if seat != event.seat]


def _withdrawn(state: State, event: ActionWithdrawn) -> None:
    state.chosen[event.city] = None
    state.changes[event.city] += 1


HANDLERS: Final[dict[type, Callable[..., None]]] = {ActionChosen: _chosen, ActionWithdrawn: _withdrawn}
