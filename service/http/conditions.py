"""Conditions a request carries in its headers: entity tags, If-Match, If-None-Match, Idempotency-Key.

A tag names match, version, viewer, build and language (`"m:mat_x:v42:s2:b0.1.0:en"`): strong, and known
without hashing a body. Where names are shown, which are in no event, there is a mark of them at the end
(`:n0c4f09e1`), so that a client with a name that was erased is not told that it is up to date. `If-Match`
also takes the short form `"v42"`.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.credentials import Caller
from service.errors import Fault
from service.http import strict_json
from service.http.problems import Problem

LANGUAGE: Final = "en"
NO_VERSION: Final = 0  # no match is ever at version 0, so a tag that cannot match asks for this one

_KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_QUOTED: Final = re.compile(r'"([^"]*)"')
_SHORT: Final = re.compile(r"v([1-9][0-9]{0,8})")
_HEAD: Final = re.compile(r"([1-9][0-9]{0,8}):([0-9a-f]{64})")
_TAG: Final = re.compile(r"m:([^:]+):v([1-9][0-9]{0,8}):([^:]+):b[^:]+:[a-z-]+(?::n[0-9a-f]{8})?")


def viewer(caller: Caller, match: str) -> str:
    """Through whose eyes the caller sees the match: `s<seat>`, or `spectator`."""
    if caller.seat is not None and caller.match == match:
        return f"s{caller.seat}"
    return "spectator"


def entity_tag(match: str, version: int, seen_by: str, build: str, names: Sequence[str] = ()) -> str:
    """The strong tag of a view of the match at a version, quoted; `names`: those it shows."""
    mark = f":n{hashlib.sha256(strict_json.canonical(list(names))).hexdigest()[:8]}" if names else ""
    return f'"m:{match}:v{version}:{seen_by}:b{build}:{LANGUAGE}{mark}"'


def diff_tag(match: str, before: int, after: int, seen_by: str, build: str) -> str:
    """The strong tag of what changed between two versions, quoted."""
    return f'"d:{match}:v{before}-{after}:{seen_by}:b{build}:{LANGUAGE}"'


def wanted_version(header: str | None, match: str, seen_by: str) -> int | None:
    """The version an If-Match asks for; None without the header; `NO_VERSION` for a tag of another match, of
    another viewer, or a weak one, none of which can match. Build and language do not matter here: the table
    is the same in each. Raises Problem for `*`, for a list and for anything that is no tag."""
    if header is None:
        return None
    text = header.strip()
    if text == "*":
        raise _if_match("wildcard", "If-Match: * says nothing about what was seen; name a version")
    if text.startswith("W/"):
        return NO_VERSION
    quoted = _QUOTED.fullmatch(text)
    if quoted is None:
        raise _if_match("syntax", 'one entity tag is expected, such as "v42"')
    short = _SHORT.fullmatch(quoted[1])
    if short is not None:
        return int(short[1])
    tag = _TAG.fullmatch(quoted[1])
    if tag is None or tag[1] != match or tag[3] != seen_by:
        return NO_VERSION
    return int(tag[2])


def _if_match(code: str, detail: str) -> Problem:
    return Problem("validation", detail, [Fault("/header/If-Match", code, detail)])


def known_head(header: str) -> tuple[int, str]:
    """Version and hash of the head a client knows, `57:<hash>`. Raises Problem."""
    found = _HEAD.fullmatch(header.strip())
    if found is None:
        wrong = Fault("/header/Wonderlog-Known-Head", "pattern", "<version>:<64 hex digits> is expected")
        raise Problem("validation", "that is no head", [wrong])
    return int(found[1]), found[2]


def not_modified(header: str | None, tag: str) -> bool:
    """Whether an If-None-Match names the tag (weak comparison, as for every GET)."""
    if header is None:
        return False
    named = [entry.strip().removeprefix("W/") for entry in header.split(",")]
    return tag in named or "*" in named


def idempotency_key(header: str | None) -> str:
    """The key, bare or quoted on the wire. Raises Problem `idempotency-key-required`."""
    if header is None:
        raise _key("missing", "this request needs an Idempotency-Key header")
    text = header.strip()
    quoted = _QUOTED.fullmatch(text)
    key = text if quoted is None else quoted[1]
    if _KEY.fullmatch(key) is None:
        raise _key("pattern", "an Idempotency-Key holds 16 to 64 characters of A-Z a-z 0-9 _ -")
    return key


def is_key(text: str) -> bool:
    """Whether a key in a path is one that could have been used."""
    return _KEY.fullmatch(text) is not None


def _key(code: str, detail: str) -> Problem:
    return Problem("idempotency-key-required", detail, [Fault("/header/Idempotency-Key", code, detail)])


def fingerprint(body: Mapping[str, Any], if_match: str | None) -> str:
    """What makes two requests with one key the same: the body, whatever its spelling, and the If-Match."""
    digest = hashlib.sha256(strict_json.canonical(body))
    if if_match is not None:
        digest.update(b"\n" + if_match.strip().encode("latin-1", "replace"))
    return digest.hexdigest()
