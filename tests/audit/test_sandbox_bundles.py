"""Bundles of sandbox matches: every verifier draws from the seed, and finds out who draws from another."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.kernel.chance import of_seed
from events import bundle
from service import redeciding
from service.keyring import Wish
from service.notation import bundling, reading
from tests.audit.node import Steps, steps
from tests.audit.short_match import FULL, forged, tool
from tests.service.table import Hands, in_memory, run_jobs

SEED = "tuesday"
GAME = "seven-wonders"


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    """The full bundle of a whole match with a seed, played by scripts that are over at once and by a bot."""
    services = in_memory(Hands(), GAMES)
    key = services.keys.create("acme", Wish(mode="test")).key
    host = services.matches.authenticate(key, None)
    script = {"kind": "bot", "bot": "script"}
    seats = [script, script, {"kind": "bot", "bot": "easy"}]
    plan = {"game": GAME, "seats": seats, "sandbox": {"seed": SEED}}
    match, _ = services.matches.create(host, plan, "k" * 16, "create")
    services.matches.command(host, match["id"], {"command": {"type": "start"}}, "s" * 16, "start")
    run_jobs(services)
    exported = list(services.matches.export(host, match["id"]))
    services.close()
    return exported


def test_every_verifier_repeats_the_draws_of_the_seed(lines: list[bytes], typescript: Steps) -> None:
    report = bundle.verify(lines)
    assert report.ok and report.draws and report.draws == report.draws_repeated
    raw = b"".join(lines)
    told = tool.verify(raw)
    assert told.log
    assert typescript.wrong_line(raw) == 0
    read = bundle.read(lines)
    key, nonce = of_seed(SEED)
    last = read.envelopes[-1]["data"]
    assert (last["match_key"], last["commit_nonce"]) == (key.hex(), nonce.hex())
    found = redeciding.redecide(GAMES[GAME], read.header["match"], read.envelopes)
    assert found.difference is None and found.commands > 50


@pytest.fixture(scope="module")
def typescript() -> Iterator[Steps]:
    with steps() as process:
        yield process


@pytest.mark.parametrize("mark", [None, {}, {"seed": None}, {"seed": None, "more": 1}])
def test_a_sandbox_without_a_seed_draws_like_any_match(mark: object, typescript: Steps) -> None:
    assert wrong_lines(mark, typescript) == {0}


@pytest.mark.parametrize("mark", [{"seed": ""}, {"seed": "a b"}, {"seed": 1}, {"seed": "x" * 65}, "x", [], 0])
def test_what_is_no_mark_of_a_sandbox_is_wrong_where_it_stands(mark: object, typescript: Steps) -> None:
    assert wrong_lines(mark, typescript) == {2}


def test_draws_that_are_not_those_of_the_seed_are_found_out(typescript: Steps) -> None:
    (wrong,) = wrong_lines({"seed": "wednesday"}, typescript)
    events = [json.loads(line)["type"] for line in FULL.splitlines()[1:-1]]
    assert events[wrong - 2] == "game.deck_shuffled"


def wrong_lines(mark: object, typescript: Steps) -> set[int]:
    """The first wrong line of the short match with another mark, 0 for none, as each verifier names it."""

    def edit(events: list[Any]) -> None:
        events[0]["data"]["sandbox"] = mark

    raw = forged(edit)
    report, told = bundle.verify(raw.splitlines(keepends=True)), tool.verify(raw)
    ours = report.line or 0
    return {ours, 0 if told.log else int(told.line), typescript.wrong_line(raw)}


def test_the_notation_of_a_sandbox_match_is_played_again(lines: list[bytes]) -> None:
    read = bundle.read(lines)
    text = bundling.notation(GAMES[GAME], read)
    assert f'[Sandbox "{SEED}"]' in text
    again = list(bundling.bundled(reading.read(GAMES[GAME], text), read.header["ruleset_digest"]))
    assert bundle.verify(again).ok
