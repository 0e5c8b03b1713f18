"""Matches and their seats: set up, list, read, sit down, get up."""

from typing import Final
from urllib.parse import urlencode

from flask import Response

from service import scopes
from service.errors import Fault, Invalid, NotFound
from service.http import replies
from service.http.face import Face
from service.http.operations import EITHER, INVITED, JOINERS, TENANT, Answer, Asked, Operation, SchemaBody
from service.http.schemas import MatchChange, MatchesQuery, NewMatch, NewSeat, Nothing

_CREATED: Final = ("Location", "IdempotencyReplayed", "CacheControl")


def create_match(face: Face, asked: Asked) -> Response:
    """Set up a match

    The match waits in the lobby until every seat is taken and the host starts it. The same key again gives
    the same match.
    """
    match, replayed = face.matches.create(asked.caller, asked.body, asked.key, asked.fingerprint)
    return replies.made(match, replayed, f"/v1/matches/{match['id']}")


def list_matches(face: Face, asked: Asked) -> Response:
    """List your matches

    The matches of the tenant, the newest first. `next_cursor` belongs to the filters it was given for. A page
    may be short, even empty, with more to come: go on while `has_more` is true.
    """
    query = dict(asked.query)
    if "game" in query:
        _insist_on_game(face, query["game"])
    flags = {name: query.get(name) == "true" for name in ("forks", "open_seats")}
    page = face.matches.list_matches(asked.caller, **{**query, **flags})
    response = replies.as_json(page, keeps=replies.AT_HEAD, Vary="Authorization")
    if page.get("next_cursor"):
        following = urlencode({**query, "cursor": page["next_cursor"]})
        response.headers["Link"] = f'</v1/matches?{following}>; rel="next"'
    return response


def show_match(face: Face, asked: Asked) -> Response:
    """Read a match

    What kind of match it is and who sits where; the table itself is in the view.
    """
    match = face.matches.match(asked.caller, asked.match)
    return replies.as_json(match, keeps=replies.AT_HEAD, Vary="Authorization")


def update_match(face: Face, asked: Asked) -> Response:
    """Change a match in the lobby

    Its options, those that are named, and who may watch it. An event of the match that everybody sees; what
    is so already is none.
    """
    match = face.matches.change(asked.caller, asked.match, asked.body, asked.wants)
    return replies.as_json(match, keeps=replies.AT_HEAD, Vary="Authorization")


def _insist_on_game(face: Face, name: str) -> None:
    """Make sure that there is such a game. Raises Invalid."""
    games = [game["name"] for game in face.matches.games()]
    if name not in games:
        raise Invalid(Fault("/query/game", "unknown", f"the games are {', '.join(games)}"))


def create_rematch(face: Face, asked: Asked) -> Response:
    """Ask for a rematch

    Of a match that is over, for its host and for each of its seats; whoever asks, there is one. The same
    options, bots and people, everybody one seat further. People are invited: a seat is answered with its own
    invite, the host with everybody's.
    """
    made, replayed = face.matches.rematch(asked.caller, asked.match)
    return replies.made(made, replayed, f"/v1/matches/{made['match']['id']}")


def list_seats(face: Face, asked: Asked) -> Response:
    """List the seats of a match"""
    seats = face.matches.seats(asked.caller, asked.match)
    return replies.as_json(seats, keeps=replies.AT_HEAD, Vary="Authorization")


def show_seat(face: Face, asked: Asked) -> Response:
    """Read a seat"""
    number = asked.seat
    for seat in face.matches.seats(asked.caller, asked.match)["items"]:
        if seat["seat"] == number:
            return replies.as_json(seat, keeps=replies.AT_HEAD, Vary="Authorization")
    raise NotFound("seat")


def join_seat(face: Face, asked: Asked) -> Response:
    """Take a seat

    Seats a person, and answers with the seat's token: keep it, it is shown for this key only. For the tenant,
    whose server hands the tokens to its players, or for whoever holds an invite. The tenant may seat a bot as
    well. All in the lobby only.
    """
    seat, replayed = face.matches.join(asked.caller, asked.match, asked.body, asked.key, asked.fingerprint)
    return replies.made(seat, replayed, f"/v1/matches/{asked.match}/seats/{seat['seat']}")


def leave_seat(face: Face, asked: Asked) -> Response:
    """Leave a seat

    Before the match starts: by the seat's own token, or by the tenant. The token ends with it.
    """
    face.matches.leave(asked.caller, asked.match, asked.seat)
    return replies.nothing()


_REFUSED: Final = ("already-started", "match-over", "seat-taken", "seat-open", "conflict", "archived")

OPERATIONS = (
    Operation(
        "GET",
        "/v1/matches",
        "listMatches",
        list_matches,
        {200: Answer("A page of matches.", "MatchList", ("Link", "CacheControl"))},
        TENANT,
        scope=scopes.READ,
        credential=True,
        query=MatchesQuery,
    ),
    Operation(
        "POST",
        "/v1/matches",
        "createMatch",
        create_match,
        {201: Answer("The match, in the lobby.", "Match", _CREATED)},
        TENANT,
        scope=scopes.WRITE,
        credential=True,
        body=SchemaBody(NewMatch),
        keyed=True,
    ),
    Operation(
        "GET",
        "/v1/matches/<match>",
        "getMatch",
        show_match,
        {200: Answer("The match.", "Match", ("CacheControl",))},
        INVITED,
        scope=scopes.READ,
        problems=("archived",),
    ),
    Operation(
        "PATCH",
        "/v1/matches/<match>",
        "updateMatch",
        update_match,
        {200: Answer("The match.", "Match", ("CacheControl",))},
        TENANT,
        scope=scopes.WRITE,
        credential=True,
        body=SchemaBody(MatchChange),
        conditional=True,
        problems=("already-started", "match-over", "archived"),
    ),
    Operation(
        "POST",
        "/v1/matches/<match>/rematch",
        "createRematch",
        create_rematch,
        {201: Answer("The rematch.", "Rematch", _CREATED)},
        EITHER,
        scope=scopes.WRITE,
        credential=True,
        body=SchemaBody(Nothing),
        keyed=True,
        problems=("conflict", "match-over", "archived"),
    ),
    Operation(
        "GET",
        "/v1/matches/<match>/seats",
        "listSeats",
        list_seats,
        {200: Answer("The seats, clockwise.", "SeatList", ("CacheControl",))},
        INVITED,
        scope=scopes.READ,
        problems=("archived",),
    ),
    Operation(
        "POST",
        "/v1/matches/<match>/seats",
        "joinMatch",
        join_seat,
        {201: Answer("The seat and, for a person, its token.", "JoinedSeat", _CREATED)},
        JOINERS,
        scope=scopes.SEATS,
        credential=True,
        body=SchemaBody(NewSeat),
        keyed=True,
        problems=(*_REFUSED, "illegal-move", "seat-mismatch", "invite-invalid"),
    ),
    Operation(
        "GET",
        "/v1/matches/<match>/seats/<seat>",
        "getSeat",
        show_seat,
        {200: Answer("The seat.", "Seat", ("CacheControl",))},
        INVITED,
        scope=scopes.READ,
        problems=("archived",),
    ),
    Operation(
        "DELETE",
        "/v1/matches/<match>/seats/<seat>",
        "leaveSeat",
        leave_seat,
        {204: Answer("The seat is open again.")},
        EITHER,
        scope=scopes.SEATS,
        credential=True,
        problems=(*_REFUSED, "seat-mismatch"),
    ),
)
