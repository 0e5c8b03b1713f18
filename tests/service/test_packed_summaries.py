"""Lists keep a summary of every match there ever was: in few bytes, which every release to come can read."""

from base64 import b64decode

import pytest

from domain.catalogue import GAMES
from service.adapters.packed_summaries import outline, packed, unpacked
from service.read_models import Outline, Summary
from tests.service.table import in_memory, set_up

KEPT = b"MUMt6RJxAuQyMDE5N5XcctDSzMDQyMTcxNjcCLmoMjFFKhRxl0+4ig+gZ/MgronKP7xaCSNkYLZaWlqi1uCJSfihEqFghDYaagE="


def test_what_was_packed_once_is_read_for_ever() -> None:
    shown = {"seats": [{"seat": 0, "kind": "human", "resigned": False}], "name": "Zoë"}
    summary = Summary(
        "mat_" + "a" * 26,
        "acme",
        "seven-wonders",
        "over",
        1796012474372,
        145,
        shown,
        1796012474999,
        ("ab" * 16,),
        0,
        "private",
    )
    assert unpacked(b64decode(KEPT)) == summary
    assert outline(b64decode(KEPT)) == Outline(
        "seven-wonders", "over", 1796012474999, ("ab" * 16,), 0, "private"
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_every_game_takes_few_bytes(game: str) -> None:
    services = in_memory(games=GAMES)
    set_up(services, seats=2, game=game)
    (summary,) = services.adapters.lists.all_listed()
    assert unpacked(packed(summary)) == summary
    assert len(packed(summary)) < 300
    services.close()
