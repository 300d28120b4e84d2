"""Which concepts of GPU programming a kernel has, and how difficult that makes it: the one definition.

Two readers find the facts that are judged here: the generator's, in the trees that it writes
(`weft.kernels.passes`), and that of `ir`, in what Warp made of any kernel (`weft.ir.kernel_facts`). What only
the translator decides is seen in the CUDA text (`in_program`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from weft.intrinsics import INTRINSICS, Effect
from weft.types import Array, Matrix, Quaternion, Scalar, Struct, Tile, Transform, Type, Vector

LEVELS = ("easy", "medium", "hard", "expert")
LIMITS = (2, 4, 7)
"""The points from which on a kernel is medium, hard, expert."""
LONG = 40
"""So many statements, those of functions included, are one point more."""


def _having(effect: Effect) -> frozenset[str]:
    return frozenset(name for name, one in INTRINSICS.items() if one.effect & effect)


ATOMICS = _having(Effect.ATOMIC)
TILES = frozenset(name for name in INTRINSICS if name.startswith("tile"))
_RANDOM, _COLLECTIVE, _BARRIERS = _having(Effect.RANDOM), _having(Effect.COLLECTIVE), _having(Effect.BARRIER)


@dataclasses.dataclass(slots=True)
class Access:
    """An access to an element of an array: the names in its indices, and whether these are names alone."""

    array: str
    names: Collection[str]
    plain: bool


@dataclasses.dataclass(slots=True)
class Body:
    """What a reader finds in a kernel or in one of its functions. Names of members have a dot in front.

    `threads` are the thread's indices, or what a function is given; `arrays` are those in global memory.
    `origins` has the names that each variable's values are made of (a counter's first one); `parts` are
    variables that are a quotient or a remainder of another, `strides` counters that begin at the thread's
    index. `sums` are updates like `a[i] += x`; `bounds` are the names in limits of loops over ranges,
    `branches` and `conditions` those in conditions of branches and of while loops.
    """

    threads: set[str] = dataclasses.field(default_factory=set)
    arrays: set[str] = dataclasses.field(default_factory=set)
    origins: dict[str, set[str]] = dataclasses.field(default_factory=dict)
    parts: set[str] = dataclasses.field(default_factory=set)
    counters: set[str] = dataclasses.field(default_factory=set)
    strides: set[str] = dataclasses.field(default_factory=set)
    reads: list[Access] = dataclasses.field(default_factory=list)
    stores: list[Access] = dataclasses.field(default_factory=list)
    sums: list[tuple[Access, Type | None]] = dataclasses.field(default_factory=list)
    atomics: list[tuple[Access, Type | None]] = dataclasses.field(default_factory=list)
    branches: list[Collection[str]] = dataclasses.field(default_factory=list)
    conditions: list[Collection[str]] = dataclasses.field(default_factory=list)
    bounds: list[Collection[str]] = dataclasses.field(default_factory=list)
    builtins: set[str] = dataclasses.field(default_factory=set)
    types: list[Type] = dataclasses.field(default_factory=list)
    nesting: int = 0
    exits: bool = False
    statements: int = 0

    def made_of(self, names: Iterable[str]) -> set[str]:
        """Names, and all that their values are made of."""
        found = set(names)
        waiting = list(found)
        while waiting:
            new = self.origins.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    def pattern(self, access: Access) -> str:
        """Where an element lies: at the thread's `own` place or `beside` it, where `data` say, along a `row`,
        or at a place that is `fixed` for all threads.
        """
        if access.plain and access.names and self.threads.issuperset(access.names):
            return "own"
        made = self.made_of(access.names)
        if not made.isdisjoint(self.arrays):
            return "data"
        if not made.isdisjoint(self.counters):
            return "row"
        if made.isdisjoint(self.threads) and made.isdisjoint(self.strides):
            return "fixed"
        return "own" if access.plain and all(map(self._is_place, access.names)) else "beside"

    def _is_place(self, name: str) -> bool:
        """Is it an index of the thread's, or one that several of these make, or a part of one?"""
        if name in self.threads or name in self.strides or name in self.parts:
            return True
        made = self.made_of((name,))
        return len(made.intersection(self.threads)) != 1


