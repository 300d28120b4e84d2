"""Random kernels as Python text: typed expressions and nested statements, defined for every input.

Integers stay small because every result is masked, divisors and array indices are in range, and no float
becomes an integer. So whatever a kernel computes, NaN and infinity included, Warp and its translation must agree
on it to the bit.
"""

from __future__ import annotations

import dataclasses

from hypothesis import strategies as st

_FLOATS = ("f0", "f1", "f2")
_INTEGERS = ("k0", "k1", "k2")
_VECTORS = ("v0", "v1")
_WIDE = ("w0", "w1")

_HEAD = """\
@wp.kernel
def kernel_{number}(
    x: wp.array(dtype=float),
    ints: wp.array(dtype=int),
    points: wp.array(dtype=wp.vec3),
    out: wp.array(dtype=float),
    counts: wp.array(dtype=int),
    moved: wp.array(dtype=wp.vec3),
):
    i = wp.tid()
    f0 = float(x[i])
    f1 = float(0.5)
    f2 = x[-1 - i]
    k0 = int(ints[i])
    k1 = int(3)
    k2 = i & 63
    w0 = wp.float64(x[i])
    w1 = wp.float64(0.25)
    v0 = points[i]
    v1 = wp.vec3(1.0, f0, -2.0)
"""
_TAIL = """\
    out[i] = f0 + f1 * f2 + float(w0 + w1)
    counts[i] = k0 + 3 * k1 - k2
    moved[i] = v0 + v1
"""


