"""Card sets from folders: what is read, what is refused at the start, several sets live at once, and matches
whose set is not there."""

import json
import logging
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.library import UnknownRuleset
from domain.wonderful_kingdom import GAME, ORIGINAL
from service import bootstrap, card_sets, scopes, settings
from service.bootstrap import Services
from service.credentials import NOBODY
from service.errors import Invalid, NotFound, RulesetUnsupported, Unauthenticated
from service.positions import Cache, Positions
from service.settings import SettingsError
from service.webhooks import notices
from tests.service.table import SECRET, Hands, Table, run_jobs, set_up, started, tenant

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "cards" / "its-a-wonderful-kingdom" / "original-1"
SECOND = ROOT / "tests" / "data" / "wonderful_kingdom" / "second_set"
KINGDOM = "its-a-wonderful-kingdom"
VARIABLE = "WONDERLOG_KINGDOM_CARDS"


def services(*folders: Path, over: Services | None = None, later_ms: int = 0) -> Services:
    """Services with the card sets of these folders, by default in a memory of their own."""
    known, clock = replace(settings.for_memory(SECRET), kingdom_cards=folders), Hands()
    clock.move(later_ms)
    return bootstrap.services(known, clock=clock, adapters=None if over is None else over.adapters)


def pin(folder: Path) -> str:
    """The set of a folder as matches pin it."""
    return card_sets.load(folder).pin


def test_the_folder_that_is_shipped_holds_the_original_set() -> None:
    assert card_sets.load(SHIPPED) == ORIGINAL


def test_the_digest_does_not_depend_on_how_the_files_are_written(tmp_path: Path) -> None:
    other = tmp_path / "original-1"
    other.mkdir()
    for file in SHIPPED.glob("*.json"):
        (other / file.name).write_text(json.dumps(json.loads(file.read_text()), indent=7, sort_keys=True))
    assert card_sets.load(other) == ORIGINAL


def test_the_first_folder_is_that_of_new_matches_and_the_original_set_stays() -> None:
    games = card_sets.games([SECOND])
    second, original = games.all_of(KINGDOM)
    assert games[KINGDOM] is second and original.RULESET == GAME.RULESET
    assert f"its-a-wonderful-kingdom/1.0.0+{pin(SECOND)}" == second.RULESET
    assert games.game_for(KINGDOM, GAME.RULESET) is original
    assert games.for_options(KINGDOM, {"card_set": ORIGINAL.pin}) is original
    assert games.for_options(KINGDOM, {"mode": "quests"}) is second
    with pytest.raises(UnknownRuleset):
        games.game_for(KINGDOM, "its-a-wonderful-kingdom/1.0.0+printed-1@0123456789abcdef")
    with pytest.raises(UnknownRuleset):
        games.game_for("chess", "chess/1.0.0")
    with pytest.raises(UnknownRuleset):
        games.game_for("seven-wonders", "seven-wonders/0.9.0")


def test_a_copy_of_the_original_set_is_the_original_set() -> None:
    assert len(card_sets.games([SHIPPED]).all_of(KINGDOM)) == 1


def changed(file: str, change: Callable[[Any], object]) -> Callable[[Path], object]:
    """Something wrong in one document."""

    def spoil(folder: Path) -> None:
        path = folder / file
        document = json.loads(path.read_text())
        change(document)
        path.write_text(json.dumps(document))

    return spoil


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a file is missing": (lambda folder: (folder / "menaces.json").unlink(), "mine/menaces.json is missing"),
    "a file is a folder": (
        lambda folder: ((folder / "menaces.json").unlink(), (folder / "menaces.json").mkdir()),
        "mine/menaces.json cannot be read",
    ),
    "no JSON": (lambda folder: (folder / "duchies.json").write_text("{"), "mine/duchies.json is no JSON"),
    "no UTF-8": (
        lambda folder: (folder / "duchies.json").write_bytes(b"\xff"),
        "mine/duchies.json is no JSON",
    ),
    "a member twice": (
        lambda folder: (folder / "duchies.json").write_text('{"cards": [], "cards": []}'),
        "an object has a member twice",
    ),
    "no number": (
        lambda folder: (folder / "duchies.json").write_text('{"cards": NaN}'),
        "mine/duchies.json is no JSON: NaN",
    ),
    "nested without end": (
        lambda folder: (folder / "duchies.json").write_text("[" * 200_000),
        "mine/duchies.json is no JSON",
    ),
    "too large": (
        lambda folder: (folder / "duchies.json").write_text(" " * 4_000_001),
        "mine/duchies.json is larger than 4,000,000 bytes",
    ),
    "a list at the top": (
        lambda folder: (folder / "treasures.json").write_text("[]"),
        "treasures: not of the expected shape",
    ),
    "a card too few": (
        changed("treasures.json", lambda document: document["cards"].pop()),
        "mine: treasures: 9 cards instead of 10",
    ),
    "an unknown op": (
        changed("advisors.json", lambda document: document["cards"][0]["effects"][0].update(op="win")),
        "the op 'win' has no meaning here",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_folder_that_is_no_card_set_is_refused_at_the_start(fault: str, tmp_path: Path) -> None:
    spoil, said = FAULTS[fault]
    folder = tmp_path / "mine"
    shutil.copytree(SHIPPED, folder)
    spoil(folder)
    with pytest.raises(SettingsError) as refusal:
        services(folder)
    assert str(refusal.value).startswith(f"{VARIABLE}: ") and said in str(refusal.value)


@pytest.mark.parametrize("name", ["no-such-folder", "Not A Name", "-", "ä", "a" * 41])
def test_a_folder_that_is_not_there_or_has_no_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=VARIABLE):
        services(tmp_path / name)


