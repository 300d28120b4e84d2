"""Helpers that search arrays of sorted values."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.c_types import c_type
from weft.cuda.helpers.text import Helper, function
from weft.types import Type


def lower_bound(type: Type) -> Helper:
    """Warp: lower_bound."""
    t = c_type(type)
    body = [
        "int low = begin, high = end - 1;",
        "while (low < high) {",
        "    const int middle = low + (high - low) / 2;",
        "    if (values[middle] < x) low = middle + 1;",
        "    else high = middle;",
        "}",
        "return low;",
    ]
    comment = (
        "Where x belongs in rising values: the first place from begin on that is not below x, or the last."
    )
    parameters = [(f"const {t}* __restrict__", "values"), ("int", "begin"), ("int", "end"), (t, "x")]
    return Helper(function("int", "lower_bound", parameters, body, comment))


SEARCH_HELPERS: dict[str, Callable[..., Helper]] = {"lower_bound": lower_bound}
"""Helpers with an array as first argument, whose elements lie next to each other."""
