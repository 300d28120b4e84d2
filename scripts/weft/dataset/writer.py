"""Parquet files of one config and split, written as rows come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from weft.dataset.schema import SCHEMAS

BATCH_ROWS = 16
"""Rows that wait as Python values, which are larger than Arrow's."""
GROUP_BYTES = 8 * 2**20
"""Of a row group in memory: what one writer holds, and there is one for each config and split."""
FILE_BYTES = 512 * 2**20
"""After as many a new file begins: a gigabyte or less of text, and some hundred megabytes on the disk."""


class SplitWriter:
    """Writes `{config}/{split}-NNNNN-of-MMMMM.parquet`; how many there are shows at the end."""

    def __init__(self, data: Path, config: str, split: str) -> None:
        self.folder = data / config
        self.split = split
        self.schema = SCHEMAS[config]
        self.rows: list[Mapping[str, Any]] = []
        self.waiting: list[pa.Table] = []
        self.files: list[Path] = []
        self.file: pq.ParquetWriter | None = None
        self.written = 0

    def add(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Take rows, and write them once they are enough for a row group."""
        self.rows += rows
        if len(self.rows) >= BATCH_ROWS:
            self._convert()
            if sum(table.nbytes for table in self.waiting) >= GROUP_BYTES:
                self._flush()

    def close(self) -> None:
        """Write what waits, and give the files their names."""
        self._convert()
        self._flush()
        self._end_file()
        for number, path in enumerate(self.files):
            path.rename(self.folder / f"{self.split}-{number:05d}-of-{len(self.files):05d}.parquet")

    def _convert(self) -> None:
        if self.rows:
            self.waiting.append(pa.Table.from_pylist(self.rows, schema=self.schema))
            self.rows = []

    def _flush(self) -> None:
        if not self.waiting:
            return
        table = pa.concat_tables(self.waiting).combine_chunks()
        self.waiting = []
        if self.file is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.files.append(self.folder / f"{self.split}-{len(self.files)}.begun")
            self.file = pq.ParquetWriter(
                self.files[-1], self.schema, compression="zstd", write_page_index=True
            )
            self.written = 0
        self.file.write_table(table)
        self.written += table.nbytes
        if self.written >= FILE_BYTES:
            self._end_file()

    def _end_file(self) -> None:
        if self.file is not None:
            self.file.close()
            self.file = None
