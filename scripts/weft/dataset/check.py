"""Whether a dataset is what its card says: whole files, verified samples only, splits that share nothing."""

from __future__ import annotations

from pathlib import Path

from weft.dataset.checksums import check_files
from weft.dataset.reading import data_files, read_rows
from weft.errors import UserError


def check_dataset(folder: Path) -> None:
    """Raises UserError for a file that is missing, cut off or not listed; for a sample that is not verified,
    is there twice, or in another split than its rows in other configs; and for a text, a tree, an idiom core,
    a chain of formulas, a cluster or a component that is in two splits, texts and trees even within one.
    """
    check_files(folder)
    splits: dict[str, str] = {}
    owners: dict[str, dict[str, tuple[str, str]]] = {}
    columns = ["sample_id", "split", "hashes", "cluster", "component", "verification"]
    for split, row in read_rows(folder, "default", columns):
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
    for config in sorted({config for config, _ in data_files(folder)} - {"default"}):
        column = "extra_info" if config == "rl" else "sample_id"
        for split, row in read_rows(folder, config, [column]):
            sample = row[column]["sample_id"] if config == "rl" else row[column]
            if splits.get(sample) != split:
                raise UserError(
                    f"{config}: {sample} is in {split}, in default in {splits.get(sample, 'no split')}"
                )
