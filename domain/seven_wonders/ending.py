"""The end of the game: points in seven categories, guild copies, wild symbols, ranking (rules 8, 11)."""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import Final

from domain.kernel.chance import Chance
from domain.kernel.errors import refuse
from domain.kernel.game import Command, Event, Outcome
from domain.kernel.seats import Seat, ranked
from domain.seven_wonders.building import counted, has_power
from domain.seven_wonders.cards import BLUE, CARDS, PURPLE, YELLOW
from domain.seven_wonders.commands import ChooseSymbols
from domain.seven_wonders.commands import CopyGuild as CopyGuildCommand
from domain.seven_wonders.effects import SYMBOLS, CopyGuild, PointsPer, ScienceChoice
from domain.seven_wonders.events import (
    GuildChoiceOffered,
    GuildCopied,
    PointsCounted,
    SymbolChoiceOffered,
    SymbolsChosen,
)
from domain.seven_wonders.options import END_CHOICES, SHIPOWNERS
from domain.seven_wonders.state import GUILD, OVER, Action, City, State, left_city, right_city
from domain.seven_wonders.state import SYMBOLS as CHOOSE_SYMBOLS

CATEGORIES: Final = ("military", "treasury", "wonder", "civilian", "science", "commerce", "guilds")
COINS_A_POINT: Final = 3
SET_POINTS: Final = 7


def science(counts: Sequence[int]) -> int:
    """Squares of the symbol counts, and 7 for each set of three different ones (rules 11.5)."""
    return sum(count * count for count in counts) + SET_POINTS * min(counts)


def best_symbols(counts: Sequence[int], wild: int) -> tuple[int, ...]:
    """The wild symbols, as indexes, that score most; the first such choice in the order of `SYMBOLS`."""

    def points(choice: tuple[int, ...]) -> int:
        return science([count + choice.count(symbol) for symbol, count in enumerate(counts)])

    return max(combinations_with_replacement(range(len(SYMBOLS)), wild), key=points)


def symbol_counts(city: City) -> list[int]:
    """The printed symbols of a city, in the order of `SYMBOLS`."""
    symbols = [CARDS[name].symbol for name in city.cards]
    return [symbols.count(symbol) for symbol in range(len(SYMBOLS))]


def wild_symbols(state: State, number: int, copied: str | None) -> int:
    """How many symbols of choice a city has: stages, Scientists Guild, a copy of it (rules 11.5)."""
    city = state.cities[number]
    stages = city.board.stages[: len(city.markers)]
    names = [*city.cards, copied] if copied else city.cards
    effects = [effect for stage in stages for effect in stage.effects]
    effects += [effect for name in names for effect in CARDS[name].effects]
    return sum(isinstance(effect, ScienceChoice) for effect in effects)


def points_of(state: State, number: int, card: str, placed: dict[int, Action] | None = None) -> int:
    """The points a card gives at the end where it stands: flat and counted ones, no science. `placed`: what
    is just being placed and counts too."""
    per = [effect for effect in CARDS[card].effects if isinstance(effect, PointsPer)]
    counts = [effect.points * counted(state, number, effect, placed or {}) for effect in per]
    return CARDS[card].points + sum(counts)


def copied_points(state: State, number: int, guild: str) -> int:
    """The points of a copied guild, as if it stood here; a copied Shipowners counts itself or not (U2)."""
    points = points_of(state, number, guild)
    colours = [effect.colours for effect in CARDS[guild].effects if isinstance(effect, PointsPer)]
    itself = any(PURPLE in colour for colour in colours) and "self" in _scopes(guild)
    return points + (1 if itself and state.options[SHIPOWNERS] else 0)


def _scopes(card: str) -> list[str]:
    return [
        where for effect in CARDS[card].effects if isinstance(effect, PointsPer) for where in effect.scope
    ]


def score(
    state: State, number: int, copied: str | None, symbols: Sequence[int] | None = None
) -> dict[str, int]:
    """The points of a city by category. `symbols`: the wild symbols chosen; None: those that score most."""
    city = state.cities[number]
    counts = symbol_counts(city)
    if symbols is None:
        symbols = best_symbols(counts, wild_symbols(state, number, copied))
    counts = [count + list(symbols).count(symbol) for symbol, count in enumerate(counts)]
    by_colour = {colour: 0 for colour in (BLUE, YELLOW, PURPLE)}
    for name in city.cards:
        colour = CARDS[name].colour
        if colour in by_colour:
            by_colour[colour] += points_of(state, number, name)
    return {
        "military": sum(city.tokens),
        "treasury": city.coins // COINS_A_POINT,
        "wonder": sum(stage.points for stage in city.board.stages[: len(city.markers)]),
        "civilian": by_colour[BLUE],
        "science": science(counts),
        "commerce": by_colour[YELLOW],
        "guilds": by_colour[PURPLE] + (copied_points(state, number, copied) if copied else 0),
    }


def copyable(state: State, number: int) -> list[str]:
    """The guilds of both neighbours that this city may copy (rules 8.8)."""
    if not has_power(state.cities[number], CopyGuild):
        return []
    neighbours = (left_city(state, number), right_city(state, number))
    return sorted(name for city in neighbours for name in city.cards if CARDS[name].colour == PURPLE)


