"""What many matches say together: who wins, by how much, and which cards nobody completes."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Final

from domain.wonderful_kingdom import CardSet
from domain.wonderful_kingdom.cards import Development
from service.statistics.figures import interval
from tools.balance.matches import Played

_PERCENTILES: Final = (5, 25, 50, 75, 95)
# A development completed less often than this, of all that were begun or dealt, is called rare.
RARE: Final = 0.02


@dataclass(frozen=True, slots=True)
class Share:
    """How often something won, out of `of` seats that had it, shared wins as halves."""

    name: str
    won: float
    of: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval."""
        return interval(self.won, self.of)

    @property
    def leans(self) -> bool:
        """Whether one half lies outside the interval."""
        low, high = self.interval
        return not low <= 0.5 <= high


@dataclass(frozen=True, slots=True)
class Report:
    """All about one mode."""

    mode: str
    matches: int
    shared: int
    without_winner: int
    shares: list[Share]
    failed: list[Share]
    scores: list[int]
    categories: dict[str, float]
    developments: float
    percentiles: dict[int, int]
    never_completed: list[str]
    rarely_completed: list[str]
    unused: list[str]
    rates: dict[str, float]

    @property
    def mean(self) -> float:
        """The mean score of a seat."""
        return fmean(self.scores)

    @property
    def deviation(self) -> float:
        """The standard deviation of a seat's score."""
        return stdev(self.scores)


def report(mode: str, played: Sequence[Played], cards: CardSet) -> Report:
    """What the matches of one mode say. Seats are counted where somebody won."""
    scores = sorted(points for match in played for points in match.points)
    counts: dict[str, Counter[str]] = {}
    for match in played:
        for kind, counted in match.counts.items():
            counts.setdefault(kind, Counter()).update(counted)
    seats = 2 * len(played)
    names = [category for category in played[0].categories[0]]
    done = {kind: counts["completed"][kind] / (len(played) * row.copies) for kind, row in _rows(cards)}
    return Report(
        mode,
        len(played),
        sum(len(match.winners) > 1 for match in played),
        sum(not match.winners for match in played),
        _shares(played),
        _failures(played),
        scores,
        {name: sum(score[name] for match in played for score in match.categories) / seats for name in names},
        sum(sum(match.developments) for match in played) / seats,
        {percent: scores[(len(scores) - 1) * percent // 100] for percent in _PERCENTILES},
        [kind for kind, rate in done.items() if rate == 0],
        [kind for kind, rate in done.items() if 0 < rate < RARE],
        _unused(mode, counts, cards),
        done,
    )


def _rows(cards: CardSet) -> list[tuple[str, Development]]:
    return list(cards.developments.items())


def _shares(played: Sequence[Played]) -> list[Share]:
    """Wins by seat, by who began, by side and duchy, by menace set."""
    won: dict[str, list[float]] = {}

    def note(name: str, share: float) -> None:
        won.setdefault(name, []).append(share)

    for match in (match for match in played if match.winners):
        for seat in (0, 1):
            share = (seat in match.winners) / len(match.winners)
            note(f"seat {seat}", share)
            note("start player" if seat == match.start else "second player", share)
            note(f"{match.duchies[seat]}, side {match.options['side']}", share)
            if match.sets[seat]:
                note(f"{match.sets[seat]} chosen", share)
    return [Share(name, sum(shares), len(shares)) for name, shares in sorted(won.items())]


def _failures(played: Sequence[Played]) -> list[Share]:
    """How often a seat failed the major quest, by board; nothing in another mode."""
    if played[0].options["mode"] != "quests":
        return []
    boards = sorted({str(match.options["quest_board"]) for match in played})
    found = []
    for board in boards:
        at = [match for match in played if match.options["quest_board"] == board]
        found.append(Share(board, sum(len(match.failed) for match in at), 2 * len(at)))
    return found


def _unused(mode: str, counts: dict[str, Counter[str]], cards: CardSet) -> list[str]:
    """Cards of the mode that were there and never used: advisors, quests, menaces defeated."""
    used: dict[str, Callable[[], Iterable[str]]] = {
        "advisors": lambda: set(cards.advisors) - set(counts["activated"]),
        "quests": lambda: (
            {quest.id for board in cards.boards.values() for quest in board.quests} - set(counts["paid"])
        ),
        "menaces": lambda: set(counts["arrived"]) - set(counts["defeated"]),
    }
    return sorted(used[mode]())
