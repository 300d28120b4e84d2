"""The plain arrays that other kinds of arrays are made of: elements, and tables that lead to them.

An *indexed* array is its elements and a list of indices for each axis, or null: where there is a list, index
i of the axis means `list[i]`. An array in *buckets* is one piece of memory with all elements, `starts` (the
number of the first element of each bucket, and of all elements at the end), and `places` (where each bucket
begins in that memory). Where the elements are arrays themselves (rows), starts and places lead to a row of
two more tables: where it begins in the memory, and its length. Parts are leaves (weft.leaves): launch
descriptions, array files and programs know nothing else.
"""

from __future__ import annotations

import dataclasses
from typing import Literal

from weft.types import Array, BucketArray, IndexedArray, IndexedBucketArray, Scalar, Type

_InBuckets = BucketArray | IndexedBucketArray
_Indexed = IndexedArray | IndexedBucketArray

INDICES = {
    1: ("indices",),
    2: ("row_indices", "col_indices"),
    3: ("plane_indices", "row_indices", "col_indices"),
    4: ("block_indices", "plane_indices", "row_indices", "col_indices"),
}
"""What the lists of indices are called, by number of dimensions."""

STARTS = "bucket_starts"
PLACES = "bucket_places"
ROW_PLACES = "row_places"
ROW_LENGTHS = "row_lengths"

_TABLE = Array(Scalar("int32"), 1)


@dataclasses.dataclass(frozen=True)
class Part:
    """One of the arrays: `elements` (whose name is empty), the `indices` of an axis, or another table."""

    name: str
    type: Array
    kind: Literal["elements", "indices", "starts", "places", "row_places", "row_lengths"]
    axis: int = 0

    def leaf(self, array: str) -> str:
        """The leaf's name: that of the array for its elements, else `array.row_indices`."""
        return f"{array}.{self.name}" if self.name else array

    def meaning(self, array: str) -> str:
        """What a table of `array` holds, in words."""
        match self.kind:
            case "indices":
                return f"which index of axis {self.axis} of {array} each index means"
            case "starts":
                return f"the number of the first element of each bucket of {array}, and of all elements"
            case "places":
                return f"where each bucket of {array} begins"
            case "row_places":
                return f"where each row of {array} begins"
            case "row_lengths":
                return f"how many elements each row of {array} has"
            case _:
                return ""


def array_parts(type: Array) -> list[Part]:
    """The parts of an array; a plain one is its elements alone."""
    in_buckets = is_in_buckets(type)
    indexed_axes = 1 if in_buckets else type.ndim
    parts = [Part("", Array(type.element, indexed_axes), "elements")]
    if in_buckets:
        parts += [Part(STARTS, _TABLE, "starts"), Part(PLACES, _TABLE, "places")]
    if has_rows(type):
        parts += [Part(ROW_PLACES, _TABLE, "row_places"), Part(ROW_LENGTHS, _TABLE, "row_lengths")]
    if isinstance(type, _Indexed):
        parts += [Part(name, _TABLE, "indices", axis) for axis, name in enumerate(INDICES[indexed_axes])]
    return parts


def is_in_buckets(type: Type) -> bool:
    """Whether an array's elements, or its rows, lie in buckets."""
    return isinstance(type, _InBuckets)


def has_rows(type: Type) -> bool:
    """Whether what lies in an array's buckets are arrays, each of its own length."""
    return isinstance(type, _InBuckets) and type.ndim > 1


def view_type(type: Array, ndim: int) -> Array:
    """The type of a view of an array: that of a row in a bucket is a plain array."""
    return Array(type.element, ndim) if is_in_buckets(type) else dataclasses.replace(type, ndim=ndim)


def is_plain(type: Array) -> bool:
    """Whether an array is its elements alone."""
    return not isinstance(type, IndexedArray) and not is_in_buckets(type)
