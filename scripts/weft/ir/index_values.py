"""What an abstract run over a kernel's typed tree knows: values, views, and the relations found."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence
from typing import Literal

from weft.array_parts import array_parts
from weft.ir.symbolic_bounds import Bound, Extent, add, bound, divide, is_small, multiply
from weft.types import Array, Scalar, Struct, Structs, Type, Vector, component_scalars


@dataclasses.dataclass(frozen=True)
class Value:
    """What an integer may be, up to the constant `offset`.

    `index`: from 0 to the extent's end, times `scale`. `count`: the extent itself. `loaded`: an element (or
    its member `path`) of array `extent.name`; if `looped`, what a loop up to that runs through. `constant`:
    the offset. `span`: from 0 to `upper`; if it counts rows of a certain length, that is `row`. `unknown`:
    anything.
    """

    kind: Literal["index", "count", "loaded", "constant", "span", "unknown"]
    extent: Extent | None = None
    offset: int = 0
    scale: int = 1
    path: str = ""
    looped: bool = False
    upper: Bound = ()
    row: Extent | None = None


@dataclasses.dataclass(frozen=True)
class View:
    """Array parameter `name`, `depth` of its `ndim` axes indexed; `path` leads to an element's member.

    `lists` are the leaves with the lists of indices of an indexed array, one for each axis, else empty.
    """

    name: str
    ndim: int
    depth: int = 0
    path: str = ""
    lists: tuple[str, ...] = ()

    def extent(self, axis: int) -> Extent:
        """How many indices there are along an axis."""
        if axis < len(self.lists):
            return Extent("axis", self.lists[axis], 0)
        return Extent("axis", self.name, axis)


@dataclasses.dataclass(frozen=True)
class Holder:
    """A struct that is a parameter or a member of one: its path (`state.grid`) and the name of its type."""

    name: str
    struct: str


Meaning = frozenset[Value | View | Holder]

UNKNOWN = Value("unknown")
NOTHING: Meaning = frozenset()

MAX_MEANINGS = 24

MOST_KEPT_BITS = 16
"""What a shift leaves is a table's index at most up to here."""


def constant(number: int) -> Meaning:
    """What stands for a number."""
    return frozenset({Value("constant", offset=number)})


def values(meaning: Meaning) -> list[Value]:
    """The integers that are meant, in an order that is the same in every run."""
    return sorted((item for item in meaning if isinstance(item, Value)), key=repr)


def views(meaning: Meaning) -> list[View]:
    """The arrays that are meant, in an order that is the same in every run."""
    return sorted((item for item in meaning if isinstance(item, View)), key=repr)


def values_extent(array: str, path: str) -> Extent:
    """The upper bound of the elements of an array, or of a member of them."""
    return Extent("values", f"{array}:{path}")


def upper(value: Value) -> Bound | None:
    """The greatest that a value can be; None where that is not known."""
    match value.kind:
        case "constant":
            return bound({(): value.offset})
        case "index" if value.extent and value.extent.kind == "literal":
            return bound({(): value.scale * (int(value.extent.name) - 1) + value.offset})
        case "index" if value.extent:
            return bound({(value.extent,): value.scale, (): value.offset - value.scale})
        case "count" if value.extent:
            return bound({(value.extent,): 1, (): value.offset})
        case "loaded" if value.extent:
            return bound({(values_extent(value.extent.name, value.path),): 1, (): value.offset - 1})
        case "span":
            return value.upper
    return None


def span(limit: Bound, row: Extent | None = None) -> Value:
    """Anything from 0 to `limit`."""
    return Value("span", upper=limit, row=row) if is_small(limit) else UNKNOWN


