"""Appends statements to a kernel, and only what is valid: typed, in scope, in range, free of races.

An idiom holds a `Builder` and writes the kernel through it. Whatever it asks for that is not defined raises
`Undefined`; nothing is checked afterwards that could have been refused here.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from weft.kernels import intervals
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.operators import apply, lift
from weft.kernels.policy import Policy
from weft.kernels.program import (
    Assign,
    Binary,
    Call,
    Evaluate,
    Expr,
    For,
    FunctionDef,
    If,
    Item,
    Jump,
    Literal,
    Member,
    Name,
    Number,
    Parameter,
    Program,
    Stmt,
    StructDef,
    ThreadIndex,
    Unary,
    Undefined,
    While,
)
from weft.kernels.rng import Random
from weft.kernels.types import F32, I32, LIMITS, scalar_of
from weft.sizes import evaluate_size
from weft.types import Array, Scalar, Struct, Type

LARGEST_N = 70_000
EXACT_SUMS = {"float32": 2.0**24, "float64": 2.0**53}


def recipe_interval(values: dict[str, Any], largest: Callable[[str], int]) -> Interval:
    """What a recipe of the launch description promises about each component; `largest` bounds sizes."""
    ((kind, arguments),) = values.items()
    match kind:
        case "uniform":
            return Interval(*arguments)
        case "integers":
            low, high = arguments
            if isinstance(high, str):
                return Interval(low, largest(high) - 1, True, high, -1)
            return intervals.whole(low, high - 1)
        case "permutation":
            return Interval(0, LARGEST_N, True, arguments, -1)
        case "constant":
            return Interval(arguments, arguments, float(arguments).is_integer())
        case _:
            return EVERYTHING


@dataclasses.dataclass(slots=True, eq=False)
class ArrayHandle:
    """An array parameter that idioms index: `a[i]` reads, `builder.store(a, i, v)` writes."""

    builder: Builder
    parameter: Parameter
    element: Type
    interval: Interval
    owner: tuple[str, ...] | None = None
    atomic: bool = False
    members: dict[str, Interval] | None = None

    def __getitem__(self, index: Expr | int | tuple[Expr | int, ...]) -> Expr:
        item = self.builder.place(self, index)
        if self.parameter.role == "out":
            raise Undefined(f"{self.parameter.name} is an output and is never read")
        if self.parameter.role == "inout":
            self.builder.claim(self, item)
        return item


@dataclasses.dataclass(slots=True, eq=False)
class _Accumulation:
    """A mutable variable: where it was declared, and what loops have added to it."""

    name: Name
    depth: int
    declared: Interval | None
    outside: Interval
    added: Interval
    assigned: bool = False


class Builder:
    """The body of one kernel (or of one function of it) under construction."""

    def __init__(self, name: str, rng: Random, policy: Policy) -> None:
        self.name = name
        self.rng = rng
        self.policy = policy
        self.real: Scalar = F32
        self.doc = ""
        self.notes: list[str] = []
        self.tags: list[str] = []
        self.parameters: list[Parameter] = []
        self.functions: list[FunctionDef] = []
        self.structs: list[StructDef] = []
        self.sizes: dict[str, str] = {}
        self.dims: list[str] = []
        self.body: list[Stmt] = []
        self.names: set[str] = set()
        self.index: tuple[Expr, ...] = ()
        self.target: tuple[Expr, ...] = ()
        self.shape: tuple[str, ...] = ()
        self._blocks: list[list[Stmt]] = [self.body]
        self._loops: list[float] = []
        self._variables: dict[str, _Accumulation] = {}
        self._facts: list[list[tuple[Name, Interval]]] = [[]]
        self._owners: dict[str, tuple[str, ...]] = {}
        self._size_parameters: dict[str, Name] = {}
        self.outputs_early = rng.chance(policy.outputs_early)
        self.in_struct = rng.chance(policy.struct_parameters)
        self.params: Name | None = None

    # What a kernel is made of: names, sizes, parameters.

    def fresh(self, name: str) -> str:
        """`name`, or with a number if it is taken; it is taken from now on."""
        candidate, number = name, 2
        while candidate in self.names:
            candidate, number = f"{name}_{number}", number + 1
        self.names.add(candidate)
        return candidate

    def threads(self, dims: Sequence[str], names: Sequence[str]) -> tuple[Expr, ...]:
        """Launch over `dims` (size expressions) and name the thread's indices."""
        self.dims = list(dims)
        index = tuple(
            Name(I32, Interval(0, self.largest(dim) - 1, True, dim, -1), self.fresh(name))
            for dim, name in zip(dims, names, strict=True)
        )
        for position, one in enumerate(index):
            self._owners[one.name] = (f"thread {position}",)
        self._append(ThreadIndex(index))
        self.index, self.target, self.shape = index, index, tuple(dims)
        return index

    def largest(self, size: str) -> int:
        """An upper bound of a size expression over all base sizes."""
        names = {"n": LARGEST_N}
        for name, value in self.sizes.items():
            names[name] = evaluate_size(value, names)
        return evaluate_size(size, names)

    def smallest(self, size: str) -> int:
        """The value of a size expression at n = 1; sizes grow with n."""
        names = {"n": 1}
        for name, value in self.sizes.items():
            names[name] = evaluate_size(value, names)
        return evaluate_size(size, names)

    def array(
        self,
        name: str,
        element: Type,
        shape: Sequence[str],
        values: dict[str, Any] | None,
        role: str = "in",
    ) -> ArrayHandle:
        """An array parameter. `values` is its recipe; an output has none."""
        parameter = Parameter(self.fresh(name), Array(element, len(shape)), role, tuple(shape), values)
        self.parameters.append(parameter)
        members = None
        if values is not None and "members" in values:
            members = {
                field: recipe_interval(recipe, self.largest) for field, recipe in values["members"].items()
            }
        interval = recipe_interval(values, self.largest) if values is not None else EVERYTHING
        return ArrayHandle(self, parameter, element, interval, members=members)

    def scalar(self, name: str, type: Type, values: dict[str, Any]) -> Name:
        """A parameter that is passed by value."""
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

    def struct(self, name: str, doc: str, fields: Sequence[tuple[str, Type]]) -> Struct:
        """A struct type."""
        self.structs.append(StructDef(name, doc, list(fields)))
        return Struct(name)

    def member(self, value: Expr, field: str, interval: Interval) -> Expr:
        """`value.field`."""
        if not isinstance(value.type, Struct):
            raise Undefined(f"{value.type} has no members")
        fields = next(dict(one.fields) for one in self.structs if one.name == value.type.name)
        return Member(fields[field], interval, value, field)

    def function(
        self, name: str, doc: str, parameters: dict[str, tuple[Type, Interval]], body: Callable[..., Expr]
    ) -> Callable[..., Expr]:
        """A `@wp.func`; `body(builder, *parameters)` returns its value. The result calls it."""
        inner = Builder(name, self.rng, self.policy)
        inner.real = self.real
        names = [Name(of, interval, inner.fresh(key)) for key, (of, interval) in parameters.items()]
        value = body(inner, *names)
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

    @property
    def returned(self) -> list[Expr]:
        """Values of the early returns of a function."""
        return [one.value for one in _jumps(self.body) if one.value is not None]

    # Places in arrays: in range, and touched by one thread only.

    def place(self, array: ArrayHandle, index: Expr | int | tuple[Expr | int, ...]) -> Item:
        """`array[index]`, with every index proved to be in range."""
        indices = tuple(lift(one, I32) for one in (index if isinstance(index, tuple) else (index,)))
        shape = array.parameter.shape
        if len(indices) != len(shape):
            raise Undefined(f"{len(indices)} indices into {array.parameter.name} of shape {shape}")
        for one, size in zip(indices, shape, strict=True):
            bounds = one.interval
            below = (bounds.size == size and bounds.offset < 0) or bounds.hi < self.smallest(size)
            if scalar_of(one.type) != I32 or bounds.lo < 0 or not below:
                raise Undefined(f"index {bounds} into dimension {size} of {array.parameter.name}")
        name = Name(array.parameter.type, EVERYTHING, array.parameter.name)
        return Item(array.element, array.interval, name, indices)

    def owner(self, index: Expr) -> tuple[str, ...]:
        """Which thread coordinates a value determines one to one; empty if none.

        An affine `k * x + c` with 0 <= c < k belongs to x's owner, with k: two such places differ wherever
        the x do.
        """
        match index:
            case Name(name=name):
                return self._owners.get(name, ())
            case Binary(operator="-", left=Name() | Binary() as left, right=Name(name=name)):
                if left.interval.exact and name in self._owners:
                    return (*self._owners[name], f"mirrored {left.interval.offset}")
            case Binary(operator="+", left=Binary(operator="*") as left, right=right):
                scaled = self.owner(left)
                if scaled and scaled[-1].startswith("times "):
                    factor = int(scaled[-1].removeprefix("times "))
                    if right.interval.within(0, factor - 1):
                        return scaled
            case (
                Binary(operator="*", left=left, right=Literal(value=factor))
                | Binary(operator="*", left=Literal(value=factor), right=left)
            ):
                inner = self.owner(left)
                if inner and isinstance(factor, int) and factor > 1:
                    return (*inner, f"times {factor}")
            case Item(value=Name(name=name), indices=(one,)):
                permuted = next((p for p in self.parameters if p.name == name), None)
                if permuted and permuted.values and "permutation" in permuted.values:
                    inner = self.owner(one)
                    return (*inner, f"through {name}") if inner else ()
        return ()

    def claim(self, array: ArrayHandle, item: Item) -> None:
        """This thread reads and writes the place alone: every use of the array follows one pattern.

        Raises Undefined where another thread could reach the same place.
        """
        owners = tuple("/".join(self.owner(one)) for one in item.indices)
        missing = [
            position
            for position in range(len(self.dims))
            if not any(owner.startswith(f"thread {position}") for owner in owners)
        ]
        if missing or array.atomic:
            raise Undefined(f"{array.parameter.name}: several threads could touch one place")
        if array.owner is not None and array.owner != owners:
            raise Undefined(f"{array.parameter.name} is touched as {array.owner} and as {owners}")
        array.owner = owners

    # Statements.

    def let(self, name: str, value: Expr) -> Name:
        """`name = value`, never assigned again."""
        variable = Name(value.type, value.interval, self.fresh(name))
        owners = self.owner(value)
        if owners:
            self._owners[variable.name] = owners
        self._append(Assign(variable, value))
        return variable

    def var(
        self,
        name: str,
        value: Expr | Number,
        bounds: tuple[float, float] | None = None,
        type: Type | None = None,
    ) -> Name:
        """A variable that may be assigned again; `bounds` are an invariant of all its assignments."""
        first = lift(value, type or self.real)
        interval = first.interval
        declared = Interval(*bounds, integral=interval.integral) if bounds else None
        if declared and not declared.contains(interval):
            raise Undefined(f"{name} starts in {interval}, outside {declared}")
        if isinstance(first, Literal) and first.type in (F32, I32):
            first = Call(first.type, interval, "float" if first.type == F32 else "int", (first,))
        variable = Name(first.type, declared or interval, self.fresh(name), mutable=True)
        self._variables[variable.name] = _Accumulation(
            variable, len(self._loops), declared, interval, Interval(0, 0, True)
        )
        self._append(Assign(variable, first))
        return variable

    def set(self, variable: Expr, value: Expr | Number) -> None:
        """`variable = value`, for a variable made by `var`, or a component of one."""
        new = lift(value, variable.type)
        if new.type != variable.type:
            raise Undefined(f"{new.type} assigned to {variable.type}")
        self._append(Assign(variable, new))
        name = variable
        while isinstance(name, Item):
            name = name.value
        if not isinstance(name, Name) or name.name not in self._variables:
            raise Undefined("only variables made by var are assigned again")
        state = self._variables[name.name]
        if state.declared:
            if not state.declared.contains(new.interval):
                raise Undefined(f"{name.name} set to {new.interval}, outside {state.declared}")
            self._forget(name, state.declared)
        elif len(self._loops) > state.depth:
            state.assigned = True
        elif len(self._blocks) > 1 or name is not variable:
            name.interval = state.outside = name.interval.hull(new.interval)
        else:
            name.interval = state.outside = new.interval

    def add(self, variable: Expr, value: Expr | Number, operator: str = "+") -> None:
        """`variable += value`, or another operator."""
        new = lift(value, variable.type)
        name = variable
        while isinstance(name, Item):
            name = name.value
        if not isinstance(name, Name) or name.name not in self._variables:
            raise Undefined("only variables made by var are changed")
        state = self._variables[name.name]
        if operator in "+-" and (state.declared is None or name is not variable):
            if new.type != variable.type:
                raise Undefined(f"{variable.type} {operator}= {new.type}")
            delta = new.interval if operator == "+" else intervals.negative(new.interval)
            trips = 1.0
            for loop in self._loops[state.depth :]:
                trips *= loop
            total = Interval(min(0, delta.lo) * trips, max(0, delta.hi) * trips, delta.integral)
            if len(self._loops) > state.depth:
                state.added = intervals.add(state.added, total)
            else:
                interval = intervals.add(name.interval, delta if len(self._blocks) == 1 else total)
                name.interval = state.outside = interval
        elif name is variable:
            result = apply(operator, variable, new)
            if state.declared is None and len(self._loops) > state.depth:
                state.assigned = True
            elif state.declared is None:
                merged = result.interval if len(self._blocks) == 1 else name.interval.hull(result.interval)
                name.interval = state.outside = merged
            elif not state.declared.contains(result.interval):
                raise Undefined(f"{name.name} {operator}= gives {result.interval}, outside {state.declared}")
            else:
                self._forget(name, state.declared)
        else:
            raise Undefined("components are only added to")
        self._append(Assign(variable, new, operator))

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
        if array.parameter.role != "inout" or new.type != item.type or array.owner is not None:
            raise Undefined(f"atomic {kind} of {new.type} on {array.parameter.role} {array.parameter.name}")
        scalar = scalar_of(new.type)
        times = 1.0
        for size in self.dims:
            times *= self.largest(size)
        for loop in self._loops:
            times *= loop
        if kind in ("add", "sub", "+=", "-="):
            total = new.interval.magnitude * times
            if scalar.is_float and not (new.interval.integral and total < EXACT_SUMS[scalar.name]):
                raise Undefined(f"the sum of {new.interval} depends on the order of {times:.0f} additions")
            if scalar.is_signed and total >= 2 ** (8 * scalar.bytes - 1):
                raise Undefined(f"the sum of {new.interval} overflows {scalar}")
        array.atomic = True
        if kind in ("+=", "-="):
            self._append(Assign(item, new, kind[0]))
        else:
            call = Call(item.type, EVERYTHING, f"wp.atomic_{kind}", (item.value, *item.indices, new))
            self._append(Evaluate(call))

    @contextlib.contextmanager
    def when(self, condition: Expr) -> Iterator[None]:
        """`if condition:`; it is known to hold inside, and not to hold after a branch that leaves."""
        branch = If(condition, [], [])
        self._append(branch)
        with self._block(branch.then, [(condition, True)]):
            yield
        if branch.then and isinstance(branch.then[-1], Jump):
            self._assume(condition, False)

    @contextlib.contextmanager
    def orwhen(self, condition: Expr) -> Iterator[None]:
        """`elif condition:` of the `if` before it."""
        known, last = self._chain()
        branch = If(condition, [], [])
        last.otherwise.append(branch)
        with self._block(branch.then, [*known, (condition, True)]):
            yield

    @contextlib.contextmanager
    def otherwise(self) -> Iterator[None]:
        """`else:` of the `if` before it."""
        known, last = self._chain()
        with self._block(last.otherwise, known):
            yield

    def _chain(self) -> tuple[list[tuple[Expr, bool]], If]:
        """The last `elif` of the `if` before, and that it and all before it did not hold."""
        block = self._blocks[-1]
        if not block or not isinstance(block[-1], If):
            raise Undefined("else without if")
        last = block[-1]
        known = [(last.condition, False)]
        while last.otherwise:
            (inner,) = last.otherwise
            if not isinstance(inner, If):
                raise Undefined("else after else")
            last = inner
            known.append((last.condition, False))
        return known, last

    @contextlib.contextmanager
    def loop(self, name: str, start: Expr | int, stop: Expr | int, step: int = 1) -> Iterator[Name]:
        """`for name in range(start, stop, step):`, counting up."""
        first, last = lift(start, I32), lift(stop, I32)
        if step < 1:
            raise Undefined("loops count up")
        top = last.interval
        interval = Interval(first.interval.lo, top.hi - 1, True, top.size, top.offset - 1)
        variable = Name(I32, interval, self.fresh(name), counter=True)
        body: list[Stmt] = []
        self._append(For(variable, first, last, step, body))
        trips = max(0, -((first.interval.lo - top.hi) // step))
        with self._loop(body, trips):
            yield variable
        self.names.discard(variable.name)

    @contextlib.contextmanager
    def repeat(self, condition: Expr, trips: int) -> Iterator[None]:
        """`while condition:`, which the author has proved to run at most `trips` times."""
        body: list[Stmt] = []
        self._append(While(condition, body))
        with self._loop(body, trips, [(condition, True)]):
            yield

    @contextlib.contextmanager
    def _loop(
        self, body: list[Stmt], trips: float, known: Sequence[tuple[Expr, bool]] = ()
    ) -> Iterator[None]:
        for state in self._variables.values():
            if state.declared is not None:
                self._forget(state.name, state.declared)
            elif state.depth == len(self._loops):
                state.outside = state.name.interval
                state.name.interval = EVERYTHING
        self._loops.append(trips)
        with self._block(body, known):
            yield
        self._loops.pop()
        for name in [name for name, state in self._variables.items() if state.depth > len(self._loops)]:
            del self._variables[name]
        for state in self._variables.values():
            if state.declared is None and state.depth == len(self._loops):
                total = EVERYTHING if state.assigned else intervals.add(state.outside, state.added)
                scalar = scalar_of(state.name.type)
                if scalar.is_integer and not state.assigned and not total.within(*LIMITS[scalar.name]):
                    raise Undefined(f"{state.name.name} overflows {scalar}: {total}")
                state.name.interval = total
                state.added = Interval(0, 0, True)

    @contextlib.contextmanager
    def _block(self, body: list[Stmt], known: Sequence[tuple[Expr, bool]] = ()) -> Iterator[None]:
        self._blocks.append(body)
        self._facts.append([])
        for condition, truth in known:
            self._assume(condition, truth)
        yield
        for name, interval in reversed(self._facts.pop()):
            name.interval = interval
        self._blocks.pop()

    def jump(self, kind: str, value: Expr | None = None) -> None:
        """`return`, `break` or `continue`."""
        if kind in ("break", "continue") and not self._loops:
            raise Undefined(f"{kind} outside a loop")
        self._append(Jump(kind, value))

    def _append(self, statement: Stmt) -> None:
        self._blocks[-1].append(statement)

    # What conditions tell about immutable names.

    def _assume(self, condition: Expr, truth: bool) -> None:
        match condition:
            case Unary(operator="not", operand=inner):
                self._assume(inner, not truth)
            case Binary(operator="and" | "or" as operator, left=left, right=right):
                if (operator == "and") == truth:
                    self._assume(left, truth)
                    self._assume(right, truth)
            case Binary(operator=operator, left=left, right=right) if operator in _NEGATED:
                operator = operator if truth else _NEGATED[operator]
                self._bound(left, operator, right)
                self._bound(right, _MIRRORED[operator], left)

    def _bound(self, left: Expr, operator: str, right: Expr) -> None:
        name, constant = _affine(left)
        if name is None or (name.mutable and not self._invariant(name)):
            return
        whole = scalar_of(name.type).is_integer
        other = right.interval
        gap = 1 if whole else 0
        low, high = -intervals.INFINITY, intervals.INFINITY
        size, offset = None, 0
        if operator in ("<", "<=", "=="):
            strict = gap if operator == "<" else 0
            high = other.hi - strict - constant
            if other.size is not None:
                size, offset = other.size, other.offset - strict - int(constant)
        if operator in (">", ">=", "=="):
            low = other.lo + (gap if operator == ">" else 0) - constant
        if operator == "!=" and whole and other.is_constant and name.interval.lo == other.lo - constant:
            low = name.interval.lo + 1
        fact = Interval(low, high, name.interval.integral, size, offset)
        self._facts[-1].append((name, name.interval))
        name.interval = name.interval.meet(fact)

    def _invariant(self, name: Name) -> Interval | None:
        """The declared bounds of a mutable variable."""
        state = self._variables.get(name.name)
        return state.declared if state else None

    def _forget(self, name: Name, declared: Interval) -> None:
        """What conditions told about a variable is over once it is assigned."""
        name.interval = declared
        for frame in self._facts:
            frame[:] = [(one, declared if one is name else old) for one, old in frame]

    def program(self) -> Program:
        """The finished kernel."""

        def position(one: Parameter) -> int:
            if isinstance(one.type, Array):
                return 0 if one.role == "in" else 3 - 2 * self.outputs_early
            return 2

        return Program(
            self.name,
            self.doc,
            sorted(self.parameters, key=position),
            self.body,
            self.functions,
            self.structs,
            self.sizes,
            self.dims,
        )


_NEGATED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def _affine(value: Expr) -> tuple[Name | None, float]:
    """(x, c) where the expression is x + c with a variable x."""
    match value:
        case Name():
            return value, 0
        case Binary(operator="+", left=Name() as name, right=Literal(value=constant)):
            return name, constant
        case Binary(operator="-", left=Name() as name, right=Literal(value=constant)):
            return name, -constant
        case _:
            return None, 0


def _jumps(body: Sequence[Stmt]) -> Iterator[Jump]:
    for statement in body:
        match statement:
            case Jump():
                yield statement
            case If(then=then, otherwise=otherwise):
                yield from _jumps(then)
                yield from _jumps(otherwise)
            case For(body=inner) | While(body=inner):
                yield from _jumps(inner)
