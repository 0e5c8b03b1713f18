from collections.abc import Mapping

from domain.kernel.bots import random_policy
from domain.kernel.game import Policy
from domain.wonderful_kingdom.cards import CardSet


def bots(cards: CardSet) -> Mapping[str, Policy]:
    return {"random": random_policy}
