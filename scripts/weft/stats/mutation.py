"""How many mistakes in programs the judge found: the mutation files of a build together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.files import read_json
from weft.mutation.kinds import FATES
from weft.stats.tree import Plan


def summarize_mutation(results: Path, plan: Plan) -> dict[str, Any] | None:
    """The part `mutation` of `summary.json`; None where no kernel was mutated.

    Files of a build that mutated another share of the kernels do not count.
    """
    by_category: dict[str, list[Mapping[str, Any]]] = {}
    for category, seed in plan.shards:
        path = results / f"mutation/{category}/{seed}.json"
        if path.is_file() and (content := read_json(path))["share"] == plan.mutation:
            by_category.setdefault(category, []).extend(content["samples"])
    samples = [sample for found in by_category.values() for sample in found]
    if not samples:
        return None
    operators = dict.fromkeys(name for sample in samples for name in sample["operators"])
    return {
        "share": plan.mutation,
        **_together(samples),
        "operators": {
            name: _counts([s["operators"][name] for s in samples if name in s["operators"]])
            for name in operators
        },
        "categories": {category: _together(found) for category, found in by_category.items() if found},
        "flagged": [sample["sample_id"] for sample in samples if sample["flagged"]],
    }


def describe_mutation(mutation: Mapping[str, Any]) -> str:
    """The same in words."""
    judged = mutation["killed"] + mutation["survived"]
    kernels = f"{mutation['kernels']} kernel{'s' if mutation['kernels'] != 1 else ''}"
    if not judged:
        return f"mutation: {kernels}, no mistake to find"
    line = f"mutation: the judge found {100 * mutation['score']:.1f} % of {judged} mistakes in {kernels}"
    survivors = {name: one["survived"] for name, one in mutation["operators"].items() if one["survived"]}
    if survivors:
        line += "; not found: " + ", ".join(f"{count} {name}" for name, count in survivors.items())
    if mutation["flagged"]:
        line += f"; flagged: {', '.join(mutation['flagged'])}"
    return line


def _together(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    counts = _counts(samples)
    judged = counts["killed"] + counts["survived"]
    score = round(counts["killed"] / judged, 6) if judged else None
    return {"kernels": len(samples), "score": score, **counts}


def _counts(parts: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    parts = list(parts)
    return {fate: sum(part[fate] for part in parts) for fate in FATES}