def test_the_setting_names_folders_from_where_the_process_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    read = settings.from_environment({"WONDERLOG_SERVER_SECRET": SECRET.hex(), VARIABLE: f"a/b:{SECOND}:"})
    assert read.kingdom_cards == (tmp_path / "a" / "b", SECOND)
    assert settings.from_environment({"WONDERLOG_SERVER_SECRET": SECRET.hex()}).kingdom_cards == ()


# Several sets at once


def test_matches_with_two_sets_are_played_side_by_side() -> None:
    made = services(SECOND)
    newer = started(made, 2, game=KINGDOM, bots={1: "random"}, seed="newer")
    pinned = {"card_set": ORIGINAL.pin}
    older = started(made, 2, game=KINGDOM, bots={1: "random"}, options=pinned, seed="older")
    for table, folder in ((newer, SECOND), (older, SHIPPED)):
        cards = card_sets.load(folder)
        assert made.matches.match(table.tenant, table.match)["ruleset"].endswith(f"+{cards.pin}")
        play_out(table)
        view = table.view(table.seat(0))
        assert view["status"] == "over" and view["state"]["boards"][0]["duchy"] in cards.duchies
        named = {word for word in json.dumps(table.log()).split('"') if word in KINDS}
        assert named and named <= set(cards.kinds)


KINDS = {*card_sets.load(SECOND).kinds, *ORIGINAL.kinds}


def test_the_catalogue_shows_each_set_by_its_ruleset() -> None:
    made = services(SECOND)
    (short,) = [game for game in made.matches.games() if game["name"] == KINGDOM]
    assert [ruleset.rpartition("+")[2] for ruleset in short["rulesets"]] == [pin(SECOND), ORIGINAL.pin]
    shown = [made.matches.game(KINGDOM, ruleset) for ruleset in short["rulesets"]]
    assert made.matches.game(KINGDOM) == shown[0]
    for game, folder in zip(shown, (SECOND, SHIPPED), strict=True):
        assert game["card_set"]["digest"] == card_sets.load(folder).digest
        assert game["options"]["properties"]["card_set"]["default"] == pin(folder)
        assert sorted(game["options"]["properties"]["card_set"]["enum"]) == sorted(
            [pin(SECOND), ORIGINAL.pin]
        )
    assert shown[0]["ruleset_digest"] != shown[1]["ruleset_digest"]
    with pytest.raises(NotFound):
        made.matches.game(KINGDOM, "its-a-wonderful-kingdom/0.0.1")


def test_an_option_that_belongs_to_the_other_set_is_refused() -> None:
    board = next(iter(ORIGINAL.boards))
    assert board not in card_sets.load(SECOND).boards
    for options in ({"quest_board": board}, {"card_set": "printed-1@0123456789abcdef"}):
        with pytest.raises(Invalid):
            set_up(services(SECOND), 2, game=KINGDOM, options={"mode": "quests", **options})


def test_a_quest_board_is_one_of_the_set_that_is_chosen() -> None:
    board = list(ORIGINAL.boards)[2]
    options = {"mode": "quests", "card_set": ORIGINAL.pin, "quest_board": board}
    table = started(services(SECOND), 2, game=KINGDOM, options=options)
    assert table.view()["state"]["quest_board"] == board


# A set that is not there any more


@pytest.fixture
def lost() -> tuple[Table, Services]:
    """A running match with the second set, and services on the same store that have the original alone."""
    made = services(SECOND)
    table = started(made, 2, game=KINGDOM, bots={1: "easy"}, options={"decision_limit_ms": 60_000})
    return table, services(over=made)


