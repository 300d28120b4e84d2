"""Launch descriptions: dimensions, shapes, roles and input recipes of one kernel.

The written form and the meaning of each recipe are defined in docs/formats/launch.md.
"""

from __future__ import annotations

import dataclasses
import functools
import keyword
import math
from collections.abc import Collection, Mapping
from typing import Any

from weft.concepts import LEVELS
from weft.errors import did_you_mean
from weft.launch_sequence import KernelStep, Step, kernel_steps, parse_block_dim, parse_steps
from weft.sizes import Size, evaluate_size, size_names
from weft.slots import SlotGroup, parse_slots
from weft.written import Where, shown

ROLES = ("in", "out", "inout")
EQUALITIES = ("bits", "permutation", "bounded")
RECIPES = ("uniform", "unit", "integers", "permutation", "offsets", "constant", "size", "list", "members")
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
    `values` is None for `out` arrays, and for inputs that nobody can draw.
    """

    role: str
    shape: tuple[Size, ...]
    values: Recipe | None
    strides: tuple[Size, ...] = ()
    null: bool = False
    memory: str = "global"

    @property
    def size(self) -> Size | None:
        """The size that the parameter is described to be; None for other values."""
        size: Size | None = self.values.arguments if self.values and self.values.kind == "size" else None
        return size

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
    program of several launches has `steps` and no `dims` or `block_dim`. It may have a `description`, as its
    kernels have docstrings. `difficulty` is one of LEVELS, or None where nobody says. `compared` are the
    numbers that the kernel's text compares with, near which inputs with edges are drawn (weft.edges); None
    where no inputs have edges, as those of the seeds `plain` have none. `accumulators` are arrays that may
    begin with another constant then, and `varies` says that numbers described as constant and lengths of
    segments may be others then. Of the class `permutation`, `slots` are the outputs whose elements come in
    any order, where the code shows which these are; if it shows none, all outputs may.
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
    description: str | None = None
    compared: tuple[float, ...] | None = None
    accumulators: tuple[str, ...] = ()
    plain: tuple[int, ...] = ()
    slots: tuple[SlotGroup, ...] = ()
    varies: bool = False

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
            **({"inferred_equality": True} if self.inferred_equality else {}),
            **({"description": self.description} if self.description is not None else {}),
            **({"compared": list(self.compared)} if self.compared is not None else {}),
            **({"accumulators": list(self.accumulators)} if self.accumulators else {}),
            **({"plain": list(self.plain)} if self.plain else {}),
            **({"slots": [group.to_json() for group in self.slots]} if self.slots else {}),
            **({"varies": True} if self.varies else {}),
        }

    def equality_of(self, output: str) -> str:
        """How an output is compared: `permutation` only where its elements may come in any order."""
        placed = bool(self.slots) and not any(output in group.arrays for group in self.slots)
        return "bits" if self.equality == "permutation" and placed else self.equality

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
        """How many threads a launch has for base size `n`, the largest of a program of several."""
        return max(self.thread_counts(n))

    def thread_counts(self, n: int) -> list[int]:
        """How many threads each launch has for base size `n`: of a program of several, in their order."""
        names = self.named_sizes(n)
        launches: list[KernelStep | Launch] = [*kernel_steps(self.steps)] or [self]
        return [
            math.prod(evaluate_size(dim, names) for dim in one.dims)
            * (one.block_dim or 1 if one.tiled else 1)
            for one in launches
        ]

    def blocks_of(self, kernel: str) -> tuple[int | None, bool]:
        """`block_dim` and `tiled` of a kernel's launches: all that a program makes of it have the same."""
        steps = (step for step in kernel_steps(self.steps) if step.kernel == kernel)
        launched = next(steps, self)
        return launched.block_dim, launched.tiled

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
        found = self._storage_shapes.get((parameter, n))
        if found is None:
            found = self._storage_shapes[parameter, n] = self._storage_shape(parameter, n)
        return found

    @functools.cached_property
    def _storage_shapes(self) -> dict[tuple[str, int], tuple[int, ...]]:
        """Those that were asked for: the judge asks for each many times."""
        return {}

    def _storage_shape(self, parameter: str, n: int) -> tuple[int, ...]:
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


