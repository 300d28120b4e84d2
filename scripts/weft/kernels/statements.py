"""What statements are made of: blocks within them, expressions of their own, and what they assign."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from weft.kernels.passes import names_read
from weft.kernels.program import (
    Assign,
    Binary,
    Call,
    Change,
    Conditional,
    Evaluate,
    Expr,
    For,
    Group,
    If,
    Item,
    Jump,
    Member,
    Name,
    Stmt,
    Unary,
    Unpack,
    While,
)


def blocks_of(body: list[Stmt]) -> Iterator[list[Stmt]]:
    """A body and all blocks within it."""
    yield body
    for statement in body:
        match statement:
            case If(then=then, otherwise=otherwise):
                yield from blocks_of(then)
                yield from blocks_of(otherwise)
            case For(body=inner) | While(body=inner):
                yield from blocks_of(inner)


def every_statement(body: Sequence[Stmt]) -> list[Stmt]:
    """All statements of a body, those of blocks within it after what they stand in."""
    found: list[Stmt] = []
    for statement in body:
        found.append(statement)
        match statement:
            case If(then=then, otherwise=otherwise):
                found += every_statement(then)
                found += every_statement(otherwise)
            case For(body=inner) | While(body=inner):
                found += every_statement(inner)
    return found


def own_expressions(statement: Stmt) -> Sequence[Expr]:
    """The expressions of a statement that it evaluates itself."""
    match statement:
        case Assign(target=target, value=value):
            return (value,) if isinstance(target, Name) else (value, target)
        case If(condition=condition) | While(condition=condition):
            return (condition,)
        case For(start=start, stop=stop, step=step):
            return (start, stop, step) if isinstance(step, Expr) else (start, stop)
        case Evaluate(call=call) | Change(call=call):
            return (call,)
        case Unpack(value=value) | Jump(value=Expr() as value):
            return (value,)
        case _:
            return ()


def operations(body: Sequence[Stmt]) -> int:
    """How many operators and calls a body has; loops count as what is in them."""
    waiting = [node for one in every_statement(body) for node in own_expressions(one)]
    found = 0
    while waiting:
        node = waiting.pop()
        found += isinstance(node, (Binary, Call, Unary, Conditional))
        waiting += parts(node)
    return found


def parts(node: Expr) -> Sequence[Expr]:
    """The expressions that an expression is made of, without those within them."""
    match node:
        case Binary(left=left, right=right):
            return left, right
        case Item(value=value, indices=indices):
            return value, *indices
        case Call(arguments=arguments, keywords=keywords):
            return *arguments, *(one for _, one in keywords)
        case Unary(operand=inner) | Member(value=inner):
            return (inner,)
        case Group(items=items):
            return items
        case Conditional(condition=condition, if_true=yes, if_false=no):
            return condition, yes, no
        case _:
            return ()


def change_own(statement: Stmt, change: Callable[[Expr], Expr]) -> None:
    """Put another expression in the place of each of the statement's own."""
    match statement:
        case Assign(target=target):
            statement.value = change(statement.value)
            if not isinstance(target, Name):
                statement.target = change(target)
        case Unpack():
            statement.value = change(statement.value)
        case Evaluate(call=call) | Change(call=call):
            new = change(call)
            assert isinstance(new, Call)
            statement.call = new
        case If() | While():
            statement.condition = change(statement.condition)
        case For():
            statement.start, statement.stop = change(statement.start), change(statement.stop)
            if isinstance(statement.step, Expr):
                statement.step = change(statement.step)
        case Jump(value=Expr() as value):
            statement.value = change(value)


def assigned_names(body: Sequence[Stmt]) -> list[str]:
    """The variables that get a value, as a whole or in part, each as often as it gets one."""
    found: list[str] = []
    for statement in every_statement(body):
        match statement:
            case Assign(target=target):
                base: Expr = target
                while isinstance(base, (Item, Member)):
                    base = base.value
                assert isinstance(base, Name)
                found.append(base.name)
            case Change(call=call):
                found += names_read(call.arguments[0])
            case Unpack(targets=targets):
                found += [one.name for one in targets]
            case For(variable=variable):
                found.append(variable.name)
    return found


def is_let(statement: Stmt) -> bool:
    """Does it name a value once and for all?"""
    return (
        isinstance(statement, Assign)
        and isinstance(statement.target, Name)
        and not statement.target.mutable
        and statement.operator is None
    )


def names_in(statement: Stmt) -> list[str]:
    """The names that stand in the expressions of a statement's own."""
    return [name for one in own_expressions(statement) for name in names_read(one)]


def reads(statement: Stmt) -> list[str]:
    """The names that a statement reads, without those of the blocks within it."""
    match statement:
        case Assign(target=Name(name=name), operator=str()):
            return [*names_in(statement), name]
        case _:
            return names_in(statement)
