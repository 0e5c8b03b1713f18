"""Two matches that differ only in what a viewer must not see give that viewer the same answers to every GET.

For every game, every viewer, at every version at which something is hidden from the viewer: the log up to
there and its twin (see `tests/twins.py`) lie in the store of a service, and everything the OpenAPI document
lets one GET of a match is asked for both. A twin swaps all that is hidden; it grows with the log until the
viewer is shown something new, then another takes its place. What holds the whole log, the export and the
events from the first on, is asked for when a twin is full grown: a log only ever gets longer.
"""

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import pytest

from domain import seven_wonders, wonderful_kingdom, wonderful_world
from domain.catalogue import GAMES
from domain.kernel import match as matches
from domain.kernel.chance import subkey
from domain.kernel.game import Game
from domain.kernel.seats import SPECTATOR, Viewer
from domain.kernel.table import Match, MatchEnded
from domain.seven_wonders.cards import CARDS
from domain.seven_wonders.state import Action
from domain.wonderful_kingdom.setup import set_cards
from domain.wonderful_kingdom.state import Laid
from domain.wonderful_world import decks
from events.chain import seal_events
from events.envelope import ZERO_HASH, Recorded
from events.store import EventStore
from service import wire
from service.credentials import hashed, letters, seat_token, token_field
from tests import twins
from tests.service.http.conftest import Api, Live
from tests.service.http.contract import document
from tests.service.http.running import Client
from tests.service.http.streaming import NDJSON, SSE, Opened, ndjson_items, sse_items
from tests.twins import Told

SERVER_SECRET = bytes(32)
Zones = Callable[[Any, Viewer], Mapping[str, Sequence[str]]]
Get = Callable[[str, str | None], tuple[int, str, str]]  # path, token -> status, media type, text
# path, token, media type, the version to read up to -> what a stream says up to there
Follow = Callable[[str, str | None, str, int], str]


def _of_seven_wonders(play: Any, viewer: Viewer) -> dict[str, list[str]]:
    others = [seat for seat in range(len(play.hands)) if seat != viewer]
    chosen = [play.chosen[seat] for seat in range(len(play.chosen)) if seat != viewer]
    return {
        "hands": [card for seat in others for card in play.hands[seat]],
        "choices": [choice.card for choice in chosen if isinstance(choice, Action)],
        "discard pile": list(play.discard),
        "markers": [card for city in play.cities for card in city.markers],
        "draw pile": list(play.pile),
    }


def _of_wonderful_world(play: Any, viewer: Viewer) -> dict[str, list[str]]:
    others = [seat for seat in range(len(play.hands)) if seat != viewer]
    return {
        "hands": [card for seat in others for card in play.hands[seat]],
        "picks": [play.picks[seat] for seat in others if play.picks[seat] is not None],
        "deck": list(play.deck),
        "Ascension deck": list(play.ascension),
        "memorials in the deck": [card for card in play.deck if card in decks.REWARDS],
        "piles": [card for pile in play.piles for card in pile],
    }


def _of_wonderful_kingdom(play: Any, viewer: Viewer) -> dict[str, list[str]]:
    others = [seat for seat in range(len(play.boards)) if seat != viewer]
    return {
        "hands": [card for seat in others for card in play.hands[seat]] if play.hands else [],
        "offers": _face_down(itertools.chain(*play.areas.values()), viewer),
        "collections": _face_down((laid for board in play.boards for laid in board.collection), viewer),
        "leftovers": _face_down(play.buried, viewer),
        "deck": list(play.deck),
        "calamities": list(play.calamities),
        "menaces left": [card for seat in others for card in play.boards[seat].unplayed],
        "secret picks": [play.picks[seat] for seat in others if play.picks and play.picks[seat] is not None],
        "advisors drawn": [card for seat in others for card in (play.drawn_advisors or [[], []])[seat]],
    }


def _face_down(laid: Iterable[Laid], viewer: Viewer) -> list[str]:
    return [each.card for each in laid if each.face_down and viewer not in each.seen]


