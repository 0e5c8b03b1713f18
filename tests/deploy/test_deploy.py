"""The files of deploy/: what they start exists, and the server settings keep what is written."""

import re
import shutil
from pathlib import Path

import redis
import yaml

from service.cli import COMMANDS
from service.settings import from_environment
from tests.embedded import start_valkey

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]


def directives(path: Path) -> dict[str, str]:
    """The settings of a server's configuration file."""
    lines = (line.split(maxsplit=1) for line in path.read_text().splitlines())
    return {line[0]: line[1] for line in lines if line and not line[0].startswith("#")}


def test_the_containers_run_commands_that_exist() -> None:
    assert COMPOSE["web"]["command"] == ["wonderlog", "serve"]
    assert COMPOSE["worker"]["command"] == ["wonderlog", "work"]
    assert {"serve", "work"} <= set(COMMANDS)
    assert COMPOSE["worker"]["deploy"]["replicas"] >= 2


def test_the_containers_have_the_settings_they_need() -> None:
    for name in ("web", "worker"):
        environment = {**COMPOSE[name]["environment"], "WONDERLOG_SERVER_SECRET": "ab" * 32}
        assert from_environment(environment).streams_url == "redis://streams:6379/0"
        assert COMPOSE[name]["environment"]["WONDERLOG_SERVER_SECRET"].startswith(
            "${WONDERLOG_SERVER_SECRET:?"
        )
    assert "ports" not in COMPOSE["streams"]


def test_the_image_holds_every_package_and_what_they_read() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    copied = set(re.findall(r"^COPY (\S+) \1$", dockerfile, re.MULTILINE))
    assert {"domain", "events", "service", "workers", "deploy"} <= copied


def test_a_server_with_these_settings_starts_and_is_fit_to_keep_logs() -> None:
    settings = directives(DEPLOY / "redis-streams.conf")
    wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
    assert {name: settings[name] for name in wanted} == wanted
    for given_by_the_test in ("port", "bind"):
        del settings[given_by_the_test]
    with start_valkey() as running:
        written = running.folder / "test.conf"
        shutil.copy(DEPLOY / "redis-streams.conf", written)
        with redis.Redis(port=running.port, decode_responses=True) as client:
            for name, value in settings.items():
                client.config_set(name, "" if value == '""' else value)
