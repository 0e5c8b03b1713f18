"""Prints the OpenAPI document: `python -m service.http.openapi > openapi.yaml`."""

import sys
from collections.abc import Mapping
from typing import Any

import yaml

from domain.catalogue import GAMES
from domain.kernel.game import Game
from service.http import examples
from service.http.app import documented


def document(games: Mapping[str, Game]) -> dict[str, Any]:
    """The document of a service with these games; needs no store and no settings."""
    return documented(games, examples.recorded())


def text(games: Mapping[str, Game]) -> str:
    """The document as YAML, the same bytes every time."""
    return yaml.dump(document(games), Dumper=_Plain, sort_keys=False, allow_unicode=True, width=110)


class _Plain(yaml.SafeDumper):
    """YAML without anchors: every part can be read where it stands."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _block(dumper: yaml.SafeDumper, words: str) -> yaml.ScalarNode:
    style = "|" if "\n" in words else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", words, style=style)


_Plain.add_representer(str, _block)


if __name__ == "__main__":
    sys.stdout.write(text(GAMES))
