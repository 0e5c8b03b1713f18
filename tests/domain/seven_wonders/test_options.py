"""The options for points the rules leave open (7W 14): both readings of each."""

import pytest

from domain import seven_wonders
from domain.seven_wonders.commands import (
    BuildStage,
    BuildStructure,
    ChooseSymbols,
    CopyGuild,
    DiscardForCoins,
    TakeFromDiscard,
    TakeNothing,
)
from domain.seven_wonders.events import (
    CardDiscarded,
    DiscardPileSearched,
    GuildChoiceOffered,
    GuildCopied,
    PointsCounted,
    SeventhCardKept,
    StageBuilt,
    StructureBuilt,
    SymbolChoiceOffered,
    SymbolsChosen,
)
from tests.domain.seven_wonders.tables import at, ended, scores, take_turn, town
from tests.given_when_then import Given

DEFAULTS = {
    "wonders": "deal",
    "sides": "deal",
    "halicarnassus_may_decline": True,
    "copied_shipowners_counts_itself": True,
    "discard_pile_search": "after-seventh-card",
    "chains": "free",
    "end_of_game_choices": "best",
    "face_down_cards": "hidden",
}
MAUSOLEUM = town("halicarnassus:A", "foundry", "ore_vein", stages=1)


def test_the_defaults_are_those_of_the_rules() -> None:
    assert {option.name: option.default for option in seven_wonders.OPTIONS} == DEFAULTS


def test_every_default_is_a_choice_and_uncertain_points_are_marked() -> None:
    for option in seven_wonders.OPTIONS:
        assert option.choices is not None and option.default in option.choices
        assert option.certain == (option.name in ("wonders", "sides"))
        assert option.certain or "(U" in option.detail


# U1


def search(**chosen: object) -> Given:
    hands = {0: ["altar"], 1: ["theater"], 2: ["pawnshop"]}
    story = at(MAUSOLEUM, "giza:A", "rhodes:A", hands=hands, discard=["palace", "ore_vein"], **chosen)  # type: ignore[arg-type]
    commands = {0: BuildStage("altar"), 1: BuildStructure("theater"), 2: BuildStructure("pawnshop")}
    return take_turn(story, commands)


def test_u1_where_the_pick_may_not_be_declined_a_card_must_be_taken() -> None:
    story = search(halicarnassus_may_decline=False)
    assert story.legal(0) == [TakeFromDiscard("palace")]
    story.refuses(0, TakeNothing(), "must-take")
    assert seven_wonders.default_move(story.state, 0) == TakeFromDiscard("palace")
    assert TakeNothing() in search().legal(0)


def test_u1_nobody_is_asked_where_nothing_can_be_taken() -> None:
    hands = {0: ["altar"], 1: ["theater"], 2: ["pawnshop"]}
    commands = {0: BuildStage("altar"), 1: BuildStructure("theater"), 2: BuildStructure("pawnshop")}
    story = at(
        MAUSOLEUM, "giza:A", "rhodes:A", hands=hands, discard=["foundry"], halicarnassus_may_decline=False
    )
    assert take_turn(story, commands).awaited() == [("choose", (0, 1, 2))]


# U2


@pytest.mark.parametrize(("itself", "points"), [(True, 3), (False, 2)])
def test_u2_a_copied_shipowners_guild_counts_itself_or_not(itself: bool, points: int) -> None:
    me = town("olympia:B", "lumber_yard", "loom_age1", stages=3)
    left = town("giza:A", "shipowners_guild", "clay_pool")
    mine, owner, _ = scores(me, left, "rhodes:A", copied_shipowners_counts_itself=itself)
    assert mine["guilds"] == points
    assert owner["guilds"] == 2


@pytest.mark.parametrize("itself", [True, False])
def test_u2_no_other_copied_guild_depends_on_it(itself: bool) -> None:
    """The builders guild counts the own city too, and no cards; the workers guild cards, not the own."""
    me = town("olympia:B", stages=3)
    for guild, points in (("builders_guild", 3), ("workers_guild", 0), ("traders_guild", 0)):
        mine = scores(me, town("giza:A", guild), "rhodes:A", copied_shipowners_counts_itself=itself)[0]
        assert mine["guilds"] == points


def test_u2_an_own_shipowners_guild_counts_itself_in_both_readings() -> None:
    for itself in (True, False):
        me = town("giza:A", "shipowners_guild")
        assert scores(me, "rhodes:A", "ephesus:A", copied_shipowners_counts_itself=itself)[0]["guilds"] == 1


