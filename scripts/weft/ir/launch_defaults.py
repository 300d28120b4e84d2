"""Launch descriptions for kernels that have none, or half of one, from how the kernel uses its indices."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from weft.errors import KernelError
from weft.ir.index_facts import IndexFacts
from weft.ir.index_run import index_facts
from weft.ir.index_values import values_extent
from weft.ir.kernel_sources import KernelSources
from weft.ir.launch_plan import LaunchPlan, spread
from weft.ir.part_launches import PartLaunches
from weft.ir.symbolic_bounds import Extent
from weft.ir.tile_launches import default_blocks
from weft.leaves import whole_leaves
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
)

UNUSED = {"constant": 1}
"""The values of what the code never looks at: nothing can depend on them, and constants need not matter."""


@dataclasses.dataclass(frozen=True)
class Completed:
    """The written form of a whole launch description. `problem` says why no launch can follow from it, if so;
    `proposal` is then one to try in its place, if there is any.
    """

    description: dict[str, Any]
    problem: KernelError | None
    proposal: dict[str, Any] | None = None


def complete_launch(
    given: Mapping[str, Any] | None, sources: KernelSources, rank: int, block_dim: int
) -> Completed:
    """A launch description (docs/formats/launch.md), what `given` lacks filled in; blocks have `block_dim`
    threads if it does not say how many.

    The problem (`no_launch`) is at the first line that needs a description, where no default is safe.
    """
    described = dict(given or {})
    parameters = dict(described.get("parameters", {}))
    missing = [name for name in sources.types if name not in parameters]
    alone = sources.asks_block_dim and not sources.uses_tiles
    if alone or sources.uses_tiles:
        described.setdefault("block_dim", block_dim)
    if alone and rank <= len(described.get("dims", [""])):
        described.setdefault("tiled", False)
    if "dims" in described and not missing:
        return Completed(described, None)
    facts = index_facts(sources, rank)
    block_dim = described.get("block_dim", block_dim)
    in_blocks = facts.uses_tiles or (alone and described.get("tiled", True))
    blocks = (
        default_blocks(sources.builtins, rank, block_dim) if in_blocks and "dims" not in described else None
    )
    placed = {"dims": blocks.places} if blocks else {}
    plan = LaunchPlan(facts, described | placed, parameters, sources.types)
    defaults = _Defaults(sources, plan)
    problem = None
    proposed: dict[str, dict[str, Any]] = {}
    for name in missing:
        try:
            parameters[name] = defaults.of(name, parameters)
        except KernelError as error:
            problem = problem or error
            parameters[name] = defaults.without_values(name)
            proposed |= defaults.proposed(name)
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


def without_launch(sources: KernelSources, rank: int, block_dim: int, message: str) -> Completed:
    """A description that says no more than the code does: roles, and how many extents there are."""
    types = sources.types
    facts = index_facts(sources, rank)
    parameters: dict[str, Any] = {}
    for name, declared in types.items():
        parameters[name] = {"values": None}
        if isinstance(declared, Array):
            parameters[name] |= {"role": _role(facts, name), "shape": spread(declared.ndim)}
    description = {
        "dims": spread(max(rank, 1)),
        "parameters": parameters,
        "inferred": list(types),
        "inferred_dims": True,
    }
    if sources.uses_tiles:
        description["block_dim"] = block_dim
    elif sources.asks_block_dim:
        description |= {"block_dim": block_dim, "tiled": False}
    place = sources.kernel.place(sources.kernel.definition)
    proposal = description | {
        "parameters": {
            name: entry
            | {"values": None if entry.get("role") == "out" else _of_type(types[name], sources.structs)}
            for name, entry in parameters.items()
        }
    }
    return Completed(description, KernelError("no_launch", message, place), proposal)


def _equality(plan: LaunchPlan, arrays: Iterable[str]) -> str:
    """What an undescribed kernel leaves undetermined: an order of slots, or of a sum of floats."""
    if any(plan.hands_out_slots(name) for name in arrays):
        return "permutation"
    return "bounded" if plan.facts.float_atomics else "bits"


def _fitting(size: Size, scalar: Scalar) -> Size:
    """Up to where indices of this type into an array of this size go: `n` may exceed one or two bytes."""
    if scalar.bytes > 2:
        return size
    end = scalar.limits[1] + 1
    return min(size, end) if isinstance(size, int) else f"min({size}, {end})"


def is_drawable(declared: Type, structs: Structs) -> bool:
    """Whether recipes can draw values of a parameter's type: not of textures, of handles, of nothing."""
    element = declared.element if isinstance(declared, Array) else declared
    try:
        return bool(list(component_scalars(element, structs)))
    except ValueError:
        return False


