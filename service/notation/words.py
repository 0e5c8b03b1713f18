"""Commands as words: a verb, then the fields in order, those left out at the end that have their defaults."""

import dataclasses
import json
import re
from typing import Any, Final

import msgspec

from events import codec

_BARE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/-]*")
_NUMBER: Final = re.compile(r"-?[0-9]+")
_LIST: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/-]*(\+[A-Za-z_][A-Za-z0-9_.:/-]*)+")
_JSON: Final = json.JSONDecoder()
_NAMES: Final = {"null": None, "true": True, "false": False}


def word(value: Any) -> str:
    """A JSON value as a word: ids and numbers bare, two or more ids joined by `+`, all else as JSON."""
    if isinstance(value, str) and _BARE.fullmatch(value) and value not in _NAMES:
        return value
    if isinstance(value, list) and len(value) > 1:
        joined = "+".join(str(each) for each in value)
        if all(isinstance(each, str) and _BARE.fullmatch(each) for each in value):
            return joined
    if value is None:
        return "-"
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def value(text: str) -> Any:
    """The JSON value of a word. Raises ValueError."""
    if text == "-":
        return None
    if text in _NAMES:
        return _NAMES[text]
    if _NUMBER.fullmatch(text):
        return int(text)
    if _LIST.fullmatch(text):
        return text.split("+")
    if _BARE.fullmatch(text):
        return text
    return json.loads(text)


def split(text: str) -> list[str]:
    """The words of a text: JSON strings, lists and objects, else whatever has no space in it. Raises
    ValueError for what is none."""
    found, at = [], 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if text[at] in '"[{':
            _, end = _JSON.raw_decode(text, at)
        else:
            end = next((place for place in range(at, len(text)) if text[place].isspace()), len(text))
        found.append(text[at:end])
        at = end
    return found


def said(verb: str, command: Any) -> str:
    """A command in words."""
    shown = codec.encode(command)
    fields = dataclasses.fields(command)
    values = [shown[each.name] for each in fields]
    while values and _default(fields[len(values) - 1]) == values[-1]:
        values.pop()
    return " ".join([verb, *map(word, values)])


def _default(field: Any) -> Any:
    if field.default is not dataclasses.MISSING:
        return codec.encode({"it": field.default})["it"]
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return dataclasses.MISSING


def command(cls: type, words: list[str]) -> Any:
    """The command of a class from the words after its verb. Raises ValueError."""
    fields = dataclasses.fields(cls)
    if len(words) > len(fields):
        raise ValueError(f"{len(words)} words after the verb, {len(fields)} at most are expected")
    given = {each.name: value(text) for each, text in zip(fields, words, strict=False)}
    try:
        return msgspec.convert(given, cls, str_keys=True)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
