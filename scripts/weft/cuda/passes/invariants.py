"""Pass: what is the same in every turn of a loop stands before the loop.

Before: `for b in …: { row = i + a; col = j + b; if row < rows and col < cols: … }`. After: `row` is declared
before the loop, and the loop is in `if (row < rows)`; what is left of the test stays in it. Only arithmetic
moves, which has no effects: a load could meet a store, and a division a zero. An end that a function
computes, such as `min(i + 4, n)` of a loop over k, is `k_end`, before the loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from weft.cuda.conditions import joined, operands
from weft.cuda.contents import assigned_names, contents
from weft.cuda.fresh_names import take
from weft.cuda.passes.launch_place import strides_grid
from weft.cuda.traverse import above, all_blocks, blocks, place_of, walk
from weft.cuda.tree import (
    INT,
    Binary,
    Call,
    Cast,
    Conditional,
    Declare,
    Expression,
    Extent,
    For,
    Function,
    If,
    Literal,
    Name,
    Pointee,
    Statement,
    Unary,
    is_blank,
)

_Arithmetic = Name | Literal | Extent | Unary | Binary | Cast | Conditional


def move_invariants(function: Function) -> None:
    """Run the pass on one function, whose extents are still asked of arrays."""
    found = contents(function)
    declared = Counter(one.name for one in found.statements if isinstance(one, Declare))
    _move(function.body, {name for name, times in declared.items() if times == 1}, set(found.taken))


def move_before_strides(kernel: Function, unwritten: Collection[str]) -> None:
    """Pass: the same for what stands in grid-stride loops, loads of elements of `unwritten` arrays, too."""
    found = contents(kernel)
    declared = Counter(one.name for one in found.statements if isinstance(one, Declare))
    for block in all_blocks(kernel.body):
        for loop in [one for one in block if isinstance(one, For) and strides_grid(one)]:
            for one in [*loop.body]:
                own = assigned_names([loop])
                if (
                    isinstance(one, Declare)
                    and one.constant
                    and declared[one.name] == 1
                    and not one.trailing
                    and not isinstance(one.value, Name | Literal | None)
                    and all(_stays(node, own, unwritten) for node in walk(one.value))
                ):
                    loop.body[:] = [other for other in loop.body if other is not one]
                    block.insert(place_of(loop, block), one)


def _stays(node: Expression, own: Collection[str], unwritten: Collection[str]) -> bool:
    """Whether a node of an expression, apart from its parts, is the same in every turn of a loop."""
    match node:
        case Pointee(base=Name(name=name)):
            return name in unwritten
        case Name(name=name):
            return name not in own
        case Binary(operator="/" | "%", type=kind):
            return kind != INT
        case _:
            return isinstance(node, _Arithmetic)


def _move(block: list[Statement], once: Collection[str], taken: set[str]) -> None:
    """Move what loops in a block begin with; of variables those alone that are declared `once`."""
    for statement in [*block]:
        for inner in blocks(statement):
            _move(inner, once, taken)
        # A loop with a stride may be over all that there is for a grid, and nothing stands before that.
        if isinstance(statement, For) and statement.stride is None:
            at = place_of(statement, block)
            found = _declarations(statement, once)
            at = above(block, at) if found or isinstance(statement.stop, Call) else at
            block[at:at] = found
            at += len(found)
            if isinstance(statement.stop, Call):
                end = take(f"{statement.name}_end", taken)
                block.insert(at, Declare(statement.type, end, statement.stop, True, node=statement.node))
                statement.stop = Name(statement.type, end)
                at += 1
            if (test := _test(statement)) is not None:
                at = place_of(statement, block)
                block[at] = If(test, [statement], [], node=statement.node)


def _declarations(loop: For, once: Collection[str]) -> list[Statement]:
    """Take the constants that are the same in every turn out of a loop."""
    found: list[Statement] = []
    while True:
        own = assigned_names([loop])
        for at, one in enumerate(loop.body):
            if (
                isinstance(one, Declare)
                and one.constant
                and one.name in once
                and above(loop.body, at) == at
                and not one.trailing
            ):
                value = one.value
                if value is not None and not isinstance(value, Name | Literal) and _is_same(value, own):
                    found.append(loop.body.pop(at))
                    break
        else:
            return found


def _test(loop: For) -> Expression | None:
    """Take the part that is the same in every turn out of the test that a loop consists of."""
    match [one for one in loop.body if not is_blank(one)]:
        case [*before, If(otherwise=[]) as check] if all(_only_declares(one) for one in before):
            own = assigned_names([loop])
            tests = operands(check.test)
            same = [one for one in tests if _is_same(one, own)]
            others = [one for one in tests if not any(one is moved for moved in same)]
        case _:
            return None
    if not same or not others or check.trailing:
        return None
    check.test = joined(others)
    return joined(same)


def _only_declares(statement: Statement) -> bool:
    """Whether a statement only gives a result of arithmetic a name."""
    return (
        isinstance(statement, Declare)
        and statement.value is not None
        and all(isinstance(node, _Arithmetic) for node in walk(statement.value))
    )


def _is_same(value: Expression, own: Collection[str]) -> bool:
    """Whether a value is made by arithmetic of what the loop does not change."""
    nodes = walk(value)
    return all(
        (isinstance(node, _Arithmetic) or (isinstance(node, Call) and node.function in ("min", "max")))
        and not (isinstance(node, Name) and node.name in own)
        and not (isinstance(node, Binary) and node.operator in "/%" and node.type == INT)
        for node in nodes
    )
