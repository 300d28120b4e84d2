"""Checks of files: all are there, they are what the build recorded, and they agree on who is in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.files import is_whole, read_json, read_text, sha256
from weft.reference import store
from weft.reference.cases import cases
from weft.stats.summary import CHECKSUMS, all_rejects, by_category_csv, rejects_jsonl, summarize
from weft.stats.tree import (
    Plan,
    is_manifest,
    read_manifest,
    read_shards,
    read_tree,
    sample_names,
    stage_file,
    stage_files,
)
from weft.validate.problem import Problem

SCHEMAS = {"ir": 3, "reference": store.SCHEMA, "cuda": 5, "ptx": 2}
"""Of the stages' files; 1 for those that are not named."""

Stages = Mapping[str, Mapping[str, Any]]
"""What the files of one shard hold, by stage."""

_CHECKSUM = re.compile(r"([0-9a-f]{64})  (\S.*)")


def check_checksums(results: Path, plan: Plan) -> Iterator[Problem]:
    """Every file of the plan is there, is in the list of checksums, and has the bytes that the list says."""
    path = results / CHECKSUMS
    listed = {}
    if not path.is_file():
        yield Problem(CHECKSUMS, "missing")
    else:
        for number, line in enumerate(read_text(path).splitlines(), 1):
            match = _CHECKSUM.fullmatch(line)
            if match is None:
                yield Problem(CHECKSUMS, f"line {number} is not a checksum and a file")
            else:
                listed[match[2]] = match[1]
    for file in stage_files(results, plan):
        name = str(file.relative_to(results))
        if not file.is_file():
            yield Problem(name, "missing")
        elif listed and name not in listed:
            yield Problem(CHECKSUMS, f"{name} is not listed")
        elif listed and sha256(file.read_bytes()) != listed[name]:
            yield Problem(name, f"has other bytes than {CHECKSUMS} says")


def check_whole_files(results: Path, plan: Plan, category: str, seed: int) -> Iterator[Problem]:
    """No file of a shard's stages was cut off."""
    for file in stage_files(results, plan, [(category, seed)]):
        if file.is_file() and not is_whole(file):
            message = "is cut off; delete it, and the build makes it again"
            yield Problem(str(file.relative_to(results)), message)


def check_plan(results: Path, plan: Plan, stages: Stages, category: str, seed: int) -> Iterator[Problem]:
    """A shard has as many kernels as the plan asks for, and was run on the plan's sizes and seeds."""
    kernels = f"kernels/{category}/{seed}.py"
    if category not in plan.sources and (results / kernels).is_file():
        tree = read_tree(results / kernels)
        count, asked = len(sample_names(tree, category, seed)), plan.shards[category, seed]
        if count != asked:
            yield Problem(kernels, f"holds {count} kernels, and plan.json asks for {asked}")
    asked_cases = cases(plan.sizes, plan.input_seeds)
    for sample in stages["reference"]["samples"] if "reference" in stages else ():
        if [(case.size, case.seed) for case in asked_cases] != [
            (case["size"], case["seed"]) for case in sample["cases"]
        ]:
            file = f"reference/{category}/{seed}.npz"
            yield Problem(file, "has other cases than plan.json asks for", sample["sample_id"])


def check_stats(results: Path, plan: Plan) -> Iterator[Problem]:
    """The files in `stats/` say what the files of the stages say."""
    shards = list(read_shards(results, plan))
    summary = summarize(results, plan, shards)
    texts = {
        "by_category.csv": by_category_csv(summary),
        "rejects.jsonl": rejects_jsonl(all_rejects(plan, shards)),
    }
    for name, text in texts.items():
        path = results / "stats" / name
        if not path.is_file():
            yield Problem(f"stats/{name}", "missing")
        elif read_text(path) != text:
            yield Problem(f"stats/{name}", "is not what the files of the stages say")
    path = results / "stats/summary.json"
    found = read_json(path) if path.is_file() else {}
    for key, value in summary.items():
        if found.get(key) != value:
            yield Problem("stats/summary.json", f"{key} is not what the files of the stages say")


def read_stages(results: Path, plan: Plan, category: str, seed: int) -> tuple[Stages, list[Problem]]:
    """The stages' files of one shard; a file that is missing or cannot be read is left out."""
    stages: dict[str, Mapping[str, Any]] = {}
    problems = []
    for stage in plan.stages:
        path = stage_file(results, stage, category, seed)
        if not path.is_file():
            continue
        name = str(path.relative_to(results))
        try:
            data = read_manifest(path)
            entries = [*data["rejects"], *samples_of(stage, data)]
            schema = SCHEMAS.get(stage.partition("/")[0], 1)
            if data["schema"] != schema:
                problems.append(Problem(name, f"schema is {data['schema']!r}; this Weft reads {schema}"))
            elif all("sample_id" in entry for entry in entries):
                stages[stage] = data
            else:
                problems.append(Problem(name, "has an entry without sample_id"))
        except (UserError, KeyError, TypeError) as error:
            problems.append(Problem(name, f"cannot be read: {type(error).__name__}: {error}"))
    return stages, problems


def check_identity(results: Path, plan: Plan, stages: Stages, category: str, seed: int) -> Iterator[Problem]:
    """Each stage speaks of this shard's samples, and of every sample that the stages before it passed and
    that it takes.
    """
    kernels = f"kernels/{category}/{seed}.py"
    tree = read_tree(results / kernels)
    expected = sample_names(tree, category, seed)
    count = len(expected)
    if is_manifest(results / kernels) and "ir" in stages:
        # What factories make, and the instances of generic kernels, show only in the IR.
        listed = [*samples_of("ir", stages["ir"]), *stages["ir"]["rejects"]]
        expected |= {one["sample_id"]: one["kernel_name"] for one in listed if one["index"] >= count}
    if not expected:
        yield Problem(kernels, "holds no kernel")
    passed: dict[str, set[str]] = {}
    for stage, data in stages.items():
        file = str(stage_file(results, stage, category, seed).relative_to(results))
        samples = {entry["sample_id"]: entry for entry in [*data["rejects"], *samples_of(stage, data)]}
        passed[stage] = samples.keys() - {reject["sample_id"] for reject in data["rejects"]}
        for sample, entry in sorted(samples.items()):
            if sample not in expected:
                yield Problem(file, "is not a sample of this shard", sample)
            elif entry.get("kernel_name", expected[sample]) != expected[sample]:
                name = entry["kernel_name"]
                yield Problem(file, f"is {name} here and {expected[sample]} in {kernels}", sample)
        arrived = set(expected).intersection(*(passed[other] for other in _read_by(stage) if other in passed))
        for sample in sorted(filter(partial(plan.takes, stage), arrived - samples.keys())):
            yield Problem(file, "is neither among the samples nor among the rejects", sample)


def samples_of(stage: str, data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The entries of a stage's file that are not rejects."""
    samples: list[dict[str, Any]] = data["records" if stage == "ir" else "samples"]
    return samples


def _read_by(stage: str) -> tuple[str, ...]:
    """The stages whose samples a stage goes on with."""
    if stage == "ir":
        return ()
    if stage.startswith("ptx/"):
        return ("cuda",)
    return ("cuda", "reference") if stage.startswith("runs/") else ("ir",)