def best_copy(state: State, number: int) -> str | None:
    """The guild whose copy scores most, in any category; None where there is none."""
    return max(
        copyable(state, number),
        key=lambda guild: sum(score(state, number, guild).values()),
        default=None,
    )


def finish(state: State) -> list[Event]:
    """Ask for what is to be asked, then count the points."""
    if state.awaited:
        return []
    seats = range(state.seats)
    if state.options[END_CHOICES] == "ask":
        for seat in seats:
            if seat not in state.copied and (guilds := copyable(state, seat)):
                return [GuildChoiceOffered(seat, guilds)]
        wild = {seat: wild_symbols(state, seat, state.copied.get(seat)) for seat in seats}
        due = [seat for seat in seats if wild[seat] and seat not in state.symbols]
        if due:
            return [SymbolChoiceOffered(due, [wild[seat] for seat in due])]
        copied = [state.copied.get(seat) for seat in seats]
        chosen = [[SYMBOLS.index(name) for name in state.symbols.get(seat, [])] for seat in seats]
        return [PointsCounted([score(state, seat, copied[seat], chosen[seat]) for seat in seats], copied)]
    copied = [best_copy(state, seat) for seat in seats]
    return [PointsCounted([score(state, seat, copied[seat]) for seat in seats], copied)]


def ranking(scores: Sequence[dict[str, int]], coins: Sequence[int]) -> list[list[Seat]]:
    """By points, then by coins in the treasury, then shared (rules 11.8)."""
    keys = [(sum(points.values()), owned) for points, owned in zip(scores, coins, strict=True)]
    return ranked(range(len(keys)), keys)


def outcome(state: State) -> Outcome | None:
    """The ranking and the points, once they are counted; the Free City has no part in it."""
    if state.phase != OVER:
        return None
    coins = [city.coins for city in state.cities[: state.seats]]
    return Outcome(ranking(state.scores, coins), state.scores)


# Asked-for choices


def guild_legal_moves(state: State, seat: Seat) -> list[Command]:
    """The guilds to copy, and none."""
    return [*(CopyGuildCommand(guild) for guild in dict.fromkeys(state.guilds)), CopyGuildCommand(None)]


def guild_decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """Copy a guild or none. Raises IllegalMove."""
    if not isinstance(command, CopyGuildCommand):
        raise refuse("not-now", "choose a guild to copy", "7W 8.8")
    if command.guild is not None and command.guild not in state.guilds:
        raise refuse("no-such-guild", "no neighbour has this guild", "7W 8.8")
    return [GuildCopied(seat, command.guild)]


def guild_default_move(state: State, seat: Seat) -> Command:
    """The guild that scores most."""
    return CopyGuildCommand(best_copy(state, seat))


def symbol_legal_moves(state: State, seat: Seat) -> list[Command]:
    """Every choice of this seat's wild symbols, in the order of `SYMBOLS`."""
    return [
        ChooseSymbols(list(choice)) for choice in combinations_with_replacement(SYMBOLS, state.wild[seat])
    ]


def symbol_decide(state: State, seat: Seat, command: Command, chance: Chance) -> list[Event]:
    """Choose the wild symbols. Raises IllegalMove."""
    if not isinstance(command, ChooseSymbols):
        raise refuse("not-now", "choose your symbols", "7W 8.4")
    if command not in symbol_legal_moves(state, seat):
        raise refuse("wrong-symbols", "name as many symbols as you have, in printed order", "7W 8.4")
    return [SymbolsChosen(seat, list(command.symbols))]


def symbol_default_move(state: State, seat: Seat) -> Command:
    """The symbols that score most."""
    best = best_symbols(symbol_counts(state.cities[seat]), state.wild[seat])
    return ChooseSymbols([SYMBOLS[symbol] for symbol in best])


# Folding


def _guild_offered(state: State, event: GuildChoiceOffered) -> None:
    state.phase, state.awaited, state.opened = GUILD, [event.seat], state.version
    state.guilds = event.guilds


def _guild_copied(state: State, event: GuildCopied) -> None:
    state.awaited, state.guilds = [], []
    state.copied[event.seat] = event.guild


def _symbols_offered(state: State, event: SymbolChoiceOffered) -> None:
    state.phase, state.awaited, state.opened = CHOOSE_SYMBOLS, list(event.seats), state.version
    state.wild = dict(zip(event.seats, event.counts, strict=True))


def _symbols_chosen(state: State, event: SymbolsChosen) -> None:
    state.awaited = [seat for seat in state.awaited if seat != event.seat]
    state.symbols[event.seat] = event.symbols


def _counted(state: State, event: PointsCounted) -> None:
    state.phase, state.scores = OVER, event.scores
    state.copied = dict(enumerate(event.copied))


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    GuildChoiceOffered: _guild_offered,
    GuildCopied: _guild_copied,
    SymbolChoiceOffered: _symbols_offered,
    SymbolsChosen: _symbols_chosen,
    PointsCounted: _counted,
}
