"""Launch descriptions for kernels that have none, or half of one, from how the kernel uses its indices."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from weft.errors import KernelError, Place
from weft.ir.bounds import Extent
from weft.ir.index_facts import IndexFacts
from weft.ir.index_run import index_facts
from weft.ir.index_values import values_extent
from weft.ir.launch_plan import LaunchPlan, spread
from weft.ir.part_launches import PartLaunches
from weft.ir.tile_launches import asks_block_dim, default_blocks, uses_tiles
from weft.ir.warp_inside.capture import BLOCK_DIM
from weft.leaves import leaves, structs_of, whole_leaves
from weft.source_lines import character, lines_of
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

UNUSED = {"constant": 1}
"""The values of what the code never looks at: nothing can depend on them, and constants need not matter."""


@dataclasses.dataclass(frozen=True)
class Completed:
    """The written form of a whole launch description, and why no launch can follow from it, if none can; then
    `proposal` is one that can be tried instead, if there is any.
    """

    description: dict[str, Any]
    problem: KernelError | None
    proposal: dict[str, Any] | None = None


def complete_launch(given: Mapping[str, Any] | None, record: Mapping[str, Any], rank: int) -> Completed:
    """A launch description (docs/formats.md), what `given` lacks filled in.

    The problem (`no_launch`) is at the first line that needs a description, where no default is safe.
    """
    structs = structs_of(record)
    signature = [(one["name"], parse_type(one["type"])) for one in record["signature"]]
    types = dict(leaves(signature, structs))
    described = dict(given or {})
    parameters = dict(described.get("parameters", {}))
    missing = [name for name in types if name not in parameters]
    alone = asks_block_dim(record) and not uses_tiles(record)
    if alone or uses_tiles(record):
        described.setdefault("block_dim", BLOCK_DIM)
    if alone and rank <= len(described.get("dims", [""])):
        described.setdefault("tiled", False)
    if "dims" in described and not missing:
        return Completed(described, None)
    facts = index_facts(record, rank)
    facts.uses_tiles = facts.uses_tiles or uses_tiles(record)
    block_dim = described.get("block_dim", BLOCK_DIM)
    in_blocks = facts.uses_tiles or (alone and described.get("tiled", True))
    blocks = default_blocks(record, rank, block_dim) if in_blocks and "dims" not in described else None
    ranks = {name: declared.ndim for name, declared in types.items() if isinstance(declared, Array)}
    placed = {"dims": blocks.places} if blocks else {}
    plan = LaunchPlan(facts, described | placed, parameters, ranks, _integer_lists(types))
    parts = PartLaunches(plan, signature, structs)
    problem = None
    proposed: dict[str, dict[str, Any]] = {}
    for name in missing:
        try:
            if name in parts.tables:
                parameters[name] = parts.table(name, parameters)
            else:
                parameters[name] = _parameter(plan, parts, record, name, types[name], structs)
        except KernelError as error:
            problem = problem or error
            parameters[name] = _without_values(plan, name, types[name])
            proposed |= _proposed(plan, parts, name, types[name], structs)
    completed = {
        "sizes": plan.sizes,
        "dims": plan.dims,
        "parameters": parameters,
        "inferred": [*described.get("inferred", ()), *missing],
        "inferred_dims": described.get("inferred_dims", "dims" not in described),
    }
    if given is None:
        completed["equality"] = _equality(plan, missing)
        completed["inferred_equality"] = completed["equality"] == "bounded"
    if facts.uses_tiles:
        completed["block_dim"] = block_dim
    if blocks is not None:
        completed |= {"dims": blocks.dims, "tiled": blocks.tiled}
    whole = described | completed
    if problem is None:
        return Completed(whole, None)
    return Completed(whole, problem, whole | {"parameters": parameters | proposed})


def _proposed(
    plan: LaunchPlan, parts: PartLaunches, name: str, declared: Type, structs: Structs
) -> dict[str, dict[str, Any]]:
    """Parameters that a user may describe so, where the code does not show how: nothing of it is proved."""
    if not is_drawable(declared, structs) or name in plan.facts.handles:
        return {}
    if not isinstance(declared, Array):
        return {name: {"values": _recipe(plan, name, "", declared, structs)}}
    rows = parts.rows_apart(name) if name in parts.arrays and parts.overlaps(name) else {}
    described = _without_values(plan, name, declared) | rows.get(name, {})
    if name in plan.facts.unknown:
        described["shape"] = plan.room_for_threads(described["shape"])
    values = None if described["role"] == "out" else _recipe(plan, name, "", declared.element, structs)
    return rows | {name: described | {"values": values}}


def without_launch(record: Mapping[str, Any], rank: int, message: str) -> Completed:
    """A description that says no more than the code does: roles, and how many extents there are."""
    structs = structs_of(record)
    types = dict(leaves([(one["name"], parse_type(one["type"])) for one in record["signature"]], structs))
    facts = index_facts(record, rank)
    parameters: dict[str, Any] = {}
    for name, declared in types.items():
        parameters[name] = {"values": None}
        if isinstance(declared, Array):
            parameters[name] |= {"role": _role(facts, name), "shape": spread(declared.ndim)}
    kernel = record["kernel"]
    definition = ast.parse(kernel["source"]).body[0]
    description = {
        "dims": spread(max(rank, 1)),
        "parameters": parameters,
        "inferred": list(types),
        "inferred_dims": True,
    }
    if uses_tiles(record):
        description["block_dim"] = BLOCK_DIM
    elif asks_block_dim(record):
        description |= {"block_dim": BLOCK_DIM, "tiled": False}
    place = _place(kernel, definition.lineno, definition.col_offset)
    proposal = description | {
        "parameters": {
            name: entry | {"values": None if entry.get("role") == "out" else _of_type(types[name], structs)}
            for name, entry in parameters.items()
        }
    }
    return Completed(description, KernelError("no_launch", message, place), proposal)


def _equality(plan: LaunchPlan, arrays: Iterable[str]) -> str:
    """What an undescribed kernel leaves undetermined: an order of slots, or of a sum of floats."""
    if any(plan.hands_out_slots(name) for name in arrays):
        return "permutation"
    return "bounded" if plan.facts.float_atomics else "bits"


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
    for name, declared in whole_leaves(signature, structs):
        if not is_drawable(declared, structs):
            text = str(declared).replace("opaque", "")
            message = f"no values can be drawn for {name!r} of type {text}"
            return KernelError("no_launch", message, parameter_place(record, name))
    return None


def _integer_lists(types: Mapping[str, Type]) -> set[str]:
    """The arrays of integers with one dimension."""
    arrays = {name: declared for name, declared in types.items() if isinstance(declared, Array)}
    return {
        name
        for name, declared in arrays.items()
        if declared.ndim == 1 and isinstance(declared.element, Scalar) and declared.element.is_integer
    }


def _role(facts: IndexFacts, name: str) -> str:
    if name in facts.writes:
        return "inout" if name in facts.reads else "out"
    return "in"


def _without_values(plan: LaunchPlan, name: str, declared: Type) -> dict[str, Any]:
    """What can be said of a parameter for which nothing can be drawn."""
    if not isinstance(declared, Array):
        return {"values": None}
    shape = [plan.axis_size(Extent("axis", name, axis)) for axis in range(declared.ndim)]
    return {"role": _role(plan.facts, name), "shape": shape, "values": None}


def _parameter(
    plan: LaunchPlan,
    parts: PartLaunches,
    record: Mapping[str, Any],
    name: str,
    declared: Type,
    structs: Structs,
) -> dict[str, Any]:
    """The description of one parameter. Raises KernelError where none is safe."""
    facts = plan.facts
    if not is_drawable(declared, structs):
        return _without_values(plan, name, declared)
    if isinstance(declared, Array):
        if name in facts.unknown:
            function, node = facts.unknown[name]
            raise KernelError(
                "no_launch",
                f"cannot tell which elements of {name!r} are used here; describe it in LAUNCH",
                _place(function, node.lineno, node.col_offset),
            )
        if name in parts.arrays and parts.overlaps(name):
            raise KernelError(
                "no_launch",
                f"the rows of {name!r} are written, and nothing says where each of them begins: describe "
                f"{name}.row_places and {name}.row_lengths in LAUNCH",
                parameter_place(record, name),
            )
        if name in parts.arrays:
            shape = parts.shape(name)
        else:
            shape = [plan.axis_size(Extent("axis", name, axis)) for axis in range(declared.ndim)]
        role = _role(facts, name)
        if role == "out":
            return {"role": role, "shape": shape}
        unread = role == "in" and name not in facts.reads
        recipe = UNUSED if unread else _recipe(plan, name, "", declared.element, structs)
        return {"role": role, "shape": shape, "values": recipe}
    if not _is_named(record, name):
        return {"values": UNUSED}
    if isinstance(declared, Scalar) and name in facts.handles:
        raise KernelError(
            "no_launch",
            f"{name!r} is a handle of an object of Warp's, which no recipe makes",
            parameter_place(record, name),
        )
    if isinstance(declared, Scalar) and declared.is_float:
        return {"values": {"uniform": [0.1, 1.0]}}
    return {"values": _recipe(plan, name, "", declared, structs)}


def _is_named(record: Mapping[str, Any], leaf: str) -> bool:
    """Whether a kernel's code names a parameter, and its code or a function's the member that a leaf is."""
    parameter, *members = leaf.split(".")
    kernel = ast.parse(record["kernel"]["source"])
    if not any(isinstance(node, ast.Name) and node.id == parameter for node in ast.walk(kernel)):
        return False
    trees = [kernel, *(ast.parse(function["source"]) for function in record["functions"] if members)]
    named = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return named.issuperset(members)


def _of_type(declared: Type, structs: Structs) -> dict[str, Any]:
    """Values of a parameter of which nothing but its type is known."""
    element = declared.element if isinstance(declared, Array) else declared
    if isinstance(element, Struct):
        return {"members": {name: _of_type(one, structs) for name, one in structs[element.name]}}
    scalar = next(component_scalars(element, structs))
    if scalar.is_float:
        return {"uniform": [0.1, 1.0]}
    return {"integers": [0, 2] if scalar.name == "bool" else [1, 10]}


def _known_integer(plan: LaunchPlan, name: str) -> dict[str, Any] | None:
    """The recipe of an integer passed by value, if the code shows what it is."""
    facts = plan.facts
    if name in facts.indexes:
        return {"integers": [0, plan.smallest(facts.indexes[name])]}
    if plan.is_used(Extent("parameter", name)):
        return {"size": plan.size(Extent("parameter", name))}
    return {"integers": [0, 1000]} if name in facts.seeds else None


def _recipe(plan: LaunchPlan, name: str, path: str, element: Type, structs: Structs) -> dict[str, Any]:
    """Values of a parameter, of an array's elements, or of the member `path` of either."""
    if isinstance(element, Struct):
        members = {
            field: _recipe(plan, name, f"{path}.{field}".lstrip("."), declared, structs)
            for field, declared in structs[element.name]
        }
        return {"members": members}
    scalar = next(component_scalars(element, structs))
    values = values_extent(name, path)
    if not path and (offsets := plan.offsets(name)):
        return {"offsets": list(offsets)}
    if plan.is_used(values):
        return {"integers": [0, plan.size(values)]}
    if not path and (total := plan.permutation(name)):
        return {"permutation": total}
    if indexed := plan.facts.holds_indices.get((name, path)):
        return {"integers": [0, plan.smallest(indexed)]}
    if scalar.is_float:
        low = 0.1 if isinstance(element, Quaternion | Transform) else -1.0
        return {"uniform": [low, 1.0]}
    if scalar.name == "bool":
        return {"integers": [0, 2]}
    if plan.hands_out_slots(name):
        return {"constant": 0}
    by_value = f"{name}.{path}" if path else name
    return _known_integer(plan, by_value) or _any_integer(plan, by_value, values.name, scalar)


