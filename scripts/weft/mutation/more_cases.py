"""More cases for kernels whose cases see too little: other sizes, and inputs that were not drawn before.

Expected outputs come from the reference stage's own script, in a process of its own: Warp stays there.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

from weft.errors import UserError
from weft.reference import store
from weft.reference.cases import MAIN
from weft.scratch import scratch
from weft.tools import run_tool

SIZES = (2, 17, 64, 100, 300, 513)
SEEDS = (1000, 1001, 1002, 1003)


@dataclasses.dataclass(frozen=True)
class MoreCases:
    """What the reference stage is asked with: its script, a shard's kernels and ir file, and the seconds that
    one kernel may take.
    """

    script: Path
    kernels: str
    ir: Path
    timeout: float

    def of(self, sample_ids: Sequence[str]) -> dict[str, store.Sample]:
        """Samples with other cases than before, by id; without those for which the reference has none."""
        with scratch("cases") as folder:
            output = folder / "cases.npz"
            command = [
                sys.executable,
                "-P",
                str(self.script),
                self.kernels,
                str(self.ir),
                "--output",
                str(output),
            ]
            command += ["--sizes", *map(str, SIZES), "--seeds", *map(str, SEEDS)]
            command += ["--timeout", str(self.timeout), "--samples", *sample_ids]
            done = run_tool(command)
            if done.returncode != 0:
                raise UserError(done.stderr.strip() or f"{self.script.name} ends with {done.returncode}")
            return {
                sample.sample_id: sample
                for sample in map(_drawn_anew, store.read(output).samples)
                if sample.cases
            }


def _drawn_anew(sample: store.Sample) -> store.Sample:
    """Without the case of a program's own main, which every reference has."""
    return sample.only([number for number, case in enumerate(sample.cases) if case != MAIN])
