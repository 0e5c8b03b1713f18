"""`wonderlog keys`: made, listed, revoked."""

import time

import requests

from service.keyring import TRUST_S
from tests.cli.running import Up, wonderlog


def status(server: Up, key: str) -> int:
    """What a list of matches answers to this key."""
    headers = {"Authorization": f"Bearer {key}"}
    return requests.get(f"{server.url}/v1/matches", headers=headers, timeout=10).status_code


def test_a_key_opens_the_service_until_it_is_revoked(server: Up) -> None:
    data = ("--data", str(server.home))
    made = wonderlog("keys", *data, "create", "club")
    assert made.returncode == 0, made.stderr
    key = made.stdout.strip()
    id = key.split("_")[2]
    assert status(server, key) == 200

    listed = wonderlog("keys", *data, "list")
    assert id in listed.stdout
    assert "club" in listed.stdout
    assert key not in listed.stdout

    assert wonderlog("keys", *data, "revoke", id).returncode == 0
    revoked = asked = time.monotonic()
    while status(server, key) != 401:
        assert asked - revoked <= TRUST_S, "whoever asks after that is refused"
        time.sleep(0.02)
        asked = time.monotonic()
    assert status(server, server.ready["tenant_key"]) == 200


def test_a_key_for_one_thing_is_rotated_and_listed(server: Up) -> None:
    data = ("--data", str(server.home))
    made = wonderlog(
        "keys", *data, "create", "club", "--scope", "matches:read", "--test", "--label", "nightly"
    )
    key = made.stdout.strip()
    assert key.startswith("tk_test_") and status(server, key) == 200
    id = key.split("_")[2]
    rotated = wonderlog("keys", *data, "rotate", id, "--overlap", "3600")
    assert rotated.returncode == 0, rotated.stderr
    new = rotated.stdout.strip()
    assert (status(server, key), status(server, new)) == (200, 200)
    opened = wonderlog("keys", *data, "origins", "club", "https://play.example")
    assert opened.stdout == "club: https://play.example\n"
    listed, log = wonderlog("keys", *data, "list").stdout, wonderlog("keys", *data, "log").stdout
    for said in (id, new.split("_")[2], "matches:read", "nightly", "test"):
        assert said in listed
    for said in ("create", "rotate", "end", "origins", "operator", "https://play.example"):
        assert said in log
    assert key not in listed + log and new not in listed + log


def test_the_store_may_be_named_by_the_environment(server: Up) -> None:
    surroundings = {"WONDERLOG_STREAMS_URL": server.ready["redis_url"], "WONDERLOG_SERVER_SECRET": "ab" * 32}
    made = wonderlog("keys", "create", "other", **surroundings)
    assert made.returncode == 0, made.stderr
    assert status(server, made.stdout.strip()) == 200


def test_what_cannot_be_done_is_said_plainly(server: Up, tmp_path) -> None:  # type: ignore[no-untyped-def]
    data = ("--data", str(server.home))
    for arguments in (
        (*data, "create", "no spaces"),
        (*data, "revoke", "unknown"),
        (*data, "rotate", "unknown"),
        (*data, "origins", "club", "no-origin"),
        ("--data", str(tmp_path), "list"),
        ("list",),
    ):
        done = wonderlog("keys", *arguments)
        assert done.returncode == 1, arguments
        assert done.stderr.startswith("Error: ")
        assert "Traceback" not in done.stderr
