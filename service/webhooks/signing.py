"""Signatures by Standard Webhooks 1.0.0: `v1` (HMAC-SHA256) and `v1a` (Ed25519).

What is signed is `<id>.<timestamp>.<body>`."""

import base64
from collections.abc import Iterable
from datetime import UTC, datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from standardwebhooks import Webhook

from service.webhooks.endpoints import Endpoint, key_bytes


def headers(
    server_secret: bytes, endpoints: Iterable[Endpoint], id: str, now_ms: int, body: str
) -> dict[str, str]:
    """The headers of an attempt now; a signature for each endpoint and each of its generations that sign."""
    signatures: list[str] = []
    for endpoint in endpoints:
        for generation in endpoint.generations(now_ms):
            raw = key_bytes(server_secret, endpoint.id, generation)
            signatures.append(sign(endpoint.signing == "ed25519", raw, id, now_ms // 1000, body))
    return {
        "webhook-id": id,
        "webhook-timestamp": str(now_ms // 1000),
        "webhook-signature": " ".join(signatures),
    }


def sign(asymmetric: bool, raw: bytes, id: str, timestamp: int, body: str) -> str:
    """One signature: `v1a,<base64>` with the Ed25519 key of seed `raw`, else `v1,<base64>`."""
    if asymmetric:
        signed = Ed25519PrivateKey.from_private_bytes(raw).sign(f"{id}.{timestamp}.{body}".encode())
        return f"v1a,{base64.b64encode(signed).decode()}"
    return Webhook(raw).sign(id, datetime.fromtimestamp(timestamp, UTC), body)
