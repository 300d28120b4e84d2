"""What a kernel does with its indices: which extents must agree, which arrays hold indices, what is written.

An abstract run over the typed tree. Every integer expression stands for a set of `Value`s; using them as
indices, bounds and clamps relates `Extent`s (a launch dimension, an axis of an array, an integer parameter).
Branches are joined, and loops run until nothing new can happen in them.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from weft.ir.bounds import Extent, add, bound
from weft.ir.index_builtins import builtin_result
from weft.ir.index_counters import Counters
from weft.ir.index_facts import IndexFacts, origin
from weft.ir.index_narrowing import limits
from weft.ir.index_values import (
    NOTHING,
    UNKNOWN,
    Holder,
    Meaning,
    Returned,
    Value,
    View,
    argument,
    span,
    values_extent,
)
from weft.leaves import leaves, structs_of
from weft.types import (
    Array,
    Scalar,
    Struct,
    Structs,
    Type,
    Vector,
    component_scalars,
    index_lengths,
    parse_type,
    strip_reference,
)


def index_facts(record: Mapping[str, Any], rank: int) -> IndexFacts:
    """The facts of a kernel's record; `rank` is the number of indices that it asks wp.tid() for."""
    callees = [call[4] for one in (record["kernel"], *record["functions"]) for call in one["calls"]]
    facts = IndexFacts(rank, uses_tid=any(callee.get("builtin") == "tid" for callee in callees))
    structs = structs_of(record)
    program = _Program({function["key"]: function for function in record["functions"]}, structs)
    arguments = [argument(one["name"], parse_type(one["type"])) for one in record["signature"]]
    _Run(facts, program, record["kernel"]).call(arguments)
    return facts


@dataclasses.dataclass(frozen=True)
class _Program:
    """What the functions of one record share. `results` has what calls gave, by function and arguments.

    Facts only grow, so a second run would add none, but deep calls would run exponentially often.
    """

    functions: Mapping[str, Any]
    structs: Structs
    results: dict[tuple[str, tuple[Meaning, ...]], Returned] = dataclasses.field(default_factory=dict)

    def run(self, facts: IndexFacts, function: Mapping[str, Any], arguments: tuple[Meaning, ...]) -> Returned:
        """What a function returns for these arguments; its facts are noted."""
        key = (function["key"], arguments)
        if key not in self.results:
            self.results[key] = _Run(facts, self, function).call(arguments)
        return self.results[key]


MAX_STEPS = 5


