"""Face-down cards and closed tables."""

from dataclasses import dataclass

import pytest

from domain.kernel.redaction import FACE_DOWN, OPEN, Redactions, Secret, face_down, forms, redact, take


@dataclass(frozen=True)
class Whispered:
    seat: int
    word: str


@dataclass(frozen=True)
class Shouted:
    word: str


TABLE: Redactions = {
    Whispered: Secret(
        seats=lambda event: (event.seat,),
        hide=lambda event, viewer: event if viewer == event.seat else Whispered(event.seat, FACE_DOWN),
    ),
    Shouted: OPEN,
}


def test_a_secret_is_hidden_from_the_others() -> None:
    event = Whispered(1, "altar")
    assert redact(TABLE, event, 1) == event
    assert redact(TABLE, event, 0) == redact(TABLE, event, -1) == Whispered(1, FACE_DOWN)


def test_an_open_event_is_itself() -> None:
    event = Shouted("altar")
    assert redact(TABLE, event, -1) is event
    assert forms(TABLE, event) == (event, {}, False)


def test_all_forms_of_a_secret() -> None:
    event = Whispered(1, "altar")
    assert forms(TABLE, event) == (Whispered(1, FACE_DOWN), {1: event}, True)


def test_a_class_without_an_entry_is_an_error_and_never_a_leak() -> None:
    with pytest.raises(KeyError):
        redact(TABLE, "a string", 0)
    with pytest.raises(KeyError):
        forms(TABLE, "a string")


def test_as_many_backs_as_cards() -> None:
    assert face_down(["altar", "baths"]) == [FACE_DOWN, FACE_DOWN]


@pytest.mark.parametrize(
    ("cards", "card", "left"),
    [
        (["altar", "baths", "altar"], "altar", ["baths", "altar"]),
        ([FACE_DOWN, FACE_DOWN], "altar", [FACE_DOWN]),
        (["baths", FACE_DOWN], "altar", ["baths"]),
        (["baths"], "altar", ["baths"]),
        ([], FACE_DOWN, []),
    ],
)
def test_taking_a_card_takes_it_or_a_back_or_nothing(cards: list[str], card: str, left: list[str]) -> None:
    take(cards, card)
    assert cards == left
