"""The runs stage: a whole shard on one device."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.files import read_shard as read_shard_text
from weft.reference import store
from weft.runs.build import Build, CpuToolchain, CudaToolchain, build_shard
from weft.runs.interface import read_interfaces
from weft.runs.shard import Shard, ShardSample, alone, parse_shard
from weft.runs.together import run_together
from weft.runs.verdict import CPU, SCHEMA, Device, entry, judge_sample, reject_record
from weft.scratch import scratch

Inspect = Callable[[store.Sample, ShardSample, Path, dict[str, Any]], dict[str, Any]]
"""A further look at a judged sample: from the sample, its part of the shard, the shard's program and its
entry so far, the entry that it gets."""


def run_shard_cpu(
    cuda: Path, reference: Path, *, compiler: str, timeout: float, cpu_device: Path | None = None
) -> dict[str, Any]:
    """The runs file of a shard on the CPU. Raises UserError for wrong files and a missing compiler.

    `cpu_device` is a folder that holds the CPU device (weft.runs.build.make_device), None to compile it.
    """
    with scratch("build") as folder:
        toolchain = CpuToolchain(compiler, folder, cpu_device)
        return run_shard(cuda, reference, toolchain, CPU, timeout)


def run_shard(
    cuda: Path,
    reference_path: Path,
    toolchain: CpuToolchain | CudaToolchain,
    device: Device,
    timeout: float,
    inspect: Inspect | None = None,
) -> dict[str, Any]:
    """The runs file of a shard. `inspect` may change a judged sample's entry. Raises UserError."""
    version = toolchain.version()
    shard = read_shard(cuda)
    reference = store.read(reference_path)
    wanted = {sample.sample_id for sample in reference.samples}
    parts = {part.sample_id: part for part in shard.samples if part.sample_id in wanted}
    build = build_shard(shard, toolchain, set(parts)) if parts else None
    entries = {sample.sample_id: _hindered(sample, parts, build, device) for sample in reference.samples}
    runnable = [
        (sample, parts[sample.sample_id]) for sample in reference.samples if entries[sample.sample_id] is None
    ]
    if build is not None:
        for start in range(0, len(runnable), device.share):
            group = runnable[start : start + device.share]
            entries |= judge_group(group, build.program, device, timeout, inspect)
    samples = [one for one in entries.values() if one is not None]
    return {
        "schema": SCHEMA,
        "device": device.name,
        "category": reference.category,
        "seed": reference.seed,
        "versions": {"compiler": version},
        "flags": list(toolchain.flags),
        "samples": samples,
        "rejects": rejects_of(reference, samples),
    }


def rejects_of(reference: store.Reference, entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The reject records of a shard's entries, one for each sample of the reference."""
    return [
        reject_record(reference, sample, one)
        for sample, one in zip(reference.samples, entries, strict=True)
        if one["verdict"] == "rejected"
    ]


def read_shard(path: Path) -> Shard:
    """The program of a shard, with the interfaces from the index beside it. Raises UserError."""
    return parse_shard(read_shard_text(path), str(path), read_interfaces(path))


def one_program(path: Path, sample: str | None) -> Shard:
    """The program of one sample: the whole file, or the part of a shard that `sample` names by id or kernel.
    Raises UserError, with the names, unless exactly one fits.
    """
    interfaces = read_interfaces(path)
    text = read_shard_text(path)
    if "// sample " not in text:
        if sample is not None:
            raise UserError(f"sample={sample!r}: the program has only one kernel; leave sample out")
        if len(interfaces) != 1:
            raise UserError(
                f"{path}: is one kernel's program, but {path.with_suffix('.json')} is not its index"
            )
        ((sample_id, interface),) = interfaces.items()
        return alone(text, sample_id, interface)
    shard = parse_shard(text, str(path), interfaces)
    found = [one for one in shard.samples if sample in (None, one.sample_id, one.kernel_name)]
    if len(found) != 1:
        which = "which kernel? Name it by sample=" if sample is None else f"no single kernel is {sample!r}"
        listed = ", ".join(f"{one.kernel_name} ({one.sample_id})" for one in shard.samples)
        raise UserError(f"{which}; the program has {listed}")
    return Shard(shard.text, (found[0],))


def _hindered(
    sample: store.Sample, parts: Mapping[str, ShardSample], build: Build | None, device: Device
) -> dict[str, Any] | None:
    """The entry of a sample whose program cannot be run; None if it can."""
    if sample.sample_id not in parts or build is None:
        return entry(sample, device, "not_run", "no_program", "the shard has no program of this sample")
    if sample.sample_id in build.failures:
        return entry(sample, device, "rejected", "compile_error", build.failures[sample.sample_id])
    if sample.sample_id in build.upset:
        return entry(sample, device, "rejected", "crash", build.upset[sample.sample_id])
    if not sample.cases:
        return entry(sample, device, "not_run", "no_cases", "the reference has no case of this sample")
    return None


def judge_group(
    group: Sequence[tuple[store.Sample, ShardSample]],
    program: Path,
    device: Device,
    timeout: float,
    inspect: Inspect | None,
) -> dict[str, dict[str, Any]]:
    """The entries of samples that share processes if they are several."""
    entries = {}
    with scratch("together") as folder:
        shared = len(group) > 1
        finished = run_together(group, program, device, timeout, folder) if shared else [None]
        for (sample, part), one in zip(group, finished, strict=True):
            result = judge_sample(sample, part, program, device, timeout, one)
            entries[sample.sample_id] = inspect(sample, part, program, result) if inspect else result
    return entries
