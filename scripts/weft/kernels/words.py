"""English for docstrings and names: plurals, articles, and how a coefficient is told."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from keyword import iskeyword

from weft import plurals
from weft.kernels.emit import expression
from weft.kernels.program import Constant, Expr, Item, Literal, Name
from weft.literal import number
from weft.types import Array

_WITHOUT_PLURAL = frozenset(
    ("before", "best", "between", "earlier", "inside", "left", "now", "ready", "right", "seen", "valid")
)
_NO_PARTICIPLES = frozenset(("bed", "feed", "need", "red", "seed", "speed"))


_PROPER = frozenset(
    """
    AdaGrad Adam Allen-Cahn Bayer Beaufort Bellman-Ford Benford Berendsen Bernstein Black-Scholes Bloom
    Boris Boussinesq Box-Muller Brian's Brier Brooks-Corey Brown Brownian Brusselator Buck Buckingham
    Cahn-Hilliard Canberra Canny Cauchy Charbonnier Chebyshev Cholesky Coulomb Darcy Darcy-Weisbach
    Denavit-Hartenberg Dice Dirichlet Drucker-Prager Duffing Earth Epanechnikov Euclidean Euler Euler's
    Feddes Fibonacci Fisher's FitzHugh-Nagumo Fletcher-16 Floyd Fourier Fresnel Fung Game Gauss-Seidel
    Gaussian Geman-McClure Gershgorin Gierer-Meinhardt Gini Ginzburg-Landau Glauber Godunov Gram
    Gram-Schmidt Gray-Scott Green-Lagrange Greenberg-Hastings Gumbel Hable Halton Hamming Hampel Harris
    Hejl-Burgess-Dawson Henyey-Greenstein Hill Hognestad Hooke Huber Huffman Ising Jaccard Jacobi Java
    Jenkins' Jensen-Shannon Kalman Kannala-Brandt Kelvin-Voigt Kroupa Kullback-Leibler Lambert Langevin
    Laplace Laplacian Lennard-Jones Lion Lorentz Lorentzian Lotka-Volterra Luhn Mahalanobis Manhattan
    Markov Matérn Maxwell Merton Metropolis Meyer-Peter Michaelis-Menten Mish Monaghan Monte Morse
    Morsi-Alexander Morton Morton-code Mueller's Möller-Trumbore Neo-Hookean Nesterov Nusselt
    Ornstein-Uhlenbeck Osher Otsu Pareto Pearson Perona-Malik Planck Plummer-softened Poisson
    Joseph-form Porter-Duff Potts Prewitt Rayleigh Rec. Reinhard Reynolds Roberts Saint Sauvola Scharr Schlick
    Schnakenberg Shepard Shi-Tomasi Shichman-Hodges Sinkhorn Smith Sobel Stokes Sutherland Tait Taylor
    Taylor-Green Tukey Tversky Van Von Wang Weibull Welford Welsch Yee Yukawa
    """.split()
)
_FALSE_NAMES = frozenset(
    (
        "Dice",
        "Earth",
        "Game",
        "Gram",
        "Gray-code",
        "Laplacian",
        "Gaussian",
        "Euclidean",
        "Morton",
        "Hill",
        "Manhattan",
        "Mish",
        "Monte",
        "Noble",
        "Rice",
    )
)


def lowered(title: str) -> str:
    """A title as a sentence has it in its middle: names and abbreviations keep their capitals."""
    first = title.partition(" ")[0]
    keeps = first in _PROPER or any(one.isupper() or one.isdigit() for one in first[1:])
    if first in ("Van", "Von", "Neo-Hookean", "Semi-Lagrangian") or not keeps:
        return title[0].lower() + title[1:]
    return title


def is_proper(title: str) -> bool:
    """Is what a title names called after someone?"""
    return any(one.strip(",:()") in _PROPER - _FALSE_NAMES or one.endswith("'s") for one in title.split())


def tells(text: str, word: str) -> bool:
    """Does `word` stand in a text, as a word of its own?"""
    return word in text and word in re.findall(r"\w+", text)


def _is_participle(word: str) -> bool:
    return word.endswith("ed") and word not in _NO_PARTICIPLES


def _is_symbol(word: str) -> bool:
    """Is it made of the names of axes, as `dx` and `exy` are?"""
    return len(word) > 1 and len(word) - len(word.rstrip("xyz")) >= len(word) - 1


@functools.cache
def plural(word: str) -> str:
    """The English plural that an array of such things is named by."""
    before, joint, last = word.rpartition("_")
    if last in plurals.IRREGULAR:
        return f"{before}{joint}{plurals.IRREGULAR[last]}"
    if _is_participle(last) or last in _WITHOUT_PLURAL or _is_symbol(last) or iskeyword(word + "s"):
        return f"{word}_values"
    if len(last) == 1:
        return word + "s"
    if last.endswith("s") and not last.endswith("ss"):
        return word
    if last.endswith("y") and last[-2:] not in ("ay", "ey", "oy"):
        return word[:-1] + "ies"
    return word + ("es" if last.endswith(("s", "x", "ch", "sh")) else "s")


def singular(name: str) -> str:
    """What one element of an array of this name is called."""
    return name.removesuffix("_values") if name.endswith("_values") else plurals.singular(name)


def article(noun: str) -> str:
    """The noun with `a` or `an`; of squares there is but one."""
    if noun == "square":
        return "the square"
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def words(name: str) -> str:
    """A name as words of a sentence."""
    return name.replace("_", " ")


def enumerated(names: Iterable[str]) -> str:
    """Names as a sentence lists them."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def noun(name: str) -> str:
    """A result's name as a noun: participles and adjectives get one."""
    last = name.rpartition("_")[2]
    return f"{words(name)} value" if _is_participle(last) or last in _WITHOUT_PLURAL else words(name)


def without_verb(name: str) -> str:
    """What a kernel's name says that it computes."""
    return re.sub("^(compute|eval|apply|find|count|estimate|evaluate|advance|total|sum(?!_of))_", "", name)


def without_superlative(name: str) -> str:
    """What is sought, without the word for its being the largest."""
    return re.sub("^(largest|longest|maximum|max)_", "", name)


def the(name: str) -> str:
    """A name as a sentence has it in its middle: `the pressure`, but `x` and `r0`."""
    last = name.rpartition("_")[2]
    symbol = len(last) < 3 or not last.isalpha() or _is_symbol(last)
    return words(name) if symbol else f"the {noun(name)}"


def opening(subject: str) -> str:
    """What `the` gives, at the beginning of a sentence."""
    return f"The {subject[4:]}" if subject.startswith("the ") else subject


def through(word: str) -> str:
    """What happens to a number under the curve of this name."""
    return "is squared" if word == "square" else f"goes through {article(word)}"


def told(value: Expr) -> str:
    """A coefficient as a docstring names it: its number, or the parameter that has it."""
    match value:
        case Constant():
            return number(value.definition.value)
        case Literal():
            return number(value.value)
        case Item(value=Name(type=Array()) as array):
            return array.name
        case _:
            return expression(value)
