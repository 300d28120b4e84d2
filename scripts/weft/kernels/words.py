"""English for docstrings and names: plurals, articles, and how a coefficient is told."""

from __future__ import annotations

import functools
from keyword import iskeyword

from weft.kernels.emit import expression, number
from weft.kernels.program import Constant, Expr, Literal


@functools.cache
def plural(word: str) -> str:
    """The English plural that an array of such things is named by."""
    if word.endswith("ed") or iskeyword(word + "s"):
        return f"{word}_values"
    if len(word) == 1:
        return word + "s"
    if word.endswith("s") and not word.endswith("ss"):
        return word
    if word.endswith("y") and word[-2:] not in ("ay", "ey", "oy"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def article(noun: str) -> str:
    """The noun with `a` or `an`; of squares there is but one."""
    if noun == "square":
        return "the square"
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def words(name: str) -> str:
    """A name as words of a sentence."""
    return name.replace("_", " ")


def noun(name: str) -> str:
    """A result's name as a noun: participles get one."""
    return f"{words(name)} value" if name.endswith("ed") else words(name)


def through(word: str) -> str:
    """What happens to a number under the curve of this name."""
    return "is squared" if word == "square" else f"goes through {article(word)}"


def told(value: Expr) -> str:
    """A coefficient as a docstring names it: its number, or the code that reads it."""
    if isinstance(value, Constant):
        return number(value.definition.value)
    return number(value.value) if isinstance(value, Literal) else expression(value)
