"""Rewrites a finished body the way that people differ: which values have names.

What is computed stays the same to the last bit.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence

from weft.kernels.builder import Builder
from weft.kernels.emit import INDENT, WIDTH, expression, statement_lines
from weft.kernels.passes import names_read
from weft.kernels.program import (
    Assign,
    Binary,
    Call,
    Conditional,
    Constant,
    Evaluate,
    Expr,
    Group,
    Item,
    Literal,
    Member,
    Name,
    Stmt,
    Unary,
)
from weft.kernels.statements import (
    assigned_names,
    blocks_of,
    change_own,
    every_statement,
    is_let,
    names_in,
    own_expressions,
    reads,
)
from weft.types import Array

LONGEST_INLINED = 45
LONGEST_LINE = 78
WIDEST_LINE = 88
"""How long a statement may get by what is written out in it: the last, one that would fit in a line."""


def apply(k: Builder) -> None:
    """All rewrites, in place: what is read once or only stored gets no name. Tiles stay as they are."""
    blocks = list(blocks_of(k.body))
    _inline_loads(k, blocks)
    _inline_results(k, blocks)
    if k.block_dim is None and k.rng.chance(k.policy.inlined):
        _inline(k, blocks)


_DRAWING = ("wp.rand", "wp.sample_", "wp.poisson")


def _uses(blocks: Sequence[list[Stmt]]) -> Counter[str]:
    """How often each name is read."""
    return Counter(name for block in blocks for statement in block for name in reads(statement))


def _inline_loads(k: Builder, blocks: Sequence[list[Stmt]]) -> None:
    """An element that is read once gets no name, unless the line where it is used grows too long."""
    uses = _uses(blocks)
    for block in blocks:
        at = 0
        while at + 1 < len(block):
            let = block[at]
            at += 1
            if not (isinstance(let, Assign) and is_let(let) and _is_load(let.value)):
                continue
            assert isinstance(let.target, Name)
            if uses[let.target.name] != 1 or _is_told(k, let.target.name):
                continue
            user = _user(block[at:], let)
            if user is None or len(lines := statement_lines(user)) > 1 or len(lines[0]) > WIDTH:
                continue
            before = [expression(one) for one in own_expressions(user)]
            if sum(map(len, before)) + len(expression(let.value)) - len(let.target.name) > LONGEST_LINE:
                continue
            change_own(user, functools.partial(replaced, name=let.target.name, value=let.value))
            at -= 1
            del block[at]


_CASTS = ("float", "int", "wp.float16", "wp.float32", "wp.float64")


def _is_load(value: Expr) -> bool:
    """Is it an element of an array, at indices that have names, perhaps as another type?"""
    value = _uncast(value)
    if not (isinstance(value, Item) and isinstance(value.value, Name)):
        return False
    return isinstance(value.value.type, Array) and all(
        isinstance(one, (Name, Literal)) for one in value.indices
    )


def _user(following: Sequence[Stmt], let: Assign) -> Stmt | None:
    """The statement that reads a value, if nothing before it changes what the value is read from."""
    assert isinstance(let.target, Name)
    name, sources = let.target.name, set(names_read(let.value))
    for one in following:
        if isinstance(one, (Assign, Evaluate)) and name in names_in(one):
            return one
        touched = {
            *assigned_names([one]),
            *(each for inner in every_statement([one]) for each in _written(inner)),
        }
        if touched & sources or any(name in names_in(inner) for inner in every_statement([one])):
            return None
    return None


def _written(statement: Stmt) -> list[str]:
    """What an atomic may change."""
    return names_in(statement) if isinstance(statement, Evaluate) else []


def _inline_results(k: Builder, blocks: Sequence[list[Stmt]]) -> None:
    """What is only stored, or only added to a total, gets no name."""
    uses = _uses(blocks)
    for block in blocks:
        at = 0
        while at + 1 < len(block):
            let, user = block[at], block[at + 1]
            at += 1
            if not (isinstance(let, Assign) and isinstance(user, Assign) and is_let(let)) or _is_random(
                let.value
            ):
                continue
            assert isinstance(let.target, Name)
            name = let.target.name
            if not isinstance(_uncast(user.value), Name) or name not in names_read(user.value):
                continue
            if uses[name] != 1 or _is_told(k, name) or "wp.tile" in expression(let.value):
                continue
            before, user.value = user.value, replaced(user.value, name, let.value)
            fits = len(statement_lines(let)[0]) <= WIDTH - len(INDENT)
            if fits and max(map(len, statement_lines(user))) > WIDEST_LINE:
                user.value = before
                continue
            at -= 1
            del block[at]


def _uncast(value: Expr) -> Expr:
    """What is stored as another type, perhaps."""
    if isinstance(value, Call) and value.function in _CASTS and len(value.arguments) == 1:
        return value.arguments[0]
    return value


def _is_told(k: Builder, name: str) -> bool:
    """Does the docstring quote the name?"""
    return f"`{name}`" in k.doc


def _inline(k: Builder, blocks: Sequence[list[Stmt]]) -> None:
    """Values that are used once, by the statement after them, without a name; short ones only."""
    uses = _uses(blocks)
    for block in blocks:
        at = 0
        while at + 1 < len(block):
            let, user = block[at], block[at + 1]
            at += 1
            if not (isinstance(let, Assign) and isinstance(user, Assign) and is_let(let)):
                continue
            assert isinstance(let.target, Name)
            name = let.target.name
            simple = uses[name] == 1 and not _is_told(k, name) and not _is_random(let.value)
            if not simple or name not in names_read(user.value) or not k.rng.chance(0.5):
                continue
            if len(expression(let.value)) + len(expression(user.value)) > LONGEST_INLINED:
                continue
            user.value = replaced(user.value, name, let.value)
            at -= 1
            del block[at]


def _is_random(node: Expr) -> bool:
    """Does it draw a random number, which changes the state that it draws from?"""
    match node:
        case Call(function=function, arguments=arguments):
            drawn = isinstance(function, str) and function.startswith(_DRAWING)
            return drawn or any(map(_is_random, arguments))
        case Binary(left=left, right=right):
            return _is_random(left) or _is_random(right)
        case Unary(operand=operand):
            return _is_random(operand)
        case Conditional():
            return any(map(_is_random, (node.condition, node.if_true, node.if_false)))
        case _:
            return False


def replaced(node: Expr, name: str, value: Expr) -> Expr:
    """The expression with `value` in place of the variable."""
    match node:
        case Name(name=found):
            return value if found == name else node
        case Unary():
            return Unary(node.type, node.interval, node.operator, replaced(node.operand, name, value))
        case Binary():
            left, right = (replaced(one, name, value) for one in (node.left, node.right))
            return Binary(node.type, node.interval, node.operator, left, right)
        case Call():
            arguments = tuple(replaced(one, name, value) for one in node.arguments)
            keywords = tuple((key, replaced(one, name, value)) for key, one in node.keywords)
            return Call(node.type, node.interval, node.function, arguments, keywords)
        case Group(items=items):
            return Group(
                node.type, node.interval, tuple(replaced(one, name, value) for one in items), node.bare
            )
        case Item():
            indices = tuple(replaced(one, name, value) for one in node.indices)
            return Item(node.type, node.interval, replaced(node.value, name, value), indices)
        case Member():
            return Member(node.type, node.interval, replaced(node.value, name, value), node.field)
        case Conditional():
            parts = (replaced(one, name, value) for one in (node.condition, node.if_true, node.if_false))
            return Conditional(node.type, node.interval, *parts)
        case _:
            return node


def helper_body(node: Expr, names: dict[str, str]) -> Expr:
    """The expression with the helper's parameters in place of what the kernel passes."""
    text = expression(node)
    if text in names and not isinstance(node, (Literal, Constant)):
        return Name(node.type, node.interval, names[text])
    match node:
        case Unary():
            return Unary(node.type, node.interval, node.operator, helper_body(node.operand, names))
        case Binary():
            left, right = (helper_body(one, names) for one in (node.left, node.right))
            return Binary(node.type, node.interval, node.operator, left, right)
        case Call():
            arguments = tuple(helper_body(one, names) for one in node.arguments)
            return Call(node.type, node.interval, node.function, arguments, node.keywords)
        case Conditional():
            parts = (helper_body(one, names) for one in (node.condition, node.if_true, node.if_false))
            return Conditional(node.type, node.interval, *parts)
        case Item():
            indices = tuple(helper_body(one, names) for one in node.indices)
            return Item(node.type, node.interval, helper_body(node.value, names), indices)
        case _:
            return node
