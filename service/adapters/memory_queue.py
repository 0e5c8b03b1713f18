"""The queue in this process."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from service.queue_tickets import WAITING, QueueTable, QueueTicket


@dataclass(slots=True)
class MemoryQueue:
    """Tickets and tables in plain dictionaries."""

    tickets: dict[tuple[str, str], QueueTicket] = field(default_factory=dict)
    open_tables: dict[tuple[str, str], QueueTable] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, ticket: QueueTicket) -> QueueTicket:
        with self._lock:
            return self.tickets.setdefault((ticket.tenant, ticket.id), ticket)

    def get(self, tenant: str, id: str) -> QueueTicket | None:
        return self.tickets.get((tenant, id))

    def waiting(self, tenant: str, most: int) -> list[QueueTicket]:
        with self._lock:
            mine = [each for each in self.tickets.values() if each.tenant == tenant]
        return sorted((each for each in mine if each.status == WAITING), key=lambda each: each.place)[:most]

    def settle(self, tickets: Sequence[QueueTicket], table: QueueTable | None = None) -> bool:
        with self._lock:
            known = [self.tickets.get((ticket.tenant, ticket.id)) for ticket in tickets]
            if any(each is None or each.status != WAITING for each in known):
                return False
            self.tickets.update({(ticket.tenant, ticket.id): ticket for ticket in tickets})
            if table is not None:
                self.open_tables[table.tenant, table.id] = table
            return True

    def tables(self, tenant: str) -> list[QueueTable]:
        with self._lock:
            return [table for table in self.open_tables.values() if table.tenant == tenant]

    def finish(self, table: QueueTable, tickets: Sequence[QueueTicket]) -> bool:
        with self._lock:
            if self.open_tables.pop((table.tenant, table.id), None) is None:
                return False
            self.tickets.update({(ticket.tenant, ticket.id): ticket for ticket in tickets})
            return True

    def tenants(self) -> list[str]:
        with self._lock:
            waiting = {tenant for (tenant, _), ticket in self.tickets.items() if ticket.status == WAITING}
            return sorted(waiting | {tenant for tenant, _ in self.open_tables})

    def retire(self, tenant: str) -> None:
        """Nothing: only queues that are not empty are named."""
