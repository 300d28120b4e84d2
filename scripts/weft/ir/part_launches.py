"""Default descriptions of indexed arrays and of arrays in buckets, part by part (weft.array_parts)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weft.array_parts import ROW_LENGTHS, ROW_PLACES, array_parts, has_rows
from weft.ir.launch_plan import LaunchPlan
from weft.ir.symbolic_bounds import Extent, grouped
from weft.leaves import tables, whole_leaves
from weft.sizes import Size
from weft.types import Array, Fields, Structs


class PartLaunches:
    """The parts of a signature's arrays: the shapes of elements, and the tables that lead to them."""

    def __init__(self, plan: LaunchPlan, signature: Fields, structs: Structs) -> None:
        self.plan = plan
        self.arrays = {
            name: declared
            for name, declared in whole_leaves(signature, structs)
            if isinstance(declared, Array) and len(array_parts(declared)) > 1
        }
        self.tables = tables(signature, structs)

    def shape(self, name: str) -> list[Size]:
        """The shape of an array of elements: where there are lists, axes are longer than these."""
        declared = self.arrays[name]
        if has_rows(declared):
            return [self._memory_of_rows(name)[1]]
        lists = {part.axis: part.leaf(name) for part in array_parts(declared) if part.kind == "indices"}
        return [
            _longer(self._count(lists[axis]))
            if axis in lists
            else self.plan.axis_size(Extent("axis", name, axis))
            for axis in range(declared.ndim)
        ]

    def overlaps(self, name: str) -> bool:
        """Whether rows of an array that the kernel writes would need more than one element each."""
        written = name in self.plan.facts.writes and has_rows(self.arrays[name])
        return written and self._shortest_row(name) != 1

    def table(self, leaf: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The description of a table; `parameters` has that of the elements.

        Indices come in any order and repeat, but not where threads would write to one element. Rows that are
        only read overlap.
        """
        name, part = self.tables[leaf]
        written = name in self.plan.facts.writes
        rows = has_rows(self.arrays[name])
        extent: Size = self._rows(name) if rows else parameters[name]["shape"][part.axis]
        count: Size = extent
        match part.kind:
            case "indices":
                count = self._count(leaf)
                values: dict[str, Any] = {"permutation": extent} if written else {"integers": [0, extent]}
            case "starts":
                first, last = _first_and_last_bucket(extent)
                count = 4
                values = {"list": [0, first, f"{grouped(extent)} - {last}", extent]}
            case "places":
                first, last = _first_and_last_bucket(extent)
                count = 3
                values = {"list": [last, f"{last} + {first}", 0]}
            case "row_places":
                values = (
                    {"permutation": extent} if written else {"integers": [0, self._memory_of_rows(name)[0]]}
                )
            case _:
                shortest = self._shortest_row(name)
                longest = f"{grouped(shortest)} + 3"
                values = {"constant": 1} if written else {"integers": [shortest, longest]}
        return {"shape": [count], "values": values}

    def rows_apart(self, name: str) -> dict[str, dict[str, Any]]:
        """What leads to the rows of an array in buckets such that they have one length, and none overlaps."""
        rows, length = self._rows(name), self._shortest_row(name)
        return {
            name: {"shape": [f"{grouped(rows)} * {grouped(length)}"]},
            f"{name}.{ROW_PLACES}": {"shape": [rows], "values": {"offsets": [length, 1]}},
            f"{name}.{ROW_LENGTHS}": {"shape": [rows], "values": {"size": length}},
        }

    def _count(self, leaf: str) -> Size:
        return self.plan.axis_size(Extent("axis", leaf, 0))

    def _rows(self, name: str) -> Size:
        """The number of rows in buckets."""
        lists = [part.leaf(name) for part in array_parts(self.arrays[name]) if part.kind == "indices"]
        return _longer(self._count(lists[0])) if lists else self.plan.axis_size(Extent("axis", name, 0))

    def _shortest_row(self, name: str) -> Size:
        return self.plan.axis_size(Extent("axis", name, 1))

    def _memory_of_rows(self, name: str) -> tuple[Size, Size]:
        """How many places a row may begin at, and the size of the memory that holds them all."""
        rows, shortest = self._rows(name), self._shortest_row(name)
        if name in self.plan.facts.writes:
            return rows, rows
        places = f"{grouped(rows)} * {grouped(shortest)}"
        return places, f"{places} + {grouped(shortest)} + 2"


def _longer(count: Size) -> Size:
    """The extent of an axis that is seen through a list of so many indices."""
    return f"{grouped(count)} + {grouped(count)} // 2 + 1"


def _first_and_last_bucket(size: Size) -> tuple[str, str]:
    """The sizes of two of three uneven buckets, which are empty where there are few elements."""
    return f"{grouped(size)} // 5", f"{grouped(size)} // 3"
