"""Pass: extents have the names that the source has for them.

Before: `const int nx = nx_count;`, where `nx_count` is an extent parameter, and extents of arrays, tiles and
blocks that are numbers. After: the parameter is `nx`, and numbers are constants beside the kernel's. These
are called after a variable of the source, the description, or the constant that the shape of a tile names;
else after the axis (`NUM_BINS`), after what a product does with it (`TILE_M`, `TILE_N`, `TILE_K`), or just
`TILE` or `BLOCK`. What is there for another reason, or whose name something else has, stays a number.
"""

from __future__ import annotations

import ast
import dataclasses
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from weft.cuda import launch_assumptions
from weft.cuda.contents import contents
from weft.cuda.grid import WARP, ExtentNames, Grid
from weft.cuda.passes.block_bins import NUM_BINS
from weft.cuda.passes.extent_parameters import ExtentParameter, axis_names
from weft.cuda.passes.offsets import plus
from weft.cuda.passes.unused import drop_statement
from weft.cuda.sizes import canonical_size
from weft.cuda.tiles.arguments import bound
from weft.cuda.traverse import all_expressions, clone, names_of, rewrite_block, statements, valued, walk
from weft.cuda.tree import (
    INT,
    Binary,
    Call,
    Cast,
    Component,
    Declare,
    Expression,
    For,
    Function,
    Literal,
    Name,
    Registers,
    Shared,
    Statement,
)
from weft.function_source import FunctionSource
from weft.launch import Launch
from weft.subscript_indices import items_of
from weft.types import Array, Tile

_SMALL = 5
"""Below it, a number is as clear as the name of an axis, unless a loop goes over the axis."""

_HALO = 8
"""The most cells that a tile has beside those of the block's threads."""

_STEP = 8
"""The least step of a loop that is worth the name of an extent."""


def share_extents(functions: Sequence[Function], extents: Mapping[str, list[ExtentParameter]]) -> None:
    """Let functions, of which callees come before callers, have no extent parameter for what another of their
    parameters, or one number, is in all calls.
    """
    for function in functions[-2::-1]:
        own, number = extents[function.key], len(function.parameters)
        calls = [
            node
            for one in functions
            for node in all_expressions(one.body)
            if isinstance(node, Call) and node.user == function.key
        ]
        fixed = {name for name, kind in function.parameters if kind == INT} - contents(function).assigned
        holders = [(at, name, -1) for at, (name, _) in enumerate(function.parameters) if name in fixed]
        shared: dict[str, Expression] = {}
        for extent in list(own):
            given = [call.arguments[number] for call in calls]
            numbers = any(isinstance(one, Literal) for one in given)
            same: list[Expression] = [
                Name(INT, name)
                for at, name, axis in holders
                if given == [call.arguments[at] for call in calls] and (not numbers or axis == extent.number)
            ]
            if numbers and all(one == given[0] for one in given):
                same = given
            if not calls or not same:
                holders.append((number, extent.name, extent.number))
                number += 1
                continue
            shared[extent.name] = same[0]
            own.remove(extent)
            for call in calls:
                del call.arguments[number]
        _use(function, shared)


def use_own_names(function: Function, source: FunctionSource, extents: Sequence[ExtentParameter]) -> None:
    """Let a function have no copies of its extent parameters: those of which the source has one are called as
    it calls that.
    """
    own = source.names
    by_name = {one.name: one for one in extents}
    chosen: dict[str, str] = {}
    copies = _copies(function, by_name)
    for name, extent in reversed(copies.items()):
        if name in own and extent not in chosen:
            by_name[extent].name = chosen[extent] = name
    names = {name: chosen.get(extent, extent) for name, extent in copies.items()} | chosen
    _use(function, {name: Name(INT, other) for name, other in names.items()})


def _copies(function: Function, extents: Collection[str]) -> dict[str, str]:
    """The variables that are copies of extents, and of which ones."""
    often = Counter(one.name for one in contents(function).statements if isinstance(one, Declare))
    found: dict[str, str] = {}
    for statement in function.body:
        match statement:
            case Declare(type=kind, name=name, value=Name(name=extent), constant=True, trailing="") if (
                kind == INT and often[name] == 1 and extent in extents
            ):
                found[name] = extent
    return found


