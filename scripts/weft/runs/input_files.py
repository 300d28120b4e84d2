"""The array files from which the driver takes the inputs of a sample's cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from weft.inputs import draw_parameter
from weft.reference.cases import Case
from weft.reference.store import Sample, as_bytes
from weft.runs.arrays import PackedArray, write_arrays
from weft.types import Array


def write_inputs(sample: Sample, cases: Sequence[Case], folder: Path) -> list[Path]:
    """The file of each case, in `folder`, which is made: all leaves as they are drawn, of `out` arrays the
    shape alone.
    """
    folder.mkdir(parents=True)
    files = [folder / f"inputs-{number}.arrays" for number in range(len(cases))]
    for path, case in zip(files, cases, strict=True):
        write_arrays(path, list(_drawn(sample, case)))
    return files


def _drawn(sample: Sample, case: Case) -> Iterator[PackedArray]:
    """The leaves of a case, less null arrays."""
    for position, (name, kind) in enumerate(sample.signature):
        parameter = sample.launch.parameters[name]
        if parameter.null:
            continue
        is_array = isinstance(kind, Array)
        shape = sample.launch.storage_shape(name, case.size) if is_array else ()
        elements = np.empty((0, 0), np.uint8)
        if parameter.role != "out":
            drawn = draw_parameter(
                sample.launch, name, kind, position, size=case.size, seed=case.seed, structs=sample.structs
            )
            elements = as_bytes(drawn)
        yield PackedArray(name, kind.element if isinstance(kind, Array) else kind, shape, elements)
