"""The bot `easy`: a fixed list of preferences. Frozen, never retuned: other bots are measured against it.

The list is rbAI of Robilliard et al. (2014). Ages I and II, the first that applies: a card with two or more
resources; a resource still lacking; a red card that gives the (shared) military lead to a seat that does not
lead alone; the best blue card; a green card; anything playable; else discard. Age III: the most points at
once. It pays what is cheapest, and of two equal payments the one that favours the weaker neighbour.

What the list leaves open is settled here: a resource is lacking while no source gives it for certain (an
either/or source does not count); the best blue card is the one with most points, then the cheapest; of green
cards, a symbol the city has most of; "anything playable" is the next stage first, its marker being the card
that is worth least, then the cheapest structure; points at once are the change of the final score as it
stands, with the coming conflict fought at today's shields.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from domain.kernel.game import Command, Generator, View
from domain.seven_wonders import commands as cmd
from domain.seven_wonders.building import DISCARD_COINS, action, chained, income
from domain.seven_wonders.cards import BLUE, CARDS, GREEN, RED, Card
from domain.seven_wonders.conflicts import conflict
from domain.seven_wonders.effects import FIELD_BITS, FIELD_MASK, Produce
from domain.seven_wonders.effects import SYMBOLS as SYMBOL_NAMES
from domain.seven_wonders.ending import best_copy, best_symbols, score, symbol_counts
from domain.seven_wonders.options import OPTIONS
from domain.seven_wonders.state import (
    BOARDS,
    FREE_CITY,
    GUILD,
    SEARCHING,
    SYMBOLS,
    City,
    State,
    left_city,
    right_city,
)
from domain.seven_wonders.wonders import WONDERS, Stage

Rank = tuple[int, ...]

LAST_AGE: Final = 3
STRUCTURE, STAGE, DISCARD = "structure", "stage", "discard"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One use of one card; `cost` is what is paid for it in all."""

    command: Command
    use: str
    card: Card
    cost: int


# A line of the list: how much it wants a candidate for a city, the higher the better, or None: not at all.
Rule = Callable[[State, int, Candidate], Rank | None]


def easy_policy(view: View, moves: Sequence[Command], dice: Generator) -> Command:
    """What the list says; the dice are never thrown."""
    table, you, phase = table_of(view), int(view["you"]), view["phase"]
    if phase == BOARDS:
        return max(moves, key=_stage_points)
    if phase == SYMBOLS:
        best = best_symbols(symbol_counts(table.cities[you]), len(moves[0].symbols))
        return cmd.ChooseSymbols([SYMBOL_NAMES[symbol] for symbol in best])
    if phase == GUILD:
        return cmd.CopyGuild(best_copy(table, you))
    for_free_city = [move for move in moves if isinstance(move, cmd.PlayFreeCity)]
    if for_free_city:
        return choose_for_free_city(table, you, for_free_city)
    number = _searching_city(table) if phase == SEARCHING else you
    if number != you and cmd.TakeNothing() in moves:
        return cmd.TakeNothing()
    return choose(table, number, candidates(table, number, moves))


# What it sees


def table_of(view: View) -> State:
    """The cities of a view as the rules count them. Markers are blank; no hand, deck or discard is known."""
    return State(
        phase=view["phase"],
        seats=len(view["hands"]),
        options={option.name: option.default for option in OPTIONS},
        age=view["age"],
        turn=view["turn"],
        cities=[_city_of(shown) for shown in view["cities"]],
    )


def _city_of(shown: View) -> City:
    city = City(shown["wonder"] or "", shown["side"] or "", shown["coins"])
    if not city.side:
        return city
    board = city.board
    stages, cards = board.stages[: shown["stages"]], [CARDS[name] for name in shown["cards"]]
    city.cards = list(shown["cards"])
    city.structures = {card.structure for card in cards}
    city.markers = [""] * len(stages)
    city.own = board.makes + sum(stage.makes for stage in stages) + sum(card.makes for card in cards)
    city.sale = board.makes + sum(card.sells for card in cards)
    city.shields = shown["shields"]
    city.tokens = list(shown["tokens"])
    return city


def _searching_city(table: State) -> int:
    """The city that searches the discard pile: with two players it may be the Free City."""
    return next(number for number, city in enumerate(table.cities) if city.wonder == "halicarnassus")