@dataclasses.dataclass
class _Writer:
    """Draws one kernel. `loops` counts the loops around the statement, `left` the statements to come."""

    draw: st.DrawFn
    loops: int = 0
    left: int = 14
    temporaries: int = 0

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def floating(self, depth: int = 2) -> str:
        leaves = ("name", "literal", "component", "element")
        kind = self.pick(*leaves, *(("binary", "function", "minmax", "choice", "call") if depth else ()))
        match kind:
            case "name":
                return self.pick(*_FLOATS)
            case "literal":
                return self.pick("0.5", "-1.25", "3.0", "0.1", "1e-3", "-0.0", "7.5")
            case "component":
                return f"{self.pick(*_VECTORS)}[{self.pick('0', '1', '2', '-1', 'k2 % 3')}]"
            case "element":
                return f"x[{self.index()}]"
            case "binary":
                operator = self.pick("+", "-", "*", "/", "%", "//")
                return f"({self.floating(depth - 1)} {operator} {self.floating(depth - 1)})"
            case "function":
                name = self.pick("sin", "cos", "exp", "floor", "round", "abs", "sign", "tanh", "frac", "rint")
                return f"wp.{name}({self.floating(depth - 1)})"
            case "minmax":
                return f"wp.{self.pick('min', 'max')}({self.floating(depth - 1)}, {self.floating(depth - 1)})"
            case "choice":
                return (
                    f"({self.floating(depth - 1)} if {self.test(depth - 1)} else {self.floating(depth - 1)})"
                )
            case _:
                return f"blend({self.floating(depth - 1)}, {self.integer(depth - 1)})"

    def integer(self, depth: int = 2) -> str:
        kind = self.pick(
            "name", "literal", "element", *(("binary", "shift", "divide", "negate") if depth else ())
        )
        match kind:
            case "name":
                return self.pick(*_INTEGERS)
            case "literal":
                return str(self.number(-9, 40))
            case "element":
                return f"ints[{self.index()}]"
            case "binary":
                operator = self.pick("+", "-", "*", "&", "|", "^")
                return f"(({self.integer(depth - 1)} {operator} {self.integer(depth - 1)}) % 1009)"
            case "shift":
                return f"(({self.integer(depth - 1)} {self.pick('>>', '<<')} {self.number(0, 5)}) % 4099)"
            case "divide":
                operator = self.pick("/", "//", "%")
                return f"({self.integer(depth - 1)} {operator} {self.pick('7', '-3', '(1 + (k2 & 7))')})"
            case _:
                return f"(-{self.integer(depth - 1)})"

    def wide(self, depth: int = 1) -> str:
        if not depth:
            return self.pick(*_WIDE, "wp.float64(f0)", "wp.float64(k0)")
        return f"({self.wide(0)} {self.pick('+', '-', '*')} {self.wide(depth - 1)})"

    def vector(self, depth: int = 1) -> str:
        kind = self.pick(
            "name", "element", *(("sum", "scaled", "cross", "made", "normalized") if depth else ())
        )
        match kind:
            case "name":
                return self.pick(*_VECTORS)
            case "element":
                return f"points[{self.index()}]"
            case "sum":
                return f"({self.vector(depth - 1)} {self.pick('+', '-')} {self.vector(depth - 1)})"
            case "scaled":
                return f"({self.floating(0)} * {self.vector(depth - 1)})"
            case "cross":
                return f"wp.cross({self.vector(depth - 1)}, {self.vector(depth - 1)})"
            case "made":
                return f"wp.vec3({self.floating(1)}, {self.floating(0)}, {self.floating(0)})"
            case _:
                return f"wp.normalize({self.vector(depth - 1)})"

    def index(self) -> str:
        """In range for arrays of at least one element: from the end, or the thread's own."""
        return self.pick("i", "-1 - i", "i - (k2 & 0)")

    def test(self, depth: int = 1) -> str:
        operator = self.pick("<", "<=", ">", ">=", "==", "!=")
        kind = self.pick("floats", "integers", *(("and", "or", "not") if depth else ()))
        match kind:
            case "floats":
                return f"{self.floating(1)} {operator} {self.floating(1)}"
            case "integers":
                return f"{self.integer(1)} {operator} {self.integer(1)}"
            case "not":
                return f"not ({self.test(depth - 1)})"
            case _:
                return f"({self.test(depth - 1)}) {kind} ({self.test(depth - 1)})"

    def block(self, indent: int, count: int) -> list[str]:
        return [line for _ in range(count) for line in self.statement(indent)]

    def statement(self, indent: int) -> list[str]:
        self.left -= 1
        pad = "    " * indent
        simple = ("float", "integer", "vector", "wide", "component", "augmented", "swap", "temporary")
        nested = ("if", "range", "while") if self.left > 0 and indent < 4 else ()
        leave = ("leave",) if self.loops and indent < 5 else ()
        match self.pick(*simple, *nested, *leave):
            case "float":
                return [f"{pad}{self.pick(*_FLOATS)} = {self.floating()}"]
            case "integer":
                return [f"{pad}{self.pick(*_INTEGERS)} = {self.integer()}"]
            case "vector":
                return [f"{pad}{self.pick(*_VECTORS)} = {self.vector()}"]
            case "wide":
                return [f"{pad}{self.pick(*_WIDE)} = {self.wide()}"]
            case "component":
                return [f"{pad}{self.pick(*_VECTORS)}[{self.pick('0', '1', '2')}] = {self.floating(1)}"]
            case "augmented":
                return [f"{pad}{self.pick(*_FLOATS)} {self.pick('+=', '-=', '*=')} {self.floating(1)}"]
            case "swap" if not self.loops:
                first, second = self.draw(st.permutations(_FLOATS))[:2]
                return [f"{pad}{first}, {second} = {second}, {first}"]
            case "swap" | "temporary":
                self.temporaries += 1
                name = f"t{self.temporaries}"
                return [
                    f"{pad}{name} = {self.floating()}",
                    f"{pad}{self.pick(*_FLOATS)} = {name} - {name} * 0.5",
                ]
            case "if":
                return self._if(indent)
            case "range":
                return self._range(indent)
            case "while":
                return self._while(indent)
            case _:
                return [f"{pad}if {self.test(0)}:", f"{pad}    {self.pick('break', 'continue')}"]

    def _if(self, indent: int) -> list[str]:
        pad = "    " * indent
        lines = [f"{pad}if {self.test()}:", *self.block(indent + 1, self.number(1, 2))]
        if self.draw(st.booleans()):
            lines += [f"{pad}elif {self.test(0)}:", *self.block(indent + 1, 1)]
        if self.draw(st.booleans()):
            lines += [f"{pad}else:", *self.block(indent + 1, self.number(1, 2))]
        return lines

    def _range(self, indent: int) -> list[str]:
        pad = "    " * indent
        self.temporaries += 1
        name = f"j{self.temporaries}"
        bounds = self.pick("4", "2, 5", "5, 0, -2", "k2 % 5", "1, 1 + (k2 & 3)", "20")
        self.loops += 1
        body = self.block(indent + 1, self.number(1, 2))
        self.loops -= 1
        return [f"{pad}for {name} in range({bounds}):", *body, f"{pad}    k1 = (k1 + {name}) % 1009"]

    def _while(self, indent: int) -> list[str]:
        pad = "    " * indent
        self.temporaries += 1
        name = f"n{self.temporaries}"
        self.loops += 1
        body = self.block(indent + 1, self.number(1, 2))
        self.loops -= 1
        test = f"{name} > 0 and ({self.test(0)})" if self.draw(st.booleans()) else f"{name} > 0"
        return [
            f"{pad}{name} = int({self.number(1, 6)})",
            f"{pad}while {test}:",
            f"{pad}    {name} -= 1",
            *body,
        ]


@st.composite
def kernels(draw: st.DrawFn, number: int) -> str:
    """The text of one kernel."""
    writer = _Writer(draw)
    return _HEAD.format(number=number) + "\n".join(writer.block(1, writer.number(3, 6))) + "\n" + _TAIL


@st.composite
def modules(draw: st.DrawFn, count: int) -> str:
    """A module of `count` kernels."""
    head = "import warp as wp\n\n\n@wp.func\ndef blend(a: float, k: int):\n"
    head += "    if k > 2:\n        return a * 0.5\n    return a - float(k)\n"
    return "\n\n".join([head, *(draw(kernels(number)) for number in range(count))]) + _launches(count)


def _launches(count: int) -> str:
    values = {
        "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
        "ints": {"shape": ["n"], "values": {"integers": [-20, 200]}},
        "points": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        "out": {"role": "out", "shape": ["n"]},
        "counts": {"role": "out", "shape": ["n"]},
        "moved": {"role": "out", "shape": ["n"]},
    }
    table = {f"kernel_{number}": {"dims": ["n"], "parameters": values} for number in range(count)}
    return f"\n\nLAUNCH = {table!r}\n"