# Kinds that may stand for each other: of one Age, guilds apart; of one back. And where cards lie hidden.
KINDS: dict[str, Mapping[str, Any]] = {
    seven_wonders.NAME: {name: (card.age, card.colour == "purple") for name, card in CARDS.items()},
    wonderful_world.NAME: {kind: kind in decks.ASCENSION for kind in decks.CARDS},
    wonderful_kingdom.NAME: dict(wonderful_kingdom.ORIGINAL.kinds)
    | {card.id: card.set for card in wonderful_kingdom.ORIGINAL.menaces.values()},
}
# Cards of a set of menaces that were not dealt yet are in no event: any may stand for one that was.
MATES: dict[str, dict[str, list[str]]] = {
    wonderful_kingdom.NAME: {
        card.id: set_cards(wonderful_kingdom.ORIGINAL, card.set)
        for card in wonderful_kingdom.ORIGINAL.menaces.values()
    }
}
ZONES: dict[str, Zones] = {
    seven_wonders.NAME: _of_seven_wonders,
    wonderful_world.NAME: _of_wonderful_world,
    wonderful_kingdom.NAME: _of_wonderful_kingdom,
}
KINGDOM = wonderful_kingdom.GAME
DECKS = {"corruption_and_ascension": True, "war_or_peace": True}
TRAPS = {"hands", "offers", "collections", "deck"}
# Of the matches with many small steps, all there is to ask for is compared at every so many versions, and at
# all twins that are full grown; at every other version what a client asks for at each step.
STRIDE = {wonderful_kingdom.NAME: 12}
# Streams say what the pages say; they are compared at every so many versions.
STREAMED = 5
EACH_STEP = ("/view", "/legal-moves")
# A table, and the zones in which something is hidden there.
TABLES: list[tuple[Game, int, dict[str, Any], set[str]]] = [
    (seven_wonders, 2, {}, {"hands", "choices", "discard pile", "markers", "draw pile"}),
    (seven_wonders, 3, {"undo": "own-turn"}, {"hands", "choices", "discard pile", "markers"}),
    (wonderful_world, 1, {}, {"deck", "piles"}),
    (wonderful_world, 2, {"undo": "consent"}, {"hands", "picks", "deck"}),
    (wonderful_world, 3, DECKS, {"hands", "picks", "deck", "Ascension deck", "memorials in the deck"}),
    (KINGDOM, 2, {"mode": "menaces"}, {*TRAPS, "secret picks", "menaces left"}),
    (KINGDOM, 2, {"mode": "advisors"}, {*TRAPS, "leftovers", "calamities", "secret picks"}),
    (KINGDOM, 2, {"mode": "quests"}, {*TRAPS, "calamities"}),
]


@dataclass(slots=True)
class Log:
    """A match in a store, told bit by bit, under secrets of its own; the tokens of its seats."""

    store: EventStore
    game: Game
    match: str
    key: bytes
    tokens: list[str]
    secrets: dict[str, str]
    records: list[Recorded] = field(default_factory=list)

    def tell(self, told: Sequence[Told]) -> None:
        """Append these facts, command by command."""
        names = wire.of(self.game)
        for number in sorted({each.command for each in told}):
            mine = [each for each in told if each.command == number]
            drafts = names.drafts([each.fact for each in mine], mine[0].decision, {})
            moment = f"2026-01-05T10:{number // 60 % 60:02}:{number % 60:02}.000Z"
            prev_hash = self.records[-1].hash if self.records else ZERO_HASH
            seal_key = subkey(self.key, "seal")
            sealed = seal_events(drafts, self.match, len(self.records), prev_hash, moment, seal_key)
            secrets = {} if self.records else self.secrets
            self.store.append(self.match, len(self.records), None, "", sealed, secrets, durable=False)
            self.records += sealed


def opened(store: EventStore, game: Game, seats: int, dice: random.Random) -> Log:
    """A match that is nothing yet."""
    match = f"mat_{letters(dice.randbytes(16))}"
    key = dice.randbytes(32)
    tokens = [seat_token(SERVER_SECRET, match, seat, "twin") for seat in range(seats)]
    secrets = {"match_key": key.hex(), "commit_nonce": dice.randbytes(32).hex(), "tenant": "twins"}
    secrets |= {token_field(seat): hashed(token) for seat, token in enumerate(tokens)}
    return Log(store, game, match, key, tokens, secrets)


@dataclass(slots=True)
class Pair:
    """A log and its twin at a version, the state of the match there, and what is swapped between them. `new`
    counts the events of the latest command; `full` says that the twin will not grow any more."""

    state: Match
    one: Log
    two: Log
    swap: dict[str, str]
    new: int
    full: bool


