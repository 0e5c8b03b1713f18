"""The thin TypeScript client against the real thing, and what it makes of values, events and refusals."""

import json
import math
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import rfc8785

from tests.clients.node import HERE, NODE, run
from tests.service.http.conftest import Live

VALUES: list[Any] = [
    {
        "b": 1,
        "a": [True, False, None],
        "€": "\u20ac",
        "\U0001f600": "",
        "\ufb33": "\n\u001f\u007f\u2028",
        "": {},
    },
    [0, -0.0, 1.0, 1e21, 1e-7, 123456789012345.6, 5e-324, math.pi, 2**53 - 1, -(2**53) + 1],
    'quote " backslash \\ slash / tab \t',
]


def test_the_files_are_as_small_as_promised() -> None:
    assert len((HERE / "wonderlog_client.ts").read_text().splitlines()) <= 300
    assert len((HERE / "example_bot.ts").read_text().splitlines()) <= 60


def test_the_example_bot_plays_a_whole_match(project: Path, live: Live) -> None:
    """The other games: test_faulty_network.py."""
    key = live.services.keys.create("typescript").key
    said = json.loads(
        run(project, "--no-warnings", "example_bot.ts", live.url, key, "its-a-wonderful-world", "2")
    )
    assert (said["status"], said["reason"]) == ("over", "finished")
    assert sorted(seat for place in said["ranking"] for seat in place) == [0, 1]


@pytest.fixture(scope="module")
def answers(project: Path, live: Live, client: ModuleType, bot: ModuleType) -> dict[str, Any]:
    """What checks.ts says, and the events it was asked about."""
    with client.Api(live.url, live.services.keys.create("typescript").key) as api:
        events = list(bot.set_up(api, "seven-wonders", 3)[0].events(wait_s=0))
    changed = {**events[2], "actor": "rules"}
    wrong = [[*events[:2], changed], [events[0], events[2]], events]
    done = subprocess.run(
        [str(NODE), "--no-warnings", "checks.ts"],
        cwd=project,
        input=json.dumps({"values": VALUES, "events": events, "wrong": wrong}),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "events": events}


def test_values_and_events_hash_as_those_who_wrote_them_say(answers: dict[str, Any]) -> None:
    assert answers["canonical"] == [rfc8785.dumps(value).decode() for value in VALUES]
    assert answers["hashes"] == [event["hash"] for event in answers["events"]]


def test_a_changed_or_missing_event_is_noticed_and_only_that(answers: dict[str, Any]) -> None:

    assert answers["noticed"] == [True, True, False]


def test_it_waits_as_long_as_it_is_told_and_no_refusal_is_repeated(answers: dict[str, Any]) -> None:
    assert answers["retried"]["said"] == "422 illegal-move"
    assert answers["retried"]["pauses"] == [7000, 7000]
    assert len(answers["retried"]["keys"]) == 3 and len(set(answers["retried"]["keys"])) == 1


def test_it_gives_up_in_the_end_with_pauses_that_double(answers: dict[str, Any]) -> None:
    assert answers["lost"]["said"] == "unreachable"
    assert answers["lost"]["keys"] == ["the-same"] * answers["tries"] == ["the-same"] * 8
    assert answers["lost"]["pauses"] == [250, 500, 1000, 2000, 4000, 8000, 15000]
