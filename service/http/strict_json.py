"""Request bodies: JSON without the corners in which two readers disagree.

Refused as malformed: text that is not UTF-8, a byte order mark, duplicate keys, NaN and infinities, numbers
beyond double precision, lone surrogates, nesting deeper than `DEEPEST`, a top level that is no object.
"""

import json
from typing import Any, Final, NoReturn

DEEPEST: Final = 16
LARGEST_INTEGER: Final = 2**53 - 1


class MalformedJson(Exception):
    """The text is not JSON as read here; the message says why without quoting the text."""


def decode(raw: bytes) -> dict[str, Any]:
    """The object in `raw`. Raises MalformedJson."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise MalformedJson("the body is not UTF-8") from None
    if text.startswith("\ufeff"):
        raise MalformedJson("the body begins with a byte order mark")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as wrong:
        place = f"line {wrong.lineno}, column {wrong.colno}"
        raise MalformedJson(f"the body is not JSON ({place})") from None
    except RecursionError:
        raise MalformedJson(f"the body is nested deeper than {DEEPEST}") from None
    if not isinstance(value, dict):
        raise MalformedJson("the body must be a JSON object")
    _walk(value)
    return value


def canonical(value: Any) -> bytes:
    """One spelling for equal values (sorted keys, no spaces), to compare two requests; for decoded bodies."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise MalformedJson("an object names a member twice")
    return members


def _integer(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > LARGEST_INTEGER:
        raise MalformedJson("an integer is beyond 2^53 - 1")
    return int(digits)


def _real(digits: str) -> float | int:
    """A number with a point or an exponent; a whole one (`2.0`, `1e3`) is an integer, as in JSON Schema."""
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise MalformedJson("a number is beyond double precision")
    return int(number) if number.is_integer() and abs(number) <= LARGEST_INTEGER else number


def _constant(name: str) -> NoReturn:
    raise MalformedJson("NaN and infinities are not JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_once, parse_int=_integer, parse_float=_real, parse_constant=_constant
)


def _walk(top: dict[str, Any]) -> None:
    """Depth and surrogates, level by level, so that depth costs no stack."""
    level: list[Any] = [top]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                below.extend(value)
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
            elif isinstance(value, str) and not value.isascii():
                _whole(value)
        if not below:
            return
        level = below
    raise MalformedJson(f"the body is nested deeper than {DEEPEST}")


def _whole(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise MalformedJson("a string holds a lone surrogate") from None
