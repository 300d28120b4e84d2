"""All checks of a results tree, in the order of the data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from weft.dataset.checksums import check_files
from weft.errors import UserError
from weft.scratch import scratch
from weft.stats.tree import read_plan
from weft.validate.problem import Problem
from weft.validate.programs import check_program, toolchain
from weft.validate.samples import check_samples
from weft.validate.text import check_text
from weft.validate.tree import (
    check_checksums,
    check_identity,
    check_plan,
    check_stats,
    check_whole_files,
    read_stages,
)


def validate(results: Path, compiler: str | None) -> Iterator[Problem]:
    """Everything that does not hold in `results`. Without a compiler no program is compiled.

    Raises UserError if `results` is not the folder of a build.
    """
    plan = read_plan(results)
    yield from _readable("stats", check_checksums(results, plan))
    readable = True
    with scratch("validate") as folder:
        tools = toolchain(compiler, [*plan.archs, "sm_75"][0], folder) if compiler else None
        for category, seed in plan.shards:
            cut = list(check_whole_files(results, plan, category, seed))
            yield from cut
            if cut:
                readable = False
                continue
            stages, problems = read_stages(results, plan, category, seed)
            readable = readable and not problems
            yield from problems
            for checks in (
                check_plan(results, plan, stages, category, seed),
                check_identity(results, plan, stages, category, seed),
                check_text(results, plan, stages, category, seed),
                check_samples(results, stages, category, seed),
            ):
                yield from _readable(f"{category}/{seed}", checks)
            program = f"cuda/{category}/{seed}.cu"
            if tools and (results / program).is_file():
                rejected = {entry["sample_id"] for data in stages.values() for entry in data["rejects"]}
                yield from check_program(results, program, tools, rejected)
    if (results / "dataset").is_dir():
        yield from _readable("dataset", _check_dataset(results / "dataset"))
    if readable:
        yield from _readable("stats", check_stats(results, plan))


def _check_dataset(folder: Path) -> Iterator[Problem]:
    """The files of the dataset; what is in them is checked by `scripts/dataset.py --check`."""
    check_files(folder)
    yield from ()


def _readable(what: str, checks: Iterator[Problem]) -> Iterator[Problem]:
    """What checks find, as far as the files that they read can be read."""
    try:
        yield from checks
    except UserError as error:
        yield Problem(what, str(error))