def _any_integer(plan: LaunchPlan, parameter: str, member: str, scalar: Scalar) -> dict[str, Any]:
    """Small integers, among them all that the code compares with, and no 0 where it divides by them.

    Elements of one byte without a sign are mostly colors.
    """
    divides = bool(plan.facts.divisors & {parameter, member})
    constants = plan.facts.compared.get(parameter, set()) | plan.facts.compared.get(member, set())
    near = [constant for constant in constants if -16 <= constant <= 16]
    if not near:
        colors = scalar.name == "uint8" and parameter in plan.ranks
        return {"integers": [int(divides), 256]} if colors else {"integers": [1, 10]}
    return {"integers": [max(min(near), 1) if divides else min(*near, 0), max(*near, 1) + 2]}


def parameter_place(record: Mapping[str, Any], name: str) -> Place:
    """Where a kernel names a parameter, or the one that a leaf is of."""
    kernel = record["kernel"]
    definition = ast.parse(kernel["source"]).body[0]
    assert isinstance(definition, ast.FunctionDef)
    node = next(argument for argument in definition.args.args if argument.arg == name.partition(".")[0])
    return _place(kernel, node.lineno, node.col_offset)


def _place(function: Mapping[str, Any], line: int, byte: int) -> Place:
    text = lines_of(function["source"])[line - 1]
    column = character(text, byte)
    padded = " " * function["column"] + text
    return Place(function["file"], function["line"] + line - 1, function["column"] + column + 1, padded)
