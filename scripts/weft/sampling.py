"""Which samples a stage takes that looks at a share of all: by their ids alone."""

from __future__ import annotations

import hashlib


def draw(text: str) -> int:
    """A 64-bit number that follows from a text, and looks as if it were drawn."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def chosen(sample_id: str, share: float, stage: str) -> bool:
    """Whether a sample is among the share that a stage takes; a larger share has all of a smaller one."""
    return draw(f"{sample_id} {stage}") < share * 2**64
