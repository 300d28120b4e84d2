"""More cases for kernels whose cases see too little: other sizes, and inputs that were not drawn before."""

from __future__ import annotations

from collections.abc import Sequence

from weft.reference import store
from weft.reference.cases import MAIN
from weft.reference.other_cases import OtherCases
from weft.scratch import scratch

SIZES = (2, 17, 64, 100, 300, 513)
SEEDS = (1000, 1001, 1002, 1003)


def more_cases(of: OtherCases, sample_ids: Sequence[str]) -> dict[str, store.Sample]:
    """Samples with other cases than before, by id; without those for which the reference has none."""
    with scratch("cases") as folder:
        of.write(folder / "cases.npz", sample_ids, SIZES, SEEDS)
        found = map(_drawn_anew, store.read(folder / "cases.npz").samples)
        return {sample.sample_id: sample for sample in found if sample.cases}


def _drawn_anew(sample: store.Sample) -> store.Sample:
    """Without the case of a program's own main, which every reference has."""
    return sample.only([number for number, case in enumerate(sample.cases) if case != MAIN])