def _use(function: Function, values: Mapping[str, Expression]) -> None:
    """Use other names, or numbers, in place of some names, which are declared no more."""
    for position, statement in reversed(list(enumerate(function.body))):
        if isinstance(statement, Declare) and statement.name in values:
            drop_statement(function.body, position)
    if values:
        rewrite_block(function.body, lambda node: valued(node, values))


def name_sizes(
    functions: Sequence[Function], constants: dict[str, Literal], block: Collection[int], launch: Launch
) -> dict[str, str]:
    """Name the sizes that are fixed in all functions of a program of blocks with so many threads along each
    axis, the kernel last. Adds to its `constants`, and returns the name of the constant that each size has.
    """
    everything = [one for function in functions for one in statements(function.body)]
    shared = [one for one in everything if isinstance(one, Shared)]
    for function in functions:
        _size_loops(statements(function.body))
    names = _Names(functions, launch)
    own = _equal_constants(constants, names) | _bounding_constants(everything, constants, names)
    numbers: set[object] = {extent for one in shared if not one.extents for extent in one.shape}
    numbers |= {*block} if numbers else set()
    stops = [one.stop for one in everything if isinstance(one, For)]
    numbers |= {one.value for one in stops if isinstance(one, Literal) and not one.size}
    taken = set(constants).union(*(contents(function).taken for function in functions))
    found: dict[str, str] = {}
    described: set[str] = set()

    def named(one: Literal, value: int) -> str:
        if (key := names.key(one)) in own:
            return own[key]
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
        copies = _copies(function, {*found.values()})
        _use(function, {name: Name(INT, other) for name, other in copies.items()})
    fixed = {size: name for size, name in found.items() if size in described}
    # A launch dimension may be the same number.
    by_number = {str(canonical_size(size, launch.sizes)): name for size, name in fixed.items()}
    fixed |= {str(dim): by_number[str(dim)] for dim in launch.dims if str(dim) in by_number}
    for value, several in names.by_value.items():
        if len(several) == 1 and several[0] in found:
            fixed[str(value)] = found[several[0]]
    by_value = {str(constants[name].value): name for name in own.values()}
    fixed |= {
        value: name for value, name in by_value.items() if len(names.by_value.get(int(value), [name])) == 1
    }
    return _spanning_constants(everything, constants, launch) | fixed


def _spanning_constants(
    found: Sequence[Statement], constants: Mapping[str, Literal], launch: Launch
) -> dict[str, str]:
    """The constant up to which a loop goes, for the extents of arrays that have its number and no other's."""
    values = Counter(one.value for one in constants.values())
    extents = {canonical_size(size, launch.sizes) for one in launch.parameters.values() for size in one.shape}
    stops = [one.stop.name for one in found if isinstance(one, For) and isinstance(one.stop, Name)]
    return {
        str(value): name
        for name in stops
        if name in constants and values[value := constants[name].value] == 1 and value in extents
    }


class _Names:
    """What extents that are numbers are called: those that nobody described by a name are told apart by their
    axis and their number. `numbers` are no extents.
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
        stops = [
            one.stop
            for function in functions
            for one in statements(function.body)
            if isinstance(one, For) and isinstance(one.stop, Literal) and one.stop.size
        ]
        self.stops = {self.key(one) for one in stops}
        self.bins = {
            self.key(one) for one in literals if one.size == NUM_BINS and NUM_BINS not in launch.sizes
        }
        self.first: dict[tuple[str, object], str] = {}
        for one in literals:
            if self.is_axis(one):
                array, _, axis = one.size.partition(".")
                self.first.setdefault((axis, one.value), array)
        copied = {
            self.key(one.value): one.name
            for one in self.kernel.body[::-1]
            if isinstance(one, Declare) and one.constant and isinstance(one.value, Literal)
        }
        self.names = {key: copied.get(key) or self._after_axis(*key) for key in self.first}
        self.by_value: dict[object, list[str]] = {}
        for (_, value), name in self.names.items():
            self.by_value.setdefault(value, []).append(name)

    def is_axis(self, one: Literal) -> bool:
        """Whether the size has no name but that of an axis of an array."""
        return "." in one.size

    def of(self, one: Literal) -> str:
        """The name of a size."""
        return self.names[self.key(one)] if self.is_axis(one) else one.size

    def key(self, one: Literal) -> tuple[str, object]:
        """What tells extents apart: the axis, or a size's name, and the number."""
        return one.size.rpartition(".")[2], one.value

    def _after_axis(self, axis: str, value: object) -> str:
        if not isinstance(value, int) or (value < _SMALL and (axis, value) not in self.stops):
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
            whole = loop.start == Literal(INT, 0) or (isinstance(loop.start, Name) and loop.step == WARP)
            if whole and not loop.stop.size and _follows(loop, value, multiples):
                loop.stop = Literal(INT, value, size=sized[value])


