"""What is known of the variables while a kernel is written: bounds after assignments, loops and conditions.

Bounds live in the `Name` of a variable, so that expressions pick them up when they are made.
"""

from __future__ import annotations

import dataclasses
import math

from weft.kernels import intervals
from weft.kernels.expressions import apply
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import Binary, Expr, Item, Literal, Name, Unary, Undefined
from weft.kernels.types import LIMITS, scalar_of
from weft.operator_symbols import OPPOSITE

_NOTHING = Interval(0, 0, integral=True)
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


@dataclasses.dataclass(slots=True, eq=False)
class _Variable:
    """A mutable variable. Without `declared` bounds, a loop's effect on it is known when the loop is over.

    `depth` counts the loops around its declaration, `outside` are its bounds before the outermost loop inside
    them, `added` is what that loop adds, `assigned` says that it does more than add.
    """

    name: Name
    depth: int
    declared: Interval | None
    outside: Interval
    added: Interval = _NOTHING
    assigned: bool = False


class Knowledge:
    """Bounds of the variables of one kernel or function."""

    def __init__(self) -> None:
        self.loops: list[float] = []
        self._variables: dict[str, _Variable] = {}
        self._frames: list[list[tuple[Name, Interval]]] = [[]]

    def declare(self, name: Name, interval: Interval, declared: Interval | None) -> None:
        """A mutable variable begins with a value in `interval`; `declared` bounds hold for ever."""
        self._variables[name.name] = _Variable(name, len(self.loops), declared, interval)

    def rename(self, before: str, after: str) -> None:
        """A variable is called otherwise from the beginning."""
        if before in self._variables:
            self._variables[after] = self._variables.pop(before)

    def settle(self, name: str) -> None:
        """A variable is never assigned again: loops keep what is known of it."""
        self._variables.pop(name, None)

    def assign(self, target: Expr, value: Interval) -> None:
        """A variable, or a component of it, gets a value in these bounds."""
        state = self._state(target)
        if state.declared is not None:
            if not state.declared.contains(value):
                raise Undefined(f"{state.name.name} set to {value}, outside {state.declared}")
            self._forget(state.name, state.declared)
        elif len(self.loops) > state.depth:
            state.assigned = True
        elif len(self._frames) > 1 or target is not state.name:
            state.name.interval = state.name.interval.hull(value)
        else:
            state.name.interval = value

    def change(self, target: Expr, operator: str, value: Expr) -> None:
        """`target operator= value`."""
        state = self._state(target)
        if state.declared is not None or operator not in "+-":
            self.assign(target, apply(operator, target, value).interval)
            return
        if value.type != target.type:
            raise Undefined(f"{target.type} {operator}= {value.type}")
        delta = value.interval if operator == "+" else intervals.negative(value.interval)
        trips = math.prod(self.loops[state.depth :])
        perhaps = Interval(min(0, delta.lo) * trips, max(0, delta.hi) * trips, delta.integral)
        if len(self.loops) > state.depth:
            state.added = intervals.add(state.added, perhaps)
        else:
            sure = len(self._frames) == 1 and target is state.name
            state.name.interval = intervals.add(state.name.interval, delta if sure else perhaps)

    def enter_loop(self, trips: float) -> None:
        """A loop begins. What it does to variables is not known inside, except declared bounds."""
        for state in self._variables.values():
            if state.declared is not None:
                self._forget(state.name, state.declared)
            elif state.depth == len(self.loops):
                state.outside, state.name.interval = state.name.interval, EVERYTHING
        self.loops.append(trips)

    def leave_loop(self) -> None:
        """A loop ends; variables declared in it go out of scope. Raises Undefined where a sum overflows."""
        self.loops.pop()
        depth = len(self.loops)
        self._variables = {name: state for name, state in self._variables.items() if state.depth <= depth}
        for state in self._variables.values():
            if state.declared is not None or state.depth != depth:
                continue
            total = EVERYTHING if state.assigned else intervals.add(state.outside, state.added)
            scalar = scalar_of(state.name.type)
            if scalar.is_integer and not state.assigned and not total.within(*LIMITS[scalar.name]):
                raise Undefined(f"{state.name.name} overflows {scalar}: {total}")
            state.name.interval, state.added = total, _NOTHING

    def enter_block(self) -> None:
        """A branch or a body begins."""
        self._frames.append([])

    def leave_block(self) -> None:
        """It ends, and with it what its conditions told."""
        for name, interval in reversed(self._frames.pop()):
            name.interval = interval

    def assume(self, condition: Expr, truth: bool) -> None:
        """The condition is known to hold, or not to hold, to the end of the block."""
        match condition:
            case Unary(operator="not", operand=inner):
                self.assume(inner, not truth)
            case Binary(operator="and" | "or" as operator, left=left, right=right):
                if (operator == "and") == truth:
                    self.assume(left, truth)
                    self.assume(right, truth)
            case Binary(operator=operator, left=left, right=right) if operator in OPPOSITE:
                operator = operator if truth else OPPOSITE[operator]
                self._bound(left, operator, right.interval)
                self._bound(right, _MIRRORED[operator], left.interval)

    def _bound(self, value: Expr, operator: str, other: Interval) -> None:
        """`value operator other` holds, and tells about `value` if it is a name plus a constant."""
        name, constant = _affine(value)
        if name is None or (name.mutable and not self._has_invariant(name)):
            return
        whole = scalar_of(name.type).is_integer
        low, high = -math.inf, math.inf
        size, offset = None, 0
        if operator in ("<", "<=", "=="):
            strict = 1 if whole and operator == "<" else 0
            high = other.hi - strict - constant
            if other.size is not None:
                size, offset = other.size, other.offset - strict - int(constant)
        if operator in (">", ">=", "=="):
            low = other.lo + (1 if whole and operator == ">" else 0) - constant
        if operator == "!=" and whole and other.is_constant and name.interval.lo == other.lo - constant:
            low = name.interval.lo + 1
        known = name.interval
        same = other.exact and other.size is not None and known.size == other.size
        if operator == "!=" and whole and same and known.offset == other.offset - constant:
            size, offset = known.size, known.offset - 1
        fact = Interval(low, high, name.interval.integral, size, offset)
        self._frames[-1].append((name, name.interval))
        name.interval = name.interval.meet(fact)

    def _state(self, target: Expr) -> _Variable:
        name = target
        while isinstance(name, Item):
            name = name.value
        if not isinstance(name, Name) or name.name not in self._variables:
            raise Undefined("only variables made by var are assigned again")
        return self._variables[name.name]

    def _has_invariant(self, name: Name) -> bool:
        state = self._variables.get(name.name)
        return state is not None and state.declared is not None

    def _forget(self, name: Name, declared: Interval) -> None:
        """What conditions told about a variable is over once it is assigned."""
        name.interval = declared
        for frame in self._frames:
            frame[:] = [(one, declared if one is name else old) for one, old in frame]


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
