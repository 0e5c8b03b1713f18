"""What clients send: marshmallow schemas of bodies and query strings, closed (an unknown member is refused,
with a pointer to it). Commands are read by `unions`."""

import re
from collections.abc import Mapping
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from domain.kernel.table import SCRIPT
from service import naming
from service.clock import milliseconds, timestamp
from service.errors import Fault
from service.http.problems import Problem
from service.origins import ORIGIN
from service.sandbox import FARTHEST_MS
from service.scopes import SCOPES
from service.scripts import LONGEST as LONGEST_SCRIPT


class Whole(validate.Regexp):
    """The whole text must match: `$` alone would let a final line break through."""

    def __call__(self, value: Any) -> Any:
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


GAME_NAME: Final = Whole(r"^[a-z][a-z0-9-]{0,63}$")
BOT_NAME: Final = Whole(r"^[a-z][a-z0-9-]{0,63}$")
A_NAME: Final = Whole(naming.PATTERN, error="Characters that cannot be seen are not allowed.")
MATCH_ID: Final = r"^mat_[a-z2-7]{26}$"
IS_MATCH_ID: Final = re.compile(MATCH_ID)
MOST_SEATS: Final = 7
LONGEST_WAIT_S: Final = 30
MOST_ITEMS: Final = 200
LAST_VERSION: Final = 999_999_999
MOMENT: Final = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"


class Request(Schema):
    """A closed body or query string."""

    class Meta:
        unknown = RAISE


class Number(fields.Integer):
    """An integer in a query string: decimal digits and nothing else."""

    def _validated(self, value: Any) -> int:
        if not (isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 9):
            raise self.make_error("invalid", input=value)
        return int(value)


