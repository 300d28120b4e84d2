"""Inputs at the edges: equal numbers, ends of ranges, zeros, and the numbers that a kernel compares with.

Numbers drawn at random are hardly ever equal, and seldom where a clamp begins. docs/formats/inputs.md defines
what is put in their place, within what the recipe promises.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from weft.launch import Launch, Recipe
from weft.recipes import MAIN_SEED
from weft.sizes import evaluate_size
from weft.types import Scalar, Type

Drawn = npt.NDArray[Any]
Bits = npt.NDArray[np.uint32]

EVERY = 3
"""Of so many input seeds one has edges: the last, so that the seed of a program's own `main` has none."""

_SMALL = 2.0**-8
"""What distances are times where all numbers are to be near one."""

_LEAST = 2.0**-20
"""The least distance of an edge from zero: products of smaller ones would be rounded to zero."""

_ALONE = 256
"""The element with this component is not near it: one that a second block may forget. Of fewer, the last."""

_RUN = 8
"""So many segments in a row, of twice as many, are empty but the last, which is as long as all."""

_NO_FLOAT = 2**24 + 3
"""float32 has no such number."""

_DRAWN = ("uniform", "unit", "integers", "members", "permutation")
"""Recipes of arrays that differ from seed to seed."""

_LARGEST_DRAW = 1 - 2.0**-24
"""Of uniform numbers in [0, 1)."""


class Kind(enum.Enum):
    """What becomes of the numbers of a case: edges among them, all below zero, arrays of one number, or all
    small but those of one element, or all large where that one is the smallest that there is.
    """

    AMONG = 0
    BELOW_ZERO = 1
    ALL_EQUAL = 2
    ALL_SMALL = 3


def has_edges(launch: Launch, seed: int) -> bool:
    """Whether numbers of an input seed have edges among them."""
    return launch.compared is not None and seed % EVERY == EVERY - 1 and seed not in launch.plain


class Kept(enum.Enum):
    """What a parameter keeps of the input seed before: nothing, most of its elements, or all."""

    NOTHING = 0
    MOST = 1
    ALL = 2


