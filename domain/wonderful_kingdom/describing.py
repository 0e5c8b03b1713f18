"""Legal moves and refusals in words and numbers, for people and for clients without any rule code."""

from collections.abc import Sequence
from typing import Any

from domain.kernel.game import Command, Description, Refusal
from domain.kernel.seats import Seat
from domain.wonderful import commands as shared
from domain.wonderful_kingdom import commands as ask
from domain.wonderful_kingdom import fighting, planning, production
from domain.wonderful_kingdom.anytime import quests, why_not_quest
from domain.wonderful_kingdom.bags import INDEX, NAMES, named
from domain.wonderful_kingdom.building import exchanges, open_slots, stored, to_place
from domain.wonderful_kingdom.cards import CardSet, Effect, name_of, recycling
from domain.wonderful_kingdom.catalogue import effect
from domain.wonderful_kingdom.paying import paid, payments
from domain.wonderful_kingdom.state import FIGHT, PLANNING, PRODUCTION, Board, State


def describe(cards: CardSet, state: State, seat: Seat, command: Command) -> Description:
    """A legal move: label, cost (what is placed, paid or given up), effects (what it brings), and the range
    of its count. Names nothing the seat may not see."""
    board = state.boards[seat]
    match command:
        case ask.OfferCards():
            return _offer(cards, command)
        case ask.SelectArea(area, extra):
            taken = [laid.shown_to(seat) for laid in state.areas[area]]
            other = state.areas["right" if area == "left" else "left"]
            taken += [other[place].shown_to(seat) for place in extra]
            more = f" and {len(extra)} of the other area" if extra else ""
            return Description(f"Take the {area} area{more}", {}, {"cards": taken})
        case ask.ActivateAdvisor(advisor, substitutes):
            row = cards.advisors[advisor]
            return Description(
                f"Activate {row.name}: {row.text}", paid(row.cost, substitutes), _effects(row.effects)
            )
        case ask.CompleteQuest(id, substitutes):
            quest = next(each for each in quests(cards, state) if each.id == id)
            return Description(
                f"{quest.name}: {quest.text}", paid(quest.cost, substitutes), _effects(quest.rewards)
            )
        case ask.DefeatMenace(card, substitutes):
            menace = cards.menaces[card]
            effects = {"points": -menace.points}
            return Description(f"Defeat {menace.name}", paid(menace.cost, substitutes), effects)
        case shared.PlaceCubes(card, resource, count):
            return _placing(cards, board, card, resource, resource, count)
        case shared.PlaceKrystallium(card, space, count):
            return _placing(cards, board, card, "krystallium", space, count)
        case ask.PlaceSoldiers(card, count):
            return _placing(cards, board, card, "soldiers", "soldiers", count)
        case shared.StoreCubes(resource, count):
            colour = INDEX[resource]
            formed = stored(state, board, colour, count)[0]
            return Description(
                f"Put {count} {resource} on your duchy",
                {resource: count},
                {"krystallium": formed} if formed else {},
                {"count": (1, board.pool[colour] + board.bound[colour])},
            )
        case ask.ScrapDevelopment(card):
            construction = board.constructions[card]
            gained = named(cards.developments[construction.kind].recycling)
            label = f"Scrap {called(cards, board, card)}: {_listed(gained)} on your duchy"
            return Description(label, named(construction.placed), gained)
    return _simple(cards, state, board, command)


