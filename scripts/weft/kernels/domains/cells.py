"""What the domains of cells share: differences of fields, and quantities that several of them have."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import whole
from weft.kernels.expressions import bounded, construct, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting
from weft.kernels.idioms.pairs import zero
from weft.kernels.neighbors import Field, around, component
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.types import Type, Vector

Dx = Annotated[Expr, Setting(0.1, 0.5)]
Dt = Annotated[Expr, Setting(0.001, 0.02)]
Small = Annotated[Expr, Setting(0.02, 0.3)]
Share = Annotated[Expr, Setting(0.1, 0.9)]
Factor = Annotated[Expr, Setting(0.5, 2.0)]


def flow(k: Builder) -> Type:
    """A vector along the axes of the grid; a number on a line."""
    rank = len(k.shape)
    return Vector(rank, k.real) if rank > 1 else k.real


temperature = Quantity("temperature", 0.0, 1.0)
velocity = Quantity("velocity", -1.0, 1.0, flow)
new_velocity = Quantity("new_velocity", -2.0, 2.0, flow, updates=velocity)
Temperature = Annotated[Expr, temperature]
Temperatures = Annotated[ArrayHandle, temperature]
Velocity = Annotated[Expr, velocity]
Velocities = Annotated[ArrayHandle, velocity]
NewVelocity = Annotated[Expr, new_velocity]

GRIDS = (2, 3)
"""Ranks of grids."""

POSITIVE = ("clamped", "periodic")
"""Boundaries of what is never zero."""


def along(k: Builder, value: Expr, axis: int) -> Expr:
    """The component of a vector along an axis of the grid."""
    return value[component(k, axis)] if isinstance(value.type, Vector) else value


def vector(k: Builder, parts: Iterable[Expr]) -> Expr:
    """The vector with these components along the axes of the grid; the number on a line."""
    by_component = sorted(enumerate(parts), key=lambda one: component(k, one[0]))
    values = [one for _, one in by_component]
    return construct(Vector(len(values), k.real), *values) if len(values) > 1 else values[0]


def square(value: Expr) -> Expr:
    """The square of a number, or of a vector's length."""
    if isinstance(value.type, Vector):
        return bounded(ops.dot(value, value), 0.0, 3.0 * value.interval.magnitude**2)
    return value * value


def total(values: Iterable[Expr]) -> Expr:
    """The sum of several values."""
    return functools.reduce(operator.add, values)


def axes(k: Builder) -> range:
    """The axes of the grid."""
    return range(len(k.shape))


def letter(k: Builder, axis: int) -> str:
    """The letter of an axis."""
    return "xyz"[component(k, axis)]


def centered(k: Builder, axis: int) -> Expr:
    """The cell's place along an axis, from -0.5 to 0.5; asked for again, the same."""

    def place() -> Expr:
        middle = convert(k.real, k.index[axis]) + 0.5
        share = bounded(middle / convert(k.real, k.extent(axis)) - 0.5, -0.5, 0.5)
        return k.let(f"offset_{letter(k, axis)}", share)

    return k.once(f"place along {axis} in {k.name}", place)


def from_middle(k: Builder) -> Expr:
    """The square of the cell's distance from the middle of the grid."""
    return total(square(centered(k, axis)) for axis in axes(k))


def beside(k: Builder, array: ArrayHandle) -> list[Expr]:
    """The values of the nearest neighbours along all axes."""
    near = around(k, array)
    return [one for axis in axes(k) for one in near.pair(axis)]


def slopes(k: Builder, array: ArrayHandle, dx: Expr) -> list[Expr]:
    """The central differences along all axes."""
    near = around(k, array)
    return [_over_two(k, after - before, dx) for before, after in (near.pair(axis) for axis in axes(k))]


def _over_two(k: Builder, rise: Expr, dx: Expr) -> Expr:
    """A rise over two cells; in several dimensions the division is made once."""
    if len(k.shape) == 1:
        return rise / (2.0 * dx)
    return rise * k.once(f"inverse of 2 dx in {k.name}", lambda: k.let("inv_2dx", 0.5 / dx))


def window(k: Builder, near: Field, reach: Expr | int, visit: Callable[[Expr, Expr, Expr], None]) -> None:
    """Visit the offsets of a square window and the values there.

    Where zeros count beyond the border, what is beyond is left out, which is the same to a visit that adds.
    """
    first, second = k.once("offsets", lambda: k.rng.pick(("a", "b"), ("dy", "dx"), ("r", "s")))
    with k.loop(first, -reach, reach + 1) as a, k.loop(second, -reach, reach + 1) as b:
        if near.boundary != "zero":
            visit(a, b, near.moved(a, b))
        else:
            row, col = (
                k.let(f"other_{name}", index + offset)
                for name, index, offset in zip(k.axes, k.index, (a, b), strict=True)
            )
            inside = (row >= 0) & (row < k.extent(0)) & (col >= 0) & (col < k.extent(1))
            with k.when(inside):
                visit(a, b, near.array[row, col])


