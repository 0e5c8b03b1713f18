"""What holds in every match, in every mode, on either side, with every quest board."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.kernel.engine import apply
from domain.kernel.game import Event
from domain.kernel.redaction import FACE_DOWN, redact
from domain.kernel.seats import SPECTATOR
from domain.wonderful_kingdom import GAME, ORIGINAL
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.bags import NAMES
from domain.wonderful_kingdom.building import exchanges
from domain.wonderful_kingdom.effects import owes
from domain.wonderful_kingdom.ending import score
from tests.domain.wonderful_kingdom.matches import TABLES, Turn, anything, builder, log, name, turns
from tests.given_when_then import NoChance

everywhere = pytest.mark.parametrize("table", TABLES, ids=name)
Table = dict[str, Any]


@everywhere
def test_a_match_ends_with_the_points_of_its_boards(table: Table) -> None:
    *_, last = turns(table, 2)
    outcome = GAME.outcome(last.state)
    assert outcome is not None
    assert sorted(seat for group in outcome.ranking for seat in group) == [0, 1]
    assert outcome.scores == [score(ORIGINAL, board) for board in last.state.boards]
    shown = GAME.view(last.state, SPECTATOR)
    assert shown["scores"] == [board["points"] for board in shown["boards"]] == outcome.scores
    assert GAME.decisions(last.state) == []


def everything(state: Any) -> Counter[str]:
    """Every card of the match, wherever it lies."""
    cards = [*state.deck, *state.discard, *state.box, *state.calamities, *state.rats]
    cards += [card for hand in (*state.hands, *state.drawn_advisors) for card in hand]
    cards += [laid.card for row in (*state.areas.values(), state.buried) for laid in row]
    for board in state.boards:
        cards += [laid.card for laid in board.collection]
        cards += [*board.constructed.values(), *board.calamities, *board.menaces, *board.unplayed]
        cards += [*board.advisors, *board.drawn, *board.kept]
        cards += [construction.kind for construction in board.constructions.values()]
    return Counter(cards)


@everywhere
def test_no_card_is_lost_or_doubled(table: Table) -> None:
    whole: Counter[str] = Counter()
    for turn in turns(table, 1):
        cards = everything(turn.state)
        assert FACE_DOWN not in cards
        if turn.state.phase == "menace_set":
            continue
        whole = whole or cards
        assert cards == whole
    developments = sum(row.copies for row in ORIGINAL.developments.values())
    extra = {"menaces": 10 + 8, "advisors": 14 + 8, "quests": 10 + 8}[table["mode"]]
    rats = {"giant_rats"} & {board.menace_set for board in turn.state.boards}
    assert whole.total() == developments + extra + (10 if rats else 0)


class Ledger:
    """What every seat must have, reckoned from the events alone: cubes in hand and on the duchy, on cards,
    krystallium and soldiers kept, soldiers in training."""

    def __init__(self) -> None:
        self.hand = [Counter[str](), Counter[str]()]
        self.duchy = [Counter[str](), Counter[str]()]
        self.kept = [Counter[str](), Counter[str]()]
        self.on_cards: list[dict[str, Counter[str]]] = [{}, {}]
        self.training = [0, 0]

    def read(self, event: Event) -> None:
        words = msgspec.to_builtins(event)
        getattr(self, type(event).__name__, lambda words: None)(words)

    def DuchiesDealt(self, words: dict[str, Any]) -> None:
        for seat in (0, 1):
            self.kept[seat].update(krystallium=words["krystallium"][seat], soldiers=words["soldiers"][seat])

    def CubesProduced(self, words: dict[str, Any]) -> None:
        for seat, count in enumerate(words["counts"]):
            assert count >= 0
            self.hand[seat][words["resource"]] += count

    def SupremacyWon(self, words: dict[str, Any]) -> None:
        self.training[words["seat"]] += -1 if words["trained"] else 1
        self.kept[words["seat"]]["soldiers"] += words["trained"]

    def TokensGained(self, words: dict[str, Any]) -> None:
        seat = words["seat"]
        self.kept[seat].update(krystallium=words["krystallium"], soldiers=words["soldiers"])
        self.training[seat] += words["training"]

    def AdvisorPlaced(self, words: dict[str, Any]) -> None:
        self.kept[words["seat"]]["soldiers"] += words["soldiers"]

    def CardRecycled(self, words: dict[str, Any]) -> None:
        self.hand[words["seat"]].update(words["cubes"])

    CubesGained = CardRecycled

    def CubeChosen(self, words: dict[str, Any]) -> None:
        self.hand[words["seat"]][words["resource"]] += 1

    def DevelopmentBegun(self, words: dict[str, Any]) -> None:
        assert words["card"] not in self.on_cards[words["seat"]]
        self.on_cards[words["seat"]][words["card"]] = Counter()

    def CubesPlaced(self, words: dict[str, Any]) -> None:
        self.hand[words["seat"]][words["resource"]] -= words["count"]
        self.on_cards[words["seat"]][words["card"]][words["resource"]] += words["count"]

    def KrystalliumPlaced(self, words: dict[str, Any]) -> None:
        self.kept[words["seat"]]["krystallium"] -= words["count"]
        self.on_cards[words["seat"]][words["card"]]["krystallium"] += words["count"]

    def SoldiersPlaced(self, words: dict[str, Any]) -> None:
        self.kept[words["seat"]]["soldiers"] -= words["count"]
        self.on_cards[words["seat"]][words["card"]]["soldiers"] += words["count"]

    def CubesStored(self, words: dict[str, Any]) -> None:
        seat = words["seat"]
        self.hand[seat][words["resource"]] -= words["count"]
        before = self.duchy[seat].total()
        self.duchy[seat] = Counter(words["duchy"])
        assert before + words["count"] == self.duchy[seat].total() + 5 * words["krystallium"]
        self.kept[seat]["krystallium"] += words["krystallium"]

    def DevelopmentScrapped(self, words: dict[str, Any]) -> None:
        self.on_cards[words["seat"]].pop(words["card"])
        self.hand[words["seat"]].update(words["cubes"])

    def DevelopmentCompleted(self, words: dict[str, Any]) -> None:
        lying = self.on_cards[words["seat"]].pop(words["card"])
        assert lying.total() == sum(ORIGINAL.developments[words["kind"]].cost)
        self.kept[words["seat"]].update(words["bonus"])

    def CubesExchanged(self, words: dict[str, Any]) -> None:
        assert len(words["cubes"]) == 5
        self.duchy[words["seat"]].subtract(words["cubes"])
        self.kept[words["seat"]]["krystallium"] += 1

    def CubesTransmuted(self, words: dict[str, Any]) -> None:
        self.duchy[words["seat"]].subtract(words["cubes"])
        self.kept[words["seat"]]["krystallium"] += words["krystallium"]

    def _pay(self, words: dict[str, Any]) -> None:
        for thing, count in words["paid"].items():
            held = self.kept if thing in ("krystallium", "soldiers") else self.duchy
            held[words["seat"]][thing] -= count

    QuestCompleted = AdvisorActivated = MenaceDefeated = _pay

    def agrees(self, state: Any) -> None:
        for seat, board in enumerate(state.boards):
            for index, colour in enumerate(NAMES[:4]):
                assert self.hand[seat][colour] == board.pool[index] + board.bound[index] >= 0
                assert self.duchy[seat][colour] == board.loose[index] >= 0
            assert [self.kept[seat][each] for each in NAMES[4:]] == board.pool[4:]
            assert min(board.pool) >= 0 and board.training == self.training[seat]
            assert 0 <= board.training <= 2
            assert sum(board.loose) < 5 or not exchanges(state)
            assert set(board.constructions) == set(self.on_cards[seat])
            for card, construction in board.constructions.items():
                placed = zip(NAMES, construction.placed, strict=True)
                assert +self.on_cards[seat][card] == Counter({each: n for each, n in placed if n})
                assert construction.left == sum(construction.empty) > 0 and min(construction.empty) >= 0


@everywhere
@pytest.mark.parametrize("pick", [anything, builder])
def test_every_cube_and_token_comes_from_a_rule_and_goes_by_one(table: Table, pick: Any) -> None:
    ledger = Ledger()
    for turn in turns(table, 3, pick):
        for event in turn.events:
            ledger.read(event)
        ledger.agrees(turn.state)


@everywhere
def test_what_is_owed_is_awaited_and_nothing_is_owed_for_ever(table: Table) -> None:
    for turn in turns(table, 5):
        state = turn.state
        if GAME.outcome(state) is not None:
            break
        (decision,) = GAME.decisions(state)
        for seat, board in enumerate(state.boards):
            assert seat in decision.awaited or not owes(board)
        assert GAME.advance(state, NoChance()) == []


def sampled(table: Table, every: int) -> Iterator[Turn]:
    """One turn in so many."""
    for number, turn in enumerate(turns(table, 6)):
        if number % every == 0:
            yield turn


@everywhere
def test_offers_are_as_many_as_a_hand_and_its_traps_allow(table: Table) -> None:
    """Every pair of cards, each left or right, each face up or (with traps) face down, once."""
    for turn in sampled(table, 3):
        state = turn.state
        if state.phase != "offer" or any(owes(board) for board in state.boards):
            continue
        seat = GAME.decisions(state)[0].awaited[0]
        hand, shown = state.hands[seat], GAME.view(state, seat)["boards"][seat]
        traps = shown["traps_left"]
        moves = [move for move in GAME.legal_moves(state, seat) if type(move).__name__ == "OfferCards"]
        pairs = {tuple(sorted((a, b))) for i, a in enumerate(hand) for b in hand[i + 1 :]}
        expected = 0
        for first, second in pairs:
            if first == second:
                expected += 3 + (4 if traps > 0 else 0) + (3 if traps > 1 else 0)
            else:
                expected += 4 + (8 if traps > 0 else 0) + (6 if traps > 1 else 0)
        assert len(moves) == expected


@everywhere
def test_types_and_order_of_events_do_not_depend_on_what_is_hidden(table: Table) -> None:
    """Every viewer is told as many events of the same classes, in the same order."""
    for viewer in (0, 1, SPECTATOR):
        events = log(table, 7)
        told = [redact(GAME.REDACTIONS, event, viewer) for event in events]
        assert [type(event) for event in told] == [type(event) for event in events]
        lengths = [[len(value) for value in lists(event)] for event in events]
        assert [[len(value) for value in lists(event)] for event in told] == lengths


def lists(event: Event) -> list[list[Any]]:
    """The lists in an event."""
    words = msgspec.to_builtins(event)
    return [value for value in words.values() if isinstance(value, list)]


@everywhere
def test_nobody_is_shown_a_face_down_card_of_another_before_planning(table: Table) -> None:
    state = GAME.initial()
    hidden: dict[int, int] = {0: 0, 1: 0}
    for event in log(table, 8):
        apply(GAME, state, event)
        for viewer in (0, 1):
            view = GAME.view(state, viewer)
            for row in (*view["areas"].values(), view["discarded_face_down"]):
                for laid in row:
                    unseen = "face_down_by" in laid and viewer not in laid["seen_by"]
                    assert (laid["card"] == FACE_DOWN) == unseen
                    hidden[viewer] += unseen
            for board in view["boards"]:
                for laid in board["collection_area"]:
                    unseen = "face_down_by" in laid and viewer not in laid["seen_by"]
                    assert (laid["card"] == FACE_DOWN) == unseen
                    assert "face_down_by" not in laid or view["phase"] != "planning"
    assert min(hidden.values()) > 0


def test_the_redaction_table_is_closed() -> None:
    classes = {kind.cls for kind in GAME.EVENTS.values()}
    assert {kind for kind in GAME.REDACTIONS if kind.__name__ != "MatchStarted"} == classes
    hiding = {kind for kind, secret in GAME.REDACTIONS.items() if secret is not None}
    assert {kind.__name__ for kind in hiding} == {
        "DeckShuffled", "AdvisorsDrawn", "AdvisorKept", "HandsDealt", "MenaceChosen", "CardsOffered",
        "CardPeeked", "CardsDrawn", "HiddenDealt",
    }  # fmt: skip
    assert ev.CollectionsRevealed not in hiding
