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

OVERWRITTEN = "overwritten"
NO_CAUSE = "unknown"


def check(sample: Check, kernel: Kernel, record: Record, case: Case) -> Found:
    """Compare Warp's gradients of one case with differences.

    Raises KernelError for what cannot be launched.
    """
    passes = Passes(sample.drawn, sample.executed, kernel, record, case)
    if not len(passes.point):
        return Found("not_differentiable", "no array of floats is an input")
    found = _compared(sample, passes, restored=False)
    if found.outputs == 0:
        message = "the differences of no output settle: every output lies at a kink, or is mostly rounding"
        return Found("not_smooth", message, kinks=found.kinks)
    if not found.moved:
        return Found("not_differentiable", "no float output changes with a float input", kinks=found.kinks)
    verdict, cause, message = _verdict(sample, passes, found)
    return Found(verdict, message, cause, found.outputs, found.kinks, _difference(passes, found))


def _compared(sample: Check, passes: Passes, *, restored: bool) -> Comparison:
    def backward(weights: Vector) -> Vector:
        return passes.backward(weights, restored)

    seed = hashlib.sha256(sample.drawn.sample_id.encode()).digest()
    rng = np.random.Generator(np.random.PCG64(int.from_bytes(seed[:8])))
    return compare(passes.forward, backward, passes.point, passes.scale, sample.precision, rng)


def _verdict(sample: Check, passes: Passes, found: Comparison) -> tuple[str, str | None, str]:
    """Verdict, cause and message."""
    wrong = found.difference is not None
    if sample.custom:
        message = "the user's own gradient is not the derivative" if wrong else ""
        return "custom", None, message
    if not wrong:
        return "agrees", None, ""
    if sample.without_adjoint:
        return "no_adjoint", None, f"Warp gives no adjoint to {', '.join(sample.without_adjoint)}"
    if passes.in_place and _compared(sample, passes, restored=True).difference is None:
        message = "right if arrays are put back as they were before the launch: it changes what it reads"
        return "disagrees", OVERWRITTEN, message
    return "disagrees", NO_CAUSE, ""


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