def pairs(
    store: EventStore, game: Game, seats: int, told: Sequence[Told], viewer: Viewer, dice: random.Random
) -> Iterator[Pair]:
    """The log and its twin after every command at which something is hidden from the viewer."""
    kinds, shown, state = KINDS[game.NAME], twins.Shown(game, viewer), matches.initial()
    groups = [list(group) for _, group in itertools.groupby(told, lambda each: each.command)]
    mates = MATES.get(game.NAME)
    hidden = [shown.add([each.fact.event for each in group]).hidden(kinds, mates) for group in groups]
    one, two = opened(store, game, seats, dice), opened(store, game, seats, dice)
    swap: dict[str, str] = {}
    for number, group in enumerate(groups):
        one.tell(group)
        for each in group:
            matches.evolve(game, state, each.fact.event)
        changed = group
        if number == 0 or hidden[number] != hidden[number - 1]:
            swap = twins.swaps(hidden[number], kinds, dice)
            two, changed = opened(store, game, seats, dice), list(told[: len(one.records)])
        if swap:
            two.tell(twins.swapped(game, changed, viewer, swap))
            full = number + 1 == len(groups) or hidden[number + 1] != hidden[number]
            yield Pair(state, one, two, swap, len(group), full)
        else:
            alone = len({kinds[name] for name in hidden[number]})
            assert alone == len(hidden[number]), "what is hidden can be swapped"


def gets(log: Log, viewer: Viewer, new: int, full: bool, brief: bool = False) -> list[str]:
    """Every path of a match that can be asked for with GET, filled in, with the queries that matter; of them,
    `brief`, view, legal moves and the newest events."""
    if brief:
        path = f"/v1/matches/{log.match}"
        return [path + rest for rest in (*EACH_STEP, f"/events?after={len(log.records) - new}&limit=200")]
    paths: list[str] = []
    head = len(log.records)
    for path, operations in document()["paths"].items():
        if "{match}" in path and "get" in operations:
            filled = path.replace("{match}", log.match).replace("{seat}", str(max(viewer, 0)))
            for name in ("{invite}", "{spectator}"):
                filled = filled.replace(name, "a" * 16)
            paths.append(filled.replace("{key}", "k" * 20).replace("{version}", str(head)))
    assert not [path for path in paths if "{" in path], "fill in the new parameter"
    assert len(paths) >= 7
    queries = {
        "diff": [f"?from={max(1, head - new)}", f"?from={head}&to={max(1, head - 2 * new)}"],
        "view": [f"?version={max(1, head - 1)}"],
        "events": [f"?after={after}&limit=200" for after in (range(0, head, 200) if full else [head - new])],
        "proof": [f"?version={max(1, head - 1)}"],
        "export": [f"?version={max(1, head - 1)}", "?perspective=full", "?perspective=public"]
        if full
        else [],
    }
    more = [path + query for path in paths for query in queries.get(path.rsplit("/", 1)[-1], [])]
    whole = ("export", "events")
    return [path for path in paths if full or not path.endswith(whole)] + more


@lru_cache(4096)
def line(text: str) -> str:
    """A line of a bundle, masked; without hashes of masked things, and what is made of them."""
    shown = json.loads(text)
    for name in ("head", "header", "header_hash", "bundle", "seal"):
        shown.pop(name, None)
    return json.dumps(twins.masked(shown), sort_keys=True)


def answers(
    get: Get, log: Log, viewer: Viewer, new: int, full: bool, brief: bool = False
) -> list[tuple[str, int, str]]:
    """What the viewer is served, masked, path by path."""
    found = []
    token = None if viewer == SPECTATOR else log.tokens[viewer]
    for path in gets(log, viewer, new, full, brief):
        status, media, text = get(path, token)
        if media.startswith("application/x-ndjson"):
            shown = "\n".join(map(line, text.splitlines()))
        else:
            body = json.loads(text)
            body.pop("head", None)
            shown = json.dumps(twins.masked(body), sort_keys=True)
        found.append((path.replace(log.match, "*"), status, shown.replace(log.match, "*")))
    return found


def assert_same(get: Get, pair: Pair, viewer: Viewer, brief: bool = False) -> None:
    """The viewer cannot tell the two apart."""
    one, two = (answers(get, log, viewer, pair.new, pair.full, brief) for log in (pair.one, pair.two))
    for mine, other in zip(one, two, strict=True):
        assert mine == other, (viewer, len(pair.one.records))
    assert {status for _, status, _ in one} >= {200}


