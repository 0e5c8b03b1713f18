"""The command whose first event a fact is: what is needed to decide a recorded match again."""

from collections.abc import Callable
from typing import Any, Final

from domain.kernel.game import Command, Event
from domain.wonderful.commands import PlaceCubes, PlaceKrystallium, StoreCubes, Validate
from domain.wonderful.events import CubesPlaced, KrystalliumPlaced, StepValidated
from domain.wonderful_kingdom import commands as ask
from domain.wonderful_kingdom import events as ev

_COMMAND_OF: Final[dict[type, Callable[[Any], Command | None]]] = {
    ev.MenaceSetChosen: lambda e: ask.ChooseMenaceSet(e.set),
    ev.AdvisorKept: lambda e: ask.KeepAdvisor(e.advisor),
    ev.MenaceChosen: lambda e: None if e.automatic else ask.ChooseMenace(e.card),
    ev.CardsOffered: lambda e: ask.OfferCards(e.left, e.right, e.left_face_down, e.right_face_down),
    ev.AreaSelected: lambda e: ask.SelectArea(e.area, e.extra),
    ev.CardPeeked: lambda e: ask.PeekCard(e.area, e.position),
    ev.CardSalvaged: lambda e: ask.SalvageCard(e.area, e.position),
    ev.AdvisorActivated: lambda e: ask.ActivateAdvisor(e.advisor, e.substitutes),
    ev.DevelopmentBegun: lambda e: ask.BuildDevelopment(e.kind),
    ev.CardRecycled: lambda e: ask.RecycleCollected(e.card),
    ev.CollectedDiscarded: lambda e: None if e.automatic else ask.DiscardCollected(e.card),
    CubesPlaced: lambda e: PlaceCubes(e.card, e.resource, e.count),
    ev.CubesStored: lambda e: None if e.automatic else StoreCubes(e.resource, e.count),
    KrystalliumPlaced: lambda e: PlaceKrystallium(e.card, e.space, e.count),
    ev.SoldiersPlaced: lambda e: ask.PlaceSoldiers(e.card, e.count),
    ev.DevelopmentScrapped: lambda e: ask.ScrapDevelopment(e.card),
    ev.CubesExchanged: lambda e: ask.ExchangeCubes(e.cubes),
    ev.QuestCompleted: lambda e: ask.CompleteQuest(e.quest, e.substitutes),
    ev.MenaceDefeated: lambda e: ask.DefeatMenace(e.card, e.substitutes),
    ev.CubeChosen: lambda e: None if e.automatic else ask.ChooseCube(e.resource),
    ev.CubesTransmuted: lambda e: ask.TransmuteCubes(e.cubes),
    ev.DrawnKept: lambda e: None if e.automatic else ask.KeepDrawn(e.card),
    ev.TokenStolen: lambda e: None if e.automatic else ask.PlaceStolenToken(e.card),
    ev.EffectDeclined: lambda e: None if e.automatic else ask.DeclineEffect(e.effect),
    StepValidated: lambda e: None if e.automatic else Validate(),
}


def command_of(event: Event) -> Command | None:
    """The command whose first event this is, or None."""
    restore = _COMMAND_OF.get(type(event))
    return None if restore is None else restore(event)
