"""Vectors V44-V69: menaces, advisors, quests."""

from itertools import pairwise

from domain.wonderful_kingdom import GAME, ORIGINAL
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.bags import COLOURS
from domain.wonderful_kingdom.building import stored
from domain.wonderful_kingdom.commands import (
    ActivateAdvisor,
    CompleteQuest,
    DefeatMenace,
    OfferCards,
    SelectArea,
    TransmuteCubes,
)
from domain.wonderful_kingdom.rulings import ADVISOR_REVEAL_GIVES_SOLDIER
from tests.domain.wonderful_kingdom.matches import begin, turns
from tests.domain.wonderful_kingdom.tables import (
    HAND,
    VALADOS,
    Land,
    board,
    both_done,
    choosing,
    expect,
    fighting,
    lands,
    planning,
    producing,
    total,
)
from tests.given_when_then import Given, given

RATS = ("men_rats_1", "men_rats_2", "men_rats_3", "men_rats_4")
CONCLAVE = "quest_the_krystal_conclave"
DRUE = "adv_alchemist_drue"


def test_v44_a_menace_of_the_own_set_completes_the_hand() -> None:
    then, seen = expect("V44"), 0
    for turn in turns({"mode": "menaces"}, 2):
        if any(isinstance(event, ev.OffersBegan) for event in turn.events) and turn.state.round == 2:
            for seat in (0, 1):
                hand = GAME.view(turn.state, seat)["hand"]
                menaces = [card for card in hand if card in ORIGINAL.menaces]
                assert len(hand) - len(menaces) == then["hand"]["deck_cards"]
                assert len(menaces) == then["hand"]["menaces"]
                assert len(turn.state.boards[seat].unplayed) == then["set_left_after"]
                assert GAME.view(turn.state, seat)["boards"][seat]["menaces_left"] == then["set_left_after"]
                assert sum(card in ORIGINAL.calamities for card in hand) == then["calamities"]
            seen += 1
    assert seen == 1


