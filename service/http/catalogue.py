"""Every error this service answers with, as a table. Clients switch on `code`."""

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import Final


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A row of the catalogue. `advice` says what a client does next; `extensions` which members may be there
    besides the standard ones; `retry_after_s` is set where the same request may be sent again unchanged."""

    status: int
    title: str
    advice: str
    extensions: tuple[str, ...] = ()
    retry_after_s: int | None = None


_READ_AGAIN: Final = "Read the view or the legal moves again, then decide. Use a new key."
_FIX: Final = "The request is at fault: change it. Sending it again unchanged never helps."
_LATER: Final = "Send the same request again after Retry-After, with the same Idempotency-Key."

CATALOGUE: Final[Mapping[str, ProblemType]] = {
    "malformed": ProblemType(400, "The request is not well-formed", _FIX),
    "validation": ProblemType(400, "The request does not fit the schema", _FIX, ("errors",)),
    "idempotency-key-required": ProblemType(
        400,
        "An Idempotency-Key is required",
        "Send a new key, 16 to 64 characters of A-Z a-z 0-9 _ -, with each new intent.",
        ("errors",),
    ),
    "unauthenticated": ProblemType(
        401,
        "No valid credential",
        "Send a tenant key or a seat token as a bearer token. `errors` says what is wrong: `missing`,"
        " `malformed`, `invalid`; and, of what was good once, `revoked`, `expired`, `replaced`.",
        ("errors",),
    ),
    "forbidden": ProblemType(
        403,
        "The credential does not give this right",
        "Use another credential, and keep this one: it is good, for other things or for another match.",
    ),
    "insecure-transport": ProblemType(
        403,
        "A credential came over plain HTTP",
        "It has been seen in the clear: replace it, and use https from now on.",
    ),
    "seat-mismatch": ProblemType(
        403, "The token belongs to another seat", "Use the token of the seat named in the path."
    ),
    "not-found": ProblemType(404, "There is nothing here, or not for this caller", _FIX),
    "method-not-allowed": ProblemType(405, "The resource has no such method", "See the Allow header."),
    "not-acceptable": ProblemType(
        406, "The resource has no such representation", "Accept application/json or leave Accept out."
    ),
    "stale-decision": ProblemType(409, "That decision is closed", _READ_AGAIN, ("errors", "current", "rule")),
    "not-your-decision": ProblemType(
        409, "That is not for this seat to do now", _READ_AGAIN, ("errors", "current", "rule")
    ),
    "match-over": ProblemType(
        409, "The match is over", "Read the outcome in the view.", ("errors", "current", "rule")
    ),
    "not-started": ProblemType(
        409, "The match has not started", "Wait until the host starts it.", ("errors", "current", "rule")
    ),
    "already-started": ProblemType(
        409, "The match has started already", _READ_AGAIN, ("errors", "current", "rule")
    ),
    "seat-taken": ProblemType(409, "The seat is taken", "Choose another.", ("errors", "current", "rule")),
    "seats-open": ProblemType(
        409, "A seat is still open", "Fill every seat, then start.", ("errors", "current", "rule")
    ),
    "seat-open": ProblemType(
        409, "Nobody sits there", "Read the seats again.", ("errors", "current", "rule")
    ),
    "quota-exceeded": ProblemType(
        409, "There are as many as there may be", "Delete one first, or wait where the detail says so."
    ),
    "webhook-off": ProblemType(
        409, "The webhook is switched off", "Switch it on again with PATCH and `enabled`."
    ),
    "conflict": ProblemType(
        409,
        "That cannot be done as things stand",
        "The code in `errors` says why. Read again what it is about, then decide: what was so a moment ago"
        " may have changed, or this is not possible here at all. Use a new key.",
        ("errors", "current", "rule"),
    ),
    "ruleset-unsupported": ProblemType(
        409,
        "The rules or cards of this match are not here",
        "Nothing is lost. Ask the operator, who can bring back the rules or the card set of the match.",
    ),
    "history-forked": ProblemType(
        409,
        "The log does not contain the head you know",
        "Events you were told of are gone. Keep what you have and tell the operator; to go on, read the match"
        " anew and name the head it has now.",
        ("current",),
    ),
    "match-paused": ProblemType(
        409,
        "The match is paused",
        "Wait until it goes on, or propose to: `resume`.",
        ("errors", "current", "rule"),
    ),
    "undo-refused": ProblemType(
        409, "That cannot be taken back", "Play on: what was done stays.", ("errors", "current", "rule")
    ),
    "invite-invalid": ProblemType(
        410, "The invite has ended", "It was revoked, used up, or has expired: ask the host for another."
    ),
    "archived": ProblemType(
        410, "The match was removed", "It was over, and its time in the archive is over too; nothing is left."
    ),
    "cursor-expired": ProblemType(
        410,
        "The cursor is none of this log, or not any more",
        "Of one match: read its view again, then go on after `head`, its newest version. Of the feed: read"
        " your matches again, each log after the version you know; then go on in the feed after `head`.",
        ("head",),
    ),
    "stale-version": ProblemType(412, "The match is not at the version named", _READ_AGAIN, ("current",)),
    "payload-too-large": ProblemType(
        413, "The body is too large", "A body holds at most 64 kB, a bundle 8 MB."
    ),
    "uri-too-long": ProblemType(414, "The address is too long", _FIX),
    "unsupported-media-type": ProblemType(
        415,
        "The body is of another media type than is expected",
        "Send Content-Type: application/json; where bundles are taken, what the detail says. Do not pack it.",
    ),
    "illegal-move": ProblemType(
        422, "The rules forbid this move", _READ_AGAIN, ("errors", "current", "rule")
    ),
    "bundle-refused": ProblemType(
        422,
        "The bundle cannot be imported",
        "The fault names the first wrong line, `/lines/12`, counted from 1. Export the match again, in full.",
        ("errors",),
    ),
    "idempotency-key-reused": ProblemType(
        422,
        "The key was used for another request",
        "A key names one intent: use a new one for another body or another If-Match.",
    ),
    "rate-limited": ProblemType(
        429,
        "Too many requests",
        "Send the same request again after Retry-After, with the same Idempotency-Key; or have one request"
        " under way at a time, which is never limited on the endpoints of a match.",
        ("retry",),
        retry_after_s=1,
    ),
    "headers-too-large": ProblemType(431, "The header fields are too large", _FIX),
    "internal": ProblemType(
        500,
        "The service failed",
        "For a command the outcome is unknown: send it again with the same key, or look the key up.",
        ("retry",),
        retry_after_s=1,
    ),
    "not-implemented": ProblemType(501, "The service does not speak this form of HTTP", _FIX),
    "temporarily-unavailable": ProblemType(
        503, "The service cannot answer now", _LATER, ("retry",), retry_after_s=1
    ),
    "too-many-streams": ProblemType(
        503,
        "The process holds as many streams as it may",
        "Open the stream again after Retry-After, or read pages.",
        ("retry",),
        retry_after_s=5,
    ),
    "outcome-unknown": ProblemType(
        503,
        "Whether the command was recorded is not known",
        "Send it again with the same key, or look the key up: it is recorded at most once.",
        ("retry",),
        retry_after_s=1,
    ),
}


_CODE: Final = re.compile(r"`([^`]+)`")
_STYLE: Final = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:40rem;padding:0 1rem}"
    "h1{font-size:1.4rem}code{font-size:.95em;background:#8882;padding:.1em .3em}"
)
# What the page may load: its own style and nothing else.
POLICY: Final = (
    "default-src 'none'; style-src 'sha256-" + b64encode(sha256(_STYLE.encode()).digest()).decode() + "'"
)


def page(code: str, kind: ProblemType) -> str:
    """The short page behind a problem's `type`."""
    advice = _CODE.sub(r"<code>\1</code>", escape(kind.advice))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{code}</title><style>{_STYLE}</style>"
        f"<h1>{escape(kind.title)}</h1><p><code>{code}</code>, status {kind.status}.</p><p>{advice}</p>"
        '<p><a href="/docs">Reference</a></p></html>'
    )
