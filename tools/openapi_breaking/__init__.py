"""What a client of the last release would notice: `make openapi-breaking`."""