# U3


def test_u3_the_seventh_card_is_a_step_of_its_own() -> None:
    """Others do not choose at the same time: the sixth turn was carried out before it."""
    hands = {0: ["altar", "tavern"], 1: ["baths", "theater"], 2: ["pawnshop", "stockade"]}
    story = at(town("babylon:B", stages=2), "giza:A", "rhodes:A", hands=hands, age=3, turn=6)
    take_turn(story, {1: BuildStructure("theater")})
    assert story.awaited() == [("seventh-card", (0,))]
    assert story.city(1)["cards"] == ["theater"]


# U4


def both_powers(order: str) -> Given:
    hands = {0: ["altar", "tavern"], 1: ["baths", "theater"], 2: ["pawnshop", "stockade"]}
    towns = MAUSOLEUM, town("babylon:B", stages=2), town("rhodes:A")
    story = at(*towns, hands=hands, age=3, turn=6, discard_pile_search=order)
    return take_turn(story, {0: BuildStage("altar")})


def test_u4_the_search_may_come_before_the_seventh_card() -> None:
    """Leftovers of the others lie in the pile by then, Babylon's own does not."""
    story = both_powers("before-seventh-card")
    assert story.awaited() == [("discard-pick", (0,))]
    assert story.view(0)["searching"] == ["baths", "pawnshop", "stockade", "tavern"]
    story.when(0, TakeFromDiscard("tavern"))
    assert story.awaited() == [("seventh-card", (1,))]
    story.when(1, DiscardForCoins("theater"))
    assert seven_wonders.outcome(story.state) is not None


def test_u4_by_default_it_comes_after() -> None:
    story = both_powers("after-seventh-card")
    assert [
        type(event) for event in story.recorded if type(event) in (SeventhCardKept, DiscardPileSearched)
    ] == [SeventhCardKept]
    story.when(1, DiscardForCoins("theater"))
    assert story.view(0)["searching"] == ["baths", "pawnshop", "stockade", "tavern", "theater"]


# U5


def test_u5_guild_and_symbols_may_be_asked_for() -> None:
    symbols = ("apothecary", "workshop")
    me = town("olympia:B", *symbols, stages=3)
    left = town("giza:A", "scientists_guild", "magistrates_guild")
    right = town("rhodes:A", "altar")
    story = ended(me, left, right, end_of_game_choices="ask")
    story.then(GuildChoiceOffered(0, ["magistrates_guild", "scientists_guild"]))
    assert story.view()["offered"]["guilds"] == ["magistrates_guild", "scientists_guild"]
    assert story.legal(0) == [
        CopyGuild("magistrates_guild"),
        CopyGuild("scientists_guild"),
        CopyGuild(None),
    ]
    assert seven_wonders.default_move(story.state, 0) == CopyGuild("scientists_guild")
    for guild in ("spies_guild", "altar", ""):
        story.refuses(0, CopyGuild(guild), "no-such-guild")
    story.refuses(0, ChooseSymbols(["gear"]), "not-now")
    story.refuses(1, CopyGuild("magistrates_guild"), "not-your-turn")
    story.when(0, CopyGuild("scientists_guild"))
    story.then(GuildCopied(0, "scientists_guild"), SymbolChoiceOffered([0, 1], [1, 1]))
    assert story.awaited() == [("choose-symbols", (0, 1))]
    assert story.view()["offered"] == {"boards": [], "guilds": [], "symbols": {"0": 1, "1": 1}}
    story.refuses(0, CopyGuild("scientists_guild"), "not-now")
    story.when(1, ChooseSymbols(["gear"])).then(SymbolsChosen(1, ["gear"]))
    assert story.awaited() == [("choose-symbols", (0,))]
    assert story.view()["chosen_symbols"] == {"1": ["gear"]}
    assert story.legal(1) == []
    story.refuses(1, ChooseSymbols(["gear"]), "not-your-turn")
    story.when(0, ChooseSymbols(["gear"]))
    counted = story.last(PointsCounted)
    assert counted.copied == ["scientists_guild", None, None]
    assert [score["science"] for score in counted.scores] == [1 + 4, 1, 0]


