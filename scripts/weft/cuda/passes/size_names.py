"""Pass: a size that its description fixes is a constant with a name.

Before: such an extent is a number. After: it is `NUM_BINS`, a constant beside the kernel's, unless something
else has that name, or loops and tiles of the same extent are numbers still.
"""

from __future__ import annotations

from collections.abc import Collection

from weft.cuda.contents import contents
from weft.cuda.traverse import rewrite_block, statements
from weft.cuda.tree import INT, Expression, For, Function, Literal, Name, Shared


def name_sizes(
    functions: Collection[Function], constants: dict[str, Literal], block: Collection[int]
) -> dict[str, str]:
    """Run the pass on all functions of a program of blocks with so many threads along each axis. Adds to its
    `constants`, and returns the name of the constant that each size has.
    """
    everything = [one for function in functions for one in statements(function.body)]
    shared = [one for one in everything if isinstance(one, Shared)]
    numbers: set[object] = {extent for one in shared if not one.extents for extent in one.shape}
    numbers |= {*block} if numbers else set()
    stops = [one.stop for one in everything if isinstance(one, For)]
    numbers |= {one.value for one in stops if isinstance(one, Literal) and not one.size}
    taken = set(constants).union(*(contents(function).taken for function in functions))
    found: dict[str, str] = {}

    def named(size: str, value: int) -> str:
        name = size.upper()
        if size not in found and name not in taken and value not in numbers:
            found[size] = name
            taken.add(name)
            constants[name] = Literal(INT, value)
        return found.get(size, "")

    def change(node: Expression) -> Expression:
        if isinstance(node, Literal) and node.size and isinstance(node.value, int):
            name = named(node.size, node.value)
            return Name(INT, name) if name else node
        return node

    for function in functions:
        rewrite_block(function.body, change)
    return found
