"""Legal moves and refusals in words and numbers, for people and for clients without any rule code."""

from collections.abc import Mapping
from typing import Any

from domain.kernel.game import Command, Description, Refusal
from domain.kernel.seats import Seat
from domain.seven_wonders import building, choosing, commands, trading
from domain.seven_wonders.building import DISCARD_COINS, action
from domain.seven_wonders.cards import CARDS, Card
from domain.seven_wonders.effects import SYMBOLS, unpacked
from domain.seven_wonders.ending import points_of
from domain.seven_wonders.state import CHOOSING, FREE_CITY, SEVENTH, Action, State, left_city, right_city
from domain.seven_wonders.trading import Payments
from domain.seven_wonders.wonders import WONDERS, Stage


def describe(state: State, seat: Seat, command: Command) -> Description:
    """A legal move: label, cost (coins to the bank and the neighbours, whether that payment is minimal and
    undominated), effects (coins, shields, points, symbol, what it produces)."""
    match command:
        case commands.PlayFreeCity(use, card, left, right):
            plain = _action(state, FREE_CITY, action(use, card, left, right))
            return Description(f"Free City: {plain.label}", plain.cost, plain.effects)
        case commands.ChooseBoard(wonder, side):
            return Description(f"Take {WONDERS[wonder]['A'].name}, side {side}")
        case commands.Withdraw():
            return Description("Take back your choice")
        case commands.LeaveSeventhCard():
            return Description("Let the seventh card be discarded without coins")
        case commands.TakeFromDiscard(card):
            effects = _card_effects(state, state.powered, CARDS[card])
            return Description(f"Build {CARDS[card].name} from the discard pile", _cost(0, 0, 0), effects)
        case commands.TakeNothing():
            return Description("Build nothing from the discard pile")
        case commands.CopyGuild(guild):
            return Description("Copy no guild" if guild is None else f"Copy {CARDS[guild].name}")
        case commands.ChooseSymbols(symbols):
            return Description(f"Choose {', '.join(symbols)}")
        case commands.BuildStructure(card, left, right):
            return _action(state, seat, action("structure", card, left, right))
        case commands.BuildForFree(card):
            return _action(state, seat, action("free", card))
        case commands.BuildStage(card, left, right):
            return _action(state, seat, action("stage", card, left, right))
        case commands.DiscardForCoins(card):
            return _action(state, seat, action("discard", card))
    raise TypeError(f"not a command of 7 Wonders: {type(command).__name__}")


def _action(state: State, number: int, chosen: Action) -> Description:
    card = CARDS[chosen.card]
    if chosen.use == "discard":
        return Description(f"Discard {card.name} for {DISCARD_COINS} coins", {}, {"coins": DISCARD_COINS})
    if chosen.use == "stage":
        built = len(state.cities[number].markers)
        stage = state.cities[number].board.stages[built]
        cost = _payment(building.stage_payments(state, number), chosen, stage.coins)
        return Description(
            f"Build stage {built + 1} with {card.name}{_paying(chosen)}",
            cost,
            _stage_effects(state, number, stage, chosen),
        )
    effects = _card_effects(state, number, card)
    if chosen.use == "free":
        return Description(f"Build {card.name} for free (Olympia)", _cost(0, 0, 0), effects)
    cost = _payment(building.structure_payments(state, number, card), chosen, card.coins)
    chain = building.chained(state.cities[number], card) and not chosen.left and not chosen.right
    if chain:
        cost["chain"] = True
    return Description(f"Build {card.name}{' by chain' if chain else _paying(chosen)}", cost, effects)


def _paying(chosen: Action) -> str:
    paid = [
        f"{coins} to the {side}" for coins, side in ((chosen.left, "left"), (chosen.right, "right")) if coins
    ]
    return f", pay {' and '.join(paid)}" if paid else ""


def _cost(bank: int, left: int, right: int) -> dict[str, Any]:
    return {"bank": bank, "left": left, "right": right}


def _payment(payments: Payments, chosen: Action, bank: int) -> dict[str, Any]:
    pair = (chosen.left, chosen.right)
    cost = _cost(bank, *pair)
    cost["minimal"] = sum(pair) == min(map(sum, payments))
    cost["undominated"] = pair in trading.undominated(payments)
    return cost


def _card_effects(state: State, number: int, card: Card) -> dict[str, Any]:
    effects: dict[str, Any] = {}
    placed = {number: action("structure", card.id)}
    if coins := building.income(state, number, card.effects, placed):
        effects["coins"] = coins
    if card.shields:
        effects["shields"] = card.shields
    if card.symbol >= 0:
        effects["symbol"] = SYMBOLS[card.symbol]
    if points := points_of(state, number, card.id, placed):
        effects["points"] = points
    if card.makes:
        effects["produces"] = True
    return effects


def _stage_effects(state: State, number: int, stage: Stage, chosen: Action) -> dict[str, Any]:
    effects: dict[str, Any] = {"stage": len(state.cities[number].markers) + 1}
    if coins := building.income(state, number, stage.effects, {number: chosen}):
        effects["coins"] = coins
    if stage.shields:
        effects["shields"] = stage.shields
    if stage.points:
        effects["points"] = stage.points
    return effects


def refused(state: State, seat: Seat) -> list[Refusal]:
    """What cannot be built from this hand now, why, and which resources nobody sells."""
    if state.phase not in (CHOOSING, SEVENTH) or (state.phase == SEVENTH and seat not in state.awaited):
        return []
    found: list[Refusal] = []
    for number in choosing.cities_of(state, seat):
        own = number == seat
        prefix = "" if own else "Free City: "
        hand = state.hands[seat] if own else choosing.hand_for_free_city(state, seat)
        found += _refused_in(state, number, list(dict.fromkeys(hand)), prefix)
    return found


def _refused_in(state: State, number: int, hand: list[str], prefix: str) -> list[Refusal]:
    found: list[Refusal] = []
    city = state.cities[number]
    for name in hand:
        card = CARDS[name]
        duplicate = building.why_not_structure(state, number, card)
        reason = duplicate or (
            None
            if building.structure_payments(state, number, card)
            else building.why_not(state, number, hand, action("structure", name))
        )
        if reason is not None:
            missing = {} if duplicate else _missing(state, number, card.cost)
            found.append(Refusal(f"{prefix}Build {card.name}", reason, missing))
    stages = city.board.stages
    built = len(city.markers)
    if hand and built < len(stages) and not building.stage_payments(state, number):
        reason = building.why_not(state, number, hand, action("stage", hand[0]))
        if reason is not None:
            missing = _missing(state, number, stages[built].cost)
            found.append(Refusal(f"{prefix}Build stage {built + 1}", reason, missing))
    return found


def _missing(state: State, number: int, cost: int) -> dict[str, int]:
    left, right = left_city(state, number), right_city(state, number)
    return trading.missing(cost, state.cities[number].own, left.sale, right.sale)


def printed_cost(coins: int, cost: int) -> Mapping[str, int]:
    """A printed cost by name."""
    return {**({"coins": coins} if coins else {}), **unpacked(cost)}
