"""What a city may do with a card and what becomes of it: build, build a stage, discard (rules 3, 5-7)."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from domain.kernel.errors import Reason
from domain.kernel.game import Event
from domain.kernel.redaction import take
from domain.seven_wonders import trading
from domain.seven_wonders.cards import CARDS, Card
from domain.seven_wonders.effects import Coins, CoinsPer, Effect, FreeBuild, PointsPer
from domain.seven_wonders.events import CardDiscarded, StageBuilt, StructureBuilt
from domain.seven_wonders.options import CHAINS, FACE_DOWN_CARDS
from domain.seven_wonders.state import FREE_CITY, Action, City, State, left_city, right_city
from domain.seven_wonders.trading import FREE, Payments
from domain.seven_wonders.wonders import WONDERS

DISCARD_COINS: Final = 3
action = lru_cache(maxsize=1 << 16)(Action)

# A card, the payments for its structure, whether Olympia builds it for free, the payments for a stage.
Uses = tuple[str, Payments, bool, Payments]


# Why not


def chained(city: City, card: Card) -> bool:
    """Whether a structure of the city makes this one free (rules 6.2)."""
    return not city.structures.isdisjoint(card.chain_from)


def structure_payments(state: State, number: int, card: Card) -> Payments:
    """Every payment (left, right) the city can afford for the structure, or () (rules 5, 6). The Free City
    never pays for what a chain makes free (rules 12.4)."""
    city = state.cities[number]
    if not chained(city, card):
        return _payments(state, number, card.cost, city.coins - card.coins)
    if state.options[CHAINS] == "free" or number >= state.seats:
        return FREE
    paid = _payments(state, number, card.cost, city.coins - card.coins)
    return FREE + tuple(pair for pair in paid if pair != (0, 0))


def stage_payments(state: State, number: int) -> Payments:
    """Every payment (left, right) the city can afford for its next stage; () if there is none (rules 3.2)."""
    city = state.cities[number]
    stages = city.board.stages
    built = len(city.markers)
    if built == len(stages):
        return ()
    stage = stages[built]
    return _payments(state, number, stage.cost, city.coins - stage.coins)


def _payments(state: State, number: int, cost: int, budget: int) -> Payments:
    if budget < 0:
        return ()
    if not cost:
        return FREE
    cities = state.cities
    city, left, right = cities[number], cities[(number + 1) % len(cities)], cities[number - 1]
    pairs = trading.payments(cost, city.own, left.sale, right.sale, city.discounts)
    if not pairs or pairs == FREE:
        return pairs
    return tuple([pair for pair in pairs if pair[0] + pair[1] <= budget])


def why_not_structure(state: State, number: int, card: Card) -> Reason | None:
    """Why a structure can never stand in the city: it stands there already (rules 3.6)."""
    if card.structure in state.cities[number].structures:
        return Reason("already-built", f"{card.name} stands in this city already", "7W 3.6")
    return None


def why_not_free(state: State, number: int, card: Card) -> Reason | None:
    """Why Olympia's power does not build this structure (rules 8.6)."""
    city = state.cities[number]
    if not has_power(city, FreeBuild):
        return Reason("no-free-build", "this city has no power to build for free", "7W 8.6")
    if city.free_build_age == state.age:
        return Reason("free-build-used", "the free build of this Age is used", "7W 8.6")
    reason = why_not_structure(state, number, card)
    if reason is None and (chained(city, card) or not (card.cost or card.coins)):
        return Reason("free-anyway", f"{card.name} costs nothing here: build it as it is", "7W 8.6")
    return reason


def why_not(state: State, number: int, hand: Sequence[str], chosen: Action) -> Reason | None:
    """Why the city may not do this with a card of the hand, or None."""
    if chosen.card not in hand:
        return Reason("not-in-hand", "this card is not in your hand", "7W 2.2")
    card = CARDS[chosen.card]
    if chosen.use in ("discard", "free") and (chosen.left or chosen.right):
        return Reason("wrong-payment", "nothing is paid for this", "7W 5.10")
    if chosen.use == "discard":
        return None
    if chosen.use == "free":
        return why_not_free(state, number, card)
    if chosen.use == "structure":
        reason = why_not_structure(state, number, card)
        return reason or _why_not_pay(structure_payments(state, number, card), chosen)
    if chosen.use != "stage":
        return Reason("unknown-use", "a card is used as structure, free, stage or discard")
    if len(state.cities[number].markers) == len(state.cities[number].board.stages):
        return Reason("no-stage-left", "every stage of this wonder is built", "7W 3.2")
    return _why_not_pay(stage_payments(state, number), chosen)


