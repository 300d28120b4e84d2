"""Pass: the sine and the cosine of one angle come from one call, which reduces the angle once.

Before: `x[i] = make_float2(r * cosf(angle), r * sinf(angle));`. After: `float sin_angle, cos_angle;`, then
`sincosf(angle, &sin_angle, &cos_angle);`, and the two names. CUDA's `sincosf` gives the bits of `sinf` and
`cosf`: all floats were compared on a GPU, and 2^33 doubles with `sincos`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence

from weft.cuda.analysis.linear import key_of, names_in
from weft.cuda.contents import changed_in_block, contents
from weft.cuda.device_functions import SINE_AND_COSINE
from weft.cuda.traverse import all_blocks, blocks, children, expressions, rewrite, rewrite_own, walk
from weft.cuda.tree import (
    FLOAT,
    AddressOf,
    Binary,
    Call,
    Cast,
    Chain,
    Component,
    Conditional,
    Declare,
    Evaluate,
    Expression,
    Function,
    Literal,
    Member,
    Name,
    Pointee,
    Statement,
    Unary,
)
from weft.plurals import singular
from weft.types import Scalar

_DOUBLE = Scalar("float64")
_Angle = Name | Literal | Unary | Binary | Cast | Member | Pointee | Component


def join_sine_and_cosine(function: Function) -> None:
    """Run the pass on one function."""
    taken = contents(function).taken
    for block in all_blocks(function.body):
        position = 0
        while position < len(block):
            for call in _calls(block[position]):
                if (last := _partner(block, position, call)) is not None:
                    _join(block, position, last, call, taken)
                    position += 3
                    break
            else:
                position += 1


def _calls(statement: Statement) -> Iterator[Call]:
    """Sines and cosines that the statement computes in any case, of what anybody may compute again."""
    if blocks(statement):
        return
    left = expressions(statement)
    while left:
        node = left.pop(0)
        if (
            isinstance(node, Call)
            and node.function in SINE_AND_COSINE
            and not (node.user or node.helper)
            and node.type == (FLOAT if node.function.endswith("f") else _DOUBLE)
            and all(isinstance(part, _Angle) for part in walk(node.arguments[0]))
        ):
            yield node
        if isinstance(node, Conditional | Chain) or (
            isinstance(node, Binary) and node.operator in ("&&", "||")
        ):
            continue
        left += children(node)


def _partner(block: list[Statement], first: int, call: Call) -> int | None:
    """Where the other function of the same angle is computed, in this statement or one after it."""
    names = names_in(call.arguments[0])
    loads = any(isinstance(part, Pointee) for part in walk(call.arguments[0]))
    for position in range(first, len(block)):
        for one in _calls(block[position]):
            if one.function != call.function and _angle(one) == _angle(call):
                return position
        if loads and not isinstance(block[position], Declare):
            return None  # What writes to memory may write to the element, whatever its array is called.
        if not names.isdisjoint(changed_in_block([block[position]])):
            return None
    return None


def _angle(call: Call) -> object:
    return SINE_AND_COSINE[call.function], key_of(call.arguments[0])


def _join(block: list[Statement], first: int, last: int, call: Call, taken: set[str]) -> None:
    """Put one call before both: three statements."""
    found: dict[str, str] = {}
    own = []
    for position in range(first, last + 1):
        match block[position]:
            case Declare(name=name, value=Call(function=function) as value, constant=True, trailing="") if (
                function in SINE_AND_COSINE and function not in found and _angle(value) == _angle(call)
            ):
                found[function] = name
                own.append(position)
    both = SINE_AND_COSINE[call.function]
    functions = [one for one, joined in SINE_AND_COSINE.items() if joined == both]
    missing = [function for function in functions if function not in found]
    found.update(zip(missing, _fresh(missing, call.arguments[0], taken), strict=True))
    names = [Name(call.type, found[function]) for function in functions]
    for statement in block[first : last + 1]:
        if not blocks(statement):
            change = functools.partial(_replaced, call, found)
            rewrite_own(statement, functools.partial(rewrite, change=change))
    node = block[first].node
    places: list[Expression] = [AddressOf(call.type, name) for name in names]
    for position in reversed(own):
        del block[position]
    block[first:first] = [
        *(Declare(call.type, name.name, None, node=node) for name in names),
        Evaluate(Call(call.type, both, [call.arguments[0], *places]), node=node),
    ]


def _replaced(call: Call, found: Mapping[str, str], node: Expression) -> Expression:
    if isinstance(node, Call) and node.function in found and _angle(node) == _angle(call):
        return Name(node.type, found[node.function])
    return node


def _fresh(functions: Sequence[str], angle: Expression, taken: set[str]) -> list[str]:
    """New names for the sine and the cosine of an angle, or for one of them, with the same ending."""
    stems = [f"{function.removesuffix('f')}_{_spelled(angle)}" for function in functions]
    endings = ("", *(f"_{number}" for number in range(2, len(taken) + 3)))
    names = next(names for end in endings if taken.isdisjoint(names := [f"{stem}{end}" for stem in stems]))
    taken.update(names)
    return names


def _spelled(angle: Expression) -> str:
    """What a name says of an angle: `x` is `x`, `k.x` is `kx`, `pose.z` is `pose_z`, `headings[j]` is
    `heading_j`.
    """
    match angle:
        case Name(name=name):
            return name
        case Member(value=Name(name=name), path=path) if (part := path.rpartition(".")[-1]).isidentifier():
            apart = "_" if len(name) > 1 else ""
            return part if len(part) > 1 else f"{name}{apart}{part}"
        case Pointee(base=Name(name=array), offset=Name(name=place)) if singular(array) != array:
            return f"{singular(array)}_{place}" if len(place) == 1 else singular(array)
        case _:
            return "angle"
