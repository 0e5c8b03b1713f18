"""The page about limits says the numbers there are."""

import re
import runpy

from service.http.face import HttpSettings
from service.http.strict_json import DEEPEST
from service.settings import LIMITS
from tests.docs.test_docs import ROOT, text

PAGE = "docs/limits.md"


def test_the_table_holds_the_numbers_there_are() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", text(PAGE), re.MULTILINE)
    assert {name: int(number) for name, number in rows} == dict(LIMITS)


def test_the_sizes_are_those_that_are_enforced() -> None:
    gunicorn = runpy.run_path(str(ROOT / "deploy" / "gunicorn.conf.py"))
    said = " ".join(text(PAGE).split())
    assert f"at most {HttpSettings().largest_body // 1024} kB" in said
    assert f"nested at most {DEEPEST} deep" in said
    assert f"a request line {gunicorn['limit_request_line'] // 1024} kB" in said
    assert f"at most {gunicorn['limit_request_fields']} header fields" in said
    assert f"of {gunicorn['limit_request_field_size'] // 1024} kB each" in said
