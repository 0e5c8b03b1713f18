"""Where the service keeps what is not in the logs: Redis, RQ, or memory."""
