"""Persons, as their tenant calls them: erasing one, for a key with the scope `admin`."""

from flask import Response

from service import scopes
from service.http import replies
from service.http.face import Face
from service.http.operations import TENANT, Answer, Asked, Operation


def erase_person(face: Face, asked: Asked) -> Response:
    """Erase a person

    Destroys the key under which the names of this player of yours are sealed, in all matches, archived ones
    as well: no answer shows them from now on, and no backup of the matches brings them back. Logs, hashes and
    bundles stay what they were; they hold no names. Again, or for a player who never was, it does nothing
    and answers the same. A `player_ref` used again afterwards is another person.
    """
    face.matches.erase_person(asked.caller, asked.path["player_ref"])
    return replies.nothing()


OPERATIONS = (
    Operation(
        "DELETE",
        "/v1/persons/<player_ref>",
        "erasePerson",
        erase_person,
        {204: Answer("No name of this person can be read any more.")},
        TENANT,
        credential=True,
        scope=scopes.ADMIN,
    ),
)
