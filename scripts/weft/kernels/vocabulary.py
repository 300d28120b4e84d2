"""Holes that idioms share: how threads find their work, where numbers come from, how they respond.

A category's idiom says what is computed; these decide, by the policy, whether a coefficient is a literal, a
parameter, a member of a struct or an array element, whether a launch is padded, masked or indirect, and what
happens to raw data. Each leaves a sentence for the docstring where it changes what is computed. How the
result is finished and stored is in `results`.
"""

from weft.kernels.coefficients import coefficient, threshold, uniform, whole
from weft.kernels.curves import curve
from weft.kernels.grids import threads
from weft.kernels.signals import read, records, row, signal, vector_signal
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
    "signal",
    "the",
    "threads",
    "threshold",
    "through",
    "told",
    "uniform",
    "vector_signal",
    "whole",
    "words",
]
