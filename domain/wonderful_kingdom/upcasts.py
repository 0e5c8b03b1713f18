"""Old event shapes to new ones; none so far."""

from domain.kernel.registry import Upcasts

UPCASTS: Upcasts = {}
