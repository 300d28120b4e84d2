"""Pass: the atomic extremes of floats as those of integers, where no NaN is in memory.

Before: a float is compared and swapped until it stands. After: in an array that is described to hold numbers,
and that the kernel changes in no other way, one atomic on the bits is enough. Where none of them begins below
zero, larger ones are positive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from weft.cuda import launch_assumptions
from weft.cuda.traverse import all_expressions, statements
from weft.cuda.tree import FLOAT, AddressOf, Call, Evaluate, Function, Name, Pointee
from weft.launch import Launch
from weft.types import Scalar

_BY_BITS = {f"{one}_atomically": f"{one}_by_bits" for one in ("min", "max")}
_TYPES = (FLOAT, Scalar("float64"))


def compare_bits(functions: Sequence[Function], launch: Launch) -> set[str]:
    """Run the pass on the functions of a program, the kernel last: on all such atomics, or on none. Returns
    the arrays of which the program relies on it that they hold nothing negative.
    """
    kernel = functions[-1]
    nodes = [node for function in functions for node in all_expressions(function.body)]
    calls = [
        one for one in nodes if isinstance(one, Call) and one.function in _BY_BITS and one.type in _TYPES
    ]
    updated: list[str] = []
    maxima: set[str] = set()
    for statement in statements(kernel.body):
        match statement:
            case Evaluate(value=Call(arguments=[AddressOf(place=Pointee(base=Name(name=array))), _]) as call):
                updated += [array] if any(call is one for one in calls) else []
                maxima |= {array} if call.function == "max_atomically" else set()
    mentions = Counter(node.name for node in all_expressions(kernel.body) if isinstance(node, Name))
    if len(updated) == len(calls) and all(
        mentions[array] == count and launch_assumptions.begins_with_numbers(launch, array)
        for array, count in Counter(updated).items()
    ):
        grow = all(launch_assumptions.begins_at_least(launch, array, 0) for array in updated)
        for call in calls:
            positive = grow and call.function == "max_atomically"
            call.helper = ("max_of_positive" if positive else _BY_BITS[call.function], (call.type,))
        return maxima & {*updated} if grow else set()
    return set()
