"""Who goes into which split."""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence

from weft.sampling import draw

OUT_OF_DISTRIBUTION = "test_ood"
"""The split of what is held out."""


def assign(
    components: Sequence[str | None], held_out: Sequence[bool], shares: Mapping[str, float]
) -> list[str | None]:
    """The split of each sample, given the name of its component and whether it is held out.

    A component is in one split; what is held out is in `test_ood`; what has no component is nowhere (None).
    The others fill the splits in the ratio of `shares`: large components first, those of one size in an order
    that follows from their names.
    """
    outside = {name for name, held in zip(components, held_out, strict=True) if held}
    sizes = collections.Counter(name for name in components if name is not None and name not in outside)
    wanted = {split: share / sum(shares.values()) for split, share in shares.items()}
    filled = dict.fromkeys(wanted, 0)
    chosen: dict[str | None, str | None] = dict.fromkeys(outside, OUT_OF_DISTRIBUTION)
    for name, size in sorted(sizes.items(), key=lambda item: (-item[1], draw(f"{item[0]} split"))):
        after = sum(filled.values()) + size
        split = max(wanted, key=lambda one: wanted[one] * after - filled[one])
        filled[split] += size
        chosen[name] = split
    return [chosen.get(name) for name in components]
