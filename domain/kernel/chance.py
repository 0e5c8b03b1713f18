"""The only randomness of the domain: labelled draws from a match's secret, which anyone can repeat later.

Defined byte by byte in `docs/audit.md`: subkeys by HKDF-SHA256, blocks by HMAC-SHA256 over an array of
purpose, match, entropy of the seats, label and block number, numbers by rejection, shuffles by Fisher-Yates.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

_WORD: Final = 1 << 32
_JSON: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def canonical(value: Any) -> bytes:
    """JCS (RFC 8785) of arrays of strings, integers and nulls, the only values hashed here."""
    return _JSON.encode(value).encode()


def subkey(match_key: bytes, purpose: str) -> bytes:
    """The subkey for `seal`, `draw` or `bot`: HKDF-SHA256, no salt, info `wonderlog/<purpose>/1`."""
    extracted = hmac.digest(bytes(32), match_key, "sha256")
    return hmac.digest(extracted, f"wonderlog/{purpose}/1".encode() + b"\x01", "sha256")


def commitment(match_key: bytes, commit_nonce: bytes) -> str:
    """What `match.created` publishes, 64 hex digits; `match.ended` reveals both values behind it."""
    committed = ["wonderlog/commit/1", match_key.hex(), commit_nonce.hex()]
    return hashlib.sha256(canonical(committed)).hexdigest()


def _words(draw_key: bytes, match: str, entropy: Sequence[str | None], label: str) -> Iterator[int]:
    block = 0
    while True:
        message = canonical(["wonderlog/draw/1", match, list(entropy), label, block])
        digest = hmac.digest(draw_key, message, "sha256")
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def of_seed(seed: str) -> tuple[bytes, bytes]:
    """Match key and commit nonce of a sandbox match that was set up with a seed. No secrets: whoever knows
    the seed knows every draw."""
    made = [canonical(["wonderlog/sandbox/1", part, seed]) for part in ("match_key", "commit_nonce")]
    match_key, commit_nonce = (hashlib.sha256(each).digest() for each in made)
    return match_key, commit_nonce


def drawn_for(match: str, seed: str | None) -> str:
    """What the draws of a match are bound to: its id, or its seed, so that the seed gives the same ones in
    every match."""
    return match if seed is None else f"sandbox:{seed}"


@dataclass(frozen=True, slots=True)
class Chance:
    """The secrets of one match and the entropy its seats brought. Never part of a state, never in an event
    before the last. `entropy` has one entry a seat, hex or None, and is closed when the match starts."""

    match: str
    match_key: bytes
    commit_nonce: bytes
    entropy: tuple[str | None, ...] = ()

    def __repr__(self) -> str:
        return f"Chance({self.match!r})"

    def with_entropy(self, entropy: Sequence[str | None]) -> "Chance":
        """The same secrets, with the entropy of the seats."""
        return Chance(self.match, self.match_key, self.commit_nonce, tuple(entropy))

    def commitment(self) -> str:
        """The commitment to these secrets."""
        return commitment(self.match_key, self.commit_nonce)

    def shuffled(self, label: str, cards: Sequence[str]) -> list[str]:
        """The cards in the order of the draw named `label` (public, unique in the match).

        `cards` must be sorted by code point, so that the input cannot be arranged; raises ValueError if not.
        """
        order = list(cards)
        if order != sorted(order):
            raise ValueError(f"the input of the draw {label!r} is not sorted")
        words = _words(subkey(self.match_key, "draw"), self.match, self.entropy, label)
        for last in range(len(order) - 1, 0, -1):
            below = last + 1
            limit = _WORD - _WORD % below
            word = next(words)
            while word >= limit:
                word = next(words)
            other = word % below
            order[last], order[other] = order[other], order[last]
        return order

    def bot_seed(self, version: int, seat: int, build: str) -> bytes:
        """The seed of a bot's own generator at one decision, 32 bytes; says nothing about any draw."""
        message = canonical(["wonderlog/bot/1", self.match, version, seat, build])
        return hmac.digest(subkey(self.match_key, "bot"), message, "sha256")


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """A draw: `output` is the first `count` cards of the shuffle named `label` of `input` (sorted).

    Hidden from every seat while the match runs; label and count are public.
    """

    label: str
    count: int
    input: list[str]
    output: list[str]


def draw(chance: Chance, label: str, cards: Sequence[str], count: int | None = None) -> DeckShuffled:
    """Draw `count` of the cards (all of them by default), as the event that records it."""
    pool = sorted(cards)
    output = chance.shuffled(label, pool)[: len(pool) if count is None else count]
    return DeckShuffled(label, len(output), pool, output)


class Dice:
    """A bot's own generator: HMAC-SHA256(seed, block) read as 32-bit words."""

    __slots__ = ("_seed", "_block", "_words")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""
        limit = _WORD - _WORD % n
        while True:
            if not self._words:
                digest = hmac.digest(self._seed, self._block.to_bytes(8, "big"), "sha256")
                self._block += 1
                self._words = [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)]
            word = self._words.pop()
            if word < limit:
                return word % n
