"""Two players and the Free City between them (7W 12; these facts come from one source only)."""

import pytest

from domain import seven_wonders
from domain.kernel.chance import DeckShuffled
from domain.kernel.redaction import FACE_DOWN
from domain.kernel.table import MatchStarted
from domain.seven_wonders import REDACTIONS
from domain.seven_wonders.cards import GUILDS, deck
from domain.seven_wonders.commands import (
    BuildStructure,
    DiscardForCoins,
    PlayFreeCity,
    Withdraw,
)
from domain.seven_wonders.events import (
    ActionChosen,
    ActionWithdrawn,
    BoardDealt,
    CardDiscarded,
    CardDrawn,
    ConflictsResolved,
    HandsDealt,
    HandsPassed,
    LeftoversDiscarded,
    StageBuilt,
    StructureBuilt,
    TableSet,
)
from domain.seven_wonders.state import Action
from tests.domain.seven_wonders.tables import FREE_CITY, Town, at, ended, options, town
from tests.given_when_then import Given, given, secrets

HANDS = {0: ["altar", "barracks", "theater"], 1: ["baths", "tavern"]}


def two(*towns: Town | str, **facts: object) -> Given:
    """A table of two with the Free City as the third town; seat 0 holds its card in the first turn."""
    where = towns or ("giza:A", "rhodes:A", "ephesus:A")
    return at(*where, **({"seats": 2, "hands": HANDS, "pile": ["pawnshop"]} | facts))  # type: ignore[arg-type]


def started(match: str = "mat_test") -> Given:
    return given(seven_wonders, [MatchStarted(2, options())], secrets(match, 2)).when_nobody_acts()


def act(story: Given) -> None:
    """The first awaited seat makes its default move."""
    seat = story.awaited()[0][1][0]
    story.when(seat, seven_wonders.default_move(story.state, seat))


# The table


def test_three_cities_stand_around_the_table_and_all_have_three_coins() -> None:
    """12.1, 12.2."""
    story = started()
    story.then_types(
        TableSet, DeckShuffled, BoardDealt, BoardDealt, BoardDealt, DeckShuffled, HandsDealt, CardDrawn
    )
    assert story.coins() == [3, 3, 3]
    assert len({city["wonder"] for city in story.view()["cities"]}) == 3
    assert [city["seat"] for city in story.view()["cities"]] == [0, 1, None]
    assert story.awaited() == [("choose", (0, 1))]


@pytest.mark.parametrize("age", [1, 2, 3])
def test_the_cards_are_those_of_three_players_and_seven_lie_in_the_pile(age: int) -> None:
    """12.1, 12.2; five guilds."""
    story = started() if age == 1 else two(age=age - 1, turn=6, chance=secrets("mat_test", 2))
    while story.view()["age"] < age:
        act(story)
    dealt = story.last(HandsDealt)
    assert [len(hand) for hand in dealt.hands] == [7, 7]
    assert len(dealt.pile) == 7
    cards = sorted([*dealt.hands[0], *dealt.hands[1], *dealt.pile])
    guilds = [card for card in cards if card in GUILDS]
    assert sorted(card for card in cards if card not in GUILDS) == deck(age, 3)
    assert len(guilds) == (5 if age == 3 else 0)


@pytest.mark.parametrize(("age", "holder"), [(1, 0), (2, 1), (3, 0)])
def test_the_player_left_of_the_free_city_begins_in_age_ii_the_one_right_of_it(age: int, holder: int) -> None:
    """12.2. Left of city 2 sits seat 0."""
    story = started() if age == 1 else two(age=age - 1, turn=6, chance=secrets("mat_test", 2))
    while story.view()["age"] < age:
        act(story)
    assert story.last(CardDrawn).seat == holder
    assert story.view()["free_city"]["holder"] == holder
    assert len(story.view(holder)["hand"]) == 8
    assert len(story.view(1 - holder)["hand"]) == 7


def test_the_holder_draws_the_top_card_and_only_it_sees_it() -> None:
    """12.3."""
    story = started()
    dealt, drawn = story.last(HandsDealt), story.last(CardDrawn)
    assert drawn == CardDrawn(0, dealt.pile[0])
    assert story.view(0)["hand"] == sorted([*dealt.hands[0], drawn.card])
    secret, pile = REDACTIONS[CardDrawn], REDACTIONS[HandsDealt]
    assert secret is not None and pile is not None
    assert secret.hide(drawn, 0) == drawn
    assert secret.hide(drawn, 1).card == secret.hide(drawn, -1).card == FACE_DOWN
    assert all(set(pile.hide(dealt, viewer).pile) == {FACE_DOWN} for viewer in (-1, 0, 1))
    assert story.view()["free_city"] == {"holder": 0, "draw_pile": 6, "seventh_card": None}


