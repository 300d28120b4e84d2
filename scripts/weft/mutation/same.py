"""Programs that are the same after nvcc: their kernels have the same PTX."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from weft.cuda.shard import Part, join_parts
from weft.ptx.build import entries_by_namespace
from weft.ptx.cut import cut
from weft.ptx.nvcc import CompileError, Toolkit
from weft.scratch import scratch


def kernels_ptx(includes: str, parts: Sequence[Part], toolkit: Toolkit) -> dict[str, str]:
    """The optimised PTX of each part's kernels and of what they use, by the id of the part.

    It is that of the part's program alone, so that equal programs have equal texts. What nvcc refuses is left
    out.
    """
    with scratch("ptx") as folder:
        try:
            ptx = toolkit.ptx(join_parts(includes, parts), folder)
        except CompileError:
            alone = [_alone(includes, part, toolkit, folder) for part in parts]
            return {part.sample_id: text for part, text in zip(parts, alone, strict=True) if text is not None}
    return _by_part(ptx, parts)


def _alone(includes: str, part: Part, toolkit: Toolkit, folder: Path) -> str | None:
    try:
        return _by_part(toolkit.ptx(join_parts(includes, [part]), folder), [part]).get(part.sample_id)
    except CompileError:
        return None


def _by_part(ptx: str, parts: Sequence[Part]) -> dict[str, str]:
    entries = entries_by_namespace(ptx)
    return {part.sample_id: cut(ptx, entries[part.namespace]) for part in parts if part.namespace in entries}
