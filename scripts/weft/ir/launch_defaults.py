"""Launch descriptions for kernels that have none, or half of one, from how the kernel uses its indices."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from weft.errors import KernelError, Place
from weft.ir.index_facts import index_facts, structs_of
from weft.ir.index_values import Extent, IndexFacts
from weft.leaves import leaves
from weft.sizes import Size
from weft.types import (
    Array,
    Quaternion,
    Scalar,
    Struct,
    Structs,
    Transform,
    Type,
    component_scalars,
    parse_type,
)

LOOP_TRIPS = 17

_DIMS: dict[int, tuple[dict[str, str], list[str]]] = {
    1: ({}, ["n"]),
    2: ({"rows": "7", "columns": "(n + 6) // 7"}, ["rows", "columns"]),
    3: ({"layers": "3", "rows": "5", "columns": "(n + 14) // 15"}, ["layers", "rows", "columns"]),
    4: (
        {"blocks": "2", "layers": "3", "rows": "5", "columns": "(n + 29) // 30"},
        ["blocks", "layers", "rows", "columns"],
    ),
}


@dataclasses.dataclass(frozen=True)
class Completed:
    """The written form of a whole launch description, and why no launch can follow from it, if none can."""

    description: dict[str, Any]
    problem: KernelError | None


def complete_launch(given: Mapping[str, Any] | None, record: Mapping[str, Any], rank: int) -> Completed:
    """A launch description (docs/formats.md), what `given` lacks filled in.

    The problem (`no_launch`) is at the first line that needs a description, where no default is safe.
    """
    structs = structs_of(record)
    types = dict(leaves([(one["name"], parse_type(one["type"])) for one in record["signature"]], structs))
    described = dict(given or {})
    parameters = dict(described.get("parameters", {}))
    missing = [name for name in types if name not in parameters]
    if "dims" in described and not missing:
        return Completed(described, None)
    plan = _Plan(index_facts(record), record, described, parameters, rank)
    problem = None
    for name in missing:
        try:
            parameters[name] = _parameter(plan, name, types[name], structs)
        except KernelError as error:
            problem = problem or error
            parameters[name] = _without_values(plan, name, types[name])
    completed = {
        "sizes": plan.sizes,
        "dims": plan.dims,
        "parameters": parameters,
        "inferred": [*described.get("inferred", ()), *missing],
        "inferred_dims": described.get("inferred_dims", "dims" not in described),
    }
    return Completed(described | completed, problem)


def is_drawable(declared: Type, structs: Structs) -> bool:
    """Whether recipes can draw values of a parameter's type: not of textures, of handles, of nothing."""
    element = declared.element if isinstance(declared, Array) else declared
    try:
        return bool(list(component_scalars(element, structs)))
    except ValueError:
        return False


def undrawable(record: Mapping[str, Any]) -> KernelError | None:
    """The problem at the first parameter for whose type no recipe draws values."""
    structs = structs_of(record)
    signature = [(one["name"], parse_type(one["type"])) for one in record["signature"]]
    for name, declared in leaves(signature, structs):
        if not is_drawable(declared, structs):
            text = str(declared).replace("opaque", "")
            message = f"no values can be drawn for {name!r} of type {text}"
            return KernelError("no_launch", message, _parameter_place(record, name))
    return None


