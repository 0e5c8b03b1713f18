"""Vectors V01-V15, V62: decks, the choice phase, traps, who knows what."""

from itertools import product

from domain.kernel.redaction import FACE_DOWN
from domain.wonderful_kingdom import GAME, ORIGINAL
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.commands import OfferCards, SelectArea
from domain.wonderful_kingdom.setup import deck
from tests.domain.wonderful_kingdom.matches import begin, turns
from tests.domain.wonderful_kingdom.tables import HAND, VALADOS, Land, board, choosing, expect
from tests.given_when_then import Given

YARD, LOFT, ROW, GREEN, QUAY, BARLEY, ROAD = HAND


def test_v01_the_deck_of_the_menace_mode_has_80_cards_and_no_calamity_is_in_play() -> None:
    state, _, _ = begin(GAME, {"mode": "menaces"}, 1)
    assert len(state.deck) == expect("V01")["deck"]
    assert len(state.calamities) == expect("V01")["calamities_in_play"]
    assert len(deck(ORIGINAL, "menaces", [])) == 80


def test_v02_the_deck_of_the_quest_mode_has_80_cards_and_8_calamities_are_in_play() -> None:
    state, events, _ = begin(GAME, {"mode": "quests"}, 1)
    (dealt,) = [event for event in events if isinstance(event, ev.HandsDealt)]
    assert len(state.deck) + 14 + 2 == expect("V02")["deck"]
    hidden = [card for hand in dealt.hands for card in hand if card.startswith("cal_")]
    assert len(state.calamities) + len(hidden) == expect("V02")["calamities_in_play"]


def test_v04_the_fourth_choice_phase_leaves_16_cards_and_no_calamity() -> None:
    for table in ({"mode": "menaces"}, {"mode": "quests", "quest_board": "quest_the_northmarch_war"}):
        *_, last = turns(table, 1)  # no effect draws cards here
        assert last.state.round == 4
        assert len(last.state.deck) == expect("V04")["deck_left"]
        assert len(last.state.calamities) == expect("V04")["calamities_left_unless_menace"]


def test_v05_eighteen_cards_enter_the_areas_and_as_many_are_taken_or_left() -> None:
    expected = expect("V05")
    left_over = set()
    for mode, seed in product(("menaces", "quests"), range(6)):
        offers, selections, entered = [0, 0], [0, 0], 2
        for turn in turns({"mode": mode}, seed):
            for event in turn.events:
                if isinstance(event, ev.CardsOffered):
                    offers[event.seat] += 1
                    entered += 2
                if isinstance(event, ev.AreaSelected):
                    selections[event.seat] += 1
            ends = [event for event in turn.events if isinstance(event, ev.LeftoversDiscarded)]
            if ends:
                (shown,) = [event for event in turn.events if isinstance(event, ev.CollectionsRevealed)]
                taken = sum(map(len, shown.collections))
                left = len(ends[0].discarded) + len(ends[0].boxed) + ends[0].face_down
                assert taken + left == expected["taken_by_both_plus_leftover"]
                assert expected["leftover_min"] <= left <= expected["leftover_max"]
                left_over.add(left)
                break
        assert entered == expected["cards_entering_areas"]
        assert offers == [expected["offers_per_player"]] * 2
        assert selections == [expected["selections_per_player"]] * 2
    assert len(left_over) > 3


def test_v05_all_cards_but_one_may_be_left_over() -> None:
    table = choosing(Land(), VALADOS, hands=([*HAND, "men_rats_1"], [*HAND, "men_thief_1"]))
    for turn in range(8):
        seat = (0, 1)[turn % 2]
        hand = table.view(seat)["hand"]
        table.when(seat, OfferCards(left=hand[:2]))
        table.when(1 - seat, SelectArea("right"))
    (end,) = [event for event in table.recorded if isinstance(event, ev.LeftoversDiscarded)]
    assert len(end.discarded) + len(end.boxed) + end.face_down == expect("V05")["leftover_max"]
    assert end.boxed == ["men_rats_1", "men_thief_1"]


def test_v07_all_cards_of_the_selected_area_are_taken() -> None:
    table = choosing()
    table.when(0, OfferCards(left=[YARD, LOFT])).when(1, SelectArea("left"))
    then = expect("V07")
    assert len(board(table, 1)["collection_area"]) == then["T_collection"]
    assert [len(table.view()["areas"][area]) for area in ("left", "right")] == [then["Left"], then["Right"]]


def emptied() -> Given:
    """Left is empty, Right holds one card, and it is the second player's turn to offer."""
    table = choosing()
    return table.when(0, OfferCards(left=[YARD, LOFT])).when(1, SelectArea("left"))


