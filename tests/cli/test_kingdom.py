"""It's a Wonderful Kingdom in the terminal: offers among hundreds, traps, choices, a demo of each mode."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Up, play, seated, wonderlog

GAME = ("--game", "its-a-wonderful-kingdom")


def played(server: Up, *more: str, stdin: str) -> str:
    """What `wonderlog play` says."""
    done = wonderlog("play", *GAME, *more, "--data", str(server.home), stdin=stdin, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("mode", ["menaces", "advisors", "quests"])
def test_the_demo_plays_every_mode_over_http_against_a_bot(mode: str, tmp_path: Path) -> None:
    done = wonderlog("demo", *GAME, "--mode", mode, TMPDIR=str(tmp_path), timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "outcome: finished" in done.stdout
    assert done.stdout.count("\nok ") == 7 and "FAILED" not in done.stdout


def test_a_whole_match_is_played_by_pressing_enter(server: Up) -> None:
    said = played(server, "--mode", "menaces", "--bot", "random", stdin="\n" * 600)
    assert "outcome: finished" in said
    for category in ("flat", "per_type", "negative", "total"):
        assert re.search(rf"│\s*{category}\b", said), category


def test_offers_are_found_by_words_among_hundreds_and_traps_are_told(server: Up) -> None:
    first = played(server, "--mode", "quests", "--bot", "random", stdin="q\n")
    found = re.search(r"WONDERLOG_TOKEN=(\S+) wonderlog (play .+)", first)
    assert found is not None, first
    token, again = found[1], found[2].split()
    lines = "1\n" if "phase select" in first else ""
    lines += "/ nothing like this\n/ left face down right face\n1\nq\n"
    said = wonderlog(*again, stdin=lines, WONDERLOG_TOKEN=token)
    assert said.returncode == 0, said.stdout + said.stderr
    assert re.search(r"and \d+ more: / and words to choose among them, a for all", said.stdout)
    assert "No move has all these words." in said.stdout
    narrowed = said.stdout.partition("No move has all these words.")[2]
    offers = re.findall(r"│ *\d+ │ (Offer .+?) +│", narrowed.partition("your hand")[0])
    assert offers and all({"left", "right", "face", "down"} <= {*offer.split()} for offer in offers)
    match = again[again.index("--match") + 1]
    events = server.get(f"/v1/matches/{match}/events?after=0&limit=200", token)["items"]
    laid = [e["data"] for e in events if e["type"].endswith(".cards_offered") and e["actor"] == "seat:0"]
    assert laid[0]["left_face_down"] + laid[0]["right_face_down"]
    assert "face-down" not in str(laid[0]), "we know what we laid"


def test_a_mode_that_is_none_is_refused(server: Up) -> None:
    wrong = wonderlog("play", *GAME, "--mode", "none", "--data", str(server.home))
    assert wrong.returncode == 1 and "/options/mode" in wrong.stderr


@pytest.mark.parametrize("mode", ["menaces", "advisors", "quests"])
def test_every_mode_is_played_on_the_other_side_too(mode: str, server: Up, tmp_path: Path) -> None:
    """gunicorn, job workers and Valkey, as in the demo, which is on side A."""
    match, token = seated(server, f"{mode}-B", 2, "easy", GAME[1], {"mode": mode, "side": "B"})
    view = play(server, match, token)
    assert view["outcome"]["reason"] == "finished" and view["state"]["side"] == "B"
    acted = {event["actor"] for event in everything(server, match)}
    assert acted >= {"seat:0", "seat:1", "rules"}
    file = tmp_path / "match.jsonl"
    assert wonderlog("export", match, "-o", str(file), "--data", str(server.home)).returncode == 0
    for command in ("verify", "audit"):
        done = wonderlog(command, str(file))
        assert done.returncode == 0, done.stderr


def everything(server: Up, match: str) -> list[dict[str, Any]]:
    """All events of a match, as anybody sees them."""
    events: list[dict[str, Any]] = []
    while page := server.get(f"/v1/matches/{match}/events?after={len(events)}&limit=200")["items"]:
        events += page
    return events