# A turn


def test_the_holder_chooses_for_its_own_city_first_and_then_for_the_free_city() -> None:
    """12.3."""
    story = two()
    story.refuses(0, PlayFreeCity("structure", "altar"), "own-city-first")
    story.when(0, BuildStructure("altar"))
    assert story.awaited() == [("choose", (0, 1))]
    story.refuses(0, PlayFreeCity("structure", "altar"), "not-in-hand")
    story.when(0, PlayFreeCity("structure", "theater"))
    story.then(ActionChosen(0, FREE_CITY, Action("structure", "theater")))
    assert story.awaited() == [("choose", (1,))]


def test_the_opponent_chooses_one_card_and_none_for_the_free_city() -> None:
    story = two()
    story.refuses(1, PlayFreeCity("discard", "tavern"), "not-yours")
    story.when(1, DiscardForCoins("tavern"))
    assert story.awaited() == [("choose", (0,))]
    story.refuses(1, PlayFreeCity("structure", "baths"), "not-yours")


def test_the_free_city_is_carried_out_first_then_hands_are_exchanged_and_the_other_draws() -> None:
    """12.3, 12.4."""
    story = two().when(0, BuildStructure("altar")).when(1, BuildStructure("tavern"))
    story.when(0, PlayFreeCity("structure", "theater")).then(
        ActionChosen(0, FREE_CITY, Action("structure", "theater")),
        StructureBuilt(0, FREE_CITY, "theater", "paid"),
        StructureBuilt(0, 0, "altar", "paid"),
        StructureBuilt(1, 1, "tavern", "paid", coins=5),
        HandsPassed([["baths"], ["barracks"]]),
        CardDrawn(1, "pawnshop"),
    )
    assert story.view()["free_city"]["holder"] == 1
    assert story.view(1)["hand"] == ["barracks", "pawnshop"]
    assert story.city(FREE_CITY)["cards"] == ["theater"]


def test_hands_are_exchanged_in_every_age() -> None:
    for age, holder in ((1, 0), (2, 1), (3, 0)):
        hands = {holder: ["altar", "theater", "tavern"], 1 - holder: ["altar", "baths"]}
        story = two(hands=hands, age=age, pile=["pawnshop"])
        story.when(holder, BuildStructure("altar")).when(1 - holder, BuildStructure("altar"))
        story.when(holder, PlayFreeCity("structure", "theater"))
        assert story.last(HandsPassed).hands == (
            [["baths"], ["tavern"]] if not holder else [["tavern"], ["baths"]]
        )
        assert story.last(CardDrawn).seat == 1 - holder


def test_replacing_the_own_choice_takes_back_the_free_citys() -> None:
    """The cards left for the Free City depend on it."""
    story = two().when(0, BuildStructure("altar")).when(0, PlayFreeCity("structure", "theater"))
    story.when(0, DiscardForCoins("theater")).then(
        ActionChosen(0, 0, Action("discard", "theater")), ActionWithdrawn(0, FREE_CITY)
    )
    assert story.awaited() == [("choose", (0, 1))]
    assert PlayFreeCity("structure", "altar") in story.legal(0)


def test_the_free_citys_choice_alone_may_be_replaced() -> None:
    hands = {0: ["altar", "pawnshop", "theater"], 1: ["baths"]}
    story = two(hands=hands).when(0, BuildStructure("altar")).when(0, PlayFreeCity("structure", "theater"))
    story.when(0, PlayFreeCity("structure", "pawnshop"))
    story.then(ActionChosen(0, FREE_CITY, Action("structure", "pawnshop")))
    assert [choice["card"] for choice in story.view(0)["choices"]] == ["altar", "pawnshop"]


def test_withdrawing_takes_back_both_choices_of_the_holder() -> None:
    story = two().when(0, BuildStructure("altar")).when(0, PlayFreeCity("structure", "theater"))
    story.when(0, Withdraw()).then(ActionWithdrawn(0, FREE_CITY), ActionWithdrawn(0, 0))
    story.refuses(0, Withdraw(), "nothing-chosen")
    story.when(0, BuildStructure("altar")).when(0, Withdraw()).then(ActionWithdrawn(0, 0))


