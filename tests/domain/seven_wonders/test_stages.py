"""Building the next stage of the wonder (7W 3.2, 8.1-8.3)."""

import pytest

from domain.kernel.redaction import FACE_DOWN
from domain.seven_wonders import REDACTIONS
from domain.seven_wonders.commands import BuildStage, DiscardForCoins
from domain.seven_wonders.effects import unpacked
from domain.seven_wonders.events import StageBuilt
from domain.seven_wonders.wonders import WONDERS
from tests.domain.seven_wonders.tables import Vector, at, scores, take_turn, town, vector

ONE_OF = {
    "wood": "lumber_yard",
    "stone": "stone_pit",
    "clay": "clay_pool",
    "ore": "ore_vein",
    "glass": "glassworks_age1",
    "papyrus": "press_age1",
    "cloth": "loom_age1",
}
FACES = [f"{wonder}:{side}" for wonder, sides in WONDERS.items() for side in sides]
STAGES = [
    (face, built)
    for face in FACES
    for built in range(len(WONDERS[face.split(":")[0]][face.split(":")[1]].stages))
]


def resources_for(face: str, built: int) -> list[str]:
    """Cards that make, with the board, exactly what the next stage costs (some cards several times over)."""
    wonder, side = face.split(":")
    board = WONDERS[wonder][side]
    cost = unpacked(board.stages[built].cost)
    own = list(ONE_OF)[board.resource]
    if own in cost:
        cost[own] -= 1
    raw = next((name for name in ("wood", "stone", "clay", "ore") if cost.get(name)), None)
    if raw and any(stage.makes for stage in board.stages[:built]):
        cost[raw] -= 1  # Alexandria's own choice of raw materials
    return [ONE_OF[name] for name, units in cost.items() for _ in range(units)]


def test_the_stage_is_paid_and_not_the_card() -> None:
    """Palace would cost seven resources; as a marker it costs nothing."""
    story = at(town("rhodes:A", "sawmill"), "giza:A", "ephesus:A", hands={0: ["palace"]}, age=3)
    assert story.legal(0) == [BuildStage("palace"), DiscardForCoins("palace")]
    take_turn(story, {0: BuildStage("palace")}).then_among(StageBuilt(0, 0, 1, "palace", False))


def test_the_marker_is_no_structure_and_not_in_the_discard_pile() -> None:
    story = at(town("rhodes:A", "sawmill"), "giza:A", "ephesus:A", hands={0: ["loom_age1"]})
    take_turn(story, {0: BuildStage("loom_age1")})
    assert story.city(0)["cards"] == ["sawmill"]
    assert story.city(0)["stages"] == 1
    assert story.view()["discard_pile"] == 2  # the others'


def test_the_marker_gives_nothing() -> None:
    """Circus under Rhodes is no military structure."""
    story = at(town("rhodes:A", "sawmill"), "giza:A", "ephesus:A", hands={0: ["circus"]}, age=3)
    take_turn(story, {0: BuildStage("circus")})
    assert story.city(0)["shields"] == 0


def test_only_its_owner_sees_a_marker() -> None:
    """7W U9: that a stage was built is public, the card under it is not."""
    story = at(town("rhodes:A", "sawmill"), "giza:A", "ephesus:A", hands={0: ["circus"]}, age=3)
    event = take_turn(story, {0: BuildStage("circus")}).last(StageBuilt)
    secret = REDACTIONS[StageBuilt]
    assert secret is not None
    assert secret.hide(event, 0).card == "circus"
    assert {secret.hide(event, viewer).card for viewer in (-1, 1, 2)} == {FACE_DOWN}
    assert story.view(0)["cities"][0]["markers"] == ["circus"]
    assert all("markers" not in story.view(viewer)["cities"][0] for viewer in (-1, 1, 2))


