"""Shuffles are uniform, and nothing that is public before the end tells a hidden card."""

import hashlib
import hmac
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from domain.kernel import chance
from domain.kernel.chance import Chance, Dice
from domain.kernel.redaction import FACE_DOWN
from events import chain, reveal
from events.chain import served
from service import credentials, settings
from tests.audit.short_match import tool
from tests.audit.whole_matches import MATCH, SECRETS, TABLES, log_of

SHUFFLES = 10_000
CARDS = [f"card-{number}" for number in range(9)]


def bound(freedom: int, tail: float = 4.75) -> float:
    """What chi-square stays below but once in a million times (Wilson and Hilferty's approximation)."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + tail * math.sqrt(part)) ** 3


def chi_square(counts: Iterable[int], expected: float, cells: int) -> float:
    """How far the counts are from being alike; a cell that is not counted is empty."""
    known = list(counts)
    empty = cells - len(known)
    return sum((count - expected) ** 2 / expected for count in known) + empty * expected


def shuffles(number: int = SHUFFLES) -> Iterator[list[str]]:
    """Shuffles of as many matches, each with a key of its own."""
    for match in range(number):
        key = hashlib.sha256(f"match {match}".encode()).digest()
        yield Chance(f"mat_{match}", key, key, ("00ff", None)).shuffled("age-1/deck", CARDS)


def statistics(made: Iterable[list[str]]) -> dict[str, tuple[float, float]]:
    """Chi-square and its bound: of each card's place, of the places of two cards, of orders of three."""
    places, pairs, orders, total = Counter[Any](), Counter[Any](), Counter[Any](), 0
    for order in made:
        total += 1
        at = {card: place for place, card in enumerate(order)}
        places.update(at.items())
        for one, other in ((0, 1), (0, 8), (3, 4), (7, 8)):
            pairs[one, other, at[CARDS[one]], at[CARDS[other]]] += 1
        orders[tuple(sorted(CARDS[:3], key=at.__getitem__))] += 1
    n = len(CARDS)
    found = {"places": (chi_square(places.values(), total / n, n * n), bound((n - 1) * (n - 1)))}
    for pair in {key[:2] for key in pairs}:
        counts = [count for key, count in pairs.items() if key[:2] == pair]
        cells = n * (n - 1)
        found[f"places of cards {pair}"] = (chi_square(counts, total / cells, cells), bound(cells - 1))
    found["orders"] = (chi_square(orders.values(), total / 6, 6), bound(5))
    return found


def test_ten_thousand_shuffles_are_uniform_in_places_and_in_pairs_of_places() -> None:
    found = statistics(shuffles())
    assert len(found) == 6
    for what, (value, limit) in found.items():
        print(f"{what}: chi-square {value:.1f}, bound {limit:.1f}")
        assert value < limit, what
        assert value > 0, f"{what}: too even for chance"


def test_a_shuffle_that_is_a_little_crooked_is_found_out() -> None:
    """The naive one, which swaps each card with any other."""

    def naive() -> Iterator[list[str]]:
        dice = random.Random(1)
        for _ in range(SHUFFLES):
            order = list(CARDS)
            for place in range(len(order)):
                other = dice.randrange(len(order))
                order[place], order[other] = order[other], order[place]
            yield order

    assert any(value > limit for value, limit in statistics(naive()).values())


def test_numbers_below_any_bound_are_uniform() -> None:
    for below in (2, 3, 5, 7, 10, 13, 52):
        dice = Dice(hashlib.sha256(bytes([below])).digest())
        counts = Counter(dice.below(below) for _ in range(SHUFFLES))
        assert chi_square(counts.values(), SHUFFLES / below, below) < bound(below - 1)


# The attack: whatever is public before the end as a key, through every function that derives anything

Draw = tuple[str, str, list[str], list[str], tuple[str | None, ...]]  # match, label, input, output, entropy


def known(game: str) -> tuple[set[str], list[Draw], list[Any]]:
    """Everything a spectator and a seat were served before the end, as text; the draws; the whole log."""
    log = log_of(game)
    key = chance.subkey(SECRETS.match_key, "seal")
    told: set[str] = set()
    for perspective in ("public", "s0"):
        for envelope in served(log[:-1], perspective, key):
            told.update(_texts(envelope))
    entropy = tuple(event.data["entropy"] for event in log if event.type == "match.seat_joined")
    draws = [
        (event.match, event.data["label"], event.data["input"], event.data["output"], entropy)
        for event in log
        if "input" in event.data
    ]
    assert draws and log[-1].type == "match.ended"
    return told, draws, log


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif value is not None:
        yield str(value)


def keys_of(text: str) -> Iterator[bytes]:
    """The keys somebody would try who has this text: its bytes, what it is the hex of, their hash."""
    raws = [text.encode()]
    with suppress(ValueError):
        raws.append(bytes.fromhex(text))
    for raw in raws:
        yield raw
        yield hashlib.sha256(raw).digest()
        yield raw[:32].ljust(32, b"\0")


PURPOSES = ("seal", "draw", "bot")


