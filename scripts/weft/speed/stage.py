"""The speed stage: the times of a whole shard on one device."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.ptx.nvcc import resolve_arch
from weft.reference import store
from weft.reference.store import Sample
from weft.runs.build import CpuToolchain, CudaToolchain, build_shard
from weft.runs.gpu import NoDeviceError, count_gpus, find_shipped
from weft.runs.shard import ShardSample
from weft.runs.stage import read_shard
from weft.scratch import scratch
from weft.speed.measure import Machine, Plan, measure

SCHEMA = 1
CPU_FLAGS = (
    "-O2",
    "-ftrivial-auto-var-init=uninitialized",
    "-DWEFT_CPU_UNWATCHED",
)
"""Instead of the flags by which the judge watches every access: this is a program that is not watched."""
CPU_LAUNCHES = (1, 5)
GPU_LAUNCHES = (5, 20)
"""Launches that warm up, and launches that count."""

_MODEL = re.compile(r"^model name\s*:\s*(.+)$", re.MULTILINE)


def time_shard_cpu(
    cuda: Path,
    reference: Path,
    verdicts: Mapping[str, Any],
    *,
    compiler: str,
    sizes: list[int],
    timeout: float,
) -> dict[str, Any]:
    """The speed file of a shard on the CPU device, in one thread. Raises UserError."""
    with scratch("build") as folder:
        toolchain = CpuToolchain(compiler, folder, more=CPU_FLAGS)
        plan = Plan(sizes, *CPU_LAUNCHES, timeout)
        built = _built(cuda, reference, verdicts, toolchain)
        return time_built(built, plan, Machine({"name": cpu_name()}))


def time_shard_cuda(
    cuda: Path,
    reference: Path,
    verdicts: Mapping[str, Any],
    *,
    compiler: str,
    arch: str,
    ptx: Path | None,
    cubin: Path | None,
    sizes: list[int],
    timeout: float,
) -> dict[str, Any]:
    """The speed file of a shard on this machine's GPU; programs embed the shipped PTX if it is given.

    Raises NoDeviceError before anything else if there is no GPU; UserError for wrong files and missing tools.
    """
    if count_gpus() == 0:
        raise NoDeviceError("no CUDA device")
    with scratch("build") as folder:
        built = build_for_gpu(
            cuda, reference, verdicts, folder, compiler=compiler, arch=arch, ptx=ptx, cubin=cubin
        )
        return time_built(built, Plan(sizes, *GPU_LAUNCHES, timeout), None)


@dataclasses.dataclass(frozen=True)
class Built:
    """A shard's verified samples, compiled to a program that is timed; None if there are none."""

    samples: Sequence[tuple[Sample, ShardSample]]
    program: Path | None
    device: str
    category: str
    seed: int
    flags: Sequence[str]
    version: str


def build_for_gpu(
    cuda: Path,
    reference: Path,
    verdicts: Mapping[str, Any],
    folder: Path,
    *,
    compiler: str,
    arch: str,
    ptx: Path | None,
    cubin: Path | None,
) -> Built:
    """What is to be timed of a shard, compiled in `folder`: no GPU is needed for that. Raises UserError."""
    shipped = find_shipped(ptx, cubin)
    toolchain = CudaToolchain(compiler, folder, resolve_arch(arch), shipped=shipped, prelude=None)
    return _built(cuda, reference, verdicts, toolchain)


def _built(
    cuda: Path, reference_path: Path, verdicts: Mapping[str, Any], toolchain: CpuToolchain | CudaToolchain
) -> Built:
    version = toolchain.version()
    shard, reference = read_shard(cuda), store.read(reference_path)
    verified = {one["sample_id"] for one in verdicts["samples"] if one["verdict"] == "verified"}
    parts = {part.sample_id: part for part in shard.samples if part.sample_id in verified}
    build = build_shard(shard, toolchain, set(parts)) if parts else None
    failures = build.failures if build else {}
    return Built(
        [
            (sample, parts[sample.sample_id])
            for sample in reference.samples
            if sample.sample_id in parts and sample.sample_id not in failures
        ],
        build.program if build else None,
        verdicts["device"],
        reference.category,
        reference.seed,
        toolchain.flags,
        version,
    )


def time_built(built: Built, plan: Plan, machine: Machine | None) -> dict[str, Any]:
    """The speed file of a shard, sample after sample. `machine` is told of by the programs if it is None."""
    samples = []
    for sample, part in built.samples:
        assert built.program is not None
        measured = measure(sample, part, built.program, plan, built.device == "cpu")
        machine = machine or measured.machine
        samples.append(
            {
                "sample_id": sample.sample_id,
                "kernel_name": sample.kernel_name,
                "sizes": measured.sizes,
                "problem": measured.problem,
            }
        )
    return {
        "schema": SCHEMA,
        "device": built.device,
        "category": built.category,
        "seed": built.seed,
        "machine": dict(machine.fields) if machine else None,
        "flags": list(built.flags),
        "versions": {"compiler": built.version},
        "samples": samples,
    }


def cpu_name() -> str:
    """The processor's name as Linux has it."""
    try:
        found = _MODEL.search(Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found[1].strip() if found else "unknown"
