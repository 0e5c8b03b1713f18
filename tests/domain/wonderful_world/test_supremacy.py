"""Who gets a character for producing most, and which (rules 6.4-6.6, 11.4, 12.4)."""

from typing import Any

import pytest

from domain.wonderful.commands import Validate
from domain.wonderful.cubes import INDEX
from domain.wonderful.production import supremacy
from domain.wonderful_world.commands import ChooseCharacter
from domain.wonderful_world.events import CharacterChosen, CubesProduced, SupremacyAwarded
from domain.wonderful_world.production import CHARACTER_OF, winners
from tests.domain.wonderful_world.tables import VECTORS, Land, Vector, board, planning, producing, vectors

STEPS = ("materials", "energy", "science", "gold", "exploration")
# Cards that produce one cube of a colour and nothing else, to make the counts of a vector.
ONE = {
    "materials": "robotic_animals",
    "energy": "wind_turbines",
    "science": "supercomputer",
    "gold": "human_cloning",
    "exploration": "zeppelin",
}


def play_steps(table: Any, seats: int, until: str) -> list[Any]:
    """Validate step after step; the events of the step `until` as they were recorded."""
    while True:
        for seat in range(seats):
            if table.legal(seat, ChooseCharacter):
                table.when(seat, ChooseCharacter("general"))
            table.when(seat, Validate())
        recorded: list[Any] = table.recorded
        if any(isinstance(event, CubesProduced) and event.resource == until for event in recorded):
            return recorded


@vectors("supremacy", without=("U17",))
def test_who_gets_a_character(vector: Vector) -> None:
    given, then = vector["given"], vector["then"]
    counts, step = given["production_by_seat"], given["step"]
    boards = [Land(constructed=[ONE[step]] * count) for count in counts]
    side = "C"
    table = planning(*boards, side=side)
    recorded = play_steps(table, len(counts), step)
    at = next(i for i, event in enumerate(recorded) if isinstance(event, CubesProduced))
    assert recorded[at] == CubesProduced(step, counts)
    character = None if then["token"] in ("choice", None) else then["token"]
    awarded = [event for event in recorded if isinstance(event, SupremacyAwarded)]
    assert awarded == [SupremacyAwarded(seat, step, character) for seat in then["winners"]]
    for seat in then["winners"]:
        assert board(table, seat)["to_choose"] == (then["token"] == "choice")


def test_vector_u17_the_first_round_of_five_players_on_side_a() -> None:
    vector = VECTORS["U17"]
    empires = vector["given"]["empires"]
    table = planning(*(Land(empire) for empire in empires), side="A")
    for step in STEPS:
        recorded = play_steps(table, 5, step)
        produced = next(event for event in recorded if isinstance(event, CubesProduced))
        assert produced.counts == vector["then"]["production"][step]
        (award,) = [event for event in recorded if isinstance(event, SupremacyAwarded)]
        named = vector["then"]["winners"][step]
        assert empires[award.seat] == named.removesuffix(" (chooses)")
        assert (award.character is None) == named.endswith("(chooses)")


@pytest.mark.parametrize(
    ("counts", "places", "seats"),
    [
        ([3, 3, 1], 1, []),
        ([0, 1, 0], 1, [1]),
        ([5, 4, 4, 1], 2, [0]),
        ([5, 5, 5, 1], 2, []),
        ([1, 0, 0], 2, [0]),
        ([2, 7, 5], 2, [1, 2]),
        ([0, 0, 0], 2, []),
    ],
)
def test_places_go_from_the_top_and_a_tie_that_does_not_fit_ends_the_award(
    counts: list[int], places: int, seats: list[int]
) -> None:
    assert supremacy(counts, places) == seats


@pytest.mark.parametrize(("seats", "given_out"), [(2, 1), (3, 1), (5, 1), (6, 2), (7, 2)])
def test_two_characters_are_given_out_from_six_players_on(seats: int, given_out: int) -> None:
    assert winners(list(range(seats))) == list(range(seats - given_out, seats))


def test_the_character_of_each_resource() -> None:
    assert {step: CHARACTER_OF[INDEX[step]] for step in STEPS} == {
        "materials": "financier",
        "energy": "general",
        "science": None,
        "gold": "financier",
        "exploration": "general",
    }


@pytest.mark.parametrize("character", ["financier", "general"])
def test_the_winner_of_science_chooses_once(character: str) -> None:
    table = planning(Land("panafrican_union"), Land("aztec_empire"))
    play_steps(table, 2, "science")
    table.refuses(1, ChooseCharacter(character), "nothing-to-choose")
    table.refuses(0, ChooseCharacter("krystallium"), "not-a-character")
    table.refuses(0, ChooseCharacter("emperor"), "unknown-resource")
    before = board(table)[f"{character}s"]
    table.when(0, ChooseCharacter(character)).then(CharacterChosen(0, character))
    assert board(table)[f"{character}s"] == before + 1
    table.refuses(0, ChooseCharacter(character), "nothing-to-choose")


def test_others_need_not_wait_for_the_choice() -> None:
    table = planning(Land("panafrican_union"), Land("aztec_empire"))
    play_steps(table, 2, "science")
    assert table.allows(1, Validate())
    assert not table.allows(0, Validate())


def test_nobody_has_supremacy_in_a_step_made_of_ties() -> None:
    table = producing("energy", [1, 1], Land(), Land())
    assert board(table)["generals"] == board(table, 1)["generals"] == 0
