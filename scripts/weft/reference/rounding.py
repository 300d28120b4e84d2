"""How far a kernel is from its float64 twin: whether that is stable, and what margin an equal program has.

e is the absolute difference of a component. The rules stand in docs/formats/reference.md, section "Bounds".
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from weft import bfloat16
from weft.errors import KernelError
from weft.inputs import FILL_BYTE
from weft.reference.cases import Case
from weft.reference.layout import Packed
from weft.reference.store import NO_MARGIN
from weft.types import SIGNIFICAND_BITS, Scalar, Struct, Structs, Type, component_scalars

MANY = 20
"""So many elements tell how sums round, if all others are exact."""
STABLE = 1e-5
"""The largest e of a stable kernel, of its outputs' scale; more for what is coarser than float32."""

Margins = npt.NDArray[np.int16]
"""Binary exponents of margins, [elements, components]."""


@dataclasses.dataclass
class _Observed:
    """e and magnitudes of one array in one case (float64 [elements, components], NaN and 0 where nothing is
    compared), and the largest magnitude in each group."""

    case: Case
    errors: npt.NDArray[np.float64]
    magnitudes: npt.NDArray[np.float64]
    largest: npt.NDArray[np.float64]


class Rounding:
    """Collects e, case by case, of one kernel's output arrays, by the name of the array.

    `computed_in` is the narrowest float type in which the kernel computes. Below float32, what is
    rounded to integers, or decided by rounded values, differs too often to mean anything. Where elements are
    sums in any order, `terms` says of how many terms they are at most, by size; with `only_wide`, it counts
    for those in float64 alone, of whose roundings a twin in float64 says nothing.
    """

    def __init__(
        self,
        elements: Mapping[str, Type],
        structs: Structs,
        computed_in: str = "float32",
        terms: Callable[[int], int] | None = None,
        *,
        only_wide: bool = False,
    ) -> None:
        self._groups = {name: _groups(element, structs) for name, element in elements.items()}
        self._limits = {
            name: np.array([_limit(s, computed_in) for s in component_scalars(element, structs)])
            for name, element in elements.items()
        }
        self._roundoffs = {
            name: np.array(
                [_roundoff(s, computed_in, only_wide) for s in component_scalars(element, structs)]
            )
            for name, element in elements.items()
        }
        # Halves are added up in float32: where they are not, other margins say so.
        self._sum_roundoff = 2.0 ** -max(SIGNIFICAND_BITS[computed_in], SIGNIFICAND_BITS["float32"])
        self._terms = terms
        self._integers_count = SIGNIFICAND_BITS[computed_in] >= SIGNIFICAND_BITS["float32"]
        self._observed: dict[str, list[_Observed]] = {name: [] for name in elements}
        self._apart: dict[Case, str] = {}

    def observe(
        self, name: str, case: Case, kernel: Packed, twin: Packed, written: npt.NDArray[np.bool_] | None
    ) -> None:
        """Take in an output array of one case, or the elements of it that a judge will see.

        `written` are the components that the kernel wrote, None for all; where the twin wrote others, the
        two are apart.
        """
        fields = kernel.dtype.names or ()
        errors = np.full((len(kernel), len(fields)), np.nan)
        magnitudes = np.zeros((len(kernel), len(fields)))
        for number, field in enumerate(fields):
            mine, other = kernel[field], twin[field]
            wrote = np.ones(len(kernel), np.bool_) if written is None else written[:, number]
            if bfloat16.is_float(mine.dtype):
                errors[:, number], magnitudes[:, number] = _distance(mine, other, wrote)
                apart = ~wrote & (other.view("<u8") != _FILL)
            else:
                apart = mine != other
            if self._integers_count and apart.any():
                self._apart.setdefault(case, f"element {int(np.argmax(apart))} of {name!r} differs")
        groups = self._groups[name]
        largest = np.array([magnitudes[:, groups == one].max(initial=0.0) for one in range(groups.max() + 1)])
        self._observed[name].append(_Observed(case, errors, magnitudes, largest))

    def instability(self) -> Mapping[Case, str]:
        """What makes the kernel unstable, in each case that shows it; nothing if it is stable."""
        found = dict(self._apart)
        for name, cases in self._observed.items():
            scale = np.max([one.largest for one in cases], axis=0)[self._groups[name]]
            limit = self._limits[name] * scale
            for one in cases:
                over = one.errors > limit
                if over.any() and one.case not in found:
                    element, component = (int(i) for i in np.argwhere(over)[0])
                    error = one.errors[element, component]
                    relative = error / scale[component] if scale[component] else np.inf
                    found[one.case] = (
                        f"element {element} of {name!r} differs by {error:.2g}, {relative:.2g} of the "
                        "largest magnitude"
                    )
        return {
            case: f"computed in float64, {what}, in case n = {case.size}, seed {case.seed}"
            for case, what in found.items()
        }

    def margins(self, name: str) -> list[Margins]:
        """Exponents of the margins of an array, for each observed case in order: max(e, floor) rounded up.

        The floor is the 95th percentile of e: within the cases of one size, or over all cases in proportion
        to the largest magnitude in each size, whichever is more. Of sums in any order it is at least what
        their roundings come to (`_sum_of_roundings`), and e is the largest of the vector or
        matrix that the component is of: in another order, the luck of one component would be that of another.
        So is what the roundings of a sum of unusually many terms come to. The floor of such sums is at least
        the median of the e that are not 0, if there are MANY: where most elements have no terms, these say
        nothing.
        """
        cases = self._observed[name]
        groups = self._groups[name]
        errors_of = [one.errors for one in cases]
        if self._terms is not None:
            errors_of = [
                np.fmax(_largest_of_groups(one.errors, groups), self._of_large_sums(name, one, self._terms))
                for one in cases
            ]
        floors: dict[int, npt.NDArray[np.float64]] = {}
        sizes = {one.case.size for one in cases}
        scales = {
            size: np.max([one.largest for one in cases if one.case.size == size], axis=0) for size in sizes
        }
        shares = [_in_proportion(one.errors, scales[one.case.size][groups]) for one in cases]
        floor_of = _percentile if self._terms is None else _floor_of_sums
        overall = np.array([floor_of([s[:, groups == g] for s in shares]) for g in range(groups.max() + 1)])
        for size in sizes:
            errors = [one.errors for one in cases if one.case.size == size]
            within = [floor_of([e[:, groups == g] for e in errors]) for g in range(groups.max() + 1)]
            floors[size] = np.maximum(within, overall * scales[size])
        if self._terms is not None:
            for size in sizes:
                share = self._sum_of_roundings(name, self._terms(size))
                floors[size] = np.maximum(floors[size][groups], share * scales[size][groups])
            groups = np.arange(len(groups))
        return [
            _exponents(np.fmax(errors, floors[one.case.size][groups]))
            for one, errors in zip(cases, errors_of, strict=True)
        ]

    def _sum_of_roundings(self, name: str, terms: int) -> npt.NDArray[np.float64]:
        """What the roundings of a sum come to, as a share of its result, if each is as likely up as down. In
        float64, of which no e tells, they may all go one way: equal numbers are added one after the other.
        """
        roundoffs = self._roundoffs[name]
        is_double = roundoffs == 2.0 ** -SIGNIFICAND_BITS["float64"]
        return np.asarray(np.where(is_double, float(terms), math.sqrt(terms)) * roundoffs)

    def _of_large_sums(
        self, name: str, one: _Observed, terms: Callable[[int], int]
    ) -> npt.NDArray[np.float64]:
        """What the roundings of the elements of a case come to that are larger than 95 % of all: one that is
        r times as large has r times the terms at least, each as likely rounded up as down. 0 of the others,
        and where nothing is compared.
        """
        groups = self._groups[name]
        typical = np.array([_percentile([one.magnitudes[:, groups == g]]) for g in range(groups.max() + 1)])
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.minimum(one.magnitudes / typical[groups], terms(one.case.size))
        share = self._sum_roundoff * one.magnitudes * np.sqrt(ratio)
        return np.where((ratio > 1) & ~np.isnan(one.errors), share, 0.0)


