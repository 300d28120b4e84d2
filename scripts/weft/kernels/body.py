"""Statements of a kernel or function, in order and within each other, and what is known where they stand."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence

from weft.kernels.expressions import conditional, lift, undecided
from weft.kernels.intervals import Interval
from weft.kernels.knowledge import Knowledge
from weft.kernels.program import (
    Assign,
    Call,
    Constant,
    Evaluate,
    Expr,
    For,
    If,
    Jump,
    Literal,
    Name,
    Number,
    Rejected,
    Stmt,
    Undefined,
    While,
    jumps,
)
from weft.kernels.reserved import PYTHON, breaks_warp
from weft.kernels.types import F32, I32, scalar_of, warp_name
from weft.types import Scalar, Type

_WORDS = ("other", "own", "second", "further")


class Body:
    """A body under construction: names, variables and control flow.

    Whatever cannot be defined raises `Undefined`, and a branch or loop without meaning `Rejected`.
    """

    def __init__(self, name: str, real: Scalar) -> None:
        self.real = real
        self.body: list[Stmt] = []
        self.names: set[str] = {name}
        self.counters: set[str] = set()
        self._blocks: list[list[Stmt]] = [self.body]
        self._local: list[dict[str, Type]] = [{}]
        self._free: dict[str, Type] = {}
        self._knowledge = Knowledge()

    def fresh(self, name: str) -> str:
        """`name`, or with a word before it if it is taken, in the end a number; it is taken from now on.

        Raises Undefined for a name that Warp's C++ text cannot hold.
        """
        if name in PYTHON:
            name = f"{name}_values"
        if breaks_warp(name):
            raise Undefined(f"{name} cannot be a name: Warp's C++ text would not compile")
        candidate, tried = name, 0
        while candidate in self.names or candidate in self._free:
            word = _WORDS[tried] if tried < len(_WORDS) else f"number_{len(self.names) + tried - len(_WORDS)}"
            candidate, tried = f"{word}_{name}", tried + 1
        self.names.add(candidate)
        return candidate

    def local(self, name: str, type: Type) -> str:
        """A name for a value of this block, perhaps one that an earlier block had for the same type."""
        if name not in self.names and self._free.get(name) == type:
            self.names.add(name)
            chosen = name
        else:
            chosen = self.fresh(name)
        self._local[-1][chosen] = type
        return chosen

    def rename(self, variable: Name, name: str) -> None:
        """Call a variable otherwise, wherever it stands; it stays as it is where the name is taken."""
        if name in self.names or name in self._free:
            return
        self._knowledge.rename(variable.name, name)
        self.names.discard(variable.name)
        variable.name = self.fresh(name)

    def settle(self, variable: Name) -> None:
        """Say that a variable is never assigned again."""
        self._knowledge.settle(variable.name)

    @property
    def returned(self) -> list[Expr]:
        """Values of the early returns of a function."""
        return [one.value for one, _ in jumps(self.body) if one.value is not None]

    def var(
        self,
        name: str,
        value: Expr | Number,
        bounds: tuple[float, float] | None = None,
        type: Type | None = None,
    ) -> Name:
        """A variable that may be assigned again; `bounds` are an invariant of all its assignments.

        One that begins at infinity has its bounds once it has been compared with a value.
        """
        first = lift(value, type or self.real)
        interval = first.interval
        whole = interval.integral and not scalar_of(first.type).is_float
        declared = Interval(*bounds, integral=whole) if bounds else None
        if declared and math.isinf(interval.magnitude):  # where a search begins: the first value replaces it
            interval = declared
        if declared and not declared.contains(interval):
            raise Undefined(f"{name} starts in {interval}, outside {declared}")
        if isinstance(first, (Literal, Constant)) and first.type in (F32, I32):
            first = Call(first.type, interval, "float" if first.type == F32 else "int", (first,))
        elif isinstance(first, Constant):
            first = Call(first.type, interval, warp_name(first.type), (first,))
        variable = Name(first.type, declared or interval, self.fresh(name), mutable=True)
        self._knowledge.declare(variable, interval, declared)
        self._append(Assign(variable, first))
        return variable

    def set(self, variable: Expr, value: Expr | Number) -> None:
        """`variable = value`, for a variable made by `var`, or a component of one."""
        new = lift(value, variable.type)
        if new.type != variable.type:
            raise Undefined(f"{new.type} assigned to {variable.type}")
        self._knowledge.assign(variable, new.interval)
        self._append(Assign(variable, new))

    def add(self, variable: Expr, value: Expr | Number, operator: str = "+") -> None:
        """`variable += value`, or another operator."""
        new = lift(value, variable.type)
        self._knowledge.change(variable, operator, new)
        self._append(Assign(variable, new, operator))

    def evaluate(self, call: Expr) -> None:
        """A call for its effect."""
        if not isinstance(call, Call):
            raise Undefined("only calls have effects")
        self._append(Evaluate(call))

    def guarded(self, condition: Expr, value: Callable[[], Expr], otherwise: Expr | Number) -> Expr:
        """`value if condition else otherwise`; what `value` writes may rely on the condition."""
        self._knowledge.enter_block()
        self._knowledge.assume(condition, True)
        first = value()
        self._knowledge.leave_block()
        return conditional(condition, first, otherwise)

    @contextlib.contextmanager
    def when(self, condition: Expr) -> Iterator[None]:
        """`if condition:`; it is known to hold inside, and not to hold after a branch that leaves."""
        undecided(condition)
        branch = If(condition, [], [])
        self._append(branch)
        with self._block(branch.then, [(condition, True)]):
            yield
        if branch.then and isinstance(branch.then[-1], Jump):
            self._knowledge.assume(condition, False)

    @contextlib.contextmanager
    def orwhen(self, condition: Expr) -> Iterator[None]:
        """`elif condition:` of the `if` before it."""
        known, last = self._chain()
        undecided(condition)
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
    def loop(
        self, name: str, start: Expr | int, stop: Expr | int, step: int = 1, most: int | None = None
    ) -> Iterator[Name]:
        """`for name in range(start, stop, step):`, counting up; `most` times, if the author has proved it."""
        first, last = lift(start, I32), lift(stop, I32)
        if step < 1:
            raise Undefined("loops count up")
        top = last.interval
        interval = Interval(first.interval.lo, top.hi - 1, True, top.size, top.offset - 1)
        variable = Name(I32, interval, self.fresh(name), counter=True)
        body: list[Stmt] = []
        self._append(For(variable, first, last, step, body))
        trips = max(0, -((first.interval.lo - top.hi) // step)) if most is None else most
        if trips < 2:
            raise Rejected("single_trip", f"the loop over {name} runs {trips} times at most")
        with self._loop(body, trips):
            yield variable
        self.names.discard(variable.name)
        self.counters.add(variable.name)

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
        self._knowledge.enter_loop(trips)
        with self._block(body, known):
            yield
        self._knowledge.leave_loop()

    @contextlib.contextmanager
    def _block(self, body: list[Stmt], known: Sequence[tuple[Expr, bool]] = ()) -> Iterator[None]:
        self._blocks.append(body)
        self._local.append({})
        self._knowledge.enter_block()
        for condition, truth in known:
            self._knowledge.assume(condition, truth)
        yield
        self._knowledge.leave_block()
        self._blocks.pop()
        inside = self._local.pop()
        self.names -= inside.keys()
        self._free |= inside

    def jump(self, kind: str, value: Expr | None = None) -> None:
        """`return`, `break` or `continue`."""
        if kind in ("break", "continue") and not self._knowledge.loops:
            raise Undefined(f"{kind} outside a loop")
        self._append(Jump(kind, value))

    def _append(self, statement: Stmt) -> None:
        self._blocks[-1].append(statement)