def test_u5_nothing_need_be_copied() -> None:
    left = town("giza:A", "magistrates_guild")
    story = ended(town("olympia:B", stages=3), left, town("rhodes:A", "altar"), end_of_game_choices="ask")
    story.when(0, CopyGuild(None))
    assert story.last(PointsCounted).copied == [None, None, None]
    assert story.view()["scores"][0]["guilds"] == 0


def test_u5_without_a_choice_nobody_is_asked() -> None:
    story = ended("giza:A", "rhodes:A", "ephesus:A", end_of_game_choices="ask")
    story.then_types(PointsCounted)


def test_u5_the_best_is_counted_by_default() -> None:
    """The same table; the copied symbol is the tablet that completes a set."""
    me = town("olympia:B", "apothecary", "workshop", stages=3)
    left = town("giza:A", "scientists_guild", "magistrates_guild")
    story = ended(me, left, town("rhodes:A", "altar"))
    story.then_types(PointsCounted)
    assert story.view()["scores"][0]["science"] == 10
    assert story.view()["copied_guilds"]["0"] == "scientists_guild"


# U6


def test_u6_a_chain_may_be_paid_for_where_the_option_allows_it() -> None:
    me = town("giza:A", "scriptorium", "stone_pit", coins=5)
    towns = me, town("rhodes:A", "loom_age1"), town("ephesus:A", "loom_age1")
    story = at(*towns, hands={0: ["library"]}, age=2, chains="free-or-paid")
    assert story.legal(0, BuildStructure) == [
        BuildStructure("library"),
        BuildStructure("library", 0, 2),
        BuildStructure("library", 2, 0),
    ]
    take_turn(story, {0: BuildStructure("library", 2, 0)})
    story.then_among(StructureBuilt(0, 0, "library", "paid", 0, 2, 0))
    assert story.coins() == [3, 8, 6]
    free = at(*towns, hands={0: ["library"]}, age=2, chains="free-or-paid")
    take_turn(free, {0: BuildStructure("library")}).then_among(StructureBuilt(0, 0, "library", "chain"))
    by_default = at(*towns, hands={0: ["library"]}, age=2)
    assert by_default.legal(0, BuildStructure) == [BuildStructure("library")]


# U9


def turn_with(face_down: str) -> Given:
    hands = {0: ["circus"], 1: ["palace"]}
    towns = town("rhodes:A", "sawmill"), "giza:A", "ephesus:A"
    story = at(*towns, hands=hands, age=3, face_down_cards=face_down)
    return take_turn(story, {0: BuildStage("circus")})


def test_u9_markers_and_discards_may_be_revealed() -> None:
    story = turn_with("revealed")
    for kind, card in ((StageBuilt, "circus"), (CardDiscarded, "palace")):
        event = next(event for event in story.recorded if type(event) is kind)
        secret = seven_wonders.REDACTIONS[kind]
        assert secret is not None and event.face_up
        assert [secret.hide(event, viewer).card for viewer in (-1, 0, 1, 2)] == [card] * 4
    for viewer in (-1, 0, 1, 2):
        shown = story.view(viewer)
        assert shown["cities"][0]["markers"] == ["circus"]
        assert shown["discards_face_up"] == ["palace", "barracks"]


def test_u9_by_default_they_stay_hidden() -> None:
    story = turn_with("hidden")
    for viewer in (-1, 1, 2):
        assert "circus" not in str(story.view(viewer))
        assert "discards_face_up" not in story.view(viewer)
    assert not any(
        event.face_up for event in story.recorded if isinstance(event, (StageBuilt, CardDiscarded))
    )


def test_u9_a_revealed_discard_that_is_taken_lies_there_no_more() -> None:
    hands = {0: ["altar"], 1: ["palace"], 2: ["palace"]}
    story = at(MAUSOLEUM, "giza:A", "rhodes:A", hands=hands, age=3, face_down_cards="revealed")
    take_turn(story, {0: BuildStage("altar")}).when(0, TakeFromDiscard("palace"))
    assert story.view()["discards_face_up"] == ["palace"]
    assert story.view()["discard_pile"] == 1


def test_u7_leftovers_stay_hidden_even_where_discards_are_revealed() -> None:
    hands = {0: ["altar", "baths"], 1: ["palace", "senate"], 2: ["arena", "haven"]}
    story = at("giza:A", "rhodes:A", "ephesus:A", hands=hands, age=3, turn=6, face_down_cards="revealed")
    take_turn(story)
    assert story.view()["discards_face_up"] == ["altar", "palace", "arena"]
    assert story.view()["discard_pile"] == 6
