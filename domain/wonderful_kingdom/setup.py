"""Setting the table: duchies, menace sets, advisors, decks; beginning a round (rules 1, 3.1, 6, 7)."""

from collections.abc import Callable
from typing import Final

from domain.kernel.chance import Chance, DeckShuffled, draw
from domain.kernel.errors import refuse
from domain.kernel.game import Command, Event
from domain.kernel.redaction import take
from domain.kernel.seats import Seat
from domain.kernel.table import MatchStarted
from domain.wonderful_kingdom.bags import KRYSTALLIUM, SOLDIERS
from domain.wonderful_kingdom.cards import RAT_PILE, CardSet
from domain.wonderful_kingdom.commands import ChooseMenace, ChooseMenaceSet, KeepAdvisor
from domain.wonderful_kingdom.events import (
    AdvisorKept,
    AdvisorsDrawn,
    AdvisorsRevealed,
    DuchiesDealt,
    HandsDealt,
    MenaceChosen,
    MenaceSetChosen,
    MenaceSetsOffered,
    OffersBegan,
)
from domain.wonderful_kingdom.options import ADVISORS, MENACES, MODE, SIDE
from domain.wonderful_kingdom.rulings import ADVISOR_SOLDIERS, ADVISORS_DRAWN, HAND
from domain.wonderful_kingdom.state import (
    ADVISOR,
    DEALT,
    LEFT,
    MENACE,
    MENACE_SET,
    NOBODY,
    RIGHT,
    Board,
    Laid,
    State,
    other,
    seats_from_start,
)

DUCHIES_LABEL: Final = "wonderful_kingdom/duchies"
START_LABEL: Final = "wonderful_kingdom/start-player"
DECK_LABEL: Final = "wonderful_kingdom/deck"
CALAMITIES_LABEL: Final = "wonderful_kingdom/calamities"
ADVISORS_LABEL: Final = "wonderful_kingdom/advisors"
_SEATS: Final = ("seat-0", "seat-1")


def menace_sets(cards: CardSet) -> list[str]:
    """The sets players choose from."""
    return sorted({card.set for card in cards.menaces.values()} - {RAT_PILE})


def set_cards(cards: CardSet, name: str) -> list[str]:
    """The cards of a set of menaces, sorted."""
    return sorted(card.id for card in cards.menaces.values() if card.set == name)


def deck(cards: CardSet, mode: str, advisors: list[str]) -> list[str]:
    """The deck of a mode, sorted: developments with treasures, or with the advisors nobody drew (rules 1.2,
    7.2)."""
    built = [id for id, row in cards.developments.items() for _ in range(row.copies)]
    if mode == ADVISORS:
        return sorted(built + [id for id in cards.advisors if id not in advisors])
    return sorted(built + [id for id, row in cards.treasures.items() for _ in range(row.copies)])


def advance(cards: CardSet, state: State, chance: Chance) -> list[Event]:
    """Deal the duchies, draw the start player, shuffle the decks; then menaces or advisors are chosen, or the
    first round begins."""
    mode, side = str(state.options[MODE]), str(state.options[SIDE])
    names = draw(chance, DUCHIES_LABEL, list(cards.duchies), 2)
    first = draw(chance, START_LABEL, _SEATS, 1)
    start = _SEATS.index(first.output[0])
    starts = [cards.duchies[name].sides[side].start for name in names.output]
    extra = ADVISOR_SOLDIERS if mode == ADVISORS else 0
    events: list[Event] = [
        names,
        first,
        DuchiesDealt(
            side,
            names.output,
            [each[KRYSTALLIUM] for each in starts],
            [each[SOLDIERS] + extra for each in starts],
            start,
        ),
    ]
    if mode == MENACES:
        return [*events, draw(chance, DECK_LABEL, deck(cards, mode, [])), MenaceSetsOffered(start)]
    calamities = draw(chance, CALAMITIES_LABEL, list(cards.calamities))
    if mode == ADVISORS:
        drawn = draw(chance, ADVISORS_LABEL, list(cards.advisors), 2 * ADVISORS_DRAWN)
        hands = [sorted(drawn.output[seat * ADVISORS_DRAWN : (seat + 1) * ADVISORS_DRAWN]) for seat in (0, 1)]
        shuffled = draw(chance, DECK_LABEL, deck(cards, mode, drawn.output))
        return [*events, calamities, drawn, shuffled, AdvisorsDrawn(hands)]
    shuffled = draw(chance, DECK_LABEL, deck(cards, mode, []))
    return [*events, calamities, shuffled, *deal(state, 1, start, shuffled.output, calamities.output)]


