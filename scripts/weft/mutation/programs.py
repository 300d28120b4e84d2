"""A program and its mutants as parts of one shard: without `main`, for the driver calls their launchers."""

from __future__ import annotations

from collections.abc import Sequence

from weft.cuda.host import Draft
from weft.cuda.shard import Part


def program_parts(name: str, kernel: str, drafts: Sequence[Draft], first: int) -> list[Part]:
    """Drafts as parts `{name}/{number}` in namespaces from number `first` on. Their layout is of no concern
    to a compiler.
    """
    return [
        Part(f"{name}/{number}", kernel, f"s{first + number:04d}", f"{draft.device}\n")
        for number, draft in enumerate(drafts)
    ]