def undrawable(sources: KernelSources) -> KernelError | None:
    """The problem at the first parameter for whose type no recipe draws values."""
    for name, declared in whole_leaves(sources.signature, sources.structs):
        if not is_drawable(declared, sources.structs):
            text = str(declared).replace("opaque", "")
            message = f"no values can be drawn for {name!r} of type {text}"
            return KernelError("no_launch", message, sources.place(name))
    return None


def _role(facts: IndexFacts, name: str) -> str:
    if name in facts.writes:
        return "inout" if name in facts.reads else "out"
    return "in"


def _of_type(declared: Type, structs: Structs) -> dict[str, Any]:
    """Values of a parameter of which nothing but its type is known."""
    element = declared.element if isinstance(declared, Array) else declared
    if isinstance(element, Struct):
        return {"members": {name: _of_type(one, structs) for name, one in structs[element.name]}}
    scalar = next(component_scalars(element, structs))
    if scalar.is_float:
        return {"uniform": [0.1, 1.0]}
    return {"integers": [0, 2] if scalar.name == "bool" else [1, 10]}


class _Defaults:
    """The descriptions of parameters that nobody described."""

    def __init__(self, sources: KernelSources, plan: LaunchPlan) -> None:
        self.sources = sources
        self.plan = plan
        self.facts = plan.facts
        self.parts = PartLaunches(plan, sources.signature, sources.structs)

    def of(self, name: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The description of one parameter; `parameters` has those before it. Raises KernelError if no
        description is safe.
        """
        if name in self.parts.tables:
            return self.parts.table(name, parameters)
        declared = self.sources.types[name]
        if not is_drawable(declared, self.sources.structs):
            return self.without_values(name)
        if isinstance(declared, Array):
            return self._array(name, declared)
        if not self.sources.uses(name):
            return {"values": UNUSED}
        if isinstance(declared, Scalar) and name in self.facts.handles:
            raise KernelError(
                "no_launch",
                f"{name!r} is a handle of a Warp object, and no recipe makes one",
                self.sources.place(name),
            )
        if isinstance(declared, Scalar) and declared.is_float:
            return {"values": {"uniform": [0.1, 1.0]}}
        return {"values": self._recipe(name, "", declared)}

    def _array(self, name: str, declared: Array) -> dict[str, Any]:
        if name in self.facts.unknown:
            function, node = self.facts.unknown[name]
            raise KernelError(
                "no_launch",
                f"cannot tell which elements of {name!r} are used here; describe it in LAUNCH",
                function.place(node),
            )
        if name in self.parts.arrays and self.parts.overlaps(name):
            raise KernelError(
                "no_launch",
                f"the rows of {name!r} are written, and nothing says where each of them begins: describe "
                f"{name}.row_places and {name}.row_lengths in LAUNCH",
                self.sources.place(name),
            )
        shape = self.parts.shape(name) if name in self.parts.arrays else self._shape(name, declared)
        role = _role(self.facts, name)
        if role == "out":
            return {"role": role, "shape": shape}
        unread = role == "in" and name not in self.facts.reads
        recipe = UNUSED if unread else self._recipe(name, "", declared.element)
        return {"role": role, "shape": shape, "values": recipe}

    def without_values(self, name: str) -> dict[str, Any]:
        """What can be said of a parameter for which nothing can be drawn."""
        declared = self.sources.types[name]
        if not isinstance(declared, Array):
            return {"values": None}
        return {"role": _role(self.facts, name), "shape": self._shape(name, declared), "values": None}

    def _shape(self, name: str, array: Array) -> list[Size]:
        return [self.plan.axis_size(Extent("axis", name, axis)) for axis in range(array.ndim)]

    def proposed(self, name: str) -> dict[str, dict[str, Any]]:
        """Parameters that a user may describe so, where the code does not show how: nothing of it is
        proved.
        """
        declared = self.sources.types[name]
        if not is_drawable(declared, self.sources.structs) or name in self.facts.handles:
            return {}
        if not isinstance(declared, Array):
            return {name: {"values": self._recipe(name, "", declared)}}
        overlaps = name in self.parts.arrays and self.parts.overlaps(name)
        rows = self.parts.rows_apart(name) if overlaps else {}
        described = self.without_values(name) | rows.get(name, {})
        if name in self.facts.unknown:
            described["shape"] = self.plan.room_for_threads(described["shape"])
        values = None if described["role"] == "out" else self._recipe(name, "", declared.element)
        return rows | {name: described | {"values": values}}

    def _recipe(self, name: str, path: str, element: Type) -> dict[str, Any]:
        """Values of a parameter, of an array's elements, or of the member `path` of either."""
        if isinstance(element, Struct):
            members = {
                field: self._recipe(name, f"{path}.{field}".lstrip("."), declared)
                for field, declared in self.sources.structs[element.name]
            }
            return {"members": members}
        plan = self.plan
        scalar = next(component_scalars(element, self.sources.structs))
        values = values_extent(name, path)
        if not path and (offsets := plan.offsets(name)):
            return {"offsets": list(offsets)}
        if plan.is_used(values):
            return {"integers": [0, _fitting(plan.size(values), scalar)]}
        if not path and (total := plan.permutation(name)):
            return {"permutation": total}
        if indexed := self.facts.holds_indices.get((name, path)):
            return {"integers": [0, _fitting(plan.smallest(indexed), scalar)]}
        if scalar.is_float:
            low = 0.1 if isinstance(element, Quaternion | Transform) else -1.0
            return {"uniform": [low, 1.0]}
        if scalar.name == "bool":
            return {"integers": [0, 2]}
        if plan.hands_out_slots(name):
            return {"constant": 0}
        by_value = f"{name}.{path}" if path else name
        return self._known_integer(by_value) or self._any_integer(by_value, values.name, scalar)

    def _known_integer(self, name: str) -> dict[str, Any] | None:
        """The recipe of an integer passed by value, if the code shows what it is."""
        if name in self.facts.indexes:
            return {"integers": [0, self.plan.smallest(self.facts.indexes[name])]}
        if self.plan.is_used(Extent("parameter", name)):
            return {"size": self.plan.size(Extent("parameter", name))}
        return {"integers": [0, 1000]} if name in self.facts.seeds else None

    def _any_integer(self, parameter: str, member: str, scalar: Scalar) -> dict[str, Any]:
        """Small integers, among them all that the code compares with, and no 0 where it divides by them.

        Elements of one byte without a sign are mostly colors.
        """
        divides = bool(self.facts.divisors & {parameter, member})
        compared = self.facts.compared.get(parameter, set()) | self.facts.compared.get(member, set())
        near = [constant for constant in compared if -16 <= constant <= 16]
        if not near:
            colors = scalar.name == "uint8" and isinstance(self.sources.types.get(parameter), Array)
            return {"integers": [int(divides), 256]} if colors else {"integers": [1, 10]}
        return {"integers": [max(min(near), 1) if divides else min(*near, 0), max(*near, 1) + 2]}