def deal(state: State, number: int, start: Seat, cards: list[str], calamities: list[str]) -> list[Event]:
    """Seven cards each from the start player on, a card into either area, a calamity each if there are any
    (rules 3.1, 3.2, A32); without calamities a menace follows."""
    hands: list[list[str]] = [[], []]
    for place, seat in enumerate((start, other(start))):
        hands[seat] = sorted(cards[place * HAND : (place + 1) * HAND] + calamities[place : place + 1])
    menaces = state.options[MODE] == MENACES
    dealt = HandsDealt(number, start, hands, cards[2 * HAND : 2 * HAND + 2], incomplete=menaces)
    return [dealt] if menaces else [dealt, OffersBegan(start)]


def begin_round(state: State) -> list[Event]:
    """The next round; the other player starts it (rules 2.1)."""
    return deal(state, state.round + 1, other(state.start), state.deck, state.calamities)


def choose_set(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Take a set the other has not (rules 6.2). Raises IllegalMove."""
    if not isinstance(command, ChooseMenaceSet):
        raise refuse("not-now", "a set of menaces is chosen now", "WK 6.2")
    if seat != state.actor:
        raise refuse("not-your-turn", "the other player chooses a set of menaces now", "WK 6.2")
    if command.set not in free_sets(cards, state):
        raise refuse("no-such-set", "this set of menaces cannot be taken", "WK 6.2")
    return [MenaceSetChosen(seat, command.set)]


def free_sets(cards: CardSet, state: State) -> list[str]:
    """The sets nobody has taken."""
    taken = {board.menace_set for board in state.boards}
    return [name for name in menace_sets(cards) if name not in taken]


def set_moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """The sets this seat may take."""
    return [ChooseMenaceSet(name) for name in free_sets(cards, state)] if seat == state.actor else []


def set_advance(cards: CardSet, state: State, chance: Chance) -> list[Event]:
    """The other player chooses, then the first round begins."""
    if state.actor != NOBODY:
        return []
    for seat in seats_from_start(state):
        if not state.boards[seat].menace_set:
            return [MenaceSetsOffered(seat)]
    return deal(state, 1, state.start, state.deck, [])


def keep_advisor(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Keep one of the advisors drawn (rules 7.1). Raises IllegalMove."""
    if not isinstance(command, KeepAdvisor):
        raise refuse("not-now", "an advisor is chosen now", "WK 7.1")
    if state.picks[seat] is not None:
        raise refuse("already-chosen", "you have chosen your advisor", "WK 7.1")
    if command.advisor not in state.drawn_advisors[seat]:
        raise refuse("not-drawn", "you have not drawn this advisor", "WK 7.1")
    return [AdvisorKept(seat, command.advisor)]


def advisor_moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """The advisors this seat may keep."""
    if state.picks[seat] is not None:
        return []
    return [KeepAdvisor(card) for card in state.drawn_advisors[seat]]


def advisor_advance(cards: CardSet, state: State, chance: Chance) -> list[Event]:
    """When both have chosen, the advisors are shown and the first round begins."""
    kept = [pick for pick in state.picks if pick is not None]
    if len(kept) < len(state.picks):
        return []
    return [AdvisorsRevealed(kept), *deal(state, 1, state.start, state.deck, state.calamities)]


def choose_menace(cards: CardSet, state: State, seat: Seat, command: Command) -> list[Event]:
    """Take a menace of the own set (rules 6.3). Raises IllegalMove."""
    if not isinstance(command, ChooseMenace):
        raise refuse("not-now", "a menace is chosen now", "WK 6.3")
    if state.picks[seat] is not None:
        raise refuse("already-chosen", "you have chosen your menace", "WK 6.3")
    if command.card not in state.boards[seat].unplayed:
        raise refuse("not-in-set", "this menace is not left in your set", "WK 6.3")
    return [MenaceChosen(seat, command.card)]


def menace_moves(cards: CardSet, state: State, seat: Seat) -> list[Command]:
    """The menaces this seat may take."""
    if state.picks[seat] is not None:
        return []
    return [ChooseMenace(card) for card in state.boards[seat].unplayed]


def menace_advance(cards: CardSet, state: State, chance: Chance) -> list[Event]:
    """A last menace is taken by itself; when both have chosen, the offers begin."""
    waiting = [seat for seat, pick in enumerate(state.picks) if pick is None]
    for seat in waiting:
        board = state.boards[seat]
        if len(set_cards(cards, board.menace_set)) - board.menaces_dealt == 1:
            return [MenaceChosen(seat, board.unplayed[0], automatic=True)]
    return [] if waiting else [OffersBegan(state.start)]


def _started(cards: CardSet, state: State, event: MatchStarted) -> None:
    state.seats, state.options = event.seats, event.options


def _shuffled(cards: CardSet, state: State, event: DeckShuffled) -> None:
    if event.label == DECK_LABEL:
        state.deck = list(event.output)
    elif event.label == CALAMITIES_LABEL:
        state.calamities = list(event.output)


def _duchies(cards: CardSet, state: State, event: DuchiesDealt) -> None:
    state.start = event.start
    state.boards = []
    for seat, name in enumerate(event.duchies):
        board = Board(duchy=name, icons=list(cards.duchies[name].sides[event.side].production))
        board.pool[KRYSTALLIUM] = event.krystallium[seat]
        board.pool[SOLDIERS] = event.soldiers[seat]
        state.boards.append(board)
    state.picks = [None] * len(event.duchies)


def _sets_offered(cards: CardSet, state: State, event: MenaceSetsOffered) -> None:
    state.phase, state.actor, state.opened = MENACE_SET, event.seat, state.version


def _set_chosen(cards: CardSet, state: State, event: MenaceSetChosen) -> None:
    board = state.boards[event.seat]
    board.menace_set, board.unplayed = event.set, set_cards(cards, event.set)
    rats = any(effect.op == "spawn_rat" for card in board.unplayed for effect in cards.menaces[card].effects)
    if rats:
        state.rats = set_cards(cards, RAT_PILE)
    state.actor = NOBODY


def _advisors_drawn(cards: CardSet, state: State, event: AdvisorsDrawn) -> None:
    state.phase, state.opened = ADVISOR, state.version
    state.drawn_advisors = [list(hand) for hand in event.hands]


def _advisor_kept(cards: CardSet, state: State, event: AdvisorKept) -> None:
    state.picks[event.seat] = event.advisor


def _advisors_revealed(cards: CardSet, state: State, event: AdvisorsRevealed) -> None:
    for seat, advisor in enumerate(event.advisors):
        take(state.drawn_advisors[seat], advisor)
        state.boards[seat].advisors.append(advisor)
    state.picks = [None] * len(event.advisors)


def _hands_dealt(cards: CardSet, state: State, event: HandsDealt) -> None:
    calamities = sum(len(hand) - HAND for hand in event.hands)
    del state.deck[: sum(map(len, event.hands)) - calamities + len(event.seeds)]
    del state.calamities[:calamities]
    state.round, state.start, state.step, state.actor = event.round, event.start, -1, NOBODY
    state.phase, state.opened = MENACE if event.incomplete else DEALT, state.version
    state.hands = [list(hand) for hand in event.hands]
    for area, seed in zip((LEFT, RIGHT), event.seeds, strict=True):
        state.areas[area] = [Laid(seed)]
    for board in state.boards:
        board.done, board.used, board.wins_ties = False, [], False
        board.traps = board.extra_traps = board.doubles = 0


def _menace_chosen(cards: CardSet, state: State, event: MenaceChosen) -> None:
    board = state.boards[event.seat]
    take(board.unplayed, event.card)
    board.menaces_dealt += 1
    state.picks[event.seat] = event.card
    state.hands[event.seat] = sorted([*state.hands[event.seat], event.card])


HANDLERS: Final[dict[type, Callable[..., None]]] = {
    MatchStarted: _started,
    DeckShuffled: _shuffled,
    DuchiesDealt: _duchies,
    MenaceSetsOffered: _sets_offered,
    MenaceSetChosen: _set_chosen,
    AdvisorsDrawn: _advisors_drawn,
    AdvisorKept: _advisor_kept,
    AdvisorsRevealed: _advisors_revealed,
    HandsDealt: _hands_dealt,
    MenaceChosen: _menace_chosen,
}