class TrueOrFalse(fields.Boolean):
    """`true` or `false` and nothing else: not 1, which equals true in Python."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def _seat(**said: Any) -> fields.Integer:
    return fields.Integer(
        strict=True,
        validate=validate.Range(0, MOST_SEATS - 1),
        metadata={"format": "int32", **said},
    )


def _moment(text: str) -> None:
    """Raises ValidationError."""
    try:
        good = timestamp(milliseconds(text)) == text
    except (ValueError, TypeError):
        good = False
    if not good:
        raise ValidationError("A time in UTC with milliseconds is expected.")


def _seats(words: str) -> fields.Integer:
    return fields.Integer(
        strict=True,
        validate=validate.Range(1, MOST_SEATS),
        metadata={"format": "int32", "description": words},
    )


# Requests


class SeatPlan(Request):
    """A seat as the host wants it: open for a person, or given to a bot."""

    kind = fields.String(required=True, validate=validate.OneOf(["open", "bot"]))
    bot = fields.String(validate=BOT_NAME, metadata={"description": "The bot's name, for `bot` only."})
    script = fields.List(
        fields.Raw(allow_none=True),
        validate=validate.Length(0, LONGEST_SCRIPT),
        metadata={
            "description": "In the sandbox, for the bot `script`: what it does, one entry a move; null, and"
            " after the last one: the default move."
        },
    )

    @validates_schema
    def bots_have_names(self, data: Mapping[str, Any], **_: Any) -> None:
        """`bot` goes with kind `bot` and with nothing else, `script` with the bot of that name."""
        _bot_named(data)
        if "script" in data and data.get("bot") != SCRIPT:
            raise ValidationError("Only for the bot script.", "script")


class SandboxWish(Request):
    """What a match of the sandbox is to be like."""

    seed = fields.String(
        validate=Whole(r"^[A-Za-z0-9._-]{1,64}$"),
        metadata={"description": "The same seed gives the same draws. It is no secret.", "maxLength": 64},
    )


class ClockMove(Request):
    """How the clock of the sandbox is moved: on by a time, or to a time; never back."""

    advance_ms = fields.Integer(
        strict=True,
        validate=validate.Range(0, FARTHEST_MS),
        metadata={"format": "int64", "description": "Milliseconds to go on by."},
    )
    set = fields.String(
        validate=_moment,
        metadata={
            "description": "What it is to show, in UTC with milliseconds.",
            "format": "date-time",
            "pattern": MOMENT,
            "examples": ["2026-01-05T10:11:12.345Z"],
        },
    )

    @validates_schema
    def one_of_both(self, data: Mapping[str, Any], **_: Any) -> None:
        """One of `advance_ms` and `set`."""
        if len(data) != 1:
            raise ValidationError("One of advance_ms and set is expected.", "advance_ms")


TIME: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,3})?Z$"


def player_ref(words: str) -> fields.String:
    """What a tenant calls a player, opaque to the service."""
    return fields.String(
        validate=[
            validate.Length(1, 128),
            Whole(r"^[^\x00-\x1f\x7f/]*$", error="Control characters and slashes are not allowed."),
        ],
        metadata={"description": words, "examples": ["user-4711"]},
    )


class NewMatch(Request):
    """A match to set up."""

    game = fields.String(required=True, validate=GAME_NAME, metadata={"examples": ["seven-wonders"]})
    options = fields.Dict(
        keys=fields.String(validate=validate.Length(1, 64)),
        values=fields.Raw(allow_none=True),
        metadata={
            "description": "Options of the table and of the game, as `GET /v1/games/{game}` lists them."
        },
    )
    seats = fields.List(
        fields.Nested(SeatPlan),
        required=True,
        validate=validate.Length(1, MOST_SEATS),
        metadata={"description": "One entry a seat, clockwise."},
    )
    visibility = fields.String(
        validate=validate.OneOf(["public", "private"]),
        load_default="public",
        metadata={"description": "Whether anybody may watch as a spectator."},
    )
    sandbox = fields.Nested(
        SandboxWish,
        metadata={"description": "For a match of the sandbox, that is with a test key, only."},
    )


class NewMatchBatch(Request):
    """Matches to set up, all or none."""

    matches = fields.List(fields.Nested(NewMatch), required=True, validate=validate.Length(1, 200))


class WishedSeats(Request):
    """At how large a table; what is left out is up to the game."""

    min = _seats("The smallest table.")
    max = _seats("The largest table.")

    @validates_schema
    def in_order(self, data: Mapping[str, Any], **_: Any) -> None:
        """The least is not above the greatest."""
        if data.get("min", 1) > data.get("max", MOST_SEATS):
            raise ValidationError("Below the least.", "max")


class NewQueueTicket(Request):
    """What a player waits for."""

    game = fields.String(required=True, validate=GAME_NAME, metadata={"examples": ["seven-wonders"]})
    options = fields.Dict(
        keys=fields.String(validate=validate.Length(1, 64)),
        values=fields.Raw(allow_none=True),
        metadata={"description": "Options of the match. Players meet who want the same."},
    )
    visibility = fields.String(
        validate=validate.OneOf(["public", "private"]),
        load_default="public",
        metadata={"description": "Whether anybody may watch as a spectator."},
    )
    seats = fields.Nested(WishedSeats)
    wait_ms = fields.Integer(
        strict=True,
        validate=validate.Range(0, 7 * 24 * 3600 * 1000),
        load_default=30_000,
        metadata={
            "format": "int32",
            "description": "How long to wait for the largest table. Then fewer people will do, and bots.",
        },
    )
    expires_in_s = fields.Integer(
        strict=True,
        validate=validate.Range(10, 7 * 24 * 3600),
        load_default=600,
        metadata={"format": "int32", "description": "Seconds until the ticket is given up."},
    )
    bot = fields.String(
        validate=BOT_NAME,
        metadata={"description": "The bot that takes the seats that are left; left out: people only."},
    )
    name = fields.String(
        validate=[validate.Length(1, naming.LONGEST), A_NAME],
        metadata={
            "description": "What the others call this player; never part of the log. Kept under the key of"
            " the person, so it takes a `player_ref`."
        },
    )
    entropy = fields.String(
        validate=[validate.Length(2, 128), Whole(r"^([0-9a-f]{2})+$")],
        metadata={"description": "1 to 64 bytes of your own for every draw of the match, lower-case hex."},
    )
    player_ref = player_ref("As in `POST …/seats`. Two tickets of one player do not meet.")

    @validates_schema
    def names_are_somebodys(self, data: Mapping[str, Any], **_: Any) -> None:
        """A name is kept with a person."""
        if "name" in data and "player_ref" not in data:
            raise ValidationError("Missing data for required field.", "player_ref")


class QueueTicketQuery(Request):
    """How long to wait for a table."""

    wait = Number(
        validate=validate.Range(0, LONGEST_WAIT_S),
        load_default=0,
        metadata={"description": "Seconds to wait while the ticket waits."},
    )


class NewSeat(Request):
    """Somebody sits down: a person (the default), or a bot, which only the tenant may seat."""

    kind = fields.String(validate=validate.OneOf(["person", "bot"]), load_default="person")
    bot = fields.String(validate=BOT_NAME, metadata={"description": "The bot's name, for `bot` only."})
    seat = _seat(description="Left out: the first open seat.")
    name = fields.String(
        validate=[validate.Length(1, naming.LONGEST), A_NAME],
        metadata={"description": "What the others call this player; never part of the log."},
    )
    entropy = fields.String(
        validate=[validate.Length(2, 128), Whole(r"^([0-9a-f]{2})+$")],
        metadata={"description": "1 to 64 bytes of your own for every draw of the match, lower-case hex."},
    )
    player_ref = player_ref(
        "Whoever that is for you, for `awaiting_me` in lists; shown to nobody. For the tenant alone."
    )

    @validates_schema
    def bots_have_names(self, data: Mapping[str, Any], **_: Any) -> None:
        """`bot` goes with kind `bot`, `name` and the like with a person."""
        _bot_named(data)
        if data.get("kind") == "bot":
            for member in ("name", "entropy", "player_ref"):
                if member in data:
                    raise ValidationError("Not for a bot.", member)


def _bot_named(data: Mapping[str, Any]) -> None:
    if data.get("kind") == "bot" and "bot" not in data:
        raise ValidationError("Missing data for required field.", "bot")
    if data.get("kind") != "bot" and "bot" in data:
        raise ValidationError("Only for kind bot.", "bot")


RULESET: Final = Whole(r"^[a-z][a-z0-9-]{0,63}/[0-9.]{1,32}(\+[A-Za-z0-9@._-]{1,100})?$")


class GameQuery(Request):
    """Which of the game's rulesets."""

    ruleset = fields.String(
        validate=RULESET,
        metadata={
            "description": "The ruleset of a match; left out: that of new matches. A plus sign in it is"
            " written %2B.",
            "examples": ["seven-wonders/1.0.0"],
        },
    )


