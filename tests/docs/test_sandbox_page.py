"""What docs/sandbox.md shows works as it stands, with curl and a shell."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service.http.operations import Operation
from tests.cli.running import CLEAN, start_up
from tests.docs.test_docs import blocks, text

PAGE = "docs/sandbox.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page calls curl")
def test_the_page_leads_from_nothing_to_the_end_of_a_match(tmp_path: Path) -> None:
    up = start_up(tmp_path / "home")
    try:
        done = subprocess.run(
            ["sh", "-c", "set -eu\n" + "\n".join(blocks(PAGE, "sh"))],
            cwd=tmp_path,
            env={**CLEAN, "URL": up.url, "KEY": up.ready["sandbox_key"]},
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        for said in (
            '"hand":["altar"',
            "no answer",
            '"ahead_ms":86400000',
            '"reason":"finished"',
            "taken_over",
        ):
            assert said in done.stdout, said
        assert up.get("/v1/matches")["items"] == [], "nothing of it is among what is live"
        (match,) = up.get("/v1/matches", up.ready["sandbox_key"])["items"]
        key = up.ready["sandbox_key"]
        events = up.get(f"/v1/matches/{match['id']}/events?limit=200", key)["items"]
        view = up.get(f"/v1/matches/{match['id']}/view", key)["state"]
        assert "apothecary" in json.dumps(view["cities"][1]), "the first move of the script"
        types = [event["type"] for event in events]
        assert "match.bot_failed" not in types, "the script is legal with this seed"
    finally:
        up.stop()


def test_the_page_names_every_fault() -> None:
    named = set(re.findall(r"^\| `([a-z0-9-]+)` \|", text(PAGE), re.MULTILINE))
    every = Operation("POST", "/", "", lambda face, asked: None, {}, ("x",), keyed=True)  # type: ignore[arg-type,return-value]
    assert set(every.faults) <= named
    assert {"stale", "slow-stream", "duplicate"} <= named
