"""Pass: a thread's number in a launch of whole blocks, in CUDA's own words.

Before: `block * 256 + tid`, with variables for both places, and loops in steps of 256. After: `blockIdx.x *
blockDim.x + threadIdx.x`, steps of `blockDim.x`, and no variable that is read once or not at all.
"""

from __future__ import annotations

from weft.cuda.grid import Grid
from weft.cuda.passes.launch_place import number_along
from weft.cuda.traverse import all_expressions, rewrite_block, statements
from weft.cuda.tree import INT, Binary, Declare, Expression, For, Function, Literal, Name

_BLOCK, _THREAD = Name(INT, "blockIdx.x"), Name(INT, "threadIdx.x")


def count_threads(kernel: Function, grid: Grid) -> None:
    """Run the pass on a kernel of blocks of one dimension."""
    places = {
        one.value.name: one
        for one in kernel.body
        if isinstance(one, Declare) and one.constant and one.value in (_BLOCK, _THREAD)
    }
    if grid.dimensions > 1 or len(places) < 2:
        return
    block, thread = (places[variable.name].name for variable in (_BLOCK, _THREAD))
    for loop in statements(kernel.body):
        if isinstance(loop, For) and loop.start == Name(INT, thread) and loop.step == grid.block[0]:
            loop.step, loop.stride = 1, Name(INT, "blockDim.x")
    before = Binary(INT, "*", Name(INT, block), Literal(INT, grid.block[0]))
    number = Binary(INT, "+", before, Name(INT, thread))
    if number not in all_expressions(kernel.body):
        return
    rewrite_block(kernel.body, lambda node: number_along("x", "x") if node == number else node)
    for place in places.values():
        _read_directly(kernel, place)


def _read_directly(kernel: Function, place: Declare) -> None:
    """Do without a variable that is read once, or not at all."""
    names = [
        node for node in all_expressions(kernel.body) if isinstance(node, Name) and node.name == place.name
    ]
    if len(names) > 1:
        return

    def direct(node: Expression) -> Expression:
        return place.value if node in names and place.value is not None else node

    kernel.body[:] = [one for one in kernel.body if one is not place]
    rewrite_block(kernel.body, direct)
