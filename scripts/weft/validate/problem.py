"""What a check finds."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Problem:
    """Something that does not hold: in which file of the tree, and for which sample if it is one's."""

    file: str
    message: str
    sample_id: str | None = None

    def __str__(self) -> str:
        sample = f"{self.sample_id}: " if self.sample_id else ""
        return f"{self.file}: {sample}{self.message}"
