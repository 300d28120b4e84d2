"""What fused products change: nvcc rounds a product and the sum that it goes into once, Warp's CPU each of
them. Where products cancel, the difference is all that is left, and of that the float64 twin says nothing.
"""

from __future__ import annotations

import dataclasses
import platform
from collections.abc import Mapping

import numpy as np

from weft.inputs import packed_dtype
from weft.reference.cases import Case
from weft.reference.rounding import Rounding
from weft.reference.store import Expected, Packed, Sample, canonical, packed_elements
from weft.reference.wide_types import to_wide, wide_structs, wide_type
from weft.runs.build import WATCH_FLAGS, CpuToolchain
from weft.runs.mathematics import written_components
from weft.runs.shard import Shard, ShardSample
from weft.runs.verdict import CPU, Execution, outputs_of
from weft.scratch import scratch

FUSES = (
    "-ffp-contract=fast",
    "-fexpensive-optimizations",  # has the pass that fuses
    *(("-mfma",) if platform.machine() == "x86_64" else ()),
)


def with_fused_products(sample: Sample, shard: Shard, part: ShardSample, timeout: float) -> Sample:
    """The sample with margins that hold what its own program comes to on the CPU device with fused products
    (weft.reference.rounding, with that program in the twin's place); as it is if that cannot run. Outputs
    without margins have none then.
    """
    with scratch("fused") as folder:
        toolchain = CpuToolchain("g++", folder, more=(*WATCH_FLAGS, *FUSES))
        program = folder / "program"
        if toolchain.compile(shard.program([part]), program):
            return sample
        execution = Execution({"WEFT_THREAD_ORDER": "forward"})
        left = outputs_of(sample, part, program, CPU, execution, timeout, folder / "run")
    if not left:
        return sample
    expected = [
        {name: _wider(sample, case, name, one, outputs) for name, one in known.items()}
        for case, known, outputs in zip(sample.cases, sample.expected, left, strict=True)
    ]
    return dataclasses.replace(sample, expected=expected)


def _wider(sample: Sample, case: Case, name: str, known: Expected, left: Mapping[str, Packed]) -> Expected:
    """An expected output with a margin that holds what is left. Each case has a floor of its own: where all
    products of one cancel, that says nothing of others.
    """
    if known.margin is None:
        return known
    ((kind, role),) = ((kind, role) for _, output, kind, role in sample.outputs if output == name)
    if known.value is None:
        assert known.sample_value is not None
        value, fused = known.sample_value, left[name][known.sample_index]
    else:
        value, fused = known.value, left[name]
    near = packed_elements(value, kind.element, sample.structs)
    wide = packed_dtype(wide_type(kind.element), wide_structs(sample.structs))
    rounding = Rounding({name: kind.element}, sample.structs)
    rounding.observe(name, case, near, to_wide(canonical(fused), wide), written_components(near, role))
    (margin,) = rounding.margins(name)
    return dataclasses.replace(known, margin=np.maximum(known.margin, margin))
