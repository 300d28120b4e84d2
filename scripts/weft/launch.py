"""Launch descriptions: dimensions, shapes, roles and input recipes of one kernel.

The written form and the meaning of each recipe are defined in docs/formats.md.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from weft.sizes import Size, evaluate_size, parse_size, size_names
from weft.steps import Step, parse_steps

ROLES = ("in", "out", "inout")
EQUALITIES = ("bits", "permutation", "bounded")
RECIPES = ("uniform", "integers", "permutation", "offsets", "constant", "size", "list", "members")
DIFFICULTIES = ("easy", "medium", "hard", "expert")
MEMORIES = ("global", "read_only", "constant", "texture")


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How the components of one parameter are drawn: `kind` is one of RECIPES."""

    kind: str
    arguments: Any

    def to_json(self) -> dict[str, Any]:
        if self.kind == "members":
            return {"members": {name: recipe.to_json() for name, recipe in self.arguments.items()}}
        return {self.kind: list(self.arguments) if isinstance(self.arguments, tuple) else self.arguments}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """Role, shape (empty for by-value parameters) and values of one kernel parameter.

    `strides` are in elements, empty for a contiguous array. `null` is an array for which None is passed.
    `values` is None for `out` arrays, and for inputs that have to come from an array file.
    """

    role: str
    shape: tuple[Size, ...]
    values: Recipe | None
    strides: tuple[Size, ...] = ()
    null: bool = False
    memory: str = "global"

    def to_json(self) -> dict[str, Any]:
        return {
            "role": self.role,
            "shape": list(self.shape),
            "strides": list(self.strides),
            "null": self.null,
            "memory": self.memory,
            "values": self.values.to_json() if self.values else None,
        }


@dataclasses.dataclass(frozen=True)
class Launch:
    """A whole launch description.

    `block_dim` is the number of threads that share a tile, None for kernels without tiles; where `tiled`, a
    point of `dims` is a block of so many threads, else it is a thread. `inferred` names the parameters that
    nobody described, `inferred_dims` says the same of `dims`, and `inferred_equality` of `equality`: what
    stands there are defaults for trying the kernel out, no promises about the arrays that it will meet. A
    program of several launches has `steps` and no `dims`. `difficulty` is one of DIFFICULTIES, or None where
    nobody says.
    """

    sizes: Mapping[str, Size]
    dims: tuple[Size, ...]
    parameters: Mapping[str, Parameter]
    equality: str = "bits"
    block_dim: int | None = None
    tiled: bool = True
    inferred: frozenset[str] = frozenset()
    inferred_dims: bool = False
    steps: tuple[Step, ...] = ()
    difficulty: str | None = None
    inferred_equality: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "sizes": dict(self.sizes),
            "dims": list(self.dims),
            "parameters": {name: parameter.to_json() for name, parameter in self.parameters.items()},
            "equality": self.equality,
            "block_dim": self.block_dim,
            "tiled": self.tiled,
            "inferred": sorted(self.inferred),
            "inferred_dims": self.inferred_dims,
            "steps": [step.to_json() for step in self.steps],
            "difficulty": self.difficulty,
        } | ({"inferred_equality": True} if self.inferred_equality else {})

    def named_sizes(self, n: int) -> dict[str, int]:
        """All named sizes for base size `n`, `n` included. Raises ValueError where one is not positive."""
        return dict(_named_sizes(tuple(self.sizes.items()), n))

    def launch_dims(self, n: int) -> tuple[int, ...]:
        """Launch dimensions for base size `n`; of a program of several launches, `n` itself."""
        if self.steps:
            return (n,)
        names = self.named_sizes(n)
        return tuple(evaluate_size(dim, names) for dim in self.dims)

    def thread_count(self, n: int) -> int:
        """How many threads a launch has for base size `n`."""
        points = math.prod(self.launch_dims(n))
        return points * (self.block_dim or 1) if self.tiled else points

    def shape(self, parameter: str, n: int) -> tuple[int, ...]:
        """Shape of an array parameter for base size `n`."""
        names = self.named_sizes(n)
        return tuple(evaluate_size(size, names) for size in self.parameters[parameter].shape)

    def strides(self, parameter: str, n: int) -> tuple[int, ...]:
        """Strides of an array parameter for base size `n`, in elements; empty for a contiguous array."""
        names = self.named_sizes(n)
        return tuple(evaluate_size(size, names) for size in self.parameters[parameter].strides)

    def storage_shape(self, parameter: str, n: int) -> tuple[int, ...]:
        """Shape in which an array parameter is drawn and stored for base size `n`.

        With strides that is one dimension, which holds every element that they reach; (0,) for a null array.
        """
        shape, strides = self.shape(parameter, n), self.strides(parameter, n)
        if self.parameters[parameter].null:
            return (0,)
        if not strides:
            return shape
        return (1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True)),)


