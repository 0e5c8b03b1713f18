"""Readings of what the rules text leaves open, each a constant that a later find can flip (rules 11)."""

from typing import Final

ADVISOR_REVEAL_GIVES_SOLDIER: Final = True  # A18
QUESTS_FORCE_EXCHANGE: Final = False  # A25: five cubes on the duchy become one krystallium in quest mode too
ROUNDS: Final = 4
HAND: Final = 7  # cards dealt from the deck; the eighth is a calamity or a menace (3.1)
OFFERED: Final = 2  # cards in an offer (3.3)
TURNS: Final = 16  # eight offers and eight selections (3.4)
TRAPS: Final = 2  # trap tokens a round (3.6)
FOR_KRYSTALLIUM: Final = 5  # cubes on the duchy that become one krystallium (5.10)
ADVISORS_DRAWN: Final = 2  # of which one is kept (7.1)
ADVISOR_SOLDIERS: Final = 2  # soldiers at the start in advisor mode (7.3)
