"""Guilds at the end of the game (7W 11.7)."""

import pytest

from domain.seven_wonders.cards import GUILDS
from domain.seven_wonders.commands import BuildStage, BuildStructure
from domain.seven_wonders.events import ConflictsResolved
from tests.domain.seven_wonders.tables import Vector, at, scores, take_turn, town, town_of, vector


@vector("GLD-01", "GLD-02", "GLD-04", "GLD-05", "GLD-06", "GLD-07", "GLD-08", "GLD-09", "GLD-10")
def test_vector(vector: Vector) -> None:
    given = vector["given"]
    towns = [town_of(given[name]) for name in ("me", "left", "right")]
    assert scores(*towns)[0]["guilds"] == vector["expect"]["points"]
    mirrored = scores(towns[0], towns[2], towns[1])[0]["guilds"]
    assert mirrored == vector["expect"]["points"]


def test_the_traders_guild_counts_the_neighbours_yellow_cards() -> None:
    me = town("giza:A", "traders_guild", "tavern")
    left, right = town("rhodes:A", "tavern", "forum", "haven"), town("ephesus:A", "bazar", "altar")
    assert scores(me, left, right)[0]["guilds"] == 4


def test_the_scientists_guild_gives_no_points_but_a_symbol() -> None:
    mine = scores(town("giza:A", "scientists_guild"), "rhodes:A", "ephesus:A")[0]
    assert (mine["guilds"], mine["science"]) == (0, 1)


def test_a_wild_symbol_is_no_green_card() -> None:
    """7W 11.5, D."""
    me = town("giza:A", "philosophers_guild")
    left = town("babylon:A", "scientists_guild", stages=2)
    assert scores(me, left, "rhodes:A")[0]["guilds"] == 0


def test_the_craftsmens_guild_does_not_count_the_resource_of_a_board() -> None:
    me = town("giza:A", "craftsmens_guild")
    assert scores(me, "alexandria:A", "halicarnassus:A")[0]["guilds"] == 0


def test_the_shipowners_guild_counts_cards_and_not_units() -> None:
    me = town("giza:A", "shipowners_guild", "sawmill", "loom_age2")
    assert scores(me, "rhodes:A", "ephesus:A")[0]["guilds"] == 3


def test_the_strategists_guild_counts_the_tokens_of_the_last_conflicts() -> None:
    """Guilds are counted after the conflicts of Age III."""
    me = town("giza:A", "strategists_guild", "circus")
    story = at(me, "olympia:A", "ephesus:A", age=3, turn=6)
    take_turn(story).then_among(ConflictsResolved(3, [[5, 5], [0, -1], [-1, 0]]))
    assert story.view()["scores"][0]["guilds"] == 2


@pytest.mark.parametrize("guild", GUILDS)
def test_who_sits_two_seats_away_does_not_count(guild: str) -> None:
    rich = ("tavern", "altar", "walls", "library", "lumber_yard", "loom_age1", "spies_guild")
    far = town("rhodes:A", *rich, stages=3, tokens=[-1, -1])
    near = scores(town("giza:A", guild), "ephesus:A", "olympia:A", "babylon:A")[0]
    assert scores(town("giza:A", guild), "ephesus:A", far, "babylon:A")[0] == near


def test_a_guild_is_built_like_any_structure() -> None:
    """Cost and duplicates as usual; it counts in the game it was built in."""
    me = town("giza:A", "clay_pool", "brickyard", "glassworks_age1")
    hands = {0: ["spies_guild", "altar"]}
    story = at(me, town("ephesus:A", "walls"), town("olympia:A", "circus"), hands=hands, age=3, turn=6)
    take_turn(story, {0: BuildStructure("spies_guild")})
    assert story.view()["scores"][0]["guilds"] == 2


def test_stages_of_the_last_turn_count_for_the_builders_guild() -> None:
    me, left = town("ephesus:A", "builders_guild"), town("giza:A", "stone_pit")
    story = at(me, left, "olympia:A", hands={1: ["altar", "baths"]}, age=3, turn=6)
    take_turn(story, {1: BuildStage("altar")})
    assert story.view()["scores"][0]["guilds"] == 1
