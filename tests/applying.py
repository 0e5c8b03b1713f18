"""JSON Patch as RFC 6902 says it is applied: written from the RFC, apart from what makes patches."""

import copy
from typing import Any


def applied(operations: list[dict[str, Any]], value: Any) -> Any:
    """The value after the operations; the value itself is not touched. Raises LookupError, AssertionError
    where an operation does not fit."""
    root = [copy.deepcopy(value)]
    for operation in operations:
        assert operation["path"] == "" or operation["path"].startswith("/")
        steps = [part.replace("~1", "/").replace("~0", "~") for part in operation["path"].split("/")[1:]]
        place: Any = root
        step: Any = 0
        for following in steps:
            place = place[step]
            step = int(following) if isinstance(place, list) else following
        if operation["op"] == "remove":
            del place[step]
        elif operation["op"] == "replace":
            place[step]
            place[step] = copy.deepcopy(operation["value"])
        elif isinstance(place, list) and place is not root:
            assert operation["op"] == "add" and 0 <= step <= len(place)
            place.insert(step, copy.deepcopy(operation["value"]))
        else:
            assert operation["op"] == "add"
            place[step] = copy.deepcopy(operation["value"])
    return root[0]
