"""Fresh cases for strangers' programs: sizes, extents and seeds that nobody can have learnt by heart.

Warp computes what they give, for which the build's kernels and ir file are needed.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.errors import KilledError, UserError
from weft.files import canonical_json, read_json, sha256, write_atomically
from weft.reference import store
from weft.reference.other_cases import OtherCases
from weft.runs.build import CpuToolchain
from weft.runs.candidate_stage import SampleFiles, judge_candidates
from weft.runs.interface import read_interfaces
from weft.runs.other_launch import other_launch
from weft.runs.stage import read_shard
from weft.runs.verdict import CPU, judge_sample
from weft.sampling import draw
from weft.scratch import scratch

REFERENCE_SCRIPT = Path(__file__).resolve().parents[2] / "reference.py"
"""The reference stage."""

LIBRARY = Path(__file__).resolve().parents[1]
"""Weft's own code."""

_SEEDS = 2**31
"""Drawn seeds are below."""

_SIZES = (
    (range(1025, 4000), 1, 0),
    (range(1, 2), 1, 0),
    (range(514, 1000), 1, 0),
    (range(1, 4), 256, 1),
    (range(65, 255), 1, 0),
    (range(2, 31), 1, 0),
    (range(2, 5), 256, 0),
    (range(2, 8), 32, 1),
    (range(65_794, 69_990), 1, 0),
    (range(2, 8), 32, 0),
    (range(65_794, 69_990), 1, 0),
)
"""A size is one of these numbers, times the second, and so many more: whole warps and blocks, one past whole
warps and one past whole blocks, more than the largest block has threads, more than 257 blocks of 256.
Generated kernels are proved for sizes up to 70,000. Their order decides which edges each has (`fresh_seeds`):
among the numbers, below zero, all equal, all small, and so on. The last one has arrays of one number, so that
counters of 16 bits overflow."""


def drawn_seed() -> int:
    """A seed for cases that nobody knows beforehand."""
    return secrets.randbelow(_SEEDS)


def fresh_sizes(seed: int) -> list[int]:
    """The base sizes that follow from a seed, all different."""
    sizes = [
        numbers[draw(f"{seed} size {place}") % len(numbers)] * step + past
        for place, (numbers, step, past) in enumerate(_SIZES)
    ]
    return list(dict.fromkeys(sizes))


def fresh_seeds(seed: int) -> list[int]:
    """The input seeds of the first size that follow from a seed: three, of which one has edges. They are
    multiples of 36 and their successors, so that the kinds of edges follow each other from size to size, and
    so do the parameters that alone are not as before (`weft.edges.kept_of`).
    """
    first = 36 * (draw(f"{seed} inputs") % 2**16)
    return [first, first + 1, first + 2]


@dataclasses.dataclass(frozen=True)
class Chosen:
    """The files of a sample with the reference to judge by, the seed that its cases follow from, and why they
    are those of the build, if they are.
    """

    files: SampleFiles
    seed: int | None
    as_built: str | None


def judge_on_fresh_cases(
    candidates: Sequence[Path],
    files: SampleFiles,
    *,
    seed: int | None,
    as_built: bool,
    timeout: float,
    compiler: str,
    **options: Any,
) -> dict[str, Any]:
    """The runs file of candidates (`judge_candidates`, which takes the `options`) with `cases`: which they
    were, the seed that gives them again, and why they are those of the build, if they are: they may be asked
    for.
    """
    with scratch("cases") as folder:
        chosen = Chosen(files, None, "asked for")
        if not as_built:
            chosen = choose_cases(files, seed, REFERENCE_SCRIPT, timeout, folder, compiler)
        result = judge_candidates(candidates, chosen.files, timeout=timeout, compiler=compiler, **options)
        manifest = store.read_manifest(chosen.files.reference)
    (cases,) = (one["cases"] for one in manifest["samples"] if one["sample_id"] == files.sample_id)
    return {**result, "cases": {"seed": chosen.seed, "as_built": chosen.as_built, "of": cases}}


def choose_cases(
    files: SampleFiles, seed: int | None, script: Path, timeout: float, folder: Path, compiler: str
) -> Chosen:
    """Fresh cases of a sample, or those of the build where it lacks what Warp needs, or Warp finds no result.

    The reference of a seed that is given stays in the build, where other programs for the sample find it.
    Without one, a seed is drawn, and the reference is in `folder`.
    """
    chosen = drawn_seed() if seed is None else seed
    kept = seed is not None and os.access(files.results, os.W_OK)
    cases = OtherCases(script, str(files.kernels), files.ir, timeout, files.headers)
    try:
        path = _reference(files.results / "cases" if kept else folder, files, cases, chosen, compiler)
    except KilledError:
        raise
    except UserError as error:
        return Chosen(files, None, str(error))
    return Chosen(dataclasses.replace(files, reference=path), chosen, None)


