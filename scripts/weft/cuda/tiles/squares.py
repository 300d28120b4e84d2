"""How the sums over k that a thread has lie in a tile.

A sum over k is a loop that adds products to an element: `sum = fmaf(a[row][k], b[k][column], sum)`. A thread
whose sums lie in several rows and several columns reads the fewest factors: 8 of them for 16 sums.
"""

from __future__ import annotations

import math

from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import Assign, Call, For, Function, Literal, Share, Statement
from weft.intrinsics import Effect

MOST_SUMS = 16
"""The most sums of one name that a thread has in registers."""

Square = tuple[int, int]
"""The rows and the columns in which a thread has elements of a tile, a block's threads apart."""


def squares(function: Function, block_dim: int) -> dict[tuple[int, ...], Square]:
    """The squares of the tiles of sums over k, by the shape of the tile, where they have several rows and
    columns. None where threads shuffle: they count on lanes that go along rows.
    """
    nodes = all_expressions(function.body)
    if any(isinstance(node, Call) and node.effect & Effect.COLLECTIVE for node in nodes):
        return {}
    shares = [one for one in statements(function.body) if isinstance(one, Share) and one.start is None]
    shapes = {one.shape for one in shares if any(map(adds_products, one.body)) and len(one.shape) == 2}
    found = {shape: square(shape, block_dim) for shape in shapes}
    return {shape: one for shape, one in found.items() if one is not None}


def square(shape: tuple[int, ...], block_dim: int) -> Square | None:
    """As many rows as columns, or twice as many; None where that leaves a rest, or only one column."""
    count, rest = divmod(math.prod(shape), block_dim)
    if rest or not 1 < count <= MOST_SUMS:
        return None
    columns = 1 << (math.isqrt(count).bit_length() - 1)
    rows = count // columns
    fits = rows * columns == count and shape[0] % rows == 0 and shape[1] % columns == 0
    return (rows, columns) if fits and columns > 1 else None


def adds_products(statement: Statement) -> bool:
    """Whether a statement is a loop that does no more than add to elements."""
    match statement:
        case For(start=Literal(), stop=Literal(), stride=None, body=body):
            return all(isinstance(one, Assign) and adds(one) for one in body)
        case _:
            return False


def adds(step: Assign) -> bool:
    """Whether an assignment adds something to what it assigns to."""
    match step:
        case Assign(operator="", value=Call(function="fmaf" | "fma", arguments=[_, _, total])):
            return total == step.target
        case _:
            return step.operator == "+"
