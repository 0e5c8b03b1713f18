"""Card sets of It's a Wonderful Kingdom from folders: files read, checked, hashed; and the games with them.

A folder holds one JSON file for each document of the package and is named like the set. The digest is that
of the documents' content, so spaces and the order of members do not matter. Read once, when a process starts.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from domain.catalogue import with_card_sets
from domain.kernel.library import Library
from domain.wonderful_kingdom import CardSet, InvalidPackage, read
from domain.wonderful_kingdom.packages import DOCUMENTS
from service.settings import KINGDOM_CARDS, SettingsError, kingdom_cards

_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?")
_LARGEST: Final = 4_000_000  # bytes of a file


def games(folders: Sequence[Path]) -> Library:
    """Every game, It's a Wonderful Kingdom with the card sets of these folders and the original one; the
    first folder is that of new matches. Raises SettingsError."""
    return with_card_sets([load(folder) for folder in folders])


def of_environment(environment: Mapping[str, str] | None = None) -> Library:
    """The games as the environment sets them, for whoever needs no other setting. Raises SettingsError."""
    return games(kingdom_cards(os.environ if environment is None else environment))


def load(folder: Path) -> CardSet:
    """The card set of a folder. Raises SettingsError, which names the file and what is wrong with it."""
    name = folder.name
    if _NAME.fullmatch(name) is None:
        raise _fault(f"the folder {name!r} names the card set: use 1 to 40 of a-z, 0-9, _ and -")
    if not folder.is_dir():
        raise _fault(f"there is no folder {name}")
    documents = {document: _document(folder / f"{document}.json") for document in DOCUMENTS}
    try:
        return read(name, digest(documents), documents)
    except InvalidPackage as wrong:
        raise _fault(f"{name}: {wrong}") from None


def digest(documents: Mapping[str, Any]) -> str:
    """SHA-256, in hex, of the documents by name as JSON: members sorted, nothing between them, UTF-8."""
    text = json.dumps(documents, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _document(path: Path) -> Any:
    where = f"{path.parent.name}/{path.name}"
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST + 1)
    except FileNotFoundError:
        raise _fault(f"{where} is missing") from None
    except OSError as error:
        raise _fault(f"{where} cannot be read: {error.strerror}") from None
    if len(text) > _LARGEST:
        raise _fault(f"{where} is larger than {_LARGEST:,} bytes")
    try:
        return json.loads(text.decode(), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise _fault(f"{where} is no JSON: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("an object has a member twice")
    return members


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _fault(what: str) -> SettingsError:
    return SettingsError(f"{KINGDOM_CARDS}: {what}")
