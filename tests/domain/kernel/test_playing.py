"""Who may answer which decision, and how a match ends."""

from domain.kernel import match as matches
from domain.kernel.chance import DeckShuffled
from domain.kernel.match import By
from domain.kernel.table import MatchEnded, ReportBotFailure, Resign, SeatScore, Start
from events import codec
from tests.domain.kernel.sitting import HOST, Sitting, created, seated, started
from tests.service import tiny_game
from tests.service.tiny_game import NumberPicked, Pick, RoundScored


def finished(*rounds: list[int]) -> Sitting:
    """A match of so many rounds in which these numbers were picked."""
    sitting = started(len(rounds[0]), rounds=len(rounds), bonus=False)
    for numbers in rounds:
        for seat, number in enumerate(numbers):
            sitting.move(seat, Pick(number))
    return sitting


def test_the_game_sees_the_start_and_runs_until_somebody_is_awaited() -> None:
    sitting = seated(2)
    events = sitting.ask(HOST, Start())
    assert [type(event) for event in events[1:]] == [DeckShuffled]
    assert [(fact.actor, fact.cause) for fact in sitting.facts[-2:]] == [
        ("tenant", "host"),
        ("rules", "rules"),
    ]


def test_a_decision_is_named_after_the_version_that_opened_it() -> None:
    sitting = started(2)
    assert sitting.decision.id == f"d{sitting.match.version}.pick"
    first = sitting.decision.id
    sitting.move(0, Pick(3))
    assert sitting.decision.id == first
    sitting.move(1, Pick(4))
    assert sitting.decision.id == f"d{sitting.match.version}.pick"


def test_a_move_is_the_seats_own() -> None:
    sitting = started(2)
    assert sitting.move(0, Pick(3)) == [NumberPicked(0, 3)]
    assert (sitting.facts[-1].actor, sitting.facts[-1].cause) == ("seat:0", "player")
    assert sitting.awaited() == [1]


def test_a_seat_that_has_answered_may_revise_while_the_decision_is_open() -> None:
    sitting = started(2)
    sitting.move(0, Pick(3))
    assert sitting.move(0, Pick(4)) == [NumberPicked(0, 4)]


def test_a_move_for_a_closed_decision_is_stale() -> None:
    sitting = started(2)
    old = sitting.decision.id
    sitting.move(0, Pick(3))
    sitting.move(1, Pick(4))
    for wrong in (old, "d0.pick", "d99.pick", "pick", "", None):
        sitting.refuses(By(0, "player", wrong), Pick(1), "stale-decision", "stale-decision")


def test_a_move_needs_a_seat_at_the_table() -> None:
    sitting = started(2)
    decision = sitting.decision.id
    sitting.refuses(By(None, "host", decision), Pick(1), "not-your-decision", "no-seat")
    sitting.refuses(By(2, "player", decision), Pick(1), "not-your-decision", "not-your-decision")
    sitting.refuses(By(-1, "player", decision), Pick(1), "not-your-decision", "not-your-decision")


def test_a_move_the_rules_refuse_changes_nothing() -> None:
    sitting = started(2)
    sitting.refuses(By(0, "player", sitting.decision.id), Pick(9), "illegal-move", "out-of-range")


def test_only_bots_move_as_bots() -> None:
    sitting = started(2, bots=1)
    sitting.refuses(By(0, "bot", sitting.decision.id), Pick(1), "not-your-decision", "not-a-bot")
    assert sitting.move(1, Pick(2), "bot") == [NumberPicked(1, 2)]
    assert sitting.facts[-1].cause == "bot"


def test_legal_moves_come_with_the_decision_they_answer() -> None:
    sitting = started(2)
    assert matches.legal_moves(sitting.game, sitting.match, 0) == [
        (sitting.decision, Pick(number)) for number in range(1, 6)
    ]
    assert matches.legal_moves(sitting.game, sitting.match, 2) == []
    assert matches.legal_moves(created(2).game, created(2).match, 0) == []


def test_a_match_ends_when_the_game_does_with_ranking_and_points() -> None:
    sitting = finished([5, 3, 3], [1, 2, 4])
    ended = sitting.facts[-1].event
    assert isinstance(ended, MatchEnded)
    assert (ended.reason, ended.ranking) == ("finished", [[0], [2], [1]])
    assert ended.winners is None and sitting.view()["outcome"]["winners"] == [0]
    assert ended.scores == [
        SeatScore(0, 5, {"rounds": 5}),
        SeatScore(1, 0, {"rounds": 0}),
        SeatScore(2, 4, {"rounds": 4}),
    ]
    assert (ended.match_key, ended.commit_nonce) == (
        sitting.chance.match_key.hex(),
        sitting.chance.commit_nonce.hex(),
    )
    assert (sitting.facts[-1].actor, sitting.facts[-1].cause) == ("rules", "rules")
    assert isinstance(sitting.facts[-2].event, RoundScored)
    assert sitting.awaited() == []
    assert sitting.view()["outcome"]["scores"][2] == {"seat": 2, "total": 4, "categories": {"rounds": 4}}


def test_a_match_that_is_over_takes_no_command() -> None:
    sitting = finished([5, 3, 3])
    for by, command in (
        (By(0, "player", "d9.pick"), Pick(1)),
        (By(0, "player"), Resign()),
        (HOST, Start()),
        (By(None, "bot"), ReportBotFailure("d9.pick", 0, "random", "default-move")),
    ):
        sitting.refuses(by, command, "match-over", "match-over")
    assert matches.legal_moves(sitting.game, sitting.match, 0) == []


def test_the_view_names_who_is_awaited_and_what_for() -> None:
    sitting = started(2)
    sitting.move(1, Pick(2))
    shown = sitting.view(0)
    assert shown["awaited"] == [0]
    assert shown["decisions"] == [{"id": sitting.decision.id, "kind": "pick", "awaited": [0]}]
    assert shown["version"] == sitting.match.version == len(sitting.facts)
    assert shown["outcome"] is None


def test_a_match_recorded_before_winners_were_is_won_by_the_first_group() -> None:
    old = {"reason": "finished", "ranking": [[1, 2], [0]], "scores": [], "match_key": "", "commit_nonce": ""}
    ended = codec.read(matches.events(tiny_game), matches.upcasts(tiny_game), "match.ended", 1, old)
    assert isinstance(ended, MatchEnded) and ended.winners is None
    assert matches.outcome_view(ended)["winners"] == [1, 2]


def test_a_game_may_say_that_nobody_has_won() -> None:
    ended = MatchEnded("finished", [[0, 1]], [], "", "", [])
    assert matches.outcome_view(ended)["winners"] == []
    assert matches.outcome_view(ended)["ranking"] == [[0, 1]]
