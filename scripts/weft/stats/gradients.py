"""What is known about the gradients that Warp makes: the gradients files of a build together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.files import read_json
from weft.stats.tree import Plan

VERDICTS = ("agrees", "disagrees", "custom", "not_smooth", "not_differentiable", "no_adjoint", "error")


def summarize_gradients(results: Path, plan: Plan) -> dict[str, Any] | None:
    """The part `gradients` of `summary.json`; None where no kernel's gradients were checked.

    Files of a build that checked another share of the kernels do not count.
    """
    by_category: dict[str, list[Mapping[str, Any]]] = {}
    for category, seed in plan.shards:
        path = results / f"gradients/{category}/{seed}.json"
        if path.is_file() and (content := read_json(path))["share"] == plan.gradients:
            by_category.setdefault(category, []).extend(content["samples"])
    samples = [sample for found in by_category.values() for sample in found]
    if not samples:
        return None
    return {
        "share": plan.gradients,
        **_together(samples),
        "categories": {category: _together(found) for category, found in by_category.items() if found},
    }


def describe_gradients(gradients: Mapping[str, Any]) -> str:
    """The same in words."""
    judged = gradients["agrees"] + gradients["disagrees"]
    line = f"gradients: {gradients['agrees']} of {judged} that have one agree with differences"
    others = {v: gradients[v] for v in VERDICTS if v not in ("agrees", "disagrees") and gradients[v]}
    if others:
        line += "; " + ", ".join(f"{count} {verdict}" for verdict, count in others.items())
    return line


def _together(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How many samples got each verdict.

    `agreement` is agrees ÷ (agrees + disagrees); `custom_derivatives` counts gradients of the users' own that
    are the derivative, `causes` what disagreements come from, as far as it is known.
    """
    counts = {verdict: sum(sample["verdict"] == verdict for sample in samples) for verdict in VERDICTS}
    judged = counts["agrees"] + counts["disagrees"]
    wrong = [sample for sample in samples if sample["verdict"] == "disagrees"]
    causes = [cause for sample in wrong for cause in sample["causes"] or ["unknown"]]
    own = [sample for sample in samples if sample["verdict"] == "custom"]
    return {
        "kernels": len(samples),
        **counts,
        "agreement": round(counts["agrees"] / judged, 6) if judged else None,
        "custom_derivatives": sum(sample["difference"] is None and not sample["causes"] for sample in own),
        "causes": {cause: causes.count(cause) for cause in sorted(set(causes))},
    }
