"""Samples of a build that equal an earlier one except for names: what is published leaves them out."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weft.diversity.canonical import digest, renamed_tree
from weft.diversity.collect import Kernel
from weft.files import sample_id
from weft.recursion import deep_recursion
from weft.stats.tree import sample_names

SCHEMA = 1
FILE = "diversity/duplicates.json"


@deep_recursion()
def duplicates(kernels: Sequence[Kernel], folder: Path) -> dict[str, Any]:
    """The content of `duplicates.json`: each kernel whose renamed tree equals that of an earlier kernel, and
    which kernel that is.

    Earlier is in the order of category, seed and index. `folder` is the one that the kernels' files,
    `{category}/{seed}.py`, are relative to. `share` is of all kernels, None if there are none.
    """
    places = _places(kernels, folder)
    first: dict[str, str] = {}
    samples = []
    for place, kernel in sorted(zip(places, kernels, strict=True), key=lambda pair: pair[0]):
        sample = sample_id(*place)
        earlier = first.setdefault(digest(renamed_tree(kernel.definitions)), sample)
        if earlier != sample:
            samples.append({"sample_id": sample, "same_as": earlier})
    share = len(samples) / len(kernels) if kernels else None
    return {"schema": SCHEMA, "kernels": len(kernels), "share": share, "samples": samples}


def _places(kernels: Sequence[Kernel], folder: Path) -> list[tuple[str, int, int]]:
    """Category, seed and index of each kernel."""
    indices: dict[str, dict[str, int]] = {}
    places = []
    for kernel in kernels:
        category, seed = kernel.group, int(Path(kernel.file).stem)
        if kernel.file not in indices:
            tree = ast.parse((folder / kernel.file).read_bytes())
            names = sample_names(tree, category, seed)
            indices[kernel.file] = {name: int(sample.rpartition("-")[2]) for sample, name in names.items()}
        places.append((category, seed, indices[kernel.file][kernel.name]))
    return places