def test_a_match_whose_set_is_not_here_is_refused_to_those_who_may_know_of_it(
    lost: tuple[Table, Services],
) -> None:
    table, without = lost
    matches, seat = without.matches, table.seat(0)
    body = {"decision": table.decision()["id"], "command": {"type": "validate"}}
    calls: list[Callable[[], object]] = [
        lambda: matches.match(seat, table.match),
        lambda: matches.match(table.tenant, table.match),
        lambda: matches.match(NOBODY, table.match),
        lambda: matches.seats(table.tenant, table.match),
        lambda: matches.view(seat, table.match),
        lambda: matches.view(seat, table.match, 3),
        lambda: matches.legal_moves(seat, table.match),
        lambda: matches.events(seat, table.match, 0),
        lambda: matches.export(table.tenant, table.match),
        lambda: matches.command(seat, table.match, body, "k" * 16, "f"),
        lambda: matches.command_batch(seat, table.match, {"commands": [body]}, "k" * 16, "f"),
        lambda: matches.join(table.tenant, table.match, {"name": "Eve"}, "j" * 16, "f"),
        lambda: matches.leave(table.tenant, table.match, 0),
    ]
    for call in calls:
        with pytest.raises(RulesetUnsupported) as refusal:
            call()
        assert refusal.value.ruleset.endswith(f"+{pin(SECOND)}")


def test_others_learn_nothing_of_it() -> None:
    made = services(SECOND)
    table = started(made, 2, game=KINGDOM, visibility="private")
    matches = services(over=made).matches
    other = tenant(made, "other")
    for call in (matches.match, matches.view, matches.seats):
        with pytest.raises(NotFound):
            call(other, table.match)
        with pytest.raises(NotFound):
            call(NOBODY, table.match)
    with pytest.raises(NotFound):
        matches.join(other, table.match, {}, "j" * 16, "f")
    with pytest.raises(Unauthenticated):
        matches.legal_moves(NOBODY, table.match)


def test_lists_and_notices_go_on_without_it() -> None:
    made = services(SECOND)
    lost = started(made, 2, game=KINGDOM, options={"spectator_delay": 5})
    later = services(SECOND, over=made, later_ms=1)
    kept = started(later, 2, game=KINGDOM, options={"card_set": ORIGINAL.pin}, host=lost.tenant)
    without = services(over=made, later_ms=1)
    trailing = replace(lost.tenant, scopes=lost.tenant.scopes - {scopes.LIVE})
    listed = {
        caller: [match["id"] for match in without.matches.list_matches(caller)["items"]]
        for caller in (lost.tenant, trailing)
    }
    assert listed == {lost.tenant: [kept.match, lost.match], trailing: [kept.match]}
    without.notifying.notify(lost.match)
    position = Positions(without.store, card_sets.games(()), Cache(1)).load(lost.match)
    assert position is not None and position.unsupported is not None
    assert not notices.is_superseded(position, "d9.offer")


def test_workers_leave_it_alone_until_the_set_is_back(
    lost: tuple[Table, Services], caplog: pytest.LogCaptureFixture
) -> None:
    table, without = lost
    before = table.view()["version"]
    turn = next(iter(table.view()["decisions"]))["id"]
    with caplog.at_level(logging.WARNING):
        assert without.bots.play(table.match, turn, 1) == 0
        assert without.upkeep.enforce_deadline(table.match, turn) is False
        without.upkeep.look_at(table.match)
        assert without.upkeep.rebuild([table.match]) == 1
    assert f"no rules or cards here for its-a-wonderful-kingdom/1.0.0+{pin(SECOND)}" in caplog.text
    run_jobs(without)
    assert table.view()["version"] == before
    again = services(SECOND, over=without, later_ms=5_000)  # the jobs of the bot are lost by now
    again.upkeep.look_at(table.match)
    table.services = again
    assert play_out(table)["status"] == "over"


def test_a_cached_match_is_folded_with_its_own_set() -> None:
    made = services(SECOND)
    table = started(made, 2, game=KINGDOM, bots={1: "random"}, options={"card_set": ORIGINAL.pin})
    assert table.view() == table.view()
    again = services(SECOND, over=made)
    table.services = again
    cold, warm = table.view(), table.view()
    assert cold == warm and made.matches.view(table.tenant, table.match) == cold


def play_out(table: Table) -> dict[str, Any]:
    """Seat 0 makes its first legal move, jobs play the bots, until the match is over; the last view."""
    for _ in range(2000):
        run_jobs(table.services)
        view = table.view(table.seat(0))
        if view["status"] == "over":
            return view
        assert 0 in view["awaited"]
        moves = table.services.matches.legal_moves(table.seat(0), table.match)["moves"]
        table.command(table.seat(0), moves[-1]["body"])
    raise AssertionError("the match does not end")
