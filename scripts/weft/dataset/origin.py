"""Where a sample's Python comes from, and under which licence."""

from __future__ import annotations

import dataclasses
import importlib.metadata
from collections.abc import Collection, Mapping
from typing import Any

from weft.source_spec import source_spec
from weft.stats.tree import Plan

GENERATED_LICENSE = "Apache-2.0"


@dataclasses.dataclass(frozen=True)
class Origin:
    """The source of a category; all is None for a generated one. `license` is an SPDX identifier, or None
    where neither the settings nor the package say.
    """

    license: str | None
    source: str | None = None
    package: str | None = None
    version: str | None = None

    @property
    def is_human(self) -> bool:
        """Whether somebody wrote it."""
        return self.source is not None

    def columns(self, file: str, line: int) -> dict[str, Any]:
        """The column `origin` of a sample whose kernel begins at `line` of `file`."""
        where = {"file": file, "line": line} if self.is_human else {"file": None, "line": None}
        kind = "source" if self.is_human else "generated"
        return {
            "kind": kind,
            "source": self.source,
            "package": self.package,
            "version": self.version,
            **where,
        }


def held_out(plan: Plan, names: Collection[str]) -> set[str]:
    """The categories of a build that these names mean: categories, sources, and packages of sources."""
    packages = {category: source_spec(text).package for category, text in plan.sources.items()}
    found = {category for category, _ in plan.shards}
    return {category for category in found if category in names or packages.get(category) in names}


def origin_of(plan: Plan, category: str, licenses: Mapping[str, str]) -> Origin:
    """The origin of a category's samples; `licenses` are those that the settings give sources."""
    text = plan.sources.get(category)
    if text is None:
        return Origin(GENERATED_LICENSE)
    top = source_spec(text).package
    if top is None:
        return Origin(licenses.get(category), text)
    names = importlib.metadata.packages_distributions().get(top, [])
    if not names:
        return Origin(licenses.get(category), text, top)
    found = importlib.metadata.metadata(sorted(names)[0]).json
    license = licenses.get(category) or found.get("license_expression") or found.get("license")
    return Origin(str(license) if license else None, text, str(found["name"]), str(found["version"]))
