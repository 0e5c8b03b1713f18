"""A finished match as counts: whole numbers under names, which are added up over matches."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from domain.kernel import match as match_rules
from domain.kernel.chance import Chance
from domain.kernel.seats import SPECTATOR, Seat
from domain.kernel.table import Match
from events.envelope import Recorded
from service.imports import FOREIGN
from service.positions import Position
from service.statistics.traces import traces

# The name of a count: what it counts, and of what. No part of one holds a `|`.
Name = tuple[str, ...]
Counts = Counter[Name]

MATCHES: Final = "matches"
RESULT: Final = "result"
BOARD: Final = "board"
CARD: Final = "card"
PICK: Final = "pick"
SHUFFLE: Final = "shuffle"
DRAWS: Final = "draws"

PLAYED: Final = "played"
WON: Final = "won"
POINTS: Final = "points"

FIRST: Final = "first"
LAST: Final = "last"
AS_DRAWN: Final = "as-drawn"
OTHERWISE: Final = "otherwise"

_CHANGES_HANDS: Final = ("match.seat_taken_over", "match.seat_handed_over", "match.seat_resigned")


def counts_for_statistics(position: Position) -> bool:
    """Whether this match counts: public, ended by its own rules, no fork, not imported, no sandbox."""
    state = position.state
    return (
        state.ended is not None
        and state.ended.reason == "finished"
        and state.visibility == "public"
        and state.forked_from is None
        and state.sandbox is None
        and FOREIGN not in position.secrets
    )


def counts(position: Position, records: Sequence[Recorded]) -> Counts:
    """The counts of a finished match; `records` is its whole log. Names begin with the ruleset."""
    state, found = position.state, Counts()
    seats = len(state.chairs)
    assert state.ended is not None, "only finished matches are counted"
    found[MATCHES, str(seats)] += 1
    if seats > 1:
        _count_results(found, position, records)
    _count_shuffles(found, state, position.id, records)
    ruleset = position.game.RULESET
    return Counts({(ruleset, *name): number for name, number in found.items()})


def _count_results(found: Counts, position: Position, records: Sequence[Recorded]) -> None:
    state, game = position.state, position.game
    assert state.ended is not None, "only finished matches are counted"
    seats = str(len(state.chairs))
    won = match_rules.winners(state.ended)
    points = {score.seat: score.total for score in state.ended.scores}
    told = traces(game.NAME, len(state.chairs), game.view(state.play, SPECTATOR), records)
    changed = {record.data["seat"] for record in records if record.type in _CHANGES_HANDS}
    for seat in range(len(state.chairs)):
        keys: list[Name] = [(RESULT, seats, str(seat), player(state, seat, changed))]
        keys += [(BOARD, seats, board) for board in told.boards[seat : seat + 1]]
        for key in keys:
            found[*key, PLAYED] += 1
            found[*key, WON] += seat in won
            found[*key, POINTS] += points[seat]
        for card in told.cards[seat] if told.cards else ():
            found[CARD, seats, card, PLAYED] += 1
            found[CARD, seats, card, WON] += seat in won
    for card, number in told.picks:
        found[PICK, seats, card, str(number)] += 1


def player(state: Match, seat: Seat, changed: set[Seat]) -> str:
    """Who played a seat: `person`, `bot:<name>`, or `mixed` where it changed hands or was given up."""
    chair = state.chairs[seat]
    if seat in changed or chair.resigned:
        return "mixed"
    return f"bot:{chair.bot}" if chair.kind == "bot" else "person"


def _count_shuffles(found: Counts, state: Match, match: str, records: Sequence[Recorded]) -> None:
    """Of every draw, where in the sorted deck the card lay that came out first, and the one that came last.
    A deck may hold a card several times, so the places are those the draw gives when it is made again; what
    it gives is compared with what is recorded."""
    assert state.ended is not None, "only finished matches are counted"
    keys = (bytes.fromhex(state.ended.match_key), bytes.fromhex(state.ended.commit_nonce))
    chance = Chance(match, *keys, tuple(chair.entropy for chair in state.chairs))
    for record in records:
        draw = record.data
        if not record.type.endswith(".deck_shuffled"):
            continue
        places = [f"{place:06}" for place in range(len(draw["input"]))]
        order = [int(place) for place in chance.shuffled(draw["label"], places)]
        same = [draw["input"][place] for place in order[: draw["count"]]] == draw["output"]
        found[DRAWS, AS_DRAWN if same else OTHERWISE] += 1
        if len(order) > 1:
            found[SHUFFLE, str(len(order)), FIRST, str(order[0])] += 1
            found[SHUFFLE, str(len(order)), LAST, str(order[-1])] += 1
