"""How many threads a block has that works on tiles.

A launch description says how many Warp has. Where no result depends on that, a block has the threads that its
work needs: one for each element of what it stores or reduces, in whole warps.
"""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Iterator, Sequence

from weft.cuda.c_types import HALVES
from weft.cuda.grid import WARP
from weft.cuda.helpers.text import scalar_of
from weft.cuda.tiles.arguments import bound
from weft.cuda.tiles.facts import only_written
from weft.cuda.tiles.squares import MOST_SUMS
from weft.function_source import FunctionSource, root_name
from weft.intrinsics import Effect, intrinsic
from weft.launch import Launch
from weft.subscript_indices import items_of
from weft.types import Array, Struct, Tile

_LARGEST = 256
"""Threads of a block that gets more of them than Warp's."""

_FEWEST = 64
"""Threads of a block that has fewer of them than a product of tiles has elements."""

_TURNS = 8
"""Elements of each lane that leave a reduction to one warp."""

_STORES = Effect.WRITES | Effect.ATOMIC
_TOGETHER = Effect.COLLECTIVE | Effect.BARRIER


@dataclasses.dataclass(frozen=True)
class Work:
    """What a number of threads of a block do: `each` of them for each of some `parts`."""

    threads: int
    parts: str
    each: int = 1

    @property
    def part(self) -> str:
        """What one part is called."""
        return self.parts.split()[-1].removesuffix("s")

    def share(self, what: str = "") -> str:
        """How many threads work on a part, in words."""
        many = f"{self.each} {what}s" if self.each > 1 else f"one {what}"
        return f"{(many if what else many.split()[0])} for each of {self.parts}"


