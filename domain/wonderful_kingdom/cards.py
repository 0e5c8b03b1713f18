"""What is printed on the cards, and the closed vocabulary their effects are written in.

A card set is a value: the rules take it as an argument and know no card by name. `provenance` says where a
card comes from (`original`: designed for Wonderlog), `printed_fields` which of its facts are verified.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from domain.wonderful_kingdom.bags import Bag

STRUCTURE, SPECIALIST, MONUMENT, DISCOVERY = range(4)
TYPES: Final = ("structure", "specialist", "monument", "discovery")

DEVELOPMENT: Final = "development"
TREASURE: Final = "treasure"
CALAMITY: Final = "calamity"
MENACE: Final = "menace"
ADVISOR: Final = "advisor"

RAT_PILE: Final = "rat_pile"  # the set nobody chooses: its cards come by `spawn_rat`

# Every op with its parameters; nothing else is an effect.
OPS: Final[Mapping[str, tuple[str, ...]]] = {
    "gain_cubes": ("cubes",),
    "gain_cubes_choice": ("amount", "resources"),
    "gain_krystallium": ("amount",),
    "gain_soldiers": ("amount",),
    "fill_training": (),
    "transmute": ("cubes", "krystallium", "max_times"),
    "peek_trap": ("count",),
    "extra_trap": ("count",),
    "take_extra": ("count", "face"),
    "salvage_leftover": ("count",),
    "draw_keep": ("draw", "keep"),
    "double_recycle": ("uses",),
    "win_supremacy_ties": ("scope",),
    "boost_production": ("amount",),
    "spawn_rat": ("count",),
    "discard_collected": ("count", "chooser"),
    "production_modifier": ("resource", "delta"),
    "trap_limit": ("delta",),
    "supremacy_block": ("resources",),
    "recycle_to_duchy_only": (),
    "krystallium_no_substitute": (),
    "steal": ("zone", "chooser"),
}
STATIC: Final = "static"
PLANNING_REVEAL: Final = "planning_reveal"
PRODUCTION_START: Final = "production_start"
# The triggers of menaces, each with the ops it may set off.
TRIGGERS: Final[Mapping[str, frozenset[str]]] = {
    STATIC: frozenset(
        {
            "production_modifier",
            "trap_limit",
            "supremacy_block",
            "recycle_to_duchy_only",
            "krystallium_no_substitute",
        }
    ),
    PLANNING_REVEAL: frozenset({"discard_collected"}),
    PRODUCTION_START: frozenset({"spawn_rat", "steal"}),
}
CHOICE_OFFER: Final = "choice_offer"
CHOICE_SELECT: Final = "choice_select"
CHOICE_END: Final = "choice_end"
PLANNING: Final = "planning"
BEFORE_COUNT: Final = "production_step_before_count"
STEP: Final = "production_step"
_ANY_TIME: Final = frozenset(
    {"gain_cubes", "gain_cubes_choice", "gain_krystallium", "gain_soldiers", "fill_training", "draw_keep"}
)
# The windows in which advisors are activated, each with the ops that have a meaning there.
WINDOWS: Final[Mapping[str, frozenset[str]]] = {
    CHOICE_OFFER: _ANY_TIME | {"extra_trap"},
    CHOICE_SELECT: _ANY_TIME | {"extra_trap", "peek_trap", "take_extra"},
    CHOICE_END: _ANY_TIME | {"salvage_leftover"},
    PLANNING: _ANY_TIME | {"transmute", "double_recycle", "win_supremacy_ties"},
    BEFORE_COUNT: _ANY_TIME | {"transmute", "win_supremacy_ties", "boost_production"},
    STEP: _ANY_TIME | {"transmute", "win_supremacy_ties"},
}
REWARDS: Final = _ANY_TIME  # of quests
BONUSES: Final = frozenset({"gain_krystallium", "gain_soldiers"})  # on completion


@dataclass(frozen=True, slots=True)
class Effect:
    """An op with its parameters; those it does not have are zero or empty. `count` holds its one number
    (`amount`, `count`, `uses`, `delta`, `draw`, `max_times`), `price` the cubes a `transmute` takes, `gain`
    the krystallium it gives, `keep` the cards a `draw_keep` keeps."""

    op: str
    trigger: str = ""
    count: int = 0
    cubes: Bag = ()
    resources: tuple[int, ...] = ()
    price: int = 0
    gain: int = 0
    keep: int = 0
    zone: str = ""
    chooser: str = ""


@dataclass(frozen=True, slots=True)
class Rate:
    """Icons for each constructed development of a type, the card itself included (rules 5.2)."""

    resource: int
    type: int
    amount: int


@dataclass(frozen=True, slots=True)
class Per:
    """Points for each constructed development of a type, the card itself included (rules 9.2)."""

    points: int
    type: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a card comes from and which of its facts are those of the printed one."""

    provenance: str = "original"
    printed_fields: tuple[str, ...] = ()
    note: str = ""


