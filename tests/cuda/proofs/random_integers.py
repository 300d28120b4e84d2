"""Random integer programs, as trees: a kernel that computes indices, and inputs to run it on."""

from __future__ import annotations

import dataclasses
import random

from weft.cuda.contents import changed_in_block
from weft.cuda.traverse import walk
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    For,
    Function,
    If,
    Jump,
    Literal,
    Name,
    Return,
    Statement,
    Threads,
    Unary,
    While,
)
from weft.launch import Launch, Parameter, Recipe
from weft.types import Array, Scalar, Type

LARGEST = 2**31 - 1
CORNERS = (0, 1, -1, 2, 3, 7, 16, 255, 1000, 46340, 46341, 65536, 2**30, LARGEST - 1, LARGEST, -(2**31))
NUMBERS = (0, 1, 2, 3, 4, 7, 8, 11, 16, 31, 100, 1000, 65536, 1 << 20, LARGEST)
VARIABLES = ("a", "b", "c")
ARITHMETIC = ("+", "+", "+", "-", "-", "*", "*", "%", "%", "/", "//", "&", "|", "^", ">>", "<<")
COMPARISONS = ("<", "<", "<=", ">", ">=", "==", "!=")
NARROW = ("int8", "int16", "uint8", "uint32", "int64")


@dataclasses.dataclass(frozen=True)
class Case:
    """A kernel, its launch, and what the parameters may be: `limits` says between which numbers."""

    kernel: Function
    launch: Launch
    limits: dict[str, tuple[int, int]]

    def inputs(self, draw: random.Random, threads: int) -> tuple[dict[str, int], dict[str, list[int]], int]:
        """Parameters, arrays and the thread's number, of at most so many."""
        values = {name: _between(draw, *limits) for name, limits in self.limits.items()}
        values["n"] = max(1, values["n"])
        low, high = self.limits["x"]
        arrays = {"x": [_between(draw, low, high) for _ in range(8)], "y": [0] * 8}
        return values, arrays, _between(draw, 0, min(values["n"], threads) - 1)


def _between(draw: random.Random, low: int, high: int) -> int:
    corners = [low, high, *(number for number in CORNERS if low <= number <= high)]
    return draw.choice(corners) if draw.random() < 0.7 else draw.randint(low, high)


def random_case(seed: int) -> Case:
    """The case of a number."""
    draw = random.Random(seed)
    described = draw.random() < 0.4
    ints = (-5, 40) if draw.random() < 0.5 else (0, 1000)
    whole = (-(2**31), LARGEST)
    limits = {"n": (1, 2**31 - 64) if described else whole, "k": ints if described else whole}
    limits["m"], limits["x"] = whole, (ints if described else whole)
    array = Array(INT, 1)
    kinds: list[tuple[str, Type]] = [("x", array), ("y", array), ("n", INT), ("k", INT), ("m", INT)]
    integers = Recipe("integers", (ints[0], ints[1] + 1))
    parameters = {
        "x": Parameter("in", ("n",), integers),
        "y": Parameter("out", ("n",), None),
        "n": Parameter("in", (), Recipe("size", "n")),
        "k": Parameter("in", (), integers),
        "m": Parameter("in", (), integers),
    }
    inferred = frozenset({"m"} if described else parameters)
    launch = Launch({}, ("n",), parameters, inferred=inferred, inferred_dims=not described)
    body = _Programs(draw).program()
    return Case(Function("kernel", "kernel", "", kinds, None, body, True), launch, limits)


def _helper(name: str, arguments: list[Expression]) -> Call:
    return Call(INT, name, arguments, (name, (INT, INT)) if name == "floor_divide" else None)


