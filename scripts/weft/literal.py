"""Python literals as formatters write them: with double quotes, and floats that always show that they are."""

from __future__ import annotations

import functools
import json
from typing import Any


@functools.lru_cache(maxsize=4096)
def quoted(value: str) -> str:
    """A string in double quotes."""
    plain = '"' not in value and "\\" not in value and value.isprintable()
    return f'"{value}"' if plain else json.dumps(value, ensure_ascii=False)


def number(value: int | float) -> str:
    """A number, or a truth value."""
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    if "e" not in text:
        return text
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{int(exponent)}"


def literal(value: Any) -> str:
    """Data as JSON has it; tuples are lists."""
    match value:
        case None:
            return "None"
        case str():
            return quoted(value)
        case int() | float():
            return number(value)
        case dict():
            return "{" + ", ".join([f"{quoted(key)}: {literal(one)}" for key, one in value.items()]) + "}"
        case _:
            return "[" + ", ".join([literal(one) for one in value]) + "]"