ORIGINAL: Final = Origin()


@dataclass(frozen=True, slots=True)
class Development:
    """A kind of development. `bonus` (krystallium, soldiers) is received on completion."""

    id: str
    name: str
    type: int
    copies: int
    cost: Bag
    recycling: Bag
    production: Bag
    rates: tuple[Rate, ...]
    bonus: Bag
    points: int
    per: Per | None
    origin: Origin = ORIGINAL


@dataclass(frozen=True, slots=True)
class Treasure:
    """A card that can only be recycled."""

    id: str
    name: str
    copies: int
    recycling: Bag
    origin: Origin = ORIGINAL


@dataclass(frozen=True, slots=True)
class Calamity:
    """A card that costs points and does nothing else."""

    id: str
    name: str
    points: int
    origin: Origin = ORIGINAL


@dataclass(frozen=True, slots=True)
class Menace:
    """A card that hurts whoever has it under construction, until its cost is paid."""

    id: str
    name: str
    set: str
    cost: Bag
    points: int
    effects: tuple[Effect, ...]
    text: str
    origin: Origin = ORIGINAL


@dataclass(frozen=True, slots=True)
class Advisor:
    """A card activated once a round in one of its windows, for its cost."""

    id: str
    name: str
    cost: Bag
    windows: tuple[str, ...]
    effects: tuple[Effect, ...]
    text: str
    two_player_only: bool = False
    origin: Origin = ORIGINAL


@dataclass(frozen=True, slots=True)
class Quest:
    """A step of a quest board: paid once by each player, at any time."""

    id: str
    name: str
    cost: Bag
    rewards: tuple[Effect, ...]
    major: bool
    text: str


@dataclass(frozen=True, slots=True)
class QuestBoard:
    """A quest board, its quests from left to right; the last is the major quest."""

    id: str
    name: str
    quests: tuple[Quest, ...]
    origin: Origin = ORIGINAL


@dataclass(frozen=True, slots=True)
class DuchySide:
    """A side of a duchy: its icons and what lies there at the start."""

    production: Bag
    start: Bag


@dataclass(frozen=True, slots=True)
class Duchy:
    """A duchy card with its sides by letter."""

    id: str
    name: str
    color: str
    sides: Mapping[str, DuchySide]
    origin: Origin = ORIGINAL


Named = Development | Treasure | Calamity | Menace | Advisor


@dataclass(frozen=True, slots=True)
class CardSet:
    """All cards of a match. `name` and `digest` (SHA-256 of the package, hex) pin it; `kinds` says of every
    card id which kind of card it is."""

    name: str
    digest: str
    duchies: Mapping[str, Duchy]
    developments: Mapping[str, Development]
    treasures: Mapping[str, Treasure]
    calamities: Mapping[str, Calamity]
    menaces: Mapping[str, Menace]
    advisors: Mapping[str, Advisor]
    boards: Mapping[str, QuestBoard]
    kinds: Mapping[str, str]

    @property
    def pin(self) -> str:
        """The set in the options of a match and in the ruleset: `original-1@` and 16 digits of the digest."""
        return f"{self.name}@{self.digest[:16]}"


def card_set(
    name: str,
    digest: str,
    duchies: Sequence[Duchy],
    developments: Sequence[Development],
    treasures: Sequence[Treasure],
    calamities: Sequence[Calamity],
    menaces: Sequence[Menace],
    advisors: Sequence[Advisor],
    boards: Sequence[QuestBoard],
) -> CardSet:
    """A card set of these cards. Raises ValueError when two cards share an id."""
    every: tuple[tuple[str, Sequence[Named]], ...] = (
        (DEVELOPMENT, developments),
        (TREASURE, treasures),
        (CALAMITY, calamities),
        (MENACE, menaces),
        (ADVISOR, advisors),
    )
    kinds = {card.id: kind for kind, group in every for card in group}
    if len(kinds) != sum(len(group) for _, group in every):
        raise ValueError("two cards share an id")
    return CardSet(
        name,
        digest,
        {card.id: card for card in duchies},
        {card.id: card for card in developments},
        {card.id: card for card in treasures},
        {card.id: card for card in calamities},
        {card.id: card for card in menaces},
        {card.id: card for card in advisors},
        {board.id: board for board in boards},
        kinds,
    )


def recycling(cards: CardSet, card: str) -> Bag:
    """The cubes a development or a treasure is recycled for."""
    if cards.kinds[card] == TREASURE:
        return cards.treasures[card].recycling
    return cards.developments[card].recycling


def name_of(cards: CardSet, card: str) -> str:
    """The name on a card."""
    groups: Mapping[str, Mapping[str, Named]] = {
        DEVELOPMENT: cards.developments,
        TREASURE: cards.treasures,
        CALAMITY: cards.calamities,
        MENACE: cards.menaces,
        ADVISOR: cards.advisors,
    }
    return groups[cards.kinds[card]][card].name
