"""Determinants and inverses of matrices, by their size."""

from __future__ import annotations

from collections.abc import Callable

from weft.cuda.helpers.files import FILE_HELPERS
from weft.cuda.helpers.text import Helper, helper
from weft.types import Matrix


def _by_size(name: str) -> Callable[[Matrix], Helper]:
    return lambda m: FILE_HELPERS[f"{name}{m.rows}"](m)


def _approximately(m: Matrix) -> Helper:
    """Warp: inverse_approx."""
    exact = FILE_HELPERS[f"inverse{m.rows}"](m)
    text = exact.section.text.replace("inverse(", "inverse_approximately(")
    return helper(text.replace("(1.0f / det)", "__fdividef(1.0f, det)"), exact.needs)


INVERSE_HELPERS: dict[str, Callable[..., Helper]] = {
    "determinant": _by_size("determinant"),
    "inverse": _by_size("inverse"),
    "inverse_approximately": _approximately,
}
