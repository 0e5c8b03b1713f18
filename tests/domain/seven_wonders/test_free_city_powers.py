"""Powers of the Free City, whose choices are its holder's (7W 12.5: not stated there)."""

from domain import seven_wonders
from domain.kernel.redaction import FACE_DOWN
from domain.seven_wonders import REDACTIONS
from domain.seven_wonders.commands import (
    BuildForFree,
    BuildStage,
    BuildStructure,
    DiscardForCoins,
    LeaveSeventhCard,
    PlayFreeCity,
    TakeFromDiscard,
)
from domain.seven_wonders.events import (
    LeftoversDiscarded,
    SeventhCardKept,
    SeventhCardLeft,
    StructureBuilt,
)
from tests.domain.seven_wonders.tables import FREE_CITY, Town, at, town
from tests.given_when_then import Given


def two(*towns: Town | str, **facts: object) -> Given:
    """A table of two; the third town is the Free City and the pawnshop the last card of the pile."""
    return at(*towns, **({"seats": 2, "pile": ["pawnshop"]} | facts))  # type: ignore[arg-type]


def babylon() -> Given:
    """The Free City is Babylon B with its power; seat 1 holds its card in the sixth turn."""
    hands = {1: ["altar", "theater", "tavern"], 0: ["altar", "baths"]}
    towns = "giza:A", "rhodes:A", town("babylon:B", stages=2)
    story = two(*towns, hands=hands, turn=6, age=3)
    story.when(1, BuildStructure("altar")).when(1, PlayFreeCity("structure", "theater"))
    return story.when(0, BuildStructure("altar"))


def test_babylon_as_the_free_city_plays_the_last_card_of_the_pile_and_the_holder_decides() -> None:
    story = babylon()
    story.then_among(
        LeftoversDiscarded([["baths"], ["tavern"]], []), SeventhCardKept(1, FREE_CITY, "pawnshop")
    )
    assert story.awaited() == [("seventh-card", (1,))]
    assert story.legal(1) == [PlayFreeCity("structure", "pawnshop"), LeaveSeventhCard()]
    assert story.legal(0) == []
    story.when(1, PlayFreeCity("structure", "pawnshop"))
    story.then_among(StructureBuilt(1, FREE_CITY, "pawnshop", "paid"))
    assert story.city(FREE_CITY)["cards"] == ["theater", "pawnshop"]


def test_the_holder_may_leave_that_card() -> None:
    story = babylon().when(1, LeaveSeventhCard())
    story.then_among(SeventhCardLeft(1, FREE_CITY, "pawnshop"))
    assert story.view()["free_city"]["draw_pile"] == 0
    assert story.view()["discard_pile"] == 3


def test_nobody_but_the_holder_sees_that_card() -> None:
    story = babylon()
    event = story.last(SeventhCardKept)
    secret = REDACTIONS[SeventhCardKept]
    assert secret is not None
    assert secret.hide(event, 1) == event
    assert secret.hide(event, 0).card == secret.hide(event, -1).card == FACE_DOWN
    assert story.view(1)["free_city"]["seventh_card"] == ["pawnshop"]
    assert story.view(0)["free_city"]["seventh_card"] is None
    assert "Pawnshop" not in str(seven_wonders.refused(story.state, 0))


def test_what_the_opponent_is_told_it_cannot_do_says_nothing_about_that_card() -> None:
    """The reasons why something is refused are for the seat that is asked."""
    hands = {1: ["altar", "theater", "tavern"], 0: ["altar", "baths"]}
    towns = [
        town(board, stages=stages, coins=0)
        for board, stages in (("giza:A", 0), ("rhodes:A", 0), ("babylon:B", 2))
    ]
    story = two(*towns, hands=hands, pile=["palace"], turn=6, age=3)
    story.when(1, BuildStructure("altar")).when(1, PlayFreeCity("structure", "theater"))
    story.when(0, BuildStructure("altar"))
    assert "Palace" in str(seven_wonders.refused(story.state, 1))
    assert seven_wonders.refused(story.state, 0) == []


def test_babylon_of_a_player_plays_its_own_leftover() -> None:
    hands = {1: ["altar", "theater", "tavern"], 0: ["altar", "baths"]}
    towns = town("babylon:B", stages=2), "rhodes:A", "giza:A"
    story = two(*towns, hands=hands, turn=6, age=3)
    story.when(1, BuildStructure("altar")).when(1, PlayFreeCity("structure", "theater"))
    story.when(0, BuildStructure("altar"))
    story.then_among(LeftoversDiscarded([[], ["tavern"]], ["pawnshop"]), SeventhCardKept(0, 0))
    assert story.legal(0, PlayFreeCity) == []
    story.when(0, BuildStructure("baths", 0, 2))
    assert story.city(0)["cards"] == ["altar", "baths"]


def test_halicarnassus_as_the_free_city_lets_the_holder_search() -> None:
    free = town("halicarnassus:A", "foundry", "ore_vein", stages=1)
    hands = {0: ["altar", "palace"], 1: ["baths"]}
    story = two("giza:A", "rhodes:A", free, hands=hands, discard=["walls"], age=3)
    story.when(0, BuildStructure("altar")).when(0, PlayFreeCity("stage", "palace"))
    story.when(1, DiscardForCoins("baths"))
    assert story.awaited() == [("discard-pick", (0,))]
    story.when(0, TakeFromDiscard("walls"))
    story.then_among(StructureBuilt(0, FREE_CITY, "walls", "discard-pile"))
    assert story.city(FREE_CITY)["shields"] == 2
    assert story.city(0)["shields"] == 0


def test_commands_for_ones_own_city_do_not_reach_the_free_city() -> None:
    story = babylon()
    for command in (BuildStructure("pawnshop"), BuildStage("pawnshop"), DiscardForCoins("pawnshop")):
        story.refuses(1, command, "not-now")
    story.refuses(1, BuildForFree("pawnshop"), "not-now")