def _simple(cards: CardSet, state: State, board: Board, command: Command) -> Description:
    match command:
        case ask.BuildDevelopment(card):
            slots = named(cards.developments[card].cost)
            return Description(f"Build {name_of(cards, card)}", {}, {"slots": slots})
        case ask.RecycleCollected(card):
            factor = 2 if board.doubles and not board.kept else 1
            gained = named([factor * count for count in recycling(cards, card)])
            return Description(f"Recycle {name_of(cards, card)}: {_listed(gained)}", {}, gained)
        case ask.ChooseMenaceSet(name):
            return Description(f"Take the set {name.replace('_', ' ')}")
        case ask.KeepAdvisor(card) | ask.KeepDrawn(card):
            return Description(f"Keep {name_of(cards, card)}")
        case ask.ChooseMenace(card):
            return Description(f"Take {name_of(cards, card)} into your hand")
        case ask.PeekCard(area, position):
            return Description(f"Look at card {position} of the {area} area")
        case ask.SalvageCard(area, position):
            return Description(f"Take {name_of(cards, state.areas[area][position].card)}")
        case ask.DiscardCollected(card):
            return Description(f"Discard {name_of(cards, card)}", {"card": card})
        case ask.ExchangeCubes(cubes):
            return Description("Exchange five cubes for a krystallium", _counts(cubes), {"krystallium": 1})
        case ask.TransmuteCubes(cubes):
            gain = board.transmutes[0][1]
            return Description("Transmute cubes of your duchy", _counts(cubes), {"krystallium": gain})
        case ask.ChooseCube(resource):
            return Description(f"Take a cube of {resource}", {}, {resource: 1})
        case ask.PlaceStolenToken(card):
            return Description(f"Put the stolen token on {card}")
        case ask.DeclineEffect(name):
            return Description(f"Leave the rest of {name} unused")
        case shared.Validate():
            return Description("Validate")
    raise TypeError(f"not a command of It's a Wonderful Kingdom: {type(command).__name__}")


def called(cards: CardSet, board: Board, card: str) -> str:
    """A development under construction as people call it; numbered where several of its kind are there."""
    kind = board.constructions[card].kind
    several = sum(other.kind == kind for other in board.constructions.values()) > 1
    return name_of(cards, kind) + (f" ({card.removeprefix(kind + '-')})" if several else "")


def _counts(names: Sequence[str]) -> dict[str, int]:
    return {name: names.count(name) for name in NAMES if name in names}


def _listed(gained: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in gained.items())


def _effects(rows: Sequence[Effect]) -> dict[str, Any]:
    return {"effects": [effect(row) for row in rows]}


def _offer(cards: CardSet, offer: ask.OfferCards) -> Description:
    words = [
        f"{name_of(cards, card)} {area}{' face down' if down else ''}"
        for area, down, named_cards in (
            ("left", False, offer.left),
            ("right", False, offer.right),
            ("left", True, offer.left_face_down),
            ("right", True, offer.right_face_down),
        )
        for card in named_cards
    ]
    traps = len(offer.left_face_down) + len(offer.right_face_down)
    return Description(f"Offer {' and '.join(words)}", {"traps": traps} if traps else {})


def _placing(cards: CardSet, board: Board, card: str, thing: str, slot: str, count: int) -> Description:
    construction = board.constructions[card]
    effects: dict[str, Any] = {}
    if count == construction.left:
        bonus = named(cards.developments[construction.kind].bonus)
        effects = {"completes": construction.kind, **bonus}
    on = "" if thing == slot else f" for {slot}"
    most = min(board.pool[INDEX[thing]], open_slots(board, card, INDEX[slot]))
    label = f"Place {count} {thing}{on} on {called(cards, board, card)}"
    return Description(label, {thing: count}, effects, {"count": (1, most)})


def refused(cards: CardSet, state: State, seat: Seat) -> list[Refusal]:
    """What this seat may not do yet, and why: be done, build a treasure, pay a quest or a menace."""
    found: list[Refusal] = []
    board = state.boards[seat] if state.boards else Board()
    if state.phase == PLANNING:
        reason = planning.why_not_done(state, seat)
        if reason is not None:
            found.append(Refusal("Validate", reason))
    if state.phase == PRODUCTION:
        reason = production.why_not_done(state, seat)
        if reason is not None:
            missing = named([*board.pool[:4]]) if to_place(board) else {}
            found.append(Refusal("Validate", reason, missing))
    if state.phase == FIGHT and not board.done:
        for card in board.menaces:
            reason = fighting.why_not_defeat(cards, state, seat, card, [])
            if reason is not None and not payments(cards, board, cards.menaces[card].cost):
                found.append(Refusal(f"Defeat {name_of(cards, card)}", reason))
    if not exchanges(state) and state.round:
        for quest in quests(cards, state):
            reason = why_not_quest(cards, state, seat, quest.id, [])
            if reason is not None and not payments(cards, board, quest.cost):
                found.append(Refusal(quest.name, reason))
    return found
