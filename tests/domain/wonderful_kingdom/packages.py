"""Card sets read from folders, as whoever runs the service reads them: files, digest, values."""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from domain.wonderful_kingdom import CardSet, read
from domain.wonderful_kingdom.packages import DOCUMENTS

FOLDERS: Final = Path(__file__).parents[2] / "data" / "wonderful_kingdom"
ORIGINAL: Final = Path(__file__).parents[3] / "cards" / "its-a-wonderful-kingdom" / "original-1"


def documents(folder: str) -> dict[str, Any]:
    """The parsed documents of a package: the original one, or one of the tests."""
    place = ORIGINAL if folder == "original" else FOLDERS / folder
    return {name: json.loads((place / f"{name}.json").read_text("utf-8")) for name in DOCUMENTS}


def digest(shapes: dict[str, Any]) -> str:
    """SHA-256 of the canonical JSON of the documents by name."""
    text = json.dumps(shapes, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def load(folder: str, name: str) -> CardSet:
    """The card set of a folder."""
    shapes = documents(folder)
    return read(name, digest(shapes), shapes)
