"""The parameters of a function that hold extents and strides of its arrays, made as they are needed."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence

from weft.cuda import launch_assumptions
from weft.cuda.analysis.linear import Key, key_of
from weft.cuda.contents import Contents
from weft.cuda.device_code import Axis
from weft.cuda.fresh_names import take
from weft.cuda.passes.offsets import plus, times
from weft.cuda.sizes import size_expression
from weft.cuda.tree import INT, Expression, Literal, Name
from weft.launch import Launch
from weft.plurals import singular
from weft.sizes import Size, parse_size
from weft.types import Array

_EXTENTS = {
    1: ["count"],
    2: ["rows", "cols"],
    3: ["planes", "rows", "cols"],
    4: ["blocks", "planes", "rows", "cols"],
}
_STRIDES = {
    1: ["stride"],
    2: ["row_stride", "col_stride"],
    3: ["plane_stride", "row_stride", "col_stride"],
    4: ["block_stride", "plane_stride", "row_stride", "col_stride"],
}

_COUNTS = {"n": "count", "count": "n"}
"""What is used in place of each where a variable of the source has its name."""


def axis_names(rank: int) -> list[str]:
    """What the axes of an array are called, outermost first."""
    return _EXTENTS[rank]


def extent_name(array: str, rank: int, axis: int, stride: bool) -> str:
    """What the extent or stride of an array is called: `field_rows`, `field_row_stride`, `num_points`."""
    if rank == 1 and not stride:
        return count_name(array)
    return f"{array}_{(_STRIDES if stride else _EXTENTS)[rank][axis]}"


def count_name(name: str) -> str:
    """What the number of elements is called where `name` itself is something else."""
    counts = singular(name) != name and not name.startswith("num_")
    return f"num_{name}" if counts else f"{name}_count"


@dataclasses.dataclass
class ExtentParameter:
    """A parameter that holds an extent or stride.

    In the kernel, `size` is what the launch description says it is, or `axis` what nobody described. In a
    function it is that of axis `number` of the parameter at `position`. What `launches_only` is for the
    launcher alone.
    """

    name: str
    size: Size | None = None
    axis: Axis | None = None
    position: int = 0
    number: int = 0
    stride: bool = False
    launches_only: bool = False


class ExtentParameters:
    """The extents that one function needs as parameters, in order of need. `written` are the leaves that the
    kernel writes. `held` are axes of the launch whose length is a parameter of the kernel.
    """

    def __init__(self, contents: Contents, launch: Launch, written: set[str]) -> None:
        self.function = contents.function
        self.launch = launch
        self.written = written
        self.parameters: list[ExtentParameter] = []
        self.taken = contents.taken
        self.keys: dict[Size, Key] = {}
        self.held: dict[Axis, str] = {}

    def free(self, name: str) -> str:
        """`name`, or the like if the function has such a name, now taken."""
        return take(name, self.taken)

    def of_array(self, array: str, axis: int, stride: bool) -> Expression:
        """The extent, or stride, of a parameter that is an array."""
        kind = dict(self.function.parameters)[array]
        assert isinstance(kind, Array)
        name = extent_name(array, kind.ndim, axis, stride)
        if self.function.kernel:
            if stride:
                return self.size(launch_assumptions.stride_of(self.launch, array, axis), name)
            size = launch_assumptions.extent_of(self.launch, array, axis)
            if size is None:
                return self._inferred(Axis(array, axis), name)
            known = self.size(size, name)
            if isinstance(known, Literal) and not known.size:
                known.size = f"{array}.{axis_names(kind.ndim)[axis]}"
            return known
        position = [name for name, _ in self.function.parameters].index(array)
        for extent in self.parameters:
            if (extent.position, extent.number, extent.stride) == (position, axis, stride):
                return Name(INT, extent.name)
        return self._add(ExtentParameter(self.free(name), position=position, number=axis, stride=stride))

    def of_launch(self, axis: int, name: str) -> Expression:
        """The extent of the launch along an axis."""
        if self.launch.inferred_dims:
            return self._inferred(Axis(None, axis), name)
        return self.size(self.launch.dims[axis], name)

    def only_launches(self, name: str, size: Size) -> None:
        """Leave a parameter of the kernel's own to the launcher, for which it has this size."""
        self.parameters.append(ExtentParameter(name, size=size, launches_only=True))

    def _inferred(self, axis: Axis, name: str) -> Expression:
        found = next((extent for extent in self.parameters if extent.axis == axis), None)
        if found is None:
            return self._add(ExtentParameter(self.held.get(axis) or self.free(name), axis=axis))
        return Name(INT, found.name)

    def _add(self, extent: ExtentParameter) -> Expression:
        self.parameters.append(extent)
        return Name(INT, extent.name)

    def size(self, size: Size, fallback: str) -> Expression:
        """The kernel's expression of a size: a literal, a parameter that has its value, or an extent
        parameter.
        """
        held = self.holder(size)
        if held is not None:
            return held
        simple = self._sum(size)
        if simple is not None:
            return simple
        key, text = self._key(size), str(size).strip()
        name = next(
            (n for n, s in self.launch.sizes.items() if self._key(s) == key),
            text if text.isidentifier() else fallback,
        )
        if name in self.taken:
            other = _COUNTS.get(name, name)
            name = count_name(name) if other in self.taken else other
        return self._add(ExtentParameter(self.free(name), size=size))

    def in_order(self, names: Sequence[str]) -> None:
        """Put the extent parameters of these names, where they stand, into this order."""
        found = {one.name: one for one in self.parameters if one.name in names}
        ordered = iter([found[name] for name in dict.fromkeys(names) if name in found])
        self.parameters[:] = [next(ordered) if one.name in found else one for one in self.parameters]

    def order_axes(self) -> None:
        """Put the extents of each array, but for what a launch counts, into the order of its axes."""
        dims = {self._key(dim) for dim in self.launch.dims}
        for one in reversed([*self.launch.parameters.values()]):
            keys = [key for size in one.shape if (key := self._key(size)) not in dims]
            sized = {
                self._key(extent.size): extent.name for extent in self.parameters if extent.size is not None
            }
            self.in_order([sized[key] for key in keys if key in sized])

    def holder(self, size: Size) -> Expression | None:
        """What there is already that has the value of a size: a number, a parameter, an extent parameter."""
        text = str(size).strip()
        if text.lstrip("-").isdigit():
            return Literal(INT, int(text))
        key = self._key(size)
        for name, kind in self.function.parameters:
            if kind == INT and name not in self.written and self._parameter_key(name) == key:
                return Name(INT, name)
        spanned = launch_assumptions.spanned(self.launch, size)
        if spanned is not None:
            return Literal(INT, spanned, size=text if text.isidentifier() else "")
        for extent in self.parameters:
            if extent.size is not None and self._key(extent.size) == key:
                return Name(INT, extent.name)
        return None

    def _sum(self, size: Size) -> Expression | None:
        """`n + 1` or `2 * n` in terms of n: simpler than an extent of its own."""
        match parse_size(size):
            case ast.BinOp(
                ast.Name(id=name), ast.Add() | ast.Mult() | ast.Sub() as op, ast.Constant(value=int(k))
            ):
                of, number = self.size(name, name), Literal(INT, -k if isinstance(op, ast.Sub) else k)
                return times(of, number) if isinstance(op, ast.Mult) else plus(of, number)
            case ast.BinOp(ast.Constant(value=int(k)), ast.Mult(), ast.Name(id=name)):
                return times(Literal(INT, k), self.size(name, name))
            case _:
                return None

    def _parameter_key(self, name: str) -> Key | None:
        parameter = self.launch.parameters.get(name)
        if parameter is None or parameter.size is None or name in self.launch.inferred:
            return None
        return self._key(parameter.size)

    def _key(self, size: Size) -> Key:
        """What is equal for sizes that are computed the same way."""
        if size not in self.keys:
            self.keys[size] = key_of(size_expression(size, self.launch.sizes))
        return self.keys[size]