class _Plan:
    """Sizes for every extent: those that must agree share one."""

    def __init__(
        self,
        facts: IndexFacts,
        record: Mapping[str, Any],
        described: Mapping[str, Any],
        parameters: Mapping[str, Any],
        rank: int,
    ) -> None:
        self.facts = facts
        self.record = record
        self.groups = _groups(facts.same)
        self.sizes: dict[str, Size] = dict(described.get("sizes", {}))
        self.fixed: dict[Extent, Size] = {}
        for name, parameter in parameters.items():
            for axis, size in enumerate(parameter.get("shape", ())):
                self.fixed[Extent("axis", name, axis)] = size
            if "size" in parameter.get("values", {}):
                self.fixed[Extent("parameter", name)] = parameter["values"]["size"]
        self.dims = list(described.get("dims") or self._default_dims(rank))
        for axis, dim in enumerate(self.dims):
            self.fixed.setdefault(Extent("tid", "", axis), dim)
        self.named: dict[Extent, Size] = {}

    def _default_dims(self, rank: int) -> list[str]:
        if not self.facts.uses_tid:
            return ["1"]
        launch = [Extent("tid", "", axis) for axis in range(rank)]
        looped = [any(self.together(dim, loop) for loop in self.facts.loops) for dim in launch]
        if rank == 1 and looped[0]:
            return ["min(n, 300)"]
        square = any(self.together(launch[0], other) for other in launch[1:])
        if rank > 1 and (square or any(looped)):
            return ["min(n, 20)"] * rank
        sizes, dims = _DIMS[rank]
        self.sizes |= sizes
        return dims

    def group(self, extent: Extent) -> frozenset[Extent]:
        return self.groups.get(extent, frozenset({extent}))

    def together(self, one: Extent, other: Extent) -> bool:
        return other in self.group(one)

    def size(self, extent: Extent) -> Size:
        """The size of an extent, from its group: described, a launch dimension, a literal, or a new size."""
        group = sorted(self.group(extent), key=lambda e: (e.kind, e.name, e.axis))
        for member in group:
            if member in self.fixed:
                return self.fixed[member]
        literals = [int(member.name) for member in group if member.kind == "literal"]
        if literals:
            return max(literals)
        if group[0] not in self.named:
            looped = any(member in self.facts.loops for member in group)
            if not looped:
                self.named[group[0]] = "n"
            else:
                owner = next((m for m in group if m.kind == "parameter"), group[0])
                name = owner.name if owner.kind == "parameter" else f"{owner.name}_{owner.axis}"
                name = name.replace(".", "_")
                name = name if name != "n" and name not in self.sizes else f"{name}_count"
                self.sizes[name] = str(LOOP_TRIPS)
                self.named[group[0]] = name
        return self.named[group[0]]

    def axis_size(self, extent: Extent) -> Size:
        """How long an axis of an array must be for every index that the kernel uses."""
        if extent in self.fixed:
            return self.fixed[extent]
        if extent in self.facts.minimum and extent not in self.groups and extent not in self.facts.scaled:
            return self.facts.minimum[extent]
        size: Size = self.size(extent)
        margin = self.facts.margins.get(extent, 0)
        if margin > 0:
            size = f"{_grouped(size)} + {margin}"
        for value in self.facts.scaled.get(extent, ()):
            assert value.extent is not None
            scaled = f"{value.scale} * {_grouped(self.size(value.extent))}"
            excess = value.offset - value.scale + 1
            size = f"{scaled} + {excess}" if excess > 0 else scaled
        if extent in self.facts.minimum:
            size = f"max({size}, {self.facts.minimum[extent]})"
        return size

    def smallest(self, extents: Iterable[Extent]) -> Size:
        """A size that is no larger than any of these axes."""
        sizes = list(dict.fromkeys(self.axis_size(extent) for extent in extents))
        result = sizes[0]
        for size in sizes[1:]:
            result = f"min({result}, {size})"
        return result


def _grouped(size: Size) -> Size:
    return size if isinstance(size, int) or size.isidentifier() or size.isdigit() else f"({size})"


def _groups(pairs: Iterable[tuple[Extent, Extent]]) -> dict[Extent, frozenset[Extent]]:
    """Extents that must agree, by extent."""
    groups: dict[Extent, frozenset[Extent]] = {}
    for one, other in pairs:
        merged = groups.get(one, frozenset({one})) | groups.get(other, frozenset({other}))
        for member in merged:
            groups[member] = merged
    return groups


def _role(facts: IndexFacts, name: str) -> str:
    if name in facts.writes:
        return "inout" if name in facts.reads else "out"
    return "in"


