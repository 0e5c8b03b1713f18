"""Where the keys of persons are kept: apart from the matches, so that a backup of these opens no name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class PersonKey(NamedTuple):
    """The id of a person, made at random, and the salt, hex, from which (and from the server secret) its key
    derives."""

    id: str
    salt: str


@dataclass(frozen=True, slots=True)
class Erasure:
    """That a person was erased (`erased`), or that there was nobody to erase (`nobody`): when, of which
    tenant, and by whom: the public id of a tenant key, or `operator`. Who it was is said nowhere."""

    at: str
    tenant: str
    by: str
    outcome: str = ""


class PersonKeys(Protocol):
    """Keys under the ids of persons, and these under an index: a MAC of what somebody is called. Every method
    raises StoreUnavailable when they cannot be reached."""

    def claim(self, index: str, new: PersonKey) -> PersonKey:
        """The person of an index; the new one if there was none. Raises OutcomeUnknown as well."""

    def find(self, index: str) -> str | None:
        """The id of the person of an index."""

    def salts(self, ids: Sequence[str]) -> list[str | None]:
        """The salts of these persons; None for one that was erased."""

    def destroy(self, index: str, erasure: Erasure) -> bool:
        """Destroy index and salt and write down that it was done, in one step; False when there was nothing.
        Raises OutcomeUnknown as well."""

    def drop(self, indexes: Sequence[str]) -> None:
        """Destroy these and their salts, as nobody's any more: that is no erasure to be written down. Raises
        OutcomeUnknown as well."""

    def compact(self) -> bool:
        """Have the store forget on its disk as well what was destroyed; False when that must be asked for
        again later."""

    def erasures(self, most: int) -> list[Erasure]:
        """What was erased last, oldest first."""
