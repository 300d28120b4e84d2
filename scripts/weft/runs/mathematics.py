"""How near a stranger's program must come to the mathematics of its sample (docs/formats/candidates.md).

The reference has margins where the kernel has a float64 twin, but of large arrays for some elements only, and
keeps no more of their values. Of how doubles are rounded, the twin says nothing. What is missing, the
sample's own program tells: its values are the reference's where their hash is, and what rounding does to each
element shows if it rounds all numbers up, or all down. If it rounds to integers, which then are others, each
element has the largest margin of those that are kept.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from weft import bfloat16
from weft.inputs import FILL_BYTE, packed_dtype
from weft.reference.cases import Case
from weft.reference.layout import Packed, differs
from weft.reference.rounding import Margins, Rounding
from weft.reference.store import (
    NO_MARGIN,
    Expected,
    Sample,
    as_bytes,
    canonical,
    margin_values,
    packed_elements,
)
from weft.reference.wide_types import to_wide, wide_structs, wide_type
from weft.runs.judge import last_place, matches
from weft.types import Array, Structs, component_scalars

ROUNDINGS = 8
"""Unit roundoffs of a component by which a right program may be off where the sample's own is exact."""
DIRECTIONS = ("nearest", "up", "down")
"""In which the CPU device can round."""
SELDOM = 0.01
"""So many elements of an array that is rounded once may have larger margins."""
INFINITE = 1024
"""The exponent of a margin that is none."""

_ROUNDS_TO_INTEGER = re.compile(r"\b(?:l{0,2}rintf?|nearbyintf?|remainderf?|remquof?|__\w+_rn|h2?rint)\b")
"""What gives another integer in another rounding, which is no matter of precision."""

Outputs = Sequence[Mapping[str, Packed]]


class Mathematics:
    """The bounds of a sample's outputs. `run` gives what the sample's own program, of this text, leaves in
    each case in a direction of rounding; nothing if it cannot. It is asked once something depends on it.
    """

    def __init__(self, sample: Sample, text: str, run: Callable[[str], Outputs]) -> None:
        self._sample = sample
        self._text = text
        self._run = run

    def of(self, case: Case, name: str) -> tuple[Expected, str]:
        """What is expected of an output in a case, and its class of equality (weft.runs.judge)."""
        expected = self._expected[name]
        one = expected[self._sample.cases.index(case)]
        match self._sample.launch.equality_of(name):
            case "permutation" if one.margin is not None:
                return one, "bounded_permutation"
            case "bits" | "bounded" if one.value is not None and one.margin is not None:
                # Where nothing rounds, as in copies and selections, nothing may differ.
                exact = all(
                    other.margin is not None and (other.margin == NO_MARGIN).all() for other in expected
                )
                return one, "equal" if exact else "rounded_once" if name in self._rounded_once else "bounded"
            case "bounded" if name in self._rounded_once:
                return one, "rounded_once"
            case other:
                return one, other

    @functools.cached_property
    def _expected(self) -> dict[str, Sequence[Expected]]:
        """What is expected of each output, case by case, as complete as can be."""
        sample = self._sample
        result: dict[str, Sequence[Expected]] = {}
        for _, name, kind, role in sample.outputs:
            known = [one[name] for one in sample.expected]
            floats = {one.name for one in component_scalars(kind.element, sample.structs) if one.is_float}
            # The twin rounds as the kernel does where that computes in doubles.
            whole = all(one.value is not None and one.margin is not None for one in known)
            is_known = (whole and "float64" not in floats) or not floats
            result[name] = known if is_known else self._completed(name, kind, role, known)
        return result

    @functools.cached_property
    def _rounded_once(self) -> frozenset[str]:
        """The outputs of 16-bit floats in which all that the kernel loses is the last rounding: it computes
        in wider numbers, and so must a candidate.
        """
        found = set()
        for _, name, kind, _ in self._sample.outputs:
            scalars = {one.name for one in component_scalars(kind.element, self._sample.structs)}
            if not scalars <= {"float16", "bfloat16"}:
                continue
            # Cases of one size share a floor of their margins, whatever numbers each has.
            of_size: dict[int, list[Expected]] = {}
            for case, one in zip(self._sample.cases, self._expected[name], strict=True):
                of_size.setdefault(case.size, []).append(one)
            if all(_is_rounded_once(some, kind, self._sample.structs) for some in of_size.values()):
                found.add(name)
        return frozenset(found)

    @functools.cached_property
    def _own(self) -> dict[str, Outputs]:
        """What the own program leaves in each direction that says something."""
        directions = DIRECTIONS[:1] if self._rounds_to_integer else DIRECTIONS
        own = {direction: self._run(direction) for direction in directions}
        return own if all(own.values()) else {}

    @functools.cached_property
    def _rounds_to_integer(self) -> bool:
        return _ROUNDS_TO_INTEGER.search(self._text) is not None

    def _completed(self, name: str, kind: Array, role: str, known: Sequence[Expected]) -> Sequence[Expected]:
        sample = self._sample
        if sample.launch.equality_of(name) == "permutation":
            return known
        if self._rounds_to_integer and any(one.margin is None for one in known):
            return known
        if not self._own:
            return known
        near = [canonical(one[name]) for one in self._own["nearest"]]
        if self._rounds_to_integer:
            margins = [_largest(one, values) for one, values in zip(known, near, strict=True)]
        else:
            margins = self._margins(name, kind, role, near)
        return [
            _complete(one, values, margin, written_components(values, role))
            for one, values, margin in zip(known, near, margins, strict=True)
        ]

    def _margins(self, name: str, kind: Array, role: str, near: Sequence[Packed]) -> list[Margins]:
        """Margins as the reference has them, with the farther of two other roundings in the twin's place.
        What the roundings of a sum in any order come to follows from the number of its terms.
        """
        structs, launch = self._sample.structs, self._sample.launch
        wide = packed_dtype(wide_type(kind.element), wide_structs(structs))
        floats = {one.name for one in component_scalars(kind.element, structs) if one.is_float}
        found = []
        for direction in DIRECTIONS:
            rounding = Rounding(
                {name: kind.element},
                structs,
                "float64" if floats == {"float64"} else "float32",
                launch.thread_count if launch.equality_of(name) == "bounded" else None,
                only_wide=not launch.inferred_equality,
            )
            for case, values, left in zip(self._sample.cases, near, self._own[direction], strict=True):
                rounding.observe(
                    name, case, values, to_wide(left[name], wide), written_components(values, role)
                )
            found.append(rounding.margins(name))
        return [
            np.maximum(of_terms, _shared(np.maximum(up, down)))
            for of_terms, up, down in zip(*found, strict=True)
        ]


