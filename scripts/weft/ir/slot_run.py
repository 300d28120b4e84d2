"""A run over a kernel that notes where it stores, and which of that the order of the threads decides.

Functions are run where they are called, and a whole kernel until what is known of its arrays grows no more.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from weft.function_source import FunctionSource, root_name, span, stored_names
from weft.intrinsics import Effect, intrinsic
from weft.ir.kernel_sources import KernelSources
from weft.ir.slot_terms import Atom, Holder, Meaning, Term, View, atom, constant
from weft.subscript_indices import indices_of
from weft.types import Array, Reference, Scalar, Struct, strip_reference

MAX_RUNS = 8
MAX_PRODUCTS = 16


@dataclasses.dataclass(frozen=True)
class Touch:
    """Something that changes an element of an array: a store, or the atomic `builtin`. `conditions` are those
    around it that the order of the threads decides; `tainted` says that it decides what is stored."""

    view: View
    conditions: tuple[tuple[Meaning, bool], ...]
    tainted: bool
    builtin: str = ""
    step: int | None = None


@dataclasses.dataclass
class Noted:
    """What the run notes: touches, arrays of which anything may be, and what loop variables stay below.
    Elements of `unordered` arrays are tainted from the beginning.
    """

    unordered: frozenset[str] = frozenset()
    touches: list[Touch] = dataclasses.field(default_factory=list)
    unknown: set[str] = dataclasses.field(default_factory=set)
    below: dict[Atom, Term] = dataclasses.field(default_factory=dict)

    @property
    def written(self) -> set[str]:
        return {touch.view.name for touch in self.touches} | self.unknown

    @property
    def tainted(self) -> set[str]:
        """Arrays whose elements the order of the threads may decide, at any time of the launch."""
        return (
            self.unknown
            | self.unordered
            | {
                touch.view.name
                for touch in self.touches
                if touch.builtin or touch.tainted or touch.view.tainted or touch.conditions
            }
        )


def run_kernel(sources: KernelSources, unordered: Collection[str] = ()) -> Noted:
    """What a kernel does with its arrays, of which the elements of some are `unordered` before it."""
    noted = Noted(unordered=frozenset(unordered))
    for _ in range(MAX_RUNS):
        again = Noted(unordered=noted.unordered)
        arguments = [_argument(name, kind) for name, kind in sources.signature]
        _Run(sources, sources.kernel, again, noted, ()).call(arguments)
        if (again.written, again.tainted) == (noted.written, noted.tainted):
            return again
        noted = again
    noted.unknown |= noted.written
    return noted


def _argument(name: str, kind: Any) -> Meaning:
    match strip_reference(kind):
        case Array(_, ndim):
            return View(name, ndim)
        case Struct(struct):
            return Holder(name, struct)
    return atom("parameter", name)


class _Run:
    """One run of one function. `path` are the calls that led to it."""

    def __init__(
        self,
        sources: KernelSources,
        source: FunctionSource,
        noted: Noted,
        before: Noted,
        path: tuple[Any, ...],
        conditions: tuple[tuple[Meaning, bool], ...] = (),
    ) -> None:
        self.sources = sources
        self.source = source
        self.noted = noted
        self.before = before
        self.path = path
        self.conditions = conditions
        self.variables: dict[str, Meaning] = {}
        self.returned: list[Meaning] = []

    def call(self, arguments: Sequence[Meaning]) -> Meaning:
        self.variables = dict(zip(self.source.parameter_names, arguments, strict=False))
        self.block(self.source.definition.body)
        if len(self.returned) == 1:
            return self.returned[0]
        return self.unlike(self.source.definition, "returned", self.returned)

    def unlike(self, node: ast.AST, name: str, meanings: Iterable[Meaning]) -> Term:
        """A value that is one of several, or that nothing is known of but where it comes from."""
        tainted = bool(self.conditions) or any(one.tainted for one in meanings)
        return atom("unlike", self.path, span(node), name, tainted=tainted)

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Run statements; whether what follows them is reached."""
        return all(self.statement(statement) for statement in statements)

    def statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assign(targets, value):
                for target in targets:
                    self.assign(target, self.several(value, target), node)
            case ast.AnnAssign(target, _, ast.expr() as value):
                self.assign(target, [self.value(value)], node)
            case ast.AugAssign(ast.Name(name), operator, value):
                left = self.variables.get(name, constant(0))
                self.variables[name] = self.operation(node, operator, left, self.value(value), value)
            case ast.AugAssign(target, _, value):
                self.change(target, self.value(value), node, "atomic_add")
            case ast.If(test, body, orelse):
                return self.branches(node, test, body, orelse)
            case ast.For(target, iterable, body):
                self.loop(node, body, target, iterable)
            case ast.While(test, body):
                self.loop(node, body, None, test)
            case ast.Return(value):
                self.returned.append(self.value(value) if value is not None else constant(0))
                return False
            case ast.Break() | ast.Continue():
                return False
            case ast.Expr(value):
                self.value(value)
            case ast.With(_, body):
                return self.block(body)
        return True

    def several(self, value: ast.expr, target: ast.expr) -> list[Meaning]:
        """What is assigned to each of the targets."""
        if not isinstance(target, ast.Tuple):
            return [self.value(value)]
        count = len(target.elts)
        if isinstance(value, ast.Tuple):
            return [self.value(one) for one in value.elts]
        if self.source.builtin(value) == "tid":
            return [atom("tid", axis) for axis in range(count)]
        whole = self.value(value)
        return [self.unlike(value, str(number), [whole]) for number in range(count)]

    def assign(self, target: ast.expr, meanings: Sequence[Meaning], node: ast.stmt) -> None:
        if isinstance(target, ast.Tuple):
            for one, meaning in zip(target.elts, meanings, strict=True):
                self.assign(one, [meaning], node)
        elif isinstance(target, ast.Name):
            self.variables[target.id] = meanings[0]
        else:
            self.change(target, meanings[0], node, "")

    def change(self, target: ast.expr, value: Meaning, node: ast.stmt, builtin: str) -> None:
        """An element of an array, or a part of a variable, is assigned."""
        place = self.place(target)
        if isinstance(value, View):
            self.noted.unknown.add(value.name)
        if isinstance(place, View):
            self.touch(place, value.tainted, builtin)
            return
        if (name := root_name(target)) is not None:
            left = self.variables.get(name, constant(0))
            self.variables[name] = self.unlike(node, name, [left, value, place])

    def touch(self, view: View, tainted: bool, builtin: str = "", step: int | None = None) -> None:
        if len(view.indices) < view.ndim:
            self.noted.unknown.add(view.name)
        self.noted.touches.append(Touch(view, self.conditions, tainted, builtin, step))

    def branches(
        self, node: ast.If, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]
    ) -> bool:
        known = self.source.value(test)
        condition = self.value(test)
        outside, start = self.conditions, self.variables
        ends: list[tuple[dict[str, Meaning], bool]] = []
        left: list[tuple[Meaning, bool]] = []
        for statements, holds in ((body, True), (orelse, False)):
            if known is (not holds):
                continue
            self.variables = dict(start)
            self.conditions = inside = (*outside, (condition, holds)) if condition.tainted else outside
            if self.block(statements):
                ends.append((self.variables, holds))
                left += self.conditions[len(inside) :]
        if condition.tainted and len(ends) == 1 and known is None:
            left.append((condition, ends[0][1]))
        # The rest is run by those threads alone that have not returned.
        self.conditions = (*outside, *left)
        self.variables = dict(ends[0][0]) if ends else start
        for name in {name for variables, _ in ends[1:] for name in variables}:
            meanings = [variables.get(name, constant(0)) for variables, _ in ends]
            if any(one != meanings[0] for one in meanings):
                self.variables[name] = self.unlike(node, name, [condition, *meanings])
        return bool(ends)

    def loop(
        self,
        node: ast.For | ast.While,
        body: Sequence[ast.stmt],
        target: ast.expr | None,
        bound: ast.expr,
    ) -> None:
        """Run a body twice: first with what its variables hold before the loop, then with what may come back.
        What they hold afterwards is some value of theirs.
        """
        names = sorted(stored_names([node]))
        outside = self.conditions
        seen = {name: [self.variables[name]] for name in names if name in self.variables}
        for _ in range(2):
            for name, meanings in seen.items():
                self.variables[name] = self.unlike(node, name, meanings)
            condition = self.value(bound)
            if isinstance(target, ast.Name):
                self.variables[target.id] = self.counted(node, target.id, bound, condition)
            self.conditions = (*outside, (condition, True)) if condition.tainted else outside
            self.block(body)
            for name in names:
                if name in self.variables:
                    seen.setdefault(name, []).append(self.variables[name])
        # Where the order decides how often the body runs, it decides what is left by it.
        meanings_of_turns = [atom("turns", tainted=self.conditions != outside)]
        self.conditions = outside
        for name, meanings in seen.items():
            self.variables[name] = self.unlike(node, name, [*meanings, *meanings_of_turns])

    def counted(self, node: ast.For | ast.While, name: str, iterable: ast.expr, whole: Meaning) -> Term:
        """The variable of a loop, which runs from 0 if that is to be seen."""
        variable = atom("turn", self.path, span(node), name, tainted=whole.tainted)
        arguments = iterable.args if isinstance(iterable, ast.Call) else []
        bounds = [self.value(one) for one in arguments]
        from_zero = len(bounds) == 1 or (len(bounds) == 2 and bounds[0] == constant(0))
        if from_zero and isinstance(bounds[-1], Term):
            self.noted.below[variable.atoms()[0]] = bounds[-1]
        return variable

    def value(self, node: ast.expr) -> Meaning:
        """What an expression is; an element of an array is read."""
        known = self.source.value(node)
        if isinstance(known, int) and not isinstance(known, bool):
            return constant(known)
        match node:
            case ast.Constant(int(number)) if not isinstance(number, bool):
                return constant(number)
            case ast.Name() | ast.Subscript() | ast.Attribute():
                place = self.place(node)
                if isinstance(place, View) and place.ndim == len(place.indices):
                    return self.loaded(node, place)
                return place
            case ast.BinOp(left, operator, right):
                if (function := self.function(node)) is not None:
                    operands = dict(zip(function.parameter_names, (left, right), strict=True))
                    return self.called(node, function, operands)
                return self.operation(node, operator, self.value(left), self.value(right), node)
            case ast.Call():
                if (function := self.function(node)) is not None:
                    return self.called(node, function, function.given(node))
                return self.builtin(node, self.source.builtin(node))
        inner = [self.value(one) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
        return self.result(node, inner)

    def loaded(self, node: ast.expr, view: View) -> Term:
        if view.name in self.before.written | self.before.unordered:
            tainted = view.name in self.before.tainted or view.tainted
            return atom("changing", self.path, span(node), tainted=tainted)
        return atom("element", view)

    def place(self, node: ast.expr) -> Meaning:
        """What an expression stands for; of an element of an array, its place."""
        match node:
            case ast.Name(name):
                return self.variables.get(name, atom("global", name))
            case ast.Subscript(target):
                whole = self.place(target)
                indices = [self.value(one) for one in indices_of(node)]
                if isinstance(whole, View):
                    if any(isinstance(one, ast.Slice) for one in indices_of(node)):
                        self.lose(whole)
                        return atom("slice", whole.name, tainted=True)
                    terms = [*whole.indices, *map(_term, indices)]
                    part = (*whole.part, *terms[whole.ndim :])
                    return dataclasses.replace(whole, indices=tuple(terms[: whole.ndim]), part=part)
                return self.result(node, [whole, *indices])
            case ast.Attribute(target, attribute):
                whole = self.place(target)
                if isinstance(whole, Holder):
                    fields = dict(self.sources.structs[whole.struct])
                    return _argument(f"{whole.name}.{attribute}", fields[attribute])
                if isinstance(whole, View):
                    if len(whole.indices) < whole.ndim:
                        return atom("shape", whole, attribute)
                    return dataclasses.replace(whole, part=(*whole.part, attribute))
                return self.result(node, [whole])
        return self.value(node)

    def operation(
        self, node: ast.AST, operator: ast.operator, left: Meaning, right: Meaning, typed: ast.expr
    ) -> Meaning:
        """The result of an operation; `typed` is an expression of its type. Long ones are not written out."""
        kind = self.source.known_type(typed)
        whole = isinstance(kind, Scalar) and kind.is_integer
        if whole and isinstance(left, Term) and isinstance(right, Term):
            sizes = len(left.factors), len(right.factors)
            match operator:
                case ast.Add() if sum(sizes) <= MAX_PRODUCTS:
                    return left + right
                case ast.Sub() if sum(sizes) <= MAX_PRODUCTS:
                    return left - right
                case ast.Mult() if sizes[0] * sizes[1] <= MAX_PRODUCTS:
                    return left * right
        return self.result(node, [left, right])

    def result(self, node: ast.AST, meanings: Iterable[Meaning]) -> Term:
        """What is computed from some values, the same wherever this place of the text is meant."""
        return atom("result", self.path, span(node), tainted=any(one.tainted for one in meanings))

    def function(self, node: ast.expr) -> FunctionSource | None:
        callee = self.source.callee(node) or {}
        return self.sources.functions.get(callee.get("function", ""))

    def called(self, node: ast.expr, function: FunctionSource, given: Mapping[str, ast.expr]) -> Meaning:
        """The result of a user's function, run for these arguments."""
        arguments: dict[str, Meaning] = {name: atom("default", name) for name in function.defaults}
        arguments |= {name: self.value(one) for name, one in given.items()}
        references = any(isinstance(kind, Reference) for _, kind in function.parameters)
        if function.snippet is not None or references or arguments.keys() != {*function.parameter_names}:
            for one in given.values():
                self.lose(self.place(one))
            return atom("lost", tainted=True)
        path = (*self.path, span(node))
        run = _Run(self.sources, function, self.noted, self.before, path, self.conditions)
        return run.call([arguments[name] for name in function.parameter_names])

    def lose(self, meaning: Meaning) -> None:
        """Anything may be done with an array from here on."""
        match meaning:
            case View(name):
                self.noted.unknown.add(name)
            case Holder(name):
                held = [leaf for leaf in self.sources.types if leaf.startswith(f"{name}.")]
                self.noted.unknown |= {leaf for leaf in held if isinstance(self.sources.types[leaf], Array)}

    def builtin(self, node: ast.Call, name: str) -> Meaning:
        given = [*node.args, *(word.value for word in node.keywords)]
        arguments = [self.value(one) for one in given]
        effect = intrinsic(name).effect
        if name == "tid":
            return atom("tid", 0)
        if Scalar(name).is_integer and len(arguments) == 1:
            kind = self.source.known_type(given[0]) or Scalar(name)
            if isinstance(kind, Scalar) and kind.is_integer:
                return arguments[0]
        if effect is Effect.ATOMIC and isinstance(arguments[0], View) and not node.keywords:
            return self.atomic(node, name, arguments[0], arguments[1:])
        read = any(
            isinstance(one, View) and one.name in self.before.written | self.before.unordered
            for one in arguments
        )
        result = self.result(node, [*arguments, atom("read", tainted=read)])
        # What gives nothing may leave a result in what it is given.
        callee = self.source.callee(node)
        gives_nothing = callee is not None and callee.get("result") is None
        for one, argument in zip(given, arguments, strict=True):
            if effect not in (Effect.NONE, Effect.READS):
                self.lose(self.place(one) if gives_nothing else argument)
            if (gives_nothing or effect & Effect.RANDOM) and isinstance(one, ast.Name):
                self.variables[one.id] = self.unlike(one, one.id, [result])
        return result

    def atomic(self, node: ast.Call, name: str, view: View, arguments: Sequence[Meaning]) -> Term:
        count = view.ndim - len(view.indices)
        indices = [_term(one) for one in arguments[:count]]
        place = dataclasses.replace(view, indices=(*view.indices, *indices))
        values = arguments[count:]
        step = values[0].number if len(values) == 1 and isinstance(values[0], Term) else None
        self.touch(place, any(one.tainted for one in values), name, step)
        kind = "slot" if name == "atomic_add" else "atomic"
        return atom(kind, place, self.path, span(node), tainted=True)


def _term(meaning: Meaning) -> Term:
    """A meaning as an index."""
    return meaning if isinstance(meaning, Term) else atom("index", meaning)
