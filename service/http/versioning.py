"""Which contract the service answers by, and which of its operations are on their way out.

Three numbers that are never coupled: the API (`/v1`, and the date of the contract below), the schema of each
event, and the ruleset of a match.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final

from flask import Response

# The day that names the contract in openapi.yaml, in every answer as `Api-Version`. It has to be later than
# that of the last release (docs/releases) as soon as the two documents differ: make openapi-breaking.
CONTRACT: Final = "2026-12-01"
HEADER: Final = "Api-Version"


@dataclass(frozen=True, slots=True)
class Deprecation:
    """An operation that will go: `since` and `sunset` in UTC (at least twelve months later, docs/clients.md),
    what to read about it, and the path of what replaces it."""

    since: datetime
    sunset: datetime
    about: str
    successor: str | None = None

    def headers(self) -> dict[str, str]:
        """Deprecation (RFC 9745), Sunset (RFC 8594) and the links that belong to them."""
        links = [f'<{self.about}>; rel="deprecation"; type="text/html"']
        if self.successor is not None:
            links.append(f'<{self.successor}>; rel="successor-version"')
        return {
            "Deprecation": f"@{int(self.since.timestamp())}",
            "Sunset": format_datetime(self.sunset.astimezone(UTC), usegmt=True),
            "Link": ", ".join(links),
        }


def announce(response: Response, deprecation: Deprecation) -> Response:
    """The same answer with the headers of a deprecated operation; a Link it has already is kept."""
    for name, value in deprecation.headers().items():
        response.headers.add(name, value)
    return response