def derived(key: bytes) -> Iterator[bytes]:
    """A key, and all that the code base makes of a key."""
    yield key
    for purpose in PURPOSES:
        for derive in (chance.subkey, reveal.subkey, tool.subkey):
            yield derive(key, purpose)
    for purpose in ("ids", "cursors", "signing"):
        yield settings.derived(key, purpose)
    yield bytes.fromhex(chance.commitment(key, key))
    yield credentials.match_id(key, "tenant", "key").encode()
    yield hashlib.sha256(credentials.seat_token(key, MATCH, 0, "key").encode()).digest()
    yield Chance(MATCH, key, key).bot_seed(1, 0, "0")


def orders(key: bytes, draw: Draw) -> Iterator[Iterator[str]]:
    """The deck in the order this key gives it, from its last card on, by everything that draws numbers."""
    match, label, cards, _, entropy = draw
    words = reveal.Reveal(match, key, key).words(entropy, label)
    yield backwards(lambda n: reveal.below(n, words), cards)
    # As if it were the draw key itself.
    raw = tool.words(key, match, list(entropy), label)
    yield backwards(lambda n: tool.number_below(raw, n), cards)
    yield backwards(Dice(key).below, cards)
    yield backwards(random.Random(key).randrange, cards)


def backwards(below: Callable[[int], int], cards: list[str]) -> Iterator[str]:
    """Fisher-Yates, card by card: one that has its place is not moved again."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
        yield order[last]


def gives_away(key: bytes, draw: Draw) -> bool:
    """Whether the last four cards come out as they were drawn."""
    return any(
        all(card == drawn for card, drawn in zip(order, draw[3][:-5:-1], strict=False))
        for order in orders(key, draw)
    )


def candidates(told: Iterable[str]) -> set[bytes]:
    """Every key that somebody would try who has these texts."""
    return {made for text in told for key in keys_of(text) for made in derived(key)}


def longest(draws: list[Draw]) -> Draw:
    """The longest draw of a whole deck."""
    found = max((draw for draw in draws if len(draw[2]) == len(draw[3])), key=lambda draw: len(draw[3]))
    assert len(set(found[2])) > 12
    return found


@pytest.mark.parametrize("game", TABLES)
def test_nothing_public_before_the_end_gives_a_draw_away(game: str) -> None:
    told, draws, log = known(game)
    secret = SECRETS
    assert secret.match_key.hex() not in told and secret.commit_nonce.hex() not in told
    hashes = sorted(text for text in told if len(text) == 64)
    texts = {text for text in told if len(text) < 64} | set(hashes[::7]) | {log[0].data["commitment"]}
    keys = candidates(texts)
    draw = longest(draws)
    # One in a million keys gives four cards by chance: then all of the deck is looked at.
    hits = [key for key in keys if gives_away(key, draw)]
    assert not any(list(each)[::-1] == draw[3][1:] for key in hits for each in orders(key, draw))
    assert len(hits) < 3
    print(f"{game}: {len(texts)} texts, {len(keys)} keys tried, none gives the draw away")
    assert len(keys) > 5000


@pytest.mark.parametrize("game", TABLES)
def test_the_search_finds_the_key_when_it_is_there(game: str) -> None:
    """The test of the test: with the match key, as hex, the deck is found, whole."""
    _, draws, _ = known(game)
    draw = longest(draws)
    hits = [key for key in candidates([SECRETS.match_key.hex()]) if gives_away(key, draw)]
    assert any(list(each)[::-1] == draw[3][1:] for key in hits for each in orders(key, draw))


def test_the_domain_draws_as_the_search_does() -> None:
    for order, reference in zip(shuffles(50), range(50), strict=True):
        key = hashlib.sha256(f"match {reference}".encode()).digest()
        draw = (f"mat_{reference}", "age-1/deck", CARDS, order, ("00ff", None))
        assert list(next(orders(key, draw)))[::-1] == order[1:]


@pytest.mark.parametrize("game", TABLES)
def test_no_nonce_and_no_seal_of_others_follows_from_what_a_seat_was_told(game: str) -> None:
    """A seat's own nonces open nobody else's seals."""
    told, _, log = known(game)
    hidden = [event for event in log[:-1] if "full" in event.seals and FACE_DOWN in str(event.public)][:3]
    assert hidden
    nonces = sorted(text for text in told if len(text) == 64)[:400]
    for event in hidden:
        for nonce in nonces:
            assert chain.seal(event.match, event.version, "full", nonce, event.data) != event.seals["full"]
        own = hmac.digest(
            chance.subkey(SECRETS.match_key, "seal"),
            chance.canonical(["wonderlog/nonce/1", event.match, event.version, "full"]),
            "sha256",
        ).hex()
        assert chain.seal(event.match, event.version, "full", own, event.data) == event.seals["full"]


def test_every_function_that_draws_is_in_the_search() -> None:
    """What in the domain and in the log makes numbers of a key: a new module must be tried here as well."""
    root = Path(__file__).parents[2]
    makes = re.compile(r"hmac\.digest|hmac\.new|^import random$", re.MULTILINE)
    drawing = {
        path.relative_to(root).as_posix()
        for folder in ("domain", "events")
        for path in (root / folder).rglob("*.py")
        if makes.search(path.read_text(encoding="utf-8"))
    }
    assert drawing == KNOWN


KNOWN = {"domain/kernel/chance.py", "events/chain.py", "events/reveal.py"}
