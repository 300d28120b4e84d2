"""Who goes into which split."""

from __future__ import annotations

import collections
from collections.abc import Collection, Mapping, Sequence

from weft.sampling import draw

OUT_OF_DISTRIBUTION = "test_ood"
"""The split of the categories that are held out."""


def assign(
    components: Sequence[str],
    categories: Sequence[str],
    shares: Mapping[str, float],
    held_out: Collection[str],
) -> list[str | None]:
    """The split of each sample, given the name of its component and its category.

    A component is in one split. Held-out categories are in `test_ood`; a sample of another category that is
    in a component with them is nowhere (None). The others fill the splits in the ratio of `shares`: large
    components first, those of one size in an order that follows from their names.
    """
    outside = {name for name, category in zip(components, categories, strict=True) if category in held_out}
    sizes = collections.Counter(name for name in components if name not in outside)
    wanted = {split: share / sum(shares.values()) for split, share in shares.items()}
    filled = dict.fromkeys(wanted, 0)
    chosen: dict[str, str] = {}
    for name, size in sorted(sizes.items(), key=lambda item: (-item[1], draw(f"{item[0]} split"))):
        after = sum(filled.values()) + size
        split = max(wanted, key=lambda one: wanted[one] * after - filled[one])
        filled[split] += size
        chosen[name] = split
    return [
        chosen.get(name, OUT_OF_DISTRIBUTION if category in held_out else None)
        for name, category in zip(components, categories, strict=True)
    ]
