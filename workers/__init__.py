"""Job workers: bots play, deadlines expire, nothing is left undone."""
