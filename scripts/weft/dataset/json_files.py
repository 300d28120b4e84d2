"""A dataset as one JSON file a sample, for tools that read pairs in this older layout."""

from __future__ import annotations

import collections
from pathlib import Path

from weft.dataset.folder import replaced
from weft.dataset.reading import read_rows
from weft.files import write_json

_TEXTS = ("python_source", "cuda_forward", "cuda_backward", "cpp_forward")
_METADATA = ("kernel_name", "category", "description")


def write_json_files(dataset: Path, output: Path) -> None:
    """Write `{split}/{sample_id}.json` for each sample, and `stats.json`, which counts them; `output` is
    replaced. Raises UserError where nothing can be written.
    """
    categories: collections.Counter[str] = collections.Counter()
    splits: collections.Counter[str] = collections.Counter()
    with replaced(output) as folder:
        for split, row in read_rows(dataset, "default", ["sample_id", *_TEXTS, *_METADATA]):
            metadata = {key: row[key] for key in _METADATA} | {"device": "cuda"}
            pair = {key: row[key] for key in _TEXTS} | {"metadata": metadata}
            write_json(folder / split / f"{row['sample_id']}.json", pair)
            categories[row["category"]] += 1
            splits[split] += 1
        counts = {"total": categories.total(), "categories": dict(categories), "splits": dict(splits)}
        write_json(folder / "stats.json", counts)
