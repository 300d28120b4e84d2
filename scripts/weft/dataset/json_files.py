"""A dataset as one JSON file a sample, for tools that read pairs in this older layout."""

from __future__ import annotations

import collections
from pathlib import Path

import pyarrow.parquet as pq

from weft.dataset.check import data_files
from weft.dataset.folder import replaced
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
        for (config, split), paths in data_files(dataset).items():
            for path in paths if config == "default" else ():
                for batch in pq.ParquetFile(path).iter_batches(
                    64, columns=["sample_id", *_TEXTS, *_METADATA]
                ):
                    for row in batch.to_pylist():
                        metadata = {key: row[key] for key in _METADATA} | {"device": "cuda"}
                        pair = {key: row[key] for key in _TEXTS} | {"metadata": metadata}
                        write_json(folder / split / f"{row['sample_id']}.json", pair)
                        categories[row["category"]] += 1
                        splits[split] += 1
        counts = {"total": categories.total(), "categories": dict(categories), "splits": dict(splits)}
        write_json(folder / "stats.json", counts)
