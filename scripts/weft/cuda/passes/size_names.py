"""Pass: a size that its description fixes is a constant with a name.

Before: such an extent is a number. After: it is `NUM_BINS`, a constant beside the kernel's, after the name in
the description, or in the source (`width = x.shape[1]`), or else of the axis; unless something else has that
name, or the same number is there for another reason.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.contents import contents
from weft.cuda.passes.extent_parameters import axis_names
from weft.cuda.passes.unused import drop_statement
from weft.cuda.traverse import all_expressions, rewrite_block, statements, walk
from weft.cuda.tree import INT, Binary, Declare, Expression, For, Function, Literal, Name, Shared, Statement
from weft.launch import Launch
from weft.types import Array

_SMALL = 5
"""Below it, a number is as clear as the name of an axis."""


def name_sizes(
    functions: Sequence[Function], constants: dict[str, Literal], block: Collection[int], launch: Launch
) -> dict[str, str]:
    """Run the pass on all functions of a program of blocks with so many threads along each axis, the kernel
    last. Adds to its `constants`, and returns the name of the constant that each size has.
    """
    everything = [one for function in functions for one in statements(function.body)]
    shared = [one for one in everything if isinstance(one, Shared)]
    for function in functions:
        _size_loops(statements(function.body))
    names = _Names(functions, launch)
    numbers: set[object] = {extent for one in shared if not one.extents for extent in one.shape}
    numbers |= {*block} if numbers else set()
    stops = [one.stop for one in everything if isinstance(one, For)]
    numbers |= {one.value for one in stops if isinstance(one, Literal) and not one.size}
    taken = set(constants).union(*(contents(function).taken for function in functions))
    found: dict[str, str] = {}
    described: set[str] = set()

    def named(one: Literal, value: int) -> str:
        size = names.of(one)
        name = size.upper()
        plain = names.numbers if names.is_axis(one) else numbers
        if size and size not in found and name not in taken and value not in plain:
            found[size] = name
            if not names.is_axis(one):
                described.add(size)
            taken.add(name)
            constants[name] = Literal(INT, value)
        return found.get(size, "")

    def change(node: Expression) -> Expression:
        if isinstance(node, Literal) and node.size and isinstance(node.value, int):
            name = named(node, node.value)
            return Name(INT, name) if name else node
        return node

    for function in functions:
        rewrite_block(function.body, change)
        _drop_copies(function.body, names.own, found)
    fixed = {size: name for size, name in found.items() if size in described}
    for value, several in names.by_value.items():
        if len(several) == 1 and several[0] in found:
            fixed[str(value)] = found[several[0]]
    return fixed


class _Names:
    """What extents that are numbers are called: those that nobody described by a name are told apart by their
    axis and their number. `own` are names of the source, `numbers` those that are no extents.
    """

    def __init__(self, functions: Sequence[Function], launch: Launch) -> None:
        self.launch = launch
        self.kernel = functions[-1]
        literals = [
            one
            for function in functions
            for one in all_expressions(function.body)
            if isinstance(one, Literal) and one.type == INT
        ]
        self.numbers = {one.value for one in literals if not one.size}
        self.first: dict[tuple[str, object], str] = {}
        for one in literals:
            if self.is_axis(one):
                array, _, axis = one.size.partition(".")
                self.first.setdefault((axis, one.value), array)
        self.own: dict[str, tuple[str, object]] = {}
        copied: dict[tuple[str, object], str] = {}
        for statement in self.kernel.body:
            if isinstance(statement, Declare) and statement.constant and isinstance(statement.value, Literal):
                key = self._key(statement.value)
                if self.is_axis(statement.value) and key not in copied:
                    copied[key] = statement.name
                    self.own[statement.name] = key
        self.names = {key: copied.get(key) or self._after_axis(*key) for key in self.first}
        self.by_value: dict[object, list[str]] = {}
        for (_, value), name in self.names.items():
            self.by_value.setdefault(value, []).append(name)

    def is_axis(self, one: Literal) -> bool:
        """Whether the size has no name but that of an axis of an array."""
        return "." in one.size

    def of(self, one: Literal) -> str:
        """The name of a size."""
        return self.names[self._key(one)] if self.is_axis(one) else one.size

    def _key(self, one: Literal) -> tuple[str, object]:
        return one.size.rpartition(".")[2], one.value

    def _after_axis(self, axis: str, value: object) -> str:
        if not isinstance(value, int) or value < _SMALL:
            return ""
        if axis == "count":
            return f"num_{self.first[axis, value]}"
        extents = {
            str(launch_assumptions.extent_of(self.launch, name, axis_names(kind.ndim).index(axis)))
            for name, kind in self.kernel.parameters
            if isinstance(kind, Array) and axis in axis_names(kind.ndim)
        }
        return axis if extents == {str(value)} else f"{self.first[axis, value]}_{axis}"


def _size_loops(found: Sequence[Statement]) -> None:
    """Let loops over a whole axis, whose end is a number, have the size of the axis."""
    sized = {one.value: one.size for root in found for one in _sizes(root)}
    multiples: dict[str, set[object]] = {
        one.name: {part.value for part in _sizes(one)} for one in found if isinstance(one, Declare)
    }
    for loop in found:
        if isinstance(loop, For) and isinstance(loop.stop, Literal) and loop.stop.value in sized:
            value = loop.stop.value
            if loop.start == Literal(INT, 0) and not loop.stop.size and _follows(loop, value, multiples):
                loop.stop = Literal(INT, value, size=sized[value])


def _follows(loop: For, value: object, multiples: Mapping[str, set[object]]) -> bool:
    """Whether the loop's variable is added to multiples of a size."""
    for node in all_expressions(loop.body):
        if isinstance(node, Binary) and node.operator == "+" and isinstance(node.right, Name):
            parts = walk(node.left)
            if node.right.name == loop.name and any(
                (isinstance(one, Literal) and one.size and one.value == value)
                or (isinstance(one, Name) and value in multiples.get(one.name, ()))
                for one in parts
            ):
                return True
    return False


def _sizes(statement: Statement) -> Iterator[Literal]:
    for one in all_expressions([statement]):
        if isinstance(one, Literal) and one.size and isinstance(one.value, int):
            yield one


def _drop_copies(block: list[Statement], own: Collection[str], found: Mapping[str, str]) -> None:
    """Drop the source's names of sizes that are constants now."""
    for position, statement in reversed(list(enumerate(block))):
        if isinstance(statement, Declare) and statement.name in own and statement.name in found:
            drop_statement(block, position)
            rewrite_block(block, functools.partial(_replaced, statement.name, found[statement.name]))


def _replaced(name: str, by: str, node: Expression) -> Expression:
    return Name(INT, by) if isinstance(node, Name) and node.name == name else node
