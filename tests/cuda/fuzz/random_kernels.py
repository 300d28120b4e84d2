"""Random kernels as Python text: typed expressions and nested statements, defined for every input.

Whatever a kernel computes, NaN and infinity included, Warp and its translation must agree on it to the bit.
Threads write elements of their own, and to shared ones only integers by atomics that take any order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from random import Random

from random_expressions import (
    FLOATS,
    HALVES,
    HASHES,
    INTEGERS,
    LONG,
    MATRICES,
    SHORT,
    TRUTHS,
    UNSIGNED,
    VECTORS,
    WIDE,
    Expressions,
)

_MODULE = """\
import enum

import warp as wp

STEP = wp.constant(0.125)
LIMIT = 11


class Mode(enum.IntEnum):
    SLOW = 1
    FAST = 5


@wp.struct
class Particle:
    mass: float
    where: wp.vec3
    hits: int
    alive: bool


@wp.func
def blend(a: float, k: int = 3):
    if k > 2:
        return a * 0.5
    return a - float(k)


@wp.func
def whole(a: float):
    return int(wp.clamp(a, -100.0, 100.0)) if wp.isfinite(a) else 0


@wp.func
def found(row: wp.array(dtype=float), limit: float):
    for j in range(row.shape[0]):
        if row[j] > limit:
            return row[j] - float(j)
    return limit


@wp.func
def weight(p: Particle, by: float):
    q = p
    q.mass = q.mass * by
    q.where[0] = p.mass
    return q.mass + p.where[0] - q.where[0]


@wp.func
def split(a: float, k: int):
    while k > 4:
        k = k // 2
        if a > 1.0:
            return a, k
        a = a + 0.25
    return -a, k + 1


@wp.func
def nudged(p: Particle, v: wp.vec3):
    p.where = p.where + v
    p.hits = (p.hits + 1) % 99
    return p
