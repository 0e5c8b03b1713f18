"""The clients of the folder `clients`, and a service to use them against."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from service import bootstrap, settings
from tests.clients.node import installed
from tests.embedded import redis_url
from tests.service.http.conftest import SECRET, Live
from tests.service.http.running import ROOT, gunicorn


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "clients" / "python" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def client() -> ModuleType:
    """clients/python/wonderlog_client.py"""
    return _module("wonderlog_client")


@pytest.fixture(scope="session")
def bot(client: ModuleType) -> ModuleType:
    """clients/python/example_bot.py"""
    return _module("example_bot")


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The TypeScript clients with their packages and the types of the document."""
    return installed(tmp_path_factory.mktemp("typescript"))


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """gunicorn over loopback with an embedded Valkey."""
    folder: Path = tmp_path_factory.mktemp("clients")
    with redis_url() as url:
        environment = {"WONDERLOG_STREAMS_URL": url, "WONDERLOG_SERVER_SECRET": SECRET.hex()}
        services = bootstrap.services(settings.from_environment(environment))
        with gunicorn(folder / "gunicorn.log", environment) as server:
            yield Live(server, services, environment)
        services.close()
