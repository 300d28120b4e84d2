"""The mutation stage: how many mutants of a shard's programs the judge tells from the programs.

Mutants of several kernels are compiled together, each as a sample of one shard, and run on the CPU device
against the reference of their kernel. What survives, but is the same PTX as the program, is no mistake.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.cuda.host import Draft
from weft.cuda.shard import Part, include_lines, join_parts
from weft.mutation.kinds import FATES
from weft.mutation.launch_assumptions import with_assumptions
from weft.mutation.more_cases import more_cases
from weft.mutation.mutants import MUTANTS, Mutant, changes, mutants, original
from weft.mutation.programs import program_parts
from weft.mutation.same import kernels_ptx
from weft.ptx.nvcc import Toolkit
from weft.reference import store
from weft.reference.other_cases import OtherCases
from weft.runs.build import Build, CpuToolchain, build_shard
from weft.runs.interface import Interface, parse_interface
from weft.runs.shard import ShardSample, parse_shard
from weft.runs.verdict import CPU, judge_sample, watched_size
from weft.sampling import chosen
from weft.scratch import scratch

SCHEMA = 3
FLAGGED = 0.8
"""A kernel with a lower score gets more cases; if it still has one, it is flagged: they see too little."""
TOGETHER = 4
"""Kernels whose mutants are compiled together."""
_WARP = 32
FIRST_SECONDS = 5.0
"""Time for the first cases, which take milliseconds unless a mistake makes a loop endless."""


@dataclasses.dataclass(frozen=True)
class Tools:
    """What judges mutants. Without `toolkit`, equivalent mutants count as survivors. `timeout` is in seconds,
    for all cases of one mutant. `cpu_device` is a folder with the compiled CPU device. Without `more_cases`,
    no kernel gets more cases.
    """

    compiler: str
    toolkit: Toolkit | None
    timeout: float
    cpu_device: Path | None = None
    more_cases: OtherCases | None = None

    def versions(self) -> dict[str, str]:
        """Versions of the compilers. Raises UserError for one that is not there."""
        found = {"compiler": CpuToolchain(self.compiler, Path()).version()}
        return found | ({"nvcc": self.toolkit.version()} if self.toolkit else {})


@dataclasses.dataclass
class _Subject:
    """A kernel with its mutants. `fates` are of mutants by number, `verdicts` of those that are killed;
    `reason` says why the program itself is not verified, so that nothing can be said of mutants.
    `more_cases` is how many it got for its low score, and `killed_by_more` how many mutants those alone have
    found.
    """

    sample: store.Sample
    draft: Draft
    launch_assumptions: tuple[str, ...]
    mutants: Sequence[Mutant]
    fates: dict[int, str] = dataclasses.field(default_factory=dict)
    verdicts: dict[int, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    reason: str | None = None
    more_cases: int = 0
    killed_by_more: int = 0

    @property
    def score(self) -> float | None:
        """Killed mutants of those that are killed or survive."""
        fates = list(self.fates.values())
        killed, survived = fates.count("killed"), fates.count("survived")
        return round(killed / (killed + survived), 6) if killed + survived else None

    @property
    def is_weak(self) -> bool:
        """True if its cases see too little."""
        return self.score is not None and self.score < FLAGGED

    @property
    def drafts(self) -> list[Draft]:
        """The program, and its mutants by number."""
        return [self.draft, *(mutant.draft for mutant in self.mutants)]

    def id(self, number: int) -> str:
        """The name of a mutant among all; number 0 is the program itself."""
        return f"{self.sample.sample_id}/{number}"

    def survivors(self) -> list[Mutant]:
        return self.mutants_that("survived")

    def mutants_that(self, fate: str) -> list[Mutant]:
        return [mutant for mutant in self.mutants if self.fates.get(mutant.number) == fate]

    def judge(self, mutant: Mutant, verdict: Mapping[str, Any] | None) -> None:
        """Keep what became of a mutant: killed by a verdict, or not."""
        unseen = "equivalent" if mutant.harmless else "survived"
        self.fates[mutant.number] = unseen if verdict is None else "killed"
        if verdict is not None:
            self.verdicts[mutant.number] = verdict


def mutate_shard(
    ir: Mapping[str, Any], reference: store.Reference, *, share: float, tools: Tools, count: int = MUTANTS
) -> dict[str, Any]:
    """The mutation file (docs/formats/mutation.md) of a shard: `share` of its samples, `count` mutants each.

    Raises UserError for compilers that are not there.
    """
    records = {record["sample_id"]: record for record in ir["records"]}
    subjects = [
        subject
        for sample in reference.samples
        if sample.cases and sample.sample_id in records and chosen(sample.sample_id, share, "mutation")
        if (subject := _subject(sample, records[sample.sample_id], count)) is not None
    ]
    for start in range(0, len(subjects), TOGETHER):
        _judge(subjects[start : start + TOGETHER], tools)
    return {
        "schema": SCHEMA,
        "category": reference.category,
        "seed": reference.seed,
        "share": share,
        "versions": tools.versions(),
        "samples": [_entry(subject) for subject in subjects],
    }


def _subject(sample: store.Sample, record: dict[str, Any], count: int) -> _Subject | None:
    """A kernel and its mutants; None if it cannot be translated, by design or by a fault: the stage cuda
    tells of both.
    """
    try:
        return _Subject(sample, *original(record), mutants(record, count))
    except Exception:
        return None


def _judge(subjects: Sequence[_Subject], tools: Tools) -> None:
    """Find the fates of the mutants of some kernels."""
    includes = include_lines(
        frozenset[str]().union(*(draft.includes for subject in subjects for draft in subject.drafts))
    )
    parts = _parts(subjects)
    with scratch("build") as folder:
        shard = parse_shard(join_parts(includes, list(parts.values())), "the mutants", _interfaces(subjects))
        toolchain = CpuToolchain(tools.compiler, folder, tools.cpu_device)
        build = build_shard(shard, toolchain, set(parts))
        places = {place.sample_id: place for place in shard.samples}
        for subject in subjects:
            _run(subject, places, build, tools.timeout)
        if tools.toolkit is not None:
            surviving = [subject for subject in subjects if subject.survivors()]
            _set_equivalent_aside(surviving, includes, tools.toolkit)
        weak = [subject for subject in subjects if subject.is_weak]
        if weak and tools.more_cases is not None:
            more = more_cases(tools.more_cases, [subject.sample.sample_id for subject in weak])
            for subject in weak:
                if (sample := more.get(subject.sample.sample_id)) is not None:
                    _run_more(subject, sample, places, build, tools.timeout)


def _run_more(
    subject: _Subject,
    sample: store.Sample,
    places: Mapping[str, ShardSample],
    build: Build,
    timeout: float,
) -> None:
    """Judge a program and its surviving mutants on more cases."""
    subject.more_cases = len(sample.cases)
    verdict = judge_sample(sample, places[subject.id(0)], build.program, CPU, timeout)
    if verdict["verdict"] != "verified" and verdict["reason"] != "insensitive":
        subject.reason = f"{verdict['reason']}: {verdict['message']}"
        subject.fates.clear()
        return
    for mutant in subject.survivors():
        killing = _killing_verdict(sample, places[subject.id(mutant.number)], build.program, timeout)
        subject.judge(mutant, killing)
        subject.killed_by_more += killing is not None


def _set_equivalent_aside(subjects: Sequence[_Subject], includes: str, toolkit: Toolkit) -> None:
    """Find survivors that are the same PTX as their program, given what launch descriptions let assume."""
    parts: dict[str, Part] = {}
    for subject in subjects:
        for number in (0, *(mutant.number for mutant in subject.survivors())):
            draft, name = subject.drafts[number], subject.id(number)
            text = with_assumptions(draft.device, draft.kernel, subject.launch_assumptions)
            parts[name] = Part(name, draft.kernel, f"s{len(parts):04d}", text)
    ptx = kernels_ptx(includes, list(parts.values()), toolkit) if parts else {}
    for subject in subjects:
        for mutant in subject.survivors():
            own = ptx.get(subject.id(mutant.number))
            if own is not None and own == ptx.get(subject.id(0)):
                subject.fates[mutant.number] = "equivalent"


def _parts(subjects: Sequence[_Subject]) -> dict[str, Part]:
    """All programs and mutants as samples of one shard, by their ids."""
    parts: dict[str, Part] = {}
    for subject in subjects:
        sample = subject.sample
        found = program_parts(sample.sample_id, sample.kernel_name, subject.drafts, len(parts))
        parts |= {part.sample_id: part for part in found}
    return parts


def _interfaces(subjects: Sequence[_Subject]) -> dict[str, Interface]:
    """How to call each program, and each mutant alike, by their ids."""
    return {
        subject.id(number): parse_interface(subject.sample.kernel_name, subject.draft.interface, "its draft")
        for subject in subjects
        for number in range(len(subject.drafts))
    }


def _run(subject: _Subject, places: Mapping[str, ShardSample], build: Build, timeout: float) -> None:
    """Judge a program on its cases, and then its mutants."""
    if (failure := build.failures.get(subject.id(0))) is not None:
        subject.reason = failure
        return
    verdict = judge_sample(subject.sample, places[subject.id(0)], build.program, CPU, timeout)
    if verdict["verdict"] != "verified":
        subject.reason = f"{verdict['reason']}: {verdict['message']}"
        return
    first, rest = _split(subject.sample)
    for mutant in subject.mutants:
        name = subject.id(mutant.number)
        if name in build.failures:
            subject.fates[mutant.number] = "not_compiled"
            continue
        killing = _killing_verdict(first, places[name], build.program, min(timeout, FIRST_SECONDS))
        if killing is None and rest.cases:
            killing = _killing_verdict(rest, places[name], build.program, timeout)
        subject.judge(mutant, killing)


def _split(sample: store.Sample) -> tuple[store.Sample, store.Sample]:
    """The cases that most mutants do not survive, the first of each small size; and the others.

    Those of more than a warp come first, since the first case that fails is told: a wrong element of many
    shows more of a mistake than an array of one element.
    """
    sizes = [case.size for case in sample.cases]
    watched = watched_size(sample)
    first = [
        number
        for number, size in enumerate(sizes)
        if sizes.index(size) == number and size <= max(watched, min(sizes))
    ]
    first.sort(key=lambda number: sizes[number] <= _WARP)
    rest = [number for number in range(len(sample.cases)) if number not in first]
    return sample.only(first), sample.only(rest)


def _killing_verdict(
    sample: store.Sample, place: ShardSample, program: Path, timeout: float
) -> Mapping[str, Any] | None:
    """The verdict that speaks against a mutant, if it is one.

    Whether null programs pass depends on the reference alone. All cases together have been found to tell them
    apart, so it says nothing of a mutant if some of them do not.
    """
    verdict = judge_sample(sample, place, program, CPU, timeout)
    return None if verdict["verdict"] == "verified" or verdict["reason"] == "insensitive" else verdict


def _entry(subject: _Subject) -> dict[str, Any]:
    """What the file has of a kernel."""
    counts = collections.Counter(subject.fates.values())
    operators: dict[str, collections.Counter[str]] = {}
    for mutant in subject.mutants if subject.reason is None else ():
        operators.setdefault(mutant.operator, collections.Counter())[subject.fates[mutant.number]] += 1
    survivors, killed = subject.survivors(), subject.mutants_that("killed")
    told = [*survivors, *killed]
    changed = changes(subject.draft, [mutant.draft for mutant in told]) if told else []
    entries = [
        {"operator": mutant.operator, "function": mutant.function, **dataclasses.asdict(change)}
        for mutant, change in zip(told, changed, strict=True)
    ]
    verdicts = [subject.verdicts[mutant.number] for mutant in killed]
    return {
        "sample_id": subject.sample.sample_id,
        "kernel_name": subject.sample.kernel_name,
        "reason": subject.reason,
        "score": subject.score,
        "flagged": subject.is_weak,
        "more_cases": subject.more_cases,
        "killed_by_more": subject.killed_by_more,
        **{fate: counts[fate] for fate in FATES},
        "operators": {name: {fate: one[fate] for fate in FATES} for name, one in operators.items()},
        "survivors": entries[: len(survivors)],
        "found": [
            entry | {key: verdict[key] for key in ("reason", "message", "failure")}
            for entry, verdict in zip(entries[len(survivors) :], verdicts, strict=True)
        ],
    }
