"""Appends statements to a kernel, and only what is valid: typed, in scope, in range, free of races.

An idiom holds a `Builder` and writes the kernel through it. Whatever it asks for that is not defined raises
`Undefined`; nothing is checked afterwards that could have been refused here.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from weft.kernels.arrays import LARGEST_N, ArrayHandle, atomic_family, recipe_interval, size_at
from weft.kernels.body import Body
from weft.kernels.expressions import lift
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.launched import Step
from weft.kernels.ownership import Owner, owner
from weft.kernels.policy import Policy
from weft.kernels.program import (
    Assign,
    Call,
    Constant,
    ConstantDef,
    Evaluate,
    Expr,
    FunctionDef,
    GeneratedProgram,
    Item,
    Jump,
    Member,
    Name,
    Number,
    Parameter,
    Redraw,
    StructDef,
    ThreadIndex,
    Undefined,
)
from weft.kernels.reserved import breaks_warp
from weft.kernels.rng import Random
from weft.kernels.types import F32, I32, scalar_of
from weft.types import Array, Scalar, Struct, Type

T = TypeVar("T")


class Builder(Body):
    """The body of one kernel (or of one function of it) under construction.

    Set `name` before the first parameter: later it breaks struct parameters. In docstrings, name
    parameters, not expressions with indices: their names differ in the CUDA text.
    """

    def __init__(self, name: str, rng: Random, policy: Policy) -> None:
        super().__init__(name, F32)
        self.name = name
        self.rng = rng
        self.policy = policy
        self.doc = ""
        self.notes: list[str] = []
        self.tags: list[str] = []
        self.formulas: list[str] = []
        self.made_of: dict[str, Any] = {}
        self.parameters: list[Parameter] = []
        self.functions: list[FunctionDef] = []
        self.constants: list[ConstantDef] = []
        self.structs: list[StructDef] = []
        self.sizes: dict[str, str] = {}
        self.dims: list[str] = []
        self.parts: list[GeneratedProgram] = []
        self.steps: list[Step] = []
        self.block_dim: int | None = None
        self.dimension = 3
        self.equality = "bits"
        self.other_names: list[str] = []
        self.drawn: dict[str, Any] = {}
        self.inputs: dict[str, ArrayHandle] = {}
        self.lane: Name | None = None
        self.index: tuple[Expr, ...] = ()
        self.target: tuple[Expr, ...] = ()
        self.shape: tuple[str, ...] = ()
        self.axes: tuple[str, ...] = ()
        self.constant_tables = False
        self.sought: str | None = None
        self._owners: dict[str, Owner] = {}
        self._permutations: set[str] = set()
        self._size_parameters: dict[str, Name] = {}
        self.in_struct = rng.chance(policy.struct_parameters)
        self.params: Name | None = None
        self.state: Parameter | None = None

    # What a kernel is made of: names, sizes, parameters.

    def threads(self, dims: Sequence[str], names: Sequence[str]) -> tuple[Expr, ...]:
        """Launch over `dims` (size expressions) and name the thread's indices."""
        self.dims = list(dims)
        index = tuple(self.axis(name, dim) for dim, name in zip(dims, names, strict=True))
        for position, one in enumerate(index):
            self._owners[one.name] = (f"thread {position}",)
        self._append(ThreadIndex(index))
        self.index, self.target, self.shape = index, index, tuple(dims)
        return index

    def blocks(
        self, dims: Sequence[str], names: Sequence[str], block_dim: int, lane: str | None = None
    ) -> tuple[Name, ...]:
        """Launch a block for each point of `dims`; `lane` names the thread's place in its block."""
        self.dims, self.block_dim = list(dims), block_dim
        index = tuple(self.axis(name, dim) for name, dim in zip(names, dims, strict=True))
        if lane is not None:
            self.lane = self.axis(lane, str(block_dim))
        everything = index if self.lane is None else (*index, self.lane)
        for position, one in enumerate(everything):
            self._owners[one.name] = (f"thread {position}",)
        self._append(ThreadIndex(everything))
        self.index, self.target, self.shape = index, index, tuple(dims)
        return index

    def in_block(self) -> Name:
        """The thread's place in its block, where the launch did not name it: a lane if that is a warp."""
        if self.lane is None:
            self.lane = self.axis("lane" if self.block_dim == 32 else "thread", str(self.block_dim))
            first = self.body[0]
            assert isinstance(first, ThreadIndex)
            self._owners[self.lane.name] = (f"thread {len(first.names)}",)
            first.names = (*first.names, self.lane)
        return self.lane

    def in_square(self, columns: int, names: tuple[str, str]) -> tuple[Name, Name]:
        """The thread's row and column in its block; both together are its own."""
        lane = self.in_block()
        row, column = self.let(names[0], lane // columns), self.let(names[1], lane % columns)
        for one in (row, column):
            self._owners[one.name] = self.owner(lane)
        return row, column

    def within(self, name: str, place: Expr, size: str) -> Name:
        """An index under a name, which its author has proved to be below a size."""
        place.interval = Interval(0, self.largest(size) - 1, True, size, -1)
        return self.let(name, place)

    @contextlib.contextmanager
    def loop(
        self, name: str, start: Expr | int, stop: Expr | int, step: int = 1, most: int | None = None
    ) -> Iterator[Name]:
        """As `Body.loop`; threads of a block that stride have indices of their own."""
        with super().loop(name, start, stop, step, most) as counter:
            if isinstance(start, Name) and start is self.lane and step == self.block_dim:
                self._owners[counter.name] = self.owner(start)
            yield counter

    def axis(self, name: str, size: str) -> Name:
        """A new variable that runs over the indices below a size."""
        return Name(I32, Interval(0, self.largest(size) - 1, True, size, -1), self.fresh(name))

    def largest(self, size: str) -> int:
        """An upper bound of a size expression over all base sizes; sizes grow with n."""
        return size_at(size, self.sizes, LARGEST_N)

    def smallest(self, size: str) -> int:
        """The value of a size expression at n = 1."""
        return size_at(size, self.sizes, 1)

    def array(
        self,
        name: str,
        element: Type,
        shape: Sequence[str],
        values: dict[str, Any] | None,
        role: str = "in",
        memory: str = "global",
    ) -> ArrayHandle:
        """An array parameter. `values` is its recipe; an output has none."""
        parameter = Parameter(
            self.fresh(name), Array(element, len(shape)), role, tuple(shape), values, memory
        )
        self.parameters.append(parameter)
        if values is not None and "permutation" in values:
            self._permutations.add(parameter.name)
        members = None
        if values is not None and "members" in values:
            members = {
                field: recipe_interval(recipe, self.largest) for field, recipe in values["members"].items()
            }
        interval = recipe_interval(values, self.largest) if values is not None else EVERYTHING
        return ArrayHandle(self, parameter, element, interval, members=members)

    def array_in_struct(
        self,
        name: str,
        element: Type,
        shape: Sequence[str],
        values: dict[str, Any] | None,
        role: str,
        of: str,
    ) -> ArrayHandle:
        """An array that is a member of the parameter `state`, a struct of arrays of the type `{of}State`."""
        title = f"{of}State"
        if self.state is None:
            label = self.fresh("state")
            self.state = Parameter(label, Struct(title), "inout", (), None)
            self.parameters.append(self.state)
            self.structs.append(StructDef(title, "Arrays over all elements.", []))
        fields = next(one.fields for one in self.structs if one.name == title)
        if breaks_warp(name) or name in dict(fields):
            return self.array(name, element, shape, values, role)
        leaf = Parameter(f"{self.state.name}.{name}", Array(element, len(shape)), role, tuple(shape), values)
        fields.append((name, leaf.type))
        self.state.leaves.append(leaf)
        base = Member(leaf.type, EVERYTHING, Name(Struct(title), EVERYTHING, self.state.name), name)
        interval = recipe_interval(values, self.largest) if values is not None else EVERYTHING
        return ArrayHandle(self, leaf, element, interval, base=base)

    def scalar(self, name: str, type: Type, values: dict[str, Any]) -> Name:
        """A parameter that is passed by value. Raises Redraw where a loop's counter would hide it."""
        if name in self.counters:
            raise Redraw(f"a loop that stands already counts {name}")
        parameter = Parameter(self.fresh(name), type, "in", (), values)
        self.parameters.append(parameter)
        return Name(type, recipe_interval(values, self.largest), parameter.name)

    def size(self, name: str, size: str) -> Expr:
        """An int parameter that holds a size; asked again for the same size, the same parameter."""
        if size not in self._size_parameters:
            interval = Interval(self.smallest(size), self.largest(size), True, size, 0, exact=True)
            parameter = Parameter(self.fresh(name), I32, "in", (), {"size": size})
            self.parameters.append(parameter)
            self._size_parameters[size] = Name(I32, interval, parameter.name)
        return self._size_parameters[size]

    def constant(self, name: str, type: Scalar, value: Number) -> Expr:
        """A number that the module names, in capitals."""
        taken = {one.name for one in self.constants}
        candidate, number = name.upper(), 2
        while candidate in taken:
            candidate, number = f"{name.upper()}_{number}", number + 1
        definition = ConstantDef(candidate, type, value)
        self.constants.append(definition)
        return Constant(type, lift(value, type).interval, definition)

    def once(self, key: str, draw: Callable[[], T]) -> T:
        """A choice that is drawn once for the program, all kernels of it included."""
        if key not in self.drawn:
            self.drawn[key] = draw()
        choice: T = self.drawn[key]
        return choice

    def input(
        self,
        name: str,
        element: Type,
        shape: Sequence[str],
        values: dict[str, Any],
        memory: str = "global",
    ) -> ArrayHandle:
        """An input array that several parts of the kernel read; asked for again, the same.

        Where tables lie in constant memory, those do whose size is a number.
        """
        if self.constant_tables and all(self.smallest(one) == self.largest(one) for one in shape):
            shape, memory = [str(self.largest(one)) for one in shape], "constant"
        if name not in self.inputs:
            self.inputs[name] = self.array(name, element, shape, values, memory=memory)
        return self.inputs[name]

    def extent(self, axis: int) -> Expr:
        """The number of elements along an axis of the grid, as a parameter named after it."""
        size = self.shape[axis]
        return self.size("count" if size == "n" else size, size)

    def struct(self, name: str, doc: str, fields: Sequence[tuple[str, Type]]) -> Struct:
        """A struct type. Raises Undefined for a member that Warp's C++ text cannot hold."""
        for field, _ in fields:
            if breaks_warp(field):
                raise Undefined(f"{name} cannot have a member {field}: Warp's C++ text would not compile")
        self.structs.append(StructDef(name, doc, list(fields)))
        return Struct(name)

    def member(self, value: Expr, field: str, interval: Interval) -> Expr:
        """`value.field`."""
        if not isinstance(value.type, Struct):
            raise Undefined(f"{value.type} has no members")
        fields = next(dict(one.fields) for one in self.structs if one.name == value.type.name)
        return Member(fields[field], interval, value, field)

    def function(
        self, name: str, doc: str, parameters: Mapping[str, tuple[Type, Interval]], body: Callable[..., Expr]
    ) -> Callable[..., Expr]:
        """A `@wp.func`; `body(builder, *parameters)` returns its value. The result calls it."""
        inner = Builder(name, self.rng, self.policy)
        inner.real, inner.structs, inner.dimension = self.real, self.structs, self.dimension
        self.names.add(name)
        names = [Name(of, interval, inner.fresh(key)) for key, (of, interval) in parameters.items()]
        value = body(inner, *names)
        if inner.parameters:
            raise Redraw(f"the function {name} needs parameters of the kernel")
        inner._append(Jump("return", value))
        definition = FunctionDef(name, doc, [(key, of) for key, (of, _) in parameters.items()], inner.body)
        self.functions += [*inner.functions, definition]
        interval = value.interval
        for early in inner.returned:
            interval = interval.hull(early.interval)

        def call(*arguments: Expr | Number) -> Expr:
            values = tuple(lift(one, of) for one, (of, _) in zip(arguments, parameters.values(), strict=True))
            for one, (key, (of, limits)) in zip(values, parameters.items(), strict=True):
                if one.type != of or not limits.contains(one.interval):
                    raise Undefined(
                        f"{name}: argument {key} is {one.type} in {one.interval}, not {of} in {limits}"
                    )
            return Call(value.type, interval, definition, values)

        return call

    # Places in arrays: in range, and touched by one thread only.

    def place(self, array: ArrayHandle, index: Expr | int | tuple[Expr | int, ...]) -> Item:
        """`array[index]`, with every index proved to be in range."""
        indices = tuple([lift(one, I32) for one in (index if isinstance(index, tuple) else (index,))])
        shape = array.parameter.shape
        if len(indices) != len(shape):
            raise Undefined(f"{len(indices)} indices into {array.parameter.name} of shape {shape}")
        for one, size in zip(indices, shape, strict=True):
            bounds = one.interval
            below = (bounds.size == size and bounds.offset < 0) or bounds.hi < self.smallest(size)
            below = below or (size == f"{bounds.size} + 1" and bounds.offset <= 0)
            if scalar_of(one.type) != I32 or bounds.lo < 0 or not below:
                raise Undefined(f"index {bounds} into dimension {size} of {array.parameter.name}")
        owner = array.base
        if owner is None:
            owner = Name(array.parameter.type, EVERYTHING, array.parameter.name)
        return Item(array.element, array.interval, owner, indices)

    def owner(self, index: Expr) -> Owner:
        """The thread coordinate that an index determines one to one; empty if there is none."""
        return owner(index, self._owners, self._permutations)

    def fill(
        self, array: ArrayHandle, index: tuple[Expr, ...], fields: dict[str, Expr], in_place: bool
    ) -> None:
        """Store a struct's members: one by one where they lie, or in a variable that is stored as a whole."""
        item = self.place(array, index)
        self.claim(array, item)
        target: Expr = item
        if not in_place:
            definition = next(one for one in self.structs if Struct(one.name) == array.element)
            target = Name(array.element, EVERYTHING, self.fresh("result"), mutable=True)
            self._append(Assign(target, Call(array.element, EVERYTHING, definition, ())))
        for field, value in fields.items():
            self._append(Assign(Member(value.type, value.interval, target, field), value))
        if not in_place:
            self._append(Assign(item, target))

    def claim(self, array: ArrayHandle, item: Item) -> None:
        """This thread reads and writes the place alone: every use of the array follows one pattern.

        Raises Undefined where another thread could reach the same place.
        """
        pattern = tuple(self.owner(one) for one in item.indices)
        found = {part for one in pattern for part in one if part.startswith("thread ")}
        everyone = {f"thread {position}" for position, size in enumerate(self.dims) if self.largest(size) > 1}
        if self.block_dim is not None:
            if self.lane is None:
                raise Undefined(f"{array.parameter.name}: all threads of a block would write one place")
            if not self.lane.interval.is_constant:
                everyone.add(f"thread {len(self.dims)}")
        if not everyone <= found or array.atomic:
            raise Undefined(f"{array.parameter.name}: several threads could touch one place")
        if array.pattern not in (None, pattern):
            raise Undefined(f"{array.parameter.name} is touched as {array.pattern} and as {pattern}")
        array.pattern = pattern

    def let(self, name: str, value: Expr) -> Name:
        """`name = value`, never assigned again."""
        variable = Name(value.type, value.interval, self.local(name, value.type))
        self._owners[variable.name] = self.owner(value)
        self._append(Assign(variable, value))
        return variable

    def ahead(self, name: str, value: Expr) -> Name:
        """`name = value` before the loop that is being written, which tells what the value must be."""
        variable = Name(value.type, value.interval, self.fresh(name))
        self._blocks[-2].insert(-1, Assign(variable, value))
        return variable

    def store(
        self,
        array: ArrayHandle,
        index: Expr | int | tuple[Expr | int, ...],
        value: Expr | Number,
        operator: str | None = None,
    ) -> None:
        """`array[index] = value`, at a place that is this thread's alone."""
        item = self.place(array, index)
        new = lift(value, item.type)
        if array.parameter.role == "in" or new.type != item.type:
            raise Undefined(
                f"{new.type} stored to {array.parameter.role} {array.parameter.name} of {item.type}"
            )
        if operator is not None and array.parameter.role != "inout":
            raise Undefined(f"{array.parameter.name} is changed but holds nothing yet")
        self.claim(array, item)
        self._append(Assign(item, new, operator))

    def atomic(
        self, kind: str, array: ArrayHandle, index: Expr | int | tuple[Expr | int, ...], value: Expr | Number
    ) -> None:
        """`wp.atomic_add` (`sub`, `min`, `max`), or `array[index] += value` for kind `+=`, which is one too.

        Floats are only added where every order of the threads gives the same sum: small whole numbers.
        """
        item = self.place(array, index)
        new = lift(value, item.type)
        if array.parameter.role != "inout" or new.type != item.type or array.pattern is not None:
            raise Undefined(f"atomic {kind} of {new.type} on {array.parameter.role} {array.parameter.name}")
        times = self.times() * (self.block_dim or 1)
        family = atomic_family(kind, array, new, times, free_order=self.equality == "bounded")
        array.atomic = family
        if kind in ("+=", "-="):
            self._append(Assign(item, new, kind[0]))
        else:
            call = Call(item.type, EVERYTHING, f"wp.atomic_{kind}", (item.value, *item.indices, new))
            self._append(Evaluate(call))

    def append(self, name: str, counter: ArrayHandle, size: str, at: Expr | int = 0) -> Name:
        """`name = wp.atomic_add(counter, at, 1)`: the next place of lists of `size` elements, in any order.

        Every thread appends once at most, so that its place is its own. Where there are several lists, their
        author has proved that they lie apart.
        """
        if math.prod(self._knowledge.loops) != 1 or self.largest(size) < self.times():
            raise Undefined(f"more elements than {size} may be appended")
        self.equality, counter.atomic = "permutation", "sum"
        item = self.place(counter, at)
        arguments = (item.value, *item.indices, lift(1, I32))
        interval = Interval(0, self.largest(size) - 1, True, size, -1)
        # Not `let`: what changes memory stays where it stands.
        place = Name(I32, interval, self.local(name, I32), mutable=True)
        self._append(Assign(place, Call(I32, interval, "wp.atomic_add", arguments)))
        self._owners[place.name] = tuple(f"thread {position}" for position in range(len(self.dims)))
        return place

    def give(self, variable: Name, to: Expr) -> None:
        """Say that only the thread whose number is `to` has this value, as the author has proved."""
        self._owners[variable.name] = self.owner(to)

    def turns(self) -> float:
        """How often a thread executes a statement here at most."""
        return math.prod(self._knowledge.loops)

    def times(self) -> float:
        """How often a statement here is executed at most, over all points of the launch."""
        return math.prod(self.largest(size) for size in self.dims) * self.turns()

    def program(self) -> GeneratedProgram:
        """The finished kernel."""

        def position(one: Parameter) -> int:
            if isinstance(one.type, Array):
                return 0 if one.role == "in" else 2
            return 1

        return GeneratedProgram(
            self.name,
            self.doc,
            sorted(self.parameters, key=position),
            self.body,
            self.functions,
            self.structs,
            self.constants,
            self.sizes,
            self.dims,
            self.block_dim,
            parts=self.parts,
            steps=self.steps,
            equality=self.equality,
            other_names=self.other_names,
            made_of={**self.made_of, "formulas": list(dict.fromkeys(self.formulas))},
        )
