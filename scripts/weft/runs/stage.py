"""The runs stage: a whole shard on one device."""

from __future__ import annotations

import ctypes
import dataclasses
import tempfile
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.reference import store
from weft.runs.build import Build, CpuToolchain, CudaToolchain, build_shard
from weft.runs.shard import Shard, ShardSample, parse_shard
from weft.runs.verdict import CPU, CUDA, SCHEMA, Device, entry, judge_sample, reject_record


class NoDeviceError(Exception):
    """There is no GPU to run on."""


def run_shard_cpu(cuda: Path, reference: Path, *, compiler: str, timeout: float) -> dict[str, Any]:
    """The runs file of a shard on the CPU. Raises UserError for wrong files and a missing compiler."""
    with tempfile.TemporaryDirectory(prefix="weft-build-") as folder:
        toolchain = CpuToolchain(compiler, Path(folder))
        return _run_shard(cuda, reference, toolchain, CPU, timeout)


def run_shard_cuda(
    cuda: Path, reference: Path, *, compiler: str, arch: str, timeout: float
) -> dict[str, Any]:
    """The runs file of a shard on this machine's GPU, with `fmad_false_bits` for each sample that ran.

    Raises NoDeviceError before anything else if there is no GPU; UserError for wrong files and a missing
    compiler.
    """
    if count_gpus() == 0:
        raise NoDeviceError("no CUDA device")
    with tempfile.TemporaryDirectory(prefix="weft-build-") as folder:
        toolchain = CudaToolchain(compiler, Path(folder), arch)
        result = _run_shard(cuda, reference, toolchain, CUDA, timeout)
    with tempfile.TemporaryDirectory(prefix="weft-build-") as folder:
        uncontracted = CudaToolchain(compiler, Path(folder), arch, contract=False)
        exact = _run_shard(cuda, reference, uncontracted, dataclasses.replace(CUDA, bits=True), timeout)
    verdicts = {one["sample_id"]: one["verdict"] for one in exact["samples"]}
    for one in result["samples"]:
        one["fmad_false_bits"] = verdicts[one["sample_id"]] == "verified"
    return result


def count_gpus() -> int:
    """The number of GPUs that the CUDA driver sees; 0 where there is no driver."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value


def _run_shard(
    cuda: Path, reference_path: Path, toolchain: CpuToolchain | CudaToolchain, device: Device, timeout: float
) -> dict[str, Any]:
    shard = read_shard(cuda)
    reference = read_reference(reference_path)
    wanted = {sample.sample_id for sample in reference.samples}
    parts = {part.sample_id: part for part in shard.samples if part.sample_id in wanted}
    build = build_shard(shard, toolchain, set(parts)) if parts else None
    samples = [
        _judge(sample, parts.get(sample.sample_id), build, device, timeout) for sample in reference.samples
    ]
    rejected = [
        reject_record(reference, sample, one)
        for sample, one in zip(reference.samples, samples, strict=True)
        if one["verdict"] == "rejected"
    ]
    return {
        "schema": SCHEMA,
        "device": device.name,
        "category": reference.category,
        "seed": reference.seed,
        "versions": {"compiler": toolchain.version()},
        "flags": list(toolchain.flags),
        "samples": samples,
        "rejects": rejected,
    }


def read_shard(path: Path) -> Shard:
    """The program of a shard. Raises UserError."""
    try:
        return parse_shard(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error


def read_reference(path: Path) -> store.Reference:
    """The reference of a shard. Raises UserError."""
    try:
        return store.read(path)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error


def _judge(
    sample: store.Sample, part: ShardSample | None, build: Build | None, device: Device, timeout: float
) -> dict[str, Any]:
    if part is None or build is None:
        return entry(sample, device, "not_run", "no_program", "the shard has no program of this sample")
    if sample.sample_id in build.failures:
        return entry(sample, device, "rejected", "compile_error", build.failures[sample.sample_id])
    if sample.sample_id in build.upset:
        return entry(sample, device, "rejected", "crash", build.upset[sample.sample_id])
    if not sample.cases:
        return entry(sample, device, "not_run", "no_cases", "the reference has no case of this sample")
    return judge_sample(sample, part, build.program, device, timeout)
