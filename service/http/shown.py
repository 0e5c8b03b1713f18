"""What clients are shown: the schemas of answers, for the document. Open: members may be added.

Bodies are built by the use cases and sent as they are; a test compares them with these schemas.
"""

from typing import Any, Final

from service.http.schemas import MATCH_ID
from service.http.shapes import LARGEST_INTEGER, Shape


def text(description: str, *examples: str, **more: Any) -> Shape:
    """A string."""
    return _said({"type": "string", **more}, description, examples)


def number(description: str, *examples: int, **more: Any) -> Shape:
    """A whole number."""
    bounds = {"format": "int32", "minimum": 0, "maximum": 2**31 - 1}
    return _said({"type": "integer", **bounds, **more}, description, examples)


def many(items: Shape, description: str = "", most: int = 1000) -> Shape:
    """A list."""
    return _said({"type": "array", "items": items, "maxItems": most}, description, ())


def thing(
    description: str,
    required: dict[str, Shape],
    optional: dict[str, Shape] | None = None,
    *,
    grows: bool = False,
) -> Shape:
    """An object. It may always get more members in time; `grows`: it has unnamed ones today."""
    shape: Shape = {"type": "object", "properties": {**required, **(optional or {})}}
    if grows:
        shape["additionalProperties"] = True
    if required:
        shape["required"] = list(required)
    return _said(shape, description, ())


def ref(name: str) -> Shape:
    """A component."""
    return {"$ref": f"#/components/schemas/{name}"}


def only(value: str) -> Shape:
    """The name of a variant."""
    return {"type": "string", "enum": [value]}


def anything(description: str) -> Shape:
    """An object whose members belong to the game."""
    return {"type": "object", "description": description}


def or_null(shape: Shape) -> Shape:
    """The same, or null."""
    return {**shape, "type": [shape["type"], "null"]}


def _said(shape: Shape, description: str, examples: tuple[Any, ...]) -> Shape:
    if description:
        shape["description"] = description
    if examples:
        shape["examples"] = list(examples)
    return shape


_ABOUT_GAMES: Final = {
    "rulesets": many(text("A ruleset matches may have.", "seven-wonders/1.0.0")),
    "bots": many(text("A bot.", "easy")),
    "links": {"type": "object", "description": "Paths of what belongs to the game."},
}
_DECISION: Final = text("A decision.", "d42.choose", pattern=r"^d[0-9]+\.[a-z][a-z0-9_-]*$")
_PASS: Final[dict[str, Shape]] = {
    "id": text("Its id, in its token and in paths.", "3h2q5zc7kx6tnbwe"),
    "label": text("Your own name for it.", "for Ann"),
    "created_at": ref("Time"),
    "revoked_at": or_null(text("When it was ended, or null.", format="date-time")),
}
_INVITE: Final[dict[str, Shape]] = {
    "seat": {"type": ["integer", "null"], "format": "int32", "description": "The seat it is for; null: any."},
    "uses": number("How many may sit down with it.", 1),
    "used": number("How many did.", 0),
    "expires_at": or_null(text("When it expires.", format="date-time")),
}
_KEY: Final[dict[str, Shape]] = {
    "id": text("Its id, in the key and in paths.", "3h2q5zc7kx6tnbwe"),
    "mode": text("`live` or `test`.", "live"),
    "label": text("Your own name for it.", "nightly job"),
    "scopes": many(text("What it is for; more may come. x-extensible.", "matches:read"), "", 100),
    "created_at": ref("Time"),
}
_KEY_TIMES: Final[dict[str, Shape]] = {
    "last_used_at": or_null(text("To some minutes, or null.", format="date-time")),
    "expires_at": or_null(text("The end of the overlap after its rotation, or null.", format="date-time")),
    "revoked_at": or_null(text("When it was revoked, or null.", format="date-time")),
    "replaces": or_null(text("The key it was rotated from, or null.")),
}
_DELAY: Final = number("How many events spectators trail behind the head while the match runs.", 0)
_SEATS: Final = many(ref("SeatNumber"), "Seats.", 7)

_HEX_32: Final = {"pattern": "^[0-9a-f]{64}$"}
# The items of streams besides events, by `type`.
STREAM: Final = ("hello", "ping", "reset", "bye")

