"""The scripted first round of three players, move by move (vectors D09 and G01)."""

from typing import Any

from domain import wonderful_world
from domain.kernel.game import Event
from domain.kernel.table import MatchStarted
from domain.wonderful.commands import PlaceCubes, RecycleCard, SlateCard, StoreCubes, Validate
from domain.wonderful.events import CardConstructed, CubesStored, StepValidated
from domain.wonderful_world.commands import ChooseCharacter, DraftCard
from domain.wonderful_world.events import (
    CardDrafted,
    CubesProduced,
    EmpiresDealt,
    HandsDealt,
    HandsPassed,
    PicksRevealed,
    PlanningBegan,
    SupremacyAwarded,
)
from tests.domain.wonderful_world.tables import DEFAULTS, VECTORS, board, production, total
from tests.given_when_then import Given, given, secrets

D09, G01 = VECTORS["D09"], VECTORS["G01"]
SEATS = G01["given"]["seats"]


def drafted() -> Given:
    events: list[Event] = [
        MatchStarted(3, DEFAULTS),
        EmpiresDealt(G01["given"]["side"], SEATS, [0, 0, 0]),
        HandsDealt(1, [sorted(hand) for hand in D09["given"]["hands"]], [0, 0, 0]),
    ]
    table = given(wonderful_world, events, secrets(seats=3))
    hands = [sorted(hand) for hand in D09["given"]["hands"]]
    for number, picks in enumerate(D09["given"]["picks_by_step"], 1):
        for seat in (0, 1):
            table.when(seat, DraftCard(picks[seat])).then(CardDrafted(seat, picks[seat]))
        table.when(2, DraftCard(picks[2]))
        for hand, pick in zip(hands, picks, strict=True):
            hand.remove(pick)
        hands = [hands[2], hands[0], hands[1]]
        passed: list[Event] = [
            CardDrafted(2, picks[2]),
            PicksRevealed(picks),
            HandsPassed("left", hands, [0, 0, 0]),
        ]
        if number == 6:
            passed += [PicksRevealed([hand[0] for hand in hands]), PlanningBegan(1)]
        table.then(*passed)
    return table


def test_vector_d09_the_scripted_draft() -> None:
    table = drafted()
    areas = [board(table, seat)["draft_area"] for seat in range(3)]
    assert areas == [sorted(area) for area in D09["then"]["draft_areas"]]


def plan(table: Given) -> None:
    """The moves of the script: `slate a, b` and `recycle a -> b (cube)`."""
    for seat, empire in enumerate(SEATS):
        for line in G01["given"]["planning"][empire]:
            verb, rest = line.split(" ", 1)
            if verb == "slate":
                for card in rest.split(", "):
                    table.when(seat, SlateCard(card))
                continue
            card, target = rest.split(" (")[0].split(" -> ")
            table.when(seat, RecycleCard(card, None if target == "Empire" else f"{target}-1"))


def validate(table: Given) -> list[Any]:
    """Everybody validates; the events of the close of the step."""
    for seat in range(3):
        table.when(seat, Validate())
    assert table.recorded[0] == StepValidated(2)
    return table.recorded[1:]


def expected(step: str, character: str | None) -> list[Event]:
    facts = G01["then"]["steps"][step]
    events: list[Event] = [CubesProduced(step, facts["production"])]
    if facts["winner"] is not None:
        events.append(SupremacyAwarded(facts["winner"], step, character))
    return events


def test_vector_g01_the_scripted_round_event_by_event() -> None:
    table = drafted()
    plan(table)
    assert validate(table) == expected("materials", "financier")
    table.when(0, PlaceCubes("industrial_complex-1", "materials", 3))
    table.then_among(CardConstructed(0, "industrial_complex-1", "industrial_complex", {"financier": 1}))
    table.when(1, PlaceCubes("military_base-1", "materials", 2))
    table.when(2, PlaceCubes("offshore_oil_rig-1", "materials", 1))
    table.then_among(CardConstructed(2, "offshore_oil_rig-1", "offshore_oil_rig", {"financier": 1}))

    assert validate(table) == expected("energy", "general")
    table.when(1, PlaceCubes("military_base-1", "energy", 1))
    table.then_among(CardConstructed(1, "military_base-1", "military_base", {"general": 1}))
    table.when(2, PlaceCubes("lunar_base-1", "energy", 1))

    assert validate(table) == expected("science", None)
    table.when(1, PlaceCubes("human_cloning-1", "science", 2))
    table.then_among(CardConstructed(1, "human_cloning-1", "human_cloning", {"financier": 1}))
    table.when(1, ChooseCharacter("general"))

    assert validate(table) == [
        *expected("gold", "financier"),
        CubesStored(1, "gold", 1, 0, forced=True),
    ]
    table.when(0, PlaceCubes("propaganda_center-1", "gold", 2))
    table.then_among(CardConstructed(0, "propaganda_center-1", "propaganda_center", {"general": 1}))
    table.when(2, PlaceCubes("lunar_base-1", "gold", 2)).when(2, PlaceCubes("world_congress-1", "gold", 1))

    assert validate(table) == expected("exploration", "general")
    validate(table)
    assert table.view()["round"] == 2
    for seat, then in enumerate(G01["then"]["state"]):
        check(table, seat, then)


def check(table: Given, seat: int, then: dict[str, Any]) -> None:
    shown = board(table, seat)
    assert shown["constructed"] == then["constructed"]
    lying = {
        card["kind"]: sorted(thing for thing, count in card["placed"].items() for _ in range(count))
        for card in shown["under_construction"]
    }
    assert lying == {kind: sorted(things) for kind, things in then["under_construction"].items()}
    assert shown["loose_cubes"] == then["empire_cubes"]
    for name in ("krystallium", "financiers", "generals"):
        assert shown[name] == then[name]
    assert production(table, seat) == then["next_round_production"]
    assert total(shown["points"]) == then["score_so_far"]


def test_a_script_names_only_legal_moves_and_stores_what_is_left() -> None:
    table = drafted()
    plan(table)
    assert [board(table, seat)["draft_area"] for seat in range(3)] == [[], [], []]
    assert not table.allows(0, StoreCubes("gold"))
