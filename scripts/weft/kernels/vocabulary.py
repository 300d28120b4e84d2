"""Holes that idioms share: how threads find their work, where numbers come from, how they respond.

A category's idiom says what is computed; these decide, by the policy, whether a coefficient is a literal, a
parameter, a member of a struct or an array element, and which ranks a launch has. How the result is stored is
in `results`.
"""

from weft.kernels.coefficients import coefficient, threshold, uniform, whole
from weft.kernels.curves import curve
from weft.kernels.grids import threads
from weft.kernels.signals import read, records, row
from weft.kernels.words import article, enumerated, noun, opening, plural, the, through, told, words

__all__ = [
    "article",
    "coefficient",
    "curve",
    "enumerated",
    "noun",
    "opening",
    "plural",
    "read",
    "records",
    "row",
    "the",
    "threads",
    "threshold",
    "through",
    "told",
    "uniform",
    "whole",
    "words",
]
