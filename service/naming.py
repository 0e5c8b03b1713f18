"""Which texts people may be called by: what others can see, and in the order in which it is written.

Refused are control characters, characters that show nothing (zero-width spaces, fillers, tags), and those
that turn the direction of what stands around them. Two kinds that show nothing have their use between and
behind others, and only there: joiners (Persian, Indic scripts, emoji) and the selectors of emoji.
"""

import re
from typing import Final

LONGEST: Final = 80
_SPACES: Final = r" \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_NEVER: Final = (
    r"\x00-\x1f\x7f-\x9f"  # control characters
    r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u3164\ufeff\uffa0\ufff0-\ufffb"
    r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"  # direction, lines
    r"\ue000-\uf8ff"  # private use
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff"  # tags, more selectors, private use
)
_BETWEEN: Final = r"\u200c\u200d\ufe00-\ufe0f"
# The form of a name, as JSON Schema says it. Joiners and selectors stand behind what can be seen. Halves of
# characters are not named: not every engine of regular expressions can, and JSON with one is refused before.
PATTERN: Final = (
    rf"^[^{_NEVER}{_BETWEEN}{_SPACES}]([^{_NEVER}{_BETWEEN}]|[{_BETWEEN}]{{1,2}}[^{_NEVER}{_BETWEEN}])*"
    r"[\ufe0e\ufe0f]?$"
)
_NAME: Final = re.compile(PATTERN)
_HALF: Final = re.compile("[\ud800-\udfff]")


def is_name(text: object) -> bool:
    """Whether this is a name: 1 to 80 characters, the first one no space, of the form of PATTERN."""
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST or _HALF.search(text) is not None:
        return False
    return _NAME.fullmatch(text) is not None