SCHEMAS: Final[dict[str, Shape]] = {
    "MatchId": text("A match.", "mat_4sq3nkpwvx2ah5jtz7c6drfyqm", format="opaque-id", pattern=MATCH_ID),
    "SeatNumber": number("A seat, clockwise from 0.", 0, maximum=6),
    "Version": number("The position of an event in the log of its match, from 1, without gaps.", 42),
    "Ruleset": text("Game and version of its rules, fixed for the match.", "seven-wonders/1.0.0"),
    "Time": text("UTC with milliseconds.", "2026-01-05T10:11:12.345Z", format="date-time"),
    "Hash": text("SHA-256, hex.", pattern="^[0-9a-f]{64}$"),
    "Nonce": text("Opens the seal of your own form.", pattern="^[0-9a-f]{64}$"),
    "Seals": {
        "type": "object",
        "description": "A commitment for each perspective that has a form of its own.",
        "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    },
    "AnsweredDecision": or_null(text("The decision the command behind this event answered, or null.")),
    "Actor": text("Whose doing it is: `seat:<n>`, `tenant` or `rules`.", "seat:2"),
    "Cause": text("What brought it about; more may come. x-extensible.", "player", "bot", "host", "deadline"),
    "FeedCursor": text(
        "The place of an event in the feed of its tenant; there only.",
        "17.3fa2bc01",
        pattern=r"^(0|[1-9][0-9]{0,14}\.[0-9a-f]{8})$",
    ),
    "Cursor": {
        "description": "Of a match: a version. Of the feed of a tenant: the cursor of an event, or `0`.",
        "anyOf": [{"type": "integer", "format": "int32", "minimum": 0}, ref("FeedCursor")],
    },
    "Health": thing(
        "How the process is.",
        {"status": text("`alive` or `ready`.", "ready")},
        {"warnings": many(text("Something the operator should look at."))},
    ),
    "GameSummary": thing(
        "A game.",
        {
            "name": text("Its name in URLs.", "seven-wonders"),
            "title": text("Its name for people.", "7 Wonders"),
            "seats": ref("SeatRange"),
        },
        _ABOUT_GAMES,
    ),
    "SeatRange": thing(
        "How many may sit at a match.", {"min": number("At least.", 2), "max": number("At most.", 7)}
    ),
    "GameList": thing("The games.", {"items": many(ref("GameSummary"))}),
    "Game": thing(
        "A game, with everything printed: besides the cards whatever else the game has, such as boards.",
        {
            "name": text("Its name in URLs.", "seven-wonders"),
            "title": text("Its name for people.", "7 Wonders"),
            "seats": ref("SeatRange"),
            "options": anything("A JSON Schema of the options of a match."),
            "commands": anything("The commands by name, each a JSON Schema."),
            "events": anything("The events by name, each a JSON Schema."),
        },
        {
            **_ABOUT_GAMES,
            "ruleset": ref("Ruleset"),
            "ruleset_digest": ref("Hash"),
            "decisions": anything("The kinds of decision, each with its default move."),
            "cards": many(anything("A card, as it is printed.")),
        },
        grows=True,
    ),
    "Seat": thing(
        "A seat.",
        {
            "seat": ref("SeatNumber"),
            "kind": text(
                "`open`, `human` (a `person` in requests) or `bot`; more may come. x-extensible.", "human"
            ),
        },
        {
            "name": text("What the player wants to be called.", "Ann"),
            "bot": text("The bot that plays.", "easy"),
            "resigned": {"type": "boolean", "description": "Whether the seat gave up."},
            "taken_over": {"type": "boolean", "description": "Whether a bot plays for an absent person."},
        },
    ),
    "SeatList": thing("The seats.", {"items": many(ref("Seat"), "", 7)}),
    "JoinedSeat": thing(
        "A seat that was taken.",
        {"seat": ref("SeatNumber")},
        {
            "token": text("The seat's token, for a person. Shown for this key only.", format="password"),
            "kind": text("`human` or `bot`, as in `Seat`; more may come. x-extensible.", "human"),
            "bot": text("The bot that was seated.", "easy"),
        },
    ),
    "Invite": thing("An invite, without its token.", _PASS, _INVITE),
    "InviteList": thing("The invites.", {"items": many(ref("Invite"), "", 50)}),
    "InviteIssued": thing(
        "An invite with its token.",
        {**_PASS, "token": text("Takes a seat. Shown for this key only.", format="password")},
        _INVITE,
    ),
    "Spectator": thing("A spectator token, without the token itself.", _PASS),
    "SpectatorList": thing("The spectator tokens.", {"items": many(ref("Spectator"), "", 50)}),
    "SpectatorIssued": thing(
        "A spectator token.",
        {**_PASS, "token": text("Watches the match. Shown for this key only.", format="password")},
    ),
    "Key": thing("A tenant key, without its secret.", _KEY, _KEY_TIMES),
    "KeyList": thing("The keys.", {"items": many(ref("Key"), "", 10000)}),
    "KeyIssued": thing(
        "A tenant key in the clear.",
        {**_KEY, "key": text("Shown for this Idempotency-Key only.", format="password")},
        _KEY_TIMES,
    ),
    "OriginList": thing(
        "Where browser clients come from.",
        {"origins": many(text("An origin.", "https://play.example"), "", 50)},
    ),
    "Match": thing(
        "A match.",
        {
            "id": ref("MatchId"),
            "game": text("The game.", "seven-wonders"),
            "ruleset": ref("Ruleset"),
            "status": text("`lobby`, `running` or `over`.", "lobby"),
            "version": ref("Version"),
            "seats": many(ref("Seat"), "", 7),
            "options": anything("The options as played, with defaults and what the number of seats decides."),
            "created_at": ref("Time"),
            "links": anything("Paths of what belongs to the match."),
        },
        {
            "foreign": thing(
                "Where an imported match is from. Only such a match has this member.",
                {
                    "match": text("Its id there, which its events carry."),
                    "public_key": or_null(text("The key that signed its bundle, or null.", **_HEX_32)),
                    "imported_at": ref("Time"),
                },
            ),
            "sandbox": thing(
                "For a match set up with a test key, and for ever. Nothing that is played here counts.",
                {"seed": or_null(text("Its draws follow from it, and are no secret; or null.", "tuesday"))},
            ),
            "visibility": text("`public` or `private`.", "public"),
            "updated_at": ref("Time"),
            "rematch": ref("MatchId"),
            "rematch_of": ref("MatchId"),
            "forked_from": thing(
                "For a fork, and for ever: where it branched off.",
                {"match": ref("MatchId"), "version": ref("Version")},
            ),
        },
    ),
    "SandboxClock": thing(
        "The clock of a sandbox.",
        {
            "now": ref("Time"),
            "ahead_ms": {
                "type": "integer",
                "format": "int64",
                "minimum": 0,
                "description": "How far it is ahead of the real one, in milliseconds.",
                "examples": [86400000],
            },
        },
    ),
    "Fork": thing(
        "A fork, and the tokens of the seats that no bot plays.",
        {"match": ref("Match"), "seats": many(ref("JoinedSeat"), "Clockwise.", 7)},
    ),
    "Rematch": thing(
        "A rematch, and the invites the caller may hand out: a seat its own.",
        {
            "match": ref("Match"),
            "seats": many(
                thing(
                    "An invite to a seat.",
                    {
                        "seat": ref("SeatNumber"),
                        "invite": text("Takes the seat, once.", format="password"),
                    },
                ),
                "One entry a person.",
                7,
            ),
        },
    ),
    "QueueTicketId": text(
        "A ticket.", "qt_4sq3nkpwvx2ah5jtz7c6drfyqm", format="opaque-id", pattern="^qt_[a-z2-7]{26}$"
    ),
    "QueueTicket": thing(
        "A player who waits for a table, or the seat it has got.",
        {
            "id": ref("QueueTicketId"),
            "status": text(
                "`waiting`, `seating` (its table is being set up), `matched`, `withdrawn`, `expired` or"
                " `failed`; more may come. x-extensible.",
                "matched",
            ),
            "game": text("The game.", "seven-wonders"),
            "options": anything("The options as played, with defaults and what the number of seats decides."),
            "seats": ref("SeatRange"),
            "created_at": ref("Time"),
            "start_at": ref("Time"),
            "expires_at": ref("Time"),
        },
        {
            "match": ref("MatchId"),
            "seat": ref("SeatNumber"),
            "token": text("The token of the seat.", format="password"),
        },
    ),
    "JobId": text(
        "A job.", "job_4sq3nkpwvx2ah5jtz7c6drfyqm", format="opaque-id", pattern="^job_[a-z2-7]{26}$"
    ),
    "Job": thing(
        "Something that may take longer than a request.",
        {
            "id": ref("JobId"),
            "kind": text("`match-batch`; more may come. x-extensible.", "match-batch"),
            "status": text(
                "`queued`, `started`, `finished` or `failed`; more may come. x-extensible.", "finished"
            ),
            "created_at": ref("Time"),
            "ended_at": or_null(text("When it finished or failed, or null.", format="date-time")),
            "error": or_null(text("Why it failed, or null.")),
            "result": {
                "type": ["object", "null"],
                "description": "What it made; null until it is finished.",
                "properties": {
                    "matches": many(
                        thing(
                            "A match.",
                            {"match": ref("MatchId"), "self": text("Its path.", format="uri-reference")},
                        ),
                        "In the order of the request.",
                        200,
                    )
                },
                "required": ["matches"],
            },
        },
    ),
    "MatchList": thing(
        "A page of matches.",
        {
            "items": many(ref("Match"), "Without the names of players.", 200),
            "next_cursor": or_null(text("For the next page, or null.")),
            "has_more": {"type": "boolean", "description": "Whether there is a next page."},
        },
    ),
    "Head": thing("The end of the log.", {"version": ref("Version"), "hash": ref("Hash")}),
    "CommandAnswer": thing(
        "What the command did.",
        {
            "version": ref("Version"),
            "events": many(ref("Event"), "The events it made, as the caller sees them.", 5000),
            "head": ref("Head"),
        },
    ),
    "CommandOutcome": thing(
        "What became of a command.",
        {
            "status": text(
                "`applied`, or `unknown`: you sent none with this key, and may safely do so.", "applied"
            )
        },
        {"first": ref("Version"), "last": ref("Version")},
    ),
    "Decision": thing(
        "Something the match waits for.",
        {"id": _DECISION, "kind": text("Its kind.", "choose"), "awaited": _SEATS},
        {
            "opened_at": ref("Time"),
            "deadline_at": or_null(text("When it expires, or null.", format="date-time")),
        },
    ),
    "LegalMove": thing(
        "A command the service would accept now.",
        {
            "id": text("Its name in this list.", "m1"),
            "label": text("For people.", "Build Clay Pool, pay 2 to the left"),
            "body": ref("SendCommand"),
            "cost": anything("What it costs."),
            "effects": anything("What it brings."),
        },
        {
            "parameters": {
                "type": "object",
                "description": "Ranges: for each member of the command that may be chosen, its least and its"
                " greatest value. The body has the greatest filled in; of time for others, a minute, or"
                " a day if decisions have days.",
                "additionalProperties": thing(
                    "A range, both ends included.",
                    {"min": number("The least.", 1), "max": number("The greatest.", 3)},
                ),
                "examples": [{"count": {"min": 1, "max": 3}}],
            },
            "not_before": ref("Time"),
        },
    ),
    "RefusedMove": thing(
        "Something a player might try, and why not.",
        {
            "label": text("For people."),
            "reason": anything("A stable code, and words."),
            "missing": anything("What is missing, by kind."),
        },
    ),
    "LegalMoves": thing(
        "All a seat may do now.",
        {
            "match": ref("MatchId"),
            "version": ref("Version"),
            "decisions": many(ref("Decision")),
            "moves": many(ref("LegalMove"), "", 10000),
            "refused": many(ref("RefusedMove")),
        },
        {
            "table": many(ref("LegalMove"), "What the seat may do around the game: give up, pause, agree, …"),
            "clocks": ref("Clocks"),
        },
    ),
    "Clocks": {
        "type": ["array", "null"],
        "description": "The clock of each seat; null in a match without a clock.",
        "maxItems": 7,
        "items": thing(
            "The clock of a seat.",
            {
                "seat": ref("SeatNumber"),
                "bank_ms": or_null(
                    number(
                        "What was left in the bank at the last event.",
                        300000,
                        maximum=LARGEST_INTEGER,
                        format="int64",
                    )
                ),
                "deadline_at": or_null(
                    text("When the seat is late; null while its clock stands.", format="date-time")
                ),
            },
        ),
    },
    "Proposal": {
        "type": ["object", "null"],
        "description": "What a seat wants the others to agree to; null without one.",
        "properties": {
            "id": ref("Version"),
            "kind": text("`pause`, `resume` or `undo`; more may come. x-extensible.", "pause"),
            "seat": ref("SeatNumber"),
            "to": or_null(number("The version to go back to, of an `undo`.", 41)),
            "agreed": {**_SEATS, "description": "Who has agreed."},
            "awaited": {**_SEATS, "description": "Who has not answered."},
        },
        "required": ["id", "kind", "seat", "agreed", "awaited"],
    },
    "SeatScore": thing(
        "The points of a seat.",
        {
            "seat": ref("SeatNumber"),
            "total": number("All of them.", 52, minimum=-LARGEST_INTEGER, format="int64"),
            "categories": anything("What they are made of."),
        },
    ),
    "Outcome": thing(
        "How the match ended.",
        {
            "reason": text("`finished`, `forfeit`, `cancelled`; more may come. x-extensible.", "finished"),
            "ranking": many(_SEATS, "Groups of seats from first to last.", 7),
            "winners": {
                **_SEATS,
                "description": "Who won; nobody where all lost or the match was cancelled.",
            },
            "scores": many(ref("SeatScore"), "", 7),
        },
    ),
    "View": thing(
        "The table through the caller's eyes.",
        {
            "match": ref("MatchId"),
            "version": ref("Version"),
            "status": text("`lobby`, `running` or `over`.", "running"),
            "awaited": _SEATS,
            "decisions": many(ref("Decision")),
            "seats": many(ref("Seat"), "", 7),
            "state": {"type": ["object", "null"], "description": "The game's own; null in the lobby."},
            "outcome": {
                "description": "How the match ended; null while it runs.",
                "anyOf": [ref("Outcome"), {"type": "null"}],
            },
        },
        {
            "spectator_delay": _DELAY,
            "paused": {"type": "boolean", "description": "Whether the clocks and the game stand still."},
            "proposal": ref("Proposal"),
            "clocks": ref("Clocks"),
        },
    ),
    "SecrecyReport": thing(
        "Whether a match that is over ever told somebody what was hidden.",
        {
            "match": ref("MatchId"),
            "status": text("`done`, or `running` while viewers are missing.", "done"),
            "versions": number("The versions before the end: at each of them something was hidden.", 152),
            "secret": {
                "type": ["boolean", "null"],
                "description": "Whether all that was hidden stayed so; null as long as that is not known.",
            },
            "viewers": many(ref("SecrecyOfViewer"), "One entry a viewer, the spectator first.", 8),
        },
    ),
    "SecrecyOfViewer": thing(
        "What was found for a seat, or for the spectator.",
        {
            "viewer": text("`public`, or `s0` to `s6`.", "s0"),
            "versions": number(
                "How many versions were looked at; fewer than all only after a difference.", 152
            ),
            "dealt_anew": number("At how many of them hidden cards were dealt anew.", 148),
            "exchanged": number("At how many of them hidden cards were exchanged for others.", 112),
            "difference": {
                "anyOf": [ref("SecrecyDifference"), {"type": "null"}],
                "description": "The first thing that told two worlds apart; null for none.",
            },
        },
    ),
    "SecrecyDifference": thing(
        "Something that differs between worlds that must look the same.",
        {
            "version": ref("Version"),
            "response": text("Where it shows: `events`, `view` or `legal-moves`.", "events"),
            "world": text(
                "With which world: `told` (it follows from what was served), `dealt-anew`, `exchanged`;"
                " `shown`: an event names what no view had shown.",
                "shown",
            ),
            "place": text("A JSON Pointer into the response.", "/hands/1/0"),
        },
    ),
    "Diff": thing(
        "What changed in the caller's view.",
        {
            "match": ref("MatchId"),
            "from": ref("Version"),
            "to": ref("Version"),
            "patch": many(ref("PatchOperation"), "A JSON Patch (RFC 6902), to be applied in order.", 100000),
        },
    ),
    "PatchOperation": thing(
        "An operation of a JSON Patch.",
        {
            "op": text("`add`, `remove` or `replace`.", "replace"),
            "path": text("A JSON Pointer into the view.", "/state/cities/0/coins"),
        },
        {"value": {"description": "What is there then; not with `remove`."}},
    ),
    "EventPage": thing(
        "Events after a version.",
        {
            "items": many(ref("Event"), "", 200),
            "head": number("The newest version.", 57),
            "next_after": number("What to ask after next.", 57),
        },
        {"spectator_delay": _DELAY},
    ),
    "Proof": thing(
        "The signed head of a match.",
        {
            "match": text("The match the log names; of an imported one that of its origin."),
            "version": ref("Version"),
            "hash": ref("Hash"),
            "commitment": text("Commits the operator to the secrets behind every draw.", **_HEX_32),
            "signature": or_null(
                text(
                    'Ed25519 over JCS(["wonderlog/head/1", match, version, hash]), hex. Of an imported match'
                    " as its origin signed it, or null.",
                    pattern="^[0-9a-f]{128}$",
                )
            ),
            "public_key": or_null(text("The key that signed, hex, or null.", **_HEX_32)),
            "key_id": or_null(
                text("Its id, among the published keys of whoever signed.", pattern="^[0-9a-f]{16}$")
            ),
            "over": {"type": "boolean", "description": "Whether the match is over."},
            "revealed": {
                "type": ["object", "null"],
                "description": "The secrets that open the commitment; null until the match is over.",
                "properties": {
                    "match_key": text("Every seal and every draw follow from it.", **_HEX_32),
                    "commit_nonce": text("Blinds the commitment.", **_HEX_32),
                },
                "required": ["match_key", "commit_nonce"],
            },
        },
    ),
    "PublicKeys": thing(
        "The keys that sign heads and bundles.",
        {
            "format": text("`wonderlog/keys/1`.", "wonderlog/keys/1"),
            "keys": many(
                thing(
                    "A public key.",
                    {
                        "id": text("A short name.", pattern="^[0-9a-f]{16}$"),
                        "algorithm": text("`Ed25519`; more may come. x-extensible.", "Ed25519"),
                        "public_key": text("Hex.", **_HEX_32),
                        "current": {"type": "boolean", "description": "Whether it signs now."},
                        "valid_until": or_null(
                            text("When it was retired: it vouches for no younger event.", format="date-time")
                        ),
                    },
                ),
                "The one that signs now first.",
            ),
        },
    ),
    "BundleUpload": {
        "type": "string",
        "description": "A bundle: a JSON object a line, the last one ended by a line feed too.",
        "maxLength": 8 * 1024 * 1024,
    },
    "NotationUpload": {
        "type": "string",
        "description": "A finished match in its notation, with `Key` and `Nonce`: `/docs/notation.md`.",
        "maxLength": 256 * 1024,
    },
    "ImportList": thing(
        "Everything the tenant has imported, the newest first.",
        {
            "items": many(
                thing(
                    "An imported match.",
                    {
                        "id": ref("MatchId"),
                        "game": text("Which game.", "seven-wonders"),
                        "match": text("The id it came with.", "mat_4sq3nkpwvx2ah5jtz7c6drfyqm"),
                        "imported_at": ref("Time"),
                        "removed_at": or_null(text("When it is removed; null: never.", format="date-time")),
                        "bytes": number("How much is kept of it, packed.", 21000),
                        "links": thing("Where it is.", {"self": text("The match.")}),
                    },
                ),
                "",
            )
        },
    ),
    "FeedPage": thing(
        "Events of all matches of a tenant, as a spectator sees them.",
        {"items": many(ref("Event"), "", 200), "head": ref("FeedCursor"), "next_after": ref("FeedCursor")},
    ),
    "StreamTicket": thing(
        "A ticket for one stream.",
        {
            "ticket": text("Shown to this key only.", "stk_…", maxLength=64),
            "expires_in_s": number("How long it may be used for the first and only time.", 60),
            "url": text("Where to use it."),
        },
    ),
    "StreamHello": thing(
        "The first item of a stream.",
        {"type": only("hello"), "head": ref("Cursor"), "resumed_from": ref("Cursor")},
    ),
    "StreamPing": thing("A heartbeat.", {"type": only("ping"), "head": ref("Cursor")}),
    "StreamReset": thing(
        "The cursor is unknown: read the view (of the feed: every match) again. The stream goes on after it.",
        {"type": only("reset"), "snapshot_version": ref("Cursor")},
    ),
    "StreamBye": thing(
        "The last item. Unless the match is over or the rights ended, open the stream again where it was; if"
        " so, close it for good: an `EventSource` would open it again for ever.",
        {
            "type": only("bye"),
            "reason": text(
                "`match-over`, `drain` (the process stops), `max-age` or `auth-revoked`; more may come."
                " x-extensible.",
                "max-age",
            ),
        },
    ),
    "BundleLine": anything(
        "A line of a bundle: header, envelope or trailer. The body is a sequence of them."
    ),
}