def _next_stage(table: State, number: int) -> Stage:
    city = table.cities[number]
    return city.board.stages[len(city.markers)]


def candidates(table: State, number: int, moves: Iterable[Command]) -> list[Candidate]:
    """One candidate for each use of each card: by the cheapest payment, and of equal ones by the one that
    pays the neighbour with fewer points."""
    cities = len(table.cities)
    left_is_weaker = _points(table, (number + 1) % cities) <= _points(table, (number - 1) % cities)
    best: dict[tuple[str, str], tuple[tuple[int, int], Candidate]] = {}
    for move, use, name, left, right in _uses(moves):
        dearness = (left + right, right if left_is_weaker else left)
        if (use, name) not in best or dearness < best[use, name][0]:
            card = CARDS[name]
            cost = left + right + _bank(table, number, move, use, card)
            best[use, name] = (dearness, Candidate(move, use, card, cost))
    return [candidate for _, candidate in best.values()]


def _uses(moves: Iterable[Command]) -> Iterator[tuple[Command, str, str, int, int]]:
    """The moves that use a card: the use, the card, the coins for the left and the right neighbour."""
    for move in moves:
        match move:
            case cmd.BuildStructure(card, left, right):
                yield move, STRUCTURE, card, left, right
            case cmd.BuildForFree(card) | cmd.TakeFromDiscard(card):
                yield move, STRUCTURE, card, 0, 0
            case cmd.BuildStage(card, left, right):
                yield move, STAGE, card, left, right
            case cmd.DiscardForCoins(card):
                yield move, DISCARD, card, 0, 0


def _bank(table: State, number: int, move: Command, use: str, card: Card) -> int:
    if use == STAGE:
        return _next_stage(table, number).coins
    free = not isinstance(move, cmd.BuildStructure) or chained(table.cities[number], card)
    return 0 if free else card.coins


# The list


def choose(table: State, number: int, offered: Sequence[Candidate]) -> Command:
    """What the first line of the list that wants anything wants most; of equals the first."""
    for rule in AGE_III if table.age == LAST_AGE else AGES_I_II:
        wanted = [(rank, c) for c in offered if (rank := rule(table, number, c)) is not None]
        if wanted:
            return max(wanted, key=lambda ranked: ranked[0])[1].command
    raise ValueError("no move uses a card")


def several_resources(table: State, number: int, candidate: Candidate) -> Rank | None:
    """A card with two or more resources: one that gives more of what is lacking, then the cheapest."""
    if candidate.use != STRUCTURE or _resources(candidate.card) < 2:
        return None
    return _new_resources(table.cities[number], candidate.card), -candidate.cost


def lacking_resource(table: State, number: int, candidate: Candidate) -> Rank | None:
    """A resource still lacking: the cheapest."""
    if candidate.use != STRUCTURE or not _new_resources(table.cities[number], candidate.card):
        return None
    return (-candidate.cost,)


def military_lead(table: State, number: int, candidate: Candidate) -> Rank | None:
    """A red card that makes the city (one of) the strongest, unless it is the only one: the most shields."""
    if candidate.use != STRUCTURE or candidate.card.colour != RED:
        return None
    own = table.cities[number].shields
    strongest = max(city.shields for other, city in enumerate(table.cities) if other != number)
    if own > strongest or own + candidate.card.shields < strongest:
        return None
    return candidate.card.shields, -candidate.cost


def best_blue(table: State, number: int, candidate: Candidate) -> Rank | None:
    """The blue card with the most points, then the cheapest."""
    if candidate.use != STRUCTURE or candidate.card.colour != BLUE:
        return None
    return candidate.card.points, -candidate.cost


def green(table: State, number: int, candidate: Candidate) -> Rank | None:
    """A green card: the symbol the city has most of, then the cheapest."""
    if candidate.use != STRUCTURE or candidate.card.colour != GREEN:
        return None
    return symbol_counts(table.cities[number])[candidate.card.symbol], -candidate.cost


def playable(table: State, number: int, candidate: Candidate) -> Rank | None:
    """Anything that can be built: the next stage with the card that is worth least as its marker, then the
    cheapest structure."""
    card = candidate.card
    if candidate.use == STAGE:
        return 1, -_resources(card), -card.points, -card.shields
    return (0, -candidate.cost) if candidate.use == STRUCTURE else None