def combined(operator: ast.operator, left: Value, right: Value) -> Value:
    """The result of an operation on two integers."""
    match operator, left.kind, right.kind:
        case ast.Add(), ("index" | "count" | "loaded" | "constant"), "constant":
            return dataclasses.replace(left, offset=left.offset + right.offset)
        case ast.Add(), "constant", ("index" | "count" | "loaded"):
            return combined(operator, right, left)
        case ast.Sub(), ("index" | "count" | "loaded" | "constant"), "constant":
            return dataclasses.replace(left, offset=left.offset - right.offset)
        case ast.Sub(), "count", "index" if left.extent and right.scale == 1:
            return Value("index", left.extent, offset=left.offset + 1)
        case ast.Mult(), ("index" | "constant"), "constant" if left.kind == "index" or right.offset > 0:
            scale, offset = left.scale * right.offset, left.offset * right.offset
            return dataclasses.replace(left, scale=scale, offset=offset)
        case ast.Mult(), "constant", "index":
            return combined(operator, right, left)
        case ((ast.FloorDiv() | ast.Div()), ("index" | "loaded"), "constant") if right.offset > 0:
            return dataclasses.replace(left, offset=max(left.offset, 0))
        case (ast.Mod(), _, "constant") if right.offset > 0:
            return Value("index", Extent("literal", str(right.offset)))
        case ast.Mod(), _, "count":
            return Value("index", right.extent)
        case (ast.BitAnd(), _, "constant") if right.offset >= 0:
            return Value("index", Extent("literal", str(right.offset + 1)))
    return _bounded(operator, left, right)


def _bounded(operator: ast.operator, left: Value, right: Value) -> Value:
    """The span of a result, from the greatest that both sides can be; what is subtracted may be 0."""
    one, other = upper(left), upper(right)
    if one is None or other is None:
        return UNKNOWN
    match operator:
        case ast.Add():
            return span(add(one, other), right.row)
        case ast.BitXor() | ast.BitOr():
            return span(add(one, other))
        case ast.Mult():
            return span(multiply(one, other), right.extent if right.kind == "count" else None)
        case ast.FloorDiv() | ast.Div() if (
            left.kind == "span" and right.kind == "constant" and right.offset > 0
        ):
            return span(divide(one, right.offset))
        case ast.Sub() | ast.FloorDiv() | ast.Div() | ast.RShift():
            return left if left.kind == "index" else span(one)
        case ast.Mod():
            return span(add(other, bound({(): -1})))
        case ast.LShift() if right.kind == "constant" and 0 <= right.offset < 16:
            return span(multiply(one, bound({(): 2**right.offset})))
    return UNKNOWN


def shifted(result: Meaning, bits: int, by: Meaning) -> Meaning:
    """What a shift to the right of an unsigned number of so many bits leaves; `result` if that is less."""
    (step,) = by if len(by) == 1 else (UNKNOWN,)
    if not isinstance(step, Value) or step.kind != "constant":
        return result
    kept = bits - step.offset
    if not 0 < kept <= MOST_KEPT_BITS:
        return result
    below = 2**kept
    rest = Value("index", Extent("literal", str(below)))
    return frozenset(rest if _exceeds(item, below) else item for item in values(result))


def _exceeds(item: Value, below: int) -> bool:
    """Whether nothing says that a value is below a number."""
    limit = upper(item)
    return limit is None or any(factor >= below for _, factor in limit)


def argument(name: str, declared: Type) -> Meaning:
    """What a parameter, or the member `name` of one, stands for. All components of a vector are one count."""
    match declared:
        case Array(_, ndim):
            lists = [part.leaf(name) for part in array_parts(declared) if part.kind == "indices"]
            return frozenset({View(name, ndim, lists=tuple(lists))})
        case Struct(struct):
            return frozenset({Holder(name, struct)})
        case Scalar() | Vector(scalar=Scalar()):
            scalar = declared.scalar if isinstance(declared, Vector) else declared
            return frozenset({Value("count", Extent("parameter", name))}) if scalar.is_integer else NOTHING
    return NOTHING


def may_hold_floats(kind: Type | None, structs: Structs) -> bool:
    """Whether there is a float in values of a type, or may be, for it is not known."""
    try:
        return kind is None or any(scalar.is_float for scalar in component_scalars(kind, structs))
    except (ValueError, KeyError):
        return True


@dataclasses.dataclass
class Returned:
    """What a function returns, as a whole and, where it returns several things, one by one."""

    whole: Meaning = NOTHING
    items: tuple[Meaning, ...] = ()

    def add(self, meanings: Sequence[Meaning]) -> None:
        self.whole |= frozenset().union(*meanings)
        if len(meanings) > 1:
            known = self.items or (NOTHING,) * len(meanings)
            self.items = tuple(one | other for one, other in zip(known, meanings, strict=False))
