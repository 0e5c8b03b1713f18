"""`wonderlog play`: a person at a terminal, here one that types ahead."""

import re

from tests.cli.running import Up, wonderlog


def test_a_whole_match_is_played_by_pressing_enter(server: Up) -> None:
    done = wonderlog("play", "--bot", "random", "--data", str(server.home), stdin="\n" * 60)
    assert done.returncode == 0, done.stderr
    assert "outcome: finished" in done.stdout
    assert "your hand" in done.stdout
    assert "your moves" in done.stdout


def test_a_person_leaves_and_goes_on_later(server: Up) -> None:
    first = wonderlog("play", "--data", str(server.home), stdin="\n2\nq\n")
    assert first.returncode == 0, first.stderr
    found = re.search(r"WONDERLOG_TOKEN=(\S+) wonderlog (play .+)", first.stdout)
    assert found is not None, first.stdout
    again = wonderlog(*found[2].split(), stdin="\n" * 100, WONDERLOG_TOKEN=found[1])
    assert again.returncode == 0, again.stderr
    assert "outcome: finished" in again.stdout


def test_two_players_also_choose_for_the_free_city(server: Up) -> None:
    done = wonderlog("play", "--seats", "2", "--data", str(server.home), stdin="\n" * 100)
    assert done.returncode == 0, done.stderr
    assert "Free City: " in done.stdout
    assert "outcome: finished" in done.stdout


def test_the_end_of_the_input_leaves_the_match_as_it_is(server: Up) -> None:
    done = wonderlog("play", "--data", str(server.home), stdin="")
    assert done.returncode == 0, done.stderr
    assert "The match waits for you." in done.stdout


def test_help_all_moves_the_table_and_wrong_answers_cost_no_move(server: Up) -> None:
    done = wonderlog("play", "--data", str(server.home), stdin="?\na\nt\n99\nnonsense\nq\n")
    assert done.returncode == 0, done.stderr
    assert "show all moves" in done.stdout
    assert done.stdout.count("your moves") == 3
    assert done.stdout.count("A number from 1 to") == 2
    assert "turn 2" not in done.stdout


def test_a_person_resigns(server: Up) -> None:
    done = wonderlog("play", "--seats", "2", "--data", str(server.home), stdin="x\ny\n")
    assert done.returncode == 0, done.stderr
    assert "You (resigned)" in done.stdout


def test_options_of_the_match_are_passed_on(server: Up) -> None:
    done = wonderlog("play", "--option", "sides=choose", "--data", str(server.home), stdin="q\n")
    assert done.returncode == 0, done.stderr
    assert "side B" in done.stdout
    wrong = wonderlog("play", "--option", "sides=C", "--data", str(server.home))
    assert wrong.returncode == 1
    assert "/options/sides" in wrong.stderr


def test_without_a_key_nothing_is_created(server: Up) -> None:
    done = wonderlog("play", "--url", server.url)
    assert done.returncode == 2
    assert "tenant key" in done.stderr


def test_a_person_pauses_and_goes_on(server: Up) -> None:
    done = wonderlog("play", "--data", str(server.home), stdin="p\n1\np\n\nq\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("The match is paused.") == 1
    for said in ("Propose a pause", "Propose to go on", "turn 2"):
        assert said in done.stdout
    assert "A number from 1 to 0" not in done.stdout


def test_a_person_takes_a_move_back_where_the_match_allows_it(server: Up) -> None:
    game = ("--game", "its-a-wonderful-world", "--seats", "1", "--option", "undo=own-turn")
    done = wonderlog("play", *game, "--data", str(server.home), stdin="\n\nu\nu\nq\n", timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Take back what you did last") == 2, done.stdout
    assert done.stdout.count(" undone") == 2
    off = wonderlog("play", "--data", str(server.home), stdin="\nu\nq\n")
    assert off.returncode == 0, off.stderr
    assert "You cannot do that now." in off.stdout and "o 1  Give up" in off.stdout


def test_what_can_be_done_at_the_table_is_shown_and_done(server: Up) -> None:
    shown = wonderlog("play", "--data", str(server.home), stdin="o\no 99\no 1\nn\no 2\nq\n")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.count("o 2  Propose a pause") == 2
    assert "The match is paused." in shown.stdout and "resigned" not in shown.stdout
