"""The events of a bundle as they were recorded: what a full bundle of a match that is over holds is all."""

from collections.abc import Iterable

from events.canonical import Json
from events.envelope import Recorded


def records(envelopes: Iterable[Json]) -> list[Recorded]:
    """The events of the verified envelopes of a full bundle, in order. Their match is that of their origin,
    under which they were hashed and sealed."""
    return [_recorded(envelope) for envelope in envelopes]


def _recorded(envelope: Json) -> Recorded:
    fields = {name: value for name, value in envelope.items() if name not in ("public", "nonce", "parts")}
    return Recorded(
        **fields,
        public=envelope["public"] if "public" in envelope else envelope["data"],
        parts=envelope["parts"],
        meta={},
    )
