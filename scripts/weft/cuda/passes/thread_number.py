"""Pass: a thread's number in a launch of whole blocks, in CUDA's own words.

Before: `block * 256 + tid`, with variables for both places, and loops in steps of 256. After: `blockIdx.x *
blockDim.x + threadIdx.x`, steps of `blockDim.x`, and no variable that is read once or not at all; the last
thread is `blockDim.x - 1`, and a block's part of an array begins at `blockIdx.x * blockDim.x`. Rows that
happen to be as long as a block are still rows: `row * 256 + tid` stays.
"""

from __future__ import annotations

from weft.cuda.grid import Grid
from weft.cuda.passes.launch_place import number_along
from weft.cuda.traverse import all_expressions, clone, is_name, rewrite_block, statements, walk
from weft.cuda.tree import BOOL, INT, Binary, Call, Declare, Expression, For, Function, Literal, Name, Pointee

_BLOCK, _THREAD, _SIZE = (Name(INT, name) for name in ("blockIdx.x", "threadIdx.x", "blockDim.x"))


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
    last = Binary(BOOL, "==", Name(INT, thread), Literal(INT, grid.block[0] - 1))
    own_part = Binary(INT, "*", _BLOCK, _SIZE)

    def in_offset(node: Expression) -> Expression:
        if isinstance(node, Binary) and node.operator in ("+", "-"):
            node.left, node.right = in_offset(node.left), in_offset(node.right)
        return clone(own_part) if node == before and not _counts_rows(node) else node

    def change(node: Expression) -> Expression:
        if node == number and not _counts_rows(node):
            return number_along("x", "x")
        if node == last:
            return Binary(BOOL, "==", clone(_THREAD), Binary(INT, "-", _SIZE, Literal(INT, 1)))
        if isinstance(node, Pointee) and all(_only_counts(part) for part in walk(node.offset)):
            node.offset = in_offset(node.offset)
        return node

    mentions = all_expressions(kernel.body)
    if all(one not in mentions for one in (number, last, before)):
        return
    rewrite_block(kernel.body, change)
    for place in places.values():
        _read_directly(kernel, place)


def _counts_rows(node: Expression) -> bool:
    """Whether a block's place is multiplied by the extent of an array."""
    return any(isinstance(part, Literal) and "." in part.size for part in walk(node))


def _only_counts(part: Expression) -> bool:
    """Whether an offset that has such a part is the same without a sign."""
    match part:
        case Name() | Literal() | Call(function="size_t"):
            return True
        case Binary(operator=operator):
            return operator in ("+", "-", "*")
        case _:
            return False


def _read_directly(kernel: Function, place: Declare) -> None:
    """Do without a variable that is read once, or not at all."""
    names = [node for node in all_expressions(kernel.body) if is_name(node, place.name)]
    if len(names) > 1:
        return

    def direct(node: Expression) -> Expression:
        return place.value if node in names and place.value is not None else node

    kernel.body[:] = [one for one in kernel.body if one is not place]
    rewrite_block(kernel.body, direct)
