"""Unsigned words."""

from weft.kernels.builder import Builder
from weft.kernels.types import U32, U64
from weft.types import Scalar


def word_type(k: Builder) -> Scalar:
    """The type of a word: of 32 bits mostly."""
    return k.rng.pick(U32, U32, U32, U64)
