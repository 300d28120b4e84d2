"""What is compared of a sample: texts, by what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.cuda.shard import include_lines, split
from weft.files import canonical_json, read_shard
from weft.ptx.cut import cut
from weft.stats.tree import read_manifest, stage_file

Parts = dict[str, str]
"""By name: `kernel` (its Python), `ir` (Warp's texts, signature and launch), `tree` (the whole record),
`cuda`, `call` (how the launcher is called), `ptx {arch}`, `verdict {device}`, `reject {stage}`."""

_TEXTS = ("cuda_forward", "cuda_backward", "cpp_forward", "cpp_backward")
_VERDICT = ("verdict", "equality", "cases", "max_ulp", "checks")
_PLACES = ("file", "line", "column")


def parts_of_row(row: Mapping[str, Any]) -> Parts:
    """The parts that a row of the dataset's config `default` has."""
    return {
        "kernel": row["python_source"],
        "ir": canonical_json({key: row[key] for key in (*_TEXTS, "signature", "launch")}),
        "cuda": row["cuda_program"],
        **{f"ptx {one['arch']}": one["text"] for one in row["ptx"]},
        **{
            f"verdict {one['device']}": canonical_json({key: one[key] for key in _VERDICT})
            for one in row["verification"]["devices"]
        },
    }


def parts_in_results(
    results: Path, sample: str, shard: tuple[str, int], archs: Sequence[str], devices: Sequence[str]
) -> Parts:
    """The parts of a sample that a results folder has; none of a sample that it lacks.

    Raises UserError for files that are cut off. A stage that nothing came to has left no file.
    """
    name = f"{shard[0]}/{shard[1]}"
    stages = [
        "ir",
        "reference",
        "cuda",
        *(f"ptx/{one}" for one in archs),
        *(f"runs/{one}" for one in devices),
    ]
    parts: Parts = {}
    for stage in stages:
        file = stage_file(results, stage, *shard)
        if not file.is_file():
            continue
        content = read_manifest(file)
        for rejected in _of(sample, content["rejects"]):
            parts[f"reject {rejected['stage']}"] = canonical_json(_without_places(rejected))
        for entry in _of(sample, content["records" if stage == "ir" else "samples"]):
            match stage.split("/"):
                case ["ir"]:
                    parts |= _of_record(entry)
                case ["cuda"]:
                    parts |= _of_program(entry, read_shard(results / f"cuda/{name}.cu"))
                case ["ptx", arch]:
                    text = read_shard(results / f"ptx/{arch}/{name}.ptx")
                    parts[f"ptx {arch}"] = cut(text, [one["entry"] for one in entry["entries"]])
                case ["runs", device]:
                    parts[f"verdict {device}"] = canonical_json({key: entry[key] for key in _VERDICT})
    return parts


def _of_record(record: Mapping[str, Any]) -> Parts:
    """The parts of an IR record; a program of several launches has the texts of several kernels."""
    kernels = record.get("kernels", [record])
    texts = {key: "\n".join(one[key] for one in kernels) for key in _TEXTS}
    ir = texts | {"signature": record["signature"]}
    return {
        "kernel": record["python_source"],
        "ir": canonical_json(ir | {"launch": record["launch"]}),
        "tree": canonical_json(_without_places(record)),
    }


def _of_program(entry: Mapping[str, Any], shard: str) -> Parts:
    """The parts of a sample's entry in the index of its shard's text."""
    program = next(one.text for one in split(shard) if one.sample_id == entry["sample_id"])
    return {
        "cuda": f"{include_lines(entry['includes'])}\n{program}",
        "call": canonical_json(entry),
    }


def _of(sample: str, entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [one for one in entries if one["sample_id"] == sample]


def _without_places(value: Any) -> Any:
    """A record without where its functions stand: that depends on the kernels around, and on the folder."""
    if isinstance(value, Mapping):
        return {key: _without_places(one) for key, one in value.items() if key not in _PLACES}
    if isinstance(value, list):
        return [_without_places(one) for one in value]
    return value
