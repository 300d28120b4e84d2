"""The rows of a dataset, as they stand in its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from weft.files import damaged

_BATCH = 64
"""Rows in memory at a time."""


def data_files(folder: Path) -> dict[tuple[str, str], list[Path]]:
    """The Parquet files of each config and split, both in the order of their names."""
    found: dict[tuple[str, str], list[Path]] = {}
    for path in sorted((folder / "data").glob("*/*.parquet")):
        found.setdefault((path.parent.name, path.name.partition("-")[0]), []).append(path)
    return found


def read_rows(folder: Path, config: str, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """These columns of a config's rows, each with the split that its file is of. Raises UserError for a file
    that is cut off or damaged.
    """
    for (name, split), paths in data_files(folder).items():
        for path in paths if name == config else ():
            try:
                for batch in pq.ParquetFile(path).iter_batches(_BATCH, columns=list(columns)):
                    for row in batch.to_pylist():
                        yield split, row
            except (pa.ArrowException, OSError) as error:
                raise damaged(path, str(error)) from error
