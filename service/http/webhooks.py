"""Webhooks of a tenant: made, changed, rotated, tested; their deliveries listed and sent again."""

from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from flask import Response
from marshmallow import ValidationError, fields, validate, validates_schema

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import TENANT, Answer, Asked, Operation, SchemaBody
from service.http.schemas import MOST_ITEMS, Number, Request, TrueOrFalse, Whole
from service.webhooks.addresses import LONGEST_URL
from service.webhooks.deliveries import STATUSES
from service.webhooks.endpoints import SIGNINGS
from service.webhooks.notices import TYPES
from service.webhooks.subscriptions import OVERLAP_MS

_TIME: Final = Whole(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$")


def _url(**more: Any) -> fields.String:
    said = {
        "format": "uri",
        "description": "https, to a public address.",
        "examples": ["https://example.com/h"],
    }
    return fields.String(validate=validate.Length(1, LONGEST_URL), metadata=said, **more)


def _types() -> "fields.List[str]":
    return fields.List(
        fields.String(validate=validate.OneOf(list(TYPES))),
        allow_none=True,
        validate=validate.Length(1, len(TYPES)),
        metadata={"description": "Which types it gets; null or left out: all, also those to come."},
    )


def _description() -> fields.String:
    plain = Whole(r"^[^\x00-\x1f\x7f]*$", error="Control characters are not allowed.")
    return fields.String(
        validate=[validate.Length(0, 200), plain], metadata={"description": "Words of your own."}
    )


class NewWebhook(Request):
    """A webhook to make."""

    url = _url(required=True)
    types = _types()
    signing = fields.String(
        validate=validate.OneOf(list(SIGNINGS)),
        load_default="hmac-sha256",
        metadata={"description": "A shared secret, or a key pair of which you get the public key."},
    )
    description = _description()


class WebhookChange(Request):
    """What to change of a webhook."""

    url = _url()
    types = _types()
    description = _description()
    enabled = TrueOrFalse(metadata={"description": "Switch it on or off."})

    @validates_schema
    def something(self, data: dict[str, Any], **_: Any) -> None:
        """An empty change is a mistake."""
        if not data:
            raise ValidationError("Nothing to change.")


class WebhookRotation(Request):
    """A new secret."""

    overlap_ms = fields.Integer(
        strict=True,
        validate=validate.Range(0, 7 * 24 * 3600 * 1000),
        load_default=OVERLAP_MS,
        metadata={"format": "int32", "description": "How long the old one signs as well; by default a day."},
    )


class WebhookTest(Request):
    """Nothing to say."""


class Redelivery(Request):
    """Which deliveries to send again."""

    since = fields.String(
        required=True,
        validate=_TIME,
        metadata={"format": "date-time", "description": "Of notices from this time on."},
    )
    until = fields.String(
        validate=_TIME, metadata={"format": "date-time", "description": "And up to this time."}
    )
    statuses = fields.List(
        fields.String(validate=validate.OneOf(list(STATUSES))),
        validate=validate.Length(1, len(STATUSES)),
        load_default=["failed"],
        metadata={"description": "In which states; by default those that failed."},
    )


class DeliveriesQuery(Request):
    """Which deliveries."""

    limit = Number(validate=validate.Range(1, MOST_ITEMS), load_default=50)
    cursor = fields.String(
        validate=Whole(r"^[A-Za-z0-9._=-]{1,512}$"),
        metadata={"description": "`next_cursor` of the page before."},
    )


def list_webhooks(face: Face, asked: Asked) -> Response:
    """List your webhooks"""
    return replies.as_json(
        face.matches.webhooks.all(asked.caller), keeps=replies.AT_HEAD, Vary="Authorization"
    )


def create_webhook(face: Face, asked: Asked) -> Response:
    """Make a webhook

    Notices of what happens from now on are sent to the address, signed by Standard Webhooks, at least once
    each and in no certain order. The secret is shown for this key only.
    """
    made, replayed = face.matches.webhooks.create(asked.caller, asked.body, asked.key, asked.fingerprint)
    return replies.made(made, replayed, f"/v1/webhooks/{made['id']}")


def show_webhook(face: Face, asked: Asked) -> Response:
    """Read a webhook"""
    shown = face.matches.webhooks.one(asked.caller, asked.path["webhook"])
    return replies.as_json(shown, keeps=replies.AT_HEAD, Vary="Authorization")


def change_webhook(face: Face, asked: Asked) -> Response:
    """Change a webhook

    Address, types, words; `enabled` switches it off and on. What happened while it was off is not sent.
    """
    return replies.as_json(face.matches.webhooks.change(asked.caller, asked.path["webhook"], asked.body))


def delete_webhook(face: Face, asked: Asked) -> Response:
    """Delete a webhook

    And its deliveries. What is under way may still arrive.
    """
    face.matches.webhooks.delete(asked.caller, asked.path["webhook"])
    return replies.nothing()


def rotate_secret(face: Face, asked: Asked) -> Response:
    """Make a new secret

    The old one signs as well for a while, so that no notice fails to verify meanwhile.
    """
    made, replayed = face.matches.webhooks.rotate(
        asked.caller, asked.path["webhook"], asked.body, asked.key, asked.fingerprint
    )
    return replies.done(made, replayed)


def list_deliveries(face: Face, asked: Asked) -> Response:
    """List deliveries

    The latest thousand, the newest first, each with its attempts; kept for thirty days.
    """
    query = dict(asked.query)
    page = face.matches.webhooks.deliveries(asked.caller, asked.path["webhook"], **query)
    response = replies.as_json(page, keeps=replies.AT_HEAD, Vary="Authorization")
    if page["next_cursor"]:
        following = urlencode({**query, "cursor": page["next_cursor"]})
        address = f"/v1/webhooks/{asked.path['webhook']}/deliveries?{following}"
        response.headers["Link"] = f'<{address}>; rel="next"'
    return response


def show_delivery(face: Face, asked: Asked) -> Response:
    """Read a delivery"""
    shown = face.matches.webhooks.delivery(asked.caller, asked.path["webhook"], asked.path["delivery"])
    return replies.as_json(shown, keeps=replies.AT_HEAD, Vary="Authorization")


def test_webhook(face: Face, asked: Asked) -> Response:
    """Send a test

    A `webhook.ping`, whatever types the webhook gets.
    """
    made, replayed = face.matches.webhooks.test(asked.caller, asked.path["webhook"], asked.key)
    place = f"/v1/webhooks/{asked.path['webhook']}/deliveries/{made['id']}"
    return replies.made(made, replayed, place)


def redeliver(face: Face, asked: Asked) -> Response:
    """Send deliveries again

    Those of a range of time, by default those that failed; under the `webhook-id` they had. Notices that a
    match waits are still dropped when it does not wait any more.
    """
    told, replayed = face.matches.webhooks.redeliver(
        asked.caller, asked.path["webhook"], asked.body, asked.key, asked.fingerprint
    )
    return replies.done(told, replayed)


_row: Final = partial(Operation, security=TENANT, credential=True, scope=scopes.WEBHOOKS)
_ALL: Final = "/v1/webhooks"
_ONE: Final = f"{_ALL}/<webhook>"
_CREATED: Final = ("Location", "IdempotencyReplayed", "CacheControl")
_READ: Final = ("CacheControl",)

OPERATIONS = (
    _row("GET", _ALL, "listWebhooks", list_webhooks, {200: Answer("All of them.", "WebhookList", _READ)}),
    _row(
        "POST",
        _ALL,
        "createWebhook",
        create_webhook,
        {201: Answer("The webhook and its secret.", "WebhookWithSecret", _CREATED)},
        body=SchemaBody(NewWebhook),
        keyed=True,
        problems=("quota-exceeded",),
    ),
    _row("GET", _ONE, "getWebhook", show_webhook, {200: Answer("The webhook.", "Webhook", _READ)}),
    _row(
        "PATCH",
        _ONE,
        "updateWebhook",
        change_webhook,
        {200: Answer("The webhook as it is now.", "Webhook", _READ)},
        body=SchemaBody(WebhookChange),
    ),
    _row("DELETE", _ONE, "deleteWebhook", delete_webhook, {204: Answer("It is gone.")}),
    _row(
        "POST",
        f"{_ONE}/secret",
        "rotateWebhookSecret",
        rotate_secret,
        {
            200: Answer(
                "The webhook and its new secret.", "WebhookWithSecret", ("IdempotencyReplayed", *_READ)
            )
        },
        body=SchemaBody(WebhookRotation),
        keyed=True,
        problems=("quota-exceeded",),
    ),
    _row(
        "GET",
        f"{_ONE}/deliveries",
        "listDeliveries",
        list_deliveries,
        {200: Answer("A page of deliveries.", "DeliveryList", ("Link", *_READ))},
        query=DeliveriesQuery,
    ),
    _row(
        "GET",
        f"{_ONE}/deliveries/<delivery>",
        "getDelivery",
        show_delivery,
        {200: Answer("The delivery.", "Delivery", _READ)},
    ),
    _row(
        "POST",
        f"{_ONE}/test",
        "testWebhook",
        test_webhook,
        {201: Answer("The delivery.", "Delivery", _CREATED)},
        body=SchemaBody(WebhookTest),
        keyed=True,
        problems=("webhook-off",),
    ),
    _row(
        "POST",
        f"{_ONE}/redeliver",
        "redeliverWebhook",
        redeliver,
        {200: Answer("How many are sent again.", "Redelivered", ("IdempotencyReplayed", *_READ))},
        body=SchemaBody(Redelivery),
        keyed=True,
        problems=("quota-exceeded", "webhook-off"),
    ),
)
