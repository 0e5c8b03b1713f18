"""The bots of It's a Wonderful Kingdom: `random` of the kernel, and `easy`, a list of preferences.

`easy` offers the split whose half the other will take is worst for it, lays what it wants to be rid of face
down, selects the area worth more, builds the cards of its plan, pays for menaces, advisors and quests when it
can, and sets aside what the major quest takes.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from domain.kernel.bots import random_policy
from domain.kernel.game import Command, Generator, Policy, View
from domain.kernel.redaction import FACE_DOWN
from domain.wonderful.commands import PlaceCubes, PlaceKrystallium, StoreCubes, Validate
from domain.wonderful_kingdom import commands as ask
from domain.wonderful_kingdom.bags import INDEX, KRYSTALLIUM, NAMES, SOLDIERS, STEPS
from domain.wonderful_kingdom.cards import CardSet, Quest
from domain.wonderful_kingdom.forecasting import (
    PRICE,
    Planned,
    forecast,
    lacking,
    major_quest,
    plan,
    price,
    prospects,
    ranked,
    worth,
)
from domain.wonderful_kingdom.state import LEFT, RIGHT

UNKNOWN: Final = -0.5  # a card nobody but its owner has seen: a strong one or a penalty
BLUFF: Final = 0.8  # what the opponent is taken to expect of a face-down card
STAYS: Final = 0.5  # what a card left in an area is still worth to this seat
LATE: Final = 3  # the round from which cubes are set aside for the major quest

Moves = Sequence[Command]
Chooser = Callable[[CardSet, View, Moves], Command | None]


def best_plan(cards: CardSet, view: View) -> list[Planned]:
    """The plan of the viewing seat."""
    seat = view["you"]
    future = forecast(cards, view, seat)
    return plan(cards, future, ranked(cards, future, prospects(cards, view["boards"][seat])))


def _mine(view: View) -> dict[str, Any]:
    board: dict[str, Any] = view["boards"][view["you"]]
    return board


def easy(cards: CardSet, view: View, moves: Moves, dice: Generator) -> Command:
    """The next move by the list of preferences; no dice, the first of equals."""
    for choose in _PREFERENCES:
        move = choose(cards, view, moves)
        if move is not None:
            return move
    return Validate() if Validate() in moves else moves[0]


# Choosing cards


def _secret(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """The set, and the menace, that costs most points; the first advisor."""
    for move in moves:
        if isinstance(move, ask.KeepAdvisor):
            return move
    sets = [move for move in moves if isinstance(move, ask.ChooseMenaceSet)]
    if sets:
        return min(
            sets,
            key=lambda move: sum(row.points for row in cards.menaces.values() if row.set == move.set),
        )
    menaces = [move for move in moves if isinstance(move, ask.ChooseMenace)]
    return min(menaces, key=lambda move: cards.menaces[move.card].points) if menaces else None


def _areas(view: View) -> dict[str, list[str]]:
    return {area: [laid["card"] for laid in view["areas"][area]] for area in (LEFT, RIGHT)}


def _offer(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """The split whose better half in the eyes of the other leaves most to this seat."""
    offers = [move for move in moves if isinstance(move, ask.OfferCards)]
    if not offers:
        return None
    seat, areas = view["you"], _areas(view)
    lying = {card for row in areas.values() for card in row} | set(view["hand"])
    lying.discard(FACE_DOWN)
    futures = [forecast(cards, view, each) for each in (0, 1)]
    mine = {card: worth(cards, futures[seat], card) for card in lying}
    his = {card: worth(cards, futures[1 - seat], card) for card in lying}
    mine[FACE_DOWN] = his[FACE_DOWN] = UNKNOWN
    seen = dict.fromkeys(areas, 0.0)
    true = dict.fromkeys(areas, 0.0)
    left_over = dict.fromkeys(areas, 0.0)
    for area in areas:
        for laid in view["areas"][area]:
            card = laid["card"]
            known = 1 - seat in laid.get("seen_by", (1 - seat,))
            seen[area] += his[card] if known else BLUFF
            true[area] += his[card]
            left_over[area] += mine[card]

    def leaves(move: ask.OfferCards) -> float:
        up = {LEFT: move.left, RIGHT: move.right}
        down = {LEFT: move.left_face_down, RIGHT: move.right_face_down}
        expected = {
            area: seen[area] + sum(map(his.__getitem__, up[area])) + BLUFF * len(down[area]) for area in areas
        }
        taken, stays = (LEFT, RIGHT) if expected[LEFT] >= expected[RIGHT] else (RIGHT, LEFT)
        lost = true[taken] + sum(map(his.__getitem__, (*up[taken], *down[taken])))
        kept = left_over[stays] + sum(map(mine.__getitem__, (*up[stays], *down[stays])))
        return STAYS * kept - lost - 0.05 * (len(down[LEFT]) + len(down[RIGHT]))

    return max(offers, key=leaves)


def _select(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """The area worth more, with the best extra cards."""
    choices = [move for move in moves if isinstance(move, ask.SelectArea)]
    if not choices:
        return None
    future, areas = forecast(cards, view, view["you"]), _areas(view)
    value = {
        area: [UNKNOWN if card == FACE_DOWN else worth(cards, future, card) for card in row]
        for area, row in areas.items()
    }

    def brought(move: ask.SelectArea) -> float:
        extra = value[RIGHT if move.area == LEFT else LEFT]
        return sum(value[move.area]) + sum(extra[place] for place in move.extra)

    return max(choices, key=brought)


def _salvage(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """The leftover worth most, if any is worth something."""
    choices = [move for move in moves if isinstance(move, ask.SalvageCard)]
    if not choices:
        return None
    future, areas = forecast(cards, view, view["you"]), _areas(view)
    best = max(choices, key=lambda move: worth(cards, future, areas[move.area][move.position]))
    return best if worth(cards, future, areas[best.area][best.position]) > 0 else None


# What is owed


def _resolve(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """Drawn cards, cubes to name, cards to discard, stolen tokens."""
    kept = [move for move in moves if isinstance(move, ask.KeepDrawn | ask.DiscardCollected)]
    if kept:
        future = forecast(cards, view, view["you"])
        sign = 1 if isinstance(kept[0], ask.KeepDrawn) else -1
        return max(kept, key=lambda move: sign * worth(cards, future, move.card))
    cubes = [move for move in moves if isinstance(move, ask.ChooseCube)]
    if cubes:
        wanted = _wanted(cards, view)
        return max(cubes, key=lambda move: (wanted.get(move.resource, 0), PRICE[INDEX[move.resource]]))
    tokens = [move for move in moves if isinstance(move, ask.PlaceStolenToken)]
    if tokens:
        return _token(cards, view, tokens)
    return next((move for move in moves if isinstance(move, ask.TransmuteCubes)), None)


def _wanted(cards: CardSet, view: View) -> dict[str, int]:
    """What the first card of the plan under construction is missing."""
    for planned in best_plan(cards, view):
        if planned.prospect.name is not None:
            return dict(zip(NAMES, planned.prospect.missing, strict=True))
    return {}


def _token(cards: CardSet, view: View, tokens: Sequence[ask.PlaceStolenToken]) -> Command:
    """The least of the own developments, the best of the other's."""
    kinds = {}
    for board in view["boards"]:
        for each in (*board["constructed"], *board["under_construction"]):
            kinds[board["seat"], each["card"]] = cards.developments[each["kind"]]
    own = all((view["you"], move.card) in kinds for move in tokens)
    seat = view["you"] if own else 1 - view["you"]

    def value(move: ask.PlaceStolenToken) -> float:
        row = kinds[seat, move.card]
        return row.points + price(row.production) + (2 * row.per.points if row.per else 0)

    return min(tokens, key=value) if own else max(tokens, key=value)


