"""Samples of a build with other cases than it has: from the reference stage's own script, in a process of its
own, because Warp stays there.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

from weft.errors import UserError
from weft.tools import run_tool


@dataclasses.dataclass(frozen=True)
class OtherCases:
    """What the reference stage is asked with: its script, a shard's kernels and ir file, the seconds that one
    kernel may take, and the folders with Warp's precompiled headers.
    """

    script: Path
    kernels: str
    ir: Path
    timeout: float
    headers: Sequence[Path] = ()

    def write(
        self, path: Path, sample_ids: Sequence[str], sizes: Sequence[int], seeds: Sequence[int]
    ) -> None:
        """Write the reference file of some samples. Raises UserError where the stage does."""
        command = [sys.executable, "-P", str(self.script), self.kernels, str(self.ir), "--output", str(path)]
        command += ["--sizes", *map(str, sizes), "--seeds", *map(str, seeds)]
        command += ["--timeout", str(self.timeout), "--samples", *sample_ids]
        if self.headers:
            command += ["--warp-headers", *map(str, self.headers)]
        done = run_tool(command)
        if done.returncode != 0:
            raise UserError(done.stderr.strip() or f"{self.script.name} ended with status {done.returncode}")