def test_the_opponent_does_not_see_what_the_free_city_will_do() -> None:
    story = two().when(0, BuildStructure("altar")).when(0, PlayFreeCity("structure", "theater"))
    assert story.view(1)["choices"] == story.view()["choices"] == []
    assert len(story.view(0)["choices"]) == 2
    assert story.view(1)["chosen"] == [True, False, True]


# What the Free City may do


def test_the_free_city_may_not_discard_while_it_can_build() -> None:
    """12.4."""
    story = two().when(0, BuildStructure("altar"))
    story.refuses(0, PlayFreeCity("discard", "theater"), "free-city-must-build")
    story.refuses(0, PlayFreeCity("discard", "barracks"), "free-city-must-build")
    assert PlayFreeCity("structure", "theater") in story.legal(0)


def test_it_may_not_discard_while_it_can_build_a_stage() -> None:
    free = town("ephesus:A", "quarry", coins=0)
    story = two(
        town("giza:A", coins=0), town("alexandria:A", coins=0), free, hands={0: ["altar", "palace"]}, age=3
    )
    story.when(0, DiscardForCoins("altar"))
    assert story.legal(0, PlayFreeCity) == [PlayFreeCity("stage", "palace")]
    story.refuses(0, PlayFreeCity("discard", "palace"), "free-city-must-build")


def test_where_it_can_do_nothing_else_it_discards_for_coins() -> None:
    towns = [town(board, coins=0) for board in ("giza:A", "rhodes:A", "ephesus:A")]
    story = two(*towns, hands={0: ["altar", "palace"], 1: ["baths"]}, age=3).when(0, BuildStructure("altar"))
    assert story.legal(0, PlayFreeCity) == [PlayFreeCity("discard", "palace")]
    story.when(0, PlayFreeCity("discard", "palace")).when(1, DiscardForCoins("baths"))
    story.then_among(CardDiscarded(0, FREE_CITY, "palace", False, 3))
    assert story.coins() == [0, 3, 3]


def test_it_trades_with_both_players_and_the_holder_chooses_the_seller() -> None:
    """12.4: whatever the price. Left of the Free City sits seat 0."""
    towns = town("olympia:A"), town("olympia:B"), town("ephesus:A", "west_trading_post")
    story = two(*towns, hands={0: ["altar", "stockade"], 1: ["baths"]}).when(0, BuildStructure("altar"))
    assert story.legal(0, PlayFreeCity) == [
        PlayFreeCity("structure", "stockade", 0, 2),
        PlayFreeCity("structure", "stockade", 1, 0),
    ]
    story.refuses(0, PlayFreeCity("structure", "stockade"), "wrong-payment")
    story.when(0, PlayFreeCity("structure", "stockade", 0, 2)).when(1, DiscardForCoins("baths"))
    assert story.coins() == [3, 3 + 3 + 2, 1]


def test_the_players_trade_with_the_free_city() -> None:
    """12.1: each is the neighbour of the other and of the Free City."""
    story = two("giza:A", "rhodes:A", "olympia:A", hands={0: ["stockade", "altar"], 1: ["stockade"]})
    assert story.legal(0, BuildStructure) == [BuildStructure("altar"), BuildStructure("stockade", 0, 2)]
    assert story.legal(1, BuildStructure) == [BuildStructure("stockade", 2, 0)]


def test_no_duplicates_in_the_free_city() -> None:
    towns = [town(board, "loom_age1", coins=0) for board in ("giza:A", "rhodes:A", "ephesus:A")]
    story = two(*towns, hands={0: ["altar", "loom_age2"]}, age=1).when(0, BuildStructure("altar"))
    story.refuses(0, PlayFreeCity("structure", "loom_age2"), "already-built")
    assert story.legal(0, PlayFreeCity) == [PlayFreeCity("discard", "loom_age2")]


