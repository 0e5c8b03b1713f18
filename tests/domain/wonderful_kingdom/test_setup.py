"""Setting the table: duchies and what lies on them, soldiers of the advisor mode, sets of menaces, decks."""

import pytest

from domain.wonderful_kingdom import GAME, ORIGINAL
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.commands import ChooseMenaceSet
from domain.wonderful_kingdom.setup import deck
from tests.domain.wonderful_kingdom.matches import begin
from tests.given_when_then import Given


@pytest.mark.parametrize(("mode", "soldiers"), [("menaces", 0), ("advisors", 2), ("quests", 0)])
def test_two_soldiers_are_received_in_advisor_mode_only(mode: str, soldiers: int) -> None:
    state, _, _ = begin(GAME, {"mode": mode}, 1)
    assert [board["soldiers"] for board in GAME.view(state, -1)["boards"]] == [soldiers] * 2


@pytest.mark.parametrize(("side", "krystallium"), [("A", 0), ("B", 1)])
def test_both_duchies_show_the_same_side(side: str, krystallium: int) -> None:
    seated = set()
    for seed in range(8):
        state, _, _ = begin(GAME, {"mode": "quests", "side": side}, seed)
        boards = GAME.view(state, -1)["boards"]
        seated.add(boards[0]["duchy"])
        assert {board["duchy"] for board in boards} == set(ORIGINAL.duchies)
        assert [board["krystallium"] for board in boards] == [krystallium] * 2
        assert [board["training_ground"] for board in boards] == [0, 0]
        for board in boards:
            icons = ORIGINAL.duchies[board["duchy"]].sides[side].production
            assert list(board["production"].values()) == list(icons[:4])
    assert seated == set(ORIGINAL.duchies)


def test_the_start_player_takes_a_set_first_and_the_other_another() -> None:
    state, _, chance = begin(GAME, {"mode": "menaces"}, 2)
    table, start = Given(GAME, state, chance), state.start
    assert table.awaited() == [("menace_set", (start,))]
    table.refuses(1 - start, ChooseMenaceSet("shadows"), "not-your-turn")
    table.refuses(start, ChooseMenaceSet("rat_pile"), "no-such-set")
    table.when(start, ChooseMenaceSet("shadows"))
    table.then(ev.MenaceSetChosen(start, "shadows"), ev.MenaceSetsOffered(1 - start))
    table.refuses(1 - start, ChooseMenaceSet("shadows"), "no-such-set")
    table.when(1 - start, ChooseMenaceSet("thieves"))
    assert table.awaited() == [("menace", (0, 1))]
    assert table.view()["rats_left"] == 0
    assert [len(table.view(seat)["hand"]) for seat in (0, 1)] == [7, 7]


def test_the_rats_come_with_the_giant_rats() -> None:
    state, _, chance = begin(GAME, {"mode": "menaces"}, 2)
    table = Given(GAME, state, chance).when(state.start, ChooseMenaceSet("giant_rats"))
    assert table.view()["rats_left"] == 10


def test_the_decks_of_the_modes() -> None:
    drawn = ["adv_alchemist_drue", "adv_archivist_quill", "adv_envoy_tasmin", "adv_herald_amaranth"]
    kinds = [ORIGINAL.kinds[card] for card in deck(ORIGINAL, "advisors", drawn)]
    assert [kinds.count(kind) for kind in ("development", "advisor", "treasure")] == [70, 10, 0]
    assert not set(drawn) & set(deck(ORIGINAL, "advisors", drawn))
    kinds = [ORIGINAL.kinds[card] for card in deck(ORIGINAL, "quests", [])]
    assert [kinds.count(kind) for kind in ("development", "advisor", "treasure")] == [70, 0, 10]
