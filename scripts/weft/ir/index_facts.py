"""What a kernel does with its indices: which extents must agree, which arrays hold indices, what is written.

An abstract run over the typed tree. Every integer expression stands for a set of `Value`s; using them as
indices, bounds and clamps relates `Extent`s (a launch dimension, an axis of an array, an integer parameter).
Statements run several times and assignments add up, so that the order of execution does not matter.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from weft.types import Array, Scalar, parse_type


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


Meaning = frozenset[Value | View]

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


def index_facts(record: Mapping[str, Any]) -> IndexFacts:
    """The facts of a kernel's record."""
    callees = [call[4] for call in record["kernel"]["calls"]]
    facts = IndexFacts(uses_tid=any(callee.get("builtin") == "tid" for callee in callees))
    functions = {function["key"]: function for function in record["functions"]}
    arguments: list[Meaning] = []
    for parameter in record["signature"]:
        declared = parse_type(parameter["type"])
        name = parameter["name"]
        if isinstance(declared, Array):
            arguments.append(frozenset({View(name, declared.ndim)}))
        elif isinstance(declared, Scalar) and declared.is_integer:
            arguments.append(frozenset({Value("count", Extent("parameter", name))}))
        else:
            arguments.append(NOTHING)
    _Run(facts, functions, record["kernel"]).call(arguments)
    return facts


