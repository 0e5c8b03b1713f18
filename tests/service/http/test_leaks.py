"""Every answer of every operation, success and problem, every log line and every webhook body is searched for
what nobody may read there: hidden cards, keys, seeds, tokens, hashes of tokens, names in the wrong places.

Driven by the paths of the OpenAPI document, so that no new route can be missed. What the search itself is
worth is tested with leaks made on purpose.
"""

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain import seven_wonders
from domain.catalogue import GAMES
from domain.kernel.chance import subkey
from domain.kernel.printed import strings
from events.chain import nonce
from service import showing
from service.positions import Cache, Position, Positions
from service.settings import derived
from service.webhooks import notices
from tests.service.http.conftest import SECRET, Seated, Table
from tests.service.http.running import new_key
from tests.service.http.test_access import OPERATIONS, ask

# Printed cards are what these are about, of any match or none.
CATALOGUES = {"getGame", "listGames", "getOpenApi", "getProblemPage", "getReference"}
CALLERS = ("nobody", "seat 0", "seat 1", "host", "spectator", "invite", "stranger")
NAME = "Quirke"
REF = "user-secret-4711"
CARDS = seven_wonders.backs().keys()


def at_table(seated: Seated) -> tuple[Table, dict[str, str | None]]:
    """A running match in which seat 2 has moved, and a credential for each caller."""
    table = seated(open_seats=1)
    api, host = table.api, table.host
    invite = api.post(f"{table.path}/invites", {"label": "x"}, host).json["token"]
    spectator = api.post(f"{table.path}/spectators", {"label": "x"}, host).json["token"]
    body = {"name": NAME, "player_ref": REF, "entropy": "c0ffee"}
    table.seats.append(api.post(f"{table.path}/seats", body, host).json["token"])
    table.start()
    assert table.send(2, table.moves(2)[0]).status_code == 200
    stranger = api.tenant("stranger")
    tokens = [None, table.seats[0], table.seats[1], host, spectator, invite, stranger]
    return table, dict(zip(CALLERS, tokens, strict=True))


def position_of(table: Table) -> Position:
    """The match as the service itself sees it."""
    found = Positions(table.api.services.store, GAMES, Cache(1)).load(table.id)
    assert found is not None
    return found


def secrets_of(table: Table, tokens: dict[str, str | None], caller: str) -> dict[str, str]:
    """What must be in no answer to this caller: by what it is."""
    api = table.api
    position, own = position_of(table), tokens[caller]
    key = bytes.fromhex(position.secrets["match_key"])
    found = {
        "match key": position.secrets["match_key"],
        "commit nonce": position.secrets["commit_nonce"],
        "server secret": SECRET.hex(),
        "signing seed": derived(SECRET, "signing").hex(),
        "a player_ref": REF,
        **{f"{use} key": subkey(key, use).hex() for use in ("seal", "draw", "bot")},
        **{
            f"the key for {use}": derived(SECRET, use).hex()
            for use in ("ids", "persons", "cursors", "webhooks")
        },
    }
    for field, value in position.secrets.items():
        if field.startswith(("token", "player", "sealed-name", "issued", "pass")) and len(value) > 20:
            found[f"the secret {field}"] = value
    for id in list(getattr(api.services.adapters.persons, "kept", {})):
        found[f"the salt of {id}"] = api.services.adapters.persons.salts([id])[0] or "-"
    found |= {f"the token of {who}": token for who, token in tokens.items() if token and token != own}
    viewer = int(caller[-1]) if caller.startswith("seat") else -1
    view = showing.view(position, viewer, {})
    for card in CARDS & set(strings(msgspec.to_builtins(position.state.play))) - set(strings(view)):
        found[f"the card {card}"] = f'"{card}"'
    seal_key = subkey(key, "seal")
    for record in api.services.store.read(table.id, 0, 1000):
        for perspective in record.seals:
            if perspective != f"s{viewer}":
                blind = nonce(seal_key, table.id, record.version, perspective).hex()
                found[f"the nonce of {perspective} at {record.version}"] = blind
    return found


def leaks(text: str, secrets: dict[str, str]) -> list[str]:
    """Which of these are in a text."""
    return [what for what, secret in secrets.items() if secret in text]


def whole(answer: Any) -> str:
    """An answer with all that is in it."""
    return f"{answer.status} {answer.headers} {answer.get_data(as_text=True)}"


GET_FAULTS: tuple[dict[str, Any], ...] = (
    {"query_string": "nonsense=1"},
    {"headers": {"Accept": "image/png"}},
    {"headers": {"If-None-Match": "*"}},
    {"headers": {"Wonderlog-Known-Head": f"5:{'f' * 64}"}},
    {"headers": {"Wonderlog-Known-Head": "?"}},
)
WRITE_FAULTS: tuple[dict[str, Any], ...] = (
    {"json": {}, "headers": {"Idempotency-Key": None}},
    {"data": b"{", "content_type": "application/json"},
    {"json": {"nonsense": 1}},
    {"json": {"decision": "d1.choose", "command": {"type": "discard_for_coins", "card": "altar"}}},
    {"data": b"x", "content_type": "text/plain"},
    {"json": {"command": {"type": "resign"}}, "headers": {"If-Match": '"v1"'}},
)


