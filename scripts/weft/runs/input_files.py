"""The array file from which the driver takes the inputs of a sample's cases."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from weft.inputs import draw_parameter
from weft.reference.cases import Case
from weft.reference.store import Packed, Sample, as_bytes
from weft.runs.arrays import Elements, PackedArray, array_file
from weft.types import Array


@dataclasses.dataclass(frozen=True)
class Inputs:
    """The inputs of all cases, one array file after another in the file `path`. For each case, `words` names
    it to the driver, and `before` has every array parameter before the launch, without null ones. `held` has
    their bytes.
    """

    path: Path
    words: Sequence[str]
    before: Sequence[Mapping[str, Packed]]
    held: Sequence[Mapping[str, Elements]]


def write_inputs(sample: Sample, cases: Sequence[Case], path: Path) -> Inputs:
    """Draw the inputs of some cases, and write them: of `out` arrays the shape alone."""
    words, before = [], []
    with path.open("wb") as file:
        for case in cases:
            words.append(f"{path.name}:{file.tell()}")
            drawn = _drawn(sample, case)
            file.write(array_file([_stored(sample, case, name, packed) for name, packed in drawn.items()]))
            arrays = {name for name, kind in sample.signature if isinstance(kind, Array)}
            before.append({name: packed for name, packed in drawn.items() if name in arrays})
    held = [{name: as_bytes(packed) for name, packed in one.items()} for one in before]
    return Inputs(path, words, before, held)


def _drawn(sample: Sample, case: Case) -> dict[str, Packed]:
    """The leaves of a case, less null arrays."""
    launch, structs = sample.launch, sample.structs
    return {
        name: draw_parameter(launch, name, kind, position, size=case.size, seed=case.seed, structs=structs)
        for position, (name, kind) in enumerate(sample.signature)
        if not launch.parameters[name].null
    }


def _stored(sample: Sample, case: Case, name: str, packed: Packed) -> PackedArray:
    kind = dict(sample.signature)[name]
    is_out = sample.launch.parameters[name].role == "out"
    elements = np.empty((0, 0), np.uint8) if is_out else as_bytes(packed)
    if isinstance(kind, Array):
        return PackedArray(name, kind.element, sample.launch.storage_shape(name, case.size), elements)
    return PackedArray(name, kind, (), elements)