def parse_recipe(value: Any, where: Where, names: Collection[str]) -> Recipe:
    """A recipe from its written form; `names` are the names of sizes. Raises WrittenError."""
    if not isinstance(value, Mapping) or len(value) != 1:
        raise where.error(f"expected one recipe such as {{'uniform': [0.0, 1.0]}}, got {shown(value)}")
    kind, arguments = next(iter(value.items()))
    if not isinstance(kind, str) or kind not in RECIPES:
        hint = did_you_mean(kind, RECIPES) if isinstance(kind, str) else ""
        raise (where / kind).error(
            f"unknown recipe {shown(kind)}{hint} (allowed: {', '.join(RECIPES)})", at_key=True
        )
    here = where / kind
    match kind:
        case "members":
            members = here.mapping(arguments)
            return Recipe(
                kind, {name: parse_recipe(one, here / name, names) for name, one in members.items()}
            )
        case "uniform" | "unit":
            low, high = (
                _number(bound, here / number)
                for number, bound in enumerate(here.sequence(arguments, "[low, high]", 2, 2))
            )
            if low >= high:
                raise here.error(f"floats in [{low:g}, {high:g}): an empty range")
            return Recipe(kind, (float(low), float(high)))
        case "integers":
            return Recipe(kind, here.sizes(arguments, names, "[low, high]", 2, 2))
        case "offsets":
            return Recipe(kind, here.sizes(arguments, names, "[stride, range]", 2, 2))
        case "list":
            return Recipe(kind, here.sizes(arguments, names, "the size expression of each element", 1))
        case "constant":
            return Recipe(kind, _number(arguments, here))
    return Recipe(kind, here.size(arguments, names))


def _number(value: Any, where: Where) -> int | float:
    if not isinstance(value, int | float) or not _is_finite(value):
        raise where.error(f"expected a finite number, got {shown(value)}")
    return value


