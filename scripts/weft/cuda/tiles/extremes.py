"""Pass: the smallest and the largest in one reduction.

Before: the threads reduce values to the smallest, then to the largest, each with shuffles (and a barrier) of
its own. After: one call does both, in place.
"""

from __future__ import annotations

from weft.cuda.traverse import all_blocks, all_expressions, is_name, mentions, place_of, rename_in, statements
from weft.cuda.tree import INT, AddressOf, Assign, Call, Evaluate, Expression, Function, Name, Statement
from weft.intrinsics import Effect

_PAIRS = {
    f"{who}_{one}": (f"{who}_{other}", f"{who}_min_max")
    for who in ("warp", "block")
    for one, other in (("min", "max"), ("max", "min"))
}


def reduce_extremes_together(function: Function) -> None:
    """Run the pass on a function."""
    for block in all_blocks(function.body):
        for statement in [*block]:
            if isinstance(statement, Assign) and (name := _reduced(statement)) is not None:
                for one in (name, _join(block, statement, name)):
                    _name_once(function, block, one)


def _join(block: list[Statement], first: Assign, name: str) -> str | None:
    """Join a reduction with the next, if that is its opposite and nobody needs it before; the other's name.
    Copies of the first result are made where there is one.
    """
    place = place_of(first, block)
    copies: list[Statement] = []
    for other in block[place + 1 :]:
        if _copy_of(other, name) is not None:
            copies.append(other)
            continue
        if any(mentions([other], one) for one in (name, *(_copy_of(copy, name) for copy in copies))):
            return None
        if not isinstance(other, Assign) or (second := _reduced(other)) is None:
            continue
        one, two = first.value, other.value
        assert isinstance(one, Call) and isinstance(two, Call) and one.helper
        opposite, both = _PAIRS[one.function]
        if two.function != opposite or two.type != one.type:
            return None
        first.value, other.value = one.arguments[0], two.arguments[0]
        order = (name, second) if one.function.endswith("_min") else (second, name)
        given: list[Expression] = [
            AddressOf(one.type, Name(one.type, each), by_reference=True) for each in order
        ]
        call = Evaluate(Call(INT, both, given, (both, one.helper[1]), Effect.COLLECTIVE), node=other.node)
        block[:] = [statement for statement in block if all(statement is not copy for copy in copies)]
        place = place_of(other, block)
        block[place + 1 : place + 1] = [call, *copies]
        return second
    return None


def _name_once(function: Function, block: list[Statement], name: str | None) -> None:
    """One name for a result that is reduced in place, and that only another variable takes over."""
    nodes = all_expressions(function.body)
    if name is None or not any(isinstance(n, AddressOf) and is_name(n.place, name) for n in nodes):
        return
    copies = [statement for statement in block if _copy_of(statement, name) is not None]
    if len(copies) != 1 or sum(is_name(node, name) for node in nodes) != 3:
        return
    (copy,) = copies
    other = _copy_of(copy, name) or ""
    assigned = [s for s in statements(function.body) if isinstance(s, Assign) and is_name(s.target, other)]
    if len(assigned) == 1:
        block[:] = [statement for statement in block if statement is not copy]
        rename_in(function.body, {name: other})


def _reduced(statement: Assign) -> str | None:
    """The variable that is the smallest or largest of what the threads have, if that is what is assigned."""
    match statement:
        case Assign(target=Name(name=name), operator="", value=Call(effect=Effect.COLLECTIVE) as call):
            return name if call.function in _PAIRS else None
        case _:
            return None


def _copy_of(statement: Statement, name: str) -> str | None:
    """The variable that a statement gives the value of another."""
    match statement:
        case Assign(target=Name(name=copy), operator="", value=Name(name=value)) if value == name:
            return copy
        case _:
            return None
