"""The keys of a match, all in one hash slot, and the channel on which new heads are announced."""

import re
from typing import Final, NamedTuple

MATCH: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")

# Every append publishes `<match> <version> <hash>` here, on whatever server the match lives.
HEADS_CHANNEL: Final = "wonderlog:heads"

# Announced as `<topic> 0 -`: rights to see the topic may have changed, or (EVERYTHING) to see anything.
NEW_RIGHTS: Final = "{} 0 -"
EVERYTHING: Final = "*"

# The field of the secrets hash that says the match was archived, and where to; then it is the only field.
TOMBSTONE: Final = "tombstone"

# Written by the readiness probe.
PROBE: Final = "wonderlog:probe"


class MatchKeys(NamedTuple):
    """The three keys of a match: its stream, its command records, its secrets."""

    events: str
    commands: str
    secrets: str


def of_match(match: str) -> MatchKeys:
    """The keys of a match. Raises ValueError for an id that could leave its hash tag."""
    if not MATCH.fullmatch(match):
        raise ValueError(f"{match!r} is no match id")
    tag = f"{{match:{match}}}"
    return MatchKeys(f"{tag}:events", f"{tag}:commands", f"{tag}:secrets")