def _without_values(plan: _Plan, name: str, declared: Type) -> dict[str, Any]:
    """What can be said of a parameter for which nothing can be drawn."""
    if not isinstance(declared, Array):
        return {"values": None}
    shape = [plan.axis_size(Extent("axis", name, axis)) for axis in range(declared.ndim)]
    return {"role": _role(plan.facts, name), "shape": shape, "values": None}


def _parameter(plan: _Plan, name: str, declared: Type, structs: Structs) -> dict[str, Any]:
    """The description of one parameter. Raises KernelError where none is safe."""
    facts = plan.facts
    if not is_drawable(declared, structs):
        return _without_values(plan, name, declared)
    if isinstance(declared, Array):
        if name in facts.unknown:
            function, node = facts.unknown[name]
            raise KernelError(
                "no_launch",
                f"cannot tell which elements of {name!r} are used here; describe it in LAUNCH, as in\n"
                + _example(plan.record, name, '{"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}}'),
                _place(function, node.lineno, node.col_offset),
            )
        shape = [plan.axis_size(Extent("axis", name, axis)) for axis in range(declared.ndim)]
        role = _role(facts, name)
        if role == "out":
            return {"role": role, "shape": shape}
        return {"role": role, "shape": shape, "values": _recipe(plan, name, "", declared.element, structs)}
    if isinstance(declared, Scalar) and declared.is_integer:
        known = _known_integer(plan, name)
        if known:
            return {"values": known}
        raise KernelError(
            "no_launch",
            f"cannot tell which values the integer {name!r} may have; describe it in LAUNCH, as in\n"
            + _example(plan.record, name, '{"values": {"integers": [1, 10]}}'),
            _parameter_place(plan.record, name),
        )
    if isinstance(declared, Scalar) and declared.is_float:
        return {"values": {"uniform": [0.1, 1.0]}}
    return {"values": _recipe(plan, name, "", declared, structs)}


def _known_integer(plan: _Plan, name: str) -> dict[str, Any] | None:
    """The recipe of an integer passed by value, if the code shows what it is."""
    extent = Extent("parameter", name)
    if name in plan.facts.indexes:
        return {"integers": [0, plan.smallest(plan.facts.indexes[name])]}
    if extent in plan.groups or extent in plan.facts.bounds:
        return {"size": plan.size(extent)}
    return {"integers": [0, 1000]} if name in plan.facts.seeds else None


def _recipe(plan: _Plan, array: str, path: str, element: Type, structs: Structs) -> dict[str, Any]:
    """Values for an array's elements, or for the member `path` of them."""
    indexed = plan.facts.holds_indices.get((array, path))
    if isinstance(element, Struct):
        members = {
            field: _recipe(plan, array, f"{path}.{field}".lstrip("."), declared, structs)
            for field, declared in structs[element.name]
        }
        return {"members": members}
    scalar = next(component_scalars(element, structs))
    if indexed:
        return {"integers": [0, plan.smallest(indexed)]}
    if scalar.is_float:
        low = 0.1 if isinstance(element, Quaternion | Transform) else -1.0
        return {"uniform": [low, 1.0]}
    known = _known_integer(plan, f"{array}.{path}" if path else array)
    return known or {"integers": [0, 2] if scalar.name == "bool" else [1, 10]}


def _example(record: Mapping[str, Any], parameter: str, description: str) -> str:
    return f'    LAUNCH = {{"{record["kernel_name"]}": {{"parameters": {{"{parameter}": {description}}}}}}}'


def _parameter_place(record: Mapping[str, Any], name: str) -> Place:
    kernel = record["kernel"]
    definition = ast.parse(kernel["source"]).body[0]
    assert isinstance(definition, ast.FunctionDef)
    node = next(argument for argument in definition.args.args if argument.arg == name.partition(".")[0])
    return _place(kernel, node.lineno, node.col_offset)


def _place(function: Mapping[str, Any], line: int, byte: int) -> Place:
    text = function["source"].splitlines()[line - 1]
    column = len(text.encode()[:byte].decode(errors="ignore"))
    padded = " " * function["column"] + text
    return Place(function["file"], function["line"] + line - 1, function["column"] + column + 1, padded)
