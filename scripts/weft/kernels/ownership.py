"""Which thread a place in an array belongs to: the reason why generated kernels have no races."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from weft.kernels.program import Binary, Expr, Item, Literal, Name

Owner = tuple[str, ...]


def owner(index: Expr, known: Mapping[str, Owner], permutations: Collection[str]) -> Owner:
    """The thread coordinate that a value determines one to one, and how; empty if there is none.

    `known` gives the owners of variables, `permutations` names the arrays that hold permutations.
    An affine `k * x + c` with 0 <= c < k belongs to x's owner, with k: two such places differ wherever
    the x do. Where c is a coordinate itself, both together determine the place.
    """
    match index:
        case Name(name=name):
            return known.get(name, ())
        case Binary(operator="-", left=left, right=Name(name=name)):
            if left.interval.exact and name in known:
                return (*known[name], f"mirrored {left.interval.offset}")
        case Binary(operator="+", left=Binary(operator="*") as left, right=right):
            scaled = owner(left, known, permutations)
            if scaled and scaled[-1].startswith("times "):
                factor = int(scaled[-1].removeprefix("times "))
                if not right.interval.within(0, factor - 1):
                    return ()
                rest = owner(right, known, permutations)
                return (*scaled, *rest) if len(rest) == 1 else scaled
        case (
            Binary(operator="*", left=left, right=Literal(value=int(factor)))
            | Binary(operator="*", left=Literal(value=int(factor)), right=left)
        ):
            inner = owner(left, known, permutations)
            return (*inner, f"times {factor}") if inner and factor > 1 else ()
        case Item(value=Name(name=name), indices=(one,)) if name in permutations:
            inner = owner(one, known, permutations)
            return (*inner, f"through {name}") if inner else ()
    return ()
