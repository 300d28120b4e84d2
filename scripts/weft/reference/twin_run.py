"""A sample's float64 twin on all its cases: how far the kernel is from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from weft.inputs import FILL_BYTE, packed_dtype
from weft.reference.cases import Case
from weft.reference.execute import Run
from weft.reference.job import Job
from weft.reference.layout import Packed, differs
from weft.reference.memory import GuardedMemory
from weft.reference.rounding import Rounding
from weft.reference.store import Expected, packed_elements
from weft.reference.warp_twin import TwinKernel, TwinProgram
from weft.reference.wide_types import to_wide, wide_structs, wide_type
from weft.types import Array, Type


def wide_job(job: Job) -> Job:
    """The job of a twin. Raises ValueError for types that have no wide form."""
    return dataclasses.replace(
        job,
        signature=[(name, wide_type(kind)) for name, kind in job.signature],
        structs=wide_structs(job.structs),
    )


def with_margins(
    job: Job,
    twin: TwinKernel | TwinProgram,
    memory: GuardedMemory,
    cases: Sequence[Case],
    expected: Sequence[Mapping[str, Expected]],
    inputs: Callable[[int], Mapping[str, Packed]],
    progress: Callable[[int], None],
) -> tuple[list[dict[str, Expected]], Mapping[Case, str]]:
    """What is expected, with margins, and what makes the kernel unstable, in each case that shows it.

    `inputs` draws all parameters of a case, by its number; `progress` is called with each before it runs.
    """
    wide = wide_job(job)
    run = Run(wide, twin, memory, cases)
    dtypes = {
        name: packed_dtype(kind.element if isinstance(kind, Array) else kind, wide.structs)
        for name, kind in wide.signature
    }
    elements = {name: kind.element for name, kind in job.signature if isinstance(kind, Array)}
    outputs = [one.name for one in run.outputs]
    launch = job.launch
    rounding = Rounding(
        {name: elements[name] for name in outputs},
        job.structs,
        twin.computed_in,
        launch.thread_count if launch.equality == "bounded" else None,
        only_wide=not launch.inferred_equality,
    )
    for number, case in enumerate(cases):
        progress(number)
        widened = {name: to_wide(packed, dtypes[name]) for name, packed in inputs(number).items()}
        left = run.launch(case, run.native(widened), FILL_BYTE)
        for name in outputs:
            _observe(rounding, name, case, expected[number][name], left[name], elements[name], job)
    margins = {name: rounding.margins(name) for name in outputs}
    results = [
        {name: dataclasses.replace(one, margin=margins[name][number]) for name, one in case_expected.items()}
        for number, case_expected in enumerate(expected)
    ]
    return results, rounding.instability()


def _observe(
    rounding: Rounding, name: str, case: Case, kept: Expected, twin: Packed, element: Type, job: Job
) -> None:
    written: npt.NDArray[np.bool_] | None = kept.written
    if kept.value is not None:
        kernel = packed_elements(kept.value, element, job.structs)
    else:
        assert kept.sample_value is not None
        kernel = packed_elements(kept.sample_value, element, job.structs)
        twin = twin[kept.sample_index]
        if job.launch.parameters[name].role == "out":
            fill = np.full(kernel.nbytes, FILL_BYTE, dtype=np.uint8).view(kernel.dtype)
            written = differs(kernel, fill)
    rounding.observe(name, case, kernel, twin, written)
