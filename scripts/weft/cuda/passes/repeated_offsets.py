"""Pass: an offset that several elements share has a name, and so has the start of a row of several elements.

Before: `out[y * width + x] = a[y * width + x] + a[(y - 1) * width + x] - a[y * width + max(x - 1, 0)]`.
After: `out[index] = a[index] + a[index - width] - a[row_start + max(x - 1, 0)]`, and before the first use, in
the innermost block that holds all of them, `const int row_start = y * width;` and
`const int index = row_start + x;`. A name of the user's own for an offset is that name.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeGuard

from weft.cuda.analysis.linear import Key, key_of, names_in
from weft.cuda.contents import contents
from weft.cuda.passes.offsets import SIGNED_SIZE, SIZE, plus, widened
from weft.cuda.traverse import blocks, clone, slots, statements, walk
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
)

_FEWEST = 2
_FEWEST_SIMPLE = 3
"""Uses of what has a name, and of a sum alone or what is made of one name, which are read almost as easily
where they stand.
"""

_CHEAP = ("max", "min", "size_t", "int64_t")
"""The functions that are called to find where a row starts."""

_Where = tuple[object, Key]
"""The type and the text of an integer."""

_Polynomial = Counter[tuple[Key, ...]]
"""Products of names, numbers and what else is no sum, and how often each is added."""


def name_offsets(function: Function, taken: Collection[str]) -> None:
    """Run the pass on a function in which all extents are parameters; `taken` are names of its extents."""
    before = contents(function)
    parameters = {name for name, _ in function.parameters} | set(taken)
    names = _Names(before.changed, parameters - before.changed, before.taken | set(taken))
    _name_in(function.body, names.fixed, set(), names)


@dataclasses.dataclass(frozen=True)
class _Names:
    """Names of one function: those that are `changed`, those that are `fixed`, and those that are `taken`
    where an offset is to have one.
    """

    changed: Collection[str]
    fixed: set[str]
    taken: set[str]

    def fresh(self, stem: str, array: str, block: list[Statement]) -> str:
        """A new name in a block, after the stem and perhaps the array."""
        taken = self.taken.union(*map(_declared, statements(block)))
        spellings = (stem, f"{array}_{stem}", *(f"{stem}_{number}" for number in range(2, len(taken) + 3)))
        name = next(name for name in spellings if name not in taken)
        self.taken.add(name)
        return name


@dataclasses.dataclass(frozen=True)
class _Use:
    """Where an integer is computed, what puts another in its place, and the array that it is an offset of."""

    value: Expression
    put: Callable[[Expression], None]
    array: str = ""


def _name_in(block: list[Statement], outer: set[str], counters: set[str], names: _Names) -> None:
    """Name the offsets that can be computed in this block but not round it, then those of the blocks in it.
    `outer` are names with one value for the whole block, which is run for each value of the `counters`.
    """
    own = {name for one in block for name in _declared(one)} - set(names.changed) | counters
    known = own | outer
    for begins_row in (False, True):
        for use in _offsets(block):
            offset = _row_start(use.value) if begins_row else use.value if _is_plain(use.value) else None
            read = names_in(offset) if offset is not None else frozenset()
            if offset is not None and read <= known and not read <= outer:
                _name(block, dataclasses.replace(use, value=offset), names)
    taken = names.taken.union(*map(_declared, block))
    for statement in block:
        counted = {statement.name} - set(names.changed) if isinstance(statement, For) else set()
        for inner in blocks(statement):
            _name_in(inner, known, counted, dataclasses.replace(names, taken=set(taken)))


def _declared(statement: Statement) -> list[str]:
    match statement:
        case Declare(name=name):
            return [name]
        case Unpack(names=names, declares=True):
            return names
        case _:
            return []


def _offsets(block: list[Statement]) -> list[_Use]:
    """The offsets of elements in a block, those that are equal once."""
    found = {_where(use.value): use for use in reversed(_uses(block)) if use.array}
    return [*reversed(found.values())]


def _uses(block: list[Statement]) -> list[_Use]:
    """Where integers are computed."""
    return [use for one in statements(block) for value, put in slots(one) for use in _within(value, put)]


def _within(value: Expression, put: Callable[[Expression], None], array: str = "") -> Iterator[_Use]:
    if array or (isinstance(value, Binary) and value.type in (INT, SIZE, SIGNED_SIZE)):
        yield _Use(value, put, array)
    for part, put_part in slots(value):
        named = ""
        if isinstance(value, Pointee) and part is value.offset:
            named = _array(value.base)
        yield from _within(part, put_part, named)


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


def _name(block: list[Statement], use: _Use, names: _Names) -> None:
    """Give an offset a name if there are enough uses of it in a block."""
    found = _sharing(block, use.value, names)
    fewest = _FEWEST if len(names_in(use.value)) > 1 and _multiplies(use.value) else _FEWEST_SIMPLE
    if isinstance(use.value, Name) or (fewest > _FEWEST and use.value.type == INT and _multiplies(use.value)):
        return
    if len(found) >= fewest and _may_stand_first(block, use.value, found, names):
        _declare(block, use, names)


def _multiplies(offset: Expression) -> bool:
    return any(isinstance(node, Binary) and node.operator == "*" for node in walk(offset))


def _sharing(block: list[Statement], offset: Expression, names: _Names) -> list[_Use]:
    """The uses of an offset, and the elements that lie a step from it, in a block."""
    where, form = _where(offset), _polynomial(offset)
    uses = _uses(block)
    same = [use for use in uses if isinstance(use.value, Binary) and _where(use.value) == where]
    if isinstance(offset, Binary) and offset.operator == "*":
        return same
    steps = [use for use in uses if use.array and _step(use.value, offset, form, names) is not None]
    return [*same, *steps]


def _may_stand_first(block: list[Statement], offset: Expression, found: list[_Use], names: _Names) -> bool:
    """Whether what divides is computed in any case: a divisor may be zero where it is not."""
    if not any(isinstance(node, Binary) and node.operator in "/%" for node in walk(offset)):
        return True
    first = next(one for one in block if _sharing([one], offset, names))
    chosen = (Conditional, If)
    return not blocks(first) and not any(
        isinstance(node, chosen) or (isinstance(node, Binary) and node.operator in ("&&", "||"))
        for value, _ in slots(first)
        for node in walk(value)
    )


def _declare(block: list[Statement], use: _Use, names: _Names) -> None:
    """Put the name before the first use, and in the place of all: in a branch if that holds them all."""
    offset = use.value
    found = _sharing(block, offset, names)
    holders = [one for one in block if _sharing([one], offset, names)]
    if len(holders) == 1 and isinstance(holders[0], If):
        for inner in blocks(holders[0]):
            if len(_sharing(inner, offset, names)) == len(found):
                _declare(inner, use, dataclasses.replace(names, taken=set(names.taken)))
                return
    position = next(at for at, one in enumerate(block) if one is holders[0])
    own = next((one for one in holders if _names_offset(one, found)), None)
    if own is None:
        own = Declare(offset.type, names.fresh(_stem(offset, names), use.array, block), clone(offset), True)
    else:
        found = [one for one in found if one.value is not own.value]
        block[:] = [one for one in block if one is not own]
    block.insert(position, own)
    name = Name(offset.type, own.name)
    form = _polynomial(offset)
    for one in found:
        step = None if _where(one.value) == _where(offset) else _step(one.value, offset, form, names)
        one.put(name if step is None else step(name))


def _stem(offset: Expression, names: _Names) -> str:
    """What a person calls an offset: that of a row by where the row lies."""
    if not isinstance(offset, Binary) or offset.operator != "*":
        return "index"
    if isinstance(offset.right, Literal):
        return "start"
    for node in walk(offset.left):
        match node:
            case Binary(operator="+" | "-" as operator, left=Name(name=name), right=Literal(value=1)) if (
                name not in names.fixed
            ):
                return "row_after" if operator == "+" else "row_before"
            case _:
                pass
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


def _step(
    value: Expression, offset: Expression, form: _Polynomial, names: _Names
) -> Callable[[Name], Expression] | None:
    """How an offset follows from another that has a name, if it is a step away from it: a number, an extent
    or what else never changes, once or several times.
    """
    if value.type != offset.type or not names_in(offset) <= names_in(value):
        return None
    apart = _added(_polynomial(value), form, -1)
    if len(apart) != 1:
        return None
    ((product, often),) = apart.items()
    if not all(name in names.fixed for name in product) or any(
        isinstance(node, Binary) and _where(node) == _where(offset) for node in walk(value)
    ):
        return None

    def stepped(name: Name) -> Expression:
        if not product:
            return plus(name, Literal(INT, often))
        factors: list[Expression] = [Name(INT, one) for one in product]
        if abs(often) != 1:
            factors.insert(0, Literal(INT, abs(often)))
        if name.type != INT and len(factors) > 1:
            factors[-1] = widened(factors[-1], signed=name.type == SIGNED_SIZE)
        step = factors[0]
        for factor in factors[1:]:
            step = Binary(name.type, "*", step, factor)
        return Binary(name.type, "+" if often > 0 else "-", name, step)

    return stepped
