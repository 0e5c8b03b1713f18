"""The entry for gunicorn: `gunicorn -c deploy/gunicorn.conf.py 'service.http.wsgi:application()'`."""

from importlib.metadata import version

from flask import Flask

from service import bootstrap, card_sets, settings
from service.http.app import create_app
from service.http.face import HttpSettings
from service.http.hub import StreamLimits


def application() -> Flask:
    """The application of this process, built from the environment. Raises SettingsError."""
    known = settings.from_environment()
    streams = StreamLimits(known.streams, known.stream_age_s, known.stream_ping_s)
    http = HttpSettings(
        public_url=known.base_url,
        largest_upload=known.import_kb * 1024,
        build=version("wonderlog"),
        limits=known.limits,
        trusted_proxies=known.trusted_proxies,
        require_tls=known.require_tls,
        streams=streams,
    )
    games = card_sets.games(known.kingdom_cards)
    services = bootstrap.services(known, games)
    return create_app(services.matches, http, games, services.adapters.quotas)
