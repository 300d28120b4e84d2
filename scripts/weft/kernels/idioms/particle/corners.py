"""Corners of shapes in a mesh: read one by one, through indices, or out of a table with a row for each."""

from weft.kernels.builder import Builder
from weft.kernels.program import Expr
from weft.kernels.types import I32, VEC3
from weft.kernels.vocabulary import uniform

LETTERS = "abcdef"


def corner(k: Builder, count: int, *, shared: bool) -> list[Expr]:
    """As many points of this thread's, each under a name; call it after `threads`.

    `shared` allows two of them to be the same point.
    """
    (i,) = k.index
    match k.rng.pick("arrays", "table", *(["indices"] * shared)):
        case "indices":
            points = k.array(k.rng.pick("points", "vertices"), VEC3, ["n"], uniform(-1.0, 1.0))
            corners = k.array("corners", I32, [i.interval.size or "n", str(count)], {"integers": [0, "n"]})
            return [k.let(LETTERS[at], points[corners[i, at]]) for at in range(count)]
        case "table":
            table = k.array("corner_points", VEC3, [i.interval.size or "n", str(count)], uniform(-1.0, 1.0))
            return [k.let(LETTERS[at], table[i, at]) for at in range(count)]
        case _:
            names = [f"points_{LETTERS[at]}" for at in range(count)]
            return [
                k.let(LETTERS[at], k.array(name, VEC3, k.shape, uniform(-1.0, 1.0))[k.index])
                for at, name in enumerate(names)
            ]
