"""It's a Wonderful World in the terminal: a table one can read, numbers one is asked for, a game alone."""

import re
from pathlib import Path

import pytest

from tests.cli.running import Up, wonderlog

GAME = ("--game", "its-a-wonderful-world")


def played(server: Up, *more: str, stdin: str) -> str:
    """What `wonderlog play` says."""
    done = wonderlog("play", *GAME, *more, "--data", str(server.home), stdin=stdin, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("seats", ["1", "3"])
def test_a_whole_match_is_played_by_pressing_enter(seats: str, server: Up) -> None:
    said = played(server, "--seats", seats, "--bot", "random", stdin="\n" * 400)
    assert "outcome: finished" in said
    for category in ("gross", "combo", "generals", "financiers", "total"):
        assert re.search(rf"│\s*{category}\b", said), category
    assert re.search(r"│ *1 │ Slate ", said)
    assert "Place " in said and "on the Empire card" in said
    assert ("your hand" in said) == (seats != "1"), "alone there is no draft"


def test_hand_boards_and_moves_are_told_by_name(server: Up) -> None:
    said = played(server, "--seats", "2", "--option", "side=B", stdin="\n" * 14 + "q\n")
    assert "phase draft | round 1" in said and "phase planning | round 1" in said
    # Which cards are dealt is chance: some deals hold no structure.
    assert re.search(r"type (structure|vehicle|research|project|discovery)\b", said) and "recycling " in said
    under = re.findall(r"under construction │ ([A-Z][^:│]+): missing", said)
    assert under, "cards under construction stand there by name"
    assert "_" not in "".join(under)
    assert not re.search(r"│empire +│ [a-z]+_", said)


def planned(server: Up) -> tuple[str, str, re.Match[str]]:
    """A match stopped after everything was slated, in which several cubes fit on one card: the token, how to
    go on, the move. Side E produces four materials; a hand without a card that takes them is dealt anew."""
    for _ in range(20):
        said = played(
            server, "--seats", "2", "--bot", "random", "--option", "side=E", stdin="\n" * 15 + "q\n"
        )
        found = re.search(r"WONDERLOG_TOKEN=(\S+) wonderlog (play .+)", said)
        assert found is not None, said
        ranged = re.search(r"│ *(\d+) │ Place (\d) \w+ on .+ \(count 1 to \2\)", said)
        if ranged is not None:
            return found[1], found[2], ranged
    raise AssertionError(f"no range in twenty matches; the last said: {said}")


def test_a_move_with_a_range_asks_how_many(server: Up) -> None:
    """Puts one of several cubes on a card."""
    token, command, ranged = planned(server)
    again = command.split()
    number, most = ranged[1], int(ranged[2])
    assert most > 1
    more = wonderlog(*again, stdin=f"{number}\n9\n1\nq\n", WONDERLOG_TOKEN=token)
    assert more.returncode == 0, more.stderr
    assert f"count [{most}]: " in more.stdout and "not in the range" in more.stdout
    assert re.search(r"cubes placed .*count 1\b", more.stdout)
    match = again[again.index("--match") + 1]
    events = server.get(f"/v1/matches/{match}/events?after=0&limit=200", token)["items"]
    mine = [
        e["data"]["count"] for e in events if e["type"].endswith(".cubes_placed") and e["actor"] == "seat:0"
    ]
    assert mine == [1]
    wrong = wonderlog(*again, stdin=f"{number} 99\n{number} 1 1\nq\n", WONDERLOG_TOKEN=token)
    assert wrong.stdout.count("A number from 1 to") == 2


def test_a_scenario_is_played_alone(server: Up) -> None:
    said = played(server, "--seats", "1", "--option", "scenario=back-to-the-future", stdin="q\n")
    assert "Research Center: missing" in said and "Time Travel: missing" in said
    wrong = wonderlog("play", *GAME, "--option", "scenario=none", "--data", str(server.home))
    assert wrong.returncode == 1 and "/options/scenario" in wrong.stderr


def test_a_match_is_watched_and_replayed(server: Up, tmp_path: Path) -> None:
    said = played(server, "--seats", "2", "--bot", "easy", stdin="\n" * 400)
    match = re.search(r"Match (mat_\w+)", said)
    assert match is not None
    watched = wonderlog("watch", match[1], "--data", str(server.home))
    assert watched.returncode == 0, watched.stderr
    for words in (
        "picks revealed",
        "card slated kind ",
        "cubes produced resource materials",
        "outcome: finished",
    ):
        assert words in watched.stdout, words
    assert "points counted" in watched.stdout
    file = tmp_path / "match.jsonl"
    exported = wonderlog("export", match[1], "-o", str(file), "--data", str(server.home))
    assert exported.returncode == 0, exported.stderr
    replayed = wonderlog("replay", str(file), "--at", "80", "--as", "0")
    assert replayed.returncode == 0, replayed.stderr
    assert "under construction" in replayed.stdout and "Empire" not in replayed.stderr
    audited = wonderlog("audit", str(file))
    assert audited.returncode == 0, audited.stdout + audited.stderr


@pytest.mark.parametrize("seats", ["1", "3"])
def test_the_demo_plays_this_game_too(seats: str, tmp_path: Path) -> None:
    done = wonderlog("demo", *GAME, "--seats", seats, TMPDIR=str(tmp_path), timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "outcome: finished" in done.stdout
    assert done.stdout.count("\nok ") == 7 and "FAILED" not in done.stdout
