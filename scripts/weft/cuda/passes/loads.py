"""Pass: an element that a thread reads several times is loaded once.

Before: `a = edges[e].x; b = edges[e].y`, or `points[i]` in a loop. After: `const int2 edge = edges[e];` above
the first that reads it, or above the loop. Only elements of arrays that nobody writes have names: the user's,
those of one of several, or, where an element has parts or a loop reads it, such as `x_i`. Those of arrays of
several dimensions are called after their coordinates: `psi[north, east]` is `psi_north_east`. Before a loop
that may not run once there are only the thread's own elements, which exist. Where the kernel writes no other
elements of an array, so has a vector that is the thread's own, until it is stored.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeGuard

from weft.cuda import launch_assumptions
from weft.cuda.analysis.linear import key_of, names_in
from weft.cuda.contents import assigned_names, contents
from weft.cuda.fresh_names import together
from weft.cuda.names import reserved_at_namespace_scope
from weft.cuda.sizes import canonical_size
from weft.cuda.traverse import (
    above,
    all_expressions,
    blocks,
    children,
    clone,
    expressions,
    is_name,
    rewrite_block,
    statements,
    walk,
)
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Binary,
    Cast,
    Chain,
    Component,
    Conditional,
    Declare,
    Element,
    Expression,
    For,
    Function,
    Literal,
    Member,
    Name,
    Statement,
    Threads,
    Unary,
    While,
)
from weft.launch import Launch
from weft.plurals import singular
from weft.sizes import Size
from weft.types import Array, Quaternion, Scalar, Vector

_Index = Name | Literal | Unary | Binary | Cast


def load_once(kernel: Function, launch: Launch, written: Collection[str]) -> None:
    """Run the pass on a kernel whose arrays still have all their indices; `written` are the leaves that it
    writes.
    """
    threads = next((one for one in kernel.body if isinstance(one, Threads)), None)
    if threads is None or launch.inferred_dims:
        return
    held = contents(kernel)
    dims = [canonical_size(dim, launch.sizes) for dim in launch.dims]
    places = {name: dim for name, dim in zip(threads.names, dims, strict=False) if name not in held.changed}
    read = [
        name
        for name, one in launch.parameters.items()
        if one.shape and launch_assumptions.is_only_read(launch, name, written)
    ]
    loads = _Loads(launch, read, places, set(held.taken))
    loads.run(kernel.body)
    for name, one in launch.parameters.items():
        plain = one.memory == "global" and not launch_assumptions.is_strided(launch, name)
        if name in written and plain and not launch_assumptions.may_overlap(launch, name, written):
            loads.until_stored(kernel.body, name)


class _Loads:
    """Names elements of the arrays `read`. `places` are the thread's coordinates, each with its extent."""

    def __init__(
        self, launch: Launch, read: Collection[str], places: Mapping[str, Size], taken: set[str]
    ) -> None:
        self.launch, self.read, self.places, self.taken = launch, read, places, taken

    def run(self, block: list[Statement]) -> None:
        """Name what the statements of a block, and of the blocks in it, read several times."""
        left: tuple[Counter[str], ...] = (Counter(), Counter(), Counter())
        for statement in block:
            for count, more in zip(left, _counts(statement), strict=True):
                count.update(more)
        places = Counter(key_of(one.array) for one in self._elements(all_expressions(block)))
        at = 0
        while at < len(block):
            statement = block[at]
            for element, always in self._candidates(statement, places, *left):
                place, own = next(
                    ((at + i, one) for i, one in enumerate(block[at:]) if _is_name(one, element)), (at, None)
                )
                if own is statement:
                    _use(block[at + 1 :], element, own.name)
                    continue
                if own is not None and above(block, place) == place:
                    del block[place]
                elif (name := self._name(element, always, places)) is not None:
                    self.taken.add(name)
                    own = Declare(element.type, name, clone(element), True, node=statement.node)
                else:
                    continue
                _use(block[at:], element, own.name)
                block.insert(above(block, at), own)
                at += 1
            for count, fewer in zip(left, _counts(statement), strict=True):
                count.subtract(fewer)
            at += 1
        for statement in block:
            for inner in blocks(statement):
                self.run(inner)

    def until_stored(self, block: list[Statement], array: str) -> None:
        """Name the thread's own vector of an array of which a block mentions no other element, if it reads it
        several times before it stores there.
        """
        nodes = all_expressions(block)
        elements = [node for node in nodes if isinstance(node, Element) and is_name(node.array, array)]
        if (
            len(elements) != sum(is_name(node, array) for node in nodes)
            or len(set(map(key_of, elements))) != 1
        ):
            return
        element = elements[0]
        stored = next(at for at in range(len(block) + 1) if at == len(block) or _stores(block[at], array))
        reads = [at for at in range(stored) for n in all_expressions([block[at]]) if is_name(n, array)]
        if len(reads) < 2 or not isinstance(element.type, Vector | Quaternion) or not self._is_own(element):
            return
        if (name := self._name(element, True, {})) is not None:
            self.taken.add(name)
            own = Declare(element.type, name, clone(element), True, node=block[reads[0]].node)
            _use(block[reads[0] : stored], element, name)
            block.insert(above(block, reads[0]), own)

    def _candidates(
        self,
        statement: Statement,
        places: Mapping[str, int],
        reads: Mapping[str, int],
        parts: Mapping[str, int],
        changed: Mapping[str, int],
    ) -> list[tuple[Element, bool]]:
        """Of a loop, the thread's own elements; of others, what the statement reads in any case and the rest
        of the block, of which `reads`, `parts` and `changed` are, reads again; and whether it must have a
        name. Of an array that is read in several places, that is the thread's own.
        """
        if isinstance(statement, For | While):
            own = filter(self._is_own, self._elements(all_expressions(statement.body)))
            return [(element, True) for element in own if isinstance(element.type, Scalar | Vector)]
        first = self._elements(node for one in expressions(statement) for node in _certain(one))
        return [
            (one, parts[key_of(one)] > 1)
            for one in first
            if reads[key_of(one)] > 1
            and not any(changed[name] > 0 for name in names_in(one))
            and (self._is_own(one) or places[key_of(one.array)] == 1 or _coordinates(one))
        ]

    def _elements(self, nodes: Iterable[Expression]) -> Iterator[Element]:
        """The elements among nodes that may have a name, each once."""
        seen = set()
        for node in nodes:
            if (
                isinstance(node, Element)
                and isinstance(node.array, Name)
                and node.array.name in self.read
                and not isinstance(node.type, Array)
                and any(isinstance(index, Name) for index in node.indices)
                and all(isinstance(one, _Index) for index in node.indices for one in walk(index))
                and (key := key_of(node)) not in seen
            ):
                seen.add(key)
                yield node

    def _is_own(self, element: Element) -> bool:
        """Whether an element is that of the thread."""
        assert isinstance(element.array, Name)
        places = [self.places.get(one.name, "") if isinstance(one, Name) else "" for one in element.indices]
        shape = self.launch.parameters[element.array.name].shape
        return places == [canonical_size(one, self.launch.sizes) for one in shape]

    def _name(self, element: Element, always: bool, places: Mapping[str, int]) -> str | None:
        """A name that is free: that of one of several, or else, if there must be one, with its place."""
        assert isinstance(element.array, Name)
        name = singular(element.array.name)
        is_own = self._is_own(element)
        coordinates = _coordinates(element)
        alone = is_own or not coordinates or places[key_of(element.array)] == 1
        names = [name] if alone else []
        match element.indices:
            case [Name(name=place)] if always and place != name:
                names.append(f"{name}_{place}" if len(place) == 1 else f"{place}_{name}")
            case _ if always and is_own:
                names.append(f"own_{name}")
            case _ if coordinates:
                own = itertools.chain(self.places, itertools.repeat(""))
                new = [one for one, place in zip(coordinates, own, strict=False) if one != place]
                names += [f"{name}_{together(some)}" for some in (new, coordinates) if some]
        free = (one for one in names if one not in self.taken and not reserved_at_namespace_scope(one))
        return next(free, None)