def _limit(scalar: Scalar, computed_in: str) -> float:
    """The largest e of a component of a stable kernel, of the output's scale."""
    bits = min(
        SIGNIFICAND_BITS[one] for one in (scalar.name, computed_in, "float32") if one in SIGNIFICAND_BITS
    )
    return float(STABLE * 2.0 ** (SIGNIFICAND_BITS["float32"] - bits))


def _roundoff(scalar: Scalar, computed_in: str, only_wide: bool) -> float:
    """The unit roundoff of sums that are kept in a component; 0 of what is no float."""
    if only_wide:
        return 2.0 ** -SIGNIFICAND_BITS["float64"] if scalar.name == "float64" else 0.0
    if not scalar.is_float:
        return 0.0
    return float(2.0 ** -min(SIGNIFICAND_BITS[scalar.name], SIGNIFICAND_BITS[computed_in]))


_FILL = np.frombuffer(bytes([FILL_BYTE]) * 8, dtype="<u8")[0]


def _distance(
    mine: npt.NDArray[Any], other: npt.NDArray[Any], wrote: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """e and magnitude of a float component; NaN and 0 where the kernel wrote no finite number."""
    values = bfloat16.as_floats(mine).astype(np.float64)
    counts = wrote & np.isfinite(values)
    with np.errstate(invalid="ignore", over="ignore"):
        errors = np.abs(values - other)
    errors = np.where(np.isnan(errors), np.inf, errors)
    return np.where(counts, errors, np.nan), np.where(counts, np.abs(values), 0.0)


def _largest_of_groups(
    errors: npt.NDArray[np.float64], groups: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """For each component the largest e of those of its element that are in its group; NaN if none has any."""
    together = errors.copy()
    for group in range(groups.max() + 1):
        of_group = groups == group
        together[:, of_group] = np.fmax.reduce(errors[:, of_group], axis=1, keepdims=True)
    return together


def _in_proportion(
    errors: npt.NDArray[np.float64], scales: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    shares = np.full_like(errors, np.nan)
    np.divide(errors, scales, out=shares, where=scales > 0)
    return shares


def _percentile(parts: Sequence[npt.NDArray[np.float64]]) -> float:
    """The smallest number that 95 % of all are not above."""
    together = np.concatenate([part.reshape(-1) for part in parts])
    finite = together[np.isfinite(together)]
    if not len(finite):
        return 0.0
    place = int(np.ceil(0.95 * len(finite))) - 1
    return float(np.partition(finite, place)[place])


def _floor_of_sums(parts: Sequence[npt.NDArray[np.float64]]) -> float:
    """The 95th percentile, or the median of those that are not 0, if there are MANY, whichever is more."""
    together = np.concatenate([part.reshape(-1) for part in parts])
    inexact = together[np.isfinite(together) & (together > 0)]
    return max(_percentile(parts), float(np.median(inexact)) if len(inexact) >= MANY else 0.0)


def _exponents(margins: npt.NDArray[np.float64]) -> Margins:
    mantissa, exponent = np.frexp(margins)
    rounded_up = np.where(mantissa == 0.5, exponent - 1, exponent)
    rounded_up = np.where(np.isinf(margins), 1024, rounded_up)
    return np.where(margins == 0, NO_MARGIN, rounded_up).astype(np.int16)


def _groups(element: Type, structs: Structs) -> npt.NDArray[np.int64]:
    """For each component of an element the number of its group: a field of a struct, at any depth, or all."""
    numbers: list[int] = []

    def add(kind: Type) -> None:
        if isinstance(kind, Struct):
            for _, field in structs[kind.name]:
                add(field)
            return
        number = numbers[-1] + 1 if numbers else 0
        numbers.extend(number for _ in component_scalars(kind, structs))

    add(element)
    return np.array(numbers, dtype=np.int64)


def unstable(message: str) -> KernelError:
    """The error that rejects a kernel."""
    return KernelError("unstable", message)
