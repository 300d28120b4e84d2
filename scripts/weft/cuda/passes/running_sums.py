"""Pass: a scan by the threads of a block gives the sum of their values, too.

Before: a block that needs the sum of what it scans asks for that alone, with a barrier of its own. After:
the scan adds the sum to a variable, which begins at zero. If results of the scan were added to a variable,
and the sum afterwards, it is that one, and the scan begins at its value.

Only sums of integers, which are the same in any order.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.cuda.contents import changed_in_block, contents
from weft.cuda.passes.scans import SHUFFLED
from weft.cuda.traverse import all_blocks, all_expressions, is_name, place_of, rewrite_block
from weft.cuda.tree import Assign, Binary, Call, Declare, Expression, Function, Name, Statement
from weft.cuda.values import zero
from weft.intrinsics import Effect

_SCAN = ("block_scan_sum",)
_SUMS = ("block_sum", "block_reduce_sum")


def add_up_in_scans(kernel: Function) -> None:
    """Run the pass on a kernel."""
    for block in all_blocks(kernel.body):
        for scan in [one for one in block if isinstance(one, Declare) and _summed(one, _SCAN)]:
            _add_up(kernel, block, scan)


def _summed(statement: Statement, functions: Sequence[str]) -> str:
    """The variable whose values one of some functions of the block combines for a constant, or ''."""
    match statement:
        case Declare(constant=True, value=Call(function=function, arguments=[Name(name=name, type=kind)])):
            return name if function in functions and kind in SHUFFLED else ""
        case _:
            return ""


def _add_up(kernel: Function, block: list[Statement], scan: Declare) -> None:
    """Let a scan add up its values, if the block asks for their sum afterwards."""
    at = place_of(scan, block)
    part, after = _summed(scan, _SCAN), block[at + 1 :]
    total = next((one for one in after if _summed(one, _SUMS) == part), None)
    if not isinstance(total, Declare) or part in changed_in_block(after[: place_of(total, after)]):
        return
    kind = scan.type
    carry = _begin_with_carry(kernel, scan, part, total, after)
    if carry is None:
        begin = Declare(kind, total.name, zero(kind), node=total.node)
        block[at:] = [begin, scan, *(one for one in after if one is not total)]
    else:
        block[at + 1 :] = [one for one in after if one is not total and one is not carry]
    to = Name(kind, total.name) if carry is None else carry.target
    name = "block_running_sum"
    scan.value = Call(kind, name, [Name(kind, part), to], (name, (kind,)), Effect.COLLECTIVE)


def _begin_with_carry(
    kernel: Function, scan: Declare, part: str, total: Declare, after: Sequence[Statement]
) -> Assign | None:
    """What adds the total to a variable that all results of the scan were added to before; they are not any
    more. None if one of these has another use.
    """
    adds = next((one for one in after if isinstance(one, Assign) and is_name(one.value, total.name)), None)
    if adds is None or adds.operator != "+" or not isinstance(adds.target, Name):
        return None
    carry, span = adds.target.name, list(after[: place_of(adds, after)])
    # An exclusive scan.
    before = Binary(scan.type, "-", Name(scan.type, scan.name), Name(scan.type, part))
    names = {scan.name, *(one.name for one in span if isinstance(one, Declare) and one.value == before)}

    def without_carry(node: Expression) -> Expression:
        match node:
            case Binary(operator="+", left=left, right=Name(name=name)) if name == carry:
                is_result = left == before or (isinstance(left, Name) and left.name in names)
                return left if is_result else node
            case _:
                return node

    inside = all_expressions(span)
    sums = [node for node in inside if without_carry(node) is not node]
    mentions = contents(kernel).mentions
    uses = sum(mentions[name] for name in names) - (len(names) - 1)
    carried = sum(is_name(node, carry) for node in inside)
    if not uses == carried == len(sums) or mentions[total.name] != 1:
        return None
    rewrite_block(span, without_carry)
    return adds
