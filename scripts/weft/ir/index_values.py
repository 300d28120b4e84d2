"""What an abstract run over a kernel's typed tree knows: values, views, and the relations found."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping
from typing import Any, Literal


@dataclasses.dataclass(frozen=True)
class Extent:
    """A count of things: launch dimension `tid`, axis number `axis` of array `name`, or parameter `name`."""

    kind: Literal["tid", "axis", "parameter", "literal"]
    name: str
    axis: int = 0


@dataclasses.dataclass(frozen=True)
class Value:
    """What an integer may be, up to the constant `offset`.

    `index`: from 0 to the extent's end, times `scale`. `count`: the extent itself. `loaded`: an element (or
    its member `path`) of array `extent.name`; if `looped`, what a loop up to that runs through. `constant`:
    the offset. `unknown`: anything.
    """

    kind: Literal["index", "count", "loaded", "constant", "unknown"]
    extent: Extent | None = None
    offset: int = 0
    scale: int = 1
    path: str = ""
    looped: bool = False


@dataclasses.dataclass(frozen=True)
class View:
    """Array parameter `name`, `depth` of its `ndim` axes indexed; `path` leads to an element's member."""

    name: str
    ndim: int
    depth: int = 0
    path: str = ""


@dataclasses.dataclass(frozen=True)
class Holder:
    """A struct that is a parameter or a member of one: its path (`state.grid`) and the name of its type."""

    name: str
    struct: str


Meaning = frozenset[Value | View | Holder]

UNKNOWN = Value("unknown")
NOTHING: Meaning = frozenset()


@dataclasses.dataclass
class IndexFacts:
    """The result: relations between extents, and how each parameter is used."""

    same: list[tuple[Extent, Extent]] = dataclasses.field(default_factory=list)
    margins: dict[Extent, int] = dataclasses.field(default_factory=dict)
    scaled: dict[Extent, list[Value]] = dataclasses.field(default_factory=dict)
    minimum: dict[Extent, int] = dataclasses.field(default_factory=dict)
    holds_indices: dict[tuple[str, str], list[Extent]] = dataclasses.field(default_factory=dict)
    indexes: dict[str, list[Extent]] = dataclasses.field(default_factory=dict)
    bounds: set[Extent] = dataclasses.field(default_factory=set)
    loops: set[Extent] = dataclasses.field(default_factory=set)
    seeds: set[str] = dataclasses.field(default_factory=set)
    unknown: dict[str, tuple[Mapping[str, Any], ast.expr]] = dataclasses.field(default_factory=dict)
    reads: set[str] = dataclasses.field(default_factory=set)
    writes: set[str] = dataclasses.field(default_factory=set)
    uses_tid: bool = False


def combined(operator: ast.operator, left: Value, right: Value) -> Value:
    """The result of an operation on two integers."""
    match operator, left.kind, right.kind:
        case ast.Add(), ("index" | "count" | "loaded" | "constant"), "constant":
            return dataclasses.replace(left, offset=left.offset + right.offset)
        case ast.Add(), "constant", _:
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
        case ast.Mod(), ("index" | "loaded" | "unknown"), "constant" if right.offset > 0:
            return Value("index", Extent("literal", str(right.offset)))
        case ast.Mod(), "index", "count":
            return Value("index", right.extent)
    return UNKNOWN