def _equal_constants(constants: Mapping[str, Literal], names: _Names) -> dict[tuple[str, object], str]:
    """The user's one constant for each number that is an extent of an array: descriptions write as numbers
    what follows from the constants of a kernel.
    """
    by_value: dict[object, list[str]] = {}
    for name, one in constants.items():
        if one.type == INT and isinstance(one.value, int) and one.value >= _SMALL:
            by_value.setdefault(one.value, []).append(name)
    return {
        key: several[0]
        for key in (*names.first, *sorted(names.bins, key=str))
        if len(several := by_value.get(key[1], [])) == 1
    }


def _bounding_constants(
    found: Sequence[Statement], constants: Mapping[str, Literal], names: _Names
) -> dict[tuple[str, object], str]:
    """The user's constant for each extent of an array that a loop up to the constant goes over."""
    bounds: dict[tuple[str, object], str] = {}
    starts = {one.name: one.value for one in found if isinstance(one, Declare)}
    for loop in found:
        match loop:
            case For(start=Literal(value=0), stop=Name(name=stop)) if stop in constants:
                for node in all_expressions(loop.body):
                    match node:
                        case Binary(operator="+", left=left, right=Name(name=name)) if name == loop.name:
                            start = starts.get(left.name) if isinstance(left, Name) else left
                        case _:
                            continue
                    match start:
                        case Binary(operator="*", right=Literal(size=str(size), value=value) as one) if (
                            size and value == constants[stop].value
                        ):
                            bounds[names.key(one)] = stop
    return bounds


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


def name_tiles(
    kernel: Function,
    source: FunctionSource,
    constants: dict[str, Literal],
    grid: Grid,
    sizes: Collection[str] = (),
) -> ExtentNames:
    """Name the extents of tiles and of blocks in a kernel of blocks of its own, and add to its `constants`;
    `sizes` are extents that are parameters of it, beside those that Warp has.
    """
    namer = _Namer(kernel, list(_extents(source)), grid.block[: grid.dimensions], constants, {*sizes})
    found = statements(kernel.body)
    for one in found:
        if isinstance(one, Shared):
            namer.declare(one)
    for one in found:
        if isinstance(one, For):
            namer.loop(one)
    rewrite_block(kernel.body, namer.changed)
    return namer.finished(kernel)


def shape_constants(source: FunctionSource, taken: Collection[str]) -> dict[str, Literal]:
    """The user's constants that shapes of tiles name, each the only one of its number."""
    named = {one.name: one.value for one in _extents(source) if one.name and not one.role}
    often = Counter(named.values())
    return {
        name: Literal(INT, value) for name, value in named.items() if often[value] == 1 and name not in taken
    }


