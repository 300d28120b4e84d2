"""Loops over the neighbours of an element of a line: lists with gaps or a length, and windows."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import construct
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.kernels.vocabulary import whole
from weft.types import Vector

Visit = Callable[[Expr, Expr], None]
"""Takes the neighbour's number and its place in the list."""


def each_neighbor(k: Builder, visit: Visit, *, alone: bool = False) -> int:
    """Visit the neighbours of this thread's element in one of the usual ways; gives their largest number.

    With `alone`, an element that meets itself is always skipped.
    """
    (i,) = k.index
    width = k.rng.pick(3, 4, 5, 6, 8)
    kind = k.rng.pick("gaps", "gaps", "counted", "full", "window", "flat")
    if kind == "flat" and i.interval.size != "n":
        kind = "gaps"
    skip = alone or k.rng.chance(0.25)
    if kind == "window":
        count = k.extent(0)
        first = k.rng.pick(1, 1, 2)
        with k.loop(k.rng.pick("step", "offset"), first, first + width) as step:
            j = k.let(k.rng.pick("j", "other"), (i + step) % count)
            if skip:
                with k.when(j.equals(i)):
                    k.jump("continue")
            visit(j, step - first if first else step)
        k.notes.append(f"The neighbours are the {width} elements from number i + {first} on, around the end")
        return width
    k.sizes["slots"] = str(width)
    stored = k.rng.pick("neighbors", "neighbor_list", "adjacency")
    recipe = {"integers": [-1 if kind in ("gaps", "flat") else 0, "n"]}
    if kind == "flat":
        lists = k.array(stored, I32, [f"{width} * n"], recipe)
        degree: Expr | int = width
    else:
        lists = k.array(stored, I32, ["n", "slots"], recipe)
        degree = width
        if kind == "counted":
            counts = k.array(k.rng.pick("degrees", "neighbor_counts"), I32, ["n"], whole(0, width))
            degree = counts[i] if k.rng.chance(0.5) else k.let("degree", counts[i])
    with k.loop(k.rng.pick("slot", "s", "m"), 0, degree) as slot:
        j = k.let(k.rng.pick("j", "other"), lists[width * i + slot] if kind == "flat" else lists[i, slot])
        missing = j < 0 if kind in ("gaps", "flat") else None
        if skip:
            own = j.equals(i)
            missing = own if missing is None else missing | own
        wrapped = missing is not None and not skip and k.rng.chance(0.5)
        if missing is not None and not wrapped:
            with k.when(missing):
                k.jump("continue")
        if wrapped:
            with k.when(j >= 0):
                visit(j, slot)
        else:
            visit(j, slot)
    if kind in ("gaps", "flat"):
        k.notes.append("A list has -1 where there is no neighbour")
    if skip:
        k.notes.append("No element is its own neighbour")
    return width


def space_of(k: Builder) -> Vector:
    """A plane or space."""
    return Vector(k.rng.pick(2, 3), k.real)


def zero(space: Vector) -> Expr:
    """The vector of zeros."""
    return construct(space, *[0.0] * space.length)


def along(space: Vector, axis: int, value: Expr | float) -> Expr:
    """A vector along one axis."""
    return construct(space, *(value if one == axis else 0.0 for one in range(space.length)))