"""

_HEAD = """\
@wp.kernel
def {name}(
    x: wp.array(dtype=float),
    ints: wp.array(dtype=int),
    points: wp.array(dtype=wp.vec3),
    own: wp.array(dtype=Particle),
    grid: wp.array2d(dtype=float),
    sums: wp.array(dtype=int),
    out: wp.array(dtype=float),
    counts: wp.array(dtype=int),
    moved: wp.array(dtype=wp.vec3),
    wides: wp.array(dtype=wp.float64),
    hashes: wp.array(dtype=wp.uint64),
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
    u0 = wp.uint32(ints[i])
    u1 = wp.uint32(i + 7)
    l0 = wp.int64(ints[i]) * wp.int64(3000000000)
    l1 = wp.int64(i)
    q0 = wp.uint64(ints[i])
    q1 = wp.uint64(i) * wp.uint64(0x9E3779B97F4A7C15)
    s0 = wp.int16(ints[i])
    s1 = wp.int16(i & 255)
    h0 = wp.float16(x[i])
    h1 = wp.float16(i)
    g0 = x[i] > 0.25
    g1 = k0 % 3 == 1
    m0 = wp.outer(v0, v1)
    m1 = wp.mat33(1.0, f0, 0.0, f0, 2.0, 0.5, -1.0, 0.0, f0)
    p0 = own[i]
    p1 = own[i]
    row = grid[i]
    counts[i] = k0
"""
_TAIL = """\
    out[i] = f0 + f1 * f2 + float(w0 + w1) + p1.mass + float(h0) + (m0 * m1)[1, 2]
    counts[i] = k0 + 3 * k1 - k2 + int(s0) + int(g0) + 2 * int(g1) + ints[i] + p0.hits
    moved[i] = v0 + v1 + p0.where + x[i] * points[i]
    wides[i] = w0 + wp.float64(l0) + wp.float64(l1 + wp.int64(u0 ^ u1)) + wp.float64(h1) + wp.float64(s1)
    hashes[i] = q0 ^ (q1 + wp.uint64(l0))
"""


_STORES = {
    "float": (FLOATS, "floating"),
    "integer": (INTEGERS, "integer"),
    "vector": (VECTORS, "vector"),
    "wide": (WIDE, "wide"),
    "matrix": (MATRICES, "matrix"),
    "unsigned": (UNSIGNED, "unsigned"),
    "long": (LONG, "long"),
    "hash": (HASHES, "hashed"),
    "short": (SHORT, "short"),
    "half": (HALVES, "half"),
    "truth": (TRUTHS, "test"),
}
"""Variables of each type, and the method that draws what is assigned to them."""

_PLACES = ("component", "entry", "swizzle", "member", "element", "augmented", "shared")
_REST = ("swap", "copy", "temporary", "several")


@dataclasses.dataclass
class _Writer(Expressions):
    """Draws one kernel. `loops` counts the loops around the statement, `left` the statements to come.

    `simple` are the kinds of statements that this kernel has: few, so that they meet.
    """

    loops: int = 0
    left: int = 14
    temporaries: int = 0
    simple: tuple[str, ...] = ()

    def block(self, indent: int, count: int) -> list[str]:
        return [line for _ in range(count) for line in self.statement(indent)]

    def statement(self, indent: int) -> list[str]:
        self.left -= 1
        pad = "    " * indent
        nested = ("if", "range", "while") if self.left > 0 and indent < 4 else ()
        leave = ("leave",) if self.loops and indent < 5 else ()
        kind = self.pick(*self.simple, *nested, *leave)
        match kind:
            case "if":
                return self._if(indent)
            case "range":
                return self._range(indent)
            case "while":
                return self._while(indent)
            case "leave":
                return [f"{pad}if {self.test(0)}:", f"{pad}    {self.pick('break', 'continue', 'return')}"]
        lines = self._place(kind) if kind in _PLACES else self._assignment(kind)
        return [f"{pad}{line}" for line in lines]

    def _assignment(self, kind: str) -> list[str]:
        if kind in _STORES:
            names, method = _STORES[kind]
            return [f"{self.pick(*names)} = {getattr(self, method)()}"]
        match kind:
            case "swap" if not self.loops:
                names = self.random.choice([FLOATS, INTEGERS, VECTORS, UNSIGNED])
                first, second = self.random.sample(names, 2)
                return [f"{first}, {second} = {second}, {first}"]
            case "copy":
                return [self.pick("p1 = p0", "p0 = p1", "p0 = own[i]", "v1 = v0", "m0 = m1", "row = grid[i]",
                                  "p0 = nudged(p1, v0)", "v0 = points[i]", "p1.where = v0")]  # fmt: skip
            case "several":
                return [
                    f"{self.pick(*FLOATS)}, {self.pick(*INTEGERS)} = split({self.floating(1)}, {self.integer(1)})"
                ]
        self.temporaries += 1
        name = f"t{self.temporaries}"
        return [f"{name} = {self.floating()}", f"{self.pick(*FLOATS)} = {name} - {name} * 0.5"]

    def _place(self, kind: str) -> list[str]:
        """A store into a part of something."""
        value = self.floating(1)
        match kind:
            case "component":
                return [
                    f"{self.pick(*VECTORS)}[{self.pick('0', '1', '2', 'k2 % 3')}] {self.pick('=', '+=')} {value}"
                ]
            case "entry":
                return [
                    self.pick(
                        f"{self.pick(*MATRICES)}[{self.pick('0, 2', '1, 1', 'k2 % 3, 0')}] = {value}",
                        f"{self.pick(*MATRICES)}[1] = {self.vector()}",
                    )
                ]
            case "swizzle":
                return [
                    self.pick(
                           "v0[0:2] = v0[1:3]",
                        f"v0.y = {value}", f"v1.z -= {value}",
                    )
                ]  # fmt: skip
            case "member":
                return [
                    self.pick(
                        f"p0.mass = {value}", f"p1.mass = {value}", f"p0.where[1] = {value}", f"p1.where = {self.vector()}",
                        f"p1.hits = {self.integer(1)}", f"p0.where.x = {value}", f"p0.alive = {self.test(0)}",
                    )
                ]  # fmt: skip
            case "element":
                return [
                    self.pick(
                        f"grid[i, 1] = {value}", f"row[k2 & 3] = {value}", f"own[i].mass = {value}",
                        f"own[i].where[2] = {value}", "own[i] = p1", f"grid[i][2] = {value}", f"row[0] += {value}",
                    )
                ]  # fmt: skip
            case "shared":
                name, place = self.pick("add 0", "add 1", "max 2", "min 3").split()
                if name == "add" and self.coin():
                    return [f"sums[{place}] {self.pick('+=', '-=')} {self.integer(1)}"]
                return [f"wp.atomic_{name}(sums, {place}, {self.integer(1)})"]
        return [
            self.pick(
                f"{self.pick(*FLOATS)} {self.pick('+=', '-=', '*=', '/=')} {value}",
                f"{self.pick(*VECTORS)} {self.pick('+=', '-=')} {self.vector()}",
                f"{self.pick(*MATRICES)} += {self.matrix(0)}",
                f"{self.pick(*UNSIGNED)} {self.pick('+=', '*=', '^=', '|=')} {self.unsigned()}",
                f"{self.pick(*HASHES)} {self.pick('+=', '*=', '^=')} {self.hashed()}",
            )
        ]

    def _if(self, indent: int) -> list[str]:
        pad = "    " * indent
        lines = [f"{pad}if {self.test()}:", *self.block(indent + 1, self.number(1, 2))]
        if self.coin():
            lines += [f"{pad}elif {self.test(0)}:", *self.block(indent + 1, 1)]
        if self.coin():
            lines += [f"{pad}else:", *self.block(indent + 1, self.number(1, 2))]
        return lines

    def _range(self, indent: int) -> list[str]:
        pad = "    " * indent
        self.temporaries += 1
        name = self.pick(f"j{self.temporaries}", f"j{self.temporaries}", "j")
        bounds = self.pick("4", "2, 5", "5, 0, -2", "20")
        runs = bounds
        if self.coin():
            bounds = self.pick("k2 % 5", "1, 1 + (k2 & 3)", "k2 % 7, 0, -2", "0, row.shape[0], 1 + (k2 & 1)")
            runs = ""
        self.loops += 1
        body = self.block(indent + 1, self.number(1, 2))
        self.loops -= 1
        lines = [f"{pad}for {name} in range({bounds}):", *body, f"{pad}    k1 = (k1 + {name}) % 1009"]
        if runs and self.coin():
            lines += [f"{pad}k1 = (k1 - {name}) % 1009"]
        return lines

    def _while(self, indent: int) -> list[str]:
        pad = "    " * indent
        self.temporaries += 1
        name = f"n{self.temporaries}"
        self.loops += 1
        body = self.block(indent + 1, self.number(1, 2))
        self.loops -= 1
        test = f"{name} > 0 and ({self.test(0)})" if self.coin() else f"{name} > 0"
        return [
            f"{pad}{name} = int({self.number(1, 6)})",
            f"{pad}while {test}:",
            f"{pad}    {name} -= 1",
            *body,
        ]


def kernel_text(random: Random, name: str) -> str:
    """The text of one kernel."""
    every = (*_STORES, *_PLACES, *_REST)
    writer = _Writer(random, simple=tuple(random.sample(every, random.randint(4, 8))))
    return _HEAD.format(name=name) + "\n".join(writer.block(1, writer.number(3, 6))) + "\n" + _TAIL


def module_text(random: Random, names: Sequence[str]) -> str:
    """A module of kernels of these names, the same for the same numbers."""
    return "\n\n".join([_MODULE, *(kernel_text(random, name) for name in names)]) + _launches(names)


def _launches(names: Iterable[str]) -> str:
    particle = {
        "mass": {"uniform": [0.5, 2.0]},
        "where": {"uniform": [-1.0, 1.0]},
        "hits": {"integers": [-5, 60]},
        "alive": {"integers": [0, 2]},
    }
    values = {
        "x": {"shape": ["n"], "values": {"uniform": [-2.0, 2.0]}},
        "ints": {"shape": ["n"], "values": {"integers": [-20, 200]}},
        "points": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        "own": {"role": "inout", "shape": ["n"], "values": {"members": particle}},
        "grid": {"role": "inout", "shape": ["n", 4], "values": {"uniform": [-1.0, 1.0]}},
        "sums": {"role": "inout", "shape": [4], "values": {"constant": 0}},
        **{name: {"role": "out", "shape": ["n"]} for name in ("out", "counts", "moved", "wides", "hashes")},
    }
    table = {name: {"dims": ["n"], "parameters": values} for name in names}
    return f"\n\nLAUNCH = {table!r}\n"
