"""`wonderlog export`, `verify`, `replay`, `watch`: the log of a match outside the service."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Finished
from tests.cli.running import Up, play, seated, wonderlog


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_an_exported_match_is_accepted(finished: Finished) -> None:
    done = wonderlog("verify", str(finished.bundle))
    assert done.returncode == 0, done.stderr
    count = len(lines_of(finished.bundle)) - 2
    assert f"ok. {count} events" in done.stdout
    assert "signed" in done.stdout
    found = re.search(r", (\d+) of (\d+) seals opened, (\d+) of (\d+) draws repeated,", done.stdout)
    assert found is not None, done.stdout
    opened, seals, repeated, draws = map(int, found.groups())
    assert opened == seals > 0 and repeated == draws > 0


def test_a_bundle_on_standard_input_is_accepted(finished: Finished) -> None:
    done = wonderlog("verify", "-", stdin=finished.bundle.read_text())
    assert done.returncode == 0, done.stderr


def edited(lines: list[bytes]) -> list[bytes]:
    event = json.loads(lines[20])
    event["occurred_at"] = "2020-01-01T00:00:00.000Z"
    lines[20] = json.dumps(event, separators=(",", ":"), sort_keys=True).encode() + b"\n"
    return lines


def dropped(lines: list[bytes]) -> list[bytes]:
    return lines[:20] + lines[21:]


def swapped(lines: list[bytes]) -> list[bytes]:
    lines[20], lines[21] = lines[21], lines[20]
    return lines


def added(lines: list[bytes]) -> list[bytes]:
    return lines[:21] + lines[20:]


@pytest.mark.parametrize("forge", [edited, dropped, swapped, added])
def test_the_line_of_a_forgery_is_named(finished: Finished, tmp_path: Path, forge) -> None:  # type: ignore[no-untyped-def]
    forged = tmp_path / "forged.jsonl"
    forged.write_bytes(b"".join(forge(lines_of(finished.bundle))))
    done = wonderlog("verify", str(forged))
    assert done.returncode == 1
    line = 22 if forge is added else 21
    assert f"line {line}: {forge.__name__}" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bundle_signed_by_another_key_than_the_trusted_one_is_refused(finished: Finished) -> None:
    own = json.loads(lines_of(finished.bundle)[0])["public_key"]
    assert wonderlog("verify", str(finished.bundle), "--trust", own).returncode == 0
    done = wonderlog("verify", str(finished.bundle), "--trust", "00" * 32)
    assert done.returncode == 1
    assert "signature" in done.stderr


def test_a_bundle_holds_against_the_keys_the_service_publishes(
    server: Up, finished: Finished, tmp_path: Path
) -> None:
    published = server.get("/.well-known/wonderlog-keys.json")
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps(published))
    done = wonderlog("verify", str(finished.bundle), "--keys", str(keys))
    assert done.returncode == 0, done.stderr
    assert "signed by a trusted key" in done.stdout
    keys.write_text(json.dumps(published | {"keys": []}))
    assert wonderlog("verify", str(finished.bundle), "--keys", str(keys)).returncode == 1
    keys.write_text("{}")
    assert "not a file of keys" in wonderlog("verify", str(finished.bundle), "--keys", str(keys)).stderr


def test_a_bundle_is_imported_and_shows_the_same_table(
    server: Up, finished: Finished, tmp_path: Path
) -> None:
    done = wonderlog("import", str(finished.bundle), "--data", str(server.home))
    assert done.returncode == 0, done.stderr
    id = done.stdout.strip()
    assert id != finished.id and finished.id in done.stderr
    copy = tmp_path / "copy.jsonl"
    assert wonderlog("export", id, "-o", str(copy), "--data", str(server.home)).returncode == 0
    assert copy.read_bytes() == finished.bundle.read_bytes()
    here, there = (server.get(f"/v1/matches/{match}/view") for match in (id, finished.id))
    assert (here["state"], here["outcome"]) == (there["state"], there["outcome"])
    forged = tmp_path / "forged.jsonl"
    forged.write_bytes(b"".join(edited(lines_of(finished.bundle))))
    done = wonderlog("import", str(forged), "--data", str(server.home))
    assert (done.returncode, "line 21: " in done.stderr) == (1, True)
    assert "Traceback" not in done.stderr
    data = ("--data", str(server.home))
    listed = wonderlog("imports", "list", *data).stdout
    assert id in listed and finished.id in listed and "never" in listed
    assert wonderlog("imports", "delete", id, *data).stdout == f"{id}: removed\n"
    assert id not in wonderlog("imports", "list", *data).stdout
    again = wonderlog("imports", "delete", id, *data)
    assert again.returncode == 1 and "Traceback" not in again.stderr


@pytest.mark.parametrize("content", ["", "not json\n", '{"format":"other"}\n'])
def test_a_file_that_is_no_bundle_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "file"
    file.write_text(content)
    for command in ("verify", "replay"):
        done = wonderlog(command, str(file))
        assert done.returncode == 1
        assert done.stderr.startswith("Error: ")
        assert "Traceback" not in done.stderr


def test_a_file_and_the_service_show_the_same_table_at_any_version(server: Up, finished: Finished) -> None:
    for version in (1, 10, 60):
        at = ("--at", str(version), "--json")
        folded = json.loads(wonderlog("replay", str(finished.bundle), *at).stdout)
        asked = json.loads(wonderlog("replay", finished.id, *at, "--data", str(server.home)).stdout)
        assert folded["version"] == version
        assert {key: folded[key] for key in ("state", "awaited", "status")} == {
            key: asked[key] for key in ("state", "awaited", "status")
        }


def test_a_full_bundle_shows_what_each_seat_saw(server: Up, finished: Finished) -> None:
    folded = json.loads(wonderlog("replay", str(finished.bundle), "--at", "20", "--as", "0", "--json").stdout)
    asked = server.get(f"/v1/matches/{finished.id}/view?version=20", finished.token)
    assert folded["state"]["hand"] == asked["state"]["hand"] != None  # noqa: E711
    other = json.loads(wonderlog("replay", str(finished.bundle), "--at", "20", "--as", "1", "--json").stdout)
    assert other["state"]["hand"] != folded["state"]["hand"]


def test_the_end_of_a_replay_shows_the_scores(finished: Finished) -> None:
    done = wonderlog("replay", str(finished.bundle))
    assert done.returncode == 0
    assert "outcome: finished" in done.stdout
    assert done.stdout.count("treasury") == 1, "the points stand in one table, by seat"


def test_a_version_after_the_end_is_refused(server: Up, finished: Finished) -> None:
    for source in (str(finished.bundle), finished.id):
        done = wonderlog("replay", source, "--at", "5000", "--data", str(server.home))
        assert done.returncode == 1
        assert done.stderr.startswith("Error: ")


def test_the_bundle_of_a_running_match_holds_what_the_seat_saw(server: Up, tmp_path: Path) -> None:
    match, token = seated(server, "running-bundle")
    play(server, match, token, turns=3)
    file = tmp_path / "seat.jsonl"
    done = wonderlog("export", match, "-o", str(file), "--url", server.url, "--token", token)
    assert done.returncode == 0, done.stderr
    assert wonderlog("verify", str(file)).returncode == 0
    shown = json.loads(wonderlog("replay", str(file), "--json").stdout)
    assert len(shown["state"]["hand"]) == shown["state"]["hands"][0]
    refused = wonderlog("replay", str(file), "--as", "1")
    assert refused.returncode == 2
    assert "this bundle holds what s0 saw" in refused.stderr


def test_an_export_that_is_refused_leaves_no_file(server: Up, tmp_path: Path) -> None:
    file = tmp_path / "none.jsonl"
    done = wonderlog("export", "mat_unknown", "-o", str(file), "--url", server.url)
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_a_watcher_sees_every_event_once_and_the_outcome(server: Up, finished: Finished) -> None:
    done = wonderlog("watch", finished.id, "--url", server.url)
    assert done.returncode == 0, done.stderr
    numbers = [int(line.split()[0]) for line in done.stdout.splitlines() if line[:5].strip().isdecimal()]
    assert numbers == list(range(1, len(lines_of(finished.bundle)) - 1))
    assert "outcome: finished" in done.stdout


def test_a_watcher_of_a_running_match_follows_it_to_its_end(server: Up) -> None:
    plans = [{"kind": "bot", "bot": "random"}] * 3
    body = {"game": "seven-wonders", "seats": plans, "visibility": "public"}
    match = server.post("/v1/matches", body, "watched-create")["id"]
    server.post(f"/v1/matches/{match}/commands", {"command": {"type": "start"}}, "watched-start")
    done = wonderlog("watch", match, "--json", "--after", "2", "--url", server.url)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["version"] for event in events] == list(range(3, len(events) + 3))
    assert events[-1]["type"] == "match.ended"


def test_a_finished_match_decided_again_gives_the_same_events(finished: Finished) -> None:
    done = wonderlog("audit", str(finished.bundle))
    assert done.returncode == 0, done.stderr
    assert "every event as recorded" in done.stdout


def test_a_forged_match_is_not_decided_again(finished: Finished, tmp_path: Path) -> None:
    forged = tmp_path / "forged.jsonl"
    forged.write_bytes(b"".join(edited(lines_of(finished.bundle))))
    done = wonderlog("audit", str(forged))
    assert done.returncode == 1
    assert "line 21: edited" in done.stderr
