"""Rewrites a finished body the way that people differ: which values have names.

What is computed stays the same to the last bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from weft.kernels.builder import Builder
from weft.kernels.emit import expression
from weft.kernels.passes import names_read
from weft.kernels.program import (
    Assign,
    Binary,
    Call,
    Conditional,
    Constant,
    Expr,
    Group,
    Item,
    Literal,
    Member,
    Name,
    Stmt,
    Unary,
)
from weft.kernels.statements import blocks_of, is_let, reads
from weft.kernels.words import tells

LONGEST_INLINED = 45


def apply(k: Builder) -> None:
    """All rewrites that the policy draws, in place. Tiles stay as they are."""
    if k.block_dim is not None:
        return
    blocks = list(blocks_of(k.body))
    if k.rng.chance(k.policy.inlined):
        _inline(k, blocks)


_DRAWING = ("wp.rand", "wp.sample_", "wp.poisson")


def _inline(k: Builder, blocks: Sequence[list[Stmt]]) -> None:
    """Values that are used once, by the statement after them, without a name; short ones only."""
    uses = Counter(name for block in blocks for statement in block for name in reads(statement))
    for block in blocks:
        at = 0
        while at + 1 < len(block):
            let, user = block[at], block[at + 1]
            at += 1
            if not (isinstance(let, Assign) and isinstance(user, Assign) and is_let(let)):
                continue
            assert isinstance(let.target, Name)
            name = let.target.name
            simple = uses[name] == 1 and not tells(k.doc, name) and not _is_random(let.value)
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