@functools.lru_cache(maxsize=1024)
def _named_sizes(sizes: tuple[tuple[str, Size], ...], n: int) -> Mapping[str, int]:
    names = {"n": n}
    for name, size in sizes:
        value = evaluate_size(size, names)
        if value < 1:
            raise ValueError(f"size {name!r} = {size!r} is {value} for n = {n}; sizes must be positive")
        names[name] = value
    return names


def parse_recipe(value: Any, where: str) -> Recipe:
    """A recipe from its written form. Raises ValueError naming `where`."""
    if not isinstance(value, Mapping) or len(value) != 1:
        raise ValueError(f"{where}: expected one recipe such as {{'uniform': [0.0, 1.0]}}, got {value!r}")
    kind, arguments = next(iter(value.items()))
    if kind not in RECIPES:
        raise ValueError(f"{where}: unknown recipe {kind!r} (allowed: {', '.join(RECIPES)})")
    if kind == "members":
        if not isinstance(arguments, Mapping):
            raise ValueError(f"{where}: 'members' takes a recipe per struct member, got {arguments!r}")
        return Recipe(
            kind, {name: parse_recipe(member, f"{where}.{name}") for name, member in arguments.items()}
        )
    if kind in ("uniform", "integers", "offsets"):
        if not isinstance(arguments, Sequence) or isinstance(arguments, str) or len(arguments) != 2:
            taken = "[stride, range]" if kind == "offsets" else "[low, high]"
            raise ValueError(f"{where}: {kind!r} takes {taken}, got {arguments!r}")
        if kind == "uniform":
            if not all(isinstance(bound, int | float) for bound in arguments):
                raise ValueError(f"{where}: 'uniform' takes two numbers, got {arguments!r}")
            return Recipe(kind, (float(arguments[0]), float(arguments[1])))
        for bound in arguments:
            parse_size(bound)
        return Recipe(kind, (arguments[0], arguments[1]))
    if kind == "list":
        if not isinstance(arguments, Sequence) or isinstance(arguments, str) or not arguments:
            raise ValueError(f"{where}: 'list' takes the size expression of each element, got {arguments!r}")
        for element in arguments:
            parse_size(element)
        return Recipe(kind, tuple(arguments))
    if kind == "constant":
        if not isinstance(arguments, int | float):
            raise ValueError(f"{where}: 'constant' takes a number, got {arguments!r}")
        return Recipe(kind, arguments)
    parse_size(arguments)
    return Recipe(kind, arguments)


def _in_order(sizes: Mapping[str, Size], where: str) -> dict[str, Size]:
    """Named sizes, each after those that it uses: JSON artifacts sort them by name."""
    pending = {}
    for name, size in sizes.items():
        if name == "n" or not str(name).isidentifier():
            raise ValueError(f"{where}.sizes: {name!r} cannot name a size")
        pending[name] = size_names(size)
    ordered: dict[str, Size] = {}
    while pending:
        ready = [name for name, used in pending.items() if used <= {"n", *ordered}]
        if not ready:
            name, used = next(iter(pending.items()))
            unknown = sorted(used - {"n", *ordered})[0]
            raise ValueError(
                f"{where}.sizes: {name!r} uses {unknown!r}, which is not a size defined before it"
            )
        ordered |= {name: sizes[name] for name in ready}
        pending = {name: used for name, used in pending.items() if name not in ordered}
    return ordered


