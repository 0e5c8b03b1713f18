"""What the documents say: links lead somewhere, code runs, commands and settings exist."""

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from service.cli import COMMANDS
from tests.cli.running import CLEAN, Up, start_up, wait_for

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tools").glob("*.md")],
    key=lambda path: path.relative_to(ROOT).as_posix(),
)
LINK = re.compile(r"(?<!\!)\[[^\]]+\]\(([^)\s]+)\)")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def text(name: str) -> str:
    return (ROOT / name).read_text()


def blocks(name: str, language: str) -> list[str]:
    """The code blocks of a document in a language."""
    return [code for kind, code in BLOCK.findall(text(name)) if kind == language]


def anchors(document: Path) -> set[str]:
    """The anchors of the headings of a document, as forges make them."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(document: Path) -> None:
    dead = []
    for target in LINK.findall(BLOCK.sub("", document.read_text())):
        if target.startswith(("http://", "https://")):
            continue
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        if not path.is_relative_to(ROOT) or not path.exists() or anchor and anchor not in anchors(path):
            dead.append(target)
    assert dead == []


def test_the_documents_are_all_there() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in DOCUMENTS}
    assert {
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "docs/architecture.md",
        "docs/adding-a-game.md",
        "docs/audit.md",
        "docs/operations.md",
        "docs/rules-seven-wonders.md",
    } <= names


def test_decisions_are_numbered_and_say_why() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [record.name[:4] for record in records] == [
        f"{number:04}" for number in range(1, len(records) + 1)
    ]
    for record in records:
        headings = re.findall(r"^## (.+)$", record.read_text(), re.MULTILINE)
        assert headings[:1] == ["Context"], record.name
        assert headings[-1:] == ["Consequence"], record.name
        assert "Choice" in headings, record.name


@pytest.fixture
def up(tmp_path: Path) -> Up:
    running = start_up(tmp_path / "home")
    yield running
    running.stop()


@pytest.mark.skipif(shutil.which("curl") is None, reason="the README calls curl")
def test_the_match_of_the_readme_is_played_and_verified(up: Up, tmp_path: Path) -> None:
    (tmp_path / ".venv").symlink_to(sys.prefix)
    script = "set -eu\n" + "\n".join(blocks("README.md", "sh"))
    surroundings = {**CLEAN, "URL": up.url, "KEY": up.ready["tenant_key"]}
    for _ in range(2):
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=tmp_path,
            env=surroundings,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert '"status": "running"' in done.stdout
        assert "match.jsonl: ok." in done.stdout
        # As a reader who is not faster than the bots.
        (match,) = up.get("/v1/matches")["items"]
        path = f"/v1/matches/{match['id']}/view"
        wait_for(lambda path=path: 0 in up.get(path)["awaited"], "the moves of the bots")
    # The second time every write was a repetition: one match, and nothing done twice.
    assert len(up.get("/v1/matches")["items"]) == 1


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page calls curl")
def test_the_streams_of_their_page_say_hello(up: Up, tmp_path: Path) -> None:
    script = "set -eu\n" + "\n".join(blocks("docs/streams.md", "sh"))
    assert script.count("--max-time 2 ") == 4
    done = subprocess.run(
        # A busy machine may take its time.
        ["sh", "-c", script.replace("--max-time 2 ", "--max-time 6 ")],
        cwd=tmp_path,
        env={**CLEAN, "URL": up.url, "KEY": up.ready["tenant_key"]},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count('"type":"hello"') == 4, done.stdout
    assert done.stdout.count("event: match.created") == 2
    assert '"cursor":"1.' in done.stdout


def test_the_settings_of_the_operations_page_are_enough() -> None:
    (block,) = blocks("docs/operations.md", "sh")
    check = f"{sys.executable} -c 'from service import settings; settings.from_environment()'"
    done = subprocess.run(
        ["sh", "-c", f"set -eu\n{block}\n{check}"],
        cwd=ROOT,
        env=CLEAN,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_every_setting_is_documented_and_every_documented_one_exists() -> None:
    sources = [
        *(ROOT / "service").rglob("*.py"),
        *(ROOT / "workers").rglob("*.py"),
        *(ROOT / "deploy").glob("*.py"),
    ]
    known = {name for source in sources for name in re.findall(r"\bWONDERLOG_[A-Z_]+\b", source.read_text())}
    named = set(re.findall(r"\bWONDERLOG_[A-Z_]+\b", text("docs/operations.md")))
    assert known == named


def commands_in(document: str) -> list[list[str]]:
    """The calls of the command line in code of a document: command and options."""
    code = [part for _, part in BLOCK.findall(document)] + re.findall(r"`([^`\n]+)`", BLOCK.sub("", document))
    calls = re.findall(r"\bwonderlog ((?:[a-z]+)(?: [^\n|;&`]*)?)", "\n".join(code))
    return [call.split() for call in calls]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_command_and_option_that_is_named_exists(document: Path) -> None:
    for command, *rest in commands_in(document.read_text()):
        assert command in COMMANDS, f"wonderlog {command}"
        found: click.Command = getattr(import_module(f"service.cli.{COMMANDS[command]}"), command)
        every = [found, *(found.commands.values() if isinstance(found, click.Group) else ())]
        known = {name for each in every for parameter in each.params for name in parameter.opts} | {"--help"}
        assert {word for word in rest if word.startswith("-") and word != "-"} <= known, (command, rest)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_make_target_that_is_named_exists(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:`|\$ |^)make ([a-z-]+)", document.read_text(), re.MULTILINE))
    assert named <= targets


def test_nothing_names_a_package_index_or_a_place_on_a_machine() -> None:
    words = re.compile(rb"py" rb"pi\.|python" rb"hosted|index-" rb"url|/ho" rb"me/|/ro" rb"ot/|/wo" rb"rk/")
    found = []
    for folder, folders, names in os.walk(ROOT):
        # What tests and tools make comes and goes meanwhile: it is not even listed.
        there = Path(folder).relative_to(ROOT)
        folders[:] = [name for name in folders if not is_made((there / name).parts)]
        found += [
            (there / name).as_posix()
            for name in names
            if not is_made((there / name).parts)
            and (ROOT / there / name).is_file()
            and words.search((ROOT / there / name).read_bytes())
        ]
    assert found == []


def is_made(parts: tuple[str, ...]) -> bool:
    """Whether a place in the tree is not the project's: made by tests, tools, git."""
    return parts[0] in MADE or parts[0].endswith(".egg-info") or parts[-1] in ("__pycache__", "node_modules")


# What git ignores, at the top of the tree.
MADE = {line.strip("/") for line in text(".gitignore").splitlines()} | {".git"}
