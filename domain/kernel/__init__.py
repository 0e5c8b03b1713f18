"""What every game stands on: the game protocol, the engine, the table, chance, redaction."""
