"""The collected kernels through the stages: translated, compiled, run, and compared with Warp."""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.cuda.index import translate_ir
from weft.errors import UserError
from weft.files import canonical_json, read_json, sample_id, write_atomically, write_json
from weft.ptx.build import build_ptx
from weft.ptx.nvcc import Toolkit
from weft.survey.kept import chain_key, keep, read_kept
from weft.tools import run_tool

SHARD = 40
_MANIFEST = 'SOURCE = {"source": "weft.survey", "files": {}, "kernels": []}\n'


@dataclasses.dataclass(frozen=True)
class Stages:
    """Which tools a survey uses; `toolkit` None skips PTX, `compiler` None skips running."""

    scripts: Path
    toolkit: Toolkit | None
    compiler: str | None
    sizes: tuple[int, ...] = (1, 33, 257)
    seconds: float = 10.0

    @property
    def tools(self) -> tuple[str, ...]:
        """What else the outcomes depend on."""
        nvcc = f"{self.toolkit.version()} {self.toolkit.arch}" if self.toolkit else ""
        return (nvcc, self.compiler or "", str(self.sizes), str(self.seconds))


@dataclasses.dataclass
class Outcome:
    """How far one kernel came: `stage` is the last that it passed, `reason` and `message` why it went no
    further. The order of stages is ORDER.
    """

    record: dict[str, Any]
    stage: str
    reason: str = ""
    message: str = ""
    place: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether the translation is to blame: it does not compile, or computes something else."""
        return self.stage == "run" or self.reason in ("compile_error", "internal_error")


ORDER = ("collected", "translated", "compiled", "run", "equal")

_NOTHING_TO_SEE = ("insensitive",)
"""Reasons of `runs` that speak of the kernel, not of its translation: the outputs are equal."""


def run_chain(
    records: Sequence[dict[str, Any]], folder: Path, stages: Stages, first: int = 0
) -> Iterator[list[Outcome]]:
    """The outcomes of the records in their order, shard by shard, numbered from `first`.

    What a run before this one kept in `folder` is not computed again.
    """
    made = functools.cache(functools.partial(_make_once, folder, stages))
    for number, shard in enumerate(_shards(records), start=first):
        yield _run_shard(shard, folder / f"shard-{number:03d}", number, stages, made)


def follow(shards: Iterable[list[Outcome]], total: int) -> tuple[list[Outcome], bool]:
    """All outcomes, and whether an interrupt ended them early; each shard gets a line on standard error."""
    outcomes: list[Outcome] = []
    try:
        for shard in shards:
            outcomes += shard
            counts = Counter(one.stage if one.stage == "equal" else one.reason or one.stage for one in shard)
            said = ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items()))
            print(f"{len(outcomes)} of {total}: {said}", file=sys.stderr, flush=True)
            for one in shard:
                if one.is_wrong:
                    name = one.record["kernel_name"]
                    print(f"  {name}: {one.reason}: {one.message}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        return outcomes, True
    return outcomes, False


def _shards(records: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    for start in range(0, len(records), SHARD):
        yield records[start : start + SHARD]


def _make_once(folder: Path, stages: Stages) -> tuple[Path, Path]:
    """What the scripts of every shard would compile anew: the CPU device, and Warp's header."""
    device, headers = folder / "cpu_device", folder / "warp_headers"
    _script(stages, "cpu_device", "--compiler", stages.compiler, "-o", device)
    _script(stages, "warp_headers", "-o", headers)
    return device, headers