def _why_not_pay(payments: Payments, chosen: Action) -> Reason | None:
    if not payments:
        return Reason("not-affordable", "the resources or coins for this are missing", "7W 5.8")
    if (chosen.left, chosen.right) not in payments:
        return Reason("wrong-payment", "these payments do not buy exactly what is missing", "7W 5.10")
    return None


def why_not_for_free_city(state: State, hand: Sequence[str], chosen: Action) -> Reason | None:
    """Why the Free City may not do this: it discards only when it can do nothing else (rules 12.4)."""
    reason = why_not(state, FREE_CITY, hand, chosen)
    if reason is None and chosen.use == "discard" and free_city_can_build(state, hand):
        return Reason("free-city-must-build", "the Free City can build with these cards", "7W 12.4")
    return reason


def free_city_can_build(state: State, hand: Sequence[str]) -> bool:
    """Whether one of the cards could be built in the Free City or used for its next stage."""
    if hand and stage_payments(state, FREE_CITY):
        return True
    cards = [CARDS[name] for name in hand]
    return any(
        why_not_structure(state, FREE_CITY, card) is None and structure_payments(state, FREE_CITY, card)
        for card in cards
    )


def uses(state: State, number: int, hand: Iterable[str]) -> list[Uses]:
    """What the city may do with each card of the hand; it may always be discarded."""
    city = state.cities[number]
    stage = stage_payments(state, number)
    olympia = has_power(city, FreeBuild) and city.free_build_age != state.age
    found: list[Uses] = []
    for name in dict.fromkeys(hand):
        card = CARDS[name]
        if card.structure in city.structures:
            found.append((name, (), False, stage))
        else:
            free = olympia and why_not_free(state, number, card) is None
            found.append((name, structure_payments(state, number, card), free, stage))
    return found


@lru_cache(maxsize=1 << 14)
def actions_with(name: str, structure: Payments, free: bool, stage: Payments) -> tuple[Action, ...]:
    """The uses of a card, one by one."""
    return (
        *(action("structure", name, left, right) for left, right in structure),
        *((action("free", name),) if free else ()),
        *(action("stage", name, left, right) for left, right in stage),
        action("discard", name),
    )


def actions(state: State, number: int, hand: Iterable[str]) -> list[Action]:
    """Every action `why_not` has nothing against, card by card in the order of the hand."""
    return [chosen for card in uses(state, number, hand) for chosen in actions_with(*card)]


def free_city_actions(state: State, hand: Sequence[str]) -> list[Action]:
    """Every action `why_not_for_free_city` has nothing against."""
    found = actions(state, FREE_CITY, hand)
    if free_city_can_build(state, hand):
        return [chosen for chosen in found if chosen.use != "discard"]
    return found


def has_power(city: City, power: type) -> bool:
    """Whether a built stage of the city's wonder has this power."""
    return power in _powers(city.wonder, city.side, len(city.markers))


@lru_cache(maxsize=1 << 7)
def _powers(wonder: str, side: str, built: int) -> frozenset[type]:
    stages = WONDERS[wonder][side].stages[:built]
    return frozenset(type(effect) for stage in stages for effect in stage.effects)


# Carrying out


def carry_out(state: State, numbers: Sequence[int]) -> list[Event]:
    """Carry out what was chosen for these cities, together: coins for effects are counted after every card of
    the turn is placed (rules 7)."""
    chosen = {number: state.chosen[number] for number in numbers}
    placed = {number: what for number, what in chosen.items() if isinstance(what, Action)}
    return [_carry_out(state, number, what, placed) for number, what in placed.items()]


