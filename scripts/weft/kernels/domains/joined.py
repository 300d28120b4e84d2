"""What the elements of a mesh find at the nodes that they join, through lists of the nodes' numbers."""

from __future__ import annotations

import dataclasses

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.composition import array_name
from weft.kernels.formulas import Quantity, Scatter
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.types import Vector

EQUAL = Scatter(
    "Each of the nodes gets an equal share of the {words} by an atomic addition",
    lambda k, value, count: [k.let("share", value / float(count))] * count,
)
"""Masses, volumes and loads."""


@dataclasses.dataclass(frozen=True, eq=False)
class Joins:
    """The nodes that an element joins, by the names of their numbers, which lie in an array of `lists`.

    A `simplex` has one node more than the kernel's plane or space has dimensions.
    """

    lists: str
    names: tuple[str, ...]
    simplex: bool = False

    def count(self, k: Builder) -> int:
        """How many nodes each element joins."""
        return k.dimension + 1 if self.simplex else len(self.names)

    def __call__(self, k: Builder) -> tuple[list[Expr], str]:
        """The numbers of the nodes of the thread's element, and the size of arrays over all nodes."""
        return [self.number(k, slot) for slot in range(self.count(k))], node_count(k)

    def number(self, k: Builder, slot: int) -> Expr:
        """The number of one of the nodes: from a row, a vector, or a flat list; asked for again, the same."""
        (i,) = k.index
        count, recipe = self.count(k), {"integers": [0, node_count(k)]}
        layout = k.once("layout of nodes", lambda: k.rng.pick("rows", "rows", "flat", "vectors"))

        def read() -> Expr:
            if layout == "rows":
                return k.input(self.lists, I32, ["n", str(count)], recipe)[i, slot]
            if layout == "flat":
                places = k.input(self.lists, I32, [f"{count} * n"], recipe)
                return places[count * i + slot if slot else count * i]
            label = self.lists.rpartition("_")[2]
            packed = k.input(self.lists, Vector(count, I32), ["n"], recipe)
            return k.once(f"{label} in {k.name}", lambda: k.let(label, packed[i]))[slot]

        return k.once(f"node {slot} in {k.name}", lambda: k.let(self.names[slot], read()))


def node_count(k: Builder) -> str:
    """The size of arrays over all nodes of the mesh, which are not as many as its elements."""
    k.sizes["node_count"] = k.once("node count", lambda: k.rng.pick("n // 2 + 2", "n + 1"))
    return "node_count"


def nodal(k: Builder, of: Quantity) -> ArrayHandle:
    """The array of a quantity over all nodes."""
    return k.input(array_name(of.name, of), of.kind(k), [node_count(k)], uniform(of.low, of.high))


def at_node(name: str, slot: int, of: Quantity, joins: Joins) -> Quantity:
    """The value of a nodal quantity at one of the nodes that the thread's element joins."""
    return Quantity(name, of.low, of.high, of.kind, load=lambda k, _: read(k, name, slot, of, joins))


def read(k: Builder, name: str, slot: int, of: Quantity, joins: Joins) -> Expr:
    """The value at one of the nodes, under a name; asked for again, the same."""
    key = f"{name} of a node in {k.name}"
    return k.once(key, lambda: k.let(name, nodal(k, of)[joins.number(k, slot)]))