class _Run:
    """One execution of one function."""

    def __init__(self, facts: IndexFacts, functions: Mapping[str, Any], function: Mapping[str, Any]) -> None:
        self.facts = facts
        self.functions = functions
        self.function = function
        self.calls = {tuple(call[:4]): call[4] for call in function["calls"]}
        self.values = {tuple(e[:4]): e[5] for e in function["expressions"] if len(e) > 5}
        self.environment: dict[str, Meaning] = {}
        self.returned: Meaning = NOTHING

    def call(self, arguments: Sequence[Meaning]) -> Meaning:
        names = [parameter["name"] for parameter in self.function["parameters"]]
        self.environment = dict(zip(names, arguments, strict=False))
        tree = ast.parse(self.function["source"]).body[0]
        assert isinstance(tree, ast.FunctionDef)
        for _ in range(2):
            self.block(tree.body)
        before = dict(self.environment)
        self.block(tree.body)
        growing = [name for name, meaning in self.environment.items() if meaning != before.get(name)]
        if growing:
            # A variable that a loop carries on may reach any value.
            self.environment |= {name: self.environment[name] | {UNKNOWN} for name in growing}
            self.block(tree.body)
        return self.returned

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign([ast.Tuple(targets)], value):
                meanings = self.several(value, len(targets))
                for target, meaning in zip(targets, meanings, strict=True):
                    self.assign(target, meaning)
            case ast.Assign([target], value):
                self.assign(target, self.value(value))
            case ast.AugAssign(ast.Name(name), _, value):
                self.value(value)
                if name in self.environment:
                    self.environment[name] |= {UNKNOWN}
            case ast.AugAssign(target, _, value):
                self.value(value)
                self.touch(self.value(target, store=True), read=True, write=True)
            case ast.For(ast.Name(name), iterable, body):
                self.environment[name] = self.environment.get(name, NOTHING) | self.iterated(iterable)
                self.block(body)
            case ast.If(test, body, orelse):
                self.value(test)
                self.block(body)
                self.block(orelse)
            case ast.While(test, body):
                self.value(test)
                self.block(body)
            case ast.Return(ast.expr() as value):
                self.returned |= self.value(value)
            case ast.Expr(value):
                self.value(value)

    def assign(self, target: ast.expr, meaning: Meaning) -> None:
        if isinstance(target, ast.Name):
            self.environment[target.id] = self.environment.get(target.id, NOTHING) | meaning
        else:
            self.touch(self.value(target, store=True), write=True)

    def several(self, value: ast.expr, count: int) -> list[Meaning]:
        if isinstance(value, ast.Tuple):
            return [self.value(item) for item in value.elts]
        if isinstance(value, ast.Call) and self.builtin(value) == "tid":
            return [frozenset({Value("index", Extent("tid", "", axis))}) for axis in range(count)]
        meaning = self.value(value)
        return [meaning | {UNKNOWN}] * count

    def touch(self, meaning: Meaning, *, read: bool = False, write: bool = False) -> None:
        """Note that elements of arrays are read or written."""
        for item in meaning:
            if isinstance(item, View):
                self.facts.reads |= {item.name} if read else set()
                self.facts.writes |= {item.name} if write else set()

    def builtin(self, node: ast.Call) -> str | None:
        name = self.calls.get(_span(node), {}).get("builtin")
        return str(name) if name is not None else None

    def value(self, node: ast.expr, *, store: bool = False) -> Meaning:
        """What an expression may stand for; views are read here, unless the whole is a store target."""
        known = self.values.get(_span(node))
        if isinstance(known, int) and not isinstance(known, bool):
            return frozenset({Value("constant", offset=known)})
        match node:
            case ast.Name(name):
                return self.environment.get(name, NOTHING)
            case ast.Subscript(target, index):
                return self.subscript(node, self.value(target, store=True), index, store=store)
            case ast.Attribute(target, attribute):
                return self.attribute(self.value(target, store=True), attribute, store=store)
            case ast.BinOp(left, operator, right):
                return self.combine(operator, self.value(left), self.value(right))
            case ast.UnaryOp(_, operand):
                return frozenset({UNKNOWN}) if self.value(operand) else NOTHING
            case ast.Compare(left, _, comparators):
                self.relate([self.value(item) for item in (left, *comparators)])
                return NOTHING
            case ast.BoolOp(_, operands):
                for operand in operands:
                    self.value(operand)
                return NOTHING
            case ast.IfExp(test, body, orelse):
                self.value(test)
                return self.value(body) | self.value(orelse)
            case ast.Call():
                return self.called(node)
            case ast.Tuple(items):
                return frozenset().union(*(self.value(item) for item in items))
        return NOTHING

    def subscript(self, node: ast.Subscript, target: Meaning, index: ast.expr, *, store: bool) -> Meaning:
        indices = [self.value(item) for item in (index.elts if isinstance(index, ast.Tuple) else [index])]
        result: set[Value | View] = set()
        for item in target:
            if isinstance(item, View) and item.path == "shape":
                axis = next((v.offset for v in indices[0] if isinstance(v, Value)), 0)
                result.add(Value("count", Extent("axis", item.name, item.depth + axis)))
            elif isinstance(item, View):
                # Beyond the last axis, indices pick components of the element.
                wanted = indices[: item.ndim - item.depth]
                for axis, meaning in enumerate(wanted, start=item.depth):
                    self.indexed(item.name, axis, meaning, node)
                view = dataclasses.replace(item, depth=item.depth + len(wanted))
                result.add(view if store or view.depth < view.ndim else self.loaded(view, view.path))
            else:
                result.add(item)
        return frozenset(result)

    def loaded(self, view: View, path: str) -> Value:
        """An element of an array, or a member of it, as it is read."""
        self.facts.reads.add(view.name)
        return Value("loaded", Extent("axis", view.name), path=path)

    def attribute(self, target: Meaning, attribute: str, *, store: bool) -> Meaning:
        result: set[Value | View] = set()
        for item in target:
            path = f"{item.path}.{attribute}".lstrip(".")
            if isinstance(item, View) and attribute == "shape":
                result.add(dataclasses.replace(item, path="shape"))
            elif isinstance(item, View) and store:
                result.add(dataclasses.replace(item, path=path))
            elif isinstance(item, View):
                result.add(self.loaded(item, path))
            elif item.kind == "loaded":
                result.add(dataclasses.replace(item, path=path))
        return frozenset(result)

    def indexed(self, array: str, axis: int, meaning: Meaning, node: ast.expr) -> None:
        """Note that the array is indexed by these values along an axis."""
        extent = Extent("axis", array, axis)
        facts = self.facts
        for item in meaning or {UNKNOWN}:
            if isinstance(item, View):
                continue
            if item.kind == "index" and item.extent and item.scale == 1:
                facts.same.append((item.extent, extent))
                facts.margins[extent] = max(facts.margins.get(extent, 0), item.offset)
            elif item.kind == "index":
                facts.scaled.setdefault(extent, []).append(item)
            elif item.kind == "count" and item.extent and item.offset < 0:
                facts.same.append((item.extent, extent))
                facts.bounds.add(item.extent)
            elif item.kind == "count" and item.extent and item.extent.kind == "parameter" and not item.offset:
                facts.indexes.setdefault(item.extent.name, []).append(extent)
            elif item.kind == "loaded" and item.extent and item.offset <= 0:
                facts.holds_indices.setdefault((item.extent.name, item.path), []).append(extent)
                facts.loops |= {extent} if item.looped else set()
            elif item.kind == "constant":
                facts.minimum[extent] = max(facts.minimum.get(extent, 1), item.offset + 1)
            else:
                facts.unknown.setdefault(array, (self.function, node))

    def relate(self, meanings: Sequence[Meaning]) -> None:
        """Note that an index is compared with, or clamped to, a count: it ranges over that many."""
        values = [item for meaning in meanings for item in meaning if isinstance(item, Value) and item.extent]
        for index in (value for value in values if value.kind == "index" and value.scale == 1):
            for count in (value for value in values if value.kind == "count"):
                if index.extent and count.extent:
                    self.facts.same.append((index.extent, count.extent))
                    self.facts.bounds.add(count.extent)

    def iterated(self, iterable: ast.expr) -> Meaning:
        """What the variable of a loop may be."""
        if not (isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name)):
            return frozenset({UNKNOWN})
        arguments = [self.value(argument) for argument in iterable.args]
        below = self.below(arguments[1] if len(arguments) > 1 else arguments[0])
        for item in below:
            if isinstance(item, Value) and item.extent and item.kind == "index":
                self.facts.loops.add(item.extent)
        return below

    def below(self, meaning: Meaning) -> Meaning:
        """Indices from 0 up to a count."""
        result: set[Value | View] = set()
        for item in meaning:
            if isinstance(item, View):
                continue
            if item.kind == "count" and item.extent:
                self.facts.bounds.add(item.extent)
                result.add(Value("index", item.extent, offset=max(item.offset, 0)))
            elif item.kind == "constant":
                result.add(Value("index", Extent("literal", str(max(item.offset, 1)))))
            elif item.kind == "index":
                result.add(item)
            elif item.kind == "loaded" and item.offset <= 0:
                result.add(dataclasses.replace(item, looped=True))
            else:
                result.add(UNKNOWN)
        return frozenset(result or {UNKNOWN})

    def combine(self, operator: ast.operator, left: Meaning, right: Meaning) -> Meaning:
        pairs = [(a, b) for a in left for b in right if isinstance(a, Value) and isinstance(b, Value)]
        return frozenset(_combined(operator, a, b) for a, b in pairs)

    def called(self, node: ast.Call) -> Meaning:
        callee = self.calls.get(_span(node), {})
        arguments = [self.value(argument) for argument in node.args]
        arguments += [self.value(keyword.value) for keyword in node.keywords]
        if "function" in callee:
            return _Run(self.facts, self.functions, self.functions[callee["function"]]).call(arguments)
        name = str(callee.get("builtin", ""))
        if name == "tid":
            return frozenset({Value("index", Extent("tid", ""))})
        if name.startswith("atomic_") and arguments:
            for item in arguments[0]:
                if isinstance(item, View):
                    for axis, meaning in enumerate(arguments[1:-1], start=item.depth):
                        self.indexed(item.name, axis, meaning, node)
            self.touch(arguments[0], read=True, write=True)
            return frozenset({UNKNOWN})
        if name in ("min", "max", "clamp"):
            self.relate(arguments)
            values = [item for meaning in arguments for item in meaning if isinstance(item, Value)]
            indices = [item for item in values if item.kind == "index"]
            return frozenset(dataclasses.replace(item, offset=0) for item in indices) or frozenset(values)
        if name in ("int32", "int64", "uint32", "uint64", "int16", "uint16", "int8", "uint8"):
            return arguments[0] if arguments else NOTHING
        if name == "where":
            return arguments[1] | arguments[2]
        if name == "len":
            views = [item for item in arguments[0] if isinstance(item, View)]
            return frozenset(Value("count", Extent("axis", view.name, view.depth)) for view in views)
        if name == "randi" and len(arguments) == 3:
            return self.below(arguments[2])
        if name == "rand_init":
            parameters = [item.extent for item in arguments[0] if isinstance(item, Value) and item.extent]
            self.facts.seeds |= {extent.name for extent in parameters if extent.kind == "parameter"}
        for meaning in arguments:
            self.touch(meaning, read=True)
        return frozenset({UNKNOWN}) if any(arguments) else NOTHING


