"""Is what a program left in an array what the reference left there? Pure functions on arrays.

Classes of equality: `bits` (every bit, any NaN equal to any other), `bounded` (integers exact, floats within
their bounds; NaN and infinities in the same places), `permutation` (the same elements in any order; those of
several arrays that belong together are joined in weft.runs.unordered). Of programs that others wrote also
`equal` (as `bounded`, and all bounds are 0), `rounded_once` (as `bounded`, and floats of 16 bits are within a
unit in the last place) and `bounded_permutation`.

The bound of a float component is `roundings` of its unit roundoff and MARGINS margins, where the reference
has margins. Where it has none, it is TOLERANCE, or NARROW_TOLERANCE for 16 bits, of the largest finite
magnitude that the reference has in the array.
"""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from weft import bfloat16
from weft.inputs import FILL_BYTE
from weft.reference.store import (
    Expected,
    Packed,
    as_bytes,
    canonical,
    margin_values,
    packed_elements,
    refilled,
)
from weft.types import SIGNIFICAND_BITS, Structs, Type

TOLERANCE = 1e-5
NARROW_TOLERANCE = {"float16": 2 * 2.0**-10, "bfloat16": 2 * 2.0**-7}
"""For floats that are coarser than TOLERANCE: two units in the last place."""

ROUNDINGS = 32
MARGINS = 8
SINGLE_ROUNDINGS = 64 * 2.0**-24
"""What float32 arithmetic may lose before it is rounded to 16 bits, of the largest magnitude of an array."""

ZERO_FILL = 0
"""What `out` arrays hold before where a program is used: a program that knows FILL_BYTE fails there."""

Mask = npt.NDArray[np.bool_]
Margins = npt.NDArray[np.int16]


@dataclasses.dataclass(frozen=True)
class Difference:
    """The first place where an array differs from the reference.

    `element` and `component` are None where only hashes can be compared; `ulp` is None for integers and NaN.
    `stored` is the element that holds what is wrong, and its component (None: any), where that is known, and
    somebody has stored it.
    """

    reason: str
    message: str
    element: int | None = None
    component: int | None = None
    expected: int | float | str | None = None
    got: int | float | str | None = None
    ulp: int | None = None
    stored: tuple[int, int | None] | None = None


@dataclasses.dataclass(frozen=True)
class Outcome:
    """`max_ulp` is the largest distance of any float component, however the array was judged."""

    difference: Difference | None
    max_ulp: int


def filled(expected: Expected, element: Type, structs: Structs, fill: int) -> Expected:
    """What the reference would have left if `fill` had filled the array instead of FILL_BYTE."""
    if fill == FILL_BYTE:
        return expected
    if expected.value is not None:
        value = refilled(expected.value, expected.written, element, structs, fill)
        return dataclasses.replace(expected, value=value)
    assert expected.sample_value is not None and fill == ZERO_FILL
    kept = refilled(expected.sample_value, expected.sample_written, element, structs, fill)
    return dataclasses.replace(expected, sha256=expected.zero_sha256, sample_value=kept)


def holds_for(expected: Expected, fill: int) -> bool:
    """Whether it is known what the reference would have left if `fill` had filled the array."""
    known = expected.value is not None or (fill == ZERO_FILL and expected.zero_sha256 is not None)
    return known or fill == FILL_BYTE


def compare(
    expected: Expected,
    got: Packed,
    element: Type,
    structs: Structs,
    equality: str,
    fill: int = FILL_BYTE,
    roundings: int = ROUNDINGS,
) -> Outcome:
    """Judge packed elements `got` against the reference in a class of equality.

    `fill` is the byte that an `out` array held before.
    """
    got = canonical(got)
    if expected.value is None:
        return _compare_large(expected, got, element, structs, equality, fill, roundings)
    wanted = packed_elements(expected.value, element, structs)
    if np.array_equal(as_bytes(got), expected.value):
        return Outcome(None, 0)
    margin = expected.margin
    if equality.endswith("permutation"):
        order = _order(wanted)
        got, wanted = got[_order(got)], wanted[order]
        margin = None if margin is None else margin[order]
    return _first_difference(wanted, got, expected.written, equality, margin, fill, roundings)


def matches(expected: Expected, got: Packed) -> bool:
    """True if `got` has the reference's bits, NaN canonicalised."""
    got = canonical(got)
    if expected.value is not None:
        return np.array_equal(as_bytes(got), expected.value)
    return hashlib.sha256(got.tobytes()).digest() == expected.sha256


def unchanged(before: Packed, after: Packed) -> Difference | None:
    """The first difference between an input as drawn and as the device holds it after the launch."""
    if np.array_equal(as_bytes(before), as_bytes(after)):
        return None
    message = "an input array differs from what was put in"
    place = _first_difference(before, after, None, "bits").difference or Difference("", "")
    return dataclasses.replace(place, reason="input_modified", message=message)