class _Run:
    """One execution of one function."""

    def __init__(self, facts: IndexFacts, program: _Program, function: Mapping[str, Any]) -> None:
        self.facts = facts
        self.program = program
        self.function = function
        self.calls = {tuple(call[:4]): call[4] for call in function["calls"]}
        self.values = {tuple(e[:4]): e[5] for e in function["expressions"] if len(e) > 5}
        self.types = {tuple(e[:4]): e[4] for e in function["expressions"]}
        self.environment: dict[str, Meaning] = {}
        self.returned = Returned()
        self.counters = Counters()
        self.left: list[list[dict[str, Meaning]]] = []

    def call(self, arguments: Sequence[Meaning]) -> Returned:
        names = [parameter["name"] for parameter in self.function["parameters"]]
        self.environment = dict(zip(names, arguments, strict=False))
        tree = ast.parse(self.function["source"]).body[0]
        assert isinstance(tree, ast.FunctionDef)
        self.block(tree.body)
        return self.returned

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Run statements; whether what follows them is reached."""
        return all(self.statement(statement) for statement in statements)

    def narrow(self, test: ast.expr, *, holds: bool) -> None:
        """Let a condition that holds, or does not, limit variables that are not known to be indices."""
        for name, limit, extra in limits(test, holds=holds):
            meaning = self.environment.get(name, NOTHING)
            loose = {item for item in meaning if isinstance(item, Value) and item.kind in ("unknown", "span")}
            more: Meaning = frozenset({Value("constant", offset=extra)})
            below = self.facts.below(self.facts.combine(ast.Add(), self.value(limit), more))
            if loose and UNKNOWN not in below:
                self.environment[name] = (meaning - loose) | below

    def branches(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> bool:
        """Run what a condition chooses from; whether what follows is reached."""
        known = self.values.get(_span(test))
        before = self.environment
        reached = []
        for statements, holds in ((body, True), (orelse, False)):
            if known is not (not holds):
                self.environment = dict(before)
                self.narrow(test, holds=holds)
                if self.block(statements):
                    reached.append(self.environment)
        self.environment = _joined(reached) if reached else before
        return bool(reached)

    def loop(self, below: Meaning | None, test: ast.expr | None, body: Sequence[ast.stmt]) -> None:
        """Run the body of a loop until nothing new can happen in it.

        `below` has the values of its variable, if it has one; `test` is the condition of a `while`.
        """
        self.counters.enter(below)
        for step in range(MAX_STEPS):
            before = dict(self.environment)
            self.left.append([])
            if test is not None:
                self.value(test)
                self.narrow(test, holds=True)
            reached = [self.environment] if self.block(body) else []
            self.environment = _joined([before, *reached, *self.left.pop()])
            growing = [name for name, meaning in self.environment.items() if meaning != before.get(name)]
            if not growing:
                break
            if step == MAX_STEPS - 2:
                # A variable that a loop carries on may reach any value.
                self.environment |= {name: self.environment[name] | {UNKNOWN} for name in growing}
        self.counters.leave()

    def statement(self, node: ast.stmt) -> bool:
        """Run one statement; whether what follows it is reached."""
        match node:
            case ast.Assign([ast.Tuple(targets)], value):
                meanings = self.several(value, len(targets))
                for target, meaning in zip(targets, meanings, strict=True):
                    self.assign(target, meaning)
            case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(left), ast.Add(), value)) if left == name:
                self.count(name, node, self.value(value))
            case ast.Assign(targets, value):
                for target in targets:
                    self.assign(target, self.value(value))
            case ast.AnnAssign(target, _, ast.expr() as value):
                self.assign(target, self.value(value))
            case ast.AugAssign(ast.Name(name), ast.Add(), value):
                self.count(name, node, self.value(value))
            case ast.AugAssign(ast.Name(name), operator, value):
                step = self.value(value)
                if not (isinstance(operator, ast.Sub) and self.left):
                    before = self.environment.get(name, NOTHING)
                    self.environment[name] = self.facts.combine(operator, before, step)
            case ast.AugAssign(target, _, value):
                self.value(value)
                self.facts.touch(self.value(target, store=True), read=True, write=True)
                self.note_sum(target)
            case ast.For(ast.Name(name), iterable, body):
                below = self.iterated(iterable)
                self.environment[name] = below
                self.loop(below, None, body)
            case ast.If(test, body, orelse):
                self.value(test)
                return self.branches(test, body, orelse)
            case ast.While(test, body):
                self.loop(None, test, body)
            case ast.Continue() | ast.Break():
                if self.left:
                    self.left[-1].append(self.environment)
                return False
            case ast.Return(ast.Tuple(values)):
                self.returned.add([self.value(value) for value in values])
                return False
            case ast.Return(ast.expr() as value):
                self.returned.add([self.value(value)])
                return False
            case ast.Return():
                return False
            case ast.Expr(value):
                self.value(value)
            case ast.With(_, body):
                return self.block(body)
        return True

    def count(self, name: str, site: ast.stmt, step: Meaning) -> None:
        """A variable that grows: at most by its step in each iteration of the loops around it."""
        before = self.environment.get(name)
        if before is None:
            return
        grown = self.counters.grown(name, (site.lineno, site.col_offset), step)
        if grown is None:
            self.environment[name] = before | {UNKNOWN}
            return
        values = [item for item in before if isinstance(item, Value)]
        start = max((item.offset for item in values if item.kind != "span"), default=0)
        spans = {item for item in values if item.kind == "span"}
        self.environment[name] = (before - spans) | {span(add(grown, bound({(): start})))}

    def note_sum(self, target: ast.expr) -> None:
        """Note that an element is added to in place, which is atomic."""
        scalars = self.scalars(target)
        indices: list[ast.expr] = []
        while isinstance(target, ast.Subscript | ast.Attribute):
            if isinstance(target, ast.Subscript):
                index = target.slice
                indices += index.elts if isinstance(index, ast.Tuple) else [index]
            target = target.value
        if indices and scalars:
            self.note_atomic(target, indices)

    def scalars(self, node: ast.expr) -> bool:
        """Whether a store target holds floats, or something of which this is not known."""
        known = self.type(node)
        try:
            return known is None or any(
                scalar.is_float for scalar in component_scalars(known, self.program.structs)
            )
        except (ValueError, KeyError):
            return True

    def assign(self, target: ast.expr, meaning: Meaning) -> None:
        if isinstance(target, ast.Name):
            self.environment[target.id] = meaning
        else:
            self.facts.touch(self.value(target, store=True), write=True)
            self.escape(meaning, target)

    def escape(self, meaning: Meaning, node: ast.expr) -> None:
        """Note that arrays go where this analysis does not follow them: anything may be done with them."""
        for item in meaning:
            names = [item.name] if isinstance(item, View) else []
            if isinstance(item, Holder):
                held = leaves([(item.name, Struct(item.struct))], self.program.structs)
                names = [name for name, declared in held if isinstance(declared, Array)]
            for name in names:
                self.facts.reads.add(name)
                self.facts.writes.add(name)
                self.facts.unknown.setdefault(name, (self.function, node))

    def several(self, value: ast.expr, count: int) -> list[Meaning]:
        if isinstance(value, ast.Tuple):
            return [self.value(item) for item in value.elts]
        if isinstance(value, ast.Call) and self.builtin(value) == "tid":
            return [frozenset({Value("index", Extent("tid", "", axis))}) for axis in range(count)]
        callee = self.calls.get(_span(value), {}) if isinstance(value, ast.Call) else {}
        if isinstance(value, ast.Call) and "function" in callee:
            returned = self.called_function(value, self.program.functions[callee["function"]])
            if len(returned.items) == count:
                return list(returned.items)
            return [returned.whole | {UNKNOWN}] * count
        meaning = self.value(value)
        return [meaning | {UNKNOWN}] * count

    def builtin(self, node: ast.Call) -> str | None:
        name = self.calls.get(_span(node), {}).get("builtin")
        return str(name) if name is not None else None

    def value(self, node: ast.expr, *, store: bool = False) -> Meaning:
        """What an expression may stand for; views are read here, unless the whole is a store target."""
        known = self.values.get(_span(node))
        if isinstance(known, int) and not isinstance(known, bool):
            return frozenset({Value("constant", offset=known)})
        match node:
            case ast.Constant(int(number)) if not isinstance(number, bool):
                return frozenset({Value("constant", offset=number)})
            case ast.Name(name):
                return self.environment.get(name, NOTHING)
            case ast.Subscript(target, index):
                return self.subscript(node, self.value(target, store=True), index, store=store)
            case ast.Attribute(target, attribute):
                meaning = self.value(target, store=True)
                if not store and isinstance(self.type(target), Vector):
                    return self.value(target)
                return self.attribute(meaning, attribute, store=store)
            case ast.BinOp(left, operator, right):
                one, other = self.value(left), self.value(right)
                if isinstance(operator, ast.FloorDiv | ast.Div | ast.Mod):
                    self.facts.divisors.update(filter(None, map(origin, other)))
                kind = self.type(node)
                if isinstance(kind, Scalar) and not kind.is_integer:
                    return NOTHING
                return self.facts.combine(operator, one, other)
            case ast.UnaryOp(_, operand):
                return frozenset({UNKNOWN}) if self.value(operand) else NOTHING
            case ast.Compare(left, _, comparators):
                sides = [self.value(item) for item in (left, *comparators)]
                self.facts.relate(sides)
                self.facts.note_constants(sides)
                return NOTHING
            case ast.BoolOp(boolean, operands):
                before = dict(self.environment)
                for operand in operands:
                    self.value(operand)
                    self.narrow(operand, holds=isinstance(boolean, ast.And))
                self.environment = before
                return NOTHING
            case ast.IfExp(test, body, orelse):
                self.value(test)
                before = dict(self.environment)
                self.narrow(test, holds=True)
                chosen = self.value(body)
                self.environment = dict(before)
                self.narrow(test, holds=False)
                chosen |= self.value(orelse)
                self.environment = before
                return chosen
            case ast.Call():
                return self.called(node)
            case ast.Tuple(items):
                return frozenset().union(*(self.value(item) for item in items))
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
        return NOTHING

    def subscript(self, node: ast.Subscript, target: Meaning, index: ast.expr, *, store: bool) -> Meaning:
        indices = [self.value(item) for item in (index.elts if isinstance(index, ast.Tuple) else [index])]
        indexed = self.type(node.value)
        for length, meaning in zip(index_lengths(indexed) if indexed else (), indices, strict=False):
            if length is not None:
                self.facts.picked(length, meaning)
        result: set[Value | View | Holder] = set()
        for item in target:
            if isinstance(item, View) and item.path == "shape":
                axis = next((v.offset for v in indices[0] if isinstance(v, Value)), 0)
                result.add(Value("count", Extent("axis", item.name, item.depth + axis)))
            elif isinstance(item, View):
                # Beyond the last axis, indices pick components of the element.
                wanted = indices[: item.ndim - item.depth]
                for axis, meaning in enumerate(wanted, start=item.depth):
                    self.facts.indexed(item.name, axis, meaning, (self.function, node))
                    if item.lists:
                        # By default, a list has as many indices as the axis has elements.
                        self.facts.indexed(item.lists[axis], 0, meaning, (self.function, node))
                view = dataclasses.replace(item, depth=item.depth + len(wanted))
                result.add(view if store or view.depth < view.ndim else self.loaded(view, view.path))
            elif isinstance(item, Holder):
                continue
            else:
                result.add(item)
        return frozenset(result)

    def loaded(self, view: View, path: str) -> Value:
        """An element of an array, or a member of it, as it is read."""
        self.facts.reads.add(view.name)
        return Value("loaded", Extent("axis", view.name), path=path)

    def attribute(self, target: Meaning, attribute: str, *, store: bool) -> Meaning:
        result: set[Value | View | Holder] = set()
        for item in target:
            path = "" if isinstance(item, Holder) else f"{item.path}.{attribute}".lstrip(".")
            if isinstance(item, View) and attribute == "shape":
                result.add(dataclasses.replace(item, path="shape"))
            elif isinstance(item, View) and attribute == "size" and item.ndim - item.depth == 1:
                result.add(Value("count", Extent("axis", item.name, item.depth)))
            elif isinstance(item, View) and store:
                result.add(dataclasses.replace(item, path=path))
            elif isinstance(item, View):
                result.add(self.loaded(item, path))
            elif isinstance(item, Holder):
                declared = dict(self.program.structs[item.struct]).get(attribute)
                result |= argument(f"{item.name}.{attribute}", declared) if declared else NOTHING
            elif item.kind == "loaded":
                result.add(dataclasses.replace(item, path=path))
        return frozenset(result)

    def type(self, node: ast.expr) -> Type | None:
        """The type of an expression's value."""
        index = self.types.get(_span(node))
        return None if index is None else strip_reference(parse_type(self.function["types"][index]))

    def iterated(self, iterable: ast.expr) -> Meaning:
        """What the variable of a loop may be."""
        if not (isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name)):
            return frozenset({UNKNOWN})
        arguments = [self.value(argument) for argument in iterable.args]
        end = arguments[1] if len(arguments) > 1 else arguments[0]
        if len(arguments) > 2 and any(isinstance(one, Value) and one.offset < 0 for one in arguments[2]):
            end = self.facts.combine(ast.Add(), arguments[0], frozenset({Value("constant", offset=1)}))
        below = self.facts.below(end)
        for item in below:
            if isinstance(item, Value) and item.extent and item.kind == "index":
                self.facts.loops.add(item.extent)
            elif isinstance(item, Value) and item.extent and item.kind == "loaded":
                self.facts.loops.add(values_extent(item.extent.name, item.path))
        return below

    def called(self, node: ast.Call) -> Meaning:
        callee = self.calls.get(_span(node), {})
        if "function" in callee:
            return self.called_function(node, self.program.functions[callee["function"]]).whole
        return builtin_result(self, node, callee)

    def note_atomic(self, node: ast.expr, indices: Sequence[ast.expr]) -> None:
        """Note a sum of floats that several threads add to, unless each thread has an element of its own."""
        axes = set()
        for index in indices:
            meaning = list(self.value(index))
            own = meaning[0] if len(meaning) == 1 else None
            if isinstance(own, Value) and own.kind == "index" and own.scale == 1 and own.extent:
                axes |= {own.extent.axis} if own.extent.kind == "tid" else set()
        if len(axes) < self.facts.rank:
            self.facts.float_atomics = True

    def called_function(self, node: ast.Call, function: Mapping[str, Any]) -> Returned:
        """What a user's function returns, once it has run on what it is given."""
        names = [parameter["name"] for parameter in function["parameters"]]
        given = dict(zip(names, (self.value(argument) for argument in node.args), strict=False))
        given |= {keyword.arg: self.value(keyword.value) for keyword in node.keywords if keyword.arg}
        if "native_snippet" in function or any(isinstance(one, ast.Starred) for one in node.args):
            for meaning in given.values():
                self.escape(meaning, node)
            return Returned(frozenset({UNKNOWN}))
        return self.program.run(self.facts, function, tuple(given.get(name, NOTHING) for name in names))


def _joined(environments: Sequence[dict[str, Meaning]]) -> dict[str, Meaning]:
    """What variables may be after one of several ways."""
    result: dict[str, Meaning] = {}
    for environment in environments:
        for name, meaning in environment.items():
            result[name] = result.get(name, NOTHING) | meaning
    return result


def _span(node: ast.expr) -> tuple[int, int, int, int]:
    return (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
