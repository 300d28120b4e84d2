"""Pass: side effects happen in the order that Warp gives them.

Before: an expression may hold several calls with side effects (random numbers, atomics, functions that
store), which C++ may evaluate in any order. After: wherever the order could matter, each such call is a
statement of its own that keeps its value in a name. Atomics on vectors whose old value is used take the form
that returns it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from weft.cuda.atomic_rules import fetching
from weft.cuda.source import FunctionSource
from weft.cuda.traverse import (
    RANDOM_EFFECTS,
    all_expressions,
    assigned_names,
    blocks,
    children,
    expressions,
    replace_children,
    root_name,
    walk,
)
from weft.cuda.tree import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Conditional,
    Element,
    Evaluate,
    Expression,
    Function,
    If,
    Name,
    Statement,
    While,
)


@dataclasses.dataclass(frozen=True)
class _Effect:
    """A call with a side effect. `lazy`: it may not happen; `eager`: C++ would skip it, Warp does not."""

    call: Call
    lazy: bool
    eager: bool


def mark_user_effects(functions: list[Function]) -> None:
    """Mark calls of user functions that store, update or print. Callees come before callers."""
    changing: set[str] = set()
    for function in functions:
        changes = False
        for expression in all_expressions(function.body):
            if isinstance(expression, Call) and expression.user in changing:
                expression.effect = "value"
            if isinstance(expression, Call) and expression.effect and expression.effect not in RANDOM_EFFECTS:
                changes = True
        if changes or any(_stores(statement) for statement in _all(function.body)):
            changing.add(function.key)


def _all(block: list[Statement]) -> Iterator[Statement]:
    for statement in block:
        yield statement
        for inner in blocks(statement):
            yield from _all(inner)


def _stores(statement: Statement) -> bool:
    return isinstance(statement, Assign) and root_name(statement.target) is None


def sequence(function: Function, source: FunctionSource) -> None:
    """Run the pass on one function."""
    taken = assigned_names(function.body) | {name for name, _ in function.parameters}
    taken |= {e.name for e in all_expressions(function.body) if isinstance(e, Name)}
    _Sequencer(source, taken).block(function.body)


class _Sequencer:
    def __init__(self, source: FunctionSource, taken: set[str]) -> None:
        self.source = source
        self.taken = taken

    def block(self, block: list[Statement]) -> None:
        position = 0
        while position < len(block):
            statement = block[position]
            for inner in blocks(statement):
                self.block(inner)
            before = self.statement(statement)
            block[position:position] = before
            position += len(before) + 1

    def statement(self, statement: Statement) -> list[Statement]:
        """Make the order of one statement safe; returns statements to put before it."""
        roots = expressions(statement)
        effects = [effect for root in roots for effect in _effects(root, False, False)]
        if not effects:
            return []
        last = roots[0] if isinstance(statement, Evaluate | Assign) else None
        others = [effect for effect in effects if effect.call is not last]
        before: list[Statement] = []
        if others and (len(others) > 1 or others[0].eager or self._conflicts(others[0], roots, statement)):
            if isinstance(statement, While) or any(effect.lazy for effect in others):
                self._refuse(
                    statement, "side effects in this order are not supported: put each in its own line"
                )
            names: dict[int, Name] = {}
            for effect in others:
                if self._conflicts(effect, roots, statement):
                    self._refuse(
                        statement, "this reads what a call in the same line changes: use a line for each"
                    )
                name = Name(effect.call.type, self._name(effect.call.effect))
                names[id(effect.call)] = name
            for effect in others:
                value = _replace(effect.call, names, keep=effect.call)
                before.append(
                    Assign(dataclasses.replace(names[id(effect.call)]), "", value, node=statement.node)
                )
            self._replace_in(statement, names)
        _fetch(statement)
        for one in before:
            _fetch(one)
        return before

    def _refuse(self, statement: Statement, message: str) -> None:
        assert statement.node is not None
        raise self.source.refusal(statement.node, message)

    def _name(self, stem: str) -> str:
        number = 0
        while f"{stem}{number}" in self.taken:
            number += 1
        self.taken.add(f"{stem}{number}")
        return f"{stem}{number}"

    def _conflicts(self, effect: _Effect, roots: list[Expression], statement: Statement) -> bool:
        """Whether the statement reads, outside of the call, what the call changes."""
        call = effect.call
        inside = {id(node) for node in walk(call)}
        outside = [node for root in roots for node in walk(root) if id(node) not in inside]
        addressed = {id(node.place) for root in roots for node in walk(root) if isinstance(node, AddressOf)}
        if isinstance(statement, Assign) and not statement.operator:
            addressed.add(id(statement.target))
        reads = [node for node in outside if isinstance(node, Element) and id(node) not in addressed]
        if call.effect in RANDOM_EFFECTS:
            state = root_name(call.arguments[0])
            others = {id(node.arguments[0]) for node in outside if isinstance(node, Call) and node.effect}
            return any(isinstance(n, Name) and n.name == state and id(n) not in others for n in outside)
        if call.user is not None:
            return bool(reads)
        changed = {_array_name(a.place) for a in call.arguments if isinstance(a, AddressOf)}
        return any(_array_name(node) in changed for node in reads)

    def _replace_in(self, statement: Statement, names: dict[int, Name]) -> None:
        for field in dataclasses.fields(statement):
            value = getattr(statement, field.name)
            if isinstance(value, Expression):
                setattr(statement, field.name, _replace(value, names))
            elif isinstance(value, list) and value and isinstance(value[0], Expression):
                setattr(statement, field.name, [_replace(item, names) for item in value])


def _replace(expression: Expression, names: dict[int, Name], keep: Expression | None = None) -> Expression:
    if id(expression) in names and expression is not keep:
        return dataclasses.replace(names[id(expression)])
    replace_children(expression, lambda part: _replace(part, names, keep))
    return expression


def _effects(expression: Expression, lazy: bool, eager: bool) -> Iterator[_Effect]:
    """Calls with side effects in the order in which Warp runs them."""
    match expression:
        case Conditional(test=test, then=then, otherwise=otherwise, eager=is_eager):
            yield from _effects(test, lazy, eager)
            for branch in (then, otherwise):
                yield from _effects(branch, lazy or not is_eager, eager or is_eager)
        case Binary(operator="&&" | "||", left=left, right=right):
            yield from _effects(left, lazy, eager)
            yield from _effects(right, True, eager)
        case _:
            for child in children(expression):
                yield from _effects(child, lazy, eager)
    if isinstance(expression, Call) and expression.effect:
        yield _Effect(expression, lazy, eager)


def _array_name(element: Expression) -> str | None:
    while not isinstance(element, Name):
        parts = children(element)
        if not parts:
            return None
        element = parts[0]
    return element.name


def _fetch(statement: Statement) -> None:
    """Give atomics on vectors the form that returns the old value, where it is used."""
    if isinstance(statement, If | While):
        return
    if isinstance(statement, Assign) and isinstance(statement.value, Call):
        statement.value = fetching(statement.value)
    for root in expressions(statement):
        for node in walk(root):
            if not (isinstance(statement, Evaluate) and node is root):
                replace_children(node, lambda part: fetching(part) if isinstance(part, Call) else part)
