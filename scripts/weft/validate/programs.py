"""Check that the programs compile."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from weft.errors import UserError
from weft.runs.build import CpuToolchain, CudaToolchain, build_shard
from weft.runs.stage import read_shard
from weft.validate.problem import Problem


def toolchain(compiler: str, arch: str, folder: Path) -> CpuToolchain | CudaToolchain:
    """The way to compile with `compiler`: nvcc for `arch`, anything else as a g++ for the CPU."""
    if "nvcc" in Path(compiler).name:
        return CudaToolchain(compiler, folder, arch)
    return CpuToolchain(compiler, folder)


def check_program(
    results: Path, file: str, tools: CpuToolchain | CudaToolchain, rejected: Collection[str]
) -> Iterator[Problem]:
    """Check that every program of the shard `file` compiles, without those that the build itself rejected."""
    try:
        shard = read_shard(results / file)
        wanted = {sample.sample_id for sample in shard.samples} - set(rejected)
        failures = build_shard(shard, tools, wanted).failures
    except UserError as error:
        yield Problem(file, str(error))
        return
    for sample, message in sorted(failures.items()):
        yield Problem(file, f"does not compile: {message}", sample)
