"""Short words for what is done most, by game. What has none is written by its name on the wire."""

from collections.abc import Mapping
from typing import Final

from domain.kernel.game import Game
from service import wire

_VERBS: Final[Mapping[str, Mapping[str, str]]] = {
    "seven-wonders": {
        "build_structure": "B",
        "build_stage": "S",
        "discard_for_coins": "D",
        "build_for_free": "O",
        "play_free_city": "F",
        "withdraw": "W",
        "leave_seventh_card": "L",
        "take_from_discard": "H",
        "take_nothing": "N",
        "copy_guild": "G",
        "choose_symbols": "Y",
        "choose_board": "P",
    },
    "its-a-wonderful-world": {
        "draft_card": "D",
        "withdraw_pick": "W",
        "slate_card": "S",
        "recycle_card": "R",
        "place_cubes": "C",
        "store_cubes": "E",
        "place_krystallium": "K",
        "place_characters": "H",
        "choose_character": "A",
        "discard_construction": "X",
        "swap_cards": "T",
        "keep_card": "T1",
        "validate": "V",
    },
    "its-a-wonderful-kingdom": {
        "offer_cards": "O",
        "select_area": "A",
        "peek_card": "L",
        "salvage_card": "Z",
        "build_development": "S",
        "recycle_collected": "R",
        "discard_collected": "D",
        "place_cubes": "C",
        "store_cubes": "E",
        "place_krystallium": "K",
        "place_soldiers": "H",
        "scrap_development": "X",
        "exchange_cubes": "M",
        "choose_cube": "Q",
        "choose_menace": "N",
        "defeat_menace": "F",
        "keep_drawn": "T",
        "validate": "V",
    },
}


def verbs(game: Game) -> dict[str, type]:
    """The command classes by the words that stand for them."""
    short = _VERBS.get(game.NAME, {})
    return {short.get(name, name): cls for name, cls in wire.of(game).commands.items()}