def _label() -> fields.String:
    return fields.String(
        validate=[
            validate.Length(0, 80),
            Whole(r"^[^\x00-\x1f\x7f]*$", error="Control characters are not allowed."),
        ],
        metadata={"description": "Your own name for it; only you see it."},
    )


class MatchChange(Request):
    """What is different from now on."""

    options = fields.Dict(
        keys=fields.String(validate=validate.Length(1, 64)),
        values=fields.Raw(allow_none=True),
        metadata={"description": "The options that change; the others stay as they are."},
    )
    visibility = fields.String(validate=validate.OneOf(["public", "private"]))


class Nothing(Request):
    """An empty object: all is said by the path."""


class Controller(Request):
    """Who plays the seat from now on: another person, or a bot."""

    kind = fields.String(required=True, validate=validate.OneOf(["person", "bot"]))
    bot = fields.String(validate=BOT_NAME, metadata={"description": "The bot's name, for `bot` only."})
    name = fields.String(
        validate=[validate.Length(1, naming.LONGEST), A_NAME],
        metadata={"description": "What the others call the new player; never part of the log."},
    )

    @validates_schema
    def bots_have_names(self, data: Mapping[str, Any], **_: Any) -> None:
        """`bot` goes with kind `bot`, `name` with a person."""
        _bot_named(data)
        if data.get("kind") == "bot" and "name" in data:
            raise ValidationError("Not for a bot.", "name")