def faulty(method: str) -> tuple[dict[str, Any], ...]:
    """What can be wrong with any request of this method."""
    return GET_FAULTS if method == "GET" else WRITE_FAULTS


def filled(table: Table, path: str) -> str:
    """A path with every parameter filled in: what there is, or nothing."""
    named = {"match": table.id, "seat": 0, "version": 3, "game": "seven-wonders", "key": new_key()}
    return re.sub(r"\{([a-z_]+)\}", lambda each: str(named.get(each[1], "a" * 16)), path)


def asked(table: Table, operation: tuple[str, str, str], token: str | None) -> Iterator[tuple[str, Any]]:
    """An operation as it should be called, and in every way it should not."""
    id, method, path = operation
    try:
        yield "as it should be", ask(table.api, table, operation, token)
    except KeyError as missing:
        raise AssertionError(f"{id}: what stands for {missing} in its path?") from missing
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    for fault in faulty(method):
        more = {name: value for name, value in fault.items() if name != "headers"}
        sent = headers | {"Idempotency-Key": new_key()} | fault.get("headers", {})
        plain = {name: value for name, value in sent.items() if value is not None}
        url = filled(table, path) + ("?from=1" if id == "getDiff" and "query_string" not in more else "")
        yield str(fault), table.api.app.test_client().open(url, method=method, headers=plain, **more)


READS = [operation for operation in OPERATIONS if operation[1] == "GET"]
WRITES = [operation for operation in OPERATIONS if operation[1] != "GET"]


@pytest.mark.parametrize("caller", CALLERS)
def test_no_read_tells_anybody_what_is_not_theirs(
    caller: str, seated: Seated, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table, tokens = at_table(seated)
    secrets = secrets_of(table, tokens, caller)
    assert sum(name.startswith("the card") for name in secrets) >= 10
    searched = 0
    for operation in READS:
        found = secrets
        if operation[0] in CATALOGUES:
            found = {what: secret for what, secret in secrets.items() if not what.startswith("the card")}
        for how, answer in asked(table, operation, tokens[caller]):
            assert leaks(whole(answer), found) == [], (operation[0], how)
            searched += 1
    assert searched >= len(READS) * (1 + len(GET_FAULTS))
    assert_clean(caplog, table, tokens)


@pytest.mark.parametrize("caller", ["nobody", "seat 0", "host", "invite"])
def test_no_write_tells_anybody_what_is_not_theirs(
    caller: str, seated: Seated, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for operation in WRITES:
        table, tokens = at_table(seated)
        secrets = secrets_of(table, tokens, caller)
        for how, answer in asked(table, operation, tokens[caller]):
            if answer.status_code < 300 and position_of(table).state.status == "over":
                break  # called off: all is open now
            assert leaks(whole(answer), secrets) == [], (operation[0], how)
    assert_clean(caplog, table, tokens)


def assert_clean(caplog: pytest.LogCaptureFixture, table: Table, tokens: dict[str, str | None]) -> None:
    """No log line holds anything that is a secret to anybody, nor a token of anybody, nor a name."""
    said = "\n".join(logging.Formatter().format(record) for record in caplog.records)
    assert '"route"' in said, "requests are logged"
    secrets = secrets_of(table, tokens, "nobody")
    for word in ("Player 0", NAME, *(token for token in tokens.values() if token)):
        secrets[f"the text {word[:12]}"] = word
    assert leaks(said, secrets) == []


def test_no_webhook_body_tells_a_secret(seated: Seated) -> None:
    table, tokens = at_table(seated)
    for seat in (0, 1):
        table.send(seat, table.moves(seat)[0])
    position = position_of(table)
    found = notices.derive(position, table.api.services.store.read(table.id, 0, 1000))
    bodies = "\n".join(notice.body for notice in found)
    assert len(found) >= 3 and table.id in bodies
    secrets = secrets_of(table, tokens, "nobody") | {"a name": "Player 0", "another": NAME}
    assert leaks(bodies, secrets) == []


@pytest.mark.parametrize("caller", ["nobody", "seat 0", "host"])
def test_the_search_finds_what_is_let_slip(
    caller: str, seated: Seated, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A card, a key and a token of another, put into views, headers and the log on purpose."""
    table, tokens = at_table(seated)
    secrets = secrets_of(table, tokens, caller)
    view = next(operation for operation in READS if operation[0] == "getView")
    honest = showing.view

    def let_slip(text: str) -> list[str]:
        def view_of(*given: Any) -> dict[str, Any]:
            return honest(*given) | {"slip": json.loads(text)}

        monkeypatch.setattr(showing, "view", view_of)
        table.api.documented = False
        answer = next(iter(asked(table, view, tokens[caller])))[1]
        return leaks(whole(answer), secrets)

    card = next(what for what in secrets if what.startswith("the card"))
    assert let_slip(f'[{{"x": {secrets[card]}}}]') == [card]
    for what in ("match key", "seal key", "the token of seat 1", "a player_ref"):
        assert let_slip(json.dumps(["x", secrets[what]])) == [what]
    caplog.set_level(logging.DEBUG)
    logging.getLogger("wonderlog").info("a card %s", secrets[card])
    with pytest.raises(AssertionError):
        monkeypatch.setattr(showing, "view", honest)
        next(iter(asked(table, view, tokens[caller])))
        assert_clean(caplog, table, tokens)
