"""Paragraphs broken into lines, between the words of a sentence and not within its formulas."""

from __future__ import annotations

import re
import textwrap

_JOINED = "\N{NO-BREAK SPACE}"
"""For a blank where no line ends: in short brackets, about the operators of short formulas, and before a
number that ends a sentence, which would look like that of a list.
"""
_IN_BRACKETS = re.compile(r"[(\[][^()\[\]]{1,24}[)\]]")
_OPERATOR = re.compile(r" ([-+*/=<>]|[<>]=) (?=\S)")
_AFTER_OPERATOR = re.compile(rf"(?<=[-+*/=<>]){_JOINED}")
_LAST_NUMBER = re.compile(r" (?=\d+\.(?: |$))")
_LONGEST_FORMULA = 48


def broken(text: str, width: int, indent: str = "") -> list[str]:
    """The lines of a paragraph, all but the first after an indent, of at most `width` characters.

    A formula is broken only if it is long, and then after an operator: a line that begins with one would look
    like part of a list.
    """
    # `wrap` takes its time, and most texts need none.
    if 0 < len(text) <= width:
        return [text]
    lines = textwrap.wrap(
        _with_whole_formulas(text),
        width,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return [line.replace(_JOINED, " ") for line in lines]


def _with_whole_formulas(text: str) -> str:
    """The text with spaces at which no line ends."""
    joined = _IN_BRACKETS.sub(lambda found: found[0].replace(" ", _JOINED), text)
    joined = _LAST_NUMBER.sub(_JOINED, _OPERATOR.sub(rf"{_JOINED}\1{_JOINED}", joined))
    words = joined.split(" ")
    return " ".join(
        word if len(word) <= _LONGEST_FORMULA else _AFTER_OPERATOR.sub(" ", word) for word in words
    )