class NewInvite(Request):
    """What an invite is good for."""

    seat = _seat(description="The only seat it is for; left out: any that is open.")
    uses = fields.Integer(
        strict=True,
        validate=validate.Range(1, 100),
        load_default=1,
        metadata={"format": "int32", "description": "How many may sit down with it."},
    )
    expires_in_s = fields.Integer(
        strict=True,
        validate=validate.Range(60, 31 * 24 * 3600),
        load_default=7 * 24 * 3600,
        metadata={"format": "int32", "description": "Seconds until it expires."},
    )
    player_ref = player_ref("As in `POST …/seats`, of whoever sits down with it.")
    label = _label()


class NewSpectator(Request):
    """A token to watch with."""

    label = _label()


class NewKey(Request):
    """A key to make."""

    scopes = fields.List(
        fields.String(validate=validate.OneOf(list(SCOPES))),
        validate=validate.Length(1, len(SCOPES)),
        metadata={"description": "What it is for; left out: all that the key is for that asks."},
    )
    mode = fields.String(
        validate=validate.OneOf(["live", "test"]),
        metadata={"description": "`test` keys begin with `tk_test_`; left out: as the key that asks."},
    )
    label = _label()


class Rotation(Request):
    """How a key is replaced."""

    overlap_s = fields.Integer(
        strict=True,
        validate=validate.Range(0, 30 * 24 * 3600),
        load_default=0,
        metadata={"format": "int32", "description": "Seconds for which the old key stays good."},
    )


class Origins(Request):
    """Origins as browsers send them."""

    origins = fields.List(
        fields.String(
            validate=[
                validate.Length(8, 300),
                Whole(f"^{ORIGIN.pattern}$", error="An origin is a scheme, a host and maybe a port."),
            ],
            metadata={"examples": ["https://play.example"]},
        ),
        required=True,
        validate=validate.Length(0, 50),
    )


class MatchesQuery(Request):
    """Which of the tenant's matches."""

    game = fields.String(
        validate=GAME_NAME, metadata={"description": "One of this service, as `GET /v1/games` lists them."}
    )
    status = fields.String(validate=validate.OneOf(["lobby", "running", "over"]))
    limit = Number(validate=validate.Range(1, MOST_ITEMS), load_default=50)
    forks = fields.String(
        validate=validate.OneOf(["true", "false"]),
        metadata={
            "description": "`true`: the forks instead of the matches; `false`: as if it were left out."
        },
    )
    awaiting_me = player_ref("Those that wait for this player, as you named it when it sat down.")
    updated_after = fields.String(
        validate=Whole(TIME),
        metadata={
            "format": "date-time",
            "description": "Those that changed after this time, the one that changed longest ago first, so"
            " that what changes meanwhile comes again at the end. As in `updated_at`: UTC, milliseconds.",
        },
    )
    open_seats = fields.String(
        validate=validate.OneOf(["true", "false"]),
        metadata={
            "description": "`true`: those in the lobby with an open seat; `false`: as if it were left out."
        },
    )
    visibility = fields.String(validate=validate.OneOf(["public", "private"]))
    cursor = fields.String(
        validate=Whole(r"^[A-Za-z0-9._=-]{1,512}$"),
        metadata={"description": "`next_cursor` of the page before, with the same filters."},
    )


class ForkSeat(Request):
    """Who plays a seat of a fork: a person, whose token the answer holds, or a bot."""

    kind = fields.String(required=True, validate=validate.OneOf(["person", "bot"]))
    bot = fields.String(validate=BOT_NAME, metadata={"description": "The bot's name, for `bot` only."})

    @validates_schema
    def bots_have_names(self, data: Mapping[str, Any], **_: Any) -> None:
        """`bot` goes with kind `bot` and with nothing else."""
        _bot_named(data)


class NewFork(Request):
    """A match that starts where another one stood."""

    version = fields.Integer(
        strict=True,
        validate=validate.Range(1, LAST_VERSION),
        metadata={"format": "int32", "description": "A version of the match; left out: the newest."},
    )
    seats = fields.List(
        fields.Nested(ForkSeat),
        validate=validate.Length(1, MOST_SEATS),
        metadata={"description": "One entry a seat, clockwise; left out: persons everywhere."},
    )