def window_size(k: Builder, reach: Expr | int) -> Expr:
    """How many elements a square window has."""
    if isinstance(reach, int):
        return lift(float((2 * reach + 1) ** 2), k.real)
    width = k.once(f"window width in {k.name}", lambda: k.let("window_width", 2 * reach + 1))
    return convert(k.real, width * width)


def radius(k: Builder, things: str, *usual: int) -> Expr | int:
    """How far a window reaches: one of the usual numbers, or a parameter of the kernel, as a note says."""
    if k.once("radius is a parameter", lambda: k.rng.chance(0.4)):
        key = f"radius of {k.name}"
        k.notes.append(f"The window reaches `radius` {things} to each side")
        return k.once(key, lambda: k.scalar("radius", I32, whole(1, 3)))
    reach = k.rng.pick(*usual)
    k.notes.append(f"The window reaches {reach} {things if reach > 1 else things[:-1]} to each side")
    return reach


def derivative(k: Builder, near: Field, axis: int, part: int, dx: Expr) -> Expr:
    """The central difference of a component of a vector field along an axis."""
    before, after = near.pair(axis)
    if isinstance(before.type, Vector):
        before, after = before[part], after[part]
    return _over_two(k, after - before, dx)


def define(
    domain: Domain,
    name: str,
    doc: str,
    function: Callable[..., Expr],
    gives: Any,
    takes: Mapping[str, Any],
    *,
    ranks: tuple[int, ...] = (),
    goal: bool = True,
    source: str = "",
    teaches: tuple[str, ...] = (),
    law: str = "",
    undoes: tuple[str, ...] = (),
) -> None:
    """Add a formula of a table, with the annotations that it would have."""
    function.__name__, function.__doc__ = name, doc
    function.__annotations__ = {**takes, "return": gives}
    domain.formula(ranks=ranks, goal=goal, source=source, teaches=teaches, law=law, undoes=undoes)(function)


def second_order(k: Builder, array: ArrayHandle, own: Expr, dx: Expr) -> Expr:
    """The Laplacian by central differences."""
    return (total(beside(k, array)) - 2.0 * len(k.shape) * own) / (dx * dx)


def _fourth_order(k: Builder, array: ArrayHandle, own: Expr, dx: Expr) -> Expr:
    near = around(k, array)
    close = total(beside(k, array))
    far = total(near.beside(axis, offset) for axis in axes(k) for offset in (-2, 2))
    far = k.let("far", far)
    return (16.0 * close - far - 30.0 * len(k.shape) * own) / (12.0 * dx * dx)


def _nine_point(k: Builder, array: ArrayHandle, own: Expr, dx: Expr) -> Expr:
    near = around(k, array)
    sides = k.let("sides", total(beside(k, array)))
    corners = k.let("corners", total(near.at(a, b) for a in (-1, 1) for b in (-1, 1)))
    return (4.0 * sides + corners - 20.0 * own) / (6.0 * dx * dx)


def _window(k: Builder, array: ArrayHandle, own: Expr, dx: Expr) -> Expr:
    near = around(k, array, POSITIVE)
    mean = k.var("window_sum", zero(own.type) if isinstance(own.type, Vector) else 0.0)
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b:
        k.add(mean, near.moved(a, b))
    return 3.0 * (mean / 9.0 - own) / (dx * dx)


LAPLACIANS: tuple[tuple[str, str, Callable[..., Expr], tuple[int, ...]], ...] = (
    ("", "Laplacian of the {of} by central differences. Cells are dx apart.", second_order, ()),
    (
        "fourth_order_",
        "Laplacian of the {of} by fourth-order differences. Cells are dx apart.",
        _fourth_order,
        (),
    ),
    (
        "nine_point_",
        "Isotropic nine-point Laplacian of the {of}. Its leading error has no preferred direction.",
        _nine_point,
        (2,),
    ),
    (
        "mean_",
        "Laplacian of the {of} from the 3 x 3 window mean. It is 3 / dx^2 times mean minus center.",
        _window,
        (2,),
    ),
)


def laplacians(domain: Domain, *quantities: Quantity) -> dict[Quantity, Quantity]:
    """The Laplacian of each of these, with formulas for it in the usual schemes; only the first is a goal."""
    found = {
        one: Quantity(f"{one.name}_laplacian", -20.0, 20.0, one.kind, computed=True) for one in quantities
    }
    for of, result in found.items():
        for prefix, how, scheme, ranks in LAPLACIANS:
            define(
                domain,
                f"{prefix}{of.name}_laplacian",
                how.format(of=of.name),
                lambda k, dx, scheme=scheme, name=of.name, **fields: scheme(
                    k, fields[f"{name}s"], fields[name], dx
                ),
                Annotated[Expr, result],
                {of.name: Annotated[Expr, of], f"{of.name}s": Annotated[ArrayHandle, of], "dx": Dx},
                ranks=ranks,
                goal=of is quantities[0],
            )
    return found
