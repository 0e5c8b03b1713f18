"""`wonderlog notation` and `export --notation`, `--html`."""

from pathlib import Path

from tests.cli.conftest import Finished
from tests.cli.running import Up, wonderlog


def test_a_bundle_becomes_a_text_and_a_bundle_again(finished: Finished, tmp_path: Path) -> None:
    text, made = tmp_path / "match.txt", tmp_path / "match.jsonl"
    done = wonderlog("notation", str(finished.bundle), "-o", str(text))
    assert done.returncode == 0, done.stderr
    assert text.read_text().startswith('[Format "wonderlog/notation/1"]\n')
    assert wonderlog("notation", str(text), "-o", str(made)).returncode == 0
    for command in ("verify", "audit"):
        done = wonderlog(command, str(made))
        assert done.returncode == 0 and "ok." in done.stdout, done.stderr
    assert wonderlog("notation", str(made)).stdout == text.read_text()


def test_the_service_writes_it_too(server: Up, finished: Finished, tmp_path: Path) -> None:
    own = wonderlog("notation", str(finished.bundle)).stdout
    done = wonderlog("export", finished.id, "--notation", "--data", str(server.home))
    assert done.returncode == 0 and done.stdout == own, done.stderr
    out = tmp_path / "a.html"
    done = wonderlog("export", finished.id, "--html", "-o", str(out), "--data", str(server.home))
    assert done.returncode == 0 and out.read_text().startswith("<!doctype html>"), done.stderr
    assert wonderlog("export", finished.id, "--html", "--notation").returncode == 2


def test_what_is_wrong_is_said_with_its_line(finished: Finished, tmp_path: Path) -> None:
    text = wonderlog("notation", str(finished.bundle)).stdout
    broken = tmp_path / "broken.txt"
    for old, new, said in (
        ("tenant start", "tenant stop", "nobody can do that"),
        ('[Game "', '[Game "no-', "knows no game"),
        ("[Match", "[match", "line 4: a tag is expected"),
        ("\n\n", "\n\nnonsense\n", "a decision, a colon"),
    ):
        broken.write_text(text.replace(old, new, 1))
        done = wonderlog("notation", str(broken))
        assert done.returncode == 1 and said in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