def parse_launch(value: Any, where: str) -> Launch:
    """A launch description from its written form (a literal in a module, or JSON of an artifact).

    `where` begins every error message. Raises ValueError saying what was given and what is allowed.
    """
    _require_keys(value, _LAUNCH_KEYS, where)
    sizes = _in_order(value.get("sizes", {}), where)
    dims = value.get("dims")
    steps = parse_steps(value["steps"], f"{where}.steps") if value.get("steps") else ()
    if steps:
        if dims:
            raise ValueError(f"{where}: either dims or steps, not both")
        dims = []
    elif not isinstance(dims, Sequence) or isinstance(dims, str) or not 1 <= len(dims) <= 4:
        raise ValueError(f"{where}.dims: expected one to four size expressions, got {dims!r}")
    for dim in dims:
        parse_size(dim)
    parameters = {
        name: _parse_parameter(entry, f"{where}.parameters.{name}")
        for name, entry in value.get("parameters", {}).items()
    }
    equality = value.get("equality", "bits")
    if equality not in EQUALITIES:
        raise ValueError(f"{where}.equality: {equality!r} (allowed: {', '.join(EQUALITIES)})")
    block_dim = value.get("block_dim")
    if block_dim is not None and (not isinstance(block_dim, int) or not 1 <= block_dim <= 1024):
        raise ValueError(f"{where}.block_dim: expected a number of threads from 1 to 1024, got {block_dim!r}")
    difficulty = value.get("difficulty")
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise ValueError(f"{where}.difficulty: {difficulty!r} (allowed: {', '.join(DIFFICULTIES)})")
    return Launch(
        sizes,
        tuple(dims),
        parameters,
        equality,
        block_dim,
        bool(value.get("tiled", True)),
        frozenset(value.get("inferred", ())),
        bool(value.get("inferred_dims", False)),
        steps,
        difficulty,
        bool(value.get("inferred_equality", False)),
    )


_LAUNCH_KEYS = (
    "sizes",
    "dims",
    "parameters",
    "equality",
    "block_dim",
    "tiled",
    "inferred",
    "inferred_dims",
    "steps",
    "difficulty",
    "inferred_equality",
)
_PARAMETER_KEYS = ("role", "shape", "strides", "null", "memory", "values")


def _require_keys(value: Any, allowed: Sequence[str], where: str) -> None:
    if not isinstance(value, Mapping):
        raise ValueError(f"{where}: expected a mapping, got {value!r}")
    unknown = [key for key in value if key not in allowed]
    if unknown:
        raise ValueError(f"{where}: unknown key {min(unknown)!r} (allowed: {', '.join(allowed)})")


def _parse_parameter(entry: Any, here: str) -> Parameter:
    """One entry of `parameters`. Raises ValueError that begins with `here`."""
    _require_keys(entry, _PARAMETER_KEYS, here)
    role = entry.get("role", "in")
    if role not in ROLES:
        raise ValueError(f"{here}.role: {role!r} (allowed: {', '.join(ROLES)})")
    memory = entry.get("memory", "global")
    if memory not in MEMORIES:
        raise ValueError(f"{here}.memory: {memory!r} (allowed: {', '.join(MEMORIES)})")
    if memory != "global" and role != "in":
        raise ValueError(f"{here}.memory: {memory!r} is read-only, the role {role!r} is not")
    shape, strides = tuple(entry.get("shape", ())), tuple(entry.get("strides", ()))
    for size in (*shape, *strides):
        parse_size(size)
    if strides and len(strides) != len(shape):
        raise ValueError(
            f"{here}.strides: expected {len(shape)} strides, one a dimension, got {list(strides)}"
        )
    values = entry.get("values")
    null = bool(entry.get("null", False))
    if null and (shape or values or role != "in"):
        raise ValueError(f"{here}: a null array has no shape, no values, and the role 'in'")
    if role == "out" and values is not None:
        raise ValueError(f"{here}: an 'out' array takes no values (use role 'inout')")
    recipe = parse_recipe(values, f"{here}.values") if values else None
    return Parameter(role, shape, recipe, strides, null, memory)