def kept_of(launch: Launch, name: str, seed: int) -> Kept:
    """What a parameter has in a case as with the input seed before. What a program keeps from one case to the
    next must not hang on the numbers passed by value and some elements of arrays alone, nor on all but one of
    these numbers. So either kind of case takes its turn.
    """
    if launch.compared is None or seed % EVERY != 1 or seed == MAIN_SEED:
        return Kept.NOTHING
    drawn = [key for key, one in launch.parameters.items() if one.values and one.values.kind in _DRAWN]
    by_value = [key for key in drawn if not launch.parameters[key].shape]
    turn = seed // EVERY
    if turn % 2 and by_value:
        return Kept.NOTHING if name == by_value[turn // 2 % len(by_value)] else Kept.ALL
    return Kept.MOST if len(drawn) > len(by_value) else Kept.NOTHING


def is_drawn_anew(hashes: Bits) -> npt.NDArray[np.bool_]:
    """Which elements are not as before where most are; the hash of each is given."""
    anew: npt.NDArray[np.bool_] = hashes % np.uint32(8) == 0
    anew[[0, -1]] = False
    return anew


def kind_of(seed: int, parameter: int) -> Kind | None:
    """What an input seed asks for the parameter at a position; None for numbers as they are drawn. Of three
    seeds with arrays of one number, each array has it with one, so that it meets others that vary; with the
    third (`all_count`), all have it.
    """
    if seed % EVERY != EVERY - 1:
        return None
    kind = Kind(seed // EVERY % len(Kind))
    varies = kind is Kind.ALL_EQUAL and not all_count(seed) and _turn(seed) % 3 != parameter % 2
    return Kind.AMONG if varies else kind


def all_count(seed: int) -> bool:
    """Whether arrays have one number that most conditions let pass: the largest of floats where those passed
    by value are the smallest, and whole numbers in the middle, so that a single counter gets all elements.
    """
    return (
        seed % EVERY == EVERY - 1
        and seed // EVERY % len(Kind) == Kind.ALL_EQUAL.value
        and _turn(seed) % 3 == 2
    )


def _turn(seed: int) -> int:
    return seed // EVERY // len(Kind)


@dataclasses.dataclass(frozen=True)
class Edges:
    """What a case puts among its numbers: its kind, the numbers that the kernel's text compares with, and the
    recipes of what is passed by value, with which a kernel may compare elements of arrays. `all_count` says
    which number arrays of one number have, `varies` that segments may be empty or long.
    """

    kind: Kind
    all_count: bool
    varies: bool
    compared: Sequence[float]
    scalars: Sequence[Recipe]

    def planted(
        self, drawn: Drawn, recipe: Recipe, bits: Bits, groups: Bits, sizes: Mapping[str, int]
    ) -> Drawn:
        """Drawn numbers (float64 or int64) of a recipe with edges among them. `bits` are hashes of the
        components, `groups` of the elements that they belong to.
        """
        if recipe.kind == "offsets" and self.varies and self.kind is Kind.BELOW_ZERO:
            place = np.arange(len(drawn))
            result: Drawn = drawn[np.where(place // _RUN % 2 == 1, place - place % _RUN, place)]
            return result
        if recipe.kind not in ("uniform", "integers"):
            return drawn
        edges = self._numbers(recipe, sizes)
        count, low, high = np.uint32(len(edges)), edges[0], edges[-1]
        if self.all_count:
            middle, end = (low + high + 1) // 2, low if len(drawn) == 1 else high
            return np.full_like(drawn, middle if recipe.kind == "integers" else end)
        if len(drawn) == 1:
            one: Drawn = edges[bits % count]
            return one
        if self.kind is Kind.ALL_EQUAL:
            if bits[0] % 2 and low <= 0 <= high:
                return np.zeros_like(drawn)
            return np.full_like(drawn, edges[(bits[0] >> np.uint32(1)) % count])
        if self.kind is Kind.BELOW_ZERO and low < 0:
            below = drawn % low if drawn.dtype.kind == "i" else drawn * (low / max(high, 1e-300))
            return np.where(drawn < 0, drawn, np.where(below < 0, below, low))
        if self.kind is Kind.ALL_SMALL:
            alone, other_end = (low, high) if groups[0] % 2 else (high, low)
            nearest = min(max(low, 0), high)
            start = other_end if nearest == alone else nearest
            beyond = drawn - start
            small: Drawn = start + (np.fmod(beyond, 3) if drawn.dtype.kind == "i" else beyond * _SMALL)
            small[groups == groups[min(_ALONE, len(groups) - 1)]] = alone
            return small
        whole, all_of_it = groups % np.uint32(4), groups >> np.uint32(2)
        chosen = np.where(whole == 0, all_of_it, bits >> np.uint32(2))
        among: Drawn = np.where((whole < 2) | (bits % np.uint32(4) == 0), edges[chosen % count], drawn)
        if recipe.kind == "integers":
            half = len(drawn) // 2
            among[half:] = np.where(bits[half:] % np.uint32(2) == 1, high, low)
        return among

    def _numbers(self, recipe: Recipe, sizes: Mapping[str, int]) -> Drawn:
        """The edges of a recipe: its ends and its middle, zero, and those of what is compared, as far as the
        recipe may draw them.
        """
        own = _own(recipe, sizes)
        others = [other for one in self.scalars if one.kind == recipe.kind for other in _own(one, sizes)]
        whole = recipe.kind == "integers"
        near = [other for one in self.compared for other in (_whole(one) if whole else _neighbours(one))]
        found = {one for one in (*own, 0, *others, *near) if own[0] <= one <= own[-1]}
        return np.array(sorted(found), dtype=np.int64 if whole else np.float64)


def restarted(launch: Launch, name: str, seed: int, parameter: int, element: Type) -> Recipe | None:
    """What an array begins with in a case, if it is one that a kernel adds to, and not what is described: a
    program that sets it first, or counts in floats, would else pass.
    """
    is_restarted = name in launch.accumulators and has_edges(launch, seed)
    if not is_restarted or kind_of(seed, parameter) is not Kind.ALL_EQUAL:
        return None
    recipe = launch.parameters[name].values
    assert recipe is not None
    counts = isinstance(element, Scalar) and element.is_integer and element.bytes >= 4
    before = recipe.arguments if recipe.kind == "constant" else 0
    return Recipe("constant", -before or (_NO_FLOAT if counts else 3))


def other_constant(launch: Launch, name: str, seed: int) -> Recipe | None:
    """What is passed by value in a case in place of the constant that is described, if that is so."""
    parameter = launch.parameters[name]
    if parameter.shape or not launch.varies or not has_edges(launch, seed):
        return None
    match parameter.values:
        case Recipe("constant", float(value)):
            return Recipe("constant", 0.75 * value)
        case Recipe("constant", int(value)):
            return Recipe("constant", value - value // 4)
    return None


def edges_of(launch: Launch, seed: int, parameter: int) -> Edges | None:
    """The edges of the parameter at a position, in a case with an input seed; None where numbers stay as they
    are drawn.
    """
    kind = kind_of(seed, parameter)
    if kind is None or launch.compared is None or not has_edges(launch, seed):
        return None
    by_value = [one.values for one in launch.parameters.values() if not one.shape and not one.null]
    recipes = [recipe for recipe in by_value if recipe is not None]
    return Edges(kind, all_count(seed), launch.varies, launch.compared, recipes)


def _own(recipe: Recipe, sizes: Mapping[str, int]) -> list[Any]:
    """The smallest number that a recipe draws, one between, and the largest."""
    if recipe.kind == "integers":
        low, high = (evaluate_size(bound, sizes) for bound in recipe.arguments)
        return [low, (low + high - 1) // 2, high - 1]
    low, high = recipe.arguments
    return [low, low + 0.5 * (high - low), low + _LARGEST_DRAW * (high - low)]


def _whole(number: float) -> list[float]:
    """The whole numbers around a number that a kernel's text has."""
    return [int(number) + step for step in (-1, 0, 1)]


def _neighbours(number: float) -> list[float]:
    """A number that a kernel's text has, as float32, and the next ones on either side, though zero's are not
    so near.
    """
    single = np.float32(number)
    if single == 0:
        return [-_LEAST, 0.0, _LEAST]
    return [float(single), *(float(np.nextafter(single, np.float32(end))) for end in (-np.inf, np.inf))]
