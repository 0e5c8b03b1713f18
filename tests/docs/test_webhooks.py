"""The page about webhooks: its code runs, its types are the types there are."""

import json
import re

from service.webhooks.deliveries import SCHEDULE_S
from service.webhooks.notices import TYPES
from tests.docs.test_docs import blocks, text

PAGE = "docs/webhooks.md"


def test_the_code_that_verifies_runs_and_its_vectors_are_right() -> None:
    code = blocks(PAGE, "python")
    assert len(code) == 3
    names: dict[str, object] = {}
    for block in code:
        exec(block, names)
    assert names["signed"]


def test_the_example_is_a_notice_as_it_is_sent() -> None:
    (block,) = blocks(PAGE, "json")
    notice = json.loads(block)
    members = TYPES[notice["type"]].members
    assert list(notice) == ["type", "timestamp", "data"]
    assert set(notice["data"]) == {"match", "game", "title", "version", *members}


def test_every_type_is_in_the_table_with_its_members() -> None:
    rows = re.findall(r"^\| `([a-z._]+)` \| [^|]+ \| ([^|]*)\|$", text(PAGE), re.MULTILINE)
    assert {name: tuple(re.findall("`([a-z_]+)`", members)) for name, members in rows} == {
        name: kind.members for name, kind in TYPES.items()
    }


def test_the_schedule_is_told_as_it_is() -> None:
    hours = [round(pause / 3600) for pause in SCHEDULE_S[4:]]
    assert SCHEDULE_S[:4] == (0, 5, 300, 1800)
    assert f"{', '.join(map(str, hours[:-1]))} and {hours[-1]} hours" in text(PAGE)
