"""The yardstick of the HTTP section: an endpoint that parses JSON and does one XADD + WAITAOF, no more."""

import os

from flask import Flask, jsonify, request
from flask.typing import ResponseReturnValue
from redis import Redis

WAIT_MS = 2_000


def application() -> Flask:
    """The bare application, on the Valkey the service uses."""
    app = Flask(__name__)
    client = Redis.from_url(os.environ["WONDERLOG_STREAMS_URL"])

    @app.get("/healthz/live")
    def live() -> ResponseReturnValue:
        return jsonify(status="live")

    @app.post("/v1/matches/<match>/commands")
    def command(match: str) -> ResponseReturnValue:
        body = request.get_json()
        with client.pipeline(transaction=False) as pipeline:
            pipeline.xadd(f"{{bare:{match}}}:events", {"data": str(body)})
            pipeline.execute_command("WAITAOF", 1, 0, WAIT_MS)  # type: ignore[no-untyped-call]  # redis-py
            written, _ = pipeline.execute()
        return jsonify(written=written.decode())

    return app
