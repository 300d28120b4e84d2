"""Pass: the address mode of a texture clamps its coordinates, so the kernel need not.

Before: `image[min(max(i + di, 0), rows - 1), j]`, also where the index has a name that nothing else uses.
After: `image[i + di, j]`, for a texture object with cudaAddressModeClamp.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from weft.cuda import launch_assumptions
from weft.cuda.passes.memory import arrays_in
from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import (
    INT,
    Binary,
    Call,
    Declare,
    Element,
    Expression,
    Extent,
    Function,
    Literal,
    Name,
    Threads,
)
from weft.launch import Launch
from weft.sizes import Size
from weft.types import Array


def clamp_by_address_mode(kernel: Function, launch: Launch) -> set[str]:
    """Run the pass on a kernel. Returns the textures whose address mode clamps."""
    planes = {name for name, kind in kernel.parameters if isinstance(kind, Array) and kind.ndim == 2}
    textures = planes & arrays_in(launch, "texture")
    return _Clamps(kernel, launch).drop(textures) if textures else set()


class _Clamps:
    """The clamps of one kernel."""

    def __init__(self, kernel: Function, launch: Launch) -> None:
        self.launch = launch
        self.nodes = all_expressions(kernel.body)
        found = statements(kernel.body)
        self.threads = {name for one in found if isinstance(one, Threads) for name in one.names}
        self.named = {one.name: one for one in found if isinstance(one, Declare) and one.constant}

    def drop(self, textures: set[str]) -> set[str]:
        """Drop the clamps of coordinates. Returns the textures that had any."""
        clamped = set[str]()
        mentions = Counter(node.name for node in self.nodes if isinstance(node, Name))
        uses: dict[str, list[tuple[str, Size | None]]] = defaultdict(list)
        for node in self.nodes:
            if not (isinstance(node, Element) and isinstance(node.array, Name)):
                continue
            if (texture := node.array.name) not in textures:
                continue
            for axis, index in enumerate(node.indices):
                extent = launch_assumptions.extent_of(self.launch, texture, axis)
                if isinstance(index, Name):
                    uses[index.name].append((texture, extent))
                elif (free := self._without_clamp(index, extent)) is not index and not self._may_wrap(free):
                    node.indices[axis] = free
                    clamped.add(texture)
        for name, fetches in uses.items():
            (_, extent), *_ = fetches
            declaration = self.named.get(name)
            alone = len(fetches) == mentions[name] and all(other == extent for _, other in fetches)
            if alone and declaration is not None and declaration.value is not None:
                free = self._without_clamp(declaration.value, extent)
                if free is not declaration.value:
                    declaration.value = free
                    if isinstance(free, Name) and free.name in self.named:
                        self._rename(name, free.name)
                    clamped |= {texture for texture, _ in fetches}
        return clamped

    def _rename(self, name: str, other: str) -> None:
        """Use another name of the same number, so that nothing is left of this one."""
        for node in self.nodes:
            if isinstance(node, Name) and node.name == name:
                node.name = other

    def _may_wrap(self, index: Expression) -> bool:
        """Whether the sum of an index and a number may wrap around: in a fetch, it is a sum of floats."""
        match index:
            case Binary(operator="+" | "-", left=left, right=Literal()):
                return not (isinstance(left, Name) and left.name in self.threads)
            case _:
                return False

    def _without_clamp(self, index: Expression, extent: Size | None) -> Expression:
        """An index without comparisons with the first and the last place: a texture clamps at both."""
        match index:
            case Call(function="min" | "max" as function, arguments=[left, right]) if index.type == INT:
                for one, limit in ((left, right), (right, left)):
                    if self._is_end(limit, function, extent):
                        return self._without_clamp(one, extent)
        return index

    def _is_end(self, limit: Expression, function: str, extent: Size | None) -> bool:
        """Whether this is where a texture clamps coordinates that are too small, or too large."""
        match limit:
            case Literal(value=0):
                return function == "max"
            case Binary(operator="-", left=size, right=Literal(value=1)):
                return function == "min" and extent is not None and self._size(size) == extent
            case _:
                return False

    def _size(self, value: Expression) -> Size | None:
        """The described size that a value is."""
        match value:
            case Name(name=name) if name in self.named:
                held = self.named[name].value
                return self._size(held) if held is not None else None
            case Name(name=name) if name in self.launch.parameters:
                return self.launch.parameters[name].size
            case Extent(array=Name(name=name), axis=axis):
                return launch_assumptions.extent_of(self.launch, name, axis)
            case _:
                return None
