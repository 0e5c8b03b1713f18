"""The log: a stream per match, one entry per event, sealed and chained. Knows no rules and no service."""
