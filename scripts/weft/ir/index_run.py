"""What a kernel does with its indices: which extents must agree, which arrays hold indices, what is written.

An abstract run over the typed tree. Every integer expression stands for a set of `Value`s; using them as
indices, bounds and clamps relates `Extent`s (a launch dimension, an axis of an array, an integer parameter).
Branches are joined, and loops run until nothing new can happen in them.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence

from weft.function_source import FunctionSource
from weft.ir.index_counters import Counters
from weft.ir.index_facts import IndexFacts
from weft.ir.index_scope import Scope
from weft.ir.index_values import (
    NOTHING,
    UNKNOWN,
    Meaning,
    Returned,
    argument,
    may_hold_floats,
    span,
    values,
)
from weft.ir.kernel_sources import KernelSources
from weft.subscript_indices import indices_of
from weft.types import Vector


def index_facts(sources: KernelSources, rank: int) -> IndexFacts:
    """The facts of a kernel; `rank` is the number of indices that it asks wp.tid() for."""
    facts = IndexFacts(rank, uses_tid="tid" in sources.builtins, uses_tiles=sources.uses_tiles)
    arguments = [argument(name, kind) for name, kind in sources.signature]
    _Runs(facts, sources).call(sources.kernel, tuple(arguments))
    facts.follow_copies()
    facts.follow_scatters()
    return facts


@dataclasses.dataclass(frozen=True)
class _Runs:
    """The runs over the functions of a kernel. `results` has what calls gave, by function and arguments.

    Facts only grow, so a second run would add none, but deep calls would run exponentially often.
    """

    facts: IndexFacts
    sources: KernelSources
    results: dict[tuple[str, tuple[Meaning, ...]], Returned] = dataclasses.field(default_factory=dict)

    def call(self, function: FunctionSource, arguments: tuple[Meaning, ...]) -> Returned:
        """What a function returns for these arguments; its facts are noted."""
        key = (function.key, arguments)
        if key not in self.results:
            scope = Scope(self.facts, self.sources, function, self.call)
            self.results[key] = _Run(scope).call(arguments)
        return self.results[key]


MAX_STEPS = 5


class _Run:
    """One execution of one function. `heads` has what variables may be where iterations of a loop begin."""

    def __init__(self, scope: Scope) -> None:
        self.facts = scope.facts
        self.scope = scope
        self.returned = Returned()
        self.counters = Counters()
        self.left: list[list[dict[str, Meaning]]] = []
        self.heads: dict[ast.For | ast.While, dict[str, Meaning]] = {}

    def call(self, arguments: Sequence[Meaning]) -> Returned:
        function = self.scope.source
        self.scope.variables = dict(zip(function.parameter_names, arguments, strict=False))
        self.block(function.definition.body)
        return self.returned

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Run statements; whether what follows them is reached."""
        return all(self.statement(statement) for statement in statements)

    def branches(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> bool:
        """Run what a condition chooses from; whether what follows is reached."""
        known = self.scope.source.value(test)
        before = self.scope.variables
        reached = []
        for statements, holds in ((body, True), (orelse, False)):
            if known is not (not holds):
                self.scope.variables = dict(before)
                self.scope.narrow(test, holds=holds)
                if self.block(statements):
                    reached.append(self.scope.variables)
        self.scope.variables = _joined(reached) if reached else before
        return bool(reached)

    def loop(self, node: ast.For | ast.While, below: Meaning | None = None) -> None:
        """Run the body of a loop until nothing new can happen in it.

        `below` has the values of its variable, if it has one. A loop within a loop goes on from where it
        ended: if it began anew, each loop around it would multiply the iterations.
        """
        self.counters.enter(below)
        self.scope.variables = _joined([self.scope.variables, self.heads.get(node, {})])
        for step in range(MAX_STEPS):
            before = dict(self.scope.variables)
            self.left.append([])
            if isinstance(node, ast.While):
                self.scope.value(node.test)
                self.scope.narrow(node.test, holds=True)
            reached = [self.scope.variables] if self.block(node.body) else []
            self.scope.variables = _joined([before, *reached, *self.left.pop()])
            growing = [name for name, meaning in self.scope.variables.items() if meaning != before.get(name)]
            if not growing:
                break
            if step == MAX_STEPS - 2:
                # A variable that a loop carries on may reach any value.
                self.scope.variables |= {name: self.scope.variables[name] | {UNKNOWN} for name in growing}
        self.heads[node] = dict(self.scope.variables)
        self.counters.leave()

    def statement(self, node: ast.stmt) -> bool:
        """Run one statement; whether what follows it is reached."""
        match node:
            case ast.Assign([ast.Tuple(targets)], value):
                meanings = self.scope.several(value, len(targets))
                for target, meaning in zip(targets, meanings, strict=True):
                    self.assign(target, meaning)
            case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(left), ast.Add(), value)) if left == name:
                self.count(name, node, self.scope.value(value))
            case ast.Assign(targets, value):
                meaning = self.scope.value(value)
                for target in targets:
                    self.assign(target, meaning)
            case ast.AnnAssign(target, _, ast.expr() as value):
                self.assign(target, self.scope.value(value))
            case ast.AugAssign(ast.Name(name), ast.Add(), value):
                self.count(name, node, self.scope.value(value))
            case ast.AugAssign(ast.Name(name), operator, value):
                step = self.scope.value(value)
                if not (isinstance(operator, ast.Sub) and self.left):
                    before = self.scope.variables.get(name, NOTHING)
                    self.scope.variables[name] = self.facts.combine(operator, before, step)
            case ast.AugAssign(target, _, value):
                self.scope.value(value)
                self.facts.touch(self.scope.place(target), read=True, write=True)
                self.component(target, NOTHING)
                self.note_sum(target)
            case ast.For(ast.Name(name), iterable):
                below = self.scope.iterated(iterable)
                self.scope.variables[name] = below
                self.loop(node, below)
            case ast.If(test, body, orelse):
                self.scope.tested(test)
                return self.branches(test, body, orelse)
            case ast.While():
                self.loop(node)
            case ast.Continue() | ast.Break():
                if self.left:
                    self.left[-1].append(self.scope.variables)
                return False
            case ast.Return(ast.Tuple(values)):
                self.returned.add([self.scope.value(value) for value in values])
                return False
            case ast.Return(ast.expr() as value):
                self.returned.add([self.scope.value(value)])
                return False
            case ast.Return():
                return False
            case ast.Expr(value):
                self.scope.value(value)
            case ast.With(_, body):
                return self.block(body)
        return True

    def count(self, name: str, site: ast.stmt, step: Meaning) -> None:
        """A variable that grows: at most by its step in each iteration of the loops around it."""
        before = self.scope.variables.get(name)
        if before is None:
            return
        if not self.counters.trips:
            self.scope.variables[name] = self.facts.combine(ast.Add(), before, step)
            return
        grown = self.counters.grown(name, (site.lineno, site.col_offset), before, step)
        if grown is None:
            self.scope.variables[name] = before | {UNKNOWN}
            return
        spans = {item for item in values(before) if item.kind == "span"}
        self.scope.variables[name] = (before - spans) | {span(limit) for limit in grown}

    def note_sum(self, target: ast.expr) -> None:
        """Note that an element is added to in place, which is atomic."""
        floats = may_hold_floats(self.scope.type(target), self.scope.sources.structs)
        indices: list[ast.expr] = []
        while isinstance(target, ast.Subscript | ast.Attribute):
            if isinstance(target, ast.Subscript):
                indices += indices_of(target)
            target = target.value
        if indices and floats:
            self.scope.note_atomic(target, indices)

    def assign(self, target: ast.expr, meaning: Meaning) -> None:
        if isinstance(target, ast.Name):
            self.scope.variables[target.id] = meaning
        else:
            place = self.scope.stored(target)
            self.facts.touch(place, write=True)
            self.facts.copied(meaning, place)
            self.component(target, meaning)
            self.scope.escape(meaning, target)

    def component(self, target: ast.expr, meaning: Meaning) -> None:
        """A component of a local vector is stored: the vector may now be that, too."""
        vector = target.value if isinstance(target, ast.Subscript | ast.Attribute) else None
        if isinstance(vector, ast.Name) and isinstance(self.scope.type(vector), Vector):
            before = self.scope.variables.get(vector.id, NOTHING)
            self.scope.variables[vector.id] = before | (meaning or {UNKNOWN})


def _joined(environments: Sequence[dict[str, Meaning]]) -> dict[str, Meaning]:
    """What variables may be after one of several ways."""
    result: dict[str, Meaning] = {}
    for environment in environments:
        for name, meaning in environment.items():
            result[name] = result.get(name, NOTHING) | meaning
    return result
