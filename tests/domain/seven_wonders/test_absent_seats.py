"""Every kind of decision when the seat it waits for gives up or runs out of time."""

from collections.abc import Callable

import pytest

from domain import seven_wonders
from domain.kernel import match as matches
from domain.kernel.match import By
from domain.kernel.seats import Seat
from domain.kernel.table import (
    OVER,
    DeadlineExpired,
    MatchCreated,
    MatchEnded,
    ReclaimSeat,
    ReportBotFailure,
    Resign,
    SeatJoined,
    SeatPlan,
    SeatResigned,
    SeatTakenOver,
)
from domain.seven_wonders.commands import BuildStage, BuildStructure, DiscardForCoins
from domain.seven_wonders.events import (
    ActionChosen,
    BoardChosen,
    CardDiscarded,
    ConflictsResolved,
    GuildCopied,
    NothingTaken,
    SymbolsChosen,
)
from tests.domain.kernel import sitting
from tests.domain.kernel.sitting import Sitting
from tests.domain.seven_wonders.tables import FREE_CITY, Town, options, table, town


def seated_at(*towns: Town | str, seats: int = 3, **facts: object) -> Sitting:
    """A match of people at this table."""
    chosen = {name: facts.pop(name) for name in list(facts) if name in ("on_expiry", "takeover_bot")}
    every = sitting.options(seven_wonders) | chosen
    found = Sitting(seven_wonders)
    events = [
        MatchCreated("seven-wonders", every, [SeatPlan()] * seats, "public", ""),
        *(SeatJoined(seat, None) for seat in range(seats)),
        *table(*towns, seats=seats, **facts),  # type: ignore[arg-type]
    ]
    for event in events:
        matches.evolve(seven_wonders, found.match, event)
    return found


def choosing(**facts: object) -> Sitting:
    return seated_at("giza:A", "rhodes:A", "ephesus:A", age=3, turn=6, **facts)


def free_city() -> Sitting:
    """Two seats in a sixth turn; seat 1 holds the card of the Free City."""
    hands = {0: ["altar", "baths"], 1: ["altar", "tavern", "theater"]}
    return seated_at("giza:A", "rhodes:A", "ephesus:A", seats=2, hands=hands, pile=["baths"], age=3, turn=6)


def discard_all(table_: Sitting, seats: int = 3) -> Sitting:
    for seat in range(seats):
        if seat in table_.awaited():
            table_.move(seat, DiscardForCoins(table_.view(seat)["state"]["hand"][0]))
    return table_


def seventh_card(**facts: object) -> Sitting:
    return discard_all(seated_at(town("babylon:B", stages=2), "rhodes:A", "giza:A", age=3, turn=6, **facts))


def discard_pick(**facts: object) -> Sitting:
    me = town("halicarnassus:A", "foundry", "ore_vein", stages=1)
    table_ = seated_at(me, "rhodes:A", "giza:A", hands={0: ["altar", "baths"]}, age=3, turn=6, **facts)
    table_.move(0, BuildStage("altar"))
    return discard_all(table_)


def copy_guild(**facts: object) -> Sitting:
    me, left = town("olympia:B", stages=3), town("giza:A", "magistrates_guild", "scientists_guild")
    towns = me, left, town("rhodes:A", "altar")
    return discard_all(seated_at(*towns, age=3, turn=6, end_of_game_choices="ask", **facts))


def choose_symbols(**facts: object) -> Sitting:
    me = town("babylon:A", "apothecary", "workshop", stages=2)
    towns = me, "giza:A", "rhodes:A"
    return discard_all(seated_at(*towns, age=3, turn=6, end_of_game_choices="ask", **facts))


def board(**facts: object) -> Sitting:
    chosen = {name: facts[name] for name in facts}
    return sitting.started(3, game=seven_wonders, wonders="choose", **chosen)


