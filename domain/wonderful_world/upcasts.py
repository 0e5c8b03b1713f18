"""Old shapes of events to new ones: none yet. Samples of every released shape lie in `tests/events/old/`."""

from domain.kernel.registry import Upcasts

UPCASTS: Upcasts = {}