class Kernel:
    """What is judged of a kernel: its bodies, its own first, the kinds of memory that its arrays lie in, and
    how many dimensions its launch has.
    """

    def __init__(
        self, bodies: Sequence[Body], dims: int, memories: Collection[str] = (), has_gradient: bool = False
    ) -> None:
        self.bodies, self.dims, self.memories, self.has_gradient = bodies, dims, memories, has_gradient
        self.read, self.stored, self.updated = set[str](), set[str](), set[str]()
        self.updates_floats = self.exits = self.strides = False
        self.nesting = self.statements = 0
        self.builtins, self.kinds, self.scalars = set[str](), set[type](), set[str]()
        seen = set[int]()
        for one in bodies:
            for access in one.reads:
                self.read.add(one.pattern(access))
            for access in one.stores:
                self.stored.add(one.pattern(access))
            for access, of in one.atomics:
                self._update(one.pattern(access), of)
            for access, of in one.sums:
                if (pattern := one.pattern(access)) == "own":
                    self.stored.add(pattern)
                else:
                    self._update(pattern, of)
            self.exits = self.exits or one.exits
            self.strides = self.strides or bool(one.strides)
            self.nesting = max(self.nesting, one.nesting)
            self.statements += one.statements
            self.builtins |= one.builtins
            for kind in one.types:
                # By identity: a type's hash takes longer than all else that is done with it.
                if id(kind) not in seen:
                    seen.add(id(kind))
                    self._take(kind)

    def _update(self, pattern: str, kind: Type | None) -> None:
        """Keep in mind an update of an element that other threads may update."""
        self.updated.add(pattern)
        self.updates_floats = self.updates_floats or _is_float(kind)

    @property
    def reading(self) -> set[str]:
        """The arrays that are read."""
        return {access.array for access in self.bodies[0].reads}

    @property
    def writing(self) -> set[str]:
        """The arrays that are written."""
        own = self.bodies[0]
        return {one.array for one in [*own.stores, *(access for access, _ in own.atomics + own.sums)]}

    def _take(self, kind: Type) -> None:
        """Keep in mind a type, and what it is made of."""
        self.kinds.add(type(kind))
        if isinstance(kind, (Array, Tile)):
            self._take(kind.element)
        elif isinstance(kind, Scalar):
            self.scalars.add(kind.name)
        elif isinstance(kind, (Vector, Matrix, Quaternion, Transform)):
            self.scalars.add(kind.scalar.name)

    def is_on_data(self, names_of: Callable[[Body], Iterable[Collection[str]]]) -> bool:
        """Does one of these depend on what is in arrays, or, in a function, on what it is given?"""
        for body in self.bodies:
            for names in names_of(body):
                made = body.made_of(names)
                if not made.isdisjoint(body.arrays):
                    return True
                if body is not self.bodies[0] and not made.isdisjoint(body.threads):
                    return True
        return False

    @property
    def has_uneven_loops(self) -> bool:
        """Does a thread turn more often than another? A function's ranges are those of its callers."""
        own = self.bodies[0]
        found = [(own, names) for names in own.bounds]
        found += [(one, names) for one in self.bodies for names in one.conditions]
        for body, names in found:
            made = body.made_of(names)
            if not (made.isdisjoint(body.arrays) and made.isdisjoint(body.threads)):
                return True
        return False


def _is_float(kind: Type | None) -> bool:
    scalar = kind if isinstance(kind, Scalar) else getattr(kind, "scalar", None)
    return scalar is not None and scalar.is_float


@dataclasses.dataclass(frozen=True)
class Concept:
    """A concept: what shows it, its points of difficulty, and whether a kernel has it; None where that
    follows from the launches of a program.
    """

    shown_by: str
    points: int
    holds: Callable[[Kernel], bool] | None