@pytest.mark.parametrize("chains", ["free", "free-or-paid"])
def test_a_possible_chain_must_be_used(chains: str) -> None:
    """12.4: the Free City never pays for what it gets by a chain, whatever the players may do (U6)."""
    towns = (
        "halicarnassus:A",
        town("rhodes:A", "quarry"),
        town("ephesus:A", "scriptorium", "loom_age1", coins=5),
    )
    story = two(*towns, hands={0: ["altar", "library"]}, age=1, chains=chains).when(
        0, BuildStructure("altar")
    )
    built = [move for move in story.legal(0, PlayFreeCity) if move.use == "structure"]
    assert built == [PlayFreeCity("structure", "library")]
    story.refuses(0, PlayFreeCity("structure", "library", 0, 4), "wrong-payment")


def test_nothing_is_paid_for_a_discard_or_a_free_build() -> None:
    """Money that changes no hands must not be in the log."""
    towns = "giza:A", "rhodes:A", town("olympia:A", stages=2)
    story = two(*towns, hands={0: ["altar", "palace"], 1: ["baths"]}, age=3).when(0, BuildStructure("altar"))
    assert story.legal(0, PlayFreeCity) == [PlayFreeCity("free", "palace"), PlayFreeCity("discard", "palace")]
    story.refuses(0, PlayFreeCity("free", "palace", 1, 0), "wrong-payment")
    story.refuses(0, PlayFreeCity("discard", "palace", 0, 2), "wrong-payment")


def test_an_unknown_use_is_refused() -> None:
    story = two().when(0, BuildStructure("altar"))
    story.refuses(0, PlayFreeCity("burn", "theater"), "unknown-use")


def test_the_default_for_the_free_city_is_the_first_thing_it_may_do() -> None:
    story = two()
    act(story)
    assert seven_wonders.default_move(story.state, 0) == story.legal(0, PlayFreeCity)[0]


def test_olympia_as_the_free_city_may_build_for_free() -> None:
    """Its choices are the holder's (not stated in the rules)."""
    towns = "giza:A", "rhodes:A", town("olympia:A", stages=2)
    story = two(*towns, hands={0: ["altar", "palace"], 1: ["baths"]}, age=3).when(0, BuildStructure("altar"))
    story.when(0, PlayFreeCity("free", "palace")).when(1, DiscardForCoins("baths"))
    story.then_among(StructureBuilt(0, FREE_CITY, "palace", "olympia"))


# The end of an Age


def test_the_card_left_in_the_pile_is_discarded_with_the_leftovers() -> None:
    """12.5."""
    hands = {1: ["altar", "theater", "tavern"], 0: ["altar", "baths"]}
    story = two(hands=hands, turn=6, age=3)
    assert story.view()["free_city"]["holder"] == 1
    story.when(1, BuildStructure("altar")).when(1, PlayFreeCity("structure", "theater"))
    story.when(0, BuildStructure("altar"))
    assert story.last(LeftoversDiscarded) == LeftoversDiscarded([["baths"], ["tavern"]], ["pawnshop"])
    assert story.view()["discard_pile"] == 3
    secret = REDACTIONS[LeftoversDiscarded]
    assert secret is not None
    assert secret.hide(story.last(LeftoversDiscarded), 0).pile == [FACE_DOWN]


def test_the_free_city_fights_both_players() -> None:
    """12.5: conflicts as usual."""
    story = two("giza:A", "olympia:A", town("rhodes:A", "walls"), turn=6, age=3)
    while seven_wonders.outcome(story.state) is None:
        act(story)
    assert story.last(ConflictsResolved).tokens == [[0, -1], [-1, 0], [5, 5]]


def test_only_the_two_players_are_ranked() -> None:
    """12.5."""
    story = ended("giza:A", town("rhodes:A", "altar"), town("ephesus:A", "palace"), seats=2)
    outcome = seven_wonders.outcome(story.state)
    assert outcome is not None
    assert outcome.ranking == [[1], [0]]
    assert len(outcome.scores) == 2


def test_guilds_count_the_free_city_as_a_neighbour() -> None:
    towns = town("giza:A", "magistrates_guild"), town("rhodes:A", "altar"), town("ephesus:A", "palace")
    outcome = seven_wonders.outcome(ended(*towns, seats=2).state)
    assert outcome is not None and outcome.scores[0]["guilds"] == 2


def test_eighteen_cards_a_city_are_played() -> None:
    story = started()
    played = [0, 0, 0]
    while seven_wonders.outcome(story.state) is None:
        act(story)
        for event in story.recorded:
            if isinstance(event, (StructureBuilt, StageBuilt, CardDiscarded)):
                played[event.city] += 1
    assert played == [18, 18, 18]
