"""`wonderlog audit --secrecy`, on files and on matches of a service."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from domain import seven_wonders
from domain.kernel.redaction import OPEN
from events import bundle
from events.chain import served
from service.cli import bundles
from service.cli.auditing import audit
from service.transact import seal_key
from tests.audit.short_match import SIGNER
from tests.audit.whole_matches import SECRETS, lines_of
from tests.cli.running import Up, wonderlog
from tests.service.test_secrecy import GAMES, recorded, told_of, with_names


@pytest.mark.parametrize("name", GAMES)
def test_a_bundle_of_every_game_is_found_to_have_kept_its_secrets(name: str, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_bytes(b"".join(lines_of(name)))
    done = CliRunner().invoke(audit, ["--secrecy", str(file)])
    assert done.exit_code == 0, done.output
    assert "all look the same" in done.output
    printed = CliRunner().invoke(audit, ["--secrecy", "--json", str(file)])
    (report,) = json.loads(printed.stdout)
    assert report["secret"] is True and len(report["viewers"]) >= 3


def test_a_bundle_that_leaked_is_named_with_the_place(tmp_path: Path) -> None:
    name = seven_wonders.NAME
    dealt = next(cls for cls in seven_wonders.REDACTIONS if cls.__name__ == "HandsDealt")
    leaky = with_names(seven_wonders, REDACTIONS={**seven_wonders.REDACTIONS, dealt: OPEN})
    log = recorded(leaky, told_of(name))
    info = bundle.BundleInfo(name, seven_wonders.RULESET, "ab" * 32, 3, "full", True)
    envelopes = served(log, "full", seal_key(SECRETS.match_key), with_parts=True)
    file = tmp_path / "leaked.jsonl"
    file.write_bytes(b"".join(bundle.write(info, envelopes, SIGNER)))
    assert bundle.verify(bundles.lines(file)).ok, "nothing else is wrong with it"
    done = CliRunner().invoke(audit, ["--secrecy", str(file)])
    assert done.exit_code == 1
    assert "events at /hands/" in done.output and "differ from the world told" in done.output


def test_a_match_of_the_service_is_checked_there(server: Up) -> None:
    plan = {"game": "seven-wonders", "seats": [{"kind": "open"}] * 3}
    match = server.post("/v1/matches", plan, "secrecy-match-000000")["id"]
    seats = [server.post(f"/v1/matches/{match}/seats", {}, f"secrecy-join-{n:09}")["token"] for n in range(3)]
    server.post(f"/v1/matches/{match}/commands", {"command": {"type": "start"}}, "secrecy-start-000000")
    for number in (0, 1):
        body = {"command": {"type": "resign"}}
        server.post(f"/v1/matches/{match}/commands", body, f"secrecy-resign-{number:07}", seats[number])
    found = wonderlog("audit", "--secrecy", match, "--data", str(server.home))
    assert found.returncode == 0, found.stderr
    assert "all look the same" in found.stdout


def test_ids_are_for_secrecy_only(tmp_path: Path) -> None:
    assert CliRunner().invoke(audit, ["mat_" + "a" * 26]).exit_code == 2
    assert CliRunner().invoke(audit, ["--secrecy", str(tmp_path / "none.jsonl")]).exit_code == 2
    assert CliRunner().invoke(audit, ["--secrecy", "--stored"]).exit_code == 2