class ViewQuery(Request):
    """Which version of the view."""

    version = Number(
        validate=validate.Range(1, LAST_VERSION),
        metadata={"description": "A version of the past; left out: the newest."},
    )


class DiffQuery(Request):
    """Between which versions."""

    class Meta(Request.Meta):
        include = {
            "from": Number(
                required=True,
                validate=validate.Range(1, LAST_VERSION),
                metadata={"description": "The version whose view the patch is for."},
            )
        }

    to = Number(
        validate=validate.Range(1, LAST_VERSION),
        metadata={"description": "The version whose view it makes; left out: the newest."},
    )


class ProofQuery(Request):
    """Which head."""

    version = Number(
        validate=validate.Range(1, LAST_VERSION),
        metadata={"description": "The head of the log at this version; left out: the newest."},
    )


class ExportQuery(Request):
    """How much of the log, as who sees it, and in which form."""

    format = fields.String(
        validate=validate.OneOf(["bundle", "html", "notation"]),
        load_default="bundle",
        metadata={
            "description": "`bundle`, for verifiers; `html`, a replay as one file for browsers; or"
            " `notation`, what was decided and drawn, in words, of a match that is over."
        },
    )
    version = Number(
        validate=validate.Range(1, LAST_VERSION),
        metadata={"description": "The last event of the bundle; left out: the newest."},
    )
    perspective = fields.String(
        validate=Whole(r"^(public|full|s[0-6])$"),
        metadata={
            "description": "`public` (a spectator), `s0` to `s6` (a seat) or `full`. Until the match is over"
            " only your own; left out: your own, `full` once it is over."
        },
    )


class FollowQuery(Request):
    """How much of a log, how long to wait for the first event, and what opens a stream of it."""

    limit = Number(validate=validate.Range(1, MOST_ITEMS), load_default=50)
    wait = Number(
        validate=validate.Range(0, LONGEST_WAIT_S),
        load_default=0,
        metadata={"description": "Seconds to wait for an event when there is none yet."},
    )
    ticket = fields.String(
        validate=Whole(r"^stk_[a-z2-7]{52}$"),
        metadata={"description": "For a stream, instead of an Authorization header."},
    )


class EventsQuery(FollowQuery):
    """Which events of a match."""

    after = Number(
        validate=validate.Range(0, LAST_VERSION),
        load_default=0,
        metadata={"description": "The last version already known."},
    )


class FeedQuery(FollowQuery):
    """Which events of a tenant's matches."""

    after = fields.String(
        validate=Whole(r"^(0|[1-9][0-9]{0,14}\.[0-9a-f]{8})$"),
        load_default="0",
        metadata={"description": "The `cursor` of the last event already known; `0`: from the oldest on."},
    )


class NewTicket(Request):
    """Which stream a ticket is to open."""

    match = fields.String(
        validate=Whole(MATCH_ID),
        metadata={"description": "A match; left out: that of the token, or the tenant's feed."},
    )


def read(schema: type[Schema], value: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """The value with defaults filled in. Raises Problem `validation` with a pointer for each fault;
    `where` begins the pointers (empty for a body, `/query` for a query string)."""
    try:
        loaded: dict[str, Any] = schema().load(value)
    except ValidationError as refused:
        errors = list(_faults(refused.messages, where))
        raise Problem("validation", "the request does not fit its schema", errors) from None
    return loaded


_CODES: Final = {
    "Missing data for required field.": ("required", "is missing"),
    "Unknown field.": ("unknown", "there is no such member"),
    "Field may not be null.": ("null", "must not be null"),
}


def _faults(messages: Any, pointer: str) -> list[Fault]:
    found: list[Fault] = []
    if isinstance(messages, dict):
        for name, inner in messages.items():
            # marshmallow's own words: `_schema` is the object itself, key and value a member of `options`
            itself = name == "_schema" or ("/options/" in pointer and name in ("key", "value"))
            escaped = str(name).replace("~", "~0").replace("/", "~1")
            found += _faults(inner, pointer if itself else f"{pointer}/{escaped}")
        return found
    for message in messages:
        code, detail = _CODES.get(str(message), ("invalid", str(message)))
        found.append(Fault(pointer, code, detail))
    return found