# Spending


def _quest(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """The major quest at once; another when what it takes is not set aside, or brings soldiers for it."""
    choices = [move for move in moves if isinstance(move, ask.CompleteQuest)]
    if not choices:
        return None
    quests = {quest.id: quest for quest in cards.boards[view["quest_board"]].quests}
    major = major_quest(cards, view, view["you"])
    for move in choices:
        if quests[move.quest].major:
            return move
    for move in choices:
        if not move.substitutes and _spare(quests[move.quest], major, _mine(view)):
            return move
    return None


def _spare(quest: Quest, major: Quest | None, board: Mapping[str, Any]) -> bool:
    """Whether paying a quest leaves what lies ready for the major one; soldiers it brings count."""
    if major is None:
        return True
    held = [board["cubes"].get(name, 0) for name in STEPS] + [board["krystallium"], board["soldiers"]]
    gained = [0] * len(NAMES)
    for reward in quest.rewards:
        if reward.op == "gain_soldiers":
            gained[SOLDIERS] += reward.count
        if reward.op == "gain_krystallium":
            gained[KRYSTALLIUM] += reward.count
    return all(
        cost <= gain or have - cost + gain >= need
        for have, cost, gain, need in zip(held, quest.cost, gained, major.cost, strict=True)
    )


def _exchange(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """Five cubes the major quest does not take, for a krystallium."""
    choices = [move for move in moves if isinstance(move, ask.ExchangeCubes)]
    if not choices:
        return None
    major, board = major_quest(cards, view, view["you"]), _mine(view)
    need = dict.fromkeys(STEPS, 0) if major is None else dict(zip(NAMES, major.cost, strict=True))
    for move in choices:
        if all(board["cubes"].get(name, 0) - move.cubes.count(name) >= need[name] for name in move.cubes):
            return move
    return None


def _fight(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """The menace that costs most points for what it takes."""
    choices = [move for move in moves if isinstance(move, ask.DefeatMenace)]
    if not choices:
        return None
    return max(
        choices,
        key=lambda move: (
            -cards.menaces[move.card].points / price(cards.menaces[move.card].cost) - len(move.substitutes)
        ),
    )


def _advise(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """Advisors that bring cubes, krystallium or cards, once the collection area is planned; none of the
    soldiers a planned card takes are spent."""
    choices = [move for move in moves if isinstance(move, ask.ActivateAdvisor)]
    if not choices:
        return None
    board = _mine(view)
    needed = sum(planned.prospect.missing[SOLDIERS] for planned in best_plan(cards, view))
    for move in choices:
        row = cards.advisors[move.advisor]
        if board["soldiers"] - row.cost[SOLDIERS] < needed:
            continue
        ops = {each.op for each in row.effects}
        early = bool(ops & {"draw_keep", "double_recycle"})
        if ops & _USEFUL and (early or not board["collection_area"] or view["phase"] != "planning"):
            if "transmute" in ops and sum(board["cubes"].values()) < 2:
                continue
            return move
    return None


_USEFUL: Final = {
    "gain_cubes",
    "gain_cubes_choice",
    "gain_krystallium",
    "transmute",
    "draw_keep",
    "double_recycle",
    "boost_production",
    "salvage_leftover",
}


# Planning and placing


def _finish(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """Krystallium and soldiers, where they complete a card of the plan now."""
    tokens = [move for move in moves if isinstance(move, PlaceKrystallium | ask.PlaceSoldiers)]
    if not tokens:
        return None
    board = _mine(view)
    for planned in best_plan(cards, view):
        name, missing = planned.prospect.name, planned.prospect.missing
        if name is None or planned.round != view["round"]:
            continue
        others = sum(missing) - missing[SOLDIERS]
        if others <= board["krystallium"] and missing[SOLDIERS] <= board["soldiers"]:
            for move in tokens:
                if move.card == name:
                    return move
    return None


def _build(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """A collected card of the plan; every other is recycled."""
    builds = [move for move in moves if isinstance(move, ask.BuildDevelopment)]
    wanted = [each.prospect.kind for each in best_plan(cards, view) if each.prospect.name is None]
    for kind in wanted if builds else ():
        for move in builds:
            if move.card == kind:
                return move
    return next((move for move in moves if isinstance(move, ask.RecycleCollected)), None)


def _place(cards: CardSet, view: View, moves: Moves) -> Command | None:
    """Cubes the major quest takes on the duchy in the last rounds; the others to the cards of the plan in
    its order, then to whatever takes them, else on the duchy."""
    stores = [move for move in moves if isinstance(move, StoreCubes)]
    if not stores:
        return None
    major, board = major_quest(cards, view, view["you"]), _mine(view)
    if major is not None and view["round"] >= LATE:
        short = lacking(major, board)
        for store in stores:
            need = short[INDEX[store.resource]]
            if need:
                return StoreCubes(store.resource, min(need, store.count))
        if short[KRYSTALLIUM] and view["round"] > LATE:
            return stores[0]
    places = [move for move in moves if isinstance(move, PlaceCubes)]
    for planned in best_plan(cards, view) if places else ():
        for move in places:
            if move.card == planned.prospect.name:
                return move
    if places and major is None:
        return places[0]
    return stores[0]


_PREFERENCES: Final[tuple[Chooser, ...]] = (
    _secret,
    _offer,
    _resolve,
    _quest,
    _finish,
    _advise,
    _select,
    _salvage,
    _fight,
    _place,
    _build,
    _exchange,
)


def bots(cards: CardSet) -> Mapping[str, Policy]:
    """The bots of the game with these cards."""
    return {"random": random_policy, "easy": partial(easy, cards)}
