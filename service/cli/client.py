"""The service over HTTP, as any client sees it: problems become messages, lost answers are asked again."""

import time
import uuid
from collections.abc import Iterator
from typing import Any, Final

import click
import requests

Json = dict[str, Any]

_TRIES: Final = 8
_LONGEST_PAUSE: Final = 5.0
# Connecting and reading, in seconds; a long-poll may take 30.
_TIMEOUT: Final = (5.0, 40.0)


class Problem(click.ClickException):
    """The service refused; `code` is what a client switches on."""

    def __init__(self, document: Json) -> None:
        lines = [document.get("detail") or document.get("title") or "the service refused"]
        lines += [f"  {error['pointer']}: {error['detail']}" for error in document.get("errors", [])]
        super().__init__("\n".join(lines))
        self.code: str = document.get("code", "")


class Api:
    """One service with one credential (a tenant key or a seat token) or none."""

    def __init__(self, url: str, credential: str | None = None) -> None:
        self.url = url.rstrip("/")
        # A service that has never answered is not asked again: its address is wrong more often than not.
        self._was_reached = False
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.headers["Accept"] = "application/json, application/x-ndjson, application/problem+json"
        if credential:
            self._session.headers["Authorization"] = f"Bearer {credential}"

    def get(self, path: str, **query: object) -> Json:
        """The answer to a GET. Raises Problem, click.ClickException."""
        answered: Json = self._send("GET", path, params=query).json()
        return answered

    def post(self, path: str, body: Json, key: str | None = None) -> Json:
        """The answer to a POST, sent again with the same key for as long as its outcome is unknown."""
        headers = {"Idempotency-Key": key or uuid.uuid4().hex}
        answered: Json = self._send("POST", path, json=body, headers=headers).json()
        return answered

    def upload(self, path: str, raw: bytes, media: str, key: str) -> Json:
        """The answer to a POST of a body, sent again with the same key for as long as its outcome is unknown.
        Raises Problem, click.ClickException."""
        headers = {"Idempotency-Key": key, "Content-Type": media}
        answered: Json = self._send("POST", path, data=raw, headers=headers).json()
        return answered

    def delete(self, path: str) -> None:
        """Send a DELETE, again for as long as its outcome is unknown. Raises Problem,
        click.ClickException."""
        self._send("DELETE", path)

    def lines(self, path: str) -> Iterator[bytes]:
        """The lines of an NDJSON answer, each with its end."""
        with self._send("GET", path, stream=True) as answer:
            try:
                for line in answer.iter_lines(chunk_size=65536):
                    yield line + b"\n"
            except requests.RequestException as error:
                raise click.ClickException(f"the answer broke off: {_reason(error)}") from None

    def _send(self, method: str, path: str, **asked: Any) -> requests.Response:
        pause = 0.25
        for attempt in range(1, _TRIES + 1):
            try:
                answer = self._session.request(method, self.url + path, timeout=_TIMEOUT, **asked)
            except requests.RequestException as error:
                if attempt == _TRIES or not self._was_reached:
                    raise click.ClickException(f"no answer from {self.url}: {_reason(error)}") from None
                wait = pause
            else:
                self._was_reached = True
                if answer.ok:
                    return answer
                if answer.status_code not in (429, 503) or attempt == _TRIES:
                    raise Problem(_problem(answer))
                wait = max(pause, float(answer.headers.get("Retry-After", 0)))
            time.sleep(min(wait, _LONGEST_PAUSE))
            pause *= 2
        raise AssertionError("the last try returns or raises")


def _problem(answer: requests.Response) -> Json:
    try:
        document: Json = answer.json()
    except ValueError:
        document = {"title": f"{answer.url} answered {answer.status_code}; is that a Wonderlog service?"}
    return document


def _reason(error: requests.RequestException) -> str:
    """What went wrong, without the URL and the object addresses requests puts into its messages."""
    match error:
        case requests.exceptions.ConnectTimeout() | requests.exceptions.ReadTimeout():
            return "it takes too long"
        case requests.exceptions.InvalidURL() | requests.exceptions.MissingSchema():
            return "that is no URL"
        case requests.exceptions.ConnectionError():
            return "cannot connect"
        case _:
            return type(error).__name__
