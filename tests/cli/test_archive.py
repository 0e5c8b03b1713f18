"""`wonderlog archive`, on a running server: matches move and come back, and clients notice nothing."""

import gzip
from pathlib import Path

import requests

from tests.cli.running import Up, wait_for, wonderlog


def played(server: Up, key: str) -> str:
    """A match of bots that is over."""
    plan = {"game": "seven-wonders", "seats": [{"kind": "bot", "bot": "random"}] * 3}
    match = str(server.post("/v1/matches", plan, key)["id"])
    server.post(f"/v1/matches/{match}/commands", {"command": {"type": "start"}}, "start")
    wait_for(lambda: server.get(f"/v1/matches/{match}")["status"] == "over", "the end of the match")
    return match


def shown(server: Up, match: str) -> list[bytes]:
    """What the host is shown."""
    headers = {"Authorization": f"Bearer {server.ready['tenant_key']}"}
    rest = ("", "/view", "/view?version=20", "/events?limit=200", "/export", "/proof", "/seats")
    urls = [f"{server.url}/v1/matches/{match}{path}" for path in rest]
    answers = [requests.get(url, headers=headers, timeout=30) for url in urls]
    assert [answer.status_code for answer in answers] == [200] * len(rest)
    return [answer.content for answer in answers]


def test_a_match_moves_and_comes_back(server: Up, tmp_path: Path) -> None:
    match = played(server, "moved-by-command")
    before = shown(server, match)
    command = ("archive", "--data", str(server.home))
    assert wonderlog(*command, "run").stdout.count("waiting") == 1
    moved = wonderlog(*command, "run", match)
    assert (moved.returncode, moved.stdout) == (0, f"{match}: archived\n1 archived; 0 removed for good\n")
    (file,) = (server.home / "archive" / "home").glob(f"{match}.*.gz")
    assert gzip.decompress(file.read_bytes()).startswith(b'{"format":"wonderlog/archive/1"')
    assert shown(server, match) == before
    assert match in wonderlog(*command, "list").stdout
    assert wonderlog(*command, "list", "--tenant", "nobody").stdout.count(match) == 0
    assert wonderlog(*command, "verify").stdout == "1 matches, 0 wrong\n"

    bundle = tmp_path / "bundle.jsonl"
    bundle.write_bytes(before[4])
    assert wonderlog("verify", str(bundle)).returncode == 0

    kept = file.read_bytes()
    file.write_bytes(kept[:-1])
    damaged = wonderlog(*command, "verify")
    assert damaged.returncode == 1
    assert f"{match}: its digest is another" in damaged.stderr
    file.write_bytes(kept)

    assert wonderlog(*command, "restore", match).stdout == f"{match}: restored\n"
    assert wonderlog(*command, "restore", match).stdout == f"{match}: not in the archive\n"
    assert shown(server, match) == before


def test_a_tenant_gets_a_retention_of_its_own(server: Up) -> None:
    command = ("archive", "--data", str(server.home), "retention")
    said = wonderlog(*command).stdout
    assert "usual" in said and "86400 s" in said and "never" in said
    said = wonderlog(*command, "club", "--after", "3600", "--keep-days", "2").stdout
    assert "3600 s" in said and "172800 s" in said
    assert wonderlog(*command, "club", "--never").stdout.count("never") == 2
    assert "club" in wonderlog(*command).stdout
    assert wonderlog(*command, "club", "--usual").returncode == 0
    assert "club" not in wonderlog(*command).stdout
    assert wonderlog(*command, "club", "--never", "--after", "3").returncode == 2
    assert wonderlog(*command, "club", "--never", "--keep-days", "3").returncode == 2
    assert wonderlog(*command, "no tenant").returncode == 2


def test_workers_move_a_match_by_themselves(server: Up) -> None:
    command = ("archive", "--data", str(server.home), "retention", "home")
    assert wonderlog(*command, "--after", "0").returncode == 0
    match = played(server, "moved-by-itself")
    folder = server.home / "archive" / "home"
    wait_for(lambda: bool(list(folder.glob(f"{match}.*.gz"))), "the file of the match")
    assert wonderlog(*command, "--usual").returncode == 0
    assert len(shown(server, match)) == 7


def test_without_an_archive_the_command_says_so(server: Up) -> None:
    surroundings = {"WONDERLOG_STREAMS_URL": server.ready["redis_url"], "WONDERLOG_SERVER_SECRET": "ab" * 32}
    done = wonderlog("archive", "run", **surroundings)
    assert done.returncode == 1 and "WONDERLOG_ARCHIVE_URL" in done.stderr
    surroundings["WONDERLOG_ARCHIVE_URL"] = "ftp://elsewhere"
    done = wonderlog("archive", "run", **surroundings)
    assert done.returncode == 1 and "an archive is" in done.stderr
