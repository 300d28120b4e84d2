"""Which difficulties the generated categories have. The workflow asks, so no generator is imported here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from weft.concepts import LEVELS

LACKING: Mapping[str, tuple[str, ...]] = {
    "atomic": ("easy",),
    "constant_table": ("easy",),
    "custom_gradient": ("easy",),
    "dtype": ("expert",),
    "gather_scatter": ("easy",),
    "grid_2d": ("expert",),
    "grid_3d": ("medium", "expert"),
    "histogram": ("easy", "medium"),
    "matrix": ("hard",),
    "multi_launch": ("easy", "medium"),
    "quaternion": ("hard",),
    "random_math": ("expert",),
    "scalar_param": ("hard",),
    "scan": ("hard",),
    "shared_tile": ("easy", "medium"),
    "struct": ("expert",),
    "texture": ("easy", "expert"),
}
"""Difficulties that fewer than three in a hundred of a category's kernels have: these would be much alike."""


def levels_of(category: str) -> tuple[str, ...]:
    """The difficulties that a category can give."""
    return tuple(one for one in LEVELS if one not in LACKING.get(category, ()))


def unmet(categories: Iterable[str], difficulty: Mapping[str, float]) -> str | None:
    """What is wrong with asking these categories for difficulties with these weights, if anything is."""
    asked = [one for one in LEVELS if difficulty.get(one)]
    if not asked:
        return None
    chosen = list(categories)
    without = [one for one in chosen if not set(asked) & set(levels_of(one))]
    if not without:
        return None
    has = "; ".join(f"{one} has {' and '.join(levels_of(one))} ones" for one in without)
    able = [one for one in chosen if one not in without]
    hint = f"; of the others, all have some: categories=[{','.join(able)}]" if able else ""
    return f"no kernels of these categories are {' or '.join(asked)}: {has}{hint}"