def _stores(statement: Statement, array: str) -> bool:
    """Whether a statement, or one in it, may store to an array."""
    places = [one.target for one in statements([statement]) if isinstance(one, Assign)]
    places += [node.place for node in all_expressions([statement]) if isinstance(node, AddressOf)]
    return any(is_name(node, array) for place in places for node in walk(place))


def _coordinates(element: Element) -> list[str]:
    """The names that are the indices of an element, if there are several and nothing else."""
    names = [index.name for index in element.indices if isinstance(index, Name)]
    return names if len(names) == len(element.indices) > 1 else []


def _is_name(statement: Statement, element: Element) -> TypeGuard[Declare]:
    """Whether a statement gives an element a name for good."""
    return (
        isinstance(statement, Declare)
        and statement.constant
        and isinstance(statement.value, Element)
        and key_of(statement.value) == key_of(element)
    )


def _counts(statement: Statement) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """How often a statement reads elements and parts of elements, by their keys, and the names it changes."""
    nodes = all_expressions([statement])
    reads = Counter(key_of(node) for node in nodes if isinstance(node, Element))
    parts = Counter(key_of(node.value) for node in nodes if isinstance(node, Member | Component))
    return reads, parts, Counter(assigned_names([statement]))


def _certain(node: Expression) -> Iterator[Expression]:
    """The nodes of an expression that are computed in any case."""
    parts = children(node)
    match node:
        case Binary(operator="&&" | "||") | Conditional(eager=False):
            parts = parts[:1]
        case Chain():
            parts = parts[:2]
    for part in parts:
        yield from _certain(part)
    yield node


def _use(block: list[Statement], element: Element, name: str) -> None:
    """Put a name in place of an element."""
    key = key_of(element)

    def named(node: Expression) -> Expression:
        return Name(node.type, name) if isinstance(node, Element) and key_of(node) == key else node

    rewrite_block(block, named)
