"""How a client of one seat waits: never for news that it has already read."""

from typing import Any

from service.cli.client import Api
from service.cli.seat import Seat


class Moving(Api):
    """A match that moves on to our turn after the first view was made, before its events are asked for."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:1")
        self.waits: list[int] = []
        self.views = 0

    def get(self, path: str, **query: Any) -> Any:
        if path.endswith("/view"):
            self.views += 1
            first = self.views == 1
            return {"status": "running", "version": 4 if first else 5, "awaited": [1] if first else [0]}
        self.waits.append(query["wait"])
        items = [{"version": version} for version in range(query["after"] + 1, 6)]
        return {"items": items, "next_after": 5}


def test_what_happened_between_view_and_events_is_looked_at_and_not_waited_for() -> None:
    api = Moving()
    view, events = next(Seat("mat_x", 0, "token", api).turns())
    assert view["awaited"] == [0] and [event["version"] for event in events] == [1, 2, 3, 4, 5]
    assert api.waits == [0]
