"""What a tenant calls a player: an opaque text of its own. It is kept nowhere: see `Persons`."""

import re
from collections.abc import Mapping
from typing import Any, Final

from service.errors import invalid

LONGEST: Final = 128
_REF: Final = re.compile(rf"[^\x00-\x1f\x7f/\ud800-\udfff]{{1,{LONGEST}}}")


def read(body: Mapping[str, Any]) -> str | None:
    """The `player_ref` of a body, None without one. Raises Invalid."""
    wanted = body.get("player_ref")
    if wanted is None:
        return None
    if not isinstance(wanted, str) or _REF.fullmatch(wanted) is None:
        raise invalid("/player_ref", "invalid", f"1 to {LONGEST} characters are expected, no slash")
    return wanted
