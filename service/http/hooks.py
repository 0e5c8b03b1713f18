"""Webhooks in the OpenAPI document: what tenants are shown of theirs, and what is sent to them."""

from collections.abc import Iterator
from typing import Any, Final

from service.http.shapes import Shape
from service.http.shown import many, number, or_null, ref, text, thing
from service.http.unions import Variant, camel
from service.webhooks.deliveries import STATUSES
from service.webhooks.endpoints import SIGNINGS
from service.webhooks.notices import TYPES

WEBHOOK_ID: Final = r"^whk_[a-z2-7]{26}$"
DELIVERY_ID: Final = r"^dlv_[a-z2-7]{26}$"

_WEBHOOK: Final[dict[str, Shape]] = {
    "id": ref("WebhookId"),
    "url": text("Where notices go.", "https://example.com/hooks", format="uri"),
    "types": {
        "type": ["array", "null"],
        "description": "The types it gets; null: all, also those to come.",
        "items": {"type": "string"},
        "maxItems": 100,
    },
    "signing": text(f"{' or '.join(f'`{each}`' for each in SIGNINGS)}. x-extensible.", "hmac-sha256"),
    "description": text("Words of your own."),
    "enabled": {"type": "boolean", "description": "Whether notices are made for it."},
    "disabled": {
        "type": ["object", "null"],
        "description": "When and why it was switched off, or null.",
        "required": ["at", "reason"],
        "properties": {
            "at": ref("Time"),
            "reason": text(
                "`asked`, `gone` (it answered 410) or `exhausted` (all tries of a notice"
                " have failed). x-extensible.",
                "gone",
            ),
        },
    },
    "created_at": ref("Time"),
}
_PUBLIC_KEYS: Final = many(
    text("An Ed25519 public key, `whpk_` and base64."), "For `ed25519`: any of these verifies.", 2
)

SCHEMAS: Final[dict[str, Shape]] = {
    "WebhookId": text("A webhook.", "whk_4sq3nkpwvx2ah5jtz7c6drfyqm", format="opaque-id", pattern=WEBHOOK_ID),
    "DeliveryId": text(
        "A delivery.", "dlv_4sq3nkpwvx2ah5jtz7c6drfyqm", format="opaque-id", pattern=DELIVERY_ID
    ),
    "Webhook": thing("A webhook.", _WEBHOOK, {"public_keys": _PUBLIC_KEYS}),
    "WebhookWithSecret": thing(
        "A webhook, and how to verify what it is sent.",
        _WEBHOOK,
        {
            "public_keys": _PUBLIC_KEYS,
            "secret": text("For `hmac-sha256`. Shown for this key only.", format="password"),
        },
    ),
    "WebhookList": thing("The tenant's webhooks.", {"items": many(ref("Webhook"), "", 100)}),
    "DeliveryAttempt": thing(
        "A request that was sent, or could not be.",
        {
            "at": ref("Time"),
            "took_ms": number("How long it took.", 120),
            "status": or_null(number("The status of the answer, or null.", 204)),
            "error": or_null(
                text("`timeout`, `connection`, `tls`, `name` or `blocked-address`, or null. x-extensible.")
            ),
        },
    ),
    "Delivery": thing(
        "A notice on its way to a webhook.",
        {
            "id": ref("DeliveryId"),
            "webhook_id": text("The `webhook-id` of every attempt.", "ntc_4sq3nkpwvx2ah5jtz7c6drfyqm"),
            "type": text("The type of the notice.", "match.ended"),
            "status": text(f"{', '.join(f'`{each}`' for each in STATUSES)}. x-extensible.", "delivered"),
            "occurred_at": ref("Time"),
            "next_attempt_at": or_null(text("When it is tried next, or null.", format="date-time")),
            "attempts": many(ref("DeliveryAttempt"), "The latest.", 20),
            "body": text("What is sent: a Notice, as JSON."),
        },
        {"match": ref("MatchId")},
    ),
    "DeliveryList": thing(
        "A page of deliveries.",
        {
            "items": many(ref("Delivery"), "", 200),
            "next_cursor": or_null(text("For the next page, or null.")),
            "has_more": {"type": "boolean", "description": "Whether there is a next page."},
        },
    ),
    "Redelivered": thing("What is sent again.", {"redelivered": number("How many deliveries.", 3)}),
}

_MEMBERS: Final[dict[str, Shape]] = {
    "seat": ref("SeatNumber"),
    "kind": text("`human` (a `person` in requests) or `bot`; of a decision, its kind. x-extensible."),
    "decision": text("The decision.", "d42.choose"),
    "awaited": many(ref("SeatNumber"), "The people whose answers are awaited; bots are not among them.", 7),
    "deadline_at": or_null(text("When it expires, or null.", format="date-time")),
    "to": text("Who plays it now: `person` or `bot`. x-extensible.", "bot"),
    "proposal": text("What is proposed: `pause`, `resume`, `undo`. x-extensible.", "pause"),
    "reopened": many(text("A decision.", "d42.choose"), "The decisions that are open again.", 100),
    "reason": text("Why. x-extensible."),
    "ranking": many(many(ref("SeatNumber"), "", 7), "Groups of seats from first to last.", 7),
    "webhook": ref("WebhookId"),
}
_MATCH: Final[dict[str, Shape]] = {
    "match": ref("MatchId"),
    "game": text("The game.", "seven-wonders"),
    "title": text("The game's name for people.", "7 Wonders"),
    "version": ref("Version"),
}


def variants() -> Iterator[Variant]:
    """A schema for each type of notice."""
    for name, kind in TYPES.items():
        data = {**(_MATCH if name.startswith("match.") else {}), **{m: _MEMBERS[m] for m in kind.members}}
        shape = thing(
            kind.words,
            {
                "type": {"type": "string", "enum": [name]},
                "timestamp": ref("Time"),
                "data": thing("What it is about. Read the rest from the API.", data),
            },
        )
        yield Variant(name, f"{camel(name.replace('.', '-').replace('_', '-'))}Notice", shape)


def section() -> dict[str, Any]:
    """The `webhooks` member of the document."""
    return {
        variant.wire: {
            "post": {
                "operationId": f"receive{variant.component}",
                "summary": TYPES[variant.wire].words,
                "tags": ["webhooks"],
                "security": [],
                "parameters": _HEADERS,
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": ref(variant.component)}},
                },
                "responses": {
                    "2XX": {"description": "Received. Anything else, or nothing within 15 s, is a failure."},
                    "410": {"description": "Never again: the webhook is switched off."},
                },
            }
        }
        for variant in variants()
    }


_HEADERS: Final[list[dict[str, Any]]] = [
    {"name": name, "in": "header", "required": True, "description": words, "schema": {"type": "string"}}
    for name, words in (
        ("webhook-id", "The id of the notice, the same at every attempt: drop those you have seen."),
        ("webhook-timestamp", "When this attempt was made, in seconds since 1970."),
        (
            "webhook-signature",
            "`v1,…` or `v1a,…` over `<webhook-id>.<webhook-timestamp>.<raw body>`, several separated by"
            " spaces: one that fits is enough.",
        ),
    )
]
