"""Which parts of the language the generated kernels use, as a table: a row a feature."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weft.files import read_json

FIGURES = "diversity/figures.json"
_PLURAL = {
    "builtin": "builtins",
    "type": "types",
    "rank": "ranks of arrays and launches",
    "statement": "kinds of statements",
}


def read_coverage(results: Path) -> dict[str, dict[str, dict[str, int]]]:
    """Kind → feature → category → kernels that have it, from `diversity/figures.json`; empty without it."""
    path = results / FIGURES
    return dict(read_json(path)["coverage"]) if path.is_file() else {}


def coverage_csv(coverage: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """The text of `coverage.csv`: kind and name of a feature, kernels with it, in all and by category."""
    categories = sorted({one for features in coverage.values() for row in features.values() for one in row})
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["kind", "feature", "kernels", *categories])
    for kind, features in sorted(coverage.items()):
        for feature, row in sorted(features.items()):
            cells = [row.get(category, 0) for category in categories]
            writer.writerow([kind, feature, sum(cells), *cells])
    return text.getvalue()


def told(coverage: Mapping[str, Mapping[str, Any]]) -> str:
    """How many features of each kind occur."""
    return ", ".join(f"{len(features)} {_PLURAL[kind]}" for kind, features in coverage.items() if features)
