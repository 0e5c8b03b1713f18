"""Signed heads: Ed25519 over the canonical bytes of an array that names its purpose."""

from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from events.canonical import canonical


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs with one private key. `public_key`: 64 hex digits."""

    _key: Ed25519PrivateKey = field(repr=False)
    public_key: str

    @classmethod
    def from_seed(cls, seed: bytes) -> "Signer":
        """The signer whose private key is these 32 secret bytes. Raises ValueError for another number."""
        key = Ed25519PrivateKey.from_private_bytes(seed)
        return cls(key, key.public_key().public_bytes_raw().hex())

    @classmethod
    def from_file(cls, path: Path) -> "Signer":
        """The signer whose private key is in a file, 64 hex digits. Raises ValueError if it is not."""
        return cls.from_seed(bytes.fromhex(path.read_text(encoding="ascii").strip()))

    def sign(self, purpose: str, *values: str | int) -> str:
        """The signature over `[purpose, *values]`, 128 hex digits."""
        return self._key.sign(canonical([purpose, *values])).hex()

    def sign_head(self, match: str, version: int, hash: str) -> str:
        """The signature over the head of a match."""
        return self.sign("wonderlog/head/1", match, version, hash)


def is_signed(public_key: str, signature: str, purpose: str, *values: str | int) -> bool:
    """Whether this is the key's signature over `[purpose, *values]`; False for what is none at all."""
    try:
        key, signed = bytes.fromhex(public_key), bytes.fromhex(signature)
        if (key.hex(), signed.hex()) != (public_key, signature):
            return False
        Ed25519PublicKey.from_public_bytes(key).verify(signed, canonical([purpose, *values]))
    except (ValueError, InvalidSignature):
        return False
    return True


def is_signed_head(public_key: str, signature: str, match: str, version: int, hash: str) -> bool:
    """Whether this is the key's signature over the head of a match."""
    return is_signed(public_key, signature, "wonderlog/head/1", match, version, hash)
