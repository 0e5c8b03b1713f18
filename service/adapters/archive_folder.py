"""The archive in a folder, and in memory for tests."""

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from events.store import StoreUnavailable
from service.archived import DRAFT, Kept


class FolderArchive:
    """Files under a folder, for this user only. A file is written beside its place, flushed to the disk, then
    renamed; the folders that name it are flushed as well."""

    def __init__(self, root: Path) -> None:
        self._root = root.absolute()

    def put(self, name: str, content: bytes) -> None:
        path = self._path(name)
        # Several machines may write into one folder.
        draft = path.with_name(f"{DRAFT}{secrets.token_hex(8)}")
        try:
            self._make(path.parent)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
            _flush(path.parent)
        except OSError as error:
            # Where the disk is full, what was written of it must not stay there.
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            raise StoreUnavailable(f"the archive cannot be written: {error}") from error

    def get(self, name: str) -> bytes | None:
        try:
            return self._path(name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreUnavailable(f"the archive cannot be read: {error}") from error

    def delete(self, name: str) -> None:
        path = self._path(name)
        try:
            path.unlink(missing_ok=True)
            if path.parent.exists():
                _flush(path.parent)
        except OSError as error:
            raise StoreUnavailable(f"the archive cannot be written: {error}") from error

    def list(self, folder: str = "") -> Iterator[Kept]:
        top = self._path(folder) if folder else self._root
        for path in top.rglob("*"):
            try:
                found = path.stat()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StoreUnavailable(f"the archive cannot be read: {error}") from error
            if S_ISREG(found.st_mode):
                name = path.relative_to(self._root).as_posix()
                yield Kept(name, found.st_size, found.st_mtime_ns // 1_000_000)

    def _path(self, name: str) -> Path:
        """Where a file is. Raises ValueError for a name that leads elsewhere."""
        if not all(part and part not in (".", "..") for part in name.split("/")) or "\\" in name:
            raise ValueError(f"{name!r} is no name of a file in the archive")
        return self._root / name

    def _make(self, folder: Path) -> None:
        """Make a folder and all above it that are missing, and see that the disk knows them."""
        if folder.is_dir():
            return
        self._make(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        _flush(folder.parent)


class MemoryArchive:
    """In this process."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.written_ms: dict[str, int] = {}

    def put(self, name: str, content: bytes) -> None:
        self.files[name] = content

    def get(self, name: str) -> bytes | None:
        return self.files.get(name)

    def delete(self, name: str) -> None:
        self.files.pop(name, None)

    def list(self, folder: str = "") -> Iterator[Kept]:
        for name, content in list(self.files.items()):
            if not folder or name.startswith(f"{folder}/"):
                yield Kept(name, len(content), self.written_ms.get(name, 0))


def _flush(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