def name_own_elements(kernel: Function, lengths: Mapping[str, Literal]) -> None:
    """Name how many elements of a tile each lane of a warp has, where the tile's length has a name."""
    found = statements(kernel.body)

    def named(count: object) -> Expression | None:
        whole = count * WARP if isinstance(count, int) and count > 1 else None
        names = [name for name, one in lengths.items() if one.value == whole]
        return Binary(INT, "/", Name(INT, names[0]), Literal(INT, WARP)) if names else None

    own = {one.name for one in found if isinstance(one, Registers) and len(one.shape) == 1}
    for one in found:
        match one:
            case Registers(shape=(count,)) if (extent := named(count)) is not None:
                one.extents = [extent]
            case For(start=Literal(value=0), stop=Literal(value=count), unrolled=True, name=turn) if (
                extent := named(count)
            ) is not None:
                apart = Binary(INT, "*", Name(INT, turn), Literal(INT, WARP))
                if any(
                    node == apart or (isinstance(node, Component) and names_of([node.value]) <= own)
                    for node in all_expressions(one.body)
                ):
                    one.stop = extent


@dataclasses.dataclass(frozen=True)
class _Extent:
    """An extent of a tile, the last of them or not; None of a transposed one. The user's name for it is '' if
    it is a number; `role` if the name is for what a product does with it.
    """

    tile: str
    value: int
    last: bool | None
    name: str
    role: bool = False


def _extents(source: FunctionSource) -> Iterator[_Extent]:
    """The extents that a function gives tiles."""
    targets: dict[int, tuple[str, bool]] = {}
    for statement in ast.walk(source.definition):
        match statement:
            case ast.Assign(targets=[ast.Name(id=tile)], value=ast.Call(args=made) as call):
                turned = source.builtin(call) == "tile_transpose"
                targets[id(made[0] if turned else call)] = tile, turned
    for node in ast.walk(source.definition):
        builtin = source.builtin(node)
        if not isinstance(node, ast.Call) or not builtin.startswith("tile_"):
            continue
        arguments = bound(builtin, node)
        if builtin == "tile_matmul":
            left, right = (source.type(arguments[one]) for one in "ab")
            assert isinstance(left, Tile) and isinstance(right, Tile)
            for role, value in zip("MNK", (left.shape[0], right.shape[1], left.shape[1]), strict=True):
                yield _Extent("", value, role == "N", f"TILE_{role}", True)
        kind, shape = source.known_type(node), arguments.get("shape")
        if isinstance(kind, Tile) and shape is not None:
            given = items_of(shape)
            tile, turned = targets.get(id(node), ("", False))
            for axis, (value, one) in enumerate(zip(kind.shape, given, strict=False)):
                name = one.id if isinstance(one, ast.Name) else ""
                yield _Extent(tile, value, None if turned else axis == len(given) - 1, name)