def discard(table: State, number: int, candidate: Candidate) -> Rank | None:
    """The first card of the hand, for coins."""
    return () if candidate.use == DISCARD else None


def points_at_once(table: State, number: int, candidate: Candidate) -> Rank:
    """The most points at once, then rather built than discarded, then the cheapest."""
    gain = _points(_after(table, number, candidate), number) - _points(table, number)
    return gain, candidate.use != DISCARD, -candidate.cost


AGES_I_II: Final[tuple[Rule, ...]] = (
    several_resources,
    lacking_resource,
    military_lead,
    best_blue,
    green,
    playable,
    discard,
)
AGE_III: Final[tuple[Rule, ...]] = (points_at_once,)


def _resources(card: Card) -> int:
    """How many resources a card names."""
    sources = [effect.alternatives for effect in card.effects if isinstance(effect, Produce)]
    return sum(len(bundle) for alternatives in sources for bundle in alternatives)


def _new_resources(city: City, card: Card) -> int:
    """How many kinds of resource the card gives that no source of the city gives for certain."""
    sources = [effect.alternatives for effect in card.effects if isinstance(effect, Produce)]
    kinds = {resource for alternatives in sources for bundle in alternatives for resource in bundle}
    return sum(not city.own >> FIELD_BITS * resource & FIELD_MASK for resource in kinds)


def _points(table: State, number: int) -> int:
    """The final score as it stands, with the coming conflict fought at today's shields."""
    city = table.cities[number]
    others = (left_city(table, number), right_city(table, number))
    coming = sum(conflict(city.shields, other.shields, table.age) for other in others)
    return sum(score(table, number, best_copy(table, number)).values()) + coming


def _after(table: State, number: int, candidate: Candidate) -> State:
    """The table once this city alone has done this."""
    city, card = table.cities[number], candidate.card
    cards, markers, shields = city.cards, city.markers, city.shields
    if candidate.use == DISCARD:
        coins = DISCARD_COINS
    elif candidate.use == STAGE:
        stage = _next_stage(table, number)
        coins = income(table, number, stage.effects, {number: action(STAGE, card.id)})
        markers, shields = [*markers, card.id], shields + stage.shields
    else:
        coins = income(table, number, card.effects, {number: action(STRUCTURE, card.id)})
        cards, shields = [*cards, card.id], shields + card.shields
    built = replace(
        city, cards=cards, markers=markers, shields=shields, coins=city.coins + coins - candidate.cost
    )
    return replace(table, cities=[*table.cities[:number], built, *table.cities[number + 1 :]])


# Boards and the Free City, on which the list is silent: the board with most points on its stages, and what
# helps the other player least (nothing from the discard pile)


def _stage_points(move: cmd.ChooseBoard) -> int:
    """The points of all stages of a board."""
    return sum(stage.points for stage in WONDERS[move.wonder][move.side].stages)


def choose_for_free_city(table: State, you: int, moves: Sequence[cmd.PlayFreeCity]) -> Command:
    """No shields for the Free City; then the card that the other player's list would take; then the most
    coins to this seat, and the fewest to the other."""
    return max(moves, key=partial(_free_city_rank, table, you))


def _free_city_rank(table: State, you: int, move: cmd.PlayFreeCity) -> Rank:
    card, rival = CARDS[move.card], 1 - you
    shields = _next_stage(table, FREE_CITY).shields if move.use == STAGE else card.shields
    to_you, to_rival = move.pay_left, move.pay_right
    if you == 1:
        to_you, to_rival = to_rival, to_you
    wish = _wish(table, rival, card)
    return 0 if move.use == DISCARD else -shields, *wish, to_you, -to_rival


def _wish(table: State, number: int, card: Card) -> Rank:
    """How much the list would like to build a card in a city, whatever it costs: (line, rank in it)."""
    if card.structure in table.cities[number].structures:
        return -len(AGES_I_II), 0
    candidate = Candidate(None, STRUCTURE, card, 0)
    if table.age == LAST_AGE:
        return 0, points_at_once(table, number, candidate)[0]
    ranks = ((-line, rule(table, number, candidate)) for line, rule in enumerate(AGES_I_II))
    return next((line, rank[0]) for line, rank in ranks if rank is not None)
