"""What a survey prints: counts, and every reason with how often it came and where first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from weft.survey.chain import ORDER, Outcome
from weft.survey.collect import Collected

NOT_KERNELS = ("warp_error", "generic")
"""Reasons of ir for what Warp itself does not build: wrong on purpose, or without types."""


def summary(
    collected: Collected, excluded: Mapping[str, int], outcomes: Sequence[Outcome], ran: Sequence[str]
) -> dict[str, Any]:
    """The counts of a survey. `ran` has the stages that were asked for."""
    refused_by_ir = [r for r in collected.rejects if r["reason"] not in NOT_KERNELS]
    self_contained = len(outcomes) + len(refused_by_ir)
    passed = {
        stage: sum(ORDER.index(one.stage) >= ORDER.index(stage) for one in outcomes)
        for stage in ORDER[1:]
        if stage in ran
    }
    comparable = [one for one in outcomes if one.stage in ("run", "equal")]
    return {
        "modules_failed": len(collected.failed),
        "not_built_by_warp": len(collected.rejects) - len(refused_by_ir),
        "collected": len(collected.records) + len(refused_by_ir),
        "excluded": dict(sorted(excluded.items())),
        "self_contained": self_contained,
        **passed,
        "refused": self_contained - passed.get("translated", 0),
        "compared": len(comparable),
        "different": sum(one.stage == "run" for one in comparable),
    }


def print_summary(counts: Mapping[str, Any]) -> None:
    """A line a count, shares of the self-contained kernels beside it."""
    whole = max(counts["self_contained"], 1)
    for name, value in counts.items():
        if isinstance(value, dict):
            listed = ", ".join(f"{group} {count}" for group, count in value.items())
            print(f"{name:>18}  {sum(value.values()):5d}  ({listed})")
        else:
            share = (
                f"{100 * value / whole:5.1f} %" if name in (*ORDER, "refused") and name != "collected" else ""
            )
            print(f"{name:>18}  {value:5d}  {share}".rstrip())


def print_reasons(outcomes: Sequence[Outcome], rejects: Sequence[Mapping[str, Any]]) -> None:
    """Why kernels went no further: the most frequent reason first, with the first place it was met."""
    rows: Counter[tuple[str, str, str]] = Counter()
    first: dict[tuple[str, str, str], str] = {}
    for one in outcomes:
        if one.reason:
            key = (one.stage, one.reason, _general(one.message))
            rows[key] += 1
            first.setdefault(
                key, one.place or f"{one.record['kernel']['file']}:{one.record['kernel']['line']}"
            )
    for reject in rejects:
        key = ("ir", reject["reason"], _general(reject["message"]))
        rows[key] += 1
        first.setdefault(key, f"{reject['file']}:{reject['line']}" if reject["file"] else "")
    for key, count in sorted(rows.items(), key=lambda row: (-row[1], row[0])):
        after, reason, message = key
        print(f"{count:5d}  after {after}: {reason}: {message}  (first at {first[key]})")


def _general(message: str) -> str:
    """A message without the names of its case, so that equal ones count together."""
    line = message.splitlines()[0] if message else ""
    return re.sub(r"'[^']*'", "…", line)[:150]
