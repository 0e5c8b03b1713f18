"""Olympia B: cheap raw materials from both sides, and a copied guild (7W 8.7, 8.8)."""

from domain.seven_wonders.commands import BuildStage, BuildStructure
from domain.seven_wonders.events import ConflictsResolved, GuildChoiceOffered, PointsCounted
from tests.domain.seven_wonders.tables import (
    SYMBOL_CARDS,
    Vector,
    at,
    ended,
    scores,
    take_turn,
    town,
    town_of,
    vector,
)


def test_raw_materials_cost_one_coin_from_both_sides_after_stage_one() -> None:
    for stages, price in ((0, 2), (1, 1)):
        me = town("olympia:B", stages=stages)
        story = at(me, "babylon:A", "babylon:B", hands={0: ["guard_tower"]})
        assert story.legal(0, BuildStructure) == [
            BuildStructure("guard_tower", 0, price),
            BuildStructure("guard_tower", price, 0),
        ]


def test_the_discount_and_a_trading_post_make_one_coin_and_never_two_again() -> None:
    """7W 8.7: owning both is allowed and adds nothing, in whichever order they were built."""
    me = town("olympia:B", "east_trading_post", stages=1)
    story = at(me, "babylon:A", "babylon:B", hands={0: ["guard_tower"]})
    one_coin = [BuildStructure("guard_tower", 0, 1), BuildStructure("guard_tower", 1, 0)]
    assert story.legal(0, BuildStructure) == one_coin
    hands = {0: ["altar", "west_trading_post"], 2: ["altar", "guard_tower"]}
    story = at(me, "babylon:A", "babylon:B", hands=hands)
    take_turn(story, {0: BuildStructure("west_trading_post")})
    assert story.legal(0, BuildStructure)[-2:] == one_coin


def test_the_discount_works_from_the_turn_after() -> None:
    """7W 5.7."""
    me = town("olympia:B", "lumber_yard")
    hands = {0: ["altar", "guard_tower"], 2: ["altar", "guard_tower"]}
    story = at(me, "babylon:A", "babylon:B", hands=hands)
    assert BuildStructure("guard_tower", 2, 0) in story.legal(0)
    take_turn(story, {0: BuildStage("altar")})
    assert story.legal(0, BuildStructure)[-1] == BuildStructure("guard_tower", 1, 0)


def test_manufactured_goods_keep_their_price() -> None:
    story = at(town("olympia:B", stages=1), "alexandria:A", "rhodes:A", hands={0: ["workshop"]})
    assert story.legal(0, BuildStructure) == [BuildStructure("workshop", 2, 0)]


@vector("GLD-11")
def test_vector_of_a_copied_guild(vector: Vector) -> None:
    """Counted from Olympia's own seat, once in the total."""
    given, expect = vector["given"], vector["expect"]
    me, left, right = scores(*(town_of(given[name]) for name in ("me", "left", "right")))
    assert me["guilds"] == expect["points"]
    points = {"wonder": 5, "guilds": expect["points"], "treasury": 1}
    assert {name: value for name, value in me.items() if value} == points
    assert left["guilds"] == 9  # the owner loses nothing
    assert right["guilds"] == 0


@vector("GLD-14")
def test_vector_of_a_copied_scientists_guild(vector: Vector) -> None:
    symbols = vector["given"]["me"]
    cards = [card for name, owned in symbols.items() for card in SYMBOL_CARDS[name][:owned]]
    me = town("olympia:B", *cards, stages=3)
    gained = [
        scores(me, town("giza:A", *guilds), "rhodes:A")[0]["science"]
        for guilds in ([], vector["given"]["neighbour_guilds"])
    ]
    assert gained[1] - gained[0] == vector["expect"]["science_gain"]


@vector("GLD-15")
def test_vector_of_nothing_to_copy(vector: Vector) -> None:
    given, expect = vector["given"], vector["expect"]
    towns = [
        town("olympia:B", stages=3),
        town("giza:A", *given["left_guilds"]),
        town("rhodes:A", *given["right_guilds"]),
    ]
    for choices in ("best", "ask"):
        story = ended(*towns, end_of_game_choices=choices)
        assert bool(story.awaited()) == expect["choice_requested"]
        story.then_no(GuildChoiceOffered)
        assert story.view()["scores"][0]["guilds"] == expect["points"]
        assert story.last(PointsCounted).copied == [None, None, None]


def test_the_guild_that_scores_most_is_copied_from_either_side() -> None:
    left = town("giza:A", "spies_guild", "walls")
    right = town("rhodes:A", "magistrates_guild", "altar", "baths", "theater")
    story = ended(town("olympia:B", stages=3), left, right)
    assert story.last(PointsCounted).copied == ["magistrates_guild", None, None]
    assert story.view()["scores"][0]["guilds"] == 3
    assert story.view()["copied_guilds"] == {"0": "magistrates_guild", "1": None, "2": None}
    story = ended(town("olympia:B", stages=3), right, left)
    assert story.last(PointsCounted).copied[0] == "magistrates_guild"


def test_science_counts_when_the_best_guild_is_chosen() -> None:
    """Two of each symbol: a third of one is 2*2+1 more, a set is not: 5 against 3 of the magistrates."""
    symbols = [card for cards in SYMBOL_CARDS.values() for card in cards[:2]]
    left = town("giza:A", "scientists_guild", "altar", "baths", "theater")
    right = town("rhodes:A", "magistrates_guild")
    story = ended(town("olympia:B", *symbols, stages=3), left, right)
    assert story.last(PointsCounted).copied[0] == "scientists_guild"


def test_an_own_guild_and_one_two_seats_away_are_not_copied() -> None:
    me = town("olympia:B", "workers_guild", stages=3)
    story = ended(me, "giza:A", town("ephesus:A", "spies_guild"), town("rhodes:A", "walls"))
    assert story.last(PointsCounted).copied == [None] * 4


def test_one_guild_only() -> None:
    left = town("giza:A", "magistrates_guild", "spies_guild", "altar", "walls")
    story = ended(town("olympia:B", stages=3), left, town("rhodes:A", "baths"))
    assert story.view()["scores"][0]["guilds"] == 2


def test_without_stage_three_nothing_is_copied() -> None:
    left = town("giza:A", "magistrates_guild", "altar")
    for board, stages in (("olympia:B", 2), ("olympia:A", 3)):
        assert scores(town(board, stages=stages), left, "rhodes:A")[0]["guilds"] == 0


@vector("FLO-21")
def test_vector_of_conflicts_that_are_resolved_once(vector: Vector) -> None:
    """Even where the guild to copy is asked for afterwards."""
    given = vector["given"]
    me = town(given["wonder"], "walls", stages=given["stages"])
    for choices in ("best", "ask"):
        left = town("giza:A", "spies_guild")
        story = at(me, left, "rhodes:A", age=3, turn=6, end_of_game_choices=choices)
        facts = list(take_turn(story).recorded)
        if choices == "ask":
            assert story.awaited() == [("copy-guild", (0,))]
            facts += story.when(0, story.legal(0)[0]).recorded
        conflicts = [event for event in facts if isinstance(event, ConflictsResolved)]
        assert len(conflicts) == vector["expect"]["age3_conflicts_resolved"]
        assert story.city(0)["tokens"] == [5, 5]
