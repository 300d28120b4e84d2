"""Whether a dataset is what its card says: whole files, verified samples only, splits that share nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from weft.dataset.checksums import check_files
from weft.errors import UserError
from weft.files import damaged


def data_files(folder: Path) -> dict[tuple[str, str], list[Path]]:
    """The Parquet files of each config and split, both in the order of their names."""
    found: dict[tuple[str, str], list[Path]] = {}
    for path in sorted((folder / "data").glob("*/*.parquet")):
        found.setdefault((path.parent.name, path.name.partition("-")[0]), []).append(path)
    return found


def check_dataset(folder: Path) -> None:
    """Raises UserError for a file that is missing, cut off or not listed; for a sample that is not verified,
    is there twice, or in another split than its rows in other configs; and for a text, a tree, an idiom core,
    a chain of formulas, a cluster or a component that is in two splits, texts and trees even within one.
    """
    check_files(folder)
    files = data_files(folder)
    splits: dict[str, str] = {}
    owners: dict[str, dict[str, tuple[str, str]]] = {}
    for split, row in _rows(
        files, "default", ["sample_id", "split", "hashes", "cluster", "component", "verification"]
    ):
        sample = row["sample_id"]
        if row["verification"]["verdict"] != "verified":
            raise UserError(
                f"{sample}: is in the dataset, but not verified: {row['verification']['verdict']}"
            )
        if sample in splits or row["split"] != split:
            raise UserError(f"{sample}: is in {split} and in {splits.get(sample, row['split'])}")
        splits[sample] = split
        keys = {**row["hashes"], "cluster": row["cluster"], "component": row["component"]}
        for kind, key in keys.items():
            if kind == "opcodes" or key is None:
                continue
            other, there = owners.setdefault(kind, {}).setdefault(key, (sample, split))
            if split != there or (other != sample and kind in ("text", "tree")):
                raise UserError(f"{sample} in {split} and {other} in {there} have the same {kind}")
    for config in sorted({config for config, _ in files} - {"default", "rl"}):
        _check_config(files, config, splits, "sample_id", lambda row: row["sample_id"])
    _check_config(files, "rl", splits, "extra_info", lambda row: row["extra_info"]["sample_id"])


def _check_config(
    files: dict[tuple[str, str], list[Path]],
    config: str,
    splits: dict[str, str],
    column: str,
    sample_of: Callable[[dict[str, Any]], str],
) -> None:
    for split, row in _rows(files, config, [column]):
        sample = sample_of(row)
        if splits.get(sample) != split:
            raise UserError(
                f"{config}: {sample} is in {split}, in default in {splits.get(sample, 'no split')}"
            )


def _rows(
    files: dict[tuple[str, str], list[Path]], config: str, columns: list[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """These columns of a config's rows, each with the split that its file is of."""
    for (name, split), paths in files.items():
        for path in paths if name == config else ():
            try:
                for batch in pq.ParquetFile(path).iter_batches(columns=columns):
                    for row in batch.to_pylist():
                        yield split, row
            except (pa.ArrowException, OSError) as error:
                raise damaged(path, str(error)) from error