def _is_finite(value: float) -> bool:
    """Whether a number is no NaN, and not beyond all floats: integers have no bound."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _in_order(sizes: Any, where: Where) -> dict[str, Size]:
    """Named sizes, each after those that it uses: JSON artifacts sort them by name."""
    pending = {}
    given = where.mapping(sizes)
    for name, size in given.items():
        if name in _NO_SIZES or not name.isidentifier() or keyword.iskeyword(name):
            raise (where / name).error(f"{name!r} cannot name a size", at_key=True)
        pending[name] = size_names((where / name).size(size, ["n", *given]))
    ordered: dict[str, Size] = {}
    while pending:
        ready = [name for name, used in pending.items() if used <= {"n", *ordered}]
        if not ready:
            name, used = next(iter(pending.items()))
            unknown = sorted(used - {"n", *ordered})[0]
            raise (where / name).error(
                f"{name!r} uses {unknown!r}, which cannot be computed: its definition depends on itself"
            )
        ordered |= {name: given[name] for name in ready}
        pending = {name: used for name, used in pending.items() if name not in ordered}
    return ordered


_NO_SIZES = ("n", "min", "max")


def parse_launch(value: Any, where: str) -> Launch:
    """A launch description from its written form (a literal in a module, or JSON of an artifact).

    `where` begins every error message. Raises WrittenError saying what was given and what is allowed.
    """
    here = Where(where)
    given = here.mapping(value, _LAUNCH_KEYS)
    sizes = _in_order(given.get("sizes", {}), here / "sizes")
    names = ["n", *sizes]
    steps = given.get("steps", [])
    if steps != []:
        if given.get("dims"):
            raise (here / "dims").error("give either dims or steps, not both", at_key=True)
        dims: tuple[Size, ...] = ()
    else:
        dims = (here / "dims").sizes(given.get("dims"), names, "one to four size expressions", 1, 4)
    parameters = {
        name: _parse_parameter(entry, here / "parameters" / name, names)
        for name, entry in (here / "parameters").mapping(given.get("parameters", {})).items()
    }
    difficulty = given.get("difficulty")
    if difficulty is not None:
        (here / "difficulty").word(difficulty, LEVELS)
    inferred = (here / "inferred").sequence(given.get("inferred", []), "a list of parameters")
    return Launch(
        sizes,
        dims,
        parameters,
        (here / "equality").word(given.get("equality", "bits"), EQUALITIES),
        parse_block_dim(given.get("block_dim"), here / "block_dim"),
        (here / "tiled").truth(given.get("tiled", True)),
        frozenset((here / "inferred").word(name, parameters) for name in inferred),
        (here / "inferred_dims").truth(given.get("inferred_dims", False)),
        parse_steps(steps, here / "steps", names) if steps != [] else (),
        difficulty,
        (here / "inferred_equality").truth(given.get("inferred_equality", False)),
        _parse_description(given, here),
        _parse_compared(given.get("compared"), here / "compared"),
        tuple(
            (here / "accumulators").word(name, parameters)
            for name in (here / "accumulators").sequence(
                given.get("accumulators", []), "a list of parameters"
            )
        ),
        _parse_plain(given.get("plain", []), here / "plain"),
        parse_slots(given.get("slots", []), here / "slots", parameters, names),
        (here / "varies").truth(given.get("varies", False)),
    )


def _parse_compared(given: Any, here: Where) -> tuple[float, ...] | None:
    if given is None:
        return None
    for one in (numbers := here.sequence(given, "a list of numbers")):
        if isinstance(one, bool) or not isinstance(one, int | float):
            raise here.error(f"expected a list of numbers, got {shown(given)}")
    return tuple(numbers)


def _parse_plain(given: Any, here: Where) -> tuple[int, ...]:
    for one in (seeds := here.sequence(given, "a list of input seeds")):
        if type(one) is not int or one < 0:
            raise here.error(f"expected a list of input seeds, got {shown(given)}")
    return tuple(seeds)


def _parse_description(given: Mapping[str, Any], here: Where) -> str | None:
    description = given.get("description")
    if description is None:
        return None
    if not given.get("steps"):
        raise (here / "description").error(
            "a kernel is described by its docstring; only a program of steps takes a description", at_key=True
        )
    if not isinstance(description, str) or not description.strip():
        raise (here / "description").error(f"expected a sentence, got {shown(description)}")
    return description


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
    "varies",
    "description",
    "compared",
    "accumulators",
    "plain",
    "slots",
)
_PARAMETER_KEYS = ("role", "shape", "strides", "null", "memory", "values")


def _parse_parameter(entry: Any, here: Where, names: Collection[str]) -> Parameter:
    """One entry of `parameters`; `names` are those of sizes. Raises WrittenError."""
    given = here.mapping(entry, _PARAMETER_KEYS)
    role = (here / "role").word(given.get("role", "in"), ROLES)
    memory = (here / "memory").word(given.get("memory", "global"), MEMORIES)
    if memory != "global" and role != "in":
        raise (here / "memory").error(f"{memory!r} is read-only, the role {role!r} is not")
    expected = "a list with a size expression for each dimension"
    shape = (here / "shape").sizes(given.get("shape", []), names, expected)
    strides = (here / "strides").sizes(given.get("strides", []), names, expected)
    if strides and len(strides) != len(shape):
        raise (here / "strides").error(f"expected {len(shape)} strides, one a dimension, got {list(strides)}")
    values = given.get("values")
    null = (here / "null").truth(given.get("null", False))
    if null and (shape or values is not None or role != "in"):
        raise (here / "null").error("a null array has no shape, no values, and the role 'in'")
    if role == "out" and values is not None:
        raise (here / "values").error("an 'out' array takes no values (use role 'inout')", at_key=True)
    recipe = None if values is None else parse_recipe(values, here / "values", names)
    return Parameter(role, shape, recipe, strides, null, memory)
