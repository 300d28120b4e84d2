"""Joins loops over the same range that formulas wrote one by one: one pass over the neighbours, not three.

What each variable adds up, and in which order, stays the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.kernels.emit import expression, statement_lines
from weft.kernels.program import Assign, For, If, Jump, Name, Stmt, jumps
from weft.kernels.statements import assigned_names, every_statement, is_let, reads


def apply(body: list[Stmt]) -> None:
    """Join what can be joined of a body's own loops, in place."""
    at = 0
    while at < len(body):
        later = next((b for b in range(at + 1, len(body)) if _join(body, at, b)), None)
        at += later is None


def _join(body: list[Stmt], at: int, later: int) -> bool:
    """Let the loop at `later` be done by the one at `at`, if that changes nothing."""
    first, second = body[at], body[later]
    if not (isinstance(first, For) and isinstance(second, For) and _alike(first, second)):
        return False
    if not (_only_computes(first) and _only_computes(second)):
        return False
    kept = {name for one in body[:at] for name in assigned_names([one])}
    changed = kept & set(assigned_names([first]))
    moved: list[Stmt] = []
    stay: list[Stmt] = []
    for one in body[at + 1 : later]:
        names = set(assigned_names([one]))
        follows = bool(changed & _read_by(one)) or not _names_a_value(one, first)
        changed |= names if follows else set()
        (stay if follows else moved).append(one)
    outer = kept | set(assigned_names(moved))
    joined = _joined(first.body, second.body, outer)
    if changed & _read_by(second) or joined is None:
        return False
    first.body[:] = joined
    body[at : later + 1] = [*moved, first, *stay]
    return True


def _alike(first: For, second: For) -> bool:
    """Do two loops run over the same range under the same name?"""
    return statement_lines(For(first.variable, first.start, first.stop, first.step, [Jump("break")])) == (
        statement_lines(For(second.variable, second.start, second.stop, second.step, [Jump("break")]))
    )


def _only_computes(loop: For) -> bool:
    """Does a loop set variables only, without another loop in it, and end early by its first guard alone?"""
    sets = [one for one in every_statement(loop.body) if not isinstance(one, If | Jump)]
    plain = all(isinstance(one, Assign) and isinstance(one.target, Name) for one in sets)
    guards = sum(isinstance(one, If) and _leaves(one) for one in loop.body)
    return plain and guards == sum(1 for _ in jumps(loop.body)) <= 1


def _leaves(one: If) -> bool:
    return len(one.then) == 1 and isinstance(one.then[0], Jump) and not one.otherwise


def _names_a_value(one: Stmt, loop: For) -> bool:
    """Is it a variable's first value, of which the loop knows nothing?"""
    known = {loop.variable.name, *assigned_names(loop.body), *_read_by(loop)}
    return isinstance(one, Assign) and isinstance(one.target, Name) and one.target.name not in known


def _read_by(statement: Stmt) -> set[str]:
    """What a statement and the blocks within it read."""
    return {name for one in every_statement([statement]) for name in reads(one)}


def _joined(first: Sequence[Stmt], second: Sequence[Stmt], outer: set[str]) -> list[Stmt] | None:
    """The body that does both; None where a name means one thing in the first and another in the second."""
    texts = {"\n".join(statement_lines(one)) for one in first if is_let(one) or _is_guard(one)}
    own = set(assigned_names(first)) - outer
    result = list(first)
    if [_text(one) for one in first if _is_guard(one)] != [_text(one) for one in second if _is_guard(one)]:
        return None
    for one in second:
        if _text(one) in texts:
            continue
        if own & set(assigned_names([one])):
            return None
        last = result[-1]
        if (
            isinstance(one, If)
            and isinstance(last, If)
            and not (one.otherwise or last.otherwise)
            and (expression(one.condition) == expression(last.condition))
        ):
            inner = _joined(last.then, one.then, outer)
            if inner is None:
                return None
            result[-1] = If(last.condition, inner, [])
        else:
            result.append(one)
    return result


def _is_guard(one: Stmt) -> bool:
    return isinstance(one, If) and _leaves(one)


def _text(one: Stmt) -> str:
    return "\n".join(statement_lines(one))
