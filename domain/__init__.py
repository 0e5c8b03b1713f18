"""The rules: commands in, events out; no clock, no dice, no I/O."""
