"""Worlds that may be, for all a viewer of It's a Wonderful Kingdom knows: the other hand, cards laid face
down, secret picks, the decks dealt anew.

Each round a player is dealt one calamity (or takes one menace): if it was not seen since, it is in that
player's hand or among the cards the player laid face down in that round.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from domain.kernel.chance import Chance
from domain.kernel.game import Event
from domain.kernel.redaction import FACE_DOWN
from domain.kernel.redealing import Dice
from domain.kernel.seats import Seat, Viewer
from domain.wonderful_kingdom import events as ev
from domain.wonderful_kingdom.cards import CALAMITY, MENACE, CardSet
from domain.wonderful_kingdom.options import MENACES, MODE
from domain.wonderful_kingdom.rulings import HAND
from domain.wonderful_kingdom.setup import deck, set_cards
from domain.wonderful_kingdom.state import AREAS, SETUP, Laid, State

_SPECIAL: Final = (CALAMITY, MENACE)
Slot = tuple[str, int, int]  # zone, number, position
Evolve = Callable[[State, Event], None]


@dataclass(slots=True)
class Dealt:
    """The one card of a seat's hand of a round that is no development, as far as the viewer knows: whether it
    was dealt, whether it was seen, and where else it may be. `kind` is calamity or menace."""

    kind: str
    seen: bool = False
    places: list[Slot] = field(default_factory=list)


def backs(cards: CardSet) -> dict[str, str]:
    """Cards by their kind; menaces by their set, which everybody knows."""
    return dict(cards.kinds) | {card.id: f"menace-{card.set}" for card in cards.menaces.values()}


def redeal(
    cards: CardSet, evolve: Evolve, state: State, viewer: Viewer, told: Sequence[Event], chance: Chance
) -> list[Event]:
    """The fact that puts cards wherever cards lie face down for the viewer; `evolve` is the game's."""
    if state.phase == SETUP:
        return []
    dice = Dice(chance)
    table = _Table(cards, state, viewer)
    kinds: dict[Slot, str] = {}
    for (seat, _), dealt in _rounds(cards, evolve, told, table).items():
        if not dealt.seen and dealt.places:
            place = dealt.places[dice.below(len(dealt.places))]
            kinds[place] = f"{dealt.kind}-{seat}" if dealt.kind == MENACE else dealt.kind
    return [table.filled(kinds, told, dice)]


def _rounds(
    cards: CardSet, evolve: Evolve, told: Sequence[Event], table: "_Table"
) -> dict[tuple[Seat, int], Dealt]:
    """What became of the calamity or menace of each seat in each round."""
    found: dict[tuple[Seat, int], Dealt] = {}

    def spotted(seat: Seat, number: int, card: str) -> None:
        if (seat, number) in found and cards.kinds.get(card) in _SPECIAL:
            found[seat, number].seen = True

    then = State()
    for event in told:
        match event:
            case ev.HandsDealt():
                found |= {
                    (seat, event.round): Dealt(CALAMITY)
                    for seat, hand in enumerate(event.hands)
                    if len(hand) > HAND
                }
            case ev.MenaceChosen():
                found[event.seat, then.round] = Dealt(MENACE)
            case ev.CardsOffered():
                for card in (*event.left, *event.right):
                    spotted(event.seat, then.round, card)
            case ev.CollectionsRevealed():
                for board, row in zip(then.boards, event.collections, strict=True):
                    for laid, card in zip(board.collection, row, strict=True):
                        if laid.face_down:
                            spotted(laid.by, then.round, card)
        evolve(then, event)
        for place in range(len(table.round_of), len(then.buried)):
            table.round_of[place] = then.round
    for slot in table.hidden():
        zone, where, position = slot
        if zone not in ("drawn", "advisors"):
            by = where if zone == "hand" else table.laid(slot).by
            when = table.round_of[position] if zone == "buried" else then.round
            if (by, when) in found:
                found[by, when].places.append(slot)
    for laid, when in table.known_laid(then.round):
        spotted(laid.by, when, laid.card)
    return found


