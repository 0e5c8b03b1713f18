"""Under which address clients know this service."""

import json
from typing import Final

from flask import current_app, request
from werkzeug.exceptions import SecurityError

from service.http.face import face_of

# What stands in the document where nobody asks for it over HTTP; in no recorded example for anything else.
DEFAULT: Final = "http://127.0.0.1:8080"


def base() -> str:
    """The address clients use, without a final slash: as set, else as this request was sent."""
    known = face_of(current_app).settings.public_url
    if known is not None:
        return known
    try:
        return request.host_url.rstrip("/")
    except SecurityError:
        return "http://localhost"


def placed(document: bytes) -> bytes:
    """A document in JSON with the address of this service in it."""
    here = json.dumps(base())[1:-1]
    return document if here == DEFAULT else document.replace(DEFAULT.encode(), here.encode())