Story = Callable[..., Sitting]
KINDS: dict[str, tuple[Story, Seat, type]] = {
    "board": (board, 0, BoardChosen),
    "choose": (choosing, 0, CardDiscarded),
    "seventh-card": (seventh_card, 0, CardDiscarded),
    "discard-pick": (discard_pick, 0, NothingTaken),
    "copy-guild": (copy_guild, 0, GuildCopied),
    "choose-symbols": (choose_symbols, 0, SymbolsChosen),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def to_the_end(table_: Sitting) -> None:
    """Nobody moves any more; the match ends all the same, once."""
    for _ in range(400):
        if table_.match.status == OVER:
            break
        table_.expire()
    ends = [isinstance(fact.event, MatchEnded) for fact in table_.facts]
    assert ends.count(True) == 1 and ends[-1]


def test_every_kind_of_decision_is_here() -> None:
    assert set(KINDS) == set(seven_wonders.DECISIONS)
    for kind, (story, seat, _) in KINDS.items():
        assert story().decision.kind == kind
        assert seat in story().awaited()


@every_kind
def test_the_default_move_answers_for_a_seat_that_gives_up(kind: str) -> None:
    story, seat, answer = KINDS[kind]
    table_ = story()
    default = seven_wonders.default_move(table_.match.play, seat)
    events = table_.ask(By(seat, "player"), Resign())
    assert events[0] == SeatResigned(seat, "resigned")
    if kind != "choose":
        assert answer in [type(event) for event in events]
    assert seven_wonders.command_of(events[1]) == default
    assert seat not in table_.awaited()
    to_the_end(table_)
    assert table_.facts[-1].event.ranking[-1] == [seat]


@every_kind
@pytest.mark.parametrize("policy", ["default-move", "forfeit"])
def test_the_default_move_answers_for_a_late_seat(kind: str, policy: str) -> None:
    story, seat, answer = KINDS[kind]
    table_ = story(on_expiry=policy)
    late = list(table_.decision.awaited)
    events = table_.expire()
    assert isinstance(events[0], DeadlineExpired) and events[0].seats == late
    resigned = [event.seat for event in events if isinstance(event, SeatResigned)]
    assert resigned == (late if policy == "forfeit" else [])
    if policy == "default-move" or len(late) == 1:
        assert answer in [type(event) for event in events]
    else:
        assert table_.facts[-1].event.reason == "forfeit"
    to_the_end(table_)


@every_kind
def test_a_bot_takes_a_late_seat_over_and_plays_it(kind: str) -> None:
    story, seat, answer = KINDS[kind]
    table_ = story(on_expiry="bot-takes-over")
    late = list(table_.decision.awaited)
    assert [type(event) for event in table_.expire()[1:]] == [SeatTakenOver] * len(late)
    assert list(table_.decision.awaited) == late
    events = table_.move(seat, seven_wonders.legal_moves(table_.match.play, seat)[0], "bot")
    assert events
    if table_.match.status != OVER:
        table_.ask(By(seat, "player"), ReclaimSeat())
    to_the_end(table_)


@every_kind
def test_the_default_move_answers_for_a_bot_that_fails(kind: str) -> None:
    story, seat, answer = KINDS[kind]
    table_ = story(on_expiry="bot-takes-over")
    table_.expire()
    report = ReportBotFailure(table_.decision.id, seat, "easy", "default-move")
    events = table_.ask(By(None, "bot"), report)
    if kind != "choose":
        assert answer in [type(event) for event in events]
    assert seat not in table_.awaited() or table_.decision.id != report.decision


def test_the_holder_of_the_free_citys_card_is_answered_for_in_both_cities() -> None:
    """Whatever it has chosen already stands."""
    events = free_city().expire()
    chosen = [(event.seat, event.city) for event in events if isinstance(event, ActionChosen)]
    assert chosen == [(0, 0), (1, 1), (1, FREE_CITY)]
    half = free_city()
    half.move(1, BuildStructure("altar"))
    events = half.expire()
    chosen = [(event.seat, event.city) for event in events if isinstance(event, ActionChosen)]
    assert chosen == [(0, 0), (1, FREE_CITY)]
    assert ConflictsResolved in [type(event) for event in events]
    assert half.view()["state"]["cities"][1]["cards"] == ["altar"]


def test_options_of_the_table_do_not_reach_the_game() -> None:
    assert not set(options()) & {"on_expiry", "takeover_bot", "decision_limit_ms"}
