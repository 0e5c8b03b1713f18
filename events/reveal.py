"""What the revealed secrets of a match prove: the commitment, every seal, every draw.

Written apart from the domain, so that draws are checked by other code than made them.
"""

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from events.canonical import canonical, digest


def subkey(match_key: bytes, purpose: str) -> bytes:
    """HKDF-SHA256 without salt, info `wonderlog/<purpose>/1`, 32 bytes: one block."""
    extracted = hmac.digest(bytes(32), match_key, "sha256")
    return hmac.digest(extracted, f"wonderlog/{purpose}/1".encode() + b"\x01", "sha256")


@dataclass(frozen=True, slots=True)
class Reveal:
    """The secrets of a match as `match.ended` reveals them."""

    match: str
    match_key: bytes = field(repr=False)
    commit_nonce: bytes = field(repr=False)

    @classmethod
    def from_hex(cls, match: str, match_key: str, commit_nonce: str) -> "Reveal":
        """Raises ValueError unless both are 64 lower-case hex digits."""
        key, blind = bytes.fromhex(match_key), bytes.fromhex(commit_nonce)
        if (key.hex(), blind.hex()) != (match_key, commit_nonce) or not len(key) == len(blind) == 32:
            raise ValueError("the secrets of a match are twice 64 lower-case hex digits")
        return cls(match, key, blind)

    def commitment(self) -> str:
        """What `match.created` must have published."""
        return digest(["wonderlog/commit/1", self.match_key.hex(), self.commit_nonce.hex()])

    def seal_key(self) -> bytes:
        """The key of all nonces."""
        return subkey(self.match_key, "seal")

    def shuffled(
        self, entropy: Sequence[str | None], label: str, cards: Sequence[str], seed: str | None = None
    ) -> list[str]:
        """The cards in the order of the draw named `label`; `seed`: that of a sandbox match."""
        words = self.words(entropy, label, seed)
        order = list(cards)
        for last in range(len(order) - 1, 0, -1):
            other = below(last + 1, words)
            order[last], order[other] = order[other], order[last]
        return order

    def words(self, entropy: Sequence[str | None], label: str, seed: str | None = None) -> Iterator[int]:
        """The endless 32-bit words of the draw named `label`."""
        key, block = subkey(self.match_key, "draw"), 0
        match = self.match if seed is None else f"sandbox:{seed}"
        while True:
            message = canonical(["wonderlog/draw/1", match, list(entropy), label, block])
            words = hmac.digest(key, message, "sha256")
            yield from (int.from_bytes(words[at : at + 4], "big") for at in range(0, 32, 4))
            block += 1


def below(n: int, words: Iterator[int]) -> int:
    """The next number from 0 to n - 1, each equally likely: words beyond a multiple of n are skipped."""
    limit = 2**32 - 2**32 % n
    return next(word for word in words if word < limit) % n
