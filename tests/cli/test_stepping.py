"""`wonderlog replay`: stepping through a bundle, and the HTML file."""

import re
from pathlib import Path

from tests.cli.conftest import Finished
from tests.cli.running import wonderlog


def stepped(bundle: Path, *typed: str, options: tuple[str, ...] = ()) -> str:
    """What is printed when this is typed, line by line."""
    done = wonderlog("replay", str(bundle), "--step", *options, stdin="".join(f"{line}\n" for line in typed))
    assert done.returncode == 0, done.stderr
    return done.stdout


def versions(printed: str) -> list[int]:
    """The versions of the tables that were printed."""
    return [int(found) for found in re.findall(r"^version (\d+) \|", printed, re.MULTILINE)]


def test_one_goes_on_and_back_and_jumps(finished: Finished) -> None:
    last = len(finished.bundle.read_bytes().splitlines()) - 2
    assert versions(stepped(finished.bundle, "", "n", "p", "10", "+5", "-2", "e", "", "999", "q")) == [
        1, 2, 3, 2, 10, 15, 13, last, last, last,
    ]  # fmt: skip


def test_what_changed_is_said(finished: Finished) -> None:
    printed = stepped(finished.bundle, "2", "n")
    assert re.search(r"^  seats > \d > kind: ", printed, re.MULTILINE)


def test_a_command_is_passed_at_once(finished: Finished) -> None:
    printed = versions(stepped(finished.bundle, "c", "c", "c", "c", "c"))
    assert printed == sorted(set(printed)) and printed[-1] > 8


def test_one_looks_from_another_seat_as_far_as_there_is_one(finished: Finished) -> None:
    printed = stepped(finished.bundle, "30", "s 1", "s 6", "s", "l", "?", "nonsense", "p")
    assert printed.count("your hand") == 1
    assert "there is no seat 6" in printed and "'nonsense'?" in printed
    assert versions(printed) == [1, 30, 30, 30, 29]
    assert printed.count("q: quit") == 3


def test_the_end_of_the_input_is_the_end(finished: Finished) -> None:
    assert versions(stepped(finished.bundle, options=("--at", "7"))) == [7]


def test_the_html_file_is_written(finished: Finished, tmp_path: Path) -> None:
    out = tmp_path / "replay.html"
    done = wonderlog("replay", str(finished.bundle), "--html", str(out))
    assert done.returncode == 0, done.stderr
    page = out.read_text()
    assert page.startswith("<!doctype html>") and finished.id in page
    assert f"{out.stat().st_size} bytes" in done.stderr


def test_what_cannot_be_done_is_said(finished: Finished, tmp_path: Path) -> None:
    for asked in (["--html", str(tmp_path / "a.html")], ["--step"]):
        done = wonderlog("replay", finished.id, *asked)
        assert done.returncode == 2 and "for a FILE" in done.stderr
    done = wonderlog("replay", str(finished.bundle), "--html", str(tmp_path / "no" / "a.html"))
    assert done.returncode == 1 and "cannot write" in done.stderr