def _largest(known: Expected, values: Packed) -> Margins:
    """For each element the largest margin of those that are kept, of the same component."""
    assert known.margin is not None
    return np.repeat(known.margin.max(axis=0, keepdims=True), len(values), axis=0)


def _shared(margin: Margins) -> Margins:
    """A quarter of a margin: where all roundings go one way, they come to much more than they usually do."""
    return np.where((margin == NO_MARGIN) | (margin == INFINITE), margin, margin - 2).astype(np.int16)


def _is_rounded_once(expected: Sequence[Expected], kind: Array, structs: Structs) -> bool:
    """Whether hardly any margin of an array, in the cases of one size, is more than half a unit in the last
    place of the largest element: those are of numbers that float32 has just off the middle of two.
    """
    margins, places = [], [0.0]
    for one in expected:
        value = one.sample_value if one.value is None else one.value
        if value is None or one.margin is None:
            return False
        margins.append(margin_values(one.margin))
        packed = packed_elements(value, kind.element, structs)
        for name in packed.dtype.names or ():
            finite = packed[name][np.isfinite(bfloat16.as_floats(packed[name]))]
            places.append(float(last_place(finite).max(initial=0.0)))
    return float((np.concatenate(margins) > max(places) / 2).mean()) <= SELDOM


def written_components(values: Packed, role: str) -> npt.NDArray[np.bool_] | None:
    """The components of an `out` array that were written."""
    if role != "out":
        return None
    return differs(values, np.full(values.nbytes, FILL_BYTE, dtype=np.uint8).view(values.dtype))


def _complete(
    known: Expected, values: Packed, margin: Margins, written: npt.NDArray[np.bool_] | None
) -> Expected:
    """What is known, with all elements if these are the reference's, and a margin for each."""
    if known.value is not None:
        has_doubles = any(values.dtype[name] == np.float64 for name in values.dtype.names or ())
        if known.margin is None:
            return dataclasses.replace(known, margin=margin)
        return dataclasses.replace(known, margin=np.maximum(known.margin, margin)) if has_doubles else known
    if not matches(known, values):
        return known
    if known.margin is not None:
        assert known.sample_index is not None
        margin = margin.copy()
        np.maximum.at(margin, known.sample_index, known.margin)
    return Expected(value=as_bytes(values), written=written, margin=margin)
