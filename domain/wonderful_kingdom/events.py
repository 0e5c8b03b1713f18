"""What happens at a table of It's a Wonderful Kingdom, beside what both Wonderful games know. What is hidden
from whom stands in `view.py`. Lists with an entry a seat are in the order of seats; `automatic` marks what
the rules did because nothing else could be done."""

from dataclasses import dataclass, field

from domain.kernel import registry
from domain.kernel.chance import DeckShuffled
from domain.kernel.seats import Seat
from domain.wonderful.events import CubesPlaced, KrystalliumPlaced, StepValidated


@dataclass(frozen=True, slots=True)
class DuchiesDealt:
    """Every seat has its duchy and what lies on it at the start; this seat starts the first round."""

    side: str
    duchies: list[str]
    krystallium: list[int]
    soldiers: list[int]
    start: Seat


@dataclass(frozen=True, slots=True)
class MenaceSetsOffered:
    """This seat takes a set of menaces now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MenaceSetChosen:
    """A seat took a set of menaces."""

    seat: Seat
    set: str


@dataclass(frozen=True, slots=True)
class AdvisorsDrawn:
    """Every seat drew advisors, of which it keeps one."""

    hands: list[list[str]]


@dataclass(frozen=True, slots=True)
class AdvisorKept:
    """A seat chose, in secret, the advisor it keeps."""

    seat: Seat
    advisor: str


@dataclass(frozen=True, slots=True)
class AdvisorsRevealed:
    """The advisors kept lie in the advisor areas; the others are back in the box, unseen."""

    advisors: list[str]


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """A round begins: the hands, and a card face up in either area; `incomplete` where a menace of their
    choice is to complete the hands."""

    round: int
    start: Seat
    hands: list[list[str]]
    seeds: list[str]
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class MenaceChosen:
    """A seat took a menace of its set into its hand, in secret."""

    seat: Seat
    card: str
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class OffersBegan:
    """The hands are complete; this seat offers first."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardsOffered:
    """A seat laid cards into the areas, the last ones face down."""

    seat: Seat
    left: list[str]
    right: list[str]
    left_face_down: list[str]
    right_face_down: list[str]


@dataclass(frozen=True, slots=True)
class CardPeeked:
    """A seat looked at a face-down card."""

    seat: Seat
    area: str
    position: int
    card: str


@dataclass(frozen=True, slots=True)
class AreaSelected:
    """A seat took all cards of an area, and these of the other."""

    seat: Seat
    area: str
    extra: list[int]


@dataclass(frozen=True, slots=True)
class CardSalvaged:
    """A seat took a card that was left over."""

    seat: Seat
    area: str
    position: int
    card: str


@dataclass(frozen=True, slots=True)
class LeftoversDiscarded:
    """What was left in the areas is gone: discarded face up, put in the box, or discarded face down."""

    discarded: list[str]
    boxed: list[str]
    face_down: int


@dataclass(frozen=True, slots=True)
class SeatAsked:
    """This seat may act now, alone: in the phase `leftovers`, `steal` or `before_count`."""

    seat: Seat
    phase: str
    resource: str | None = None


@dataclass(frozen=True, slots=True)
class CollectionsRevealed:
    """Planning begins: all cards in the collection areas lie face up."""

    collections: list[list[str]]


@dataclass(frozen=True, slots=True)
class CalamityPlaced:
    """A calamity went from the collection area to the duchy."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class MenacePlaced:
    """A menace went from the collection area under construction."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class AdvisorPlaced:
    """An advisor went from the collection area to the advisor area and brought so many soldiers."""

    seat: Seat
    card: str
    soldiers: int


@dataclass(frozen=True, slots=True)
class CollectedDiscarded:
    """A card of the collection area was discarded for nothing."""

    seat: Seat
    card: str
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class DevelopmentBegun:
    """A development is under construction, and has a name from now on."""

    seat: Seat
    kind: str
    card: str


@dataclass(frozen=True, slots=True)
class CardRecycled:
    """A card was discarded for these cubes, to place now or (`to_duchy`) on the duchy only."""

    seat: Seat
    card: str
    cubes: dict[str, int]
    to_duchy: bool
    doubled: bool = False


@dataclass(frozen=True, slots=True)
class CubesStored:
    """Cubes lie on the duchy and formed so much `krystallium`; `duchy` are the cubes that lie there now."""

    seat: Seat
    resource: str
    count: int
    krystallium: int
    duchy: dict[str, int]
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class SoldiersPlaced:
    """Soldiers lie on a development under construction."""

    seat: Seat
    card: str
    count: int


@dataclass(frozen=True, slots=True)
class DevelopmentScrapped:
    """A development under construction was discarded with all that lay on it; these cubes go on the duchy."""

    seat: Seat
    card: str
    kind: str
    cubes: dict[str, int]


@dataclass(frozen=True, slots=True)
class DevelopmentCompleted:
    """A development is complete; `bonus` was received."""

    seat: Seat
    card: str
    kind: str
    bonus: dict[str, int]


