"""What changed between two JSON values, as a JSON Patch (RFC 6902) of `add`, `remove` and `replace`."""

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def patch(old: Any, new: Any) -> list[Json]:
    """The operations that make `new` of `old`, in order; [] when they are equal. Objects are compared member
    by member; of lists what they have in common at both ends stays untouched."""
    return list(_changes(old, new, ""))


def pointer(path: str, step: str | int) -> str:
    """A JSON Pointer (RFC 6901) one step further."""
    return f"{path}/{str(step).replace('~', '~0').replace('/', '~1')}"


def _changes(old: Any, new: Any, path: str) -> Iterator[Json]:
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _of_objects(old, new, path)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _of_lists(old, new, path)
    elif not _same(old, new):
        yield {"op": "replace", "path": path, "value": new}


def _of_objects(old: Json, new: Json, path: str) -> Iterator[Json]:
    for name in [name for name in old if name not in new]:
        yield {"op": "remove", "path": pointer(path, name)}
    for name, value in new.items():
        if name in old:
            yield from _changes(old[name], value, pointer(path, name))
        else:
            yield {"op": "add", "path": pointer(path, name), "value": value}


def _of_lists(old: list[Any], new: list[Any], path: str) -> Iterator[Json]:
    shorter = min(len(old), len(new))
    begin = 0
    while begin < shorter and _same(old[begin], new[begin]):
        begin += 1
    end = 0
    while end < shorter - begin and _same(old[-1 - end], new[-1 - end]):
        end += 1
    before, after = old[begin : len(old) - end], new[begin : len(new) - end]
    both = min(len(before), len(after))
    for index in range(both):
        yield from _changes(before[index], after[index], pointer(path, begin + index))
    for index in range(len(before) - 1, both - 1, -1):
        yield {"op": "remove", "path": pointer(path, begin + index)}
    for index in range(both, len(after)):
        yield {"op": "add", "path": pointer(path, begin + index), "value": after[index]}


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)
