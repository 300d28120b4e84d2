"""A page that sets models beside each other: pass@k and fast_p with intervals, and what became of answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

from weft.errors import UserError
from weft.files import read_json
from weft.scoring.groups import GROUPS
from weft.scoring.summary import SCHEMA, TRAITS

BASELINES = {"fast": "Weft's own translation of the kernel", "fast_warp": "Warp's own kernel"}
"""Of fast_p, by their names in a summary."""


@dataclasses.dataclass(frozen=True)
class Model:
    """A model's name, and its summary."""

    name: str
    summary: Mapping[str, Any]

    def passed(self, k: str, by: str | None = None, name: str = "") -> Mapping[str, float] | None:
        """pass@k, of all tasks or of those of a name; None where the answers are too few."""
        scores = self.summary["all"] if by is None else self.summary[by].get(name)
        found: Mapping[str, float] | None = scores["pass"].get(k) if scores else None
        return found

    def fast(self, baseline: str, p: str) -> Mapping[str, float] | None:
        """fast_p against a baseline of BASELINES; None where answers were not timed against it."""
        found: Mapping[str, float] | None = self.summary["all"].get(baseline, {}).get(p)
        return found

    def share(self, group: str) -> float:
        """The share of the answers that came to a group of reasons, in percent."""
        count: int = self.summary["groups"][group]
        return 100 * count / max(1, int(self.summary["answers"]))


def read_models(files: Sequence[tuple[str, Path]]) -> list[Model]:
    """The models, the best at pass@1 first. Raises UserError where they were not asked the same."""
    models = []
    for name, path in files:
        summary = read_json(path)
        if not isinstance(summary, dict) or summary.get("schema") != SCHEMA or "tasks_sha256" not in summary:
            raise UserError(f"{path}: is not a summary of `weft score`")
        models.append(Model(name, summary))
        if summary["tasks_sha256"] != models[0].summary["tasks_sha256"]:
            raise UserError(f"{path}: has other tasks than {files[0][1]}; they cannot be compared")
    return sorted(models, key=lambda one: (-(one.passed("1") or {"value": 0.0})["value"], one.name))


def page(models: Sequence[Model]) -> str:
    """The page, whole in one file."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("weft.scoring", ""),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("leaderboard.html.j2").render(
        models=models,
        ks=sorted(set().union(*(model.summary["all"]["pass"] for model in models)), key=int),
        ps={
            name: sorted(set().union(*(model.summary["all"].get(name, {}) for model in models)), key=float)
            for name in BASELINES
        },
        baselines=BASELINES,
        groups=[group.name for group in GROUPS],
        by={name: sorted(set().union(*(model.summary[name] for model in models))) for name in TRAITS},
    )
