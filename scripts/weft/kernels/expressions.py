"""Builds expressions: looks an operator up, checks types and ranges, and makes the node.

Everything here raises `Undefined` where the table of `operators` forbids what is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from weft.kernels import intervals
from weft.kernels.constants import Known
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.operators import (
    ARITHMETIC,
    COMPARISONS,
    FUNCTIONS,
    is_float,
    is_integer,
    same_numbers,
)
from weft.kernels.operators_spatial import SPATIAL, chained
from weft.kernels.operators_special import SPECIAL
from weft.kernels.program import (
    Binary,
    Call,
    Callee,
    Conditional,
    Constant,
    ConstantDef,
    Expr,
    Literal,
    Name,
    Number,
    Rejected,
    Unary,
    Undefined,
)
from weft.kernels.types import BOOL, F32, I32, LIMITS, U32, scalar_of, warp_name
from weft.operator_symbols import OPPOSITE
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector

FLOAT_LIMIT = 1e30
FLOAT_LIMITS = {"float16": 6e4}

_FOLDED: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}
_NEUTRAL = {"+": 0, "-": 0, "*": 1, "/": 1}


def lift(value: Expr | Number, like: Type) -> Expr:
    """A number as a literal of the scalar type that `like` is made of; an expression as it is."""
    if isinstance(value, Expr):
        return value
    scalar = scalar_of(like)
    if scalar.is_float:
        number = float(value)
        interval = Interval(number, number, number.is_integer())
        if isinstance(value, Known):
            name = value.name if scalar == F32 else value.name + scalar.name.removeprefix("float")
            return Constant(scalar, interval, ConstantDef(name, scalar, value))
        return Literal(scalar, interval, number)
    low, high = LIMITS[scalar.name] if scalar.is_integer else (0, 1)
    if isinstance(value, float) or not low <= value <= high:
        raise Undefined(f"{value!r} is no literal of type {scalar}")
    return Literal(scalar, Interval(value, value, integral=True), value)


def _checked(what: str, type: Type, interval: Interval) -> Interval:
    """`interval` if a value of `type` holds it without overflow; unsigned integers wrap, which is defined."""
    scalar = scalar_of(type)
    if scalar.is_float:
        if FLOAT_LIMITS.get(scalar.name, FLOAT_LIMIT) < interval.magnitude < math.inf:
            raise Undefined(f"{what} overflows {scalar}: [{interval.lo}, {interval.hi}]")
        return interval
    if scalar == BOOL:
        return interval
    low, high = LIMITS[scalar.name]
    if interval.within(low, high):
        return interval
    if scalar.is_unsigned:
        return Interval(low, high, integral=True)
    raise Undefined(f"{what} overflows {scalar}: [{interval.lo}, {interval.hi}]")


def apply(operator: str, *operands: Expr | Number) -> Expr:
    """`left operator right`, or `operator operand`. Raises Undefined where types or ranges forbid it."""
    left, right = operands[0], operands[-1]
    if not isinstance(left, Expr):
        assert isinstance(right, Expr)
        left = lift(left, right.type)
    elif len(operands) == 1:
        return _unary(operator, left)
    if not isinstance(right, Expr):
        right = lift(right, left.type)
    types = [left.type, right.type]
    if operator in ("+", "-") and right.type == left.type:
        positive = _without_minus(right)
        if positive is not None:
            right, operator = positive, "-" if operator == "+" else "+"
    if isinstance(left, Literal) or isinstance(right, Literal):
        folded = _folded(operator, left, right)
        if folded is not None:
            return folded
    record = ARITHMETIC.get(operator)
    if record is None:
        return _decision(operator, left, right)
    result = record.result(types)
    if result is None:
        raise Undefined(f"{types[0]} {operator} {types[1]}")
    a, b = left.interval, right.interval
    if operator in ("<<", ">>") and b.hi >= 8 * scalar_of(result).bytes:
        raise Undefined(f"{operator} of {result} by {b}")
    if not record.requires(a, b):
        raise Undefined(f"{operator} of {a} and {b}")
    if operator == "*" and left is right:
        interval = intervals.square(a)
    elif operator == "@" and isinstance(types[0], Matrix):
        columns = types[0].columns
        interval = intervals.multiply(intervals.multiply(a, b), intervals.whole(columns, columns))
    elif operator == "*" and isinstance(types[0], Quaternion) and types[1] == types[0]:
        interval = Interval(-4 * a.magnitude * b.magnitude, 4 * a.magnitude * b.magnitude)
    elif operator == "*" and isinstance(types[0], Transform):
        interval = chained(a, b)
    elif operator == "/" and is_integer(result):
        if b.lo < 1:
            raise Undefined(f"integer division of {a} by {b}")
        interval = intervals.divide_whole(a, b) if a.lo >= 0 else intervals.divide_truncating(a, b)
    else:
        interval = record.interval(a, b)
    return Binary(result, _checked(operator, result, interval), operator, left, right)


def _without_minus(node: Expr) -> Expr | None:
    """What a minus stands before; None where there is none."""
    match node:
        case Literal(value=value) if value < 0 and not node.hexadecimal:
            return lift(-value, node.type)
        case Unary(operator="-", operand=operand):
            return operand
        case Binary(operator="*" | "/", left=left):
            positive = _without_minus(left)
            if positive is None:
                return None
            if isinstance(positive, Literal) and positive.value == 1 and node.operator == "*":
                return node.right
            interval = intervals.negative(node.interval)
            return Binary(node.type, interval, node.operator, positive, node.right)
        case _:
            return None


def _decision(operator: str, left: Expr, right: Expr) -> Expr:
    """A comparison, or `and` and `or` of two decisions."""
    types = [left.type, right.type]
    if operator in COMPARISONS:
        if same_numbers(types) is None:
            raise Undefined(f"comparison of {types[0]} with {types[1]}")
    elif types != [BOOL, BOOL]:
        raise Undefined(f"{operator} of {types[0]} and {types[1]}")
    return Binary(BOOL, intervals.whole(0, 1), operator, left, right)


def _folded(operator: str, left: Expr, right: Expr) -> Expr | None:
    """Two float literals as one, and no sum with 0 or product with 1, as a person would write it."""
    alike = left.type == right.type and isinstance(left.type, Scalar)
    neutral = _NEUTRAL.get(operator) if alike or operator in ("*", "/") else None
    if isinstance(right, Literal) and right.value == neutral:
        return left
    if isinstance(left, Literal) and left.value == neutral and operator in ("+", "*"):
        return right
    if not (isinstance(left, Literal) and isinstance(right, Literal) and operator in _FOLDED):
        return None
    if not scalar_of(left.type).is_float or (operator == "/" and right.value == 0):
        return None
    return lift(round(_FOLDED[operator](left.value, right.value), 6), left.type)


def hexadecimal(value: int, type: Scalar) -> Literal:
    """A mask or a magic number, printed as 0x…"""
    literal = lift(value, type)
    assert isinstance(literal, Literal)
    literal.hexadecimal = True
    return literal


def _unary(operator: str, operand: Expr) -> Expr:
    if operator == "not":
        if isinstance(operand, Binary) and operand.operator in OPPOSITE:
            return Binary(BOOL, operand.interval, OPPOSITE[operand.operator], operand.left, operand.right)
        return Unary(BOOL, intervals.whole(0, 1), "not", operand)
    if operator == "~":
        if not is_integer(operand.type):
            raise Undefined(f"~ of {operand.type}")
        low, high = LIMITS[scalar_of(operand.type).name]
        return Unary(operand.type, intervals.whole(low, high), "~", operand)
    if scalar_of(operand.type).is_unsigned or operand.type == BOOL:
        raise Undefined(f"- of {operand.type}")
    interval = _checked("-", operand.type, intervals.negative(operand.interval))
    if isinstance(operand, Literal) and not operand.hexadecimal:
        return Literal(operand.type, interval, -operand.value)
    return Unary(operand.type, interval, "-", operand)


def call(function: str, *operands: Expr | Number) -> Expr:
    """A call of the Warp builtin `function`. Raises Undefined where types or ranges forbid it."""
    record = FUNCTIONS.get(function) or SPATIAL.get(function) or SPECIAL[function]
    model = next(one for one in operands if isinstance(one, Expr) and one.type != BOOL)
    values = [lift(one, model.type) for one in operands]
    types = [one.type for one in values]
    if function == "where":
        undecided(values[0])
    result = record.result(types)
    if result is None:
        raise Undefined(f"{function}({', '.join(map(str, types))})")
    ranges = [one.interval for one in values]
    if function == "abs" and ranges[0].lo >= 0 and isinstance(result, Scalar):
        return values[0]
    if not record.requires(*ranges):
        raise Undefined(f"{function} of {', '.join(map(str, ranges))}")
    if function in ("min", "max", "clamp") and is_float(result):
        acting = _without_idle(function, values)
        if acting is not None:
            return acting
    interval = record.interval(*ranges)
    if function == "dot" and isinstance(types[0], Vector | Quaternion):
        same = values[0] is values[1]
        one = intervals.square(ranges[0]) if same else interval
        length = types[0].length if isinstance(types[0], Vector) else 4
        interval = intervals.multiply(one, intervals.whole(length, length))
    return Call(result, _checked(function, result, interval), f"wp.{function}", tuple(values))


def _without_idle(function: str, values: Sequence[Expr]) -> Expr | None:
    """What is left of a minimum, maximum or clamp of floats without the numbers that can never be its result;
    None where there are none. Integers keep theirs: indices must be right whatever a caller passes.
    """
    if function == "clamp":
        value, low, high = values
        if _is_idle(low, value, low):
            return call("min", value, high)
        return call("max", value, low) if _is_idle(high, high, value) else None
    left, right = values
    for one, number in ((left, right), (right, left)):
        larger, smaller = (one, number) if function == "max" else (number, one)
        if _is_idle(number, larger, smaller):
            return one
    return None


def _is_idle(number: Expr, larger: Expr, smaller: Expr) -> bool:
    """Whether a number of the text stands on one side of all that a value can be, rounding included."""
    room = 1e-6 * max(larger.interval.magnitude, smaller.interval.magnitude)
    return isinstance(number, Literal | Constant) and larger.interval.lo >= smaller.interval.hi + room


def limited(value: Expr, low: float, high: float) -> Expr:
    """`wp.clamp(value, low, high)`, also where described inputs never reach the limits: before it becomes an
    index, which must be right whatever a caller passes.
    """
    operands = (value, lift(low, value.type), lift(high, value.type))
    interval = FUNCTIONS["clamp"].interval(*(one.interval for one in operands))
    return Call(value.type, interval, "wp.clamp", operands)


def convert(type: Scalar, value: Expr) -> Expr:
    """`value` as another scalar type; a float becomes an integer only where it fits.

    A loop's counter goes to float16 and float64 through float32: Warp 1.19 gives the counter itself the new
    type where it unrolls the loop, and its C++ text does not compile.
    """
    if isinstance(value, Name) and value.counter and is_float(type) and type != F32:
        value = convert(F32, value)
    interval = value.interval
    integral = interval.integral
    if type.is_integer and is_float(value.type):
        interval = Interval(math.trunc(interval.lo), math.trunc(interval.hi), integral=True)
        integral = True
    if type.is_integer and not interval.within(*LIMITS[type.name]):
        if not is_integer(value.type) or not type.is_unsigned:
            raise Undefined(f"conversion of {interval} to {type}")
        interval = intervals.whole(*LIMITS[type.name])
    names = {F32: "float", I32: "int"}
    interval = Interval(interval.lo, interval.hi, integral, interval.size, interval.offset, interval.exact)
    return Call(type, interval, names.get(type) or warp_name(type), (value,))


def undecided(condition: Expr) -> None:
    """Raise Rejected (`decided`) for a condition that holds, or fails, for all values within the bounds."""
    if isinstance(condition, Literal) or _truth(condition) is not None:
        raise Rejected("decided", "a condition has the same outcome for every thread")


def _truth(condition: Expr) -> bool | None:
    """Whether a condition holds, as far as the bounds of its operands tell."""
    match condition:
        case Unary(operator="not", operand=operand):
            inner = _truth(operand)
            return None if inner is None else not inner
        case Binary(operator="and" | "or" as operator, left=left, right=right):
            # One decided side is enough to be pointless.
            first = _truth(left)
            return _truth(right) if first is None else first
        case Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
            a, b = left.interval, right.interval
            if operator in (">", ">="):
                a, b, operator = b, a, "<" if operator == ">" else "<="
            if operator == "<":
                return True if a.hi < b.lo else False if a.lo >= b.hi else None
            if operator == "<=":
                return True if a.hi <= b.lo else False if a.lo > b.hi else None
            apart = a.hi < b.lo or b.hi < a.lo
            return operator == "!=" if apart else None
        case _:
            return None


def _components(type: Type) -> int:
    match type:
        case Vector(length=length):
            return length
        case Matrix(rows=rows, columns=columns):
            return rows * columns
        case _:
            return 4


def construct(type: Type, *components: Expr | Number) -> Expr:
    """A vector, matrix (row by row) or quaternion from its components."""
    scalar = scalar_of(type)
    values = tuple(lift(one, type) for one in components)
    if len(values) != _components(type) or any(one.type != scalar for one in values):
        raise Undefined(f"{type} of {', '.join(str(one.type) for one in values)}")
    interval = values[0].interval
    for one in values[1:]:
        interval = interval.hull(one.interval)
    return Call(type, interval, warp_name(type), values)


def identity(of: Matrix) -> Expr:
    """`wp.identity(n=rows, dtype=scalar)`."""
    rows, scalar = of.rows, of.scalar
    keywords = (
        ("n", lift(rows, I32)),
        ("dtype", Callee(scalar, EVERYTHING, warp_name(scalar))),
    )
    return Call(of, Interval(0.0, 1.0, True), "wp.identity", (), keywords)


def transform(place: Expr, rotation: Expr) -> Expr:
    """`wp.transform(place, rotation)`; the author has proved that the rotation has unit length."""
    scalar = scalar_of(place.type)
    if place.type != Vector(3, scalar) or rotation.type != Quaternion(scalar):
        raise Undefined(f"transform of {place.type} and {rotation.type}")
    interval = place.interval.hull(Interval(-1.0, 1.0))
    return Call(Transform(scalar), interval, warp_name(Transform(scalar)), (place, rotation))


def conditional(condition: Expr, if_true: Expr | Number, if_false: Expr | Number) -> Expr:
    """`if_true if condition else if_false`."""
    model = if_true if isinstance(if_true, Expr) else if_false
    if not isinstance(model, Expr) or condition.type != BOOL:
        raise Undefined("a conditional needs a condition and a typed branch")
    undecided(condition)
    first, second = lift(if_true, model.type), lift(if_false, model.type)
    if first.type != second.type:
        raise Undefined(f"branches of types {first.type} and {second.type}")
    return Conditional(first.type, first.interval.hull(second.interval), condition, first, second)


def random_number(kind: str, state: Expr, *bounds: Expr | Number) -> Expr:
    """`wp.randf(state)`, `wp.randf(state, lo, hi)`, `wp.randi(state, lo, hi)` or `wp.randn(state)`."""
    if state.type != U32:
        raise Undefined(f"{kind} with a state of result {state.type}")
    result = I32 if kind == "randi" else F32
    values = tuple(lift(one, result) for one in bounds)
    if kind == "randn":
        interval = Interval(-5.8, 5.8)
    elif not values:
        interval = Interval(0.0, 1.0 - 2.0**-24)
    else:
        low, high = (one.interval for one in values)
        if low.hi >= high.lo:
            raise Undefined(f"{kind} from {low} to {high}")
        top = high.hi - 1 if kind == "randi" else high.hi
        interval = Interval(low.lo, top, kind == "randi", high.size, high.offset - 1)
    return Call(result, interval, f"wp.{kind}", (state, *values))


def bounded(value: Expr, low: float, high: float) -> Expr:
    """`value` with bounds that its author has proved by other means than interval arithmetic."""
    value.interval = Interval(low, high, value.interval.integral)
    return value


def within(place: Expr, size: str) -> Expr:
    """An index that its author has proved to lie in a dimension of `size` elements."""
    place.interval = Interval(0, place.interval.hi, True, size, -1)
    return place


class _Functions:
    """Warp's builtins by name: `ops.sqrt(x)` is `call("sqrt", x)`."""

    def __init__(self) -> None:
        vars(self).update({name: partial(call, name) for name in (*FUNCTIONS, *SPATIAL, *SPECIAL)})

    def __getattr__(self, name: str) -> Callable[..., Expr]:
        raise AttributeError(name)


ops = _Functions()
