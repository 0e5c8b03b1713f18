"""Which web pages may call: a list of origins for each tenant, as browsers send them (`https://play.example`).

A preflight carries no credential, so it is answered for the origins of any tenant; the request itself is
opened to a page only where its own tenant lists the page's origin.
"""

import re
import time
from collections.abc import Sequence
from typing import Any, Final

from service.clock import Clock, timestamp
from service.credentials import Caller
from service.errors import Fault, Invalid
from service.tenant_keys import KeyAction, KeyStorage

Json = dict[str, Any]

MOST: Final = 50
# How long a process goes by what it has read, in seconds.
TRUST_S: Final = 2.0
_HOST: Final = r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ORIGIN: Final = re.compile(rf"https?://(?:{_HOST}|\[[0-9a-f:.]{{2,45}}\])(?::[0-9]{{1,5}})?")


class Origins:
    """The allow-lists of the tenants."""

    def __init__(self, storage: KeyStorage, clock: Clock) -> None:
        self._storage = storage
        self._clock = clock
        self._known: dict[str, tuple[str, ...]] = {}
        self._until = float("-inf")

    def of(self, tenant: str) -> tuple[str, ...]:
        """The origins of a tenant. Raises StoreUnavailable."""
        return self._all().get(tenant, ())

    def allows(self, origin: str, tenant: str | None) -> bool:
        """Whether pages of this origin may read answers of a tenant; None: of any, for requests that belong
        to nobody. Raises StoreUnavailable."""
        if tenant is not None:
            return origin in self.of(tenant)
        return any(origin in listed for listed in self._all().values())

    def set_own(self, caller: Caller, origins: Sequence[str]) -> Json:
        """Set the list of the caller's tenant. Raises Invalid, StoreUnavailable."""
        assert caller.tenant is not None, "the face asks for a tenant key"
        return self.set_for(caller.tenant, origins, caller.credential)

    def set_for(self, tenant: str, origins: Sequence[str], by: str) -> Json:
        """Set the list of a tenant: `{"origins": […]}`. Raises Invalid, StoreUnavailable."""
        faults = [
            Fault(f"/origins/{number}", "pattern", "an origin is a scheme, a host and maybe a port")
            for number, origin in enumerate(origins)
            if ORIGIN.fullmatch(origin) is None
        ]
        if len(origins) > MOST:
            faults.append(Fault("/origins", "length", f"at most {MOST} origins are expected"))
        if faults:
            raise Invalid(*faults)
        listed = tuple(dict.fromkeys(origins))
        now = timestamp(self._clock.now_ms())
        action = KeyAction(now, "origins", "", tenant, by, " ".join(listed))
        self._storage.put_origins(tenant, listed, action)
        self._until = float("-inf")
        return {"origins": list(listed)}

    def _all(self) -> dict[str, tuple[str, ...]]:
        now = time.monotonic()
        if now > self._until:
            self._known, self._until = self._storage.origins(), now + TRUST_S
        return self._known
