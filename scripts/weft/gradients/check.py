"""The verdict on one sample, from its passes forward and backward."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from weft.gradients.compare import Comparison, compare
from weft.gradients.differences import Vector
from weft.gradients.passes import Kernel, Passes, Record
from weft.gradients.sample import Check, Found
from weft.reference.cases import Case

OUT_OF_BOUNDS = "out_of_bounds"
OVERWRITTEN = "overwritten"
INITIAL = "initial"
LOOP = "loop"
UNKNOWN = "unknown"


def check(sample: Check, kernel: Kernel, record: Record, case: Case) -> Found:
    """Compare Warp's gradients of one case with differences.

    Raises KernelError for what cannot be launched.
    """
    passes = Passes(sample.drawn, sample.executed, kernel, record, case)
    if not len(passes.point):
        return Found("not_differentiable", "no array of floats is an input")
    found = _compared(sample, passes)
    verdict, cause, message = _verdict(sample, passes, found)
    return Found(
        verdict,
        message,
        precision=sample.precision.name,
        cause=cause,
        outputs=found.outputs,
        kinks=found.kinks,
        difference=_difference(passes, found),
    )


def _compared(sample: Check, passes: Passes, *, restored: bool = False, initial: bool = True) -> Comparison:
    """With `restored`, of the adjoint that finds arrays as they were before the launch.

    Without `initial`, not by what arrays that change held before.
    """

    def backward(weights: Vector) -> Vector:
        return passes.backward(weights, restored)

    seed = hashlib.sha256(sample.drawn.sample_id.encode()).digest()
    rng = np.random.Generator(np.random.PCG64(int.from_bytes(seed[:8])))
    scale = passes.scale if initial else np.where(passes.initial, 0.0, passes.scale)
    return compare(passes.forward, backward, passes.point, scale, sample.precision, rng)


def _verdict(sample: Check, passes: Passes, found: Comparison) -> tuple[str, str | None, str]:
    """Verdict, cause and message."""
    wrong = found.difference is not None
    if not found.moved and not wrong:
        if found.kinks:
            message = "no differences settle: every output lies at a kink, or is mostly rounding"
            return "not_smooth", None, message
        return "not_differentiable", None, "no float output changes with a float input"
    if sample.custom:
        message = "the user's own gradient is not the derivative" if wrong else ""
        return "custom", None, message
    if not wrong:
        return "agrees", None, ""
    if sample.without_adjoint:
        return "no_adjoint", None, f"Warp gives no adjoint to {', '.join(sample.without_adjoint)}"
    if passes.initial.any():
        if _compared(sample, passes, restored=True).difference is None:
            message = "right if arrays are put back as they were before the launch: it changes what it reads"
            return "disagrees", OVERWRITTEN, message
        without = _compared(sample, passes, initial=False)
        if without.moved and without.difference is None:
            message = "right but by what arrays that it changes held before"
            return "disagrees", INITIAL, message
    if sample.loops:
        return "disagrees", LOOP, "Warp keeps no values of the iterations of a loop that it does not unroll"
    return "disagrees", UNKNOWN, ""


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
