"""Views: arrays that are parts of arrays."""

from __future__ import annotations

from weft.cuda.tree import Conditional, Element, Expression, Literal, Slice
from weft.types import Array


def gaps(array: Expression) -> bool:
    """Whether a view leaves gaps in an array whose elements lie row after row.

    It does unless it takes numbers along the first axes, then at most one slice of step one, then everything.
    """
    match array:
        case Element(array=base, indices=indices, type=Array()):
            first = next((i for i, index in enumerate(indices) if isinstance(index, Slice)), len(indices))
            rest = indices[first + 1 :]
            everything = all(isinstance(index, Slice) and index.takes_all for index in rest)
            taken = indices[first] if first < len(indices) else None
            stepped = isinstance(taken, Slice) and not _is_one(taken.step)
            return gaps(base) or stepped or not everything
        case Conditional(then=then, otherwise=otherwise):
            return gaps(then) or gaps(otherwise)
        case _:
            return False


def _is_one(step: Expression) -> bool:
    return isinstance(step, Literal) and step.value == 1
