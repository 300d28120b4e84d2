"""Helpers that read arrays: searches in sorted values, and where the elements of other arrays lie."""

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


def place_in_buckets() -> Helper:
    """Warp: fabricarray_find_bucket in native/fabric.h."""
    body = [
        "int low = 0, high = bucket_count - 1;",
        "while (low < high) {",
        "    const int middle = (low + high) / 2;",
        "    if (i < starts[middle + 1]) high = middle;",
        "    else low = middle + 1;",
        "}",
        "return places[low] + i - starts[low];",
    ]
    comment = (
        "Where element i of an array in buckets lies: bucket k has elements starts[k] to starts[k + 1] - 1, "
        "from places[k] on."
    )
    parameters = [
        ("const int* __restrict__", "starts"),
        ("const int* __restrict__", "places"),
        ("int", "bucket_count"),
        ("int", "i"),
    ]
    return Helper(function("int", "place_in_buckets", parameters, body, comment))


def look_up() -> Helper:
    """Warp: index() of an indexedarray_t in native/array.h."""
    comment = "The index that a list has in place of i; without a list, i itself."
    parameters = [("const int* __restrict__", "indices"), ("int", "i")]
    return Helper(function("int", "look_up", parameters, ["return indices ? indices[i] : i;"], comment))


PLACE_HELPERS: dict[str, Callable[..., Helper]] = {"look_up": look_up, "place_in_buckets": place_in_buckets}
"""Helpers with tables that lead to the elements of an array as arguments (weft.array_parts)."""
