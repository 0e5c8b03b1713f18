"""Cards, cubes, krystallium and characters come by a rule and go by one, in every match."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from domain.kernel.game import Event
from domain.kernel.redaction import FACE_DOWN
from domain.wonderful.cubes import NAMES
from domain.wonderful_world.decks import CARDS, ascension_deck, base_deck
from domain.wonderful_world.options import with_ascension
from domain.wonderful_world.setup import deal
from tests.domain.wonderful_world.matches import TABLES, name, turns

everywhere = pytest.mark.parametrize("table", TABLES, ids=name)


def everything(state: Any) -> Counter[str]:
    """Every card on the table, wherever it lies."""
    cards = [*state.deck, *state.ascension, *state.discard, *state.offered]
    cards += [card for pile in (*state.hands, *state.piles) for card in pile]
    for board in state.boards:
        cards += [*board.area, *board.constructed]
        cards += [construction.kind for construction in board.constructions.values()]
    return Counter(cards)


@everywhere
def test_no_card_is_lost_or_doubled(table: tuple[int, dict[str, Any]]) -> None:
    seats, options = table
    cards = base_deck(bool(options.get("war_or_peace")))
    if with_ascension({"corruption_and_ascension": False, **options}, seats):
        cards += ascension_deck()
    for turn in turns(table[0], 1, table[1]):
        assert FACE_DOWN not in everything(turn.state)
        assert everything(turn.state) == Counter(cards)


class Ledger:
    """What every seat must have, reckoned from the events alone."""

    def __init__(self, seats: int) -> None:
        self.cubes = [0] * seats  # to place, on cards under construction, on the Empire card
        self.kept = [Counter[str]() for _ in range(seats)]
        self.names: set[tuple[int, str]] = set()
        self.on_cards: list[dict[str, Counter[str]]] = [{} for _ in range(seats)]

    def read(self, event: Event) -> None:
        words = msgspec.to_builtins(event)
        getattr(self, type(event).__name__, lambda words: None)(words)

    def EmpiresDealt(self, words: dict[str, Any]) -> None:
        for seat, count in enumerate(words["krystallium"]):
            self.kept[seat]["krystallium"] += count

    def TokensProduced(self, words: dict[str, Any]) -> None:
        for seat, kept in enumerate(self.kept):
            kept["krystallium"] += words["krystallium"][seat]
            kept["financier"] += words["financiers"][seat]
            kept["general"] += words["generals"][seat]

    def SupremacyAwarded(self, words: dict[str, Any]) -> None:
        if words["character"] is not None:
            self.kept[words["seat"]][words["character"]] += 1

    def CharacterChosen(self, words: dict[str, Any]) -> None:
        self.kept[words["seat"]][words["character"]] += 1

    def CubesProduced(self, words: dict[str, Any]) -> None:
        for seat, count in enumerate(words["counts"]):
            assert count >= 0
            self.cubes[seat] += count

    def ScenarioLaidOut(self, words: dict[str, Any]) -> None:
        for kind in words["cards"]:
            self.on_cards[0][f"{kind}-1"] = Counter()

    def CardSlated(self, words: dict[str, Any]) -> None:
        assert (words["seat"], words["card"]) not in self.names, "a name used twice"
        self.names.add((words["seat"], words["card"]))
        self.on_cards[words["seat"]][words["card"]] = Counter()

    def _put(self, words: dict[str, Any], thing: str, count: int) -> None:
        assert count > 0
        self.on_cards[words["seat"]][words["card"]][thing] += count

    def _form(self, words: dict[str, Any]) -> None:
        self.cubes[words["seat"]] -= 5 * words["krystallium"]
        self.kept[words["seat"]]["krystallium"] += words["krystallium"]

    def CardRecycled(self, words: dict[str, Any]) -> None:
        self.cubes[words["seat"]] += 1
        if words["target"] is not None:
            self._put({**words, "card": words["target"]}, words["resource"], 1)
        self._form(words)

    def CubesPlaced(self, words: dict[str, Any]) -> None:
        self._put(words, words["resource"], words["count"])

    def CubesStored(self, words: dict[str, Any]) -> None:
        assert words["count"] > 0
        self._form(words)

    def KrystalliumPlaced(self, words: dict[str, Any]) -> None:
        self.kept[words["seat"]]["krystallium"] -= words["count"]
        self._put(words, "krystallium", words["count"])

    def CharactersPlaced(self, words: dict[str, Any]) -> None:
        self.kept[words["seat"]][words["character"]] -= words["count"]
        self._put(words, words["character"], words["count"])

    def _return(self, words: dict[str, Any]) -> int:
        placed = self.on_cards[words["seat"]].pop(words["card"])
        self.cubes[words["seat"]] -= sum(placed[name] for name in NAMES[:5])
        count: int = placed.total()
        return count

    def ConstructionDiscarded(self, words: dict[str, Any]) -> None:
        self._return(words)
        self.cubes[words["seat"]] += 1
        self._form(words)

    def CardConstructed(self, words: dict[str, Any]) -> None:
        assert self._return(words) == CARDS[words["kind"]].spaces
        assert words["bonus"] == CARDS[words["kind"]].bonus
        self.kept[words["seat"]].update(words["bonus"])

    def agrees(self, state: Any) -> None:
        for seat, board in enumerate(state.boards):
            held = sum(board.pool[:5]) + board.loose
            for card, construction in board.constructions.items():
                placed = zip(NAMES, construction.placed, strict=True)
                assert +self.on_cards[seat][card] == Counter({name: n for name, n in placed if n})
                assert construction.left == sum(construction.empty) > 0
                assert min(construction.empty) >= 0
                held += sum(construction.placed[:5])
            assert set(board.constructions) == set(self.on_cards[seat])
            assert self.cubes[seat] == held
            assert [board.pool[index] for index in (5, 6, 7)] == [
                self.kept[seat][name] for name in ("krystallium", "financier", "general")
            ]
            assert 0 <= board.loose < 5
            assert min(board.pool) >= 0


@everywhere
def test_every_cube_and_token_comes_from_a_rule_and_goes_by_one(table: tuple[int, dict[str, Any]]) -> None:
    ledger = Ledger(table[0])
    for turn in turns(table[0], 1, table[1]):
        for event in turn.events:
            ledger.read(event)
        ledger.agrees(turn.state)


@everywhere
def test_nothing_waits_when_a_step_is_over(table: tuple[int, dict[str, Any]]) -> None:
    for turn in turns(table[0], 1, table[1]):
        for seat, board in enumerate(turn.state.boards):
            waiting = [index for index in range(5) if board.pool[index]]
            if board.validated or turn.state.phase != "production":
                assert waiting == []
            if (
                board.validated
                and turn.state.phase == "planning"
                or turn.state.phase in ("production", "over")
            ):
                assert board.area == [], "a drafted card was forgotten"
            if turn.state.phase == "draft":
                assert len(board.area) + len(turn.state.hands[seat]) == sum(deal(turn.state))
            if turn.state.phase == "production":
                assert not (board.validated and turn.state.choices[seat])
            assert set(waiting) <= {turn.state.step}
            if waiting:
                assert any(card.empty[waiting[0]] for card in board.constructions.values()), seat