class _Table:
    """The places of a table, some of them face down for the viewer."""

    def __init__(self, cards: CardSet, state: State, viewer: Viewer) -> None:
        self.cards = cards
        self.state = state
        self.viewer = viewer
        self.round_of: dict[int, int] = {}  # position in `buried` -> round

    def laid(self, slot: Slot) -> Laid:
        """The card laid at a place."""
        zone, number, position = slot
        if zone == "area":
            return self.state.areas[AREAS[number]][position]
        return (
            self.state.boards[number].collection[position]
            if zone == "collection"
            else self.state.buried[position]
        )

    def rows(self) -> Iterator[tuple[str, int, Sequence[Any]]]:
        """Every row of places, by zone and number."""
        state = self.state
        yield from (("hand", seat, hand) for seat, hand in enumerate(state.hands))
        yield from (("area", number, state.areas[area]) for number, area in enumerate(AREAS))
        yield from (("collection", seat, board.collection) for seat, board in enumerate(state.boards))
        yield "buried", 0, state.buried
        yield from (("drawn", seat, board.drawn) for seat, board in enumerate(state.boards))
        yield from (("advisors", seat, drawn) for seat, drawn in enumerate(state.drawn_advisors))

    def hidden(self) -> Iterator[Slot]:
        """Every place the viewer cannot see, decks apart."""
        for zone, number, row in self.rows():
            for position, lying in enumerate(row):
                if (lying.card if isinstance(lying, Laid) else lying) == FACE_DOWN:
                    yield zone, number, position

    def known_laid(self, number: int) -> Iterator[tuple[Laid, int]]:
        """Cards laid face down that the viewer knows, with the round they are of."""
        for zone, _, row in self.rows():
            for position, lying in enumerate(row):
                if isinstance(lying, Laid) and lying.face_down:
                    yield lying, self.round_of.get(position, number) if zone == "buried" else number

    def seen(self) -> Counter[str]:
        """All cards the viewer sees, wherever they lie."""
        state = self.state
        cards = [*state.discard, *state.box]
        for _, _, row in self.rows():
            cards += [lying.card if isinstance(lying, Laid) else lying for lying in row]
        for board in state.boards:
            cards += [*board.constructed.values(), *board.calamities, *board.menaces, *board.advisors]
            cards += [*board.kept, *(each.kind for each in board.constructions.values())]
        return Counter(card for card in cards if card != FACE_DOWN)

    def filled(self, kinds: dict[Slot, str], told: Sequence[Event], dice: Dice) -> ev.HiddenDealt:
        """Cards in all hidden places: of the kinds given, advisors where some were drawn, or of the deck."""
        cards, state, seen = self.cards, self.state, self.seen()
        mode = str(state.options[MODE])
        pool = Counter(deck(cards, mode, [])) - seen
        filling: dict[Slot, str] = {}
        advisors = dice.shuffled(card for card in pool.elements() if card in cards.advisors)
        for slot in self.hidden():
            if slot[0] == "advisors":
                filling[slot] = advisors.pop()
                pool.subtract([filling[slot]])
        calamities = (
            [] if mode == MENACES else dice.shuffled((Counter(list(cards.calamities)) - seen).elements())
        )
        sets = [self._menaces_left(seat, told, dice) for seat in range(len(state.boards))]
        rest = dice.shuffled(pool.elements())
        for slot in self.hidden():
            kind = kinds.get(slot, "")
            if slot in filling:
                continue
            if kind == CALAMITY:
                filling[slot] = calamities.pop()
            elif kind:
                filling[slot] = sets[int(kind[-1])].pop()
            else:
                filling[slot] = rest.pop()
        return self._event(filling, rest, calamities, sets, dice)

    def _menaces_left(self, seat: Seat, told: Sequence[Event], dice: Dice) -> list[str]:
        """The menaces of a seat's set that nobody but the seat has seen (the viewer's own: none)."""
        board = self.state.boards[seat]
        if not board.menace_set or seat == self.viewer:
            return []
        shown = set(self.seen()) | {card for event in told for card in _menaces_named(event)}
        return dice.shuffled(card for card in set_cards(self.cards, board.menace_set) if card not in shown)

    def _event(
        self,
        filling: dict[Slot, str],
        rest: list[str],
        calamities: list[str],
        sets: list[list[str]],
        dice: Dice,
    ) -> ev.HiddenDealt:
        state = self.state

        def row(zone: str, number: int, lying: Sequence[Any]) -> list[Any]:
            made: list[Any] = []
            for position, each in enumerate(lying):
                card = filling.get((zone, number, position), each.card if isinstance(each, Laid) else each)
                up = isinstance(each, Laid) and not each.face_down
                made.append(
                    ev.Lying(card, None if up else list(each.seen)) if isinstance(each, Laid) else card
                )
            return made

        rows = {(zone, number): row(zone, number, lying) for zone, number, lying in self.rows()}
        seats = range(len(state.boards))
        hands = [rows["hand", seat] for seat in range(len(state.hands))]
        drawn = [rows["advisors", seat] for seat in range(len(state.drawn_advisors))]
        picks: list[str | None] = []
        for seat, pick in enumerate(state.picks):
            if pick == FACE_DOWN:
                menaces = (
                    [card for card in hands[seat] if self.cards.kinds.get(card) == MENACE] if hands else []
                )
                pick = menaces[0] if menaces else drawn[seat][dice.below(len(drawn[seat]))]
            picks.append(pick)
        return ev.HiddenDealt(
            hands=[sorted(hand) for hand in hands],
            areas=[rows["area", number] for number in range(len(AREAS))],
            collections=[rows["collection", seat] for seat in seats],
            buried=rows["buried", 0],
            drawn=[rows["drawn", seat] for seat in seats],
            advisors=[sorted(row) for row in drawn],
            picks=picks,
            unplayed=[
                list(state.boards[seat].unplayed) if seat == self.viewer else sorted(sets[seat])
                for seat in seats
            ],
            deck=rest,
            calamities=calamities,
        )


