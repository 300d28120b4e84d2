"""Counts and yields of a build: `summary.json`, `by_category.csv`, `rejects.jsonl`; and checksums.

Every generated kernel is in every denominator, also where the file of a stage is missing.
"""

from __future__ import annotations

import collections
import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.files import read_json, sha256
from weft.launch import DIFFICULTIES
from weft.stats.gradients import summarize_gradients
from weft.stats.mutation import summarize_mutation
from weft.stats.tree import Plan, ShardResult, stage_files

SCHEMA = 6
CHECKSUMS = "stats/SHA256SUMS"
"""Of every file of the stages, in the form that `sha256sum --check` reads in the results folder."""


def summarize(results: Path, plan: Plan, shards: Sequence[ShardResult]) -> dict[str, Any]:
    """The content of `summary.json`."""
    categories = list(dict.fromkeys(shard.category for shard in shards))
    duplicates = read_duplicates(results)
    return {
        "schema": SCHEMA,
        "shards": len(shards),
        "devices": list(plan.devices),
        "archs": list(plan.archs),
        "total": count(plan, shards, duplicates),
        "categories": {
            category: count(plan, [shard for shard in shards if shard.category == category], duplicates)
            for category in categories
        },
        "difficulty": by_difficulty(plan, shards),
        "mutation": summarize_mutation(results, plan),
        "gradients": summarize_gradients(results, plan),
        "rejects": _reasons(all_rejects(plan, shards)),
        "generated": _generated([shard for shard in shards if shard.category not in plan.sources]),
        "bytes": {stage: _bytes(results, stage, plan) for stage in plan.counted},
        "versions": {
            path.stem: read_json(path)["version"] for path in sorted((results / "versions").glob("*.json"))
        },
    }


def count(
    plan: Plan, shards: Iterable[ShardResult], duplicates: frozenset[str] | None = None
) -> dict[str, Any]:
    """Kernels of `shards`: how many were made, came through each stage, and ended how.

    `not_run_on` counts, for each device, what no stage rejected and the device did not run.
    `verified`, `rejected` and `not_run` add up to `made`. `compiled` came through PTX for every
    architecture and is None where no PTX is made. `yield` is verified ÷ made. `duplicates` equal an
    earlier kernel but for names, and `distinct` are the verified ones that do not; both are None where
    nothing says which do.
    """
    shards = list(shards)
    made = sum(len(shard.made) for shard in shards)
    verified = sum(len(shard.verified(plan.devices)) for shard in shards)
    rejected = sum(len(shard.rejected()) for shard in shards)
    repeated = None if duplicates is None else [duplicates & shard.made.keys() for shard in shards]
    new = None if duplicates is None else [shard.verified(plan.devices) - duplicates for shard in shards]
    archs = [f"ptx/{arch}" for arch in plan.archs]
    compiled = [frozenset.intersection(*(s.stages[arch].passed for arch in archs)) for s in shards if archs]
    return {
        "made": made,
        "translated": sum(len(shard.stages["cuda"].passed) for shard in shards),
        "compiled": sum(map(len, compiled)) if archs else None,
        "run": sum(len(shard.run(plan.devices)) for shard in shards),
        "verified": verified,
        "rejected": rejected,
        "not_run": made - verified - rejected,
        "yield": _ratio(verified, made),
        "duplicates": None if repeated is None else sum(map(len, repeated)),
        "distinct": None if new is None else sum(map(len, new)),
        "stages": {stage: _stage(plan, stage, shards) for stage in plan.counted},
        "not_run_on": {d: sum(len(shard.not_run(d)) for shard in shards) for d in plan.devices},
    }


def read_duplicates(results: Path) -> frozenset[str] | None:
    """The samples that equal an earlier one except for names; None if nobody looked."""
    path = results / "diversity/duplicates.json"
    if not path.is_file():
        return None
    return frozenset(one["sample_id"] for one in read_json(path)["samples"])


def by_difficulty(plan: Plan, shards: Iterable[ShardResult]) -> dict[str, dict[str, int]]:
    """How many kernels of each difficulty there are, and how many of them are verified."""
    counts = {level: {"made": 0, "verified": 0} for level in DIFFICULTIES}
    for shard in shards:
        verified = shard.verified(plan.devices)
        for sample, level in shard.made.items():
            if level is not None:
                counts[level]["made"] += 1
                counts[level]["verified"] += sample in verified
    return counts


def by_category_csv(summary: Mapping[str, Any]) -> str:
    """The text of `by_category.csv`: a row per category, and the total."""
    columns = ["made", "translated", "compiled", "run", "verified", "rejected", "not_run", "yield"]
    columns += ["duplicates", "distinct"]
    stages = list(summary["total"]["stages"])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["category", *columns, *stages])
    for name, row in [*summary["categories"].items(), ("total", summary["total"])]:
        passed = [row["stages"][stage]["passed"] for stage in stages]
        writer.writerow([name, *(row[column] for column in columns), *passed])
    return text.getvalue()


def rejects_jsonl(rejects: Iterable[Mapping[str, Any]]) -> str:
    """The text of `rejects.jsonl`: one reject a line."""
    return "".join(json.dumps(reject, sort_keys=True, ensure_ascii=False) + "\n" for reject in rejects)


def checksums(results: Path, plan: Plan) -> str:
    """The text of SHA256SUMS: a line for every file that the stages wrote."""
    return "".join(
        f"{sha256(path.read_bytes())}  {path.relative_to(results)}\n"
        for path in stage_files(results, plan)
        if path.is_file()
    )


def all_rejects(plan: Plan, shards: Iterable[ShardResult]) -> list[Mapping[str, Any]]:
    """The rejects of every shard, in the order of the stages."""
    return [
        reject
        for shard in shards
        for stage in plan.counted
        for reject in sorted(shard.stages[stage].rejects, key=lambda reject: str(reject["sample_id"]))
    ]


def _stage(plan: Plan, stage: str, shards: Sequence[ShardResult]) -> dict[str, Any]:
    results = [shard.stages[stage] for shard in shards]
    made = sum(plan.takes(stage, sample) for shard in shards for sample in shard.made)
    passed = sum(len(result.passed) for result in results)
    return {
        "passed": passed,
        "rejected": sum(len(result.rejects) for result in results),
        "yield": _ratio(passed, made),
    }


def _reasons(rejects: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    reasons: dict[str, collections.Counter[str]] = {}
    for reject in rejects:
        reasons.setdefault(reject["stage"], collections.Counter())[reject["reason"]] += 1
    return {stage: dict(counter) for stage, counter in reasons.items()}


def _generated(shards: Sequence[ShardResult]) -> dict[str, Any]:
    """How many kernels the generator made, and how many of them were rejected for each reason."""
    ends = [
        {(one["sample_id"], one["reason"]) for stage in shard.stages.values() for one in stage.rejects}
        for shard in shards
    ]
    reasons = collections.Counter(reason for end in ends for _, reason in sorted(end))
    return {"made": sum(len(shard.made) for shard in shards), "rejects": dict(sorted(reasons.items()))}


def _bytes(results: Path, stage: str, plan: Plan) -> int:
    return sum(
        path.stat().st_size
        for category, seed in plan.shards
        for path in (results / stage / category).glob(f"{seed}.*")
    )


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
