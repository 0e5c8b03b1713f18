"""The bots of It's a Wonderful World: `random` of the kernel, and `easy`, a list of preferences.

`easy` drafts the card that adds most to its plan, slates the cards of its plan, recycles the others to the
card nearest completion, places cubes as planned, spends krystallium and characters only to complete a card.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.kernel.bots import random_policy
from domain.kernel.game import Command, Generator, Policy, View
from domain.wonderful.commands import (
    PlaceCubes,
    PlaceKrystallium,
    RecycleCard,
    SlateCard,
    StoreCubes,
    Validate,
)
from domain.wonderful.cubes import NAMES
from domain.wonderful_world.commands import (
    ChooseCharacter,
    DraftCard,
    KeepCard,
    PlaceCharacters,
)
from domain.wonderful_world.decks import CARDS
from domain.wonderful_world.forecasting import Planned, Prospect, forecast, plan, ranked


def prospects(board: Mapping[str, Any]) -> list[Prospect]:
    """What a board has under construction and in its draft area."""
    found = [
        Prospect(card["kind"], [card["missing"].get(name, 0) for name in NAMES], card["card"])
        for card in board["under_construction"]
    ]
    return found + [Prospect(kind, CARDS[kind].cost) for kind in board["draft_area"]]


def best_plan(view: View) -> list[Planned]:
    """The plan of the viewing seat."""
    seat = view["you"]
    future = forecast(view, seat)
    return plan(future, ranked(future, prospects(view["boards"][seat])))


def easy(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    """The next move by the list of preferences; no dice, the first of equals."""
    for choose in (_draft, _choose_character, _finish, _slate, _recycle, _place):
        move = choose(view, moves)
        if move is not None:
            return move
    if Validate() in moves:
        return Validate()
    return moves[0]


def _draft(view: View, moves: Sequence[Command]) -> Command | None:
    """The card that adds most to the plan; alone, of the cards drawn."""
    cards = [move for move in moves if isinstance(move, DraftCard | KeepCard)]
    if not cards:
        return None
    future = forecast(view, view["you"])
    known = ranked(future, prospects(view["boards"][view["you"]]))

    def brought(move: DraftCard | KeepCard) -> float:
        new = ranked(future, [Prospect(move.card, CARDS[move.card].cost)])
        order = sorted(known + new, key=lambda each: -each[0]) if new else known
        return sum(planned.worth for planned in plan(future.copy(), order))

    return max(cards, key=brought)


def _choose_character(view: View, moves: Sequence[Command]) -> Command | None:
    """The character that scores more now."""
    choices = [move for move in moves if isinstance(move, ChooseCharacter)]
    if not choices:
        return None
    future = forecast(view, view["you"])

    def value(move: ChooseCharacter) -> int:
        index = NAMES.index(move.character)
        return sum(effect.points for effect in future.effects if effect.of == (index,))

    return max(choices, key=value)


def _missing(view: View, card: str) -> dict[str, int]:
    for each in view["boards"][view["you"]]["under_construction"]:
        if each["card"] == card:
            missing: dict[str, int] = each["missing"]
            return missing
    return {}


def _finish(view: View, moves: Sequence[Command]) -> Command | None:
    """Krystallium and characters, where they complete a card of the plan now."""
    tokens = [move for move in moves if isinstance(move, PlaceKrystallium | PlaceCharacters)]
    if not tokens:
        return None
    board = view["boards"][view["you"]]
    for planned in best_plan(view):
        name = planned.prospect.name
        if name is None or planned.round != view["round"]:
            continue
        missing = _missing(view, name)
        characters = {character: missing.get(character, 0) for character in ("financier", "general")}
        others = sum(missing.values()) - sum(characters.values())
        held = {"financier": board["financiers"], "general": board["generals"]}
        if others <= board["krystallium"] and all(held[one] >= count for one, count in characters.items()):
            for move in tokens:
                if move.card == name:
                    return move
    return None


def _slate(view: View, moves: Sequence[Command]) -> Command | None:
    """A drafted card of the plan."""
    slates = [move for move in moves if isinstance(move, SlateCard)]
    if not slates:
        return None
    wanted = [planned.prospect.kind for planned in best_plan(view) if planned.prospect.name is None]
    return next((move for move in slates if move.card in wanted), None)


def _recycle(view: View, moves: Sequence[Command]) -> Command | None:
    """Every other drafted card, its cube to the first card of the plan that takes it."""
    recycles = [move for move in moves if isinstance(move, RecycleCard)]
    if not recycles:
        return None
    order = [planned.prospect.name for planned in best_plan(view)]
    for name in order:
        for move in recycles:
            if move.target is not None and move.target == name:
                return move
    return next(move for move in recycles if move.target is None)


def _place(view: View, moves: Sequence[Command]) -> Command | None:
    """Cubes to the cards of the plan in its order, then to whatever takes them, else to the Empire card."""
    places = {move.card: move for move in moves if isinstance(move, PlaceCubes)}
    for planned in best_plan(view) if places else ():
        name = planned.prospect.name
        if name in places:
            return places[name]
    return next((move for move in moves if isinstance(move, StoreCubes)), None)


BOTS: Final[Mapping[str, Policy]] = {"random": random_policy, "easy": easy}
