"""Pass: places on a periodic grid are found by comparison where a remainder would divide.

Before: `(x - 1 + n) % n` of a coordinate x below n; `(x + r + n) % n` in a loop over r. After: `x_prev`,
declared above as `const int x_prev = x == 0 ? n - 1 : x - 1;`; in the loop, `neighbor_x`, which
begins with the remainder of the first turn and goes on to the next place, or back to 0, at the end of a turn.

In C++ a remainder is that of mathematics where the dividend is not negative and has not overflowed. The
analyzer proves that it is not negative, and that x lies on the grid. A sum that overflows, as x - 1 + n does
for very large n, has no value in C++; the comparison finds the place that was meant.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from weft.cuda.analysis.analyzer import Analyzer
from weft.cuda.analysis.integers import IntegerFlow
from weft.cuda.analysis.linear import Key, atom, constant, key_of, names_in
from weft.cuda.analysis.state import State
from weft.cuda.contents import assigned_names, contents
from weft.cuda.fresh_names import take_numbered
from weft.cuda.passes.offsets import plus
from weft.cuda.passes.turns import continues
from weft.cuda.traverse import (
    above,
    all_expressions,
    blocks,
    clone,
    is_name,
    own_nodes,
    place_of,
    rewrite,
    rewrite_block,
    walk,
)
from weft.cuda.tree import (
    BOOL,
    INT,
    Assign,
    Binary,
    Conditional,
    Declare,
    Expression,
    Extent,
    For,
    Function,
    If,
    Literal,
    Name,
    Statement,
    Threads,
    Unary,
)
from weft.launch import Launch

_FARTHEST = 2
"""The steps from a coordinate that are taken one by one."""

_TURNS = 3
"""How many lengths of the grid are added before the remainder, at most."""

_Plain = Name | Literal | Extent | Unary | Binary


def compare_borders(function: Function, launch: Launch, analyzer: Analyzer) -> None:
    """Run the pass on a function; `analyzer` is for it."""
    if not any(map(_is_remainder, all_expressions(function.body))):
        return
    finder = _Finder(analyzer, launch, function)
    finder.run([])
    found = contents(function)
    declared = Counter(one.name for one in found.statements if isinstance(one, Declare))
    writer = _Writer(finder, set(found.taken), set(found.changed), declared)
    writer.step(function.body)
    writer.name(function.body, {name for name, _ in function.parameters}, {})


def _is_remainder(node: Expression) -> TypeGuard[Binary]:
    """Whether this is a remainder of ints by what is no number."""
    return (
        isinstance(node, Binary)
        and node.operator == "%"
        and node.type == node.left.type == node.right.type == INT
        and not isinstance(node.right, Literal)
        and all(isinstance(part, _Plain) for side in (node.left, node.right) for part in walk(side))
    )


_Place = tuple[str, Key, int]
"""A coordinate, the length of the grid, and the steps from one to another on it."""


class _Finder(IntegerFlow):
    """What remainders are, by their id: the places of `neighbours`, and in `steps` the variables by which
    dividends grow. `begins` has the remainder of the first turn for a loop over such a variable. Before loops
    in `total`, remainders by such a length may be computed whether the loop runs or not.
    """

    def __init__(self, analyzer: Analyzer, launch: Launch, function: Function) -> None:
        super().__init__(analyzer, launch, function)
        self.neighbours: dict[int, _Place] = {}
        self.steps: dict[int, list[str]] = {}
        self.begins: dict[tuple[int, int], Binary] = {}
        self.total: set[tuple[int, Key]] = set()

    def visit(self, statement: Statement, state: State) -> None:
        for node in filter(_is_remainder, own_nodes(statement)):
            self._look(node, state)
        if isinstance(statement, For):
            for node in filter(_is_remainder, all_expressions(statement.body)):
                self._enter(statement, node, state)

    def transfer(self, statement: Statement, state: State) -> State:
        state = super().transfer(statement, state)
        match statement:
            case Declare(name=name, value=Binary(right=extent) as value) if id(value) in self.neighbours:
                # A neighbour lies on the grid, and may have neighbours itself.
                length, place = self.analyzer.form(extent, state), atom(Name(INT, name))
                self.analyzer.know(state, place)
                self.analyzer.know(state, length - place - constant(1))
        return state

    def _look(self, node: Binary, state: State) -> None:
        """Note what a remainder is where it is computed."""
        form, extent = self.analyzer.unlimited(node.left, state), self.analyzer.form(node.right, state)
        if self.analyzer.least(form, state, 0) < 0:
            return
        names = [one for factor, one in form.terms.values() if factor == 1 and isinstance(one, Name)]
        self.steps[id(node)] = [one.name for one in names]
        for name in names:
            for turns in range(_TURNS + 1):
                rest = form - atom(name) - extent.times(turns)
                if rest.terms or abs(rest.constant) > _FARTHEST:
                    continue
                if self.analyzer.natural(name, state) and self.analyzer.below(name, node.right, state):
                    self.neighbours[id(node)] = name.name, key_of(node.right), rest.constant
                    return

    def _enter(self, loop: For, node: Binary, state: State) -> None:
        """Note how a remainder begins in a loop."""
        if not self.analyzer.below(Literal(INT, 0), node.right, state):
            return
        self.total.add((id(loop), key_of(node.right)))
        moving = [part for part in walk(node.left) if is_name(part, loop.name)]
        others = (names_in(node.left) | names_in(node.right)) - {loop.name}
        if (
            loop.step == 1
            and loop.stride is None
            and len(moving) == 1
            and loop.name not in names_in(node.right)
            and others.isdisjoint(assigned_names(loop.body))
        ):
            first = Binary(INT, "%", _replaced(node.left, loop.name, loop.start), clone(node.right))
            if _is_remainder(first):
                self._look(first, state)
                if id(first) in self.neighbours or self.analyzer.natural(first.left, state):
                    self.begins[id(loop), id(node)] = first


def _replaced(value: Expression, name: str, start: Expression) -> Expression:
    """A sum with the start of a loop in place of its variable."""

    def change(node: Expression) -> Expression:
        match node:
            case Name(name=found) if found == name:
                return clone(start)
            case Binary(operator="+", left=left, right=Unary(operator="-", operand=right)):
                return Binary(INT, "-", left, right)
            case Binary(operator="+", left=left, right=right):
                return plus(left, right)
            case _:
                return node

    return rewrite(clone(value), change)


@dataclasses.dataclass
class _Writer:
    """Writes what the finder found. `taken` are the function's names, `changed` those that change, and
    `declared` says how often each is declared.
    """

    finder: _Finder
    taken: set[str]
    changed: set[str]
    declared: Mapping[str, int]

    def step(self, block: list[Statement]) -> None:
        """Variables that go from place to place, for the loops of a block."""
        for statement in [*block]:
            for inner in blocks(statement):
                self.step(inner)
            if isinstance(statement, For):
                before = [*self._first_places(statement), *self._stepped(statement)]
                at = above(block, place_of(statement, block))
                block[at:at] = before

    def _first_places(self, loop: For) -> Iterator[Declare]:
        """Names for the first places of loops in a loop, which are the same in each of its turns."""
        own = assigned_names([loop])
        for one in loop.body:
            match one:
                case Declare(value=Binary(operator="%", right=extent) as first, constant=False) if (
                    id(first) not in self.finder.neighbours
                    and any(first is one for one in self.finder.begins.values())
                    and names_in(first).isdisjoint(own)
                    and (id(loop), key_of(extent)) in self.finder.total
                ):
                    name = take_numbered(f"first_{one.name}", self.taken)
                    one.value = Name(INT, name)
                    yield Declare(INT, name, first, True, node=one.node)

    def _stepped(self, loop: For) -> Iterator[Declare]:
        """The variables that begin before a loop. They go on at the end of its body."""
        groups: dict[Key, list[Binary]] = {}
        for node in filter(_is_remainder, all_expressions(loop.body)):
            steps = self.finder.steps.get(id(node), [])
            begins = (id(loop), id(node)) in self.finder.begins and id(node) not in self.finder.neighbours
            if begins and loop.name in steps:
                groups.setdefault(key_of(node), []).append(node)
        if continues(loop.body):
            return
        for nodes in groups.values():
            first = self.finder.begins[id(loop), id(nodes[0])]
            gone = {id(node) for node in nodes}
            own = self._own(loop, gone)
            if own is not None:
                name, line = own.name, own.node
                loop.body[:] = [one for one in loop.body if one is not own]
            else:
                coordinates = [one for one in self.finder.steps[id(nodes[0])] if one != loop.name]
                stem = f"neighbor_{(coordinates or [loop.name])[0]}"
                name, line = take_numbered(stem, self.taken), loop.node
            self.changed.add(name)
            place = Name(INT, name)
            rewrite_block(loop.body, lambda node, gone=gone, place=place: _or(node, gone, place))  # type: ignore[misc]
            loop.body.append(Assign(place, "", _after(place, first.right), True, node=line))
            yield Declare(INT, name, first, node=line)

    def _own(self, loop: For, nodes: set[int]) -> Declare | None:
        """Where the source gives a remainder a name, and nothing else the same."""
        for one in loop.body:
            if isinstance(one, Declare) and one.constant and id(one.value) in nodes:
                return one if self.declared[one.name] == 1 else None
        return None

    def name(self, block: list[Statement], known: set[str], named: Mapping[_Place, str]) -> None:
        """Names for the neighbours that a block asks for, where what they are made of is known, then in the
        blocks in it. `named` are those that have names.
        """
        known = known.union(*map(_declared, block))
        named = dict(named)
        places = self._places(block)
        for place in sorted(places, key=lambda place: abs(place[2])):
            nodes = [node for _, node, _ in places[place]]
            extent = nodes[0].right
            if not names_in(extent) | {place[0]} <= known - self.changed:
                continue
            # The steps to a place are named with it.
            near = _nearer(place)
            farther = [use for other, uses in places.items() if _nearer(other) == place for use in uses]
            uses = [*places[place], *farther]
            holders = [one for one in block if any(one is holder for holder, _, _ in uses)]
            branches = {branch for _, _, branch in uses}
            if isinstance(holders[0], If) and len(holders) == 1 and len(branches) == 1 and -1 not in branches:
                continue
            name = place[0]
            if near is not None:
                if near[2] and near not in named:
                    named[near] = self._declare(block, holders[0], near, near[0], extent, [])
                name = self._declare(block, holders[0], place, named.get(near, name), extent, nodes)
            if name not in self.changed:
                named[place] = name
            gone = {id(node) for node in nodes}
            rewrite_block(block, lambda node, gone=gone, name=name: _or(node, gone, Name(INT, name)))  # type: ignore[misc]
        for statement in block:
            counted = {statement.name} if isinstance(statement, For) else set()
            for inner in blocks(statement):
                self.name(inner, known | counted, named)

    def _places(self, block: list[Statement]) -> dict[_Place, list[tuple[Statement, Binary, int]]]:
        """The neighbours that a block asks for: in a statement of it, and in which of its branches."""
        found: dict[_Place, list[tuple[Statement, Binary, int]]] = {}
        for holder in block:
            for branch, nodes in enumerate([own_nodes(holder), *map(all_expressions, blocks(holder))], -1):
                for node in nodes:
                    place = self.finder.neighbours.get(id(node))
                    if place is not None and isinstance(node, Binary):
                        found.setdefault(place, []).append((holder, node, branch))
        return found

    def _declare(
        self,
        block: list[Statement],
        holder: Statement,
        place: _Place,
        nearer: str,
        extent: Expression,
        nodes: list[Binary],
    ) -> str:
        """Say before a statement where a neighbour is, a step from a nearer one; its name."""
        coordinate, _, steps = place
        value = (_after if steps > 0 else _before)(Name(INT, nearer), extent)
        own = isinstance(holder, Declare) and any(holder.value is node for node in nodes)
        if isinstance(holder, Declare) and own and (holder.constant or len(nodes) == 1):
            holder.value = value
            return holder.name
        far = str(abs(steps)) if abs(steps) > 1 else ""
        name = take_numbered(f"{coordinate}_{'next' if steps > 0 else 'prev'}{far}", self.taken)
        block.insert(above(block, place_of(holder, block)), Declare(INT, name, value, True, node=holder.node))
        return name


def _nearer(place: _Place) -> _Place | None:
    """The place a step nearer to the coordinate; None for the coordinate itself."""
    coordinate, extent, steps = place
    return (coordinate, extent, steps - (1 if steps > 0 else -1)) if steps else None


def _or(node: Expression, gone: set[int], other: Name) -> Expression:
    return Name(INT, other.name) if id(node) in gone else node


def _after(place: Name, extent: Expression) -> Expression:
    """The next place on a periodic grid."""
    one = Binary(INT, "+", Name(INT, place.name), Literal(INT, 1))
    return Conditional(INT, Binary(BOOL, "==", one, clone(extent)), Literal(INT, 0), clone(one))


def _before(place: Name, extent: Expression) -> Expression:
    """The place before another on a periodic grid."""
    name, one = place.name, Literal(INT, -1)
    test = Binary(BOOL, "==", Name(INT, name), Literal(INT, 0))
    return Conditional(INT, test, plus(clone(extent), one), plus(Name(INT, name), one))


def _declared(statement: Statement) -> set[str]:
    match statement:
        case Declare(name=name):
            return {name}
        case Threads(names=names):
            return set(names)
        case _:
            return set()
