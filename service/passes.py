"""Invites and spectator tokens as they lie in the secrets of their match: only hashes.

`invite:<id>` and `spectator:<id>` hold what was issued, as JSON; beside them `<role>-ended:<id>` the time it
was revoked, and `invite-used:<id>` how often somebody sat down with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from service.credentials import INVITE, SPECTATOR, Caller, same_hash

# The secrets of a match are read with every request to it: so many of each kind are allowed.
MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Issued:
    """What was issued: for which seat (None: any; spectators have none), for how many uses (0: for ever),
    until when. `fingerprint`: of the request, so that a retry finds it. `person`: the id of whoever is to sit
    down with it, where the tenant calls it anything."""

    hash: str
    made_at: str
    fingerprint: str
    label: str = ""
    seat: int | None = None
    uses: int = 0
    expires_at: str | None = None
    person: str = ""


@dataclass(frozen=True, slots=True)
class Pass:
    """An invite or a spectator token: what was issued and what became of it."""

    id: str
    role: str
    issued: Issued
    used: int
    ended_at: str | None

    def is_good(self, now: str) -> bool:
        """Whether it still opens something at a time."""
        expired = self.issued.expires_at is not None and self.issued.expires_at <= now
        spent = self.issued.uses > 0 and self.used >= self.issued.uses
        return self.ended_at is None and not expired and not spent


def issued_field(role: str, id: str) -> str:
    """The secret that holds what was issued."""
    return f"{role}:{id}"


def ended_field(role: str, id: str) -> str:
    """The secret that holds when it was revoked."""
    return f"{role}-ended:{id}"


def used_field(id: str) -> str:
    """The secret that holds how often an invite was used."""
    return f"{INVITE}-used:{id}"


def stored(issued: Issued) -> str:
    """As it is kept."""
    return msgspec.json.encode(issued).decode()


def find(secrets: Mapping[str, str], role: str, id: str) -> Pass | None:
    """The pass of this id, or None."""
    kept = secrets.get(issued_field(role, id))
    if kept is None:
        return None
    issued = msgspec.json.decode(kept, type=Issued)
    ended = secrets.get(ended_field(role, id))
    return Pass(id, role, issued, int(secrets.get(used_field(id), "0")), ended)


def all_of(secrets: Mapping[str, str], role: str) -> list[Pass]:
    """Every pass of a role, oldest first."""
    prefix = issued_field(role, "")
    ids = [name.removeprefix(prefix) for name in secrets if name.startswith(prefix)]
    found = [each for each in (find(secrets, role, id) for id in ids) if each is not None]
    return sorted(found, key=lambda each: (each.issued.made_at, each.id))


def proven(caller: Caller, secrets: Mapping[str, str]) -> Pass | None:
    """The pass the caller holds, if its token is the one that was issued; None for a forged one, and for a
    spectator token that was revoked. An invite may have ended: that is told to whoever holds it."""
    found = find(secrets, caller.role, caller.pass_id) if caller.role in (INVITE, SPECTATOR) else None
    if not same_hash(caller.proof, None if found is None else found.issued.hash):
        return None
    return None if found is not None and caller.role == SPECTATOR and found.ended_at is not None else found
