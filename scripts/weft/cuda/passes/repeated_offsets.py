"""Pass: an offset that several elements share has a name, and so has the start of a row of several elements.

Before: `out[y * width + x] = a[y * width + x] + a[(y - 1) * width + x] - a[y * width + max(x - 1, 0)]`.
After: `out[index] = a[index] + a[index - width] - a[row_start + max(x - 1, 0)]`, and before the first use, in
the innermost block that holds all of them, `const int row_start = y * width;` and
`const int index = row_start + x;`. A name of the user's own for an offset is that name.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeGuard

from weft.cuda.analysis.linear import Key, key_of, names_in
from weft.cuda.contents import changed_in_block, contents
from weft.cuda.fresh_names import together
from weft.cuda.passes.offsets import SIGNED_SIZE, SIZE, plus, widened
from weft.cuda.traverse import blocks, slots, statements, walk
from weft.cuda.tree import (
    INT,
    Binary,
    Call,
    Conditional,
    Declare,
    Expression,
    For,
    Function,
    If,
    Literal,
    Member,
    Name,
    Pointee,
    Statement,
    Unpack,
    While,
)

_FEW = 2
"""The most coordinates that an offset is named after."""

_CHEAP = ("max", "min", "size_t", "int64_t")
"""The functions that are called to find where a row starts."""

_NEIGHBOUR = re.compile(
    r"_(prev|next)\d*$|^(north|south|east|west|left|right|up|down|above|below|front|back|prev|next)$"
    r"|^[a-z]{1,3}[01]$"
)
"""What coordinates are called that lie beside the thread's own or on both sides of a point, or how their
names end.
"""

_Where = tuple[object, Key]
"""The type and the text of an integer."""

_Polynomial = Counter[tuple[Key, ...]]
"""Products of names, numbers and what else is no sum, and how often each is added."""


def name_offsets(function: Function, taken: Collection[str]) -> None:
    """Run the pass on a function in which all extents are parameters; `taken` are names of its extents."""
    before = contents(function)
    given = {name for name, _ in function.parameters}.union(taken)
    _name_in(function.body, given, _Names(given - before.changed, before.taken | set(taken)))


@dataclasses.dataclass(frozen=True)
class _Names:
    """Names of one function: those that are `fixed`, those that are `taken` where an offset is to have one,
    and those of which offsets were `made` that have one.
    """

    fixed: set[str]
    taken: set[str]
    made: set[str] = dataclasses.field(default_factory=set)


@dataclasses.dataclass
class _Use:
    """Where an integer is computed, in a statement of a block and one of its branches, what puts another in
    its place, and the array that it is an offset of.
    """

    value: Expression
    put: Callable[[Expression], None]
    holder: Statement
    branch: int
    array: str


def _name_in(block: list[Statement], outer: set[str], names: _Names) -> None:
    """Name the offsets that can be computed in this block, then those of the blocks in it. `outer` are the
    names that are known before the block.
    """
    _Block(block, names).name(outer.union(*map(_declared, block)))
    own = set[str]().union(*map(_declared, block))
    taken, known = names.taken | own, outer | own
    for statement in block:
        counted = {statement.name} if isinstance(statement, For) else set()
        for inner in blocks(statement):
            _name_in(inner, known | counted, dataclasses.replace(names, taken=taken))


class _Block:
    """The integers that a block and the blocks in it compute, by what they are, and the offsets by what moves
    in them. The nodes that are `gone` are nowhere any more, and the `named` ones are the values of names.
    `rows` are the starts of rows that were given names, their declarations, and what stands in their places.
    """

    def __init__(self, block: list[Statement], names: _Names) -> None:
        self.block = block
        self.names = names
        self.declared = {name for one in statements(block) for name in _declared(one)}
        self.same: dict[_Where, list[_Use]] = {}
        self.moving: dict[object, list[_Use]] = {}
        self.gone: set[int] = set()
        self.named: set[int] = set()
        self.rows: list[tuple[Binary, Declare, Name]] = []
        for use in _uses(block):
            if isinstance(use.value, Binary):
                self.same.setdefault(_where(use.value), []).append(use)
            if use.array:
                self.moving.setdefault(self._moving(use.value), []).append(use)

    def name(self, known: set[str]) -> None:
        """Name what can be computed from the known names: whole offsets, then the starts of rows."""
        offsets = [use for uses in [*self.moving.values()] for use in uses]
        for begins_row in (False, True):
            seen: set[_Where] = set()
            for use in offsets:
                if id(use.value) in self.gone:
                    continue
                offset = _row_start(use.value) if begins_row else use.value
                if offset is None or self._is_done(offset) or not names_in(offset) <= known:
                    continue
                if isinstance(offset, Binary) and (begins_row or _is_plain(offset)):
                    where = _where(offset)
                    if where not in seen:
                        seen.add(where)
                        self._name(offset, use.array, begins_row)

    def _is_done(self, offset: Expression) -> bool:
        return id(offset) in self.gone or id(offset) in self.named

    def _name(self, offset: Binary, array: str, begins_row: bool) -> None:
        """Give an offset a name if there are enough uses of it, all of the same value, and not all in one
        branch: the name is for that branch to give. A loop repeats its uses.
        """
        found = [use for use in self.same.get(_where(offset), []) if not self._is_done(use.value)]
        steps = self._steps(offset)
        uses = [*found, *(use for use, _ in steps)]
        holders = {id(use.holder) for use in uses}
        first, *others = [one for one in self.block if id(one) in holders]
        branches = {use.branch for use in uses}
        in_branch = not others and isinstance(first, If) and len(branches) == 1 and -1 not in branches
        repeated = begins_row and any(isinstance(one, For | While) for one in (first, *others))
        enough = len(uses) + repeated >= _fewest(offset)
        if in_branch or not enough or not _may_stand_first(first, offset):
            return
        position, *later = (at for at, one in enumerate(self.block) if id(one) in holders)
        between = self.block[position : max(later, default=position) + 1]
        if not names_in(offset).isdisjoint(changed_in_block(between)):
            return
        own = next((one for one in (first, *others) if _names_offset(one, found)), None)
        is_new = own is None
        if own is None:
            shared = len({use.array for use in uses}) > 1 or begins_row
            name, value = self._fresh(offset, array, shared), found[0].value
            own = Declare(offset.type, name, value, True, node=first.node)
        else:
            found = [use for use in found if use.value is not own.value]
            self.block[:] = [one for one in self.block if one is not own]
        self.block.insert(position, own)
        place = Name(offset.type, own.name)
        if is_new and _stem(offset, self.names) == "row_start":
            self.rows.append((offset, own, place))
        kept = [*walk(own.value or place)]
        for use, new in [*((use, place) for use in found), *((use, step(place)) for use, step in steps)]:
            use.put(new)
            self.gone |= {id(node) for node in walk(use.value)}.difference(map(id, kept))
        self.named.add(id(own.value))
        for node in kept:
            for use in self.same.get(_where(node), []) if isinstance(node, Binary) else []:
                if use.value is node and node is not own.value:
                    use.holder, use.branch = own, -1

    def _steps(self, offset: Binary) -> list[tuple[_Use, Callable[[Name], Expression]]]:
        """The elements that lie a step from an offset, and how each follows from its name."""
        if offset.operator == "*":
            return []
        found, form = [], _polynomial(offset)
        for use in self.moving.get(self._moving(offset), []):
            if not self._is_done(use.value) and use.value.type == offset.type:
                step = _step(use.value, offset, form)
                if step is not None:
                    found.append((use, step))
        return found

    def _moving(self, offset: Expression) -> object:
        """What is not fixed in an offset."""
        form = _polynomial(offset)
        return frozenset(pair for pair in form.items() if not self.names.fixed.issuperset(pair[0]))

    def _fresh(self, offset: Binary, array: str, shared: bool) -> str:
        """A new name: after the kind of offset, then what is new in it or the array, the array first if it
        is the only one.
        """
        stem = _stem(offset, self.names)
        told = self._tell_apart(offset) if stem == "row_start" else []
        taken = self.names.taken | self.declared
        moving = [node.name for node in walk(offset) if isinstance(node, Name)]
        moving = [name for name in moving if name not in self.names.fixed | {stem}]
        if not moving and offset.operator == "*":
            moving = [node.name for node in walk(offset.left) if isinstance(node, Name)]
        new = [name for name in moving if name not in self.names.made] or moving[-1:]
        geometric = [
            f"{together(some)}_{stem}" for some in (dict.fromkeys(moving), new) if 0 < len(some) <= _FEW
        ]
        after = [*geometric, f"{array}_{stem}"]
        numbered = (f"{stem}_{number}" for number in range(2, len(taken) + 3))
        spellings = (*told, stem, *(after if shared and stem != "start" else reversed(after)), *numbered)
        name: str = next(one for one in spellings if one not in taken)
        self.declared.add(name)
        self.names.made.update(moving)
        return name

    def _tell_apart(self, offset: Binary) -> list[str]:
        """Two rows of one block are called after what only one of them has: gives the first such a name too,
        and returns that of the second.
        """
        own = names_in(offset).difference(*(names_in(other) for other, _, _ in self.rows))
        for other, declaration, place in self.rows:
            theirs = names_in(other) - names_in(offset)
            if declaration.name == "row_start" and len(own) == len(theirs) == 1:
                name = f"{next(iter(theirs))}_row_start"
                if name not in self.names.taken | self.declared:
                    declaration.name = place.name = name
                    self.declared.add(name)
        return [f"{name}_row_start" for name in own] if len(own) == 1 and self.rows else []


def _declared(statement: Statement) -> list[str]:
    match statement:
        case Declare(name=name):
            return [name]
        case Unpack(names=names, declares=True):
            return names
        case _:
            return []


def _uses(block: list[Statement]) -> Iterator[_Use]:
    """Where integers are computed."""
    for holder in block:
        for branch, inner in enumerate([[], *blocks(holder)], -1):
            for one in [holder] if branch < 0 else statements(inner):
                for value, put in slots(one):
                    yield from _within(_Use(value, put, holder, branch, ""))


def _within(use: _Use) -> Iterator[_Use]:
    value = use.value
    if use.array or (isinstance(value, Binary) and value.type in (INT, SIZE, SIGNED_SIZE)):
        yield use
    for part, put in slots(value):
        offset = isinstance(value, Pointee) and part is value.offset
        array = _array(value.base) if offset else ""  # type: ignore[attr-defined]
        yield from _within(_Use(part, put, use.holder, use.branch, array))


def _array(base: Expression) -> str:
    """What a name says of the array that an offset belongs to."""
    match base:
        case Name(name=name):
            return name
        case Member(path=path):
            return path.rpartition(".")[-1]
        case _:
            return "element"


def _where(value: Expression) -> _Where:
    return value.type, key_of(value)


def _is_plain(offset: Expression) -> bool:
    """Whether an offset is made of names, and nothing but factors beside them."""
    match offset:
        case Name():
            return True
        case Member(value=only):
            return _is_plain(only)
        case Binary(operator="*", left=left, right=right):
            return all(isinstance(factor, Literal) or _is_plain(factor) for factor in (left, right))
        case Binary(operator="+", left=left, right=right):
            return _is_plain(left) and _is_plain(right)
        case Call(type=kind, arguments=[only]) if kind in (SIZE, SIGNED_SIZE):
            return _is_plain(only)
        case _:
            return False


def _row_start(offset: Expression) -> Expression | None:
    """The product with which a sum begins, if anybody may compute it anywhere."""
    while isinstance(offset, Binary) and offset.operator in ("+", "-"):
        offset = offset.left
    if not isinstance(offset, Binary) or offset.operator != "*":
        return None
    cheap = all(
        isinstance(node, Name | Literal | Binary) or (isinstance(node, Call) and node.function in _CHEAP)
        for node in walk(offset)
    )
    return offset if cheap else None


def _may_stand_first(first: Statement, offset: Expression) -> bool:
    """Whether what divides is computed in any case, in the statement that asks for it first: a divisor may be
    zero where it is not.
    """
    if not any(isinstance(node, Binary) and node.operator in "/%" for node in walk(offset)):
        return True
    nodes = [node for value, _ in slots(first) for node in walk(value)]
    chosen = any(isinstance(node, Conditional) for node in nodes)
    return not (blocks(first) or chosen) and not any(
        isinstance(node, Binary) and node.operator in ("&&", "||") for node in nodes
    )


def _fewest(offset: Binary) -> float:
    """The uses of what has a name. A sum alone, or a wide product of one name, is read as easily where it
    stands twice, any other product of one name always.
    """
    if all(node.operator == "+" for node in walk(offset) if isinstance(node, Binary)):
        return 3
    return 2 if len(names_in(offset)) > 1 else 3 if offset.type != INT else math.inf


def _stem(offset: Binary, names: _Names) -> str:
    """What a person calls an offset: that of a row by where the row lies, and that of a neighbour after its
    coordinates.
    """
    names_of = dict.fromkeys(node.name for node in walk(offset) if isinstance(node, Name))
    near = [name for name in names_of if _NEIGHBOUR.search(name)]
    if near:
        return "_".join([*near, "index" if offset.operator != "*" else "row_start"])
    if offset.operator != "*":
        return "index"
    if isinstance(offset.right, Literal):
        return "start"
    for node in walk(offset.left):
        match node:
            case Binary(operator="+" | "-" as operator, left=Name(name=name), right=Literal(value=1)) if (
                name not in names.fixed
            ):
                return "row_after" if operator == "+" else "row_before"
    return "row_start"


def _names_offset(statement: Statement, found: Sequence[_Use]) -> TypeGuard[Declare]:
    """Whether a statement gives what the uses compute a name."""
    return (
        isinstance(statement, Declare)
        and statement.constant
        and any(use.value is statement.value and use.value.type == statement.type for use in found)
    )


def _polynomial(value: Expression) -> _Polynomial:
    """An integer as a sum of products."""
    match value:
        case Literal(value=int(number)):
            return _Polynomial({(): number})
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            return _added(_polynomial(left), _polynomial(right), 1 if operator == "+" else -1)
        case Binary(operator="*", left=left, right=right):
            found = _Polynomial()
            for one, often in _polynomial(left).items():
                for other, times in _polynomial(right).items():
                    found[tuple(sorted(one + other))] += often * times
            return found
        case Call(type=kind, arguments=[only]) if kind in (SIZE, SIGNED_SIZE):
            return _polynomial(only)
        case _:
            return _Polynomial({(key_of(value),): 1})


def _added(one: _Polynomial, other: _Polynomial, factor: int) -> _Polynomial:
    found = _Polynomial(one)
    for product, often in other.items():
        found[product] += factor * often
    return _Polynomial({product: often for product, often in found.items() if often})


def _step(value: Expression, offset: Binary, form: _Polynomial) -> Callable[[Name], Expression] | None:
    """How an offset follows from another that has a name, if one product that never changes, or a number,
    lies between them and the other is no part of it.
    """
    apart = _added(_polynomial(value), form, -1)
    if len(apart) != 1 or not names_in(offset) <= names_in(value):
        return None
    where = _where(offset)
    if any(isinstance(node, Binary) and _where(node) == where for node in walk(value)):
        return None
    ((product, often),) = apart.items()

    def step(name: Name) -> Expression:
        if not product:
            return plus(name, Literal(INT, often))
        factors: list[Expression] = [Name(INT, one) for one in product]
        if abs(often) != 1:
            factors.insert(0, Literal(INT, abs(often)))
        if name.type != INT and len(factors) > 1:
            factors[-1] = widened(factors[-1], signed=name.type == SIGNED_SIZE)
        whole = functools.reduce(lambda one, other: Binary(name.type, "*", one, other), factors)
        return Binary(name.type, "+" if often > 0 else "-", name, whole)

    return step
