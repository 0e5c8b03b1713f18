"""The archive in a bucket of an S3-compatible store (`obstore`).

Credentials, region and endpoint are taken from the usual variables of the environment: `AWS_ACCESS_KEY_ID`,
`AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ALLOW_HTTP`.
"""

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from events.store import StoreUnavailable
from service.archived import Kept

_TIME_OUT: Final = timedelta(seconds=10)


class BucketArchive:
    """Objects in a bucket, under a prefix."""

    def __init__(self, bucket: str, prefix: str = "") -> None:
        """Nothing connects here. Raises ValueError for settings that make no sense."""
        # Options that are given keep those of the environment out.
        plain = os.environ.get("AWS_ALLOW_HTTP", "").lower() in ("1", "true")
        retry = {"max_retries": 3, "retry_timeout": _TIME_OUT}
        try:
            self._store = S3Store(
                bucket,
                prefix=prefix or None,
                client_options={"timeout": _TIME_OUT, "allow_http": plain},
                retry_config=retry,  # type: ignore[arg-type]  # a TypedDict
            )
        except BaseError as error:
            raise ValueError(f"the bucket {bucket} cannot be used: {_short(error)}") from error

    def put(self, name: str, content: bytes) -> None:
        try:
            obstore.put(self._store, name, content, use_multipart=False)
        except (BaseError, OSError) as error:
            raise StoreUnavailable(f"the archive cannot be written: {_short(error)}") from error

    def get(self, name: str) -> bytes | None:
        try:
            return bytes(obstore.get(self._store, name).bytes())
        except FileNotFoundError:
            return None
        except (BaseError, OSError) as error:
            raise StoreUnavailable(f"the archive cannot be read: {_short(error)}") from error

    def delete(self, name: str) -> None:
        try:
            obstore.delete(self._store, name)
        except FileNotFoundError:
            return
        except (BaseError, OSError) as error:
            raise StoreUnavailable(f"the archive cannot be written: {_short(error)}") from error

    def list(self, folder: str = "") -> Iterator[Kept]:
        try:
            for page in obstore.list(self._store, prefix=folder or None):
                for each in page:
                    yield Kept(each["path"], each["size"], int(each["last_modified"].timestamp() * 1000))
        except (BaseError, OSError) as error:
            raise StoreUnavailable(f"the archive cannot be read: {_short(error)}") from error


def _short(error: Exception) -> str:
    """The first line of an error: the rest is for its authors."""
    return str(error).partition("\n")[0]
