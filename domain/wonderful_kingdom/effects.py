"""The ops of the vocabulary that happen at once or give a player something to choose (effects 2).

`happen` turns an op into facts. What it leaves to the player is owed: the player keeps drawn cards, names
cubes, transmutes or declines, discards, before anything else but free actions.
"""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import Final

from domain.kernel.errors import Reason, refuse
from domain.kernel.game import Command, Event
from domain.kernel.redaction import take
from domain.kernel.seats import Seat
from domain.wonderful_kingdom.bags import COLOURS, INDEX, KRYSTALLIUM, NAMES, SOLDIERS, named
from domain.wonderful_kingdom.building import to_place
from domain.wonderful_kingdom.cards import DEVELOPMENT, TREASURE, CardSet, Effect
from domain.wonderful_kingdom.collecting import build, discardable, forced, recycle
from domain.wonderful_kingdom.commands import (
    BuildDevelopment,
    ChooseCube,
    DeclineEffect,
    DiscardCollected,
    KeepDrawn,
    RecycleCollected,
    TransmuteCubes,
)
from domain.wonderful_kingdom.events import (
    CardsDrawn,
    CollectedDiscarded,
    CubeChosen,
    CubesGained,
    CubesTransmuted,
    DrawnKept,
    EffectDeclined,
    EffectGranted,
    TokensGained,
)
from domain.wonderful_kingdom.paying import refused_if, why_not_list
from domain.wonderful_kingdom.state import PLANNING, Board, Laid, State, discard

# Ops


def _tokens(state: State, seat: Seat, effect: Effect) -> list[Event]:
    if effect.op == "gain_soldiers":
        return [TokensGained(seat, soldiers=effect.count)]
    return [TokensGained(seat, krystallium=effect.count)]


def _fill(state: State, seat: Seat, effect: Effect) -> list[Event]:
    return [] if state.boards[seat].training else [TokensGained(seat, training=1)]


def _draw(state: State, seat: Seat, effect: Effect) -> list[Event]:
    cards = sorted(state.deck[: effect.count])
    return [CardsDrawn(seat, cards, min(effect.keep, len(cards)))] if cards else []


def _grant(state: State, seat: Seat, effect: Effect) -> list[Event]:
    return [
        EffectGranted(
            seat,
            effect.op,
            effect.count,
            [NAMES[colour] for colour in effect.resources],
            effect.price,
            effect.gain,
        )
    ]


_HAPPEN: Final[dict[str, Callable[[State, Seat, Effect], list[Event]]]] = {
    "gain_cubes": lambda state, seat, effect: [CubesGained(seat, named(effect.cubes))],
    "gain_krystallium": _tokens,
    "gain_soldiers": _tokens,
    "fill_training": _fill,
    "draw_keep": _draw,
}


def happen(state: State, seat: Seat, effects: Sequence[Effect]) -> list[Event]:
    """The facts of these effects for a player, in order. At most one of them draws cards."""
    return [event for effect in effects for event in _HAPPEN.get(effect.op, _grant)(state, seat, effect)]


# What is owed


def unresolved(board: Board) -> str | None:
    """The op of the first choice this player owes, or None."""
    if board.drawn or board.kept:
        return "draw_keep"
    if board.choices:
        return "gain_cubes_choice"
    if board.transmutes:
        return "transmute"
    return "discard_collected" if board.discards else None


def owes(board: Board) -> bool:
    """Whether this player has to choose or to place something before anything goes on."""
    return unresolved(board) is not None or to_place(board) > 0


def why_busy(board: Board, rule: str) -> Reason | None:
    """Why this player can do nothing else now, or None."""
    if unresolved(board) is not None:
        return Reason("unresolved", "resolve the effect that waits for you first", rule)
    if to_place(board):
        return Reason("cubes-left", "place the cubes you hold first", rule)
    return None


def returns(board: Board, count: int) -> list[list[str]]:
    """Every choice of so many cubes of the duchy, each in alphabetical order."""
    colours = [NAMES[colour] for colour in COLOURS if board.loose[colour]]
    return [
        list(each)
        for each in combinations_with_replacement(sorted(colours), count)
        if all(each.count(name) <= board.loose[INDEX[name]] for name in colours)
    ]


def why_not_return(board: Board, cubes: list[str], count: int, rule: str) -> Reason | None:
    """Why these are not so many cubes of the duchy, or None."""
    wrong = why_not_list(cubes, NAMES[: len(COLOURS)], rule)
    if wrong is not None:
        return wrong
    if len(cubes) != count:
        return Reason("count", f"{count} cubes are returned", rule)
    if any(cubes.count(name) > board.loose[INDEX[name]] for name in cubes):
        return Reason("not-enough-cubes", "these cubes do not lie on your duchy", rule)
    return None


def moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """What resolves the choices this player owes."""
    board = state.boards[seat]
    if board.drawn:
        return [KeepDrawn(card) for card in dict.fromkeys(board.drawn)]
    if board.kept:
        card = board.kept[0]
        build: list[Command] = [BuildDevelopment(card)] if cards.kinds[card] == DEVELOPMENT else []
        return [*build, RecycleCollected(card)]
    if board.choices:
        return [ChooseCube(name) for name in board.choices[0]]
    if board.transmutes:
        ways: list[Command] = [TransmuteCubes(cubes) for cubes in returns(board, board.transmutes[0][0])]
        return [*ways, DeclineEffect("transmute")]
    if board.discards:
        return [DiscardCollected(card) for card in dict.fromkeys(discardable(cards, board))]
    return []