def rounds_of_rats() -> list[Given]:
    """After the production of rounds 1 to 4, a Giant Rat having come in each and none having gone."""
    tables = []
    menaces: list[str] = []
    for number, giant in enumerate(RATS, 1):
        table = planning(Land(menaces=[*menaces, giant]), VALADOS, round=number)
        del table.state.rats[: number * (number - 1) // 2]  # those that came in earlier rounds
        both_done(table)
        tables.append(table)
        menaces = list(board(table)["menaces"])
    return tables


def test_v46_rats_multiply() -> None:
    rats = [
        sum(card.startswith("men_rat_") for card in board(table)["menaces"]) for table in rounds_of_rats()
    ]
    assert rats == expect("V46")["rats"]
    assert rounds_of_rats()[-1].view()["rats_left"] == expect("V46")["pile_left"]


def test_v47_rats_cost_points_at_the_end() -> None:
    last = rounds_of_rats()[-1]
    then = expect("V47")
    giants = sum(ORIGINAL.menaces[card].points for card in RATS)
    assert giants == then["giant_rats"]
    assert board(last)["points"]["negative"] - giants == then["rats"]
    assert total(last) == then["total"]


def test_v48_krystallium_is_no_soldier_in_the_fight() -> None:
    table = fighting(Land(menaces=["men_frost_1"], soldiers=2, krystallium=5), VALADOS)
    assert expect("V48") == {"legal": False}
    table.refuses(0, DefeatMenace("men_frost_1"), "not-enough-soldiers")


def materials_step(mine: int, other: int, side: str = "A") -> tuple[Given, list[object]]:
    """The materials step of a seat with the Quarry-Freezer; as many icons as asked, by their cards."""
    cards = {3: ["dev_muster_green"], 2: [], 1: []}
    land = Land(menaces=["men_frost_2"], constructed=cards[mine])
    table = planning(land, VALADOS, side=side)
    events = list(both_done(table))
    assert board(table, 1)["production"]["materials"] == other
    return table, events


def test_v50_a_menace_takes_icons_from_the_count() -> None:
    table, events = materials_step(3, 2)
    then = expect("V50")
    assert ev.CubesProduced("materials", [then["holder_count"], 2]) in events
    assert ev.SupremacyWon(1, "materials", False) in events
    assert then["supremacy"] == "opponent" and then["cubes"] == 1


def test_v51_a_count_is_never_below_zero() -> None:
    table, events = materials_step(1, 1, side="B")
    assert ev.CubesProduced("materials", [expect("V51")["holder_count"], 1]) in events
    both = planning(Land(menaces=["men_frost_2"]), Land("duchy_valados", menaces=["men_frost_2"]), side="B")
    assert not [event for event in both_done(both) if isinstance(event, ev.SupremacyWon)]
    assert expect("V51")["supremacy"] is None


def test_v53_a_menace_lowers_the_trap_limit() -> None:
    table = choosing(Land(menaces=["men_shadow_1"]), VALADOS, round=3)
    assert board(table)["traps_left"] == expect("V53")["traps"]
    yard, loft = HAND[:2]
    table.refuses(0, OfferCards(left_face_down=[yard, loft]), "no-trap-left")
    assert table.allows(0, OfferCards(left=[yard], left_face_down=[loft]))


def test_v54_a_blocked_player_does_not_win_and_nobody_else_does() -> None:
    gold = ["dev_counting_loft", "dev_counting_loft"]
    mine = Land(menaces=["men_shadow_2"], constructed=gold)
    other = Land("duchy_valados", constructed=gold[:1])
    table = planning(mine, other)
    events = [event for _ in range(3) for event in both_done(table)]
    assert ev.CubesProduced("gold", [5, 3]) in events
    won = [event for event in events if isinstance(event, ev.SupremacyWon) and event.resource == "gold"]
    assert (won == []) == (expect("V54")["supremacy"] is None)


def test_v55_menaces_are_fought_after_the_fourth_production_too() -> None:
    table = fighting(Land(menaces=["men_shadow_1"], soldiers=2), VALADOS, seats=[0], round=4)
    assert table.allows(0, DefeatMenace("men_shadow_1")) == expect("V55")["legal"]
    table.when(0, DefeatMenace("men_shadow_1"))
    assert total(table) == expect("V55")["score_effect"]
    both_done(table)
    assert table.view()["scores"][0]["negative"] == expect("V55")["score_effect"]


def test_v56_a_face_up_advisor_comes_at_once_with_a_soldier() -> None:
    table = choosing(Land(), VALADOS, mode="advisors", hands=([*HAND, DRUE], HAND))
    table.when(0, OfferCards(left=[DRUE, HAND[0]])).when(1, SelectArea("left"))
    shown, then = board(table, 1), expect("V56")
    assert len(shown["collection_area"]) == int(then["collection"])
    assert len(shown["advisors"]) == int(then["advisor_area"])
    assert shown["soldiers"] == int(then["soldiers"])


def test_v57_an_advisor_revealed_in_planning_comes_with_a_soldier() -> None:
    hands = ([*HAND, DRUE], [*HAND, HAND[0]])
    table = choosing(Land(), VALADOS, mode="advisors", hands=hands)
    table.when(0, OfferCards(left_face_down=[DRUE], right=[HAND[0]])).when(1, SelectArea("left"))
    assert board(table, 1)["advisors"] == []
    while table.view()["phase"] in ("offer", "select"):
        seat = GAME.decisions(table.state)[0].awaited[0]
        table.when(seat, GAME.default_move(table.state, seat))
    table.then_among(ev.AdvisorPlaced(1, DRUE, 1))
    assert len(board(table, 1)["advisors"]) == int(expect("V57")["advisor_area"])
    assert (
        board(table, 1)["soldiers"] == int(ADVISOR_REVEAL_GIVES_SOLDIER) == int(expect("V57")["soldiers"][:2])
    )


def test_v58_an_advisor_is_activated_once_a_round() -> None:
    table = planning(Land(advisors=[DRUE], soldiers=3), VALADOS, mode="advisors")
    table.when(0, ActivateAdvisor(DRUE)).then(
        ev.AdvisorActivated(0, DRUE, {"soldiers": 1}, []), ev.TokensGained(0, krystallium=1)
    )
    assert not expect("V58")["this_round_legal"]
    table.refuses(0, ActivateAdvisor(DRUE), "already-used")
    while table.view()["round"] == 1 or table.view()["phase"] != "planning":
        seat = GAME.decisions(table.state)[0].awaited[0]
        if len(table.view(seat)["hand"]) == 1:
            raise AssertionError("the hands do not come out even")
        table.when(seat, GAME.default_move(table.state, seat))
    assert table.allows(0, ActivateAdvisor(DRUE)) == expect("V58")["next_round_legal"]


def test_v59_an_advisor_wants_its_soldiers() -> None:
    herald = "adv_herald_amaranth"
    table = choosing(Land(advisors=[herald], soldiers=1), VALADOS, mode="advisors")
    table.when(0, OfferCards(left=list(HAND[:2])))
    table = choosing(Land(), Land("duchy_valados", advisors=[herald], soldiers=1), mode="advisors")
    table.when(0, OfferCards(left=list(HAND[:2])))
    assert expect("V59") == {"legal": False}
    table.refuses(1, ActivateAdvisor(herald), "not-enough-soldiers")


def test_v61_cubes_of_the_duchy_are_transmuted_twice() -> None:
    osk = "adv_crucible_keeper_osk"
    land = Land(advisors=[osk], soldiers=1, cubes={"gold": 3, "materials": 1})
    table = planning(land, VALADOS, mode="advisors").when(0, ActivateAdvisor(osk))
    table.when(0, TransmuteCubes(["gold", "materials"])).when(0, TransmuteCubes(["gold", "gold"]))
    then = expect("V61")
    assert board(table)["cubes"] == then["duchy_cubes"]
    assert board(table)["krystallium"] == int(then["krystallium"])
    assert board(table)["soldiers"] == 1 + int(then["soldiers"])


def conclave(**land: object) -> Given:
    """Planning in quest mode with the Krystal Conclave."""
    return planning(Land(**land), VALADOS, mode="quests", quest_board=CONCLAVE)  # type: ignore[arg-type]


def test_v64_a_quest_is_paid_at_once_or_not_at_all() -> None:
    table = conclave(cubes={"exploration": 2}, krystallium=2, soldiers=1)
    assert expect("V64") == {"legal": False}
    table.refuses(0, CompleteQuest(f"{CONCLAVE}_4"), "not-enough-krystallium")


def ended(points: list[int], failed: list[int]) -> Given:
    """The end of a quest mode match."""
    scores = [{"flat": each, "per_type": 0, "negative": 0} for each in points]
    return given(GAME, [*lands(Land(), VALADOS, mode="quests"), ev.PointsCounted(scores, failed)])


def test_v65_who_has_not_completed_the_major_quest_loses() -> None:
    table = ended([55, 12], [0])
    assert expect("V65")["winner"] == "Y"
    assert table.view()["winners"] == [1]
    outcome = GAME.outcome(table.state)
    assert outcome is not None and (outcome.ranking, outcome.winners) == ([[1], [0]], None)


def test_v66_both_lose_without_the_major_quest() -> None:
    table = ended([55, 12], [0, 1])
    assert expect("V66") == {"winner": None, "both_lose": True}
    assert table.view()["winners"] == []
    outcome = GAME.outcome(table.state)
    assert outcome is not None and (outcome.ranking, outcome.winners) == ([[0, 1]], [])


def test_v67_each_player_pays_each_quest_once() -> None:
    quest = "quest_the_drowned_beacon_1"
    rich = {"cubes": {"materials": 6}}
    table = planning(Land(**rich), Land("duchy_valados", **rich), mode="quests")  # type: ignore[arg-type]
    table.when(0, CompleteQuest(quest))
    assert table.allows(1, CompleteQuest(quest)) == expect("V67")["Y_legal"]
    assert not expect("V67")["X_legal"]
    table.refuses(0, CompleteQuest(quest), "already-completed")


def test_v68_cubes_need_not_be_exchanged_in_quest_mode() -> None:
    land = Land(cubes={"gold": 4})
    table = producing("gold", [2, 0], land, VALADOS, mode="quests").when_nobody_acts()
    then = expect("V68")
    assert sum(board(table)["cubes"].values()) == then["duchy_cubes_total"]
    assert table.legal(0) and then["legal"]
    menaces = producing("gold", [2, 0], land, VALADOS)
    formed, loose = stored(menaces.state, menaces.state.boards[0], 2, 2)
    forced = then["with_forced_exchange_constant"]
    assert (sum(loose), formed) == (forced["duchy_cubes_total"], int(forced["krystallium"]))


def test_v69_no_quest_takes_more_than_four_plain_cubes() -> None:
    quests = [quest for each in ORIGINAL.boards.values() for quest in each.quests]
    most = max(sum(quest.cost[colour] for colour in COLOURS) for quest in quests)
    assert len(quests) == 12
    assert most == expect("V69")["max"]
    assert (most <= 4) == expect("V69")["feasible_with_forced_5_for_1"]


def test_the_modes_are_never_mixed() -> None:
    """A match has what its mode brings and nothing of the others."""
    for mode, other in pairwise(("menaces", "advisors", "quests", "menaces")):
        state, _, _ = begin(GAME, {"mode": mode}, 3)
        while state.phase not in ("offer", "menace"):
            seat = GAME.decisions(state)[0].awaited[0]
            for event in GAME.decide(state, seat, GAME.default_move(state, seat), None):  # type: ignore[arg-type]
                GAME.evolve(state, event)
            for event in GAME.advance(state, None):  # type: ignore[arg-type]
                GAME.evolve(state, event)
        shown = GAME.view(state, 0)
        brought = {
            "menaces": shown["boards"][0]["menace_set"] is not None,
            "advisors": bool(shown["boards"][0]["advisors"]),
            "quests": "quest_board" in shown,
        }
        assert brought[mode] and not brought[other]
