"""Which samples of a shard are checked."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence


def chosen(category: str, seed: int, samples: Sequence[str], share: float) -> list[str]:
    """So many of `samples`, in their order, as are `share` of them; a fraction counts as a chance.

    The choice is drawn from the names alone, and a larger share contains a smaller one.
    """
    wanted = share * len(samples)
    chance = _draw(f"{category}/{seed}")
    count = math.floor(wanted) + (chance < wanted - math.floor(wanted))
    taken = set(sorted(samples, key=lambda sample: (_draw(sample), sample))[:count])
    return [sample for sample in samples if sample in taken]


def _draw(name: str) -> float:
    """A number in [0, 1) that looks random and depends on the name only."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:6]) / 2**48
