"""What a ruleset would change, found by deciding finished matches again under it."""

from dataclasses import asdict, replace

import pytest

from domain import seven_wonders
from domain.catalogue import GAMES
from domain.kernel.chance import Chance
from domain.kernel.game import Event, Game
from domain.kernel.library import Library
from domain.kernel.variant import variant
from domain.seven_wonders.events import HandsPassed
from events.memory import MemoryStore
from service import impact
from service.impact import BROKEN, DIFFERS, SAME, SKIPPED, UNREADABLE, Auditing, Examined, examine
from service.redeciding import ADDED, CHANGED, MISSING, REFUSED
from tests.events.sample import put_away
from tests.rulesets import dearer, finished, stricter

LOG = finished.records(seven_wonders, 3, 5)
ENVELOPES = [asdict(record) for record in LOG]


def under(game: Game) -> Examined:
    """The match under a ruleset."""
    return examine(game, "it", LOG[0].match, ENVELOPES)


def first(kind: str) -> int:
    """The version of the first event of a type."""
    return next(record.version for record in LOG if record.type == f"seven_wonders.{kind}")


def test_under_its_own_rules_a_match_is_the_same() -> None:
    found = under(seven_wonders)
    assert (found.status, found.commands) == (SAME, len({record.command for record in LOG}))


def test_a_variant_that_changes_nothing_is_the_same() -> None:
    assert under(variant(seven_wonders, "seven-wonders/9.9.9")).status == SAME


def test_a_rule_that_pays_more_is_found_at_the_first_discard() -> None:
    found = under(dearer.GAME)
    version = first("card_discarded")
    assert (found.status, found.kind, found.subject) == (DIFFERS, CHANGED, "seven_wonders.card_discarded")
    assert (found.version, found.reason) == (
        version,
        "the rules give another data of seven_wonders.card_discarded",
    )


def test_a_rule_that_refuses_is_named_by_its_code() -> None:
    found = under(stricter.NEITHER)
    assert (found.kind, found.subject) in ((REFUSED, "too-early"), (REFUSED, "no-discards"))
    assert found.reason.startswith("the rules refuse ")


def test_events_the_rules_add_or_leave_out_are_told_apart() -> None:
    def twice(state: object, chance: Chance) -> list[Event]:
        told = seven_wonders.advance(state, chance)  # type: ignore[arg-type]
        return [*told, *(event for event in told if isinstance(event, HandsPassed))]

    passed = first("hands_passed")
    found = under(variant(seven_wonders, "seven-wonders/1.3.0", advance=twice))
    assert (found.kind, found.subject, found.version) == (ADDED, "seven_wonders.hands_passed", passed + 1)
    longer = [*ENVELOPES[:passed], ENVELOPES[passed - 1], *ENVELOPES[passed:]]
    found = examine(seven_wonders, "it", LOG[0].match, longer)
    assert (found.kind, found.subject) == (MISSING, "seven_wonders.hands_passed")


def test_a_draft_that_breaks_is_part_of_the_report() -> None:
    def broken(state: object, chance: Chance) -> list[Event]:
        raise KeyError("papyrus")

    found = under(variant(seven_wonders, "seven-wonders/1.3.0", advance=broken))
    assert (found.status, found.kind, found.subject) == (DIFFERS, BROKEN, "KeyError")


def test_a_log_without_its_secrets_cannot_be_decided_again() -> None:
    found = examine(seven_wonders, "it", LOG[0].match, ENVELOPES[:-1])
    assert (found.status, found.reason) == (UNREADABLE, "the last event reveals no secrets")


def test_the_report_groups_matches_by_rule_the_most_frequent_first() -> None:
    examined = [
        Examined("a", SAME, 10),
        Examined("b", DIFFERS, 3, "x", 7, REFUSED, "too-early"),
        Examined("c", DIFFERS, 4, "y", 9, CHANGED, "seven_wonders.card_discarded"),
        Examined("d", DIFFERS, 5, "z", 8, CHANGED, "seven_wonders.card_discarded"),
        Examined("e", SKIPPED, reason="no"),
        Examined("f", UNREADABLE, reason="torn"),
    ]
    said = impact.report("seven-wonders/2.0.0", examined)
    assert (said["matches"], said["commands"], said["same"], said["different"]) == (4, 22, 1, 3)
    assert [(rule["kind"], rule["subject"], rule["matches"]) for rule in said["rules"]] == [
        (CHANGED, "seven_wonders.card_discarded", 2),
        (REFUSED, "too-early", 1),
    ]
    assert said["rules"][0]["first"][1] == {"match": "d", "version": 8, "reason": "z"}
    assert (said[SKIPPED], said[UNREADABLE]) == (
        [{"match": "e", "reason": "no"}],
        [{"match": "f", "reason": "torn"}],
    )


LIVE = Library([dearer.GAME, *GAMES.values()])


def test_stored_matches_are_examined_under_their_own_rules_or_others() -> None:
    store = MemoryStore()
    auditing, match = Auditing(store, LIVE), finished.put(store, LOG)
    assert auditing.examine(match, None).status == SAME
    assert auditing.examine(match, seven_wonders.RULESET).status == SAME
    assert auditing.examine(match, dearer.RULESET).kind == CHANGED


@pytest.mark.parametrize(
    ("ruleset", "why"),
    [
        ("its-a-wonderful-world/1.0.0", "it is a match of seven-wonders"),
        ("seven-wonders/7.0.0", "there are no rules or cards for seven-wonders/7.0.0"),
    ],
)
def test_a_match_of_another_game_or_for_rules_that_are_not_here_is_skipped(ruleset: str, why: str) -> None:
    store = MemoryStore()
    found = Auditing(store, LIVE).examine(finished.put(store, LOG), ruleset)
    assert (found.status, found.reason) == (SKIPPED, why)


def test_what_is_not_over_is_a_fork_or_removed_is_skipped() -> None:
    store = MemoryStore()
    auditing, match = Auditing(store, LIVE), finished.put(store, LOG, most=20)
    assert auditing.examine(match, None).reason == "it is not over"
    created = replace(LOG[0], data={**LOG[0].data, "forked_from": {"match": "mat_x", "version": 3}})
    assert impact.examine_stored(LIVE, match, [created, *LOG[1:]], None).reason == "it is a fork"
    assert impact.examine_stored(LIVE, match, [], None).reason == "it is not over"
    put_away(store, match, "elsewhere")
    assert auditing.examine(match, None).reason == "it was removed for good"
