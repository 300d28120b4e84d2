"""Random typed expressions, defined for every input.

Integers of 32 and 64 bits stay small because every result is taken modulo something, divisors and array
indices are in range, and only finite clamped floats become integers. Unsigned, 8- and 16-bit integers may
wrap.
"""

from __future__ import annotations

import dataclasses
from random import Random

FLOATS = ("f0", "f1", "f2")
INTEGERS = ("k0", "k1", "k2")
VECTORS = ("v0", "v1")
WIDE = ("w0", "w1")
MATRICES = ("m0", "m1")
UNSIGNED = ("u0", "u1")
LONG = ("l0", "l1")
HASHES = ("q0", "q1")
SHORT = ("s0", "s1")
HALVES = ("h0", "h1")
TRUTHS = ("g0", "g1")

BIG = ("0x9E3779B97F4A7C15", "18446744073709551615", "4294967296", "1", "0xFFFFFFFF00000000")


@dataclasses.dataclass
class Expressions:
    """Draws expressions as text."""

    random: Random

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def coin(self) -> bool:
        return self.random.random() < 0.5

    def floating(self, depth: int = 2) -> str:
        leaves = ("name", "literal", "component", "element", "member", "entry", "half")
        inner = ("binary", "function", "minmax", "choice", "where", "call", "found", "clamp", "reduced")
        kind = self.pick(*leaves, *(inner if depth else ()))
        match kind:
            case "name":
                return self.pick(*FLOATS)
            case "literal":
                return self.pick("0.5", "-1.25", "3.0", "0.1", "1e-3", "-0.0", "7.5", "STEP")
            case "component":
                return (
                    f"{self.pick(*VECTORS)}{self.pick('[0]', '[1]', '[2]', '[-1]', '[k2 % 3]', '.x', '.z')}"
                )
            case "element":
                return f"x[{self.index()}]"
            case "member":
                return self.pick("p0.mass", "p1.mass", "p0.where[1]", "p1.where.z", "own[i].mass")
            case "entry":
                return self.pick("m0[0, 2]", "m1[1, 1]", "m0[2][0]", "m1[k2 % 3, 1]", "grid[i, 1]", "row[2]")
            case "half":
                return f"float({self.pick(*HALVES)})"
            case "binary":
                operator = self.pick("+", "-", "*", "/", "%", "//")
                return f"({self.floating(depth - 1)} {operator} {self.floating(depth - 1)})"
            case "function":
                name = self.pick("sin", "cos", "exp", "floor", "round", "abs", "sign", "tanh", "frac", "rint",
                                 "sqrt", "trunc", "ceil", "step", "atan")  # fmt: skip
                return f"wp.{name}({self.floating(depth - 1)})"
            case "minmax":
                return f"wp.{self.pick('min', 'max')}({self.floating(depth - 1)}, {self.floating(depth - 1)})"
            case "choice":
                return (
                    f"({self.floating(depth - 1)} if {self.test(depth - 1)} else {self.floating(depth - 1)})"
                )
            case "where":
                test = self.test(depth - 1)
                return f"wp.where({test}, {self.floating(depth - 1)}, {self.floating(depth - 1)})"
            case "clamp":
                return f"wp.clamp({self.floating(depth - 1)}, -1.5, {self.floating(0)})"
            case "reduced":
                return self.pick(
                    "wp.dot(v0, v1)",
                    "wp.length(v1)",
                    "wp.determinant(m0)",
                    "wp.trace(m1)",
                    "wp.length_sq(v0)",
                )
            case "found":
                return f"found(row, {self.floating(depth - 1)})"
            case _:
                return self.pick(
                    f"blend({self.floating(depth - 1)}, {self.integer(depth - 1)})",
                    f"blend({self.floating(depth - 1)})",
                    f"weight(p1, {self.floating(depth - 1)})",
                )

    def integer(self, depth: int = 2) -> str:
        inner = ("binary", "shift", "divide", "negate", "from_float", "minmax", "choice", "invert")
        kind = self.pick("name", "literal", "element", "cast", "member", *(inner if depth else ()))
        match kind:
            case "name":
                return self.pick(*INTEGERS)
            case "literal":
                return str(self.number(-9, 40))
            case "element":
                return f"ints[{self.index()}]"
            case "member":
                return self.pick("(p0.hits % 50)", "(p1.hits % 50)", "(own[i].hits % 50)", "LIMIT",
                                 "len(row)", "grid.shape[1]", "int(Mode.FAST)")  # fmt: skip
            case "cast":
                return self.pick("int(u0 % wp.uint32(1009))", "int(u1 >> wp.uint32(22))", "int(s0)",
                                 "int(s1)", "int(l0 % wp.int64(1009))", "int(q0 >> wp.uint64(54))", "int(g0)",
                                 "int(q1 % wp.uint64(1009))")  # fmt: skip
            case "binary":
                operator = self.pick("+", "-", "*", "&", "|", "^")
                return f"(({self.integer(depth - 1)} {operator} {self.integer(depth - 1)}) % 1009)"
            case "shift":
                return f"(({self.integer(depth - 1)} {self.pick('>>', '<<')} {self.number(0, 5)}) % 4099)"
            case "divide":
                operator = self.pick("/", "//", "%")
                return f"({self.integer(depth - 1)} {operator} {self.pick('7', '-3', '(1 + (k2 & 7))')})"
            case "from_float":
                value = self.floating(depth - 1)
                return f"whole({value})"
            case "minmax":
                return f"wp.{self.pick('min', 'max')}({self.integer(depth - 1)}, {self.integer(depth - 1)})"
            case "choice":
                return f"({self.integer(depth - 1)} if {self.test(0)} else {self.integer(depth - 1)})"
            case "invert":
                return f"(~{self.integer(depth - 1)})"
            case _:
                return f"(-{self.integer(depth - 1)})"

    def wide(self, depth: int = 1) -> str:
        if not depth:
            return self.pick(*WIDE, "wp.float64(f0)", "wp.float64(k0)", "wp.float64(0.1)")
        return f"({self.wide(0)} {self.pick('+', '-', '*', '/')} {self.wide(depth - 1)})"

    def unsigned(self, depth: int = 1) -> str:
        if not depth:
            return self.pick(*UNSIGNED, "wp.uint32(k0)", "wp.uint32(ints[i])", "wp.uint32(4294967295)")
        one, other = self.unsigned(depth - 1), self.unsigned(0)
        return self.pick(
            f"({one} {self.pick('+', '-', '*', '&', '|', '^')} {other})",
            f"({one} {self.pick('<<', '>>')} wp.uint32({self.number(0, 31)}))",
            f"({one} {self.pick('/', '%')} ({other} | wp.uint32(1)))",
            f"(~{one})",
        )

    def hashed(self, depth: int = 1) -> str:
        if not depth:
            return self.pick(*HASHES, "wp.uint64(u0)", "wp.uint64(k1)", f"wp.uint64({self.pick(*BIG)})")
        one, other = self.hashed(depth - 1), self.hashed(0)
        return self.pick(
            f"({one} {self.pick('+', '-', '*', '&', '|', '^')} {other})",
            f"({one} {self.pick('<<', '>>')} wp.uint64({self.number(0, 63)}))",
            f"({one} {self.pick('/', '%')} ({other} | wp.uint64(1)))",
        )

    def long(self, depth: int = 1) -> str:
        if not depth:
            return self.pick(*LONG, "wp.int64(k0)", "wp.int64(-5000000000)", "wp.int64(ints[i])")
        return self.pick(
            f"(({self.long(depth - 1)} {self.pick('+', '-')} {self.long(0)}) % wp.int64(1000003000037))",
            f"(({self.long(depth - 1)} * wp.int64({self.integer(0)})) % wp.int64(1000003000037))",
            f"({self.long(depth - 1)} {self.pick('/', '//', '%')} wp.int64({self.pick('7', '-3', '65537')}))",
            f"({self.long(depth - 1)} >> wp.int64({self.number(0, 63)}))",
            f"wp.int64({self.integer(0)} {self.pick('<', '==')} {self.integer(0)})",
        )

    def short(self, depth: int = 1) -> str:
        if not depth:
            return self.pick(*SHORT, "wp.int16(k0)", "wp.int16(wp.int8(ints[i]))", "wp.int16(wp.uint8(k1))")
        operator = self.pick("+", "-", "*", "&", "|", "^")
        return self.pick(f"({self.short(depth - 1)} {operator} {self.short(0)})", f"(-{self.short(0)})")

    def half(self, depth: int = 1) -> str:
        if not depth:
            return self.pick(*HALVES, "wp.float16(f0)", "wp.float16(x[i])", "wp.float16(0.1)")
        return f"({self.half(depth - 1)} {self.pick('+', '-', '*', '/')} {self.half(0)})"

    def vector(self, depth: int = 1) -> str:
        inner = (
            "sum",
            "scaled",
            "cross",
            "made",
            "normalized",
            "turned",
            "moved",
            "choice",
            "negated",
            "mul",
        )
        kind = self.pick("name", "element", "member", "row", *(inner if depth else ()))
        match kind:
            case "name":
                return self.pick(*VECTORS)
            case "element":
                return f"points[{self.index()}]"
            case "member":
                return self.pick("p0.where", "p1.where", "own[i].where")
            case "row":
                return self.pick("m0[1]", "m1[k2 % 3]", "wp.transpose(m0)[2]")
            case "sum":
                return f"({self.vector(depth - 1)} {self.pick('+', '-')} {self.vector(depth - 1)})"
            case "scaled":
                return self.pick(
                    f"({self.floating(0)} * {self.vector(depth - 1)})",
                    f"({self.vector(depth - 1)} * {self.floating(0)})",
                    f"({self.vector(depth - 1)} / {self.floating(0)})",
                )
            case "cross":
                return f"wp.cross({self.vector(depth - 1)}, {self.vector(depth - 1)})"
            case "made":
                return f"wp.vec3({self.floating(1)}, {self.floating(0)}, {self.floating(0)})"
            case "turned":
                turn = f"wp.quat_from_axis_angle(wp.normalize({self.vector(0)}), {self.floating(0)})"
                return f"wp.{self.pick('quat_rotate', 'quat_rotate_inv')}({turn}, {self.vector(0)})"
            case "moved":
                return self.pick(f"({self.matrix(0)} * {self.vector(0)})", f"({self.vector(0)} * m1)")
            case "choice":
                return f"({self.vector(0)} if {self.test(0)} else {self.vector(0)})"
            case "negated":
                return f"(-{self.vector(depth - 1)})"
            case "mul":
                return f"wp.{self.pick('cw_mul', 'cw_div', 'min', 'max')}({self.vector(0)}, {self.vector(0)})"
            case _:
                return f"wp.normalize({self.vector(depth - 1)})"

    def matrix(self, depth: int = 1) -> str:
        if not depth:
            return self.pick(*MATRICES, "wp.transpose(m0)", "wp.outer(v0, v1)", "wp.diag(v1)", "wp.skew(v0)")
        return self.pick(
            f"({self.matrix(depth - 1)} {self.pick('+', '-', '*', '@')} {self.matrix(0)})",
            f"({self.floating(0)} * {self.matrix(depth - 1)})",
            f"wp.matrix_from_rows({self.vector(0)}, {self.vector(0)}, {self.vector(0)})",
        )

    def index(self) -> str:
        """In range for arrays of at least one element: from the end, or the thread's own."""
        return self.pick("i", "-1 - i", "i - (k2 & 0)", "(i + 3) % x.shape[0]")

    def test(self, depth: int = 1) -> str:
        operator = self.pick("<", "<=", ">", ">=", "==", "!=")
        kinds = ("floats", "integers", "unsigned", "long", "hashes", "truth", "halves")
        kind = self.pick(*kinds, *(("and", "or", "not") if depth else ()))
        match kind:
            case "floats":
                return f"{self.floating(1)} {operator} {self.floating(1)}"
            case "integers":
                return f"{self.integer(1)} {operator} {self.integer(1)}"
            case "unsigned":
                return f"{self.unsigned(0)} {operator} {self.unsigned()}"
            case "long":
                return f"{self.long(0)} {operator} {self.long(0)}"
            case "hashes":
                return f"{self.hashed(0)} {operator} {self.hashed(0)}"
            case "halves":
                return f"{self.half(0)} {operator} {self.half(0)}"
            case "truth":
                return self.pick(*TRUTHS, "p0.alive", "bool(k0)")
            case "not":
                return f"not ({self.test(depth - 1)})"
            case _:
                return f"({self.test(depth - 1)}) {kind} ({self.test(depth - 1)})"