def _menaces_named(event: Event) -> Iterator[str]:
    """Menaces that an event shows leave the table for good."""
    match event:
        case ev.MenaceDefeated() | ev.MenacePlaced():
            yield event.card
        case ev.LeftoversDiscarded():
            yield from event.boxed
        case ev.CollectionsRevealed():
            yield from (card for row in event.collections for card in row)


def hidden(event: ev.HiddenDealt, viewer: Viewer) -> ev.HiddenDealt:
    """The event as a viewer is told it."""

    def own(rows: list[Any]) -> list[Any]:
        return [row if seat == viewer else [FACE_DOWN] * len(row) for seat, row in enumerate(rows)]

    def lying(row: list[ev.Lying]) -> list[ev.Lying]:
        return [
            each if each.seen_by is None or viewer in each.seen_by else ev.Lying(FACE_DOWN, each.seen_by)
            for each in row
        ]

    return ev.HiddenDealt(
        hands=own(event.hands),
        areas=[lying(row) for row in event.areas],
        collections=[lying(row) for row in event.collections],
        buried=lying(event.buried),
        drawn=own(event.drawn),
        advisors=own(event.advisors),
        picks=[
            pick if pick is None or seat == viewer else FACE_DOWN for seat, pick in enumerate(event.picks)
        ],
        unplayed=own(event.unplayed),
        deck=[FACE_DOWN] * len(event.deck),
        calamities=[FACE_DOWN] * len(event.calamities),
    )


def _dealt_anew(cards: CardSet, state: State, event: ev.HiddenDealt) -> None:
    state.hands = [list(hand) for hand in event.hands]
    rows = [state.areas[area] for area in AREAS] + [board.collection for board in state.boards]
    for row, lying in zip(
        [*rows, state.buried], [*event.areas, *event.collections, event.buried], strict=True
    ):
        for laid, each in zip(row, lying, strict=True):
            laid.card = each.card
    for board, drawn, unplayed in zip(state.boards, event.drawn, event.unplayed, strict=True):
        board.drawn, board.unplayed = list(drawn), list(unplayed)
    state.drawn_advisors = [list(row) for row in event.advisors]
    state.picks = list(event.picks)
    state.deck, state.calamities = list(event.deck), list(event.calamities)


HANDLERS: Final[dict[type, Callable[..., None]]] = {ev.HiddenDealt: _dealt_anew}
