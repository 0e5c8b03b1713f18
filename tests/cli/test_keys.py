"""`wonderlog keys`: made, listed, revoked."""

import time

import requests

from tests.cli.running import Up, wait_for, wonderlog


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
    began = time.monotonic()
    wait_for(lambda: status(server, key) == 401, "the end of the key", 5)
    assert time.monotonic() - began < 4
    assert status(server, server.ready["tenant_key"]) == 200


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
        ("--data", str(tmp_path), "list"),
        ("list",),
    ):
        done = wonderlog("keys", *arguments)
        assert done.returncode == 1, arguments
        assert done.stderr.startswith("Error: ")
        assert "Traceback" not in done.stderr
