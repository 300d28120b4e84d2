"""The gradients stage: from a shard's ir file to what is known about its kernels' gradients."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weft.gradients.sample import Check, Found, check_of, known_before
from weft.recursion import deep_recursion
from weft.reference.cases import Case
from weft.sampling import chosen
from weft.scratch import scratch
from weft.source_spec import resolve

SCHEMA = 1


@deep_recursion()
def check_gradients(
    kernels: Path | str, ir: Mapping[str, Any], share: float, case: Case, seconds: float
) -> dict[str, Any]:
    """The content of the gradients file of a shard: of `share` of its records, on one case.

    `kernels` is the shard's kernels file or a source, as for `reference`; each sample takes at most `seconds`
    of CPU time.
    """
    records = {record["sample_id"]: record for record in ir["records"]}
    names = [name for name in records if chosen(name, share, "gradients")]
    found = {name: known_before(records[name]) for name in names}
    checks = [check_of(records[name]) for name, known in found.items() if known is None]
    if checks:
        found |= _run(kernels, checks, case, seconds)
    return {
        "schema": SCHEMA,
        "category": ir["category"],
        "seed": ir["seed"],
        "share": share,
        "case": dataclasses.asdict(case),
        "versions": ir["versions"],
        "samples": [_entry(records[name], one) for name, one in found.items() if one],
    }


def _run(kernels: Path | str, checks: list[Check], case: Case, seconds: float) -> dict[str, Found]:
    # Warp takes half a second to import: most shards of a small share have nothing to check.
    from weft.gradients.processes import run_checks
    from weft.reference import warp_cpu
    from weft.reference.stage import importable

    spec, _ = resolve(str(kernels))
    with scratch("gradients") as name:
        warp_cpu.start(name)
        with importable(spec.source.root):
            return run_checks(checks, case, seconds, name)


def _entry(record: Mapping[str, Any], found: Found) -> dict[str, Any]:
    return {
        "sample_id": record["sample_id"],
        "kernel_name": record["kernel_name"],
        **dataclasses.asdict(found),
    }
