"""The verdict on one sample, from its passes forward and backward."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from weft.gradients.compare import Comparison, compare
from weft.gradients.differences import Vector
from weft.gradients.passes import Kernel, Passes, Record
from weft.gradients.sample import Check, Found
from weft.reference.cases import Case

OUT_OF_BOUNDS, OVERWRITTEN, INITIAL, LOOP = "out_of_bounds", "overwritten", "initial", "loop"
"""What is known to make Warp's gradients wrong (docs/formats/gradients.md)."""


def check(sample: Check, kernel: Kernel, record: Record, case: Case) -> Found:
    """Compare Warp's gradients of one case with differences.

    Raises KernelError for what cannot be launched.
    """
    passes = Passes(sample.drawn, sample.executed, kernel, record, case)
    if not len(passes.point):
        return Found("not_differentiable", "no array of floats is an input")
    found = _compared(sample, passes)
    verdict, message = _verdict(sample, found)
    causes = _causes(sample, passes) if verdict == "disagrees" else ()
    return Found(
        verdict,
        message,
        precision=sample.precision.name,
        causes=causes,
        outputs=found.outputs,
        kinks=found.kinks,
        difference=_difference(passes, found),
    )


def _compared(
    sample: Check, passes: Passes, *, restored: bool = False, without: Collection[str] = ()
) -> Comparison:
    """With `restored`, of the adjoint that finds arrays as they were before each launch.

    Not by what the arrays `without` held before.
    """

    def backward(weights: Vector) -> Vector:
        return passes.backward(weights, restored)

    seed = hashlib.sha256(sample.drawn.sample_id.encode()).digest()
    rng = np.random.Generator(np.random.PCG64(int.from_bytes(seed[:8])))
    scale = np.where(passes.of_arrays(without), 0.0, passes.scale)
    return compare(passes.forward, backward, passes.point, scale, sample.precision, rng)


def _verdict(sample: Check, found: Comparison) -> tuple[str, str]:
    """Verdict and message."""
    wrong = found.difference is not None
    if not found.moved and not wrong:
        if found.kinks:
            return "not_smooth", "no differences settle: every output lies at a kink, or is mostly rounding"
        return "not_differentiable", "no float output changes with a float input"
    if sample.custom:
        return "custom", "the user's own gradient is not the derivative" if wrong else ""
    if not wrong:
        return "agrees", ""
    if sample.without_adjoint:
        return "no_adjoint", f"Warp gives no adjoint to {', '.join(sample.without_adjoint)}"
    return "disagrees", ""


def _causes(sample: Check, passes: Passes) -> tuple[str, ...]:
    """What makes the gradient wrong: that without which it is right."""
    if _is_right(_compared(sample, passes, restored=True)):
        return (OVERWRITTEN,)
    if _is_right_without_initial(sample, passes, restored=False):
        return (INITIAL,)
    if _is_right_without_initial(sample, passes, restored=True):
        return (OVERWRITTEN, INITIAL)
    return (LOOP,) if sample.loops else ()


def _is_right_without_initial(sample: Check, passes: Passes, *, restored: bool) -> bool:
    """Whether the adjoint is right but by what some arrays that the kernel changes held before."""
    without: set[str] = set()
    while True:
        found = _compared(sample, passes, restored=restored, without=without)
        wrong = found.difference
        if wrong is None or wrong.input is None:
            return bool(without) and _is_right(found)
        name = passes.changed_array(wrong.input)
        if name is None or name in without:
            return False
        without.add(name)


def _is_right(found: Comparison) -> bool:
    return found.moved and found.difference is None


def _difference(passes: Passes, found: Comparison) -> Mapping[str, Any] | None:
    """The first difference, in the form of the file."""
    difference = found.difference
    if difference is None:
        return None
    output = None if difference.output is None else passes.place(passes.outputs, difference.output)
    variable = None if difference.input is None else passes.place(passes.inputs, difference.input)
    return {
        "output": output and dataclasses.asdict(output),
        "input": variable and dataclasses.asdict(variable),
        "expected": _number(difference.expected),
        "got": _number(difference.got),
    }


def _number(value: float) -> float | str:
    """Six digits: what is behind them depends on the machine. NaN and infinities are words."""
    return float(f"{value:.6g}") if math.isfinite(value) else str(value)