class _Namer:
    """`named` are the constants that the kernel has come to name, `lengths` those that arrays have, too."""

    def __init__(
        self,
        kernel: Function,
        extents: list[_Extent],
        threads: tuple[int, ...],
        constants: dict[str, Literal],
        sizes: set[str],
    ) -> None:
        everything = statements(kernel.body)
        self.constants = constants
        self.named: dict[str, int] = {}
        self.threads = threads
        users = [one for one in extents if one.name and not one.role]
        known = {one.value for one in users}
        products = [one for one in extents if one.role and one.value not in known]
        equal = Counter(value for value, _ in {(one.value, one.name) for one in products})
        self.extents = users + [
            dataclasses.replace(one, name="TILE") if equal[one.value] > 1 else one for one in products
        ]
        self.products = any(one.role for one in extents)
        lengths = {one.value for one in extents} - known
        if not products and len(lengths) == 1 and all(one.last for one in extents):
            self.extents += [_Extent("", value, True, "TILE") for value in lengths - {*threads}]
        places = {"blockIdx.x", "blockIdx.y"}
        self.uniform = places.union(*(_named_as(everything, place) for place in places))
        self.steps = {
            (one.right.name, literal.value): None
            for one in all_expressions(kernel.body)
            if isinstance(one, Binary) and one.operator == "*" and isinstance(one.right, Name)
            if isinstance(one.left, Name) and one.left.name in self.uniform
            if (literal := constants.get(one.right.name)) is not None
        }
        self.block = self._block(all(one.last for one in extents))
        wanted = {(one.name, one.value) for one in self.extents} | {*zip(self.block, threads, strict=True)}
        given = {(name, one.value) for name, one in constants.items()}
        if {name for name, _ in wanted - given} & contents(kernel).taken - {one.name for one in users}:
            self.extents, self.block = [], ()
        values = dict(given) | {one.name: one.value for one in users}
        if any(values.get(name, count) != count for name, count in zip(self.block, threads, strict=False)):
            self.block = ()
        self.shapes: dict[str, list[Expression]] = {}
        self.lengths: dict[str, str] = {}
        self.lanes = {"threadIdx.x", *_named_as(everything, "threadIdx.x")}
        declared = [one for one in everything if isinstance(one, Declare)]
        self.numbers = self.lanes | {one.name for one in declared if _numbers_threads(one.value)}
        self.sizes = {name for name, kind in kernel.parameters if kind == INT} | sizes
        self.counted = self.numbers | {one.name for one in declared if self._counts(one.value)}
        elements = self.counted | {
            one.name
            for one in everything
            if isinstance(one, For) and isinstance(one.start, Name) and one.start.name in self.numbers
        }
        self.inner = {
            one.left.name: one.right.value
            for one in all_expressions(kernel.body)
            if isinstance(one, Binary) and one.operator == "/" and isinstance(one.left, Name)
            if one.left.name in elements - self.lanes and isinstance(one.right, Literal)
        }
        squares = {one.shape for one in everything if isinstance(one, Registers) and len(one.shape) == 2}
        self.square = next(iter(squares)) if len(squares) == 1 else (0, 0)

    def _block(self, flat: bool) -> tuple[str, ...]:
        """What the numbers of threads along the axes of a block are called."""
        users = [[name for name, value in self.steps if value == count] for count in self.threads]
        if len(self.threads) == 2 and not self.products and all(len(one) == 1 for one in users):
            return tuple(name for (name,) in users)
        if len({*self.threads}) == len(self.threads) == 2:
            return "BLOCK_X", "BLOCK_Y"
        own = "" if self.products or (len(self.threads) == 1 and not flat) else self._user(self.threads[0])
        windows = len(self.threads) > 1 and not self.extents
        return (own or ("TILE" if windows else "BLOCK"),) * len(self.threads)

    def _user(self, value: int, last: bool | None = None, tile: str | None = None) -> str:
        """The one name that an extent of a tile has, for its axis if several axes have it; else ''."""
        found = [one for one in self.extents if one.value == value]
        for chosen in (
            [one for one in found if one.tile == tile and one.last == last],
            [one for one in found if one.tile == tile],
            [one for one in found if one.last == last],
            found,
        ):
            if len(names := {one.name for one in chosen}) == 1:
                return names.pop()
        return ""

    def _name(self, name: str, value: int) -> Expression:
        self.named[name] = value
        return Name(INT, name)

    def _threads(self, axis: int) -> Expression:
        return self._name(self.block[axis], self.threads[axis])

    def extent(self, value: int, last: bool | None = None, tile: str | None = None) -> Expression:
        """An extent by its name, or the number."""
        if (name := self._user(value, last, tile)) and value > 1:
            return self._name(name, value)
        for axis, threads in enumerate(self.threads if self.block else ()):
            if threads == value:
                return self._threads(axis)
        return Literal(INT, value)

    def declare(self, tile: Shared) -> None:
        """Name the extents of a tile in shared memory."""
        if tile.extents:
            return
        count = len(tile.shape)
        found: list[Expression] = []
        for axis, value in enumerate(tile.shape):
            one = self.extent(value, axis == count - 1 and not tile.column, tile.name)
            along = count - 1 - axis
            if isinstance(one, Literal) and count == len(self.threads) == 2 and self.block:
                beside = value - self.threads[along]
                if 0 < beside <= _HALO:
                    one = plus(self._threads(along), Literal(INT, beside))
            found.append(one)
        self.shapes[tile.name] = [clone(one) for one in found]
        if tile.padded:
            found[-1] = plus(found[-1], Literal(INT, 1))
        tile.extents = found

    def loop(self, loop: For) -> None:
        """Name the end and the step of a loop over a tile, and the step of a loop over tiles."""
        match loop:
            case For(stop=Literal(value=int(count))) if (stop := self._end(loop, count)) is not None:
                loop.stop = clone(stop)
            case For(start=Literal(value=int(last)), step=-1) if (
                end := self._end(loop, last + 1)
            ) is not None:
                loop.start = plus(clone(end), Literal(INT, -1))
        if loop.stride is not None:
            return
        match loop.start:
            case Binary(operator="/", left=Name(name=name), right=Literal(value=int(width))) if (
                name in self.lanes and [loop.step * width] == [*self.threads] and self.block
            ):
                if isinstance(inner := self.extent(width, True), Name):
                    loop.stride = Binary(INT, "/", self._threads(0), inner)
            case Name(name=name):
                loop.stride = self._apart(name, loop.step)
            case Literal() if loop.step >= _STEP and isinstance(one := self._step(loop), Name):
                loop.stride = one
        loop.step = 1 if loop.stride is not None else loop.step

    def _step(self, loop: For) -> Expression:
        """The step of a loop over tiles, by the name that the user's range has for it."""
        match loop.node:
            case ast.For(iter=ast.Call(args=[_, _, ast.Name(id=name)])) if any(
                (one.name, one.value) == (name, loop.step) for one in self.extents
            ):
                return self._name(name, loop.step)
            case _:
                return self.extent(loop.step)

    def _end(self, loop: For, count: int) -> Expression | None:
        """The extent of the tile so many of whose elements a loop counts along an axis."""
        for node in all_expressions(loop.body):
            if (
                isinstance(node, Component)
                and isinstance(node.value, Name)
                and node.value.name in self.shapes
            ):
                tile = node.value
                assert isinstance(tile.type, Tile)
                for axis, index in enumerate(node.indices):
                    if index == Name(INT, loop.name) and tile.type.shape[axis] == count:
                        return self.shapes[tile.name][axis]
        in_row = isinstance(loop.start, Name) and loop.start.name in self.lanes
        return self._count(loop.name, count) if in_row else None

    def _count(self, name: str, count: int) -> Expression:
        """How many elements there are, whose number has a name: in a row, or in several."""
        columns = self.inner.get(name)
        if not isinstance(columns, int) or count % columns:
            return self.extent(count, True)
        factors = self.extent(count // columns, False), self.extent(columns, True)
        if not all(isinstance(one, Name) for one in factors):
            return Literal(INT, count)
        return Binary(INT, "*", *factors)

    def _apart(self, name: str, step: int) -> Expression | None:
        """A step from one element of a thread to its next, if it is all threads that a name counts."""
        axis = 0 if name in self.lanes else 1 if name == "threadIdx.y" and len(self.threads) > 1 else None
        return self._threads(axis) if axis is not None and self.block and self.threads[axis] == step else None

    def changed(self, node: Expression) -> Expression:
        """A node of an expression with names for the extents that it counts with."""
        match node:
            case Binary(operator="/" | "%", left=Name(name=name), right=Literal(value=int(width))) if (
                name in self.lanes
            ):
                columns = self.square[1]
                node.right = self._part(width, 1, True)
                if isinstance(node.right, Literal) and columns:
                    node.right = self._part(width * columns, columns, True)
            case Binary(operator="/" | "%", left=Name(name=name), right=Literal(value=int(width))) if (
                name in self.inner
            ):
                node.right = self.extent(width, True)
            case Binary(operator="<", left=Name(name=name), right=Literal(value=int(count))) if (
                name in self.counted
            ):
                node.right = self._count(name, count)
            case Literal(type=kind, value=int(value), size=size) if kind == INT and "." in size:
                return self._of_array(value, size)
            case Binary(
                operator="+", left=left, right=Binary(operator="*", right=Literal(value=int(step))) as far
            ):
                far.right = self._stride(left, step) or far.right
            case Binary(operator="*", left=left, right=Literal(value=int(count), size="")):
                node.right = self._factor(left, count) or node.right
            case Binary(operator="*", left=Literal(value=int(count), size=""), right=right):
                node.left = self._factor(right, count) or node.left
            case Call(function="min", arguments=[_, Literal(value=int(count), type=kind)]) if kind == INT:
                node.arguments[1] = self.extent(count, True)
            case Call(function="block_sort" | "warp_sort", arguments=[*_, Literal(value=int(count))]):
                node.arguments[-1] = self.extent(count, True)
        return node

    def _of_array(self, value: int, size: str) -> Expression:
        """An extent of an array by the user's name for that of the tiles of it."""
        users = {one.name for one in self.extents if not one.role and one.name != "TILE"}
        name = self._user(value, size.endswith((".cols", ".count")))
        if name not in users or value == 1:
            return Literal(INT, value, size=size)
        self.lengths[str(value)] = name
        return self._name(name, value)

    def _part(self, extent: int, parts: int, last: bool) -> Expression:
        """An extent by so many, as a quotient of its name; or the number."""
        one = self.extent(extent, last)
        if isinstance(one, Literal):
            return Literal(INT, extent // parts)
        return one if parts == 1 else Binary(INT, "/", one, Literal(INT, parts))

    def _stride(self, start: Expression, step: int) -> Expression | None:
        """How far the elements of a thread lie apart, the first of which is at its place."""
        rows, columns = self.square
        match start:
            case Name(name=name):
                return self._apart(name, step)
            case Binary(operator="/", left=Name(name=name)) if name in self.lanes:
                if columns:
                    start.right = self._part(self.threads[0] // step * columns, columns, True)
                    return self._part(step * rows, rows, False)
                inner = self.extent(self.threads[0] // step, True)
                if isinstance(inner, Name) and self.block:
                    return Binary(INT, "/", self._threads(0), inner)
            case Binary(operator="%", left=Name(name=name)) if name in self.lanes and columns:
                start.right = self._part(step * columns, columns, True)
                return clone(start.right)
        return None

    def _factor(self, node: Expression, extent: int) -> Expression | None:
        """The extent by which the place of a block, or a number of tiles in a row, is multiplied."""
        while isinstance(node, Cast) or (isinstance(node, Call) and node.function == "size_t"):
            node = node.operand if isinstance(node, Cast) else node.arguments[0]
        if node == Name(INT, "threadIdx.y") and extent == self.threads[0] and self.block:
            return self._threads(0)
        if not isinstance(node, Name) or node.name not in self.uniform | self.sizes:
            return None
        return self.extent(extent, True if node.name in self.sizes else None)

    def _counts(self, value: Expression | None) -> bool:
        """Whether a value is the place of a thread and more."""
        return isinstance(value, Binary) and any(
            isinstance(one, Name) and one.name in self.numbers for one in (value.left, value.right)
        )

    def finished(self, kernel: Function) -> ExtentNames:
        """The names that the kernel has come to mention, which its launcher may use, too."""
        order = [*(one.name for one in self.extents), *self.block]
        for name in sorted(self.named, key=order.index):
            self.constants[name] = self.constants.pop(name, Literal(INT, self.named[name]))
        known = contents(kernel).mentioned & {*self.constants}

        def named(last: bool) -> dict[int, str]:
            found = {one.value: self._user(one.value, last) for one in self.extents}
            return {value: name for value, name in found.items() if name in known}

        across, down = named(True), named(False)
        blocks = {value: name for value, name in zip(self.threads, self.block, strict=False) if name in known}
        spanned = {value: name for value, name in across.items() if value == self.threads[0]}
        return ExtentNames(
            fixed=self.lengths,
            across=blocks | across,
            down=blocks | down,
            threads=(spanned if len(blocks) < len(self.threads) else {}) | blocks,
        )


def _numbers_threads(value: Expression | None) -> bool:
    """Whether a value is a thread's number in a block of two dimensions."""
    match value:
        case Binary(operator="+", left=left, right=Name(name="threadIdx.x")):
            return Name(INT, "threadIdx.y") in walk(left)
        case _:
            return False


def _named_as(found: Collection[object], place: str) -> set[str]:
    """The variables that are a place of the thread or of its block."""
    return {one.name for one in found if isinstance(one, Declare) and one.value == Name(INT, place)}
