"""Small logs for the tests of the event log: drafts of every kind, and one whole match to verify."""

import hashlib
from collections.abc import Sequence
from typing import Any

from domain.kernel.chance import Chance, draw
from events.archive import Moves
from events.chain import seal_events
from events.envelope import ZERO_HASH, Draft, Recorded
from events.reveal import subkey

NOON = "2026-01-05T12:00:00.000Z"
RULESET = "sample/1.0.0"
MATCH_KEY = hashlib.sha256(b"the match key of the sample").digest()
COMMIT_NONCE = hashlib.sha256(b"the commit nonce of the sample").digest()
SEAL_KEY = subkey(MATCH_KEY, "seal")
CARDS = [f"card-{number:02}" for number in range(21)]
BACK = "face-down"
Data = dict[str, Any]


def open_draft(data: Data, type: str = "sample.noted", actor: str = "rules", cause: str = "rules") -> Draft:
    """An event everybody sees all of."""
    return Draft(type, 1, RULESET, None, actor, cause, data, data, None, {"command_id": "c-1"})


def sealed_draft(
    type: str,
    data: Data,
    public: Data,
    parts: dict[str, Data],
    actor: str = "rules",
    decision: str | None = None,
) -> Draft:
    """An event with hidden content."""
    cause = "player" if actor.startswith("seat") else "rules"
    return Draft(type, 1, RULESET, decision, actor, cause, data, public, parts)


def pick(seat: int, card: str) -> Draft:
    """A seat's secret choice."""
    whole = {"seat": seat, "card": card}
    hidden = {"seat": seat, "card": BACK}
    return sealed_draft("sample.card_picked", whole, hidden, {f"s{seat}": whole}, f"seat:{seat}", "d9.pick")


def deal(hands: Sequence[Sequence[str]]) -> Draft:
    """Hands, each seen by its own seat."""
    backs = [[BACK] * len(hand) for hand in hands]
    parts = {
        f"s{seat}": {
            "hands": [list(hand) if other == seat else backs[other] for other, hand in enumerate(hands)]
        }
        for seat in range(len(hands))
    }
    return sealed_draft("sample.hands_dealt", {"hands": [list(h) for h in hands]}, {"hands": backs}, parts)


def noted(
    match: str, count: int = 1, after: int = 0, prev_hash: str = ZERO_HASH, tag: str = ""
) -> list[Recorded]:
    """The events of one append after version `after`."""
    drafts = [open_draft({"number": number, "tag": tag}) for number in range(count)]
    return seal_events(drafts, match, after, prev_hash, NOON, SEAL_KEY)


def drafts_of_a_match(match: str = "mat_sample", over: bool = True) -> list[list[Draft]]:
    """A match of three seats, one of them a bot: join, leave, start, draw, deal, pick, end; by append."""
    entropy = ["00ff", None, "c0ffee"]
    chance = Chance(match, MATCH_KEY, COMMIT_NONCE, tuple(entropy))
    deck = draw(chance, "sample/deck", CARDS)
    guild = draw(chance, "sample/guilds", ["a-guild", "b-guild", "c-guild"], 2)

    def drawn(made: Any) -> Draft:
        whole = {"label": made.label, "count": made.count, "input": made.input, "output": made.output}
        hidden = {**whole, "input": [BACK] * len(made.input), "output": [BACK] * len(made.output)}
        return sealed_draft("sample.deck_shuffled", whole, hidden, {})

    created = {
        "game": "sample-game",
        "options": {"dealt": 7},
        "seats": [{"kind": "open", "bot": None}] * 3,
        "visibility": "public",
        "commitment": chance.commitment(),
    }
    seated: list[tuple[str, Data, str, str]] = [
        ("match.seat_joined", {"seat": 0, "entropy": "ab"}, "seat:0", "player"),
        ("match.seat_left", {"seat": 0}, "seat:0", "player"),
        ("match.seat_joined", {"seat": 0, "entropy": "00ff"}, "seat:0", "player"),
        ("match.bot_seated", {"seat": 1, "bot": "random"}, "tenant", "host"),
        ("match.seat_joined", {"seat": 2, "entropy": "c0ffee"}, "seat:2", "player"),
    ]
    started = open_draft({"seats": 3, "options": {"dealt": 7}}, "match.started", "tenant", "host")
    appends = [
        [open_draft(created, "match.created", "tenant", "host")],
        *[[open_draft(data, type, actor, cause)] for type, data, actor, cause in seated],
        [started, drawn(deck), drawn(guild), deal([deck.output[0:7], deck.output[7:14], deck.output[14:21]])],
        [pick(0, deck.output[3])],
        [pick(1, deck.output[8])],
        [pick(2, deck.output[20]), open_draft({"picks": [deck.output[3], deck.output[8], deck.output[20]]})],
    ]
    if over:
        ended = {
            "reason": "finished",
            "ranking": [[0], [1, 2]],
            "scores": [],
            "match_key": MATCH_KEY.hex(),
            "commit_nonce": COMMIT_NONCE.hex(),
        }
        appends[-1].append(open_draft(ended, "match.ended"))
    return appends


def whole_match(match: str = "mat_sample", over: bool = True) -> list[Recorded]:
    """The recorded events of `drafts_of_a_match`."""
    records: list[Recorded] = []
    for drafts in drafts_of_a_match(match, over):
        prev_hash = records[-1].hash if records else ZERO_HASH
        records += seal_events(drafts, match, len(records), prev_hash, NOON, SEAL_KEY)
    return records


def put_away(moves: Moves, match: str, tombstone: str) -> None:
    """Leave a tombstone of a match and nothing else."""
    whole = moves.whole(match)
    assert whole is not None
    moves.move(whole, tombstone)
