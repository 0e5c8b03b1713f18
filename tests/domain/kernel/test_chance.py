"""Labelled draws: the only randomness of the domain."""

from collections import Counter

import pytest

from domain.kernel.chance import Chance, DeckShuffled, Dice, commitment, draw, subkey
from tests.given_when_then import secrets

CARDS = sorted(["altar", "baths", "clay_pool", "lumber_yard", "tavern", "theater"])
DECK = sorted(f"card-{number}" for number in range(40))


def test_a_shuffle_keeps_the_cards_and_depends_on_secret_match_entropy_and_label() -> None:
    key = bytes(range(32))
    chances = [
        Chance("mat_a", key, key, ("aa", None)),
        Chance("mat_a", bytes(32), key, ("aa", None)),
        Chance("mat_b", key, key, ("aa", None)),
        Chance("mat_a", key, key, ("ab", None)),
        Chance("mat_a", key, key, (None, "aa")),
    ]
    shuffles = [tuple(chance.shuffled("deck", DECK)) for chance in chances]
    shuffles.append(tuple(chances[0].shuffled("deck-2", DECK)))
    assert len(set(shuffles)) == len(shuffles)
    assert all(sorted(shuffle) == DECK for shuffle in shuffles)
    assert chances[0].shuffled("deck", DECK) == list(shuffles[0])


def test_the_input_must_be_sorted() -> None:
    with pytest.raises(ValueError, match="not sorted"):
        secrets().shuffled("deck", ["b", "a"])


def test_a_draw_records_its_input_and_the_first_cards_of_the_shuffle() -> None:
    whole = secrets().shuffled("deck", CARDS)
    assert draw(secrets(), "deck", CARDS[::-1], 2) == DeckShuffled("deck", 2, CARDS, whole[:2])
    assert draw(secrets(), "deck", CARDS) == DeckShuffled("deck", 6, CARDS, whole)


def test_every_order_is_as_likely() -> None:
    """Three cards in 6,000 matches: each of the six orders near 1,000 times (five deviations allow 144)."""
    orders = Counter(tuple(secrets(f"mat_{n}").shuffled("deck", ["a", "b", "c"])) for n in range(6000))
    assert len(orders) == 6
    assert all(abs(times - 1000) < 145 for times in orders.values()), orders


def test_secrets_are_never_printed() -> None:
    chance = secrets()
    assert repr(chance) == "Chance('mat_test')"
    assert chance.match_key.hex() not in repr(chance) + str(chance)


def test_the_commitment_binds_both_secrets() -> None:
    key, nonce = bytes(32), bytes(range(32))
    assert len({commitment(key, nonce), commitment(nonce, key), commitment(key, key)}) == 3
    assert Chance("mat", key, nonce).commitment() == commitment(key, nonce)


def test_subkeys_differ_by_purpose() -> None:
    assert len({subkey(bytes(32), purpose) for purpose in ("seal", "draw", "bot")}) == 3


def test_the_seed_of_a_bot_is_its_own_at_each_decision() -> None:
    chance = secrets()
    seeds = {chance.bot_seed(version, seat, build) for version in (1, 2) for seat in (0, 1) for build in "ab"}
    assert len(seeds) == 8


def test_dice_are_fair_and_repeat_with_their_seed() -> None:
    dice = Dice(bytes(32))
    thrown = [dice.below(6) for _ in range(6000)]
    again = Dice(bytes(32))
    assert thrown == [again.below(6) for _ in range(6000)]
    counts = Counter(thrown)
    assert set(counts) == set(range(6))
    assert all(abs(times - 1000) < 145 for times in counts.values()), counts
