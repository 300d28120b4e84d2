"""What models are asked (docs/formats/scores.md): tasks about the verified samples of a build."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from weft.dataset.conversations import ASKED, prompt
from weft.dataset.negatives import mutants
from weft.dataset.rows import ShardFiles
from weft.dataset.views import declarations, launcher_declaration
from weft.errors import UserError
from weft.files import read_text
from weft.leaves import leaves, structs_of
from weft.sampling import draw
from weft.stats.tree import read_plan, read_shards
from weft.types import parse_type

SCHEMA = 1
KINDS = tuple(ASKED)
NOT_TOLD = ("sizes", "inputs", "results")
"""What the prompt of no task says: the sizes n, the inputs' seeds, what Warp computes."""
_TOLD = ("role", "shape", "strides", "values")


def tasks(
    results: Path, kinds: Collection[str] = KINDS, split: str | None = None
) -> Iterator[dict[str, Any]]:
    """The tasks of a build, sample by sample; of one `split` of its dataset, if that is given.

    Raises UserError for files that are missing or cut off, and where nothing is in the split.
    """
    plan = read_plan(results)
    chosen = None if split is None else _in_split(results / "dataset", split)
    for shard in read_shards(results, plan):
        files = ShardFiles(results, plan, shard.category, shard.seed)
        for sample in sorted(shard.verified(plan.devices)):
            if chosen is not None and sample not in chosen:
                continue
            row = _row(files, sample)
            for kind in (kind for kind in KINDS if kind in kinds):
                wrong = _mutant(files, sample, row) if kind == "repair" else ""
                if wrong is not None:
                    yield _task(files, sample, kind, row, wrong)


def read_task_ids(path: Path) -> list[str]:
    """The ids of a file of tasks. Raises UserError for a file of something else."""
    found = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            found.append(str(json.loads(line)["task_id"]))
        except (ValueError, TypeError, KeyError) as error:
            raise UserError(f"{path}:{number}: is not a task: it has no task_id") from error
    return found


def _in_split(dataset: Path, split: str) -> set[str]:
    try:
        from weft.dataset.reading import read_rows
    except ImportError as error:
        raise UserError("a split of a dataset needs pyarrow: pip install 'weft[dataset]'") from error
    found: dict[str, set[str]] = {}
    for name, row in read_rows(dataset, "default", ["sample_id"]):
        found.setdefault(name, set()).add(row["sample_id"])
    if split not in found:
        raise UserError(f"{dataset}: has no split {split!r}; it has {', '.join(sorted(found)) or 'none'}")
    return found[split]


def _row(files: ShardFiles, sample: str) -> dict[str, Any]:
    """What prompts take of a row of the dataset."""
    record = files.records[sample]
    told, python, view = files.texts(sample)
    return {
        "sample_id": sample,
        "category": record["category"],
        "difficulty": record["launch"]["difficulty"],
        "instruction": told,
        "python_source": python,
        "cuda_kernel": view,
    }


def _task(files: ShardFiles, sample: str, kind: str, row: Mapping[str, Any], wrong: str) -> dict[str, Any]:
    record, kernel = files.records[sample], files.index[sample]["cuda_kernel_name"]
    described = record["launch"]["parameters"]
    signature = [(one["name"], parse_type(one["type"])) for one in record["signature"]]
    declared = declarations(row["cuda_kernel"], kernel)
    return {
        "schema": SCHEMA,
        "task_id": sample if kind == "python_to_cuda" else f"{sample}/{kind}",
        "kind": kind,
        **{key: row[key] for key in ("sample_id", "category", "difficulty")},
        "prompt": prompt(kind, row, declared, wrong),
        "launcher": launcher_declaration(row["cuda_kernel"], kernel),
        "parameters": [
            {"name": name, "type": str(type), **{key: described[name][key] for key in _TOLD}}
            for name, type in leaves(signature, structs_of(record))
            if name in described
        ],
        "sizes": record["launch"]["sizes"],
        "not_told": list(NOT_TOLD),
    }


def _mutant(files: ShardFiles, sample: str, row: Mapping[str, Any]) -> str | None:
    """A program with a mistake that the judge has found, if `mutation` has made one."""
    found = files.mutation.get(sample, {}).get("found", [])
    if not found:
        return None
    one = found[draw(f"{sample} repair") % len(found)]
    entry = files.index[sample]
    program = {**row, "cuda_program": files.program(sample)}
    (wrong,) = mutants(program, entry["includes"], entry["cuda_kernel_name"], {"found": [one]})
    return str(wrong["wrong"])