@dataclass(frozen=True, slots=True)
class CubesExchanged:
    """Five cubes of the duchy became a krystallium."""

    seat: Seat
    cubes: list[str]


@dataclass(frozen=True, slots=True)
class QuestCompleted:
    """A seat paid a quest."""

    seat: Seat
    quest: str
    paid: dict[str, int]
    substitutes: list[str]


@dataclass(frozen=True, slots=True)
class AdvisorActivated:
    """A seat paid an advisor."""

    seat: Seat
    advisor: str
    paid: dict[str, int]
    substitutes: list[str]


@dataclass(frozen=True, slots=True)
class MenaceDefeated:
    """A seat paid a menace, which went back to the box; a stolen token of it returned."""

    seat: Seat
    card: str
    paid: dict[str, int]
    substitutes: list[str]


@dataclass(frozen=True, slots=True)
class EffectGranted:
    """An effect gave a seat something it uses later or chooses now; `effect` is the op.

    `count` times; `resources` to choose from, `price` in cubes, `krystallium` for it."""

    seat: Seat
    effect: str
    count: int
    resources: list[str] = field(default_factory=list)
    price: int = 0
    krystallium: int = 0


@dataclass(frozen=True, slots=True)
class EffectDeclined:
    """A seat left the rest of an effect unused."""

    seat: Seat
    effect: str
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class CubesGained:
    """A seat has these cubes to place."""

    seat: Seat
    cubes: dict[str, int]


@dataclass(frozen=True, slots=True)
class CubeChosen:
    """A seat chose a cube, which it has to place."""

    seat: Seat
    resource: str
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class TokensGained:
    """A seat received krystallium, soldiers, and a soldier in its training ground."""

    seat: Seat
    krystallium: int = 0
    soldiers: int = 0
    training: int = 0


@dataclass(frozen=True, slots=True)
class CubesTransmuted:
    """Cubes of the duchy became krystallium by an effect."""

    seat: Seat
    cubes: list[str]
    krystallium: int


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat looks at cards of the deck, of which it keeps some."""

    seat: Seat
    cards: list[str]
    keep: int


@dataclass(frozen=True, slots=True)
class DrawnKept:
    """A seat kept a card it drew, in its collection area or (`at_once`) to resolve now; with the last one
    the others are discarded."""

    seat: Seat
    card: str
    at_once: bool
    discarded: list[str]
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class ProductionBegan:
    """Planning is over; the effects of these menaces happen now, in this order, one entry each."""

    menaces: list[str]
    effects: list[int]


@dataclass(frozen=True, slots=True)
class RatsSpawned:
    """A menace brought rats from the pile."""

    seat: Seat
    menace: str
    cards: list[str]


@dataclass(frozen=True, slots=True)
class TokenStolen:
    """A thief's stolen token lies on a development of `holder`, where `seat` put it; null: nowhere it
    could."""

    seat: Seat
    holder: Seat
    menace: str
    card: str | None
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class CubesProduced:
    """A production step: every seat has so many cubes of this resource to place."""

    resource: str
    counts: list[int]


@dataclass(frozen=True, slots=True)
class SupremacyWon:
    """A seat counted most: a soldier went to its pool, or (`trained` false) into its training ground."""

    seat: Seat
    resource: str
    trained: bool


@dataclass(frozen=True, slots=True)
class FightBegan:
    """Production is over; these seats may pay for menaces."""

    seats: list[Seat]


@dataclass(frozen=True, slots=True)
class PointsCounted:
    """The points of every seat by category, and the seats that lose for want of the major quest."""

    scores: list[dict[str, int]]
    failed: list[Seat]


EVENTS = registry.events(
    "wonderful_kingdom",
    DeckShuffled,
    DuchiesDealt,
    MenaceSetsOffered,
    MenaceSetChosen,
    AdvisorsDrawn,
    AdvisorKept,
    AdvisorsRevealed,
    HandsDealt,
    MenaceChosen,
    OffersBegan,
    CardsOffered,
    CardPeeked,
    AreaSelected,
    CardSalvaged,
    LeftoversDiscarded,
    SeatAsked,
    CollectionsRevealed,
    CalamityPlaced,
    MenacePlaced,
    AdvisorPlaced,
    CollectedDiscarded,
    DevelopmentBegun,
    CardRecycled,
    CubesPlaced,
    CubesStored,
    KrystalliumPlaced,
    SoldiersPlaced,
    DevelopmentScrapped,
    DevelopmentCompleted,
    CubesExchanged,
    QuestCompleted,
    AdvisorActivated,
    MenaceDefeated,
    EffectGranted,
    EffectDeclined,
    CubesGained,
    CubeChosen,
    TokensGained,
    CubesTransmuted,
    CardsDrawn,
    DrawnKept,
    ProductionBegan,
    RatsSpawned,
    TokenStolen,
    CubesProduced,
    SupremacyWon,
    FightBegan,
    StepValidated,
    PointsCounted,
)