def made_by_host(before: Packed, after: Packed) -> Difference | None:
    """The first component of an output that a program changed although none of its kernels ran.

    One byte repeated is what `cudaMemset` leaves, which is the device's work.
    """
    if np.array_equal(as_bytes(before), as_bytes(after)):
        return None
    for number, name in enumerate(before.dtype.names or ()):
        old, new = _bytes_of(before[name]), _bytes_of(after[name])
        made = (old != new).any(axis=1) & (new != new[:, :1]).any(axis=1)
        if made.any():
            element = int(np.argmax(made))
            place = slice(element, element + 1)
            return Difference(
                "host_result",
                "an element is written although no kernel runs",
                element,
                number,
                _plain(before[name][place]),
                _plain(after[name][place]),
            )
    return None


def ulp_distance(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Number of representable values between floats of one type: 0 for equal bits, 1 for -0 and +0.

    Meaningless where either is NaN. bfloat16 counts its own values: it is the upper half of a float32.
    """
    bits = np.dtype(f"<u{a.dtype.itemsize}")
    sign = np.uint64(1) << np.uint64(8 * a.dtype.itemsize - 1)

    def ordered(x: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        raw = np.ascontiguousarray(x).view(bits).astype(np.uint64)
        negative = (raw & sign) != 0
        return np.where(negative, sign - np.uint64(1) - (raw & (sign - np.uint64(1))), raw | sign)

    left, right = ordered(a), ordered(b)
    return np.maximum(left, right) - np.minimum(left, right)


def _compare_large(
    expected: Expected,
    got: Packed,
    element: Type,
    structs: Structs,
    equality: str,
    fill: int,
    roundings: int,
) -> Outcome:
    if hashlib.sha256(got.tobytes()).digest() == expected.sha256:
        return Outcome(None, 0)
    assert expected.sample_index is not None and expected.sample_value is not None
    wanted = packed_elements(expected.sample_value, element, structs)
    if equality.endswith("permutation"):
        near = equality == "bounded_permutation"
        return Outcome(_missing(expected, got, wanted, roundings if near else None), 0)
    kept = got[expected.sample_index]
    outcome = _first_difference(
        wanted, kept, expected.sample_written, equality, expected.margin, fill, roundings
    )
    difference = outcome.difference
    if difference is not None and difference.element is not None:
        place = int(expected.sample_index[difference.element])
        stored = None if difference.stored is None else (place, difference.component)
        return dataclasses.replace(
            outcome, difference=dataclasses.replace(difference, element=place, stored=stored)
        )
    if equality == "bits":
        message = f"the array's hash differs; the {len(wanted)} elements that the reference keeps agree"
        return Outcome(Difference("wrong_output", message), outcome.max_ulp)
    return outcome


def _missing(expected: Expected, got: Packed, wanted: Packed, roundings: int | None) -> Difference | None:
    """The first kept element of the reference that is nowhere in `got`, or with `roundings` nearly."""
    assert expected.sample_index is not None
    present = {row.tobytes() for row in as_bytes(got)}
    for number, (index, row) in enumerate(zip(expected.sample_index, as_bytes(wanted), strict=True)):
        if row.tobytes() not in present and not (
            roundings is not None and _any_near(wanted, number, got, expected.margin, roundings)
        ):
            return Difference(
                "wrong_output", "an element of the reference is nowhere in the array", int(index)
            )
    return None


def _any_near(wanted: Packed, number: int, got: Packed, margin: Margins | None, roundings: int) -> bool:
    """Whether an element of `got` is within the bounds of one that is wanted."""
    near = np.ones(len(got), np.bool_)
    for component, name in enumerate(wanted.dtype.names or ()):
        one, all_got = wanted[name][number : number + 1], got[name]
        if bfloat16.is_float(one.dtype):
            kept = None if margin is None else margin[number : number + 1, component]
            near_by = within(one, kept, scale_of(wanted), roundings)
            near &= close(bfloat16.as_floats(one), bfloat16.as_floats(all_got), near_by)
        else:
            near &= all_got == one
    return bool(near.any())


def last_place(wanted: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The unit in the last place of each element of a float component; 0 of 0."""
    fractions, exponents = np.frexp(bfloat16.as_floats(wanted).astype(np.float64))
    units = np.ldexp(1.0, exponents - SIGNIFICAND_BITS[bfloat16.name(wanted.dtype)])
    result: npt.NDArray[np.float64] = np.where(fractions == 0, 0.0, units)
    return result


def within(
    wanted: npt.NDArray[Any], margin: npt.NDArray[np.int16] | None, scale: float, roundings: int
) -> npt.NDArray[np.float64]:
    """The bounds of the elements of a float component."""
    kind = bfloat16.name(wanted.dtype)
    if margin is None:
        return np.full(len(wanted), scale * NARROW_TOLERANCE.get(kind, TOLERANCE))
    return _bounds(bfloat16.as_floats(wanted), roundings * 2.0 ** -SIGNIFICAND_BITS[kind], margin)


def _first_difference(
    wanted: Packed,
    got: Packed,
    written: Mask | None,
    equality: str,
    margin: Margins | None = None,
    fill: int = FILL_BYTE,
    roundings: int = ROUNDINGS,
) -> Outcome:
    names = wanted.dtype.names or ()
    wrong = np.zeros((len(wanted), len(names)), dtype=np.bool_)
    scale = scale_of(wanted)
    max_ulp = 0
    for number, name in enumerate(names):
        a, b = wanted[name], got[name]
        floating = bfloat16.is_float(a.dtype)
        if equality in ("bounded", "bounded_permutation", "equal", "rounded_once") and floating:
            if equality == "equal":
                allowed = np.zeros(len(a))
            elif equality == "rounded_once" and bfloat16.name(a.dtype) in NARROW_TOLERANCE:
                allowed = last_place(a) + SINGLE_ROUNDINGS * scale
            else:
                allowed = within(a, None if margin is None else margin[:, number], scale, roundings)
            wrong[:, number] = ~close(bfloat16.as_floats(a), bfloat16.as_floats(b), allowed)
        else:
            wrong[:, number] = (_bytes_of(a) != _bytes_of(b)).any(axis=1)
        if floating:
            comparable = ~(np.isnan(bfloat16.as_floats(a)) | np.isnan(bfloat16.as_floats(b)))
            if comparable.any():
                max_ulp = max(max_ulp, int(ulp_distance(a[comparable], b[comparable]).max()))
    if not wrong.any():
        return Outcome(None, max_ulp)
    element, component = (int(i) for i in np.argwhere(wrong)[0])
    ordered = not equality.endswith("permutation")
    was_written = bool(written[element, component]) if written is not None and ordered else None
    difference = _describe(wanted, got, element, component, was_written, fill)
    if ordered and difference.reason != "unwritten_output":
        difference = dataclasses.replace(difference, stored=(element, component))
    return Outcome(difference, max_ulp)


def _describe(
    wanted: Packed, got: Packed, element: int, component: int, written: bool | None, fill: int
) -> Difference:
    a = wanted[f"c{component}"][element : element + 1]
    b = got[f"c{component}"][element : element + 1]
    reason, message = "wrong_output", "an element differs from the reference"
    ulp = None
    if bfloat16.is_float(a.dtype):
        if np.isnan(bfloat16.as_floats(a)[0]) or np.isnan(bfloat16.as_floats(b)[0]):
            reason, message = "nan_mismatch", "only one side has NaN"
        else:
            ulp = int(ulp_distance(a, b)[0])
    if written is False:
        reason, message = "wrote_too_much", "an element is written that the reference leaves alone"
    elif written and (_bytes_of(b) == fill).all():
        reason, message = "unwritten_output", "an element is left as it was before the launch"
    return Difference(reason, message, element, component, _plain(a), _plain(b), ulp)


def _order(packed: Packed) -> npt.NDArray[np.int64]:
    """Elements by value, component after component; bits decide between -0 and +0, which compare equal."""
    keys: list[npt.NDArray[Any]] = []
    for name in reversed(packed.dtype.names or ()):
        column = np.ascontiguousarray(packed[name])
        keys += [column.view(f"<u{column.dtype.itemsize}"), bfloat16.as_floats(column)]
    order: npt.NDArray[np.int64] = np.lexsort(keys)
    return order


def _bounds(
    values: npt.NDArray[Any], roundoffs: float, margin: npt.NDArray[np.int16]
) -> npt.NDArray[np.float64]:
    with np.errstate(invalid="ignore", over="ignore"):
        bounds: npt.NDArray[np.float64] = roundoffs * np.abs(values.astype(np.float64))
        return bounds + MARGINS * margin_values(margin)


def close(a: npt.NDArray[Any], b: npt.NDArray[Any], tolerance: npt.NDArray[np.float64]) -> Mask:
    """Where floats differ by no more than a tolerance; NaN and infinities are close to themselves alone."""
    finite = np.isfinite(a) & np.isfinite(b)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(a.astype(np.float64) - b.astype(np.float64)) <= tolerance
        same = (a == b) | (np.isnan(a) & np.isnan(b))
    result: Mask = np.where(finite, near, same)
    return result


def scale_of(wanted: Packed) -> float:
    """Largest finite magnitude among an array's float components."""
    largest = 0.0
    for name in wanted.dtype.names or ():
        column = wanted[name]
        if bfloat16.is_float(column.dtype):
            values = bfloat16.as_floats(column)
            finite = np.abs(values[np.isfinite(values)].astype(np.float64))
            largest = max(largest, float(finite.max(initial=0.0)))
    return largest


def _bytes_of(column: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    flat = np.ascontiguousarray(column)
    return flat.view(np.uint8).reshape(len(flat), flat.dtype.itemsize)


def _plain(one: npt.NDArray[Any]) -> int | float | str:
    """A component as JSON can hold it: floats in the fewest digits that tell them apart, NaN, infinities and
    -0 by name."""
    if bfloat16.is_float(one.dtype):
        value = float(str(bfloat16.as_floats(one)[0]))
        return value if np.isfinite(value) and (value != 0 or not np.signbit(value)) else str(value)
    return int(_bytes_of(one)[0, 0]) if one.dtype.kind == "b" else int(one[0])
