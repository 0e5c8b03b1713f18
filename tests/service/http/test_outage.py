"""The store goes away and comes back: 503 with Retry-After meanwhile, and a retry with the same key heals."""

import time
from pathlib import Path

import requests

from service import bootstrap, settings
from tests.embedded import start_valkey
from tests.service.http.conftest import SECRET
from tests.service.http.play import sit_down
from tests.service.http.running import Client, gunicorn, new_key


def check_unavailable(answer: requests.Response, *codes: str) -> None:
    assert answer.status_code == 503
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert int(answer.headers["Retry-After"]) >= 1
    problem = answer.json()
    assert problem["code"] in codes
    assert problem["retry"] == {"safe": True, "after_ms": 1000}
    assert "127.0.0.1" not in answer.text.replace(answer.json()["type"], "")


def test_an_outage_of_the_store_is_told_and_survived(tmp_path: Path) -> None:
    with start_valkey() as server:
        environment = {
            "WONDERLOG_STREAMS_URL": server.url,
            "WONDERLOG_SERVER_SECRET": SECRET.hex(),
            "WONDERLOG_STORE_TIMEOUT_MS": "1000",
        }
        services = bootstrap.services(settings.from_environment(environment))
        key = services.keys.create("acme").key
        services.close()
        with gunicorn(tmp_path / "log", environment, workers=1) as web, Client(web.url, key) as host:
            host.patience_s = 60  # the store may be slow to take what is only set up here
            party = sit_down(host, 3)
            version = host.get(party.path).json()["version"]
            move, intent = party.moves(0)[0], {"Idempotency-Key": new_key()}
            host.patience_s = party.seats[0].patience_s = 0
            server.kill()

            unknown = ("temporarily-unavailable", "outcome-unknown")
            lost = party.seats[0].post(f"{party.path}/commands", move, headers=intent)
            check_unavailable(lost, *unknown)
            check_unavailable(host.get(f"{party.path}/view"), "temporarily-unavailable")
            check_unavailable(host.get("/healthz/ready"), "temporarily-unavailable")
            assert host.get("/healthz/live").status_code == 200
            waiting = host.get(f"{party.path}/events", params={"after": version, "wait": 5})
            check_unavailable(waiting, "temporarily-unavailable")

            server.start()
            until = time.monotonic() + 120
            while True:
                answer = party.seats[0].post(f"{party.path}/commands", move, headers=intent)
                if answer.status_code == 200:
                    break
                check_unavailable(answer, *unknown)
                assert time.monotonic() < until
                time.sleep(0.2)
            host.patience_s = party.seats[0].patience_s = 60
            assert host.get("/healthz/ready").status_code == 200
            events = host.get(f"{party.path}/events", params={"after": version}).json()["items"]
            assert [event["version"] for event in events] == [version + 1], "it was recorded once"
            again = party.seats[0].post(f"{party.path}/commands", move, headers=intent)
            assert again.json() == answer.json() and again.headers["Idempotency-Replayed"] == "true"
        log = (tmp_path / "log").read_text()
        assert "Traceback" not in log and "wonderlog.http request" in log
        assert "not ready: streams: " in log
