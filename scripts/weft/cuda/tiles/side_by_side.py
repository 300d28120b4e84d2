"""Sums over k of several elements of a thread go side by side, so that it reads once what they share."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Collection, Iterator

from weft.cuda.contents import assigned_names, changed_in_block, mentioned_names
from weft.cuda.tiles.registers import TURN
from weft.cuda.tiles.squares import MOST_SUMS, adds, adds_products
from weft.cuda.traverse import blocks, rewrite_block
from weft.cuda.tree import INT, Assign, Component, Expression, For, Literal, Name, Registers, Statement
from weft.cuda.values import is_zero
from weft.types import Tile


def is_sum(statement: Statement) -> bool:
    """Whether a statement is a loop that does no more than add products to elements of a thread's own."""
    return adds_products(statement) and all(_is_own(one.target) for one in blocks(statement)[0])  # type: ignore[attr-defined]


def _is_own(target: Expression) -> bool:
    return isinstance(target, Name) or (isinstance(target, Component) and target.indices == [Name(INT, TURN)])


def keep_aside(body: list[Statement], fresh: Callable[[str], str]) -> None:
    """Give sums that go to shared memory a variable each."""
    for position in reversed(range(len(body))):
        match body[position]:
            case For(body=[Assign(target=Component() as target) as step]) as loop if adds(
                step
            ) and not _is_own(target):
                total = Name(target.type, fresh("sum"))
                rewrite_block(loop.body, lambda node: total if node == target else node)  # noqa: B023
                zero = Assign(total, "", Literal(target.type, 0), node=loop.node)
                body[position : position + 1] = [zero, loop, Assign(target, "+", total, node=loop.node)]


def join_sums(block: list[Statement]) -> None:
    """Join a sum with the one before it, if both run over the same k and neither needs the other."""
    position = 0
    while position < len(block):
        end = position + 1
        while end < len(block) and _is_first_value(block[end]):
            end += 1
        if end < len(block) and _may_join(block[position], block[position + 1 : end], block[end]):
            first, second = block[position], block[end]
            assert isinstance(first, For) and isinstance(second, For)
            joined = dataclasses.replace(first, body=[*first.body, *second.body])
            block[position : end + 1] = [*block[position + 1 : end], joined]
            position = end - 1
        else:
            position += 1


def _is_first_value(statement: Statement) -> bool:
    return isinstance(statement, Assign) and isinstance(statement.value, Literal) and not statement.operator


def _may_join(first: Statement, between: list[Statement], second: Statement) -> bool:
    if not (isinstance(first, For) and isinstance(second, For) and is_sum(first) and is_sum(second)):
        return False
    ranges = {(one.name, repr(one.start), repr(one.stop), one.step) for one in (first, second)}
    given, later = (changed_in_block(one) for one in (first.body, [*between, *second.body]))
    others = later - {second.name}
    return (
        len(ranges) == 1
        and not given & mentioned_names([*between, second])
        and not others & mentioned_names([first])
    )


def side_by_side(
    body: list[Statement], private: Collection[str], turns: int, fresh: Callable[[str], str]
) -> list[Statement]:
    """What is done for each of the elements that a thread has, with registers for the sums over k, so that
    these may go through all elements in each of their turns. Nothing if there are none, or if they may not.
    """
    if not 1 < turns <= MOST_SUMS or not any(map(is_sum, body)):
        return []
    totals = {name for one in body if is_sum(one) for name in assigned_names([one])} & {*private}
    others = {*private} - totals
    given = [one.target.name for one in body if _begins(one, totals)]  # type: ignore[attr-defined]
    if {*given} != totals - {one.name for one in body if isinstance(one, For)} or _crossing(body, others):
        return []
    lines: list[Statement] = []
    current: dict[str, str] = {}
    for at, one in enumerate(body):
        if _begins(one, totals):
            assert isinstance(one, Assign) and isinstance(one.target, Name)
            name = one.target.name
            copy = _copy_of(name, body[at + 1 :], totals)
            current[name] = copy or (fresh(name) if name in current else name)
            current |= {copy: copy} if copy else {}
            lines.append(Registers(one.target.type, current[name], (turns,), True, node=one.node))
            continue
        rewrite_block([one], functools.partial(_register, current=current, turns=turns))
        if not isinstance(one, Assign) or one.target != one.value:
            lines.append(one)
    return lines


def _copy_of(total: str, following: list[Statement], totals: Collection[str]) -> str:
    """The name to which a sum is handed on, if it has no other use; else ''."""
    until = next((at for at, one in enumerate(following) if _begins(one, {total})), len(following))
    uses = [one for one in following[:until] if total in mentioned_names([one]) and not is_sum(one)]
    match uses:
        case [Assign(target=Name(name=name), operator="", value=Name())] if name not in totals:
            given = [one for one in following if name in changed_in_block([one])]
            return name if len(given) == 1 else ""
        case _:
            return ""


def parts_of(body: list[Statement]) -> Iterator[tuple[Statement | None, list[Statement]]]:
    """The parts of what is done for each element: sums over k with what they do in a turn, declarations of
    registers alone, and what stands between them.
    """
    together: list[Statement] = []
    for one in body:
        if not isinstance(one, Registers) and not (is_sum(one) and _goes_through_registers(one)):
            together.append(one)
            continue
        if together:
            yield None, together
            together = []
        yield one, one.body if isinstance(one, For) else []
    if together:
        yield None, together


def _goes_through_registers(loop: Statement) -> bool:
    return isinstance(loop, For) and all(
        isinstance(one, Assign) and isinstance(one.target, Component) for one in loop.body
    )


def _begins(statement: Statement, totals: Collection[str]) -> bool:
    match statement:
        case Assign(target=Name(name=name), operator="", value=value):
            return name in totals and is_zero(value)
        case _:
            return False


def _crossing(body: list[Statement], private: Collection[str]) -> bool:
    """Whether some of these variables have a value from one part to another."""
    groups: list[list[Statement]] = [[]]
    for one in body:
        if is_sum(one):
            groups += [[one], []]
        else:
            groups[-1].append(one)
    loops = [{one.name for one in group if isinstance(one, For)} for group in groups]
    names = [mentioned_names(group) & {*private} - own for group, own in zip(groups, loops, strict=True)]
    return any(one & other for at, one in enumerate(names) for other in names[:at])


def _register(node: Expression, current: dict[str, str], turns: int) -> Expression:
    if not isinstance(node, Name) or node.name not in current:
        return node
    registers = Name(Tile(node.type, (turns,)), current[node.name])
    return Component(node.type, registers, "", [Name(INT, TURN)])