def followed(follow: Follow, log: Log, viewer: Viewer, new: int) -> list[str]:
    """What the viewer is told of the latest command by a stream of each kind, masked."""
    token = None if viewer == SPECTATOR else log.tokens[viewer]
    head = len(log.records)
    path = f"/v1/matches/{log.match}/events?after={head - new}"
    events = follow(path, token, SSE, head)
    lines = follow(path, token, NDJSON, head)
    said = [[item for _, item in sse_items(events)], [item for item in ndjson_items(lines) if item]]
    assert [len([item for item in items if "." in item["type"]]) for items in said] == [new, new]
    return [json.dumps(twins.masked(items), sort_keys=True).replace(log.match, "*") for items in said]


def test_every_game_has_a_table_here() -> None:
    assert {game.NAME for game, *_ in TABLES} == KINDS.keys() == ZONES.keys() == set(GAMES)


@pytest.mark.parametrize(
    ("game", "seats", "options", "zones"),
    TABLES,
    ids=["-".join([game.NAME, str(seats), options.get("mode", "")]) for game, seats, options, _ in TABLES],
)
def test_twins_give_every_viewer_the_same_answers_at_every_version(
    game: Game, seats: int, options: dict[str, Any], zones: set[str], api: Api
) -> None:
    client = api.app.test_client()

    def get(path: str, token: str | None) -> tuple[int, str, str]:
        answer = client.get(path, headers={} if token is None else {"Authorization": f"Bearer {token}"})
        return answer.status_code, answer.headers["Content-Type"], answer.text

    def follow(path: str, token: str | None, accept: str, head: int) -> str:
        named = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = client.get(path, headers={"Accept": accept, **named})
        first = next(iter(answer.response))
        answer.close()
        return first.decode() if isinstance(first, bytes) else first

    told = twins.tell(game, seats, seed=3, **options)
    told = [each for each in told if not isinstance(each.fact.event, MatchEnded)]
    commands = len({each.command for each in told})
    swapped = Counter[str]()
    for viewer in twins.viewers(seats):
        compared = 0
        found = pairs(api.services.store, game, seats, told, viewer, random.Random(f"{seats}/{viewer}"))
        for number, pair in enumerate(found):
            compared += 1
            assert_same(get, pair, viewer, bool(number % STRIDE.get(game.NAME, 1)) and not pair.full)
            if number % STREAMED == 0:
                one, two = (followed(follow, log, viewer, pair.new) for log in (pair.one, pair.two))
                assert one == two, (viewer, len(pair.one.records))
            lying = ZONES[game.NAME](pair.state.play, viewer)
            swapped.update({zone for zone, cards in lying.items() if not pair.swap.keys().isdisjoint(cards)})
        assert compared > commands / 2, (viewer, compared, commands)
    assert set(swapped) >= zones, swapped


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_real_thing_gives_no_viewer_another_answer_either(game: Game, live: Live) -> None:
    """The same over gunicorn and a real store, now and then."""
    told = twins.tell(game, 2, seed=4)
    told = [each for each in told if not isinstance(each.fact.event, MatchEnded)]
    every = max(40, told[-1].command // 5)
    with Client(live.url) as client:

        def get(path: str, token: str | None) -> tuple[int, str, str]:
            client.token = token
            answer = client.get(path)
            return answer.status_code, answer.headers["Content-Type"], answer.text

        def follow(path: str, token: str | None, accept: str, head: int) -> str:
            stream = Opened.at(int(live.url.rpartition(":")[2]), path, token, accept).read_head()
            text = stream.until(f'"version":{head},')
            while not text.endswith("\n\n" if accept == SSE else "\n"):
                assert stream.more()
                text = stream.text
            stream.close()
            return text

        for viewer in twins.viewers(2):
            found = pairs(live.services.store, game, 2, told, viewer, random.Random(f"{game.NAME}/{viewer}"))
            for number, pair in enumerate(found):
                if number % every == 0:
                    assert_same(get, replace(pair, full=True), viewer)
                    one, two = (followed(follow, log, viewer, pair.new) for log in (pair.one, pair.two))
                    assert one == two, (viewer, len(pair.one.records))