def _combined(operator: ast.operator, left: Value, right: Value) -> Value:
    """The result of an operation on two integers."""
    match operator, left.kind, right.kind:
        case ast.Add(), ("index" | "count" | "loaded" | "constant"), "constant":
            return dataclasses.replace(left, offset=left.offset + right.offset)
        case ast.Add(), "constant", _:
            return _combined(operator, right, left)
        case ast.Sub(), ("index" | "count" | "loaded" | "constant"), "constant":
            return dataclasses.replace(left, offset=left.offset - right.offset)
        case ast.Sub(), "count", "index" if left.extent and right.scale == 1:
            return Value("index", left.extent, offset=left.offset + 1)
        case ast.Mult(), ("index" | "constant"), "constant" if left.kind == "index" or right.offset > 0:
            scale, offset = left.scale * right.offset, left.offset * right.offset
            return dataclasses.replace(left, scale=scale, offset=offset)
        case ast.Mult(), "constant", "index":
            return _combined(operator, right, left)
        case ((ast.FloorDiv() | ast.Div()), ("index" | "loaded"), "constant") if right.offset > 0:
            return dataclasses.replace(left, offset=max(left.offset, 0))
        case ast.Mod(), ("index" | "loaded" | "unknown"), "constant" if right.offset > 0:
            return Value("index", Extent("literal", str(right.offset)))
        case ast.Mod(), "index", "count":
            return Value("index", right.extent)
    return UNKNOWN


def _span(node: ast.expr) -> tuple[int, int, int, int]:
    return (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
