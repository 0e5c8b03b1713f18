"""A finished match as a text for people: what was decided, what was drawn, nothing that follows from them.

`writing.written` makes the text of a match, `reading.read` plays it again by the rules, which must come to
the end the text names. The grammar is in docs/notation.md.
"""

from typing import Final

FORMAT: Final = "wonderlog/notation/1"


class NotNotation(Exception):
    """A text that is not the notation of a match, or of another one than it says. `line`: where, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class NotWritable(Exception):
    """A match that cannot be written down so."""
