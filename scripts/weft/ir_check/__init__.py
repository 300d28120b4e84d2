"""The ir_check stage: Warp's own CUDA text, as the IR holds it, compiles to PTX."""

from __future__ import annotations

import re
from typing import Any

from weft.child import COMPILE_SECONDS
from weft.errors import KernelError, UserError, reject
from weft.sampling import chosen

SCHEMA = 1


def check_ir(
    ir: dict[str, Any], arch: str, seconds: float = COMPILE_SECONDS, share: float = 1.0
) -> dict[str, Any]:
    """The result of compiling a `share` of the records of an IR file for `arch` (docs/formats/ir.md),
    each in so many `seconds` of CPU time.

    Raises UserError if `arch` is not a name such as sm_75.
    """
    found = re.fullmatch(r"sm_(\d+)", arch)
    if found is None:
        raise UserError(f"--arch: {arch!r} is not a GPU architecture (expected a name such as sm_75)")
    records = [record for record in ir["records"] if chosen(record["sample_id"], share, "ir_check")]
    samples: list[dict[str, Any]] = []
    rejects: list[dict[str, Any]] = []
    if records:  # where none is chosen, Warp need not be imported
        from weft.ir_check.compiling import compiled

        for record, outcome in compiled(records, int(found[1]), seconds):
            if isinstance(outcome, KernelError):
                rejects.append(reject(record, "ir_check", outcome))
            else:
                samples.append(outcome)
    return {
        "schema": SCHEMA,
        "category": ir["category"],
        "seed": ir["seed"],
        "arch": arch,
        "versions": {"warp": ir["versions"]["warp"]},
        "samples": samples,
        "rejects": rejects,
    }
