"""The parameters of the kernel, and the members of structs, as the host half has to know them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from weft.cuda import launch_assumptions
from weft.cuda.device_code import Axis, KernelParameter
from weft.cuda.passes.extent_parameters import ExtentParameter
from weft.cuda.passes.points_to import PointsTo, field_slot
from weft.cuda.passes.rename import Names
from weft.cuda.passes.shapes import Needs, member_name
from weft.cuda.printer import Printer
from weft.cuda.sizes import canonical_size
from weft.cuda.tree import INT, Function
from weft.launch import Launch
from weft.leaves import holds_arrays
from weft.sizes import Size
from weft.types import Array, Struct, Structs, Type

StructFields = dict[str, tuple[tuple[str, str, Type], ...]]


def with_shapes(structs: Structs, needs: Needs, struct: str) -> list[tuple[str, Type]]:
    """The members of a struct, with those that keep the shapes of its arrays."""
    members: list[tuple[str, Type]] = []
    for field, kind in structs[struct]:
        members.append((field, kind))
        for quantity in needs.of(field_slot(struct, field)):
            members.append((member_name(structs, struct, field, quantity), INT))
    return members


def struct_fields(shaped: Structs, names: Names, points_to: PointsTo, printer: Printer) -> StructFields:
    """For each struct by C++ name, its members as (C++ name, C++ type, type)."""
    return {
        names.structs[struct]: tuple(
            (names.members[struct][field], _member_type(struct, field, kind, points_to, printer), kind)
            for field, kind in members
        )
        for struct, members in shaped.items()
    }


def _member_type(struct: str, field: str, kind: Type, points_to: PointsTo, printer: Printer) -> str:
    constant = isinstance(kind, Array) and not points_to.field_is_written(struct, field)
    return f"{'const ' if constant else ''}{printer.type(kind)}"


def kernel_parameters(
    kernel: Function,
    structs: Structs,
    needs: Needs,
    names: Names,
    points_to: PointsTo,
    extents: list[ExtentParameter],
    printer: Printer,
) -> tuple[KernelParameter, ...]:
    """Parameters in the order of the signature, then extents."""
    return _Parameters(structs, needs, names, points_to, printer).of_kernel(kernel, extents)


class _Parameters:
    def __init__(
        self, structs: Structs, needs: Needs, names: Names, points_to: PointsTo, printer: Printer
    ) -> None:
        self.structs = structs
        self.needs = needs
        self.names = names
        self.points_to = points_to
        self.launch: Launch = points_to.launch
        self.printer = printer

    def of_kernel(self, kernel: Function, extents: list[ExtentParameter]) -> tuple[KernelParameter, ...]:
        local: Mapping[str, str] = self.names.parameters[kernel.key]
        access = self.points_to.access(kernel)
        written = self.points_to.written_leaves()
        result = []
        extent_of = {extent.name: extent for extent in extents}
        for name, kind in kernel.parameters:
            c_name = local[name]
            if name in extent_of:
                extent = extent_of.pop(name)
                value = self._value(name, c_name, kind)
                result.append(
                    dataclasses.replace(value, axis=extent.axis, launches_only=extent.launches_only)
                )
            elif isinstance(kind, Array):
                shared = name in access.updated or launch_assumptions.may_overlap(self.launch, name, written)
                memory = "texture" if self.launch.parameters[name].memory == "texture" else "array"
                element, constant = self.printer.type(kind.element), name not in access.written
                result.append(
                    KernelParameter(name, c_name, memory, kind, element, const=constant, restrict=not shared)
                )
            elif isinstance(kind, Struct) and holds_arrays(kind, self.structs):
                result.append(self._struct(name, c_name, kind))
            else:
                result.append(self._value(name, c_name, kind))
        for extent in extent_of.values():
            parameter = self._extent(local[extent.name], extent.size, extent.axis)
            result.append(dataclasses.replace(parameter, launches_only=extent.launches_only))
        return tuple(result)

    def _struct(self, path: str, c_name: str, kind: Struct) -> KernelParameter:
        """A struct that holds arrays, with its members."""
        members: list[KernelParameter] = []
        member_names = self.names.members[kind.name]
        for field, inner in self.structs[kind.name]:
            leaf, member = f"{path}.{field}", member_names[field]
            if isinstance(inner, Array):
                element = self.printer.type(inner.element)
                constant = not self.points_to.field_is_written(kind.name, field)
                members.append(KernelParameter(leaf, member, "array", inner, element, const=constant))
                for quantity in self.needs.of(field_slot(kind.name, field)):
                    shape = member_names[member_name(self.structs, kind.name, field, quantity)]
                    members.append(self._shape(shape, leaf, inner.ndim, quantity))
            elif isinstance(inner, Struct) and holds_arrays(inner, self.structs):
                members.append(self._struct(leaf, member, inner))
            else:
                members.append(self._value(leaf, member, inner))
        return KernelParameter(path, c_name, "struct", kind, self.printer.type(kind), members=tuple(members))

    def _shape(self, c_name: str, leaf: str, rank: int, quantity: tuple[bool, int]) -> KernelParameter:
        """A member that keeps an extent or stride of the array `leaf`."""
        stride, axis = quantity
        if stride and launch_assumptions.is_strided(self.launch, leaf):
            return self._extent(c_name, launch_assumptions.stride_of(self.launch, leaf, axis), None)
        if not stride:
            size = launch_assumptions.extent_of(self.launch, leaf, axis)
            return self._extent(c_name, size, Axis(leaf, axis) if size is None else None)
        inner = [launch_assumptions.extent_of(self.launch, leaf, k) for k in range(axis + 1, rank)]
        if any(size is None for size in inner):
            return self._extent(c_name, None, Axis(leaf, axis, stride=True))
        return self._extent(c_name, " * ".join(f"({size})" for size in inner) or 1, None)

    def _value(self, name: str, c_name: str, kind: Type) -> KernelParameter:
        size = self._size_of(name)
        resolved = None if size is None else canonical_size(size, self.launch.sizes)
        return KernelParameter(name, c_name, "value", kind, self.printer.type(kind), resolved, written=size)

    def _extent(self, c_name: str, size: Size | None, axis: Axis | None) -> KernelParameter:
        resolved = None if size is None else canonical_size(size, self.launch.sizes)
        return KernelParameter("", c_name, "extent", None, "int", resolved, axis, written=size)

    def _size_of(self, name: str) -> Size | None:
        """The size that a by-value parameter holds by its recipe."""
        return None if name in self.launch.inferred else self.launch.parameters[name].size