def _carry_out(state: State, number: int, chosen: Action, placed: dict[int, Action]) -> Event:
    seat, city = state.actors[number], state.cities[number]
    face_up = state.options[FACE_DOWN_CARDS] == "revealed"
    if chosen.use == "discard":
        return CardDiscarded(seat, number, chosen.card, face_up, DISCARD_COINS)
    if chosen.use == "stage":
        built = len(city.markers)
        coins = income(state, number, city.board.stages[built].effects, placed)
        left, right = chosen.left, chosen.right
        return StageBuilt(seat, number, built + 1, chosen.card, face_up, left, right, coins)
    card = CARDS[chosen.card]
    coins = income(state, number, card.effects, placed)
    if chosen.use == "free":
        return StructureBuilt(seat, number, card.id, "olympia", coins=coins)
    if chained(city, card) and not chosen.left and not chosen.right:
        return StructureBuilt(seat, number, card.id, "chain", coins=coins)
    return StructureBuilt(seat, number, card.id, "paid", card.coins, chosen.left, chosen.right, coins)


def income(state: State, number: int, effects: Iterable[Effect], placed: dict[int, Action]) -> int:
    """Coins from the bank for new effects, counted with what this turn placed (rules 7, step 5)."""
    coins = 0
    for effect in effects:
        if isinstance(effect, Coins):
            coins += effect.amount
        elif isinstance(effect, CoinsPer):
            coins += effect.amount * counted(state, number, effect, placed)
    return coins


def counted(state: State, number: int, effect: CoinsPer | PointsPer, placed: dict[int, Action]) -> int:
    """How many things an effect counts, around the city it stands in; what is being placed counts too."""
    total = 0
    for where in effect.scope:
        other = (number + _OFFSETS[where]) % len(state.cities)
        city, placing = state.cities[other], placed.get(other)
        if effect.kind == "cards":
            total += sum(CARDS[name].colour in effect.colours for name in city.cards)
            if placing and placing.use in ("structure", "free"):
                total += CARDS[placing.card].colour in effect.colours
        elif effect.kind == "wonder_stages":
            total += len(city.markers) + (placing is not None and placing.use == "stage")
        else:
            total += sum(token < 0 for token in city.tokens)
    return total


_OFFSETS: Final = {"self": 0, "left": 1, "right": -1}


# Folding


def _pay(state: State, number: int, bank: int, left: int, right: int, coins: int) -> None:
    state.cities[number].coins += coins - bank - left - right
    if left:
        left_city(state, number).coins += left
    if right:
        right_city(state, number).coins += right


def _hand(state: State, seat: int, number: int) -> list[str]:
    """The hand the card of this city came from."""
    return state.pile if state.phase == "seventh-card" and number != seat else state.hands[seat]


def _carried_out(state: State, event: StructureBuilt | StageBuilt | CardDiscarded) -> None:
    take(_hand(state, event.seat, event.city), event.card)
    state.chosen[event.city] = None
    if not any(state.chosen):
        state.phase, state.awaited, state.powered = "turn-end", [], -1


def _structure_built(state: State, event: StructureBuilt) -> None:
    city, card = state.cities[event.city], CARDS[event.card]
    if event.by == "discard-pile":
        take(state.discard, event.card)
        take(state.face_up, event.card)
        state.phase, state.awaited, state.powered, state.found = "turn-end", [], -1, []
    else:
        _carried_out(state, event)
    if event.by == "olympia":
        city.free_build_age = state.age
    city.cards.append(card.id)
    city.structures.add(card.structure)
    city.own += card.makes
    city.sale += card.sells
    city.shields += card.shields
    city.discounts |= card.discounts
    _pay(state, event.city, event.bank, event.left, event.right, event.coins)


def _stage_built(state: State, event: StageBuilt) -> None:
    _carried_out(state, event)
    city = state.cities[event.city]
    stage = city.board.stages[event.stage - 1]
    city.markers.append(event.card)
    city.own += stage.makes
    city.shields += stage.shields
    city.discounts |= stage.discounts
    state.fresh.append(event.city)
    _pay(state, event.city, stage.coins, event.left, event.right, event.coins)


def _card_discarded(state: State, event: CardDiscarded) -> None:
    _carried_out(state, event)
    state.discard.append(event.card)
    if event.face_up:
        state.face_up.append(event.card)
    state.cities[event.city].coins += event.coins


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    StructureBuilt: _structure_built,
    StageBuilt: _stage_built,
    CardDiscarded: _card_discarded,
}