@pytest.mark.parametrize(("face", "built"), STAGES)
def test_a_stage_costs_what_is_printed_on_it_and_comes_after_the_one_before(face: str, built: int) -> None:
    """With one unit less it cannot be built. Nobody has coins to buy anything."""
    cards = resources_for(face, built)
    others = [town("giza:A", coins=0), town("giza:B", coins=0)]
    story = at(town(face, *cards, stages=built, coins=0), *others, hands={0: ["altar"]}, turn=2)
    assert story.city(0)["next_stage"]["stage"] == built + 1
    assert story.legal(0, BuildStage) == [BuildStage("altar")]
    for missing in range(len(cards)):
        rest = cards[:missing] + cards[missing + 1 :]
        poor = at(town(face, *rest, stages=built, coins=0), *others, hands={0: ["altar"]}, turn=2)
        poor.refuses(0, BuildStage("altar"), "not-affordable")
    take_turn(story, {0: BuildStage("altar")})
    assert story.city(0)["stages"] == built + 1
    assert [event.stage for event in story.recorded if isinstance(event, StageBuilt)] == [built + 1]


@pytest.mark.parametrize("face", FACES)
def test_a_finished_wonder_has_no_next_stage(face: str) -> None:
    wonder, side = face.split(":")
    cards = list(ONE_OF.values()) * 4
    story = at(
        town(face, *cards, stages=len(WONDERS[wonder][side].stages)), "giza:A", "giza:B", hands={0: ["altar"]}
    )
    story.refuses(0, BuildStage("altar"), "no-stage-left")
    assert story.city(0)["next_stage"] is None


@vector("FLO-16")
def test_vector_of_a_finished_wonder(vector: Vector) -> None:
    given = vector["given"]
    me = town(given["wonder"], *list(ONE_OF.values()) * 4, stages=given["stages"])
    story = at(me, "giza:A", "giza:B", hands={0: ["altar"]})
    assert story.allows(0, BuildStage("altar")) == vector["expect"]["build_stage_legal"]


def test_several_stages_may_be_built_in_one_age() -> None:
    """7W 3.2."""
    me = town("rhodes:A", "sawmill", "brickyard", "clay_pool")
    hands = {0: ["altar", "baths"], 2: ["altar", "theater"]}
    story = at(me, "giza:A", "ephesus:A", hands=hands)
    take_turn(take_turn(story, {0: BuildStage("altar")}), {0: BuildStage("theater")})
    assert story.city(0)["stages"] == 2


def test_the_resources_for_a_stage_may_be_bought() -> None:
    """Rhodes lacks two wood: one is its left neighbour's board, one its right neighbour's yard (7W 5.1)."""
    right = town("giza:A", "lumber_yard")
    story = at(town("rhodes:A", "altar", coins=4), "olympia:A", right, hands={0: ["theater"]})
    assert story.legal(0, BuildStage) == [BuildStage("theater", 2, 2)]
    story.refuses(0, BuildStage("theater"), "wrong-payment")
    story.refuses(0, BuildStage("theater", 4, 0), "wrong-payment")
    take_turn(
        story,
        {0: BuildStage("theater", 2, 2), 1: DiscardForCoins("barracks"), 2: DiscardForCoins("barracks")},
    )
    story.then_among(StageBuilt(0, 0, 1, "theater", False, 2, 2))
    assert story.coins() == [0, 8, 8]


def test_coins_of_a_stage_come_once_when_it_is_built() -> None:
    """Ephesus A stage 2 (7W 8.3)."""
    story = at(town("ephesus:A", "sawmill", stages=1), "giza:A", "rhodes:A", hands={0: ["altar", "baths"]})
    take_turn(story, {0: BuildStage("altar")}).then_among(StageBuilt(0, 0, 2, "altar", False, coins=9))
    assert story.coins()[0] == 12
    take_turn(story)
    assert story.coins()[0] == 15


def test_a_stage_with_several_effects_has_them_all() -> None:
    """Rhodes B stage 1: a shield, 3 points, 3 coins."""
    me = town("rhodes:B", "quarry", "stone_pit")
    story = take_turn(at(me, "giza:A", "ephesus:A", hands={0: ["altar"]}), {0: BuildStage("altar")})
    assert story.coins()[0] == 6
    assert story.city(0)["shields"] == 1
    assert scores(town("rhodes:B", stages=1), "giza:A", "ephesus:A")[0]["wonder"] == 3
