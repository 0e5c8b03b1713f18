"""The one error of the domain: a command the rules refuse, with a reason a player understands."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a command is refused.

    `code` is stable and for programs (`not-affordable`); `detail` is for people and never names anything
    the acting seat may not see; `rule` points into `docs/rules` of the game (`7W 5.10`).
    """

    code: str
    detail: str
    rule: str = ""


class IllegalMove(Exception):
    """A command refused. `kind` is the class of refusal: `illegal-move` (the rules of the game),
    `stale-decision`, `not-your-decision`, `match-over`, `not-started`, `seat-taken` (the table)."""

    def __init__(self, reason: Reason, kind: str = "illegal-move") -> None:
        super().__init__(f"{reason.code}: {reason.detail}")
        self.reason = reason
        self.kind = kind


def refuse(code: str, detail: str, rule: str = "", kind: str = "illegal-move") -> IllegalMove:
    """An `IllegalMove` ready to raise."""
    return IllegalMove(Reason(code, detail, rule), kind)