def said_of_cases(cases: Mapping[str, Any]) -> str:
    """A line on the cases of a runs file."""
    sizes = ", ".join(str(size) for size in dict.fromkeys(one["size"] for one in cases["of"]))
    whose = (
        f"--seed {cases['seed']}"
        if cases["as_built"] is None
        else f"those of the build ({cases['as_built']})"
    )
    return f"{len(cases['of'])} cases, {whose}: sizes {sizes}"


def _reference(folder: Path, files: SampleFiles, cases: OtherCases, seed: int, compiler: str) -> Path:
    """The reference of the cases of a seed, which is made unless it is in the folder: of a launch with other
    extents and constants, if the kernel and the sample's own program do the same with them. Raises UserError
    where the build lacks what is needed, or the kernel has no reference.
    """
    sizes, seeds = fresh_sizes(seed), fresh_seeds(seed)
    others = _other_irs(files)
    path = folder / f"{files.sample_id}-{seed}-{_digest(files, others, cases.timeout, sizes, seeds)}.npz"
    for other_ir in others:
        if path.is_file():
            break
        with scratch("launch") as other:
            (other / "ir.json").write_text(other_ir, encoding="utf-8")
            with_other_launch = dataclasses.replace(cases, ir=other / "ir.json")
            with_other_launch.write(other / "cases.npz", [files.sample_id], sizes, seeds)
            if _own_program_agrees(files, other / "cases.npz", compiler, cases.timeout, other):
                write_atomically(path, (other / "cases.npz").read_bytes())
    if not path.is_file():
        cases.write(path, [files.sample_id], sizes, seeds)
    reference = store.read(path)
    if not any(sample.cases for sample in reference.samples):
        raise UserError("; ".join(f"{one['reason']}: {one['message']}" for one in reference.rejects))
    return path


def _other_irs(files: SampleFiles) -> list[str]:
    """The sample's part of its shard's ir file with other launches, if there are any: first that which
    differs most.
    """
    content = read_json(files.ir)
    interface = read_interfaces(files.cuda).get(files.sample_id)
    found: dict[str, None] = {}
    for one in content.get("records", []):
        if one["sample_id"] == files.sample_id and interface is not None:
            for extremes in (True, False):
                launch = other_launch(one["launch"], interface.numbers, extremes)
                if launch != one["launch"]:
                    found[canonical_json({**content, "records": [{**one, "launch": launch}]})] = None
    return list(found)


def _own_program_agrees(
    files: SampleFiles, reference: Path, compiler: str, timeout: float, folder: Path
) -> bool:
    """Whether a reference has the sample, and its own program, which may be for some extents only, agrees."""
    shard = read_shard(files.cuda)
    samples = [one for one in store.read(reference).samples if one.cases]
    parts = [one for one in shard.samples if one.sample_id == files.sample_id]
    if not samples or not parts:
        return False
    toolchain = CpuToolchain(compiler, folder)
    toolchain.prepare()
    if toolchain.compile(shard.program(parts), folder / "own") is not None:
        return False
    in_order, watched = CPU.executions[0], CPU.executions[2]
    device = dataclasses.replace(
        CPU, executions=(in_order, watched), idle=None, runs_main=False, sees_all=False
    )
    judged = judge_sample(samples[0], parts[0], folder / "own", device, timeout)
    return bool(judged["verdict"] == "verified")


def _digest(
    files: SampleFiles, others: Sequence[str], timeout: float, sizes: Sequence[int], seeds: Sequence[int]
) -> str:
    """What tells references of one sample and seed apart: what its kernel is made of, on what, and how it is
    run; and Weft's code, which decides what inputs a case has, and what is kept of its outputs.
    """
    try:
        content = (files.kernels.read_bytes(), files.ir.read_bytes(), *(one.encode() for one in others))
    except OSError as error:
        raise UserError(f"{error.filename}: {error.strerror}") from error
    parts = (*map(sha256, content), _code(LIBRARY), str(store.SCHEMA), str(timeout), str((sizes, seeds)))
    return sha256(" ".join(parts).encode())[:16]


@functools.cache
def _code(library: Path) -> str:
    """The hash of the code of the reference stage, and of what the rooms share."""
    files = sorted([*library.glob("*.py"), *(library / "reference").glob("*.py")])
    return sha256(b"".join(sha256(file.read_bytes()).encode() for file in files))
