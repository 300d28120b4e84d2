"""Pass: side effects happen in the order that Warp gives them.

Before: an expression may hold calls with side effects (random numbers, atomics, functions that store), whose
order C++ leaves open. After: wherever the order could matter, such a call is a statement of its own that
keeps its value in a name, and so is what must be read before it. Atomics on vectors whose old value is used
take the form that returns it.

Warp evaluates the parts of an expression from left to right, and reads a variable or an element when the
operation that needs it runs: in `a[i] + f(a)` it reads the element after the call, in `2 * a[i] + f(a)`
before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from weft.cuda.atomic_rules import fetching
from weft.cuda.contents import Contents, contents, root_name
from weft.cuda.native import has_effects
from weft.cuda.passes.effects import Changes, bare, changes_of, conflicts, has_effect, views_of
from weft.cuda.slices import repeatable
from weft.cuda.traverse import (
    blocks,
    children,
    expressions,
    rename_in,
    replace_children,
    rewrite,
    statements,
    valued,
    walk,
)
from weft.cuda.tree import (
    BOOL,
    AddressOf,
    Assign,
    Binary,
    Call,
    Chain,
    Component,
    Conditional,
    Element,
    Evaluate,
    Expression,
    For,
    If,
    Jump,
    Let,
    Literal,
    Member,
    Name,
    Return,
    Statement,
    Unary,
    While,
)
from weft.cuda.values import compare
from weft.intrinsics import Effect
from weft.types import Reference

_Composed = Chain | Let
_Tested = If | While


def mark_user_effects(functions: list[Contents]) -> None:
    """Mark calls of user functions that store, update or print. Callees come before callers."""
    changing: set[str] = set()
    for one in functions:
        function = one.function
        changes = has_effects(function)
        for expression in one.nodes:
            if isinstance(expression, Call):
                if expression.user in changing:
                    expression.effect = Effect.UNKNOWN
                if expression.effect & ~Effect.RANDOM:
                    changes = True
        by_reference = {name for name, kind in function.parameters if isinstance(kind, Reference)}
        if (
            changes
            or any(_stores(s, by_reference) for s in one.statements)
            or (by_reference and by_reference & one.assigned)
        ):
            changing.add(function.key)


def _stores(statement: Statement, by_reference: set[str]) -> bool:
    if not isinstance(statement, Assign):
        return isinstance(statement, Evaluate)
    root = root_name(statement.target)
    return root is None or root in by_reference


def order_evaluation(before: Contents) -> Contents:
    """Run the pass on one function; returns its contents after it."""
    if not any(
        isinstance(node, _Composed) or (isinstance(node, Call) and node.effect) for node in before.nodes
    ):
        return before
    function = before.function
    _Orderer(before.taken, views_of(function.body)).block(function.body)
    return contents(function)


class _Orderer:
    """`taken` has all names of the function, `views` the array behind each name of a view."""

    def __init__(self, taken: set[str], views: dict[str, str]) -> None:
        self.taken = taken
        self.views = views
        self.stems: dict[str, str] = {}

    def block(self, block: list[Statement]) -> None:
        position = 0
        while position < len(block):
            statement = block[position]
            for inner in blocks(statement):
                self.block(inner)
            before: list[Statement] = []
            if any(has_effect(root) or _keeps(root) for root in expressions(statement)):
                before = self._statement(statement)
                self._name_kept([*before, statement])
                for one in [statement, *before]:
                    _fetch(one)
            block[position:position] = before
            position += len(before) + 1

    def _statement(self, statement: Statement) -> list[Statement]:
        """Make the order of one statement safe; returns statements to put before it."""
        match statement:
            case Assign(target=target, operator=""):
                before, value = self._settle(statement.value)
                first, places = self._settle_all([target], places=True)
                if first and (conflicts(_changes(first, self.views), value, self.views) or has_effect(value)):
                    # The value is read before the place is looked up.
                    before, value = self._keep(before, value, statement)
                statement.target, statement.value = places[0], value
                return [*before, *first]
            case Assign(target=target, value=value):
                before, (statement.target, statement.value) = self._settle_all([target, value], places=True)
                return before
            case Evaluate(value=Call() as value):
                before, parts = self._settle_all(children(value), places=True)
                _set_children(value, parts)
                return [*before, *self._own_state(value)]
            case While(test=test):
                before, test = self._settle(test)
                if before:
                    leave = If(_negated(test), [Jump("break")], [], node=statement.node)
                    statement.test = Literal(BOOL, True)
                    statement.body[0:0] = [*before, leave]
                else:
                    statement.test = test
                return []
            case If(test=test):
                before, statement.test = self._settle(test)
                return before
            case For(start=start, stop=stop, stride=stride):
                before, parts = self._settle_all([start, stop, *([stride] if stride else [])], apart=True)
                statement.start, statement.stop = parts[:2]
                statement.stride = parts[2] if stride else None
                return before
            case Return(values=values):
                before, statement.values = self._settle_all(values)
                return before
            case _:
                (value,) = expressions(statement)
                before, value = self._settle(value)
                statement.value = value  # type: ignore[attr-defined]
                return before

    def _settle(self, expression: Expression) -> tuple[list[Statement], Expression]:
        """Statements to run first, and an expression that C++ may evaluate in any order after them."""
        match expression:
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                before, left = self._settle(left)
                later, right = self._settle(right)
                expression.left, expression.right = left, right
                if not later:
                    return before, expression
                name = self._placeholder(BOOL, "condition")
                test: Expression = name if operator == "&&" else Unary(BOOL, "!", name)
                follow = If(test, [*later, Assign(_same(name), "", right)], [])
                return [*before, Assign(_same(name), "", left), follow], _same(name)
            case Conditional(eager=False):
                before, expression.test = self._settle(expression.test)
                first, expression.then = self._settle(expression.then)
                second, expression.otherwise = self._settle(expression.otherwise)
                if not first and not second:
                    return before, expression
                name = self._placeholder(expression.type, "value")
                branch = If(
                    expression.test,
                    [*first, Assign(_same(name), "", expression.then)],
                    [*second, Assign(_same(name), "", expression.otherwise)],
                )
                return [*before, branch], _same(name)
            case Chain(operators=operators, operands=operands):
                before, operands = self._settle_all(operands, apart=True)
                for number, operand in enumerate(operands[1:-1], 1):
                    if not repeatable(operand):
                        before, operands[number] = self._keep(before, operand, None)
                return before, compare(operators, operands)
            case Let(name=name, value=value, body=body):
                before, value = self._settle(value)
                kept = self._placeholder(value.type, "value")
                later, body = self._settle(rewrite(body, lambda node: valued(node, {name: kept})))
                return [*before, Assign(_same(kept), "", value), *later], body
            case _:
                # Both sides of wp.where are evaluated; C++ would skip one.
                eager = isinstance(expression, Conditional)
                places = isinstance(expression, AddressOf) or _is_place_call(expression)
                before, parts = self._settle_all(children(expression), apart=eager, places=places)
                _set_children(expression, parts)
                return [*before, *self._own_state(expression)], expression

    def _own_state(self, expression: Expression) -> list[Statement]:
        """A random number drawn with a state that is no variable advances a copy of it, which is dropped."""
        if not isinstance(expression, Call) or expression.user or not expression.effect & Effect.RANDOM:
            return []
        state = expression.arguments[0]
        if isinstance(state, Name):
            return []
        name = self._placeholder(state.type, "state")
        expression.arguments[0] = name
        return [Assign(_same(name), "", state)]

    def _settle_all(
        self, parts: list[Expression], apart: bool = False, places: bool = False
    ) -> tuple[list[Statement], list[Expression]]:
        """Like `_settle` for several parts in this order. `apart`: none keeps a side effect in itself;
        `places`: the first is a place, of which nothing but its indices can be kept.
        """
        settled = [
            self._settle_place(part) if places and number == 0 else self._settle(part)
            for number, part in enumerate(parts)
        ]
        befores = [list(before) for before, _ in settled]
        results = [part for _, part in settled]
        keep = self._to_keep(befores, results, apart)
        all_before: list[Statement] = []
        for number, part in enumerate(results):
            before = befores[number]
            if number in keep:
                if places and number == 0:
                    before, part = self._keep_indices(before, part)
                else:
                    before, part = self._keep(before, part, None)
            all_before += before
            results[number] = part
        return all_before, results

    def _to_keep(self, befores: list[list[Statement]], parts: list[Expression], apart: bool) -> set[int]:
        """Which parts need a name: those whose side effects, or whose reads, would come in another order."""
        effects = [has_effect(part) for part in parts]
        inline = [changes_of(part, self.views) for part in parts]
        keep = {i for i, effect in enumerate(effects) if effect and (apart or sum(effects) > 1)}
        for i, effect in enumerate(effects):
            others = [part for j, part in enumerate(parts) if j != i]
            if effect and any(conflicts(inline[i], other, self.views, True) for other in others):
                keep.add(i)
        for i, part in enumerate(parts):
            later = Changes()
            for j in range(i + 1, len(parts)):
                later = later.joined(_changes(befores[j], self.views))
                if j in keep:
                    later = later.joined(inline[j])
            follows = any(befores[j] or j in keep for j in range(i + 1, len(parts)))
            if (effects[i] and follows) or conflicts(later, part, self.views):
                keep.add(i)
        return keep

    def _settle_place(self, place: Expression) -> tuple[list[Statement], Expression]:
        """Like `_settle` for a place that is written: its indices alone are evaluated."""
        match place:
            case AddressOf():
                before, place.place = self._settle_place(place.place)
            case Member() | Component() | Element() | Call():
                before, parts = self._settle_all(children(place), places=True)
                _set_children(place, parts)
            case _:
                before = []
        return before, place

    def _keep_indices(self, before: list[Statement], place: Expression) -> tuple[list[Statement], Expression]:
        """Keep the indices of a place in names."""
        match place:
            case AddressOf():
                before, place.place = self._keep_indices(before, place.place)
            case Element(indices=indices) | Component(indices=indices):
                first = "array" if isinstance(place, Element) else "value"
                before, inner = self._keep_indices(before, getattr(place, first))
                setattr(place, first, inner)
                for number, index in enumerate(indices):
                    if not isinstance(index, Literal):
                        before, indices[number] = self._keep(before, index, None)
            case Member():
                before, place.value = self._keep_indices(before, place.value)
            case Call(arguments=[value, index, *_]):
                before, place.arguments[0] = self._keep_indices(before, value)
                before, place.arguments[1] = self._keep(before, index, None)
        return before, place

    def _keep(
        self, before: list[Statement], value: Expression, statement: Statement | None
    ) -> tuple[list[Statement], Expression]:
        """Keep a value in a name."""
        if bare(value) and statement is None and not has_effect(value):
            # Only its indices are evaluated now; the value is read when it is needed.
            return self._keep_indices(before, value)
        stem = (value.stem if isinstance(value, Call) else "") or "value"
        name = self._placeholder(value.type, stem)
        node = statement.node if statement is not None else None
        return [*before, Assign(name, "", value, node=node)], _same(name)

    def _placeholder(self, type: object, stem: str) -> Name:
        """A name that gets its spelling when the whole statement is settled."""
        name = f"\0{len(self.stems)}"
        self.stems[name] = stem
        return Name(type, name)  # type: ignore[arg-type]

    def _name_kept(self, block: list[Statement]) -> None:
        """Number the kept values in the order in which they are computed."""
        chosen: dict[str, str] = {}
        for statement in statements(block):
            if isinstance(statement, Assign) and isinstance(statement.target, Name):
                name = statement.target.name
                if name in self.stems and name not in chosen:
                    chosen[name] = self._free(self.stems[name])
        if chosen:
            rename_in(block, chosen)

    def _free(self, stem: str) -> str:
        number = 0
        while f"{stem}{number}" in self.taken:
            number += 1
        self.taken.add(f"{stem}{number}")
        return f"{stem}{number}"


def _same(name: Name) -> Name:
    return dataclasses.replace(name)


def _negated(test: Expression) -> Expression:
    return test.operand if isinstance(test, Unary) and test.operator == "!" else Unary(BOOL, "!", test)


def _keeps(expression: Expression) -> bool:
    return any(isinstance(part, _Composed) for part in walk(expression))


def _is_place_call(expression: Expression) -> bool:
    """Whether a call takes its first argument as a place that it changes or refers to."""
    return isinstance(expression, Call) and expression.function in ("component_ref", "row", "set_row")


def _set_children(expression: Expression, parts: list[Expression]) -> None:
    rest = iter(parts)
    replace_children(expression, lambda _: next(rest))


def _changes(block: list[Statement], views: dict[str, str]) -> Changes:
    result = Changes()
    for statement in statements(block):
        for root in expressions(statement):
            result = result.joined(changes_of(root, views))
    return result


def _fetch(statement: Statement) -> None:
    """Give atomics on vectors the form that returns the old value, where it is used."""
    for inner in (one for block in blocks(statement) for one in block):
        _fetch(inner)
    if isinstance(statement, Assign) and isinstance(statement.value, Call):
        statement.value = fetching(statement.value)
    for root in _roots(statement):
        for node in walk(root):
            if not (isinstance(statement, Evaluate) and node is root):
                replace_children(node, lambda part: fetching(part) if isinstance(part, Call) else part)


def _roots(statement: Statement) -> Iterator[Expression]:
    if not isinstance(statement, _Tested):
        yield from expressions(statement)