def test_v08_an_empty_area_may_be_selected() -> None:
    table = emptied()
    table.when(1, OfferCards(right=[YARD, LOFT]))
    assert table.allows(0, SelectArea("left")) == expect("V08")["legal"]
    table.when(0, SelectArea("left"))
    assert len(board(table, 0)["collection_area"]) == expect("V08")["S_gains"]
    assert len(table.view()["areas"]["right"]) == expect("V08")["Right"]


def test_v09_an_offer_has_exactly_two_cards() -> None:
    table = choosing()
    assert expect("V09") == {"legal": False}
    table.refuses(0, OfferCards(left=[YARD]), "two-cards")
    table.refuses(0, OfferCards(left=[YARD, LOFT], right=[ROW]), "two-cards")


def test_v10_both_traps_may_be_spent_in_one_offer() -> None:
    table = choosing()
    assert table.allows(0, OfferCards(left_face_down=[LOFT, YARD])) == expect("V10")["legal"]
    table.when(0, OfferCards(left_face_down=[LOFT, YARD]))
    assert board(table, 0)["traps_left"] == expect("V10")["traps_left"]


def trapped_out() -> Given:
    """The start player has used both traps and offers next."""
    table = choosing()
    table.when(0, OfferCards(left_face_down=[YARD], right_face_down=[LOFT]))
    table.when(1, SelectArea("left")).when(1, OfferCards(left=[YARD], right=[LOFT]))
    return table.when(0, SelectArea("left"))


def test_v11_without_traps_nothing_is_laid_face_down() -> None:
    assert expect("V11") == {"legal": False}
    trapped_out().refuses(0, OfferCards(left=[ROW], right_face_down=[GREEN]), "no-trap-left")


def test_v12_the_traps_return_at_the_end_of_the_round() -> None:
    used, left = [0, 0], []
    for turn in turns({"mode": "quests"}, 4):
        shown = GAME.view(turn.state, -1)["boards"]
        if any(isinstance(event, ev.HandsDealt) for event in turn.events):
            left += [each["traps_left"] for each in shown]
        used = [max(before, 2 - each["traps_left"]) for before, each in zip(used, shown, strict=True)]
    assert used == [2, 2]
    assert left == [expect("V12")["traps_left"]] * 8


def test_v13_the_start_player_alternates() -> None:
    for seed in range(4):
        events = [event for turn in turns({"mode": "menaces"}, seed) for event in turn.events]
        starts = [event.start for event in events if isinstance(event, ev.HandsDealt)]
        players = {starts[0]: "P", 1 - starts[0]: "Q"}
        assert [players[seat] for seat in starts[1:]] == expect("V13")["start_players"]


def test_v13_either_seat_may_start() -> None:
    assert {begin(GAME, {"mode": "menaces"}, seed)[0].start for seed in range(12)} == {0, 1}


def test_v14_a_face_down_card_is_known_to_its_offerer_only_also_after_it_was_taken() -> None:
    table = choosing()
    table.when(0, OfferCards(left_face_down=[YARD], right=[LOFT])).when(1, SelectArea("left"))
    seen = [board(table, 1, viewer)["collection_area"][-1] for viewer in (0, 1, -1)]
    assert (seen[0]["card"] == YARD) == expect("V14")["P_knows_identity"]
    assert (seen[1]["card"] != FACE_DOWN) == expect("V14")["Q_knows_identity"]
    assert seen[2] == {"card": FACE_DOWN, "face_down_by": 0, "seen_by": [0]}
    assert expect("V14")["card_exists_public"]


def test_v15_a_face_down_leftover_is_never_turned() -> None:
    table = choosing(Land(), VALADOS, hands=([*HAND, "men_rats_1"], [*HAND, "men_thief_1"]))
    for turn in range(8):
        seat = (0, 1)[turn % 2]
        hand = table.view(seat)["hand"]
        if turn == 0:
            table.when(0, OfferCards(left=hand[:1], left_face_down=[hand[1]]))
        else:
            table.when(seat, OfferCards(right=hand[:2]))
        table.when(1 - seat, SelectArea("right"))
    (end,) = [event for event in table.recorded if isinstance(event, ev.LeftoversDiscarded)]
    assert expect("V15")["public_note"] == f"{end.face_down} face-down card discarded"
    shown = {viewer: table.view(viewer)["discarded_face_down"] for viewer in (0, 1, -1)}
    assert shown[0][0]["card"] == LOFT
    assert (shown[1][0]["card"] != FACE_DOWN) == expect("V15")["Q_learns_identity"]
    assert shown[-1][0]["card"] == FACE_DOWN
    assert LOFT not in table.view(1)["discard_pile"]


def test_v62_the_deck_lasts_with_an_archivist_in_every_round() -> None:
    (effect,) = ORIGINAL.advisors["adv_archivist_quill"].effects
    assert 4 * (16 + effect.count) == expect("V62")["needed"]
    assert len(deck(ORIGINAL, "advisors", sorted(ORIGINAL.advisors)[:4])) == expect("V62")["available"]
