"""What the OpenAPI document says before its first operation: what holds for all of them, in the numbers that
are enforced."""

from typing import Final

from service.http.face import HttpSettings
from service.http.hub import StreamLimits
from service.http.limits import WINDOW_S
from service.http.stream_items import RETRY_MS
from service.http.strict_json import DEEPEST
from service.settings import LIMITS
from service.times import LEAST_MS
from service.webhooks.deliveries import SCHEDULE_S

_SIZES: Final = HttpSettings()
_STREAMS: Final = StreamLimits()
_LIMITS: Final = {
    "commands": "moves and other writes of a match",
    "reads": "views, legal moves, events and other reads of a match",
    "lobby": "lists, new matches, seats, webhooks, keys",
    "exports": "exports",
    "bot-work": "the work of bots that are not built in",
    "tenant": "everything in `lobby`, of all keys of a tenant together",
    "match": "all requests for one match, whosever they are",
    "strangers": "requests for no match, by address: those of operations that take no credential (the"
    " catalogue, this document), whatever is sent with them, and those whose credential is refused",
    "in-flight": "requests of one client under way at the same time, in each server process",
}
assert _LIMITS.keys() == LIMITS.keys(), "every limit is described"
_SCHEDULE: Final = ", ".join(
    f"{pause // 3600} h" if pause >= 3600 else f"{pause // 60} min" if pause >= 60 else f"{pause} s"
    for pause in SCHEDULE_S[1:]
)

DESCRIPTION: Final = f"""\
Play drafting games over HTTP: every match is an append-only log of events, every table a fold of it.

* A seat writes in one way: `POST …/commands` with an `Idempotency-Key`. `legal-moves` answers with complete
  bodies to post, so a client needs no rule code.
* Errors are `application/problem+json`. Switch on `code` (the last segment of `type`). 409, 412 and 422: read
  again, then decide. 429, 503 and a lost connection: the same request with the same key. Other 4xx: a bug.
  Any address may also answer 405 (another method), 414 or 431 (an address or header fields too long), 501.
* Answers may get more members and more values at any time: ignore what you do not know.
* An `Idempotency-Key` belongs to who asks: to a tenant, whichever of its keys it uses; to whoever holds a
  seat, also with the token that replaced the first one, but to nobody the seat is handed over to; or to one
  invite or spectator token. To all others it is a new one. Only executed requests are remembered: those of a
  match as long as the match, others at least a day. A refusal is not remembered and may be another one next
  time.
* Try things out with a test key (`tk_test_…`): it acts in a sandbox of its own, with seeds, scripted
  opponents, a clock to move and faults on demand. Nothing there touches what is live.
* Events are numbered without gaps and delivered at least once: drop versions you have seen.
* A person at a seat is a `person` in requests, events and statistics, and the kind `human` where a seat is
  shown and in notices: two words for the same, kept because clients know them.

The pages this document refers to are served as text under `/docs/`: `/docs/clients.md` is where to begin.

## The same request

With one `Idempotency-Key` a request is the same when its operation and path, its body (whatever its spelling)
and its `If-Match` are the same. Another body, or an `If-Match` that is left out or changed, is 422
`idempotency-key-reused`: send what you sent. The same key at another operation is another key, not
refused; use a new one for each intent all the same.

## Limits

In {WINDOW_S} seconds, unless the operator has set other numbers; each operation names its bucket as
`x-rate-limit` (`credential`: with one, `stranger`: without):

| bucket | requests | what takes from it |
| --- | --- | --- |
{chr(10).join(f"| `{name}` | {LIMITS[name]} | {words} |" for name, words in _LIMITS.items())}

A client that has one request under way is never limited on the endpoints of a match. `RateLimit-Policy` and
`RateLimit` say what is left; beyond it the answer is 429 with `Retry-After`. The pages of problems and the
health checks are not counted.

A body holds at most {_SIZES.largest_body // 1024} kB (413), a bundle to import
{_SIZES.largest_upload // (1024 * 1024)} MB; JSON is nested at most {DEEPEST} deep (400).

## Headers

Every answer has `Date`, `Request-Id`, `traceparent`, `Api-Version`, `Cache-Control`, `Vary` and
`X-Content-Type-Options: nosniff`. Pages of origins that the tenant lists get
`Access-Control-Allow-Origin` and `Access-Control-Expose-Headers`; a preflight is answered with
`Access-Control-Allow-Methods`, `Access-Control-Allow-Headers` and `Access-Control-Max-Age`. An operation that
will go says so for at least twelve months in `Deprecation`, `Sunset` and `Link`; none does today.

## Clocks

`decision_limit_ms`, `decision_limit_days` and `bank_ms` may be set together: a seat is late when the first of
them is reached. A bank that is used up leaves {LEAST_MS // 1000} s for each further decision. `deadline_at`
is a moment of the service: compare it with the `Date` of the answer, in the sandbox with its `Sandbox-Time`,
never with a clock of your own. See `/docs/clocks-and-undo.md`.

## Streams

With `Accept: text/event-stream` an event is `id:` (its cursor), `event:` (its type) and `data:` (the
envelope, on one line). `hello` and `reset` have an `id:` too, the cursor to resume from; `ping` and `bye`
have none, and so leave the last one as it is. `hello` says `retry: {RETRY_MS}`. After {_STREAMS.ping_s:.0f} s
without an event there is a `ping`; after {_STREAMS.age_s / 60:.0f} minutes the stream ends with `bye`
(`max-age`): open it again. As `application/x-ndjson` each item is a line, and a heartbeat an empty one.

An `EventSource` opens a stream again whatever ended it, after `bye` with `match-over` too, and is then told
`hello` and `bye` again, for ever: listen to `bye` and call `close()` when its reason is `match-over` or
`auth-revoked`. A ticket opens one stream only, so after any other end get a new one; the 401 that an
`EventSource` meets with an old ticket ends it. See `/docs/streams.md`.

## Webhooks

Signed by Standard Webhooks: over `<webhook-id>.<webhook-timestamp>.<raw body>`. `v1,` is followed by the HMAC
with SHA-256, in base64, under the bytes that are base64 after `whsec_` in the secret; `v1a,` by an Ed25519
signature, in base64, that the key verifies whose bytes are base64 after `whpk_`. One signature of several is
enough. Refuse a timestamp that is more than five minutes off. A notice that is not received (2xx within 15 s)
is tried again after about {_SCHEDULE}, each counted from the try before. When all {len(SCHEDULE_S)} tries
have failed the webhook is switched off, with the reason `exhausted`; 410 does so at once (`gone`). See
`/docs/webhooks.md`.

## Rules

`rule.ref` of a problem names a rule as the rules of this service number them: a game (`7W`, `WW`, `WK`), a
section and a paragraph. `U9` and the like are points the printed rules leave open, and how they are settled
here: `/docs/rules-seven-wonders.md`, `/docs/rules-its-a-wonderful-world.md`,
`/docs/rules-its-a-wonderful-kingdom.md`.
"""