def block_size(launch: Launch, sources: Sequence[FunctionSource]) -> tuple[int, Work | None]:
    """The threads of a block, and the work that they share; None where they are Warp's, since a result may
    depend on them.
    """
    given = launch.block_dim or 0
    work = [one for source in sources for one in _work(source, launch)]
    if not work or any(_counts_threads(source, launch) for source in sources):
        return given, None
    reduces = any(map(_reduces, sources))
    if reduces and max((one.threads for one in work if one.each == 1), default=0) >= _FEWEST:
        # More threads, for the lanes of rows, would idle through the reductions.
        work = [one for one in work if one.each == 1]
    most = max(work, key=lambda one: one.threads)
    multiplies = any(
        one.get("builtin") == "tile_matmul" for source in sources for one in source.callees.values()
    )
    if multiplies and all(one == most for one in work) and not reduces:
        # Threads with many elements each read few factors for their products.
        few = min(most.threads // MOST_SUMS, _LARGEST)
        if few >= _FEWEST and few % WARP == 0:
            return few, most
    threads = min(-(-most.threads // WARP) * WARP, max(given, _LARGEST))
    warp = dataclasses.replace(launch, block_dim=WARP)
    short = most.threads <= _TURNS * WARP and reduces and not multiplies
    short &= not any(size > WARP for source in sources for size in _scanned(source))
    if short and not any(_counts_threads(source, warp) for source in sources):
        # Its lanes need no shared memory for that.
        threads = WARP
    return threads, most


def _counts_threads(source: FunctionSource, launch: Launch) -> bool:
    """Whether what a function leaves may depend on how many threads a block has."""
    if source.snippet:
        return True
    nodes = list(ast.walk(source.definition))
    of_blocks = {id(node.value) for node in nodes if isinstance(node, ast.Assign) and _is_place(node, launch)}
    for node in nodes:
        builtin = source.builtin(node)
        if builtin == "tid" and id(node) not in of_blocks:
            return True
        known = intrinsic(builtin)
        effect = known.effect
        by_each = effect & (Effect.ATOMIC | Effect.PRINTS) and "t" not in known.parameters
        if by_each or known.own or known.fixed:
            return True
        if isinstance(node, ast.Call) and effect & Effect.COLLECTIVE and _takes_turns(source, node, launch):
            return True
    return any(_stores_more_than_once(source, node) for node in nodes)


def _is_place(node: ast.Assign, launch: Launch) -> bool:
    """Whether an assignment of `tid()` has names for the place of the block alone."""
    return len(items_of(node.targets[0])) == len(launch.dims)


def _takes_turns(source: FunctionSource, call: ast.Call, launch: Launch) -> bool:
    """Whether a reduction combines what threads have in their order: which thread has which of several
    elements matters then.
    """
    name, given = source.builtin(call), launch.block_dim or 0
    arguments = bound(name, call)
    kind = source.type(arguments["a"])
    assert isinstance(kind, Tile)
    if "axis" in arguments:
        return False
    in_order = intrinsic(name).ordered or isinstance(kind.element, Struct)
    if not in_order and scalar_of(kind.element).is_float:
        broken = given % WARP > 0 and launch.equality != "bounded"
        in_order = broken or scalar_of(kind.element).name in HALVES
    return in_order and math.prod(kind.shape) > given


def _stores_more_than_once(source: FunctionSource, node: ast.AST) -> bool:
    """Whether a thread may see, in the element of an array or tile that it sets, what another one has set."""
    match node:
        case ast.AugAssign(target=ast.Subscript() as target):
            return isinstance(_root_type(source, target), Array | Tile | None)
        case ast.Assign(targets=targets):
            places = [target for target in targets if isinstance(target, ast.Subscript | ast.Attribute)]
            kinds = [(root_name(place), _root_type(source, place)) for place in places]
            stored = only_written(source) if kinds else set()
            return any(isinstance(kind, Array | Tile | None) and name not in stored for name, kind in kinds)
        case _:
            return False


def _root_type(source: FunctionSource, node: ast.expr) -> object:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return source.known_type(node)


def _reduces(source: FunctionSource) -> bool:
    """Whether a function reduces whole tiles."""
    calls = (node for node in ast.walk(source.definition) if isinstance(node, ast.Call))
    return any(
        intrinsic(name := source.builtin(call)).effect & Effect.COLLECTIVE and "axis" not in bound(name, call)
        for call in calls
    )


def _scanned(source: FunctionSource) -> Iterator[int]:
    """The sizes of the tiles that a function scans, which takes a thread for each element."""
    for node in ast.walk(source.definition):
        if isinstance(node, ast.Call) and (name := source.builtin(node)).startswith("tile_scan_"):
            yield math.prod(_shape(source, bound(name, node)["a"]))


def _work(source: FunctionSource, launch: Launch) -> Iterator[Work]:
    """The parts of a function's work."""
    for node in ast.walk(source.definition):
        if not isinstance(node, ast.Call):
            continue
        name = source.builtin(node)
        arguments = bound(name, node)
        effect = intrinsic(name).effect
        if effect & _STORES and "t" in arguments:
            yield _elements(source, arguments["t"])
        elif effect & _TOGETHER and "axis" in arguments:
            yield _along(_shape(source, arguments["a"]), source.value(arguments["axis"]))
        elif effect & _TOGETHER:
            yield _elements(source, arguments["keys" if name == "tile_sort" else "a"])
        elif name == "tile_matmul":
            yield _product(source, node, launch)


def _elements(source: FunctionSource, node: ast.expr) -> Work:
    size = math.prod(_shape(source, node))
    return Work(size, f"{size} elements")


def _along(shape: tuple[int, ...], axis: object) -> Work:
    """A thread for each result, several for those of rows."""
    if axis in (-1, len(shape) - 1):
        rows, lanes = math.prod(shape[:-1]), lanes_of(shape[-1])
        return Work(rows * lanes, f"{rows} rows", lanes)
    results = math.prod(shape) // shape[axis] if isinstance(axis, int) else math.prod(shape)
    return Work(results, f"{results} results")


def _product(source: FunctionSource, call: ast.Call, launch: Launch) -> Work:
    """A thread for each element, several for those of a vector where the order of its sums is free."""
    given = dict(zip("ab", call.args, strict=False)) | {word.arg: word.value for word in call.keywords}
    left, right = (_shape(source, given[name]) for name in "ab")
    if right[1] == 1 and _may_reorder(launch):
        return _along(left, 1)
    return Work(left[0] * right[1], f"{left[0] * right[1]} elements")


def _may_reorder(launch: Launch) -> bool:
    """Whether sums may be taken in any order: of floats that are whole numbers, none is rounded."""
    recipes = [one.values for one in launch.parameters.values() if one.role == "in" and one.values]
    return launch.equality == "bounded" or all(recipe.kind == "integers" for recipe in recipes)


def lanes_of(columns: int) -> int:
    """How many lanes of a warp reduce a row together: a power of two, each of them with an element."""
    return 1 << (min(columns, WARP).bit_length() - 1)


def _shape(source: FunctionSource, node: ast.expr) -> tuple[int, ...]:
    kind = source.type(node)
    return kind.shape if isinstance(kind, Tile) else (1,)
