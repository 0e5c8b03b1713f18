"""`wonderlog erase`: straight at the store of a running service."""

import requests

from tests.cli.running import Up, wonderlog


def seat_name(server: Up, match: str) -> str | None:
    """The name of the first seat, as the service answers."""
    headers = {"Authorization": f"Bearer {server.ready['tenant_key']}"}
    answer = requests.get(f"{server.url}/v1/matches/{match}/seats/0", headers=headers, timeout=10)
    found: str | None = answer.json().get("name")
    return found


def test_the_operator_erases_who_sits_at_a_seat(server: Up) -> None:
    data = ("--data", str(server.home))
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}
    match = server.post("/v1/matches", plan, "erase-match-00000000")["id"]
    server.post(f"/v1/matches/{match}/seats", {"name": "Ann Quirke"}, "erase-join-000000000")
    assert seat_name(server, match) == "Ann Quirke"
    done = wonderlog("erase", *data, "seat", match, "0")
    assert (done.returncode, done.stdout) == (0, "Erased.\n"), done.stderr
    assert seat_name(server, match) is None
    assert wonderlog("erase", *data, "seat", match, "0").stdout == "There is nobody to erase.\n"
    assert wonderlog("erase", *data, "player", "acme", "user-1").stdout == "There is nobody to erase.\n"
    assert wonderlog("erase", *data, "seal").stdout == "Sealed 0 names.\n"
    log = wonderlog("erase", *data, "log").stdout
    assert "erased" in log and "operator" in log and "Quirke" not in log and "user-1" not in log
    nowhere = wonderlog("erase", *data, "seat", "mat_" + "a" * 26, "0")
    assert nowhere.returncode == 1 and "no match" in nowhere.stderr
