"""The entry for gunicorn: `gunicorn -c deploy/gunicorn.conf.py 'service.http.wsgi:application()'`."""

from importlib.metadata import version

from flask import Flask

from domain.catalogue import GAMES
from service import bootstrap, settings
from service.http.app import create_app
from service.http.face import HttpSettings


def application() -> Flask:
    """The application of this process, built from the environment. Raises SettingsError."""
    known = settings.from_environment()
    http = HttpSettings(public_url=known.base_url, build=version("wonderlog"))
    return create_app(bootstrap.services(known).matches, http, GAMES)
