"""The plain arrays that other kinds of arrays are made of: elements, and tables that lead to them.

An *indexed* array is its elements and a list of indices for each axis, or null: where there is a list, index
i of the axis means `list[i]`. An array in *buckets* is one piece of memory with all elements, `starts` (the
number of the first element of each bucket, and of all elements at the end), and `places` (where each bucket
begins in that memory). Parts are leaves (weft.leaves): launch descriptions, array files and programs know
nothing else.
"""

from __future__ import annotations

import dataclasses
from typing import Literal

from weft.types import Array, BucketArray, IndexedArray, IndexedBucketArray, Scalar

INDICES = {
    1: ("indices",),
    2: ("row_indices", "col_indices"),
    3: ("plane_indices", "row_indices", "col_indices"),
    4: ("block_indices", "plane_indices", "row_indices", "col_indices"),
}
"""What the lists of indices are called, by number of dimensions."""

STARTS = "bucket_starts"
PLACES = "bucket_places"

_TABLE = Array(Scalar("int32"), 1)


@dataclasses.dataclass(frozen=True)
class Part:
    """One of the arrays: `elements` (whose name is empty), the `indices` of an axis, `starts` or `places`."""

    name: str
    type: Array
    kind: Literal["elements", "indices", "starts", "places"]
    axis: int = 0

    def leaf(self, array: str) -> str:
        """The leaf's name: that of the array for its elements, else `array.row_indices`."""
        return f"{array}.{self.name}" if self.name else array


def array_parts(type: Array) -> list[Part]:
    """The parts of an array; a plain one is its elements alone."""
    parts = [Part("", Array(type.element, type.ndim), "elements")]
    if isinstance(type, BucketArray | IndexedBucketArray):
        parts += [Part(STARTS, _TABLE, "starts"), Part(PLACES, _TABLE, "places")]
    if isinstance(type, IndexedArray | IndexedBucketArray):
        parts += [Part(name, _TABLE, "indices", axis) for axis, name in enumerate(INDICES[type.ndim])]
    return parts


def is_plain(type: Array) -> bool:
    """Whether an array is its elements alone."""
    return not isinstance(type, IndexedArray | BucketArray | IndexedBucketArray)
