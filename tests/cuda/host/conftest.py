from __future__ import annotations

import dataclasses
import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from strict import strict_toolchain
from weft.cuda.program import CudaProgram
from weft.cuda.shard import join

UNUSED = "-Wno-unused-parameter"
"""Kernels that are written by hand have parameters for their hosts alone."""


@dataclasses.dataclass(frozen=True)
class Executable:
    path: Path

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = [str(self.path), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    def json(self, *arguments: object) -> Any:
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="session")
def compile_shard(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[CudaProgram]], Executable]:
    """Compile programs as a shard for the CPU."""
    folder = tmp_path_factory.mktemp("cpu")

    def compile_programs(programs: Sequence[CudaProgram]) -> Executable:
        path = folder / f"program{len(list(folder.iterdir()))}"
        errors = strict_toolchain(folder, UNUSED).compile(join(programs), path)
        assert errors is None, errors
        return Executable(path)

    return compile_programs
