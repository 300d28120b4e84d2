"""Elements, their nodes, and fields at the nodes."""

from weft.kernels.builder import Builder
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.kernels.vocabulary import uniform
from weft.types import Vector


def own_nodes(k: Builder, count: int) -> list[Expr]:
    """The node numbers of this thread's element: rows of a table, a flat list, or a vector."""
    k.sizes["nodes"] = k.rng.pick("n + 2", "max(n // 2, 1)", "(n + 3) // 4 + 1")
    e = k.index[0]
    match k.rng.below(3) if count <= 4 else k.rng.below(2):
        case 0:
            table = k.array("connectivity", I32, ["n", str(count)], {"integers": [0, "nodes"]})
            return [k.let(f"n{at}", table[e, at]) for at in range(count)]
        case 1:
            flat = k.array("element_nodes", I32, [f"{count} * n"], {"integers": [0, "nodes"]})
            return [k.let(f"n{at}", flat[count * e + at] if at else flat[count * e]) for at in range(count)]
        case _:
            packed = k.array("elements", Vector(count, I32), ["n"], {"integers": [0, "nodes"]})
            nodes = k.let("element", packed[e])
            return [nodes[at] for at in range(count)]


def nodal_values(
    k: Builder, name: str, nodes: list[Expr], low: float = -1.0, high: float = 1.0
) -> list[Expr]:
    """A field at the nodes of the element."""
    handle = k.array(name, k.real, ["nodes"], uniform(low, high))
    return [k.let(f"{name[0]}{at}", handle[node]) for at, node in enumerate(nodes)]
