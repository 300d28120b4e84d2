"""What the expressions of a function stand for at one point of the abstract run of `index_run`."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from weft.function_source import FunctionSource
from weft.ir.index_builtins import builtin_result
from weft.ir.index_facts import IndexFacts, origin
from weft.ir.index_narrowing import halves, limits, lower_sides
from weft.ir.index_references import referenced
from weft.ir.index_values import (
    NOTHING,
    UNKNOWN,
    Holder,
    Meaning,
    Returned,
    Value,
    View,
    argument,
    constant,
    shifted,
    values,
    values_extent,
    views,
)
from weft.ir.kernel_sources import KernelSources
from weft.ir.symbolic_bounds import Extent
from weft.leaves import leaves
from weft.subscript_indices import component_counts, indices_of
from weft.types import Array, Scalar, Struct, Type, Vector

Run = Callable[[FunctionSource, tuple[Meaning, ...]], Returned]
"""Says what a function returns for these arguments, once its facts are noted."""


class Scope:
    """The variables of a function, and by them the meaning of its expressions; uses of arrays are noted."""

    def __init__(self, facts: IndexFacts, sources: KernelSources, source: FunctionSource, run: Run) -> None:
        self.facts = facts
        self.sources = sources
        self.source = source
        self.run = run
        self.variables: dict[str, Meaning] = {}
        self.storing = False
        self.limits: dict[str, str] = {}
        self.lower: set[ast.expr] = set()

    def stored(self, target: ast.expr) -> Meaning:
        """The place that an assignment stores to; what its indices were loaded from is noted."""
        self.storing = True
        place = self.place(target)
        self.storing = False
        return place

    def narrow(self, test: ast.expr, *, holds: bool) -> None:
        """Let a condition that holds, or does not, limit variables that are not known to be indices."""
        for name, limit, extra in limits(test, holds=holds):
            self.limits[name] = ast.dump(limit)
            meaning = self.variables.get(name, NOTHING)
            loose = {item for item in values(meaning) if item.kind in ("unknown", "span")}
            below = self.facts.below(self.facts.combine(ast.Add(), self.value(limit), constant(extra)))
            if loose and UNKNOWN not in below:
                self.variables[name] = (meaning - loose) | below

    def middle(self, node: ast.expr) -> Meaning | None:
        """Where a search looks next, between a variable and its upper bound."""
        ends = halves(node)
        for low, high in (ends, ends[::-1]) if ends else ():
            if isinstance(low, ast.Name) and self.limits.get(low.id) == ast.dump(high):
                return frozenset(
                    dataclasses.replace(item, offset=max(item.offset, 0)) if item.kind == "index" else item
                    for item in values(self.facts.below(self.value(high)))
                )
        return None

    def tested(self, test: ast.expr) -> None:
        """Run a condition; an integer in place of one is compared with 0."""
        meaning = self.value(test)
        match test:
            case ast.Name() | ast.Attribute() | ast.Subscript():
                self.facts.note_constants([meaning, constant(0)])
            case ast.UnaryOp(ast.Not(), operand):
                self.tested(operand)
            case ast.BoolOp(_, operands):
                for operand in operands:
                    if isinstance(operand, ast.Name | ast.Attribute | ast.Subscript | ast.UnaryOp):
                        self.tested(operand)

    def operation(self, operator: ast.operator, left: Meaning, right: Meaning) -> Meaning:
        """What an operation on integers may give."""
        if isinstance(operator, ast.FloorDiv | ast.Div | ast.Mod):
            self.facts.divisors.update(filter(None, map(origin, values(right))))
        return self.facts.combine(operator, left, right)

    def several(self, value: ast.expr, count: int) -> list[Meaning]:
        """What each of several values may be that an assignment unpacks."""
        if isinstance(value, ast.Tuple):
            return [self.value(item) for item in value.elts]
        if self.source.builtin(value) == "tid":
            return [frozenset({Value("index", Extent("tid", "", axis))}) for axis in range(count)]
        if isinstance(value, ast.Call) and (function := self.user_function(value)) is not None:
            returned = self.called_function(value, function)
            if len(returned.items) == count:
                return list(returned.items)
            return [returned.whole | {UNKNOWN}] * count
        meaning = self.value(value)
        return [meaning | {UNKNOWN}] * count

    def place(self, node: ast.expr) -> Meaning:
        """What an expression may stand for, elements of arrays as places that are not read yet."""
        match node:
            case ast.Name(name):
                return self.variables.get(name, NOTHING)
            case ast.Subscript(target):
                return self.subscript(node, self.place(target))
            case ast.Attribute(target, attribute):
                return self.attribute(self.place(target), attribute)
        return self.value(node)

    def value(self, node: ast.expr) -> Meaning:
        """What an expression may be; the elements that it stands for are read."""
        known = self.source.value(node)
        if isinstance(known, int) and not isinstance(known, bool):
            return constant(known)
        match node:
            case ast.Constant(int(number)) if not isinstance(number, bool):
                return constant(number)
            case ast.Attribute(target) if isinstance(self.type(target), Vector):
                return self.value(target)
            case ast.Name() | ast.Subscript() | ast.Attribute():
                return frozenset(map(self.read, self.place(node)))
            case ast.BinOp(left, operator, right):
                by = self.value(right)
                result = self.operation(operator, self.value(left), by)
                if (middle := self.middle(node)) is not None:
                    return middle
                kind = self.type(node)
                if isinstance(operator, ast.RShift) and isinstance(kind, Scalar) and kind.is_unsigned:
                    return shifted(result, 8 * kind.bytes, by)
                return NOTHING if isinstance(kind, Scalar) and not kind.is_integer else result
            case ast.UnaryOp(ast.UAdd(), operand):
                return self.value(operand)
            case ast.UnaryOp(_, operand):
                return frozenset({UNKNOWN}) if self.value(operand) else NOTHING
            case ast.Compare(left, _, comparators):
                self.lower |= {low for low, _ in lower_sides(node)}
                sides = {item: self.value(item) for item in (left, *comparators)}
                self.facts.relate([meaning for side, meaning in sides.items() if side not in self.lower])
                self.facts.note_constants(list(sides.values()))
                return NOTHING
            case ast.BoolOp(boolean, operands):
                if isinstance(boolean, ast.And):
                    self.lower |= {low for low, _ in lower_sides(node)}
                before = dict(self.variables)
                for operand in operands:
                    self.value(operand)
                    self.narrow(operand, holds=isinstance(boolean, ast.And))
                self.variables = before
                return NOTHING
            case ast.IfExp(test, body, orelse):
                self.value(test)
                before = dict(self.variables)
                self.narrow(test, holds=True)
                chosen = self.value(body)
                self.variables = dict(before)
                self.narrow(test, holds=False)
                chosen |= self.value(orelse)
                self.variables = before
                return chosen
            case ast.Call():
                return self.called(node)
            case ast.Tuple(items):
                return frozenset().union(*(self.value(item) for item in items))
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
        return NOTHING

    def subscript(self, node: ast.Subscript, target: Meaning) -> Meaning:
        indices = [self.value(item) for item in indices_of(node)]
        for length, meaning in zip(component_counts(node.value, self.type), indices, strict=False):
            if length is not None:
                self.facts.picked(length, meaning)
        result: set[Value | View | Holder] = {*values(target)}
        for item in views(target):
            if item.path == "shape":
                axis = next((known.offset for known in values(indices[0])), 0)
                result.add(Value("count", item.extent(item.depth + axis)))
            else:
                # Beyond the last axis, indices pick components of the element.
                wanted = indices[: item.ndim - item.depth]
                for axis, meaning in enumerate(wanted, start=item.depth):
                    self.facts.indexed(item.name, axis, meaning, (self.source, node))
                    if self.storing:
                        self.facts.scatter(item.name, meaning)
                    if axis < len(item.lists):
                        self.facts.indexed(item.lists[axis], 0, meaning, (self.source, node))
                result.add(dataclasses.replace(item, depth=item.depth + len(wanted)))
        return frozenset(result)

    def attribute(self, target: Meaning, attribute: str) -> Meaning:
        result: set[Value | View | Holder] = set()
        for item in target:
            if isinstance(item, Holder):
                declared = dict(self.sources.structs[item.struct]).get(attribute)
                result |= argument(f"{item.name}.{attribute}", declared) if declared else NOTHING
            elif isinstance(item, View) and attribute == "size" and item.ndim - item.depth == 1:
                result.add(Value("count", Extent("axis", item.name, item.depth)))
            elif isinstance(item, View) or item.kind == "loaded":
                path = attribute if attribute == "shape" else f"{item.path}.{attribute}".lstrip(".")
                result.add(dataclasses.replace(item, path=path))
        return frozenset(result)

    def read(self, item: Value | View | Holder) -> Value | View | Holder:
        """An element of an array, or a member of one, when it is read; anything else unchanged."""
        if not isinstance(item, View) or item.path == "shape" or (item.depth < item.ndim and not item.path):
            return item
        self.facts.reads.add(item.name)
        return Value("loaded", Extent("axis", item.name), path=item.path)

    def iterated(self, iterable: ast.expr) -> Meaning:
        """What the variable of a loop may be."""
        if not (isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name)):
            return frozenset({UNKNOWN})
        arguments = [self.value(argument) for argument in iterable.args]
        end = arguments[1] if len(arguments) > 1 else arguments[0]
        if len(arguments) > 1:
            self.facts.bracket(arguments[0], arguments[1])
        if len(arguments) > 2 and any(one.offset < 0 for one in values(arguments[2])):
            end = self.facts.combine(ast.Add(), arguments[0], constant(1))
        below = self.facts.below(end)
        for item in values(below):
            if item.extent and item.kind == "index":
                self.facts.loops.add(item.extent)
            elif item.extent and item.kind == "loaded":
                self.facts.loops.add(values_extent(item.extent.name, item.path))
        return below

    def called(self, node: ast.Call) -> Meaning:
        if (function := self.user_function(node)) is not None:
            return self.called_function(node, function).whole
        return builtin_result(self, node, self.callee(node))

    def user_function(self, node: ast.Call) -> FunctionSource | None:
        """The user's function that a call is of."""
        return self.sources.functions.get(self.callee(node).get("function", ""))

    def called_function(self, node: ast.Call, function: FunctionSource) -> Returned:
        """The result of a user's function for these arguments."""
        passed = function.given(node)
        places = referenced(function)
        given = {
            name: self.by_reference(function, name, argument) if name in places else self.value(argument)
            for name, argument in passed.items()
        }
        if function.snippet is not None or any(isinstance(one, ast.Starred) for one in node.args):
            for meaning in given.values():
                self.escape(meaning, node)
            return Returned(frozenset({UNKNOWN}))
        return self.run(function, tuple(given.get(name, NOTHING) for name in function.parameter_names))

    def by_reference(self, function: FunctionSource, parameter: str, argument: ast.expr) -> Meaning:
        """What a place holds that a function is given, what the function does with it noted."""
        reads, writes = self.sources.place_uses.of(function, parameter)
        self.facts.touch(self.place(argument), write=writes)
        given = self.value(argument) if reads else NOTHING
        if writes and isinstance(argument, ast.Name) and argument.id in self.variables:
            self.variables[argument.id] |= {UNKNOWN}
        return given

    def callee(self, node: ast.Call) -> Mapping[str, Any]:
        return self.source.callee(node) or {}

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

    def escape(self, meaning: Meaning, node: ast.expr) -> None:
        """Note that arrays go where this analysis does not follow them: anything may be done with them."""
        for item in meaning:
            names = [item.name] if isinstance(item, View) else []
            if isinstance(item, Holder):
                held = leaves([(item.name, Struct(item.struct))], self.sources.structs)
                names = [name for name, declared in held if isinstance(declared, Array)]
            for name in names:
                self.facts.reads.add(name)
                self.facts.writes.add(name)
                self.facts.unknown.setdefault(name, (self.source, node))

    def type(self, node: ast.expr) -> Type | None:
        """The type of an expression's value."""
        return self.source.known_type(node)
