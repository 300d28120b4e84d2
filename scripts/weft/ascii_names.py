"""Names outside ASCII, which Python has and CUDA's compilers refuse, spelled as people would.

`größe` is `grosse`, `Δt` is `Delta_t`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|[^\W\d]\w*', re.DOTALL)


def ascii_name(name: str) -> str:
    """A name in ASCII; two names may give one."""
    if name.isascii():
        return name
    words = "".join(map(_spelled, unicodedata.normalize("NFKD", name)))
    parted = re.sub(r"_{2,}|(?<=[A-Za-z])_(?=\d)", lambda found: "_" if len(found[0]) > 1 else "", words)
    return name[: len(name) - len(name.lstrip("_"))] + parted.strip("_")


def ascii_texts(texts: Sequence[str]) -> list[str]:
    """Texts of C++ that belong together, with no name outside ASCII; comments and strings stay."""
    if all(map(str.isascii, texts)):
        return list(texts)
    names = dict.fromkeys(name for text in texts for name in _names(text))
    taken = {name for name in names if name.isascii()}
    chosen: dict[str, str] = {}
    for name in names:
        if name.isascii():
            continue
        spelled, number = ascii_name(name), 2
        while spelled in taken:
            spelled, number = f"{ascii_name(name)}_{number}", number + 1
        taken.add(spelled)
        chosen[name] = spelled
    return [_TOKEN.sub(lambda token: chosen.get(token[0], token[0]), text) for text in texts]


def names_outside_ascii(text: str) -> list[str]:
    """The names of a text of C++ that are not ASCII."""
    return [] if text.isascii() else [name for name in _names(text) if not name.isascii()]


def _names(text: str) -> list[str]:
    return [found for found in _TOKEN.findall(text) if found[0] not in '"/']


def _spelled(letter: str) -> str:
    """A letter in ASCII: itself, a digit's value, or the name of the letter; an accent is nothing.

    Letters that are not Latin have long names, which underscores keep apart.
    """
    if letter.isascii():
        return letter
    if unicodedata.combining(letter):
        return ""
    if letter in "ßẞ":
        return "ss"
    if (digit := unicodedata.digit(letter, None)) is not None:
        return str(digit)
    name, _, _ = unicodedata.name(letter, "").partition(" WITH ")
    words = name.removesuffix(" SYMBOL").split()
    if "LETTER" not in words and "LIGATURE" not in words:
        return f"_u{ord(letter):x}_"
    word = words[-1].capitalize() if "CAPITAL" in words else words[-1].lower()
    word = re.sub(r"\W", "", word)
    return word if words[0] == "LATIN" else f"_{word}_"
