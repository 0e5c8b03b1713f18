"""An event as the fields of a stream entry: JSON that a person can read with redis-cli, and no byte twice.

Entry `<version>-0` of the stream holds `type`, `header`, `data`, `public`, `parts`, `seals`, `hash`, `meta`.
`public` is empty where it equals `data`; the others are empty for {}. A seat's part is the list of places
(JSON pointers) at which it shows what `data` holds, the rest being `public`: `["/hands/2"]`, `[""]` for all
of it, `[]` for none; where that cannot say it, the form itself.
"""

from typing import Any, Final

import msgspec

from events.canonical import Json, same
from events.envelope import Recorded

FIELDS: Final = ("type", "header", "data", "public", "parts", "seals", "hash", "meta")
HASH_FIELD: Final = FIELDS.index("hash")


class _Header(msgspec.Struct, frozen=True):
    schema: int
    ruleset: str
    decision: str | None
    actor: str
    cause: str
    command: int
    occurred_at: str
    prev_hash: str


_encode: Final = msgspec.json.encode
_decode: Final = msgspec.json.decode
_header: Final = msgspec.json.Decoder(_Header)
_places: Final = msgspec.json.Decoder(dict[str, list[str] | Json])
_strings: Final = msgspec.json.Decoder(dict[str, str])


def entry(event: Recorded) -> list[bytes]:
    """The values of the entry, in the order of FIELDS."""
    header = _Header(
        event.schema,
        event.ruleset,
        event.decision,
        event.actor,
        event.cause,
        event.command,
        event.occurred_at,
        event.prev_hash,
    )
    places = {seat: _from(part, event.public, event.data) for seat, part in event.parts.items()}
    return [
        event.type.encode(),
        _encode(header),
        _encode(event.data),
        b"" if same(event.data, event.public) else _encode(event.public),
        _encode(places) if places else b"",
        _encode(event.seals) if event.seals else b"",
        event.hash.encode(),
        _encode(event.meta) if event.meta else b"",
    ]


def recorded(match: str, version: int, values: list[bytes]) -> Recorded:
    """The event of an entry. Raises ValueError (msgspec's) for an entry that no `entry` made."""
    kind, head, full, spectators, places, seals, hashed, meta = values
    header = _header.decode(head)
    data = _decode(full)
    public = _decode(spectators) if spectators else data
    parts = {}
    if places:
        for seat, where in _places.decode(places).items():
            parts[seat] = _show(where, spectators or full, data) if isinstance(where, list) else where
    return Recorded(
        match=match,
        version=version,
        type=kind.decode(),
        schema=header.schema,
        ruleset=header.ruleset,
        decision=header.decision,
        actor=header.actor,
        cause=header.cause,
        command=header.command,
        occurred_at=header.occurred_at,
        data=data,
        public=public,
        parts=parts,
        seals=_strings.decode(seals) if seals else {},
        prev_hash=header.prev_hash,
        hash=hashed.decode(),
        meta=_decode(meta) if meta else {},
    )


def _from(part: Json, public: Json, data: Json) -> list[str] | Json:
    places = _differing(part, public, data, "")
    return part if places is None else places


def _differing(part: Any, public: Any, data: Any, here: str) -> list[str] | None:
    """The places at which the part shows the data and not the public form; None if it shows anything else."""
    if same(part, public):
        return []
    if same(part, data):
        return [here]
    places: list[str] = []
    if isinstance(part, dict) and isinstance(public, dict) and isinstance(data, dict):
        if not part.keys() == public.keys() == data.keys():
            return None
        steps = [(key.replace("~", "~0").replace("/", "~1"), key) for key in part]
    elif isinstance(part, list) and isinstance(public, list) and isinstance(data, list):
        if not len(part) == len(public) == len(data):
            return None
        steps = [(str(index), index) for index in range(len(part))]
    else:
        return None
    for step, key in steps:
        below = _differing(part[key], public[key], data[key], f"{here}/{step}")
        if below is None:
            return None
        places += below
    return places


def _show(places: list[str], public: bytes, data: Any) -> Json:
    """The public form with the data's values at the places."""
    form: Json = _decode(public)
    for place in places:
        if not place:
            whole: Json = data
            return whole
        inside: Any = form
        source = data
        *path, last = place[1:].split("/")
        for step in path:
            inside, source = inside[_key(inside, step)], source[_key(source, step)]
        inside[_key(inside, last)] = source[_key(source, last)]
    return form


def _key(container: Any, step: str) -> str | int:
    return int(step) if isinstance(container, list) else step.replace("~1", "/").replace("~0", "~")
