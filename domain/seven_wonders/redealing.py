"""Worlds that may be, for all a viewer of 7 Wonders knows: hands, choices, markers, discards dealt anew.

A viewer remembers the hands it has held: what of such a hand was not played openly since is still in it, or
lies face down where the cards went that were taken from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from domain.kernel.chance import Chance
from domain.kernel.game import Event
from domain.kernel.redaction import FACE_DOWN
from domain.kernel.redealing import Dice, Group, Place, Puzzle
from domain.kernel.seats import SPECTATOR, Seat, Viewer
from domain.seven_wonders import building
from domain.seven_wonders import events as ev
from domain.seven_wonders.cards import CARDS, GUILDS, deck
from domain.seven_wonders.options import FACE_DOWN_CARDS, SIDES
from domain.seven_wonders.state import BOARDS, FREE_CITY, SEARCHING, SETUP, SEVENTH, Action, State
from domain.seven_wonders.wonders import WONDERS


def backs() -> dict[str, str]:
    """Cards by their Age; guilds, whose number is known, apart from the others of theirs."""
    return {name: "guild" if name in GUILDS else f"age-{card.age}" for name, card in CARDS.items()}


@dataclass(slots=True)
class Hand:
    """`known` cards that were in it when the viewer last held it and were not seen since; `gone`: places to
    which cards went from it face down; `more`: cards in it and in those places that the viewer never saw."""

    known: list[str]
    more: int
    gone: list[Place] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.known) + self.more - len(self.gone)


@dataclass(slots=True)
class Memory:
    """All that follows from what the viewer was told. Places and cards seen lie side by side in `markers` (by
    city), `discard` and `pile`; `taken` are cards seen leaving the discard pile."""

    viewer: Viewer
    puzzle: Puzzle = field(default_factory=Puzzle)
    age: int = 0
    hands: list[Hand] = field(default_factory=list)
    markers: dict[int, list[Place | str]] = field(default_factory=dict)
    discard: list[Place | str] = field(default_factory=list)
    pile: list[Place | str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    built: list[str] = field(default_factory=list)
    seventh: bool = False  # the Free City plays the rest of the pile

    def hear(self, event: Event) -> None:
        """Take in one event as the viewer was told it."""
        handler = _HEARD.get(type(event))
        if handler is not None:
            handler(self, event)

    def play(self, seat: Seat, city: int, card: str) -> Place | str:
        """A card leaves a hand (or the pile, for the Free City's seventh card): where it is to lie."""
        if self.seventh and city != seat:
            place, self.pile = self.pile[0], self.pile[1:]
            if card == FACE_DOWN or isinstance(place, str):
                return place
            self.puzzle.places.remove(place)
            return card
        hand = self.hands[seat]
        if card == FACE_DOWN:
            place = self.puzzle.place(self.age)
            hand.gone.append(place)
            return place
        if card in hand.known:
            hand.known.remove(card)
        else:
            hand.more -= 1
        return card

    def know(self, hand: Hand, places: list[Place]) -> None:
        """The known cards of a hand are in these places."""
        if hand.known and places:
            self.puzzle.groups.append(Group(list(hand.known), list(places)))


def _dealt(memory: Memory, event: ev.HandsDealt) -> None:
    memory.age, memory.seventh = event.age, False
    memory.hands = [_new_hand(hand) for hand in event.hands]
    memory.pile = [_lying(memory, card) for card in event.pile]


def _new_hand(cards: list[str]) -> Hand:
    return Hand([], len(cards)) if FACE_DOWN in cards else Hand(list(cards), 0)


def _lying(memory: Memory, card: str) -> Place | str:
    return memory.puzzle.place(memory.age) if card == FACE_DOWN else card


def _drawn(memory: Memory, event: ev.CardDrawn) -> None:
    top, memory.pile = memory.pile[0], memory.pile[1:]
    if isinstance(top, Place):
        memory.puzzle.places.remove(top)
    hand = memory.hands[event.seat]
    if event.card == FACE_DOWN:
        hand.more += 1
    else:
        hand.known.append(event.card)


def _structure(memory: Memory, event: ev.StructureBuilt) -> None:
    memory.built.append(event.card)
    if event.by != "discard-pile":
        memory.play(event.seat, event.city, event.card)
        return
    if event.card in memory.discard:
        memory.discard.remove(event.card)
        return
    memory.taken.append(event.card)
    _somewhere(memory, [event.card])


def _somewhere(memory: Memory, cards: Sequence[str]) -> None:
    """These cards are (or were) in the discard pile, though the viewer did not see them get there."""
    ages = {CARDS[card].age for card in cards}
    places = [place for place in memory.discard if isinstance(place, Place) and place.kind in ages]
    if cards:
        memory.puzzle.groups.append(Group(list(cards), places))


def _stage(memory: Memory, event: ev.StageBuilt) -> None:
    lies = memory.play(event.seat, event.city, event.card)
    memory.markers.setdefault(event.city, []).append(lies)


def _discarded(memory: Memory, event: ev.CardDiscarded) -> None:
    memory.discard.append(memory.play(event.seat, event.city, event.card))


def _leftovers(memory: Memory, event: ev.LeftoversDiscarded) -> None:
    for seat, left in enumerate(event.hands):
        if left:
            hand = memory.hands[seat]
            places = [memory.puzzle.place(memory.age) for card in left if card == FACE_DOWN]
            memory.discard += places or left
            if places:
                memory.know(hand, hand.gone + places)
            memory.hands[seat] = Hand([], 0)
    if event.pile:
        memory.discard += memory.pile
        memory.pile = []


def _seventh_kept(memory: Memory, event: ev.SeventhCardKept) -> None:
    memory.seventh = True
    if event.card is not None:
        top = memory.pile[0]
        for rest in memory.pile[1:]:  # never: one card is left in the pile then
            memory.discard.append(rest)
        if event.card != FACE_DOWN and isinstance(top, Place):
            memory.puzzle.places.remove(top)
            top = event.card
        memory.pile = [top]


def _seventh_left(memory: Memory, event: ev.SeventhCardLeft) -> None:
    memory.discard.append(memory.play(event.seat, event.city, event.card))


def _searched(memory: Memory, event: ev.DiscardPileSearched) -> None:
    if event.cards and FACE_DOWN not in event.cards:
        unknown = list(event.cards)
        for lying in memory.discard:
            if isinstance(lying, str) and lying in unknown:
                unknown.remove(lying)
        for card in memory.taken:
            # Taken before this search: one of the places is empty by now, which `taken` accounts for.
            unknown.append(card)
        _somewhere(memory, unknown)


def _passed(memory: Memory, event: ev.HandsPassed) -> None:
    step = -1 if memory.age == 2 else 1
    seats = len(memory.hands)
    memory.hands = [memory.hands[(seat - step) % seats] for seat in range(seats)]
    if memory.viewer == SPECTATOR:
        return
    hand, now = memory.hands[memory.viewer], event.hands[memory.viewer]
    gone = list(hand.known)
    for card in now:
        if card in gone:
            gone.remove(card)
    if gone:
        memory.puzzle.groups.append(Group(gone, hand.gone))
    memory.hands[memory.viewer] = Hand(list(now), 0)


_HEARD: Final[dict[type, Callable[[Memory, Any], None]]] = {
    ev.HandsDealt: _dealt,
    ev.CardDrawn: _drawn,
    ev.StructureBuilt: _structure,
    ev.StageBuilt: _stage,
    ev.CardDiscarded: _discarded,
    ev.LeftoversDiscarded: _leftovers,
    ev.SeventhCardKept: _seventh_kept,
    ev.SeventhCardLeft: _seventh_left,
    ev.DiscardPileSearched: _searched,
    ev.HandsPassed: _passed,
}


def redeal(state: State, viewer: Viewer, told: Sequence[Event], chance: Chance) -> list[Event]:
    """The fact that puts cards wherever cards lie face down for the viewer."""
    memory, dice = Memory(viewer), Dice(chance)
    for event in told:
        memory.hear(event)
    hands: list[list[Place | str]] = []
    for seat, hand in enumerate(memory.hands):
        if seat == viewer:
            hands.append(list(state.hands[seat]))
            continue
        slots = [memory.puzzle.place(memory.age) for _ in range(hand.size)]
        memory.know(hand, hand.gone + slots)
        hands.append(list(slots))
    memory.puzzle.solve(_unseen(memory, hands, state, dice), dice)
    return [_filled(state, memory, hands, dice)]


def _unseen(memory: Memory, hands: list[list[Place | str]], state: State, dice: Dice) -> dict[int, list[str]]:
    """The cards of every Age so far that lie where the viewer cannot see them; of the guilds nobody has seen
    as many as are missing."""
    players = max(3, state.seats)
    lying = [*memory.discard, *memory.pile, *(card for hand in hands for card in hand)]
    lying += [card for markers in memory.markers.values() for card in markers]
    seen = [*memory.built, *(card for card in lying if isinstance(card, str))]
    unseen: dict[int, list[str]] = {}
    for age in range(1, memory.age + 1):
        cards = deck(age, players)
        if age == 3:
            rest = [guild for guild in GUILDS if guild not in seen]
            known = {card for group in memory.puzzle.groups for card in group.cards if card in rest}
            count = players + 2 - (len(GUILDS) - len(rest))
            others = dice.shuffled(guild for guild in rest if guild not in known)
            seen = [card for card in seen if card not in GUILDS]
            cards = [*cards, *sorted(known), *others[: count - len(known)]]
        left = list(cards)
        for card in seen:
            if CARDS[card].age == age:
                left.remove(card)
        # What was taken from the discard pile is built, and was in a hidden place before.
        unseen[age] = left + [card for card in memory.taken if CARDS[card].age == age]
    return unseen


def _card(lying: Place | str) -> str:
    return lying if isinstance(lying, str) else str(lying.card)


def _filled(state: State, memory: Memory, hands: list[list[Place | str]], dice: Dice) -> ev.HiddenDealt:
    discard = [_card(lying) for lying in memory.discard]
    for card in memory.taken:
        discard.remove(card)
    world = State(**{name: getattr(state, name) for name in State.__slots__})
    world.hands = [sorted(map(_card, hand)) for hand in hands] or [list(hand) for hand in state.hands]
    world.pile = [_card(lying) for lying in memory.pile]
    world.chosen = list(state.chosen)
    searched = state.awaited[0] if state.phase == SEARCHING else SPECTATOR
    asked = state.phase == SEVENTH and state.powered >= state.seats
    for number, chosen in enumerate(world.chosen):
        if chosen == FACE_DOWN:
            world.chosen[number] = _choice(world, number, dice)
    return ev.HiddenDealt(
        actors=list(state.actors),
        hands=world.hands,
        chosen=world.chosen,
        markers=[
            [_card(lying) for lying in memory.markers.get(number, [])] for number in range(len(state.cities))
        ],
        open_markers=state.options.get(FACE_DOWN_CARDS) == "revealed",
        discard=discard,
        searched_by=searched,
        found=sorted(discard) if searched != SPECTATOR else [],
        pile=world.pile,
        pile_seen_by=state.awaited[0] if asked and state.awaited else SPECTATOR,
        boards=_boards(state, dice) if state.phase in (SETUP, BOARDS) and state.drawn else [],
    )


def _choice(world: State, number: int, dice: Dice) -> Action:
    """Anything the actor may have chosen for a city."""
    actor = world.actors[number]
    if number == FREE_CITY and world.seats == FREE_CITY:
        own = world.chosen[actor]
        hand = list(world.pile if world.phase == SEVENTH else world.hands[actor])
        if isinstance(own, Action) and own.card in hand:
            hand.remove(own.card)
        found = building.free_city_actions(world, hand)
    else:
        found = building.actions(world, number, world.hands[actor])
    return found[dice.below(len(found))]


def _boards(state: State, dice: Dice) -> list[str]:
    """The order in which boards were drawn: those offered first."""
    sides = ("A",) if state.options[SIDES] == "A" else ("A", "B")
    faces = [f"{wonder}:{side}" for wonder in WONDERS for side in sides]
    offered = dice.shuffled(state.offered)
    return offered + dice.shuffled(face for face in faces if face not in offered)


def _dealt_anew(state: State, event: ev.HiddenDealt) -> None:
    state.hands = [list(hand) for hand in event.hands]
    state.chosen = list(event.chosen)
    for city, markers in zip(state.cities, event.markers, strict=True):
        city.markers = list(markers)
    state.discard, state.pile = list(event.discard), list(event.pile)
    if event.searched_by != SPECTATOR:
        state.found = list(event.found)
    if event.boards:
        state.drawn = list(event.boards)


HANDLERS: Final[dict[type, Callable[..., None]]] = {ev.HiddenDealt: _dealt_anew}
