"""Schemathesis over the whole document: its examples, its edges, random requests, sequences along its links.

The short run is part of the suite. `make fuzz` takes its time: FUZZ_EXAMPLES requests of a kind, FUZZ_SEED.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.http.conftest import Live
from tests.service.http.contract import document
from tests.service.http.play import sit_down
from tests.service.http.running import ROOT, Client, gunicorn

HERE = Path(__file__).parent
METHODS = ("get", "post", "put", "patch", "delete")
PHASES = ("examples", "coverage", "fuzzing", "stateful")


@pytest.fixture
def unlimited(live: Live, tmp_path: Path) -> Iterator[str]:
    """The address of a server that lets thousands of requests without a credential pass, and whose streams
    end after a second."""
    settings = {"WONDERLOG_LIMITS": "off", "WONDERLOG_STREAM_AGE_S": "1"}
    with gunicorn(tmp_path / "gunicorn.log", {**live.environment, **settings}) as server:
        yield server.url


def test_whatever_the_document_allows_or_forbids_is_answered_as_it_says(
    live: Live, unlimited: str, tmp_path: Path
) -> None:
    host = Client(unlimited, live.services.keys.create("fuzz").key)
    party = sit_down(host, 3)
    match = party.path.rpartition("/")[2]
    known = {"tenant": host.token, "match": match, "seats": [seat.token for seat in party.seats]}
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "0",  # sets in the same order each time
        "SCHEMATHESIS_HOOKS": "tests.service.http.fuzz.hooks",
        "FUZZ_CREDENTIALS": json.dumps(known),
    }
    # From a file: Schemathesis leaves out the operation it reads the document from.
    told, report = tmp_path / "openapi.json", tmp_path / "report.json"
    told.write_bytes(host.get("/v1/openapi.json").content)
    examples, seed = os.environ.get("FUZZ_EXAMPLES", "5"), os.environ.get("FUZZ_SEED", "1")
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "--config-file", str(HERE / "schemathesis.toml")]
        + ["--no-color", "run", str(told), "--url", unlimited]
        + ["--phases", ",".join(PHASES), "--max-examples", examples, "--seed", seed]
        + ["--generation-database", "none", "--continue-on-failure", "--request-timeout", "60"]
        + ["--report", "json", "--report-json-path", str(report)],
        capture_output=True,
        text=True,
        timeout=float(os.environ.get("FUZZ_SECONDS", "1800")),
        cwd=tmp_path,
        env=environment,
    )
    print(done.stdout[-30000:], done.stderr[-5000:])  # shown when something below does not hold
    assert done.returncode == 0
    found = json.loads(report.read_text())
    operations = sum(method in METHODS for item in document()["paths"].values() for method in item)
    assert found["operations"]["tested"] == operations and found["operations"]["errored"] == 0
    assert {name: phase["status"] for name, phase in found["phases"].items()} == dict.fromkeys(
        PHASES, "success"
    )
    followed = re.search(r"API Links: +(\d+) covered", done.stdout)
    assert followed is not None and int(followed[1]) >= 1, "the stateful phase follows the links"
    assert found["test_cases"]["generated"] > 50 * operations
    assert found["test_cases"]["with_failures"] == found["test_cases"]["errored"] == 0
    # Whatever has become of the key that was fuzzed with, the match it fuzzed ran on.
    another = host.as_(live.services.keys.create("fuzz").key)
    assert another.get(f"{party.path}/view").json()["status"] == "running"
