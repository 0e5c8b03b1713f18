"""Summaries of matches in few bytes, as lists keep one of every match there ever was.

Deflated (RFC 1951) behind a digit that says with which dictionary: a text with what most summaries have in
common, the most frequent last. A dictionary never changes. A new one gets a new digit, and a release that
knows it before the one that writes it.
"""

import zlib
from typing import Final

import msgspec

from service.read_models import Outline, Summary

_RAW: Final = -zlib.MAX_WBITS
_LEVEL: Final = 9
_WRITTEN: Final = b"1"
_DICTIONARIES: Final = {
    b"1": b'"rematch_of":"mat_"forked_from":{"match":"mat_","version":"sandbox":{"seed":"'
    b'"bot":"random"}"bot":"fast""bot":"strong""resigned":true"status":"lobby""status":"running"'
    b'"visibility":"private""open_seats":1,"open_seats":2,"awaiting":["'
    b'{"match":"mat_","game":"its-a-wonderful-kingdom","ruleset":"its-a-wonderful-kingdom/1.0.0+original-1@'
    b'"mode":"menaces","mode":"advisors","side":"A","side":"B","quest_board":"quest_","card_set":"original-1@'
    b'"game":"its-a-wonderful-world","ruleset":"its-a-wonderful-world/1.0.0","status":'
    b'"expiry":"auto","undo":"own-turn""undo":"off","side":"A","corruption_and_ascension":false,'
    b'"war_or_peace":false,"scenario":"free-play","scenario_cards_required":false,"auto_validate":false},'
    b'{"match":"mat_","tenant":"","game":"seven-wonders","status":"over","created_ms":17,"version":1,'
    b'"shown":{"id":"mat_","game":"seven-wonders","ruleset":"seven-wonders/1.0.0","status":"over","version":1,'
    b'"visibility":"public","seats":[{"seat":0,"kind":"bot","resigned":false,"bot":"easy"},'
    b'{"seat":1,"kind":"human","resigned":false},{"seat":2,"kind":"human","resigned":false},'
    b'{"seat":3,"kind":"open","resigned":false}],"options":{"decision_limit_ms":null,'
    b'"on_expiry":"default-move","takeover_bot":"easy","spectator_delay":0,"decision_limit_days":null,'
    b'"daily_anchor_minute":null,"bank_ms":null,"increment_ms":0,"expiry":"auto","undo":"off",'
    b'"wonders":"deal","sides":"deal","halicarnassus_may_decline":true,'
    b'"copied_shipowners_counts_itself":true,"discard_pile_search":"after-seventh-card","chains":"free",'
    b'"end_of_game_choices":"best","face_down_cards":"hidden"},"created_at":"20T:.000Z","updated_at":"20T:'
    b'.000Z","links":{"self":"/v1/matches/mat_","seats":"/v1/matches/mat_/seats","commands":"/v1/matches/mat_'
    b'/commands","legal_moves":"/v1/matches/mat_/legal-moves","view":"/v1/matches/mat_/view","events":'
    b'"/v1/matches/mat_/events","export":"/v1/matches/mat_/export","proof":"/v1/matches/mat_/proof"}},'
    b'"updated_ms":17,"awaiting":[],"open_seats":0,"visibility":"public"}',
}

_summary: Final = msgspec.json.Decoder(Summary)
_outline: Final = msgspec.json.Decoder(Outline)


def packed(summary: Summary) -> bytes:
    """A summary as it is kept."""
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, zdict=_DICTIONARIES[_WRITTEN])
    return _WRITTEN + deflate.compress(msgspec.json.encode(summary)) + deflate.flush()


def unpacked(kept: bytes) -> Summary:
    """The inverse of `packed`."""
    return _summary.decode(_text(kept))


def outline(kept: bytes) -> Outline:
    """What filters look at, without the rest."""
    return _outline.decode(_text(kept))


def _text(kept: bytes) -> bytes:
    inflate = zlib.decompressobj(_RAW, zdict=_DICTIONARIES[kept[:1]])
    return inflate.decompress(kept[1:])