class _Programs:
    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.names = ["i", "n", "k", "m"]
        self.loops = 0

    def program(self) -> list[Statement]:
        """A whole kernel: the thread's number, first values, statements."""
        first: list[Statement] = [Assign(Name(INT, name), "", self.leaf()) for name in VARIABLES]
        self.names += VARIABLES
        if self.draw.random() < 0.5:
            first.insert(0, If(self._compare(Name(INT, "i"), ">=", Name(INT, "n")), [Return([])], []))
        return [Threads(["i"]), *first, *self.block(2), self.store()]

    def block(self, depth: int, jumps: bool = False) -> list[Statement]:
        return [self.statement(depth, jumps) for _ in range(self.draw.randint(1, 4))]

    def statement(self, depth: int, jumps: bool) -> Statement:
        kind = self.draw.random()
        if depth and kind < 0.18:
            return self._for(depth)
        if depth and kind < 0.26:
            return self._digits(depth) if self.draw.random() < 0.4 else self._while(depth)
        if depth and kind < 0.45:
            otherwise = self.block(depth - 1, jumps) if self.draw.random() < 0.4 else []
            return If(self.test(), self.block(depth - 1, jumps), otherwise)
        if kind < 0.52:
            leave = Jump(self.draw.choice(("break", "continue"))) if jumps else Return([])
            return If(self.test(), [leave], [])
        if kind < 0.68:
            return self.store()
        target = Name(INT, self.draw.choice(VARIABLES))
        if self.draw.random() < 0.4:
            return Assign(target, self.draw.choice(("+", "+", "-", "*")), self.expression(1))
        return Assign(target, "", self.expression(3))

    def _while(self, depth: int) -> Statement:
        return While(self.test(), self.block(depth - 1, True))

    def _digits(self, depth: int) -> Statement:
        """A loop that counts how often a number can be divided."""
        number, count = self.draw.sample(VARIABLES, 2)
        less = Binary(INT, self.draw.choice(("/", ">>")), Name(INT, number), Literal(INT, 2))
        body = [Assign(Name(INT, count), "+", Literal(INT, 1)), Assign(Name(INT, number), "", less)]
        inner = self.block(depth - 1, True) if self.draw.random() < 0.5 else []
        test = self._compare(Name(INT, number), ">", Literal(INT, self.draw.choice((0, 0, 1, 7))))
        return While(test, [body[0], *inner, body[1]])

    def store(self) -> Statement:
        return Assign(self.element("y"), "", self.expression(2))

    def element(self, array: str) -> Element:
        return Element(INT, Name(Array(INT, 1), array), [self.expression(2)])

    def _for(self, depth: int) -> Statement:
        self.loops += 1
        name = f"j{self.loops}"
        self.names.append(name)
        body = self.block(depth - 1, True)
        self.names.remove(name)
        changed = changed_in_block(body)
        still = [Name(INT, one) for one in self.names if one not in changed]
        start: Expression = Literal(INT, 0) if self.draw.random() < 0.6 else self.draw.choice(still)
        stop: Expression = self.draw.choice([*still, Literal(INT, 5), Literal(INT, 100)])
        stride = self.draw.choice(still) if self.draw.random() < 0.1 else None
        step = 0 if stride is not None else self.draw.choice((1, 1, 1, 2, -1))
        if step < 0:
            start, stop = stop, start
        return For(INT, name, start, stop, step, body, stride)

    def leaf(self) -> Expression:
        if self.draw.random() < 0.35:
            return Literal(INT, self.draw.choice(NUMBERS))
        return Name(INT, self.draw.choice(self.names))

    def expression(self, depth: int) -> Expression:
        kind = self.draw.random()
        if depth == 0 or kind < 0.2:
            return self.leaf()
        if kind < 0.25:
            return self._rest(self.leaf(), Literal(INT, self.draw.choice((2, 7, 16))))
        if kind < 0.72:
            return self._binary(self.draw.choice(ARITHMETIC), depth - 1)
        if kind < 0.86:
            name = self.draw.choice(("min", "max", "max", "abs"))
            count = 1 if name == "abs" else 2
            return _helper(name, [self.expression(depth - 1) for _ in range(count)])
        if kind < 0.9:
            return Unary(INT, self.draw.choice("-~"), self.expression(depth - 1))
        if kind < 0.93:
            return Conditional(INT, self.test(), self.expression(depth - 1), self.expression(depth - 1))
        if kind < 0.96:
            return Cast(INT, Cast(Scalar(self.draw.choice(NARROW)), self.expression(depth - 1)))
        return self.element("x")

    def _binary(self, operator: str, depth: int) -> Expression:
        left = self.expression(depth)
        if operator in ("<<", ">>"):
            return Binary(INT, operator, left, Literal(INT, self.draw.choice((0, 1, 4, 16, 31))))
        right: Expression = self.expression(depth)
        if operator in ("%", "/", "//") and self.draw.random() < 0.7:
            right = Literal(INT, self.draw.choice((1, 2, 3, 7, 16, 1000)))
        if operator == "//":
            return _helper("floor_divide", [left, right])
        return Binary(INT, operator, left, right)

    @staticmethod
    def _rest(number: Expression, divisor: Expression) -> Expression:
        """What a division leaves, as one who has the quotient writes it."""
        quotient = Binary(INT, "/", number, divisor)
        return Binary(INT, "-", number, Binary(INT, "*", quotient, divisor))

    def test(self) -> Expression:
        kind = self.draw.random()
        if kind < 0.15:
            return Binary(BOOL, self.draw.choice(("&&", "||")), self.test(), self.test())
        if kind < 0.2:
            return Unary(BOOL, "!", self.test())
        left = self.leaf() if self.draw.random() < 0.6 else self.expression(2)
        right = self.leaf() if self.draw.random() < 0.8 else self.expression(1)
        test = self._compare(left, self.draw.choice(COMPARISONS), right)
        reads = any(isinstance(node, Element) for node in walk(test))
        test.in_range = test.operator == "<" and not reads and self.draw.random() < 0.3
        return test

    @staticmethod
    def _compare(left: Expression, operator: str, right: Expression) -> Binary:
        return Binary(BOOL, operator, left, right)
