"""Lines that a thread goes along: how they lie in memory, what it reads and stores there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform, whole
from weft.kernels.expressions import bounded, convert, lift
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32
from weft.kernels.words import plural
from weft.types import Scalar

MOST = 1e6
"""What no state of a recurrence exceeds."""
LAYOUTS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str]] = {
    "columns": (("cols",), ("col",), ("j", "col"), "each column"),
    "series": (("num_series",), ("s",), ("j", "s"), "each series"),
    "channels": (("channels",), ("c",), ("j", "c"), "each channel"),
    "batches": (("batch", "channels"), ("b", "c"), ("b", "j", "c"), "each channel of each batch"),
}
"""By layout: the sizes of the launch, the thread's indices, the order of all indices, what a line is.

The last index is a thread's: neighbours in a warp read neighbours in memory.
"""
LIKELY = {"columns": 3.0, "series": 2.0, "channels": 3.0, "batches": 2.0}
"""How likely a layout is."""
EXTENTS = {
    "cols": ("(n + 31) // 32", "min(n // 2 + 9, 300)"),
    "num_series": ("(n + 31) // 32", "min(n, 400)"),
    "channels": ("(n + 63) // 64", "min(n, 130)"),
    "batch": ("2", "4", "8"),
}


@dataclasses.dataclass(slots=True, eq=False)
class Line:
    """The line of a thread."""

    k: Builder
    told: str
    order: tuple[str, ...]
    index: dict[str, Expr]
    shape: tuple[str, ...]
    limits: dict[str, tuple[float, float]] = dataclasses.field(default_factory=dict)

    def place(self, j: Expr | int) -> tuple[Expr | int, ...]:
        """Where an element of the line lies."""
        return tuple(j if axis == "j" else self.index[axis] for axis in self.order)

    def series(self, name: str, low: float, high: float) -> Callable[[Expr | int], Expr]:
        """An array of numbers, of which the line has some."""
        array = self.k.array(name, self.k.real, self.shape, uniform(low, high))
        return lambda j: array[self.place(j)]

    def wholes(self, name: str, low: int, high: int) -> Callable[[Expr | int], Expr]:
        """An array of ints, of which the line has some."""
        array = self.k.array(name, I32, self.shape, whole(low, high))
        return lambda j: array[self.place(j)]

    def own(self, name: str, low: float, high: float) -> Expr:
        """A number that the whole line has, such as where it begins."""
        shape = [size for axis, size in zip(self.order, self.shape, strict=True) if axis != "j"]
        array = self.k.array(plural(name), self.k.real, shape, uniform(low, high))
        return self.k.let(name, array[tuple(self.index[axis] for axis in self.order if axis != "j")])

    def state(self, name: str, start: Expr | float, low: float = -MOST, high: float = MOST) -> Name:
        """What is carried from element to element, always in [low, high]."""
        self.limits[name] = low, high
        return self.k.var(name, start, bounds=(low, high))

    def count(self, name: str, start: int = 0, low: int = 0, high: int = 100_000) -> Name:
        """A whole number that is carried."""
        self.limits[name] = low, high
        return self.k.var(name, start, type=I32, bounds=(low, high))

    def set(self, state: Name, value: Expr | float) -> Name:
        """The state after this element."""
        if isinstance(value, Expr):
            interval = Interval(*self.limits[state.name], value.interval.integral)
            value = dataclasses.replace(value, interval=interval)
        self.k.set(state, value)
        return state

    def add(self, state: Name, value: Expr | float, sign: str = "+") -> Name:
        """The state, with something added, or taken away if `sign` says so."""
        if isinstance(value, float) and value < 0.0:
            value, sign = -value, "-"
        term = lift(value, state.type)
        self.k.add(state, dataclasses.replace(term, interval=Interval(0, 0, True)), sign)
        return state

    def setting(self, name: str, low: float, high: float) -> Expr:
        """A number that shapes the recurrence."""
        return coefficient(self.k, name, low, high, kinds="p")

    def seen(self, j: Expr) -> Expr:
        """How many elements there are up to this one, as a float."""
        return bounded(convert(self.k.real, j + 1), 1.0, 128.0)


Step = Callable[[Expr], "Expr | None"]
Recurrence = Callable[[Line], tuple[str, Step]]
"""Sets up what is carried, and gives the output's name and what happens at an element."""


def line(k: Builder) -> Line:
    """A thread for each line, in one of the usual layouts."""
    sizes, names, order, told = LAYOUTS[k.rng.weighted(LIKELY)]
    for size in sizes:
        k.sizes[size] = k.rng.pick(*EXTENTS[size])
    index = dict(zip(names, k.threads(sizes, names), strict=True))
    k.sizes["length"] = str(k.rng.pick(12, 16, 24, 32, 48, 64))
    axes = dict(zip(names, sizes, strict=True)) | {"j": "length"}
    return Line(k, told, order, index, tuple(axes[axis] for axis in order))


def extent(k: Builder) -> Expr:
    """The length of a line, a parameter: a kernel works on lines of any length."""
    return k.size("length", "length")


def output(of: Line, name: str, kind: Scalar) -> ArrayHandle:
    """An array for what is stored of each element."""
    return of.k.array(name if name not in of.k.names else f"out_{name}", kind, of.shape, None, "out")


def scan(name: str, doc: str, write: Recurrence, *, backward: bool = False) -> Callable[[Builder], None]:
    """The idiom of a recurrence: every thread goes along a line, and stores what it has at each element."""

    def idiom(k: Builder) -> None:
        of = line(k)
        k.name, k.in_struct = name, False
        k.other_names = [f"{name}_kernel", f"{name}_along_{of.told.split()[1]}s", f"scan_{name}"]
        out_name, step = write(of)
        stop = extent(k)
        out: ArrayHandle | None = None
        with k.loop("t" if backward else "j", 0, stop) as t:
            j: Expr = t
            if backward:
                j = k.let("j", stop - 1 - t)
                j.interval = dataclasses.replace(t.interval)
            value = step(j)
            if value is not None:
                out = output(of, out_name, value.type)  # type: ignore[arg-type]
                k.store(out, of.place(j), value)
        k.doc = doc.format(of.told)

    idiom.__name__, idiom.__module__ = name, write.__module__
    return idiom