def decide(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event] | None:
    """Resolve what is owed; None for any other command. Raises IllegalMove."""
    board = state.boards[seat]
    owed = unresolved(board)
    match command:
        case KeepDrawn(card):
            if card not in board.drawn:
                raise refuse("not-drawn", "this card is not among the cards you drew", "WK effects 2")
            return keep(cards, state, seat, card)
        case ChooseCube(resource):
            if owed != "gain_cubes_choice" or resource not in board.choices[0]:
                raise refuse("no-choice", "you may not choose this cube now", "WK effects 2")
            return [CubeChosen(seat, resource)]
        case TransmuteCubes(cubes):
            if owed != "transmute":
                raise refuse("no-transmuting", "you may not transmute cubes now", "WK effects 2")
            refused_if(why_not_return(board, cubes, board.transmutes[0][0], "WK effects 2"))
            return [CubesTransmuted(seat, cubes, board.transmutes[0][1])]
        case DeclineEffect(effect):
            if owed != "transmute" or effect != "transmute":
                raise refuse("nothing-to-decline", "this effect does not wait for you", "WK effects 2")
            return [EffectDeclined(seat, effect)]
        case DiscardCollected(card):
            if owed != "discard_collected" or card not in discardable(cards, board):
                raise refuse("nothing-to-discard", "you need not discard this card", "WK effects 2")
            return [CollectedDiscarded(seat, card)]
        case BuildDevelopment(card) if board.kept:
            if owed != "draw_keep" or board.drawn or card != board.kept[0]:
                raise refuse("unresolved", "build or recycle the card you kept first", "WK effects 2")
            return [build(cards, seat, board, card)]
        case RecycleCollected(card) if board.kept:
            if board.drawn or card != board.kept[0]:
                raise refuse("unresolved", "build or recycle the card you kept first", "WK effects 2")
            return [recycle(cards, seat, board, card, doubled=False)]
    return None


def keep(cards: CardSet, state: State, seat: Seat, card: str, automatic: bool = False) -> list[Event]:
    """A drawn card is kept: in planning it joins the collection area, else it is resolved at once."""
    board = state.boards[seat]
    rest = list(board.drawn)
    rest.remove(card)
    at_once = state.phase != PLANNING or board.done
    kept = DrawnKept(seat, card, at_once, [] if board.keep > 1 else rest, automatic)
    return [kept, *forced(cards, seat, [card])]


def automatic(cards: CardSet, state: State) -> list[Event]:
    """What is owed and leaves no choice."""
    for seat, board in enumerate(state.boards):
        if board.drawn and len(board.drawn) <= board.keep:
            return keep(cards, state, seat, board.drawn[0], automatic=True)
        if board.choices and len(board.choices[0]) == 1:
            return [CubeChosen(seat, board.choices[0][0], automatic=True)]
        if board.transmutes and sum(board.loose) < board.transmutes[0][0]:
            return [EffectDeclined(seat, "transmute", automatic=True)]
        if board.discards and len(discardable(cards, board)) == board.discards:
            return [CollectedDiscarded(seat, card, True) for card in discardable(cards, board)]
    return []


# What happened


def _granted(cards: CardSet, state: State, event: EffectGranted) -> None:
    board, count = state.boards[event.seat], event.count
    match event.effect:
        case "gain_cubes_choice":
            board.choices += [list(event.resources) for _ in range(count)]
        case "transmute":
            board.transmutes += [[event.price, event.krystallium] for _ in range(count)]
        case "peek_trap":
            board.peeks += count
        case "extra_trap":
            board.extra_traps += count
        case "take_extra":
            board.extra_cards += count
        case "salvage_leftover":
            board.salvages += count
        case "double_recycle":
            board.doubles += count
        case "win_supremacy_ties":
            board.wins_ties = True
        case "boost_production":
            board.boost += count
        case "discard_collected":
            board.discards += count


def _declined(cards: CardSet, state: State, event: EffectDeclined) -> None:
    state.boards[event.seat].transmutes = []


def _gained(cards: CardSet, state: State, event: CubesGained) -> None:
    for name, count in event.cubes.items():
        state.boards[event.seat].pool[INDEX[name]] += count


def _chosen(cards: CardSet, state: State, event: CubeChosen) -> None:
    board = state.boards[event.seat]
    del board.choices[0]
    board.pool[INDEX[event.resource]] += 1


def _tokens_gained(cards: CardSet, state: State, event: TokensGained) -> None:
    board = state.boards[event.seat]
    board.pool[KRYSTALLIUM] += event.krystallium
    board.pool[SOLDIERS] += event.soldiers
    board.training += event.training


def _transmuted(cards: CardSet, state: State, event: CubesTransmuted) -> None:
    board = state.boards[event.seat]
    del board.transmutes[0]
    for name in event.cubes:
        board.loose[INDEX[name]] -= 1
    board.pool[KRYSTALLIUM] += event.krystallium


def _drawn(cards: CardSet, state: State, event: CardsDrawn) -> None:
    board = state.boards[event.seat]
    del state.deck[: len(event.cards)]
    board.drawn, board.keep = list(event.cards), event.keep


def _kept(cards: CardSet, state: State, event: DrawnKept) -> None:
    board = state.boards[event.seat]
    take(board.drawn, event.card)
    board.keep -= 1
    if not board.keep:
        board.drawn = []
        for card in event.discarded:
            discard(state, card)
    if event.at_once and cards.kinds.get(event.card) in (DEVELOPMENT, TREASURE):
        board.kept.append(event.card)
    else:
        board.collection.append(Laid(event.card))


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    EffectGranted: _granted,
    EffectDeclined: _declined,
    CubesGained: _gained,
    CubeChosen: _chosen,
    TokensGained: _tokens_gained,
    CubesTransmuted: _transmuted,
    CardsDrawn: _drawn,
    DrawnKept: _kept,
}
