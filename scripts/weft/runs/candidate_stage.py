"""Candidates for one sample: where its files are, and the runs file of the verdicts."""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weft.errors import UserError, did_you_mean
from weft.files import read_json
from weft.ptx.nvcc import Toolkit, find_toolkit
from weft.reference import store
from weft.reference.cases import Case
from weft.runs.build import CpuToolchain
from weft.runs.candidate import judge_candidate, make_bench
from weft.runs.candidate_nvcc import ARCH
from weft.runs.fences import fenced_program
from weft.runs.sandbox import Sandbox, find_sandbox
from weft.runs.shard import Shard
from weft.runs.stage import read_shard
from weft.runs.verdict import SCHEMA, reject_record
from weft.scratch import scratch

MOST_INDICES = 200
"""So many shards are searched for a name that is near."""

_SAMPLE_ID = re.compile(r"(?P<category>[\w.+-]+)-(?P<seed>\d{4,9})-\d{4,9}", re.ASCII)


@dataclasses.dataclass(frozen=True)
class SampleFiles:
    """A sample, the files of its shard, and the folder of the build."""

    sample_id: str
    cuda: Path
    reference: Path
    kernels: Path
    ir: Path
    results: Path

    @property
    def headers(self) -> list[Path]:
        """The folders with Warp's precompiled headers that the build has."""
        names = ("warp_headers", "warp_tile_headers")
        return [folder for name in names if (folder := self.results / name).is_dir()]


def find_sample(sample: str, results: Path | None, cuda: Path | None, reference: Path | None) -> SampleFiles:
    """The files of a sample: those that are named, the others from the folder of its build.

    `sample` is an id, or a folder `results/samples/{id}`. Raises UserError if it is neither.
    """
    folder = Path(sample)
    match = _SAMPLE_ID.fullmatch(folder.name)
    if results is None:
        results = folder.parent.parent if folder.parent.name == "samples" else Path("results")
    if match is None:
        form = "vector-0000-0003, or results/samples/vector-0000-0003"
        raise UserError(f"{sample!r} is not a sample; expected {form}{_near(folder.name, results)}")
    shard = Path(match["category"]) / str(int(match["seed"]))
    return SampleFiles(
        folder.name,
        cuda or results / "cuda" / f"{shard}.cu",
        reference or results / "reference" / f"{shard}.npz",
        results / "kernels" / f"{shard}.py",
        results / "ir" / f"{shard}.json",
        results,
    )


def _near(name: str, results: Path) -> str:
    """The end of a message: which samples of a build have an id, or a kernel, with nearly this name."""
    known: dict[str, str] = {}
    for path in sorted((results / "cuda").glob("*/*.json"))[:MOST_INDICES]:
        with contextlib.suppress(UserError):
            for one in read_json(path)["samples"]:
                known |= {one["kernel_name"]: one["sample_id"], one["sample_id"]: one["sample_id"]}
    if not known:
        return f" ({results} holds no programs of a build)"
    matches = [name] if name in known else difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    near = " or ".join(repr(one) for one in dict.fromkeys(known[match] for match in matches))
    return f", did you mean {near}?" if near else f" (nothing in {results / 'cuda'} has a similar name)"


def _require(files: SampleFiles, shard: Shard, reference: store.Reference) -> None:
    """Raise UserError, with the file, unless the sample has a reference and a program."""
    with_cases = [one.sample_id for one in reference.samples if one.cases]
    programs = [one.sample_id for one in shard.samples]
    for path, known in ((files.reference, with_cases), (files.cuda, programs)):
        if files.sample_id not in known:
            rejected = [one for one in reference.rejects if one["sample_id"] == files.sample_id]
            why = "".join(f": {one['reason']}: {one['message']}" for one in rejected[:1])
            hint = why or did_you_mean(files.sample_id, known)
            raise UserError(f"{path}: no sample {files.sample_id} that can be run{hint}")


def judge_candidates(
    candidates: Sequence[Path],
    files: SampleFiles,
    *,
    compiler: str,
    timeout: float,
    sandboxed: bool,
    case: Case | None = None,
    nvcc: str | None = None,
) -> dict[str, Any]:
    """A runs file with an entry for each candidate, in their order; of `case` alone, if it is given. What is
    verified must compile with `nvcc`, too, if that is given: `pinned`, a name or a path.

    Raises UserError for wrong files, a missing compiler, and a missing sandbox unless `sandboxed` is False.
    """
    texts = [_read(path) for path in candidates]
    if not files.cuda.is_file():
        raise UserError(f"{files.cuda}: no such file or directory{_near(files.sample_id, files.results)}")
    shard, reference = read_shard(files.cuda), store.read(files.reference)
    _require(files, shard, reference)
    with scratch("build") as folder:
        host = folder / "host"
        host.mkdir()
        toolchain = CpuToolchain(compiler, host)
        version = toolchain.version()
        toolkit = toolkit_for(nvcc, compiler)
        sandbox = sandbox_for(sandboxed)
        found = toolkit.nvcc if toolkit else None
        bench = make_bench(shard, reference, files.sample_id, toolchain, sandbox, nvcc=found)
        if case is not None:
            bench = dataclasses.replace(bench, sample=_only(bench.sample, case), sees_all=False)
        samples = []
        for number, (path, text) in enumerate(zip(candidates, texts, strict=True)):
            result = judge_candidate(bench, text, folder / str(number), timeout)
            digest = hashlib.sha256(text.encode()).hexdigest()
            samples.append({**result, "candidate": {"file": path.name, "sha256": digest}})
    return {
        "schema": SCHEMA,
        "device": bench.device.name,
        "category": reference.category,
        "seed": reference.seed,
        "versions": {"compiler": version} | ({"nvcc": toolkit.version()} if toolkit else {}),
        "flags": list(toolchain.flags),
        "sandboxed": sandboxed,
        "samples": samples,
        "rejects": [
            reject_record(reference, bench.sample, one) for one in samples if one["verdict"] == "rejected"
        ],
    }


def toolkit_for(nvcc: str | None, compiler: str) -> Toolkit | None:
    """What must take a candidate, too: `nvcc` is `pinned`, a name or a path. Raises UserError without it."""
    return None if nvcc is None else find_toolkit(nvcc, compiler, ARCH)


def sandbox_for(sandboxed: bool) -> Sandbox | None:
    """The sandbox, if one is wanted. Raises UserError where it is missing."""
    try:
        return find_sandbox() if sandboxed else None
    except UserError as error:
        problem = f"{error}; --without-sandbox lets the candidates' code run with your own rights"
        raise UserError(problem) from error


def _only(sample: store.Sample, case: Case) -> store.Sample:
    """The sample with one of its cases. Raises UserError where it has not that one."""
    if case not in sample.cases:
        known = ", ".join(f"{one.size} {one.seed}" for one in sample.cases)
        raise UserError(f"{sample.sample_id} has no case {case.size} {case.seed}; it has {known}")
    return sample.only([sample.cases.index(case)])


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8") from error
    fenced = fenced_program(text)
    return text if fenced is None else fenced
