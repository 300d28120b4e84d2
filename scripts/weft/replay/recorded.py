"""A sample as it was recorded: by the results folder of a build, or by a row of the dataset."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from pathlib import Path

from weft.errors import UserError
from weft.kernels import AS_THEY_COME
from weft.replay.parts import Parts, parts_in_results, parts_of_row
from weft.stats.tree import read_plan

_SAMPLE = re.compile(r"(?P<category>.+)-(?P<seed>\d{4,})-(?P<index>\d{4,})")


@dataclasses.dataclass(frozen=True)
class Recorded:
    """What a sample is made from, and the `parts` that were. `source` is what the user named, None for a
    generated kernel.
    """

    sample_id: str
    category: str
    seed: int
    index: int
    source: str | None
    difficulty: Mapping[str, float]
    sizes: tuple[int, ...]
    input_seeds: tuple[int, ...]
    archs: tuple[str, ...]
    parts: Parts

    @property
    def shard(self) -> tuple[str, int]:
        """The shard that it belongs to."""
        return self.category, self.seed


def recorded_in_results(results: Path, sample: str) -> Recorded:
    """A sample of a build. Raises UserError if it has none of that id."""
    category, seed, index = _identity(sample)
    plan = read_plan(results)
    if (category, seed) not in plan.shards:
        raise UserError(
            f"{results} has no sample {sample!r}: the last build did not include shard {category}/{seed}"
        )
    parts = parts_in_results(results, sample, (category, seed), plan.archs, plan.devices)
    if not parts:
        raise UserError(f"{results} has no sample {sample!r}")
    return Recorded(
        sample,
        category,
        seed,
        index,
        plan.sources.get(category),
        plan.difficulty,
        plan.sizes,
        plan.input_seeds,
        plan.archs,
        parts,
    )


def recorded_in_dataset(dataset: Path, sample: str) -> Recorded:
    """A sample of a dataset. Raises UserError if there is no such row."""
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise UserError("reading a dataset needs pyarrow: pip install 'weft[dataset]'") from error
    category, seed, index = _identity(sample)
    files = sorted(dataset.glob("data/default/*.parquet"))
    rows = [
        row for file in files for row in pq.read_table(file, filters=[("sample_id", "=", sample)]).to_pylist()
    ]
    if not rows:
        raise UserError(f"{dataset} has no row {sample!r} in the {len(files)} files of data/default")
    row = rows[0] | {"launch": json.loads(rows[0]["launch"])}
    return Recorded(
        sample,
        category,
        seed,
        index,
        row["origin"]["source"],
        {level: weight for level, weight in (row["levels"] or AS_THEY_COME).items() if weight is not None},
        tuple(row["sizes"]),
        tuple(row["input_seeds"]),
        tuple(one["arch"] for one in row["ptx"]),
        parts_of_row(row),
    )


def _identity(sample: str) -> tuple[str, int, int]:
    match = _SAMPLE.fullmatch(sample)
    if match is None:
        raise UserError(f"{sample!r} is not a sample id such as vector-0000-0003")
    return match["category"], int(match["seed"]), int(match["index"])
