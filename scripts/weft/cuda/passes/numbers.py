"""Lower bounds of arithmetic, from those of its operands."""

from __future__ import annotations

from weft.cuda.passes.state import Number
from weft.types import Scalar


def binary_bound(operator: str, left: Number | None, right: Number | None) -> Number | None:
    """The least value of an operation; None where nothing is known."""
    both = left is not None and right is not None and left >= 0 and right >= 0
    match operator:
        case "+" if left is not None and right is not None:
            return left + right
        case "*" if both:
            return left * right  # type: ignore[operator]
        case "/" | "|" | "^" if both:
            return 0
        case "%" | ">>" if left is not None and left >= 0:
            return 0
        case "&" if (left is not None and left >= 0) or (right is not None and right >= 0):
            return 0
        case _:
            return None


def is_exact(type: object) -> bool:
    """Whether arithmetic of the type neither wraps around nor is narrowed."""
    return isinstance(type, Scalar) and (type.is_float or (type.is_signed and type.bytes >= 4))
