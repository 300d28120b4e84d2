"""The reference stage: from a shard's ir file to its reference."""

from __future__ import annotations

import dataclasses
import os
import platform
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from weft.errors import KernelError, Place, UserError, reject
from weft.files import read_json
from weft.launch_source import advice
from weft.recursion import deep_recursion
from weft.reference import warp_cpu
from weft.reference.cases import cases
from weft.reference.compared import accumulators, compared_numbers
from weft.reference.job import Executed, Failure, Job, job
from weft.reference.processes import run_jobs
from weft.reference.store import Reference, Sample
from weft.scratch import scratch
from weft.source_spec import resolve


@deep_recursion()
def make_reference(
    kernels: Path | str,
    ir: Path,
    sizes: Sequence[int],
    seeds: Sequence[int],
    seconds: float,
    samples: Collection[str] | None = None,
    headers: Sequence[Path] = (),
) -> Reference:
    """Execute every sample of the ir file, or `samples` (their ids), on every case, each sample for at most
    `seconds` of CPU time.

    `kernels` is the shard's kernels file, or a source: modules beside it, or beside the user's source that it
    stands for, can be imported. `headers` are folders that weft.reference.warp_cpu.make_headers has filled.
    Raises UserError for files that make no sense.
    """
    content = _read_ir(ir)
    spec, is_file = resolve(str(kernels))
    all_cases = cases(sizes, seeds)
    records = [one for one in content["records"] if samples is None or one["sample_id"] in samples]
    launchable = [record for record in records if record["launch_problem"] is None]
    # A user's kernel may look at an input only now and then; a chosen sample has been found to depend on all.
    probes_all = not is_file or samples is not None
    jobs = [
        _with_edges(record, job(record, generated=is_file, probes_all=probes_all)) for record in launchable
    ]
    with scratch("reference") as folder:
        warp_cpu.start(folder, headers)
        with importable(spec.source.root):
            outcomes = run_jobs(jobs, all_cases, seconds, folder)
    found = []
    rejects = [
        reject(record, "reference", _no_launch(record["launch_problem"]))
        for record in records
        if record["launch_problem"] is not None
    ]
    for record, one in zip(launchable, jobs, strict=True):
        outcome = outcomes[one.sample_id]
        if isinstance(outcome, Executed) and outcome.unstable and one.generated:
            outcome = Failure("unstable", next(iter(outcome.unstable.values())))
        if isinstance(outcome, Failure):
            message = outcome.message + advice(one.kernel_name, one.launch, outcome.reason)
            rejects.append(reject(record, "reference", KernelError(outcome.reason, message)))
            continue
        found.append(
            Sample(
                sample_id=one.sample_id,
                kernel_name=one.kernel_name,
                index=record["index"],
                structs_json=record["structs"],
                signature=one.signature,
                launch=outcome.launch,
                cases=all_cases,
                expected=outcome.expected,
                no_twin=outcome.no_twin,
                unstable=next(iter(outcome.unstable.values()), None),
            )
        )
    rejects.sort(key=lambda one: int(one["index"]))
    return Reference(content["category"], content["seed"], versions(), found, rejects)


def _with_edges(record: Mapping[str, Any], one: Job) -> Job:
    """A record's job with edges among its inputs."""
    launch = dataclasses.replace(
        one.launch, compared=compared_numbers(record), accumulators=accumulators(record, one.launch)
    )
    return dataclasses.replace(one, launch=launch)


def _no_launch(problem: Mapping[str, Any]) -> KernelError:
    place = Place(problem["file"], problem["line"], problem["column"], problem["source_line"])
    return KernelError("no_launch", problem["message"], place)


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Let modules in `folder` be imported, behind all installed ones."""
    sys.path.append(str(folder.resolve()))
    try:
        yield
    finally:
        sys.path.pop()


def _read_ir(path: Path) -> Any:
    content = read_json(path)
    try:
        content["records"], content["category"], content["seed"]
    except (KeyError, TypeError) as error:
        raise UserError(f"{path} is not an ir file (expected what scripts/ir.py writes)") from error
    return content


def versions() -> dict[str, Any]:
    """What results depend on: Warp, glibc's math functions, and the CPU features that choose among them."""
    libc = os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in os.confstr_names else None
    return {
        "warp": warp_cpu.version(),
        "glibc": (libc or "unknown").removeprefix("glibc "),
        "cpu": {"machine": platform.machine(), "features": _cpu_features()},
    }


def _cpu_features() -> list[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    flags = next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), [])
    return sorted({"avx", "avx2", "avx512f", "fma", "fma4", "sse4_1"}.intersection(flags))
