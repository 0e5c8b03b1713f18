"""The notation of a match from its events."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from domain.kernel import match as match_rules
from domain.kernel.chance import Chance, DeckShuffled, drawn_for
from domain.kernel.errors import IllegalMove
from domain.kernel.game import Event, Game
from domain.kernel.match import By
from domain.kernel.seats import SPECTATOR
from domain.kernel.table import CreateMatch, Match, MatchCreated, MatchEnded
from events.canonical import digest
from service import wire
from service.notation import FORMAT, NotWritable
from service.notation.verbs import verbs
from service.notation.words import said, word

Json = dict[str, Any]

_WIDE = 110


def end_of(game: Game, match: Match) -> str:
    """Names the end of a match: the hash of what every viewer sees then."""
    viewers = (SPECTATOR, *range(len(match.chairs)))
    return digest(["wonderlog/notation-end/1", [match_rules.view(game, match, each) for each in viewers]])


def written(game: Game, envelopes: Sequence[Json], told: Sequence[Event]) -> str:
    """The notation of a match that is over: its events, in full, with what their envelopes say. Raises
    NotWritable for any other, and for one that the rules of this release would not decide so."""
    if not told or not isinstance(told[0], MatchCreated) or not isinstance(told[-1], MatchEnded):
        raise NotWritable("only a match that is over can be written down, from its first event to its last")
    if told[0].forked_from is not None:
        raise NotWritable("a fork began in the middle: write down the match it came from")
    first, last = told[0], told[-1]
    match_id = str(envelopes[0]["match"])
    seed = None if first.sandbox is None else first.sandbox.seed
    chance = Chance(
        drawn_for(match_id, seed), bytes.fromhex(last.match_key), bytes.fromhex(last.commit_nonce)
    )
    state = match_rules.initial()
    lines = list(_moves(game, state, envelopes, told, chance))
    tags = {
        "Format": FORMAT,
        "Game": game.NAME,
        "Ruleset": game.RULESET,
        "Match": match_id,
        "Date": envelopes[0]["occurred_at"],
        "Seats": [plan.bot or plan.kind for plan in first.seats],
        "Visibility": first.visibility,
        "Options": first.options,
        **({} if first.sandbox is None else {"Sandbox": seed}),
        "Key": last.match_key,
        "Nonce": last.commit_nonce,
        "Result": _result(last),
        "End": end_of(game, state),
    }
    heading = [
        f"[{name} {json.dumps(value, ensure_ascii=True, sort_keys=True)}]" for name, value in tags.items()
    ]
    return "\n".join([*heading, "", *lines, ""])


def _result(ended: MatchEnded) -> str:
    totals = {score.seat: score.total for score in ended.scores}
    groups = [
        "=".join(f"{seat}({totals[seat]})" if seat in totals else str(seat) for seat in group)
        for group in ended.ranking
    ]
    return f"{ended.reason} {' > '.join(groups)}".strip()


def _moves(
    game: Game, state: Match, envelopes: Sequence[Json], told: Sequence[Event], chance: Chance
) -> Iterator[str]:
    """The lines below the tags; `state` is folded forward to the end."""
    words = {cls: verb for verb, cls in verbs(game).items()}
    line: list[str] = []
    open_ = ""
    at = 0
    while at < len(told):
        envelope = envelopes[at]
        command = match_rules.command_of(game, told[at])
        if command is None:
            raise NotWritable(f"event {at + 1} is not what a command begins with")
        actor = str(envelope["actor"]).removeprefix("seat:")
        by = By(int(actor) if actor.isdecimal() else None, envelope["cause"], envelope["decision"])
        try:
            facts = match_rules.handle(game, state, by, command, chance)
        except IllegalMove as refusal:
            raise NotWritable(f"event {at + 1}: the rules refuse it now: {refusal}") from refusal
        if [fact.event for fact in facts] != list(told[at : at + len(facts)]):
            raise NotWritable(f"the rules make other events of the command at event {at + 1} now")
        if not isinstance(command, CreateMatch):
            decision = by.decision or "-"
            if decision != open_:
                yield from _broken(open_, line)
                open_, line = decision, []
            line.append(f"{_who(actor, by.cause)} {said(words[type(command)], command)}")
        draws = [fact.event for fact in facts if isinstance(fact.event, DeckShuffled)]
        if draws:
            yield from _broken(open_, line)
            line = []
            yield from _drawn(draws)
        at += len(facts)
    yield from _broken(open_, line)


# How somebody other than a player is marked.
CAUSES = {"player": "", "host": "", "bot": "*", "deadline": "~", "rules": "!"}


def _who(actor: str, cause: str) -> str:
    return actor + CAUSES[cause]


def _broken(decision: str, commands: Iterable[str]) -> Iterator[str]:
    """The commands of a decision, on as many lines as they need."""
    line = ""
    for each in commands:
        if line and len(line) + len(each) + 2 > _WIDE:
            yield line
            line = ""
        line = f"{line}; {each}" if line else f"{decision}: {each}"
    if line:
        yield line


def _drawn(draws: Iterable[DeckShuffled]) -> Iterator[str]:
    for each in draws:
        line = f"= {word(each.label)}"
        for card in each.output:
            if len(line) + len(word(card)) + 1 > _WIDE:
                yield line
                line = " "
            line += f" {word(card)}"
        yield line


def content(game: Game, facts: Sequence[match_rules.Fact], decision: str | None) -> list[Json]:
    """What of the events of a command the notation keeps."""
    drafts = wire.of(game).drafts(facts, decision, {})
    return [
        {name: getattr(draft, name) for name in ("type", "data", "actor", "cause", "decision")}
        for draft in drafts
    ]