CONCEPTS: dict[str, Concept] = {
    # how threads reach memory
    "map": Concept(
        "each thread reads and writes only its own elements",
        0,
        lambda k: bool(k.stored) and not k.updated and k.read | k.stored <= {"own"},
    ),
    "neighbor_reads": Concept("a thread reads elements next to its own", 1, lambda k: "beside" in k.read),
    "rows": Concept(
        "a thread walks along a row or a list: a loop counter is an index",
        1,
        lambda k: "row" in k.read | k.stored | k.updated,
    ),
    "gather": Concept("an index of a read comes from an array", 2, lambda k: "data" in k.read),
    "scatter": Concept(
        "an index of a write comes from an array", 2, lambda k: "data" in k.stored | k.updated
    ),
    "constant_memory": Concept("an array in `__constant__` memory", 1, lambda k: "constant" in k.memories),
    "texture": Concept("an array is read through a texture object", 1, lambda k: "texture" in k.memories),
    # what threads do together
    "atomics": Concept("atomic updates of elements that other threads update", 2, lambda k: bool(k.updated)),
    "float_atomics": Concept("atomic updates of floats", 1, lambda k: k.updates_floats),
    "block_tiles": Concept(
        "the threads of a block share a tile", 4, lambda k: not k.builtins.isdisjoint(TILES)
    ),
    "block_reduction": Concept(
        "a block reduces its elements to one value", 1, lambda k: not k.builtins.isdisjoint(_COLLECTIVE)
    ),
    "block_scan": Concept(
        "a block scans or sorts its elements", 2, lambda k: not k.builtins.isdisjoint(_BARRIERS)
    ),
    "tile_product": Concept("a block multiplies tiles", 2, lambda k: "tile_matmul" in k.builtins),
    # which way threads go
    "loops": Concept("a loop", 0, lambda k: k.nesting > 0),
    "nested_loops": Concept("a loop in a loop", 1, lambda k: k.nesting > 1),
    "uneven_loops": Concept(
        "the number of iterations depends on a thread's data or index", 1, lambda k: k.has_uneven_loops
    ),
    "divergence": Concept("a branch depends on data", 1, lambda k: k.is_on_data(lambda one: one.branches)),
    "early_exit": Concept("a loop ends early", 1, lambda k: k.exits),
    "grid_stride": Concept("threads stride over the elements", 0, lambda k: k.strides),
    "grid_2d": Concept("threads in two dimensions", 0, lambda k: k.dims == 2),
    "grid_3d": Concept("threads in three dimensions or more", 0, lambda k: k.dims > 2),
    # what values are
    "half_precision": Concept(
        "16-bit floats", 1, lambda k: not k.scalars.isdisjoint(("float16", "bfloat16"))
    ),
    "double_precision": Concept("64-bit floats", 0, lambda k: "float64" in k.scalars),
    "structs": Concept("records, or arrays in a struct", 0, lambda k: Struct in k.kinds),
    "matrix": Concept("small matrices", 0, lambda k: Matrix in k.kinds),
    "quaternion": Concept(
        "quaternions, or rigid transforms", 0, lambda k: not k.kinds.isdisjoint((Quaternion, Transform))
    ),
    "random_numbers": Concept("random numbers", 0, lambda k: not k.builtins.isdisjoint(_RANDOM)),
    "device_functions": Concept("the kernel calls a function of its own", 0, lambda k: len(k.bodies) > 1),
    "custom_gradient": Concept("a function defines its own gradient", 2, lambda k: k.has_gradient),
    # programs of several launches
    "several_launches": Concept("several kernels are launched in sequence", 3, None),
    "workspace": Concept("a launch reads what an earlier one wrote", 1, None),
    "repeated_launches": Concept("launches in a loop", 1, None),
}
"""The concepts of kernels, in the order in which they are told."""

IN_PROGRAMS = {
    "shared_memory": r"\b__shared__\b",
    "barrier": r"\b__syncthreads\b",
    "warp_operations": r"\b__(shfl|ballot|any|all|reduce|syncwarp|activemask)",
    "memory_fence": r"\b__threadfence",
    "read_only_loads": r"\b__ldg\(",
    "streams": r"\bcudaStreamCreate",
}
"""Concepts of CUDA programs that a kernel does not show, and the text that does."""


def concepts_of(kernel: Kernel) -> list[str]:
    """The concepts that a kernel has."""
    return [name for name, one in CONCEPTS.items() if one.holds is not None and one.holds(kernel)]


def concepts_of_launches(
    launches: Sequence[tuple[Kernel, Mapping[str, str]]], *, repeated: bool
) -> list[str]:
    """The concepts of a program: of its kernels, and of the launches with what each parameter stands for."""
    each = {id(kernel): concepts_of(kernel) for kernel, _ in launches}
    found = {name for one in each.values() for name in one}
    if not all("map" in one for one in each.values()):
        found.discard("map")
    written = set[str]()
    for kernel, given in launches:
        if any(given.get(name) in written for name in kernel.reading):
            found.add("workspace")
        written |= {given.get(name, name) for name in kernel.writing}
    if len(launches) > 1:
        found.add("several_launches")
    if repeated:
        found.add("repeated_launches")
    return [name for name in CONCEPTS if name in found]


def difficulty_of(concepts: Iterable[str], statements: int) -> str:
    """How difficult a kernel with these concepts is, and with so many statements."""
    points = sum(CONCEPTS[one].points for one in concepts) + (statements >= LONG)
    return next((level for level, limit in zip(LEVELS, LIMITS, strict=False) if points < limit), LEVELS[-1])


def in_program(view: str) -> list[str]:
    """The concepts that only a CUDA program shows."""
    return [name for name, pattern in IN_PROGRAMS.items() if re.search(pattern, view)]