def _run_shard(
    records: Sequence[dict[str, Any]],
    folder: Path,
    seed: int,
    stages: Stages,
    made: Callable[[], tuple[Path, Path]],
) -> list[Outcome]:
    renumbered = [
        record | {"sample_id": sample_id("survey", seed, index), "index": index, "seed": seed}
        for index, record in enumerate(records)
    ]
    ir = {"schema": 1, "category": "survey", "seed": seed, "device": "cuda", "versions": {}}
    ir |= {"records": renumbered, "rejects": []}
    shard = translate_ir(ir)
    key, path = (
        chain_key(ir, f"{shard.text}{canonical_json(shard.index)}", stages.tools),
        folder / "outcomes.json",
    )
    kept = read_kept(path, key)
    if kept is not None:
        return [Outcome(record, *outcome) for record, outcome in zip(renumbered, kept, strict=True)]
    write_json(folder / "ir.json", ir)
    write_atomically(folder / "kernels.py", _MANIFEST)
    write_atomically(folder / "program.cu", shard.text)
    write_json(folder / "program.json", shard.index)
    outcomes = {record["sample_id"]: Outcome(record, "collected") for record in renumbered}
    _advance(outcomes, "translated", shard.index["rejects"])
    if stages.toolkit is not None and any(one.stage == "translated" for one in outcomes.values()):
        _advance(outcomes, "compiled", build_ptx(shard.text, stages.toolkit).report["rejects"])
    if stages.compiler is not None:
        _compare(outcomes, folder, stages, made)
    keep(path, key, [[one.stage, one.reason, one.message, one.place] for one in outcomes.values()])
    return list(outcomes.values())


def _advance(outcomes: dict[str, Outcome], stage: str, rejects: Sequence[Mapping[str, Any]]) -> None:
    """What came through the stage before, and is not rejected by this one, has passed it."""
    stopped = {reject["sample_id"]: reject for reject in rejects}
    before = ORDER[ORDER.index(stage) - 1]
    for name, outcome in outcomes.items():
        if name in stopped:
            _stop(outcome, stopped[name])
        elif outcome.stage == before and not outcome.reason:
            outcome.stage = stage


def _stop(outcome: Outcome, reject: Mapping[str, Any]) -> None:
    outcome.reason, outcome.message = reject["reason"], reject["message"]
    if reject["file"] is not None:
        outcome.place = f"{reject['file']}:{reject['line']}:{reject['column']}"


def _compare(
    outcomes: dict[str, Outcome], folder: Path, stages: Stages, made: Callable[[], tuple[Path, Path]]
) -> None:
    """Run Warp and the programs on the CPU, as the stages' own scripts do."""
    if all(outcome.reason for outcome in outcomes.values()):
        return
    device, headers = made()
    reference = folder / "reference.npz"
    sizes = [str(size) for size in stages.sizes]
    _script(stages, "reference", folder / "kernels.py", folder / "ir.json", "-o", reference,
            "--sizes", *sizes, "--seeds", "0", "1", "--timeout", str(stages.seconds),
            "--warp-headers", headers)  # fmt: skip
    _script(stages, "runs", folder / "program.cu", reference, "-o", folder / "runs.json",
            "--device", "cpu", "--compiler", stages.compiler, "--timeout", "60",
            "--cpu-device", device)  # fmt: skip
    runs = read_json(folder / "runs.json")
    verdicts = {one["sample_id"]: one for one in runs["samples"]}
    for name, outcome in outcomes.items():
        if outcome.reason:
            continue
        if name not in verdicts:
            outcome.reason = "no_reference"
        elif verdicts[name]["verdict"] == "verified" or verdicts[name]["reason"] in _NOTHING_TO_SEE:
            outcome.stage = "equal"
        else:
            outcome.reason, outcome.message = verdicts[name]["reason"], verdicts[name]["message"]
            if not (outcome.reason in ("non_deterministic", "race") and _is_inferred(outcome.record)):
                outcome.stage = "run"
    _explain_missing(outcomes, reference)


def _is_inferred(record: Mapping[str, Any]) -> bool:
    """Whether default inputs may be to blame where threads get into each other's way."""
    return bool(record["launch"]["inferred"] or record["launch"]["inferred_dims"])


def _explain_missing(outcomes: dict[str, Outcome], reference: Path) -> None:
    from weft.reference.store import read

    for reject in read(reference).rejects:
        outcome = outcomes[reject["sample_id"]]
        if outcome.reason == "no_reference":
            _stop(outcome, reject)


def _script(stages: Stages, name: str, *arguments: object) -> None:
    command = [sys.executable, "-P", str(stages.scripts / f"{name}.py"), *map(str, arguments)]
    done = run_tool(command)
    if done.returncode != 0:
        raise UserError(f"{' '.join(command)} failed:\n{done.stderr}")
