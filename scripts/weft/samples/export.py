"""The files of a sample: Python kernel, CUDA program, PTX, how to build and to call it, and its verdict."""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.cuda.index import index_of
from weft.cuda.shard import include_lines, split
from weft.errors import UserError
from weft.files import canonical_json, sha256, write_atomically, write_json
from weft.ptx.cut import cut
from weft.samples.makefile import makefile

SCHEMA = 4


@dataclasses.dataclass(frozen=True)
class Shard:
    """What the stages wrote about one shard. `ptx` and `ptx_report` are None where no PTX is made.

    `duplicates` are the samples of the build that equal an earlier one but for names, each with that one.
    `mutation` is None where no sample of the shard is mutated, `gradients` where those of none are checked.
    """

    ir: Mapping[str, Any]
    cuda: str
    index: Mapping[str, Any]
    runs: Sequence[Mapping[str, Any]]
    ptx: str | None = None
    ptx_report: Mapping[str, Any] | None = None
    duplicates: Sequence[Mapping[str, str]] = ()
    mutation: Mapping[str, Any] | None = None
    gradients: Mapping[str, Any] | None = None


def export_shard(shard: Shard, listing: Path) -> None:
    """Write a folder for each translated sample, less the duplicates, and `listing`, which has both.

    Folders lie beside `listing`; those that an earlier build left for this shard are removed. Raises
    UserError if the files of the stages do not belong together.
    """
    parts = {part.sample_id: part.text for part in split(shard.cuda)}
    records = {record["sample_id"]: record for record in shard.ir["records"]}
    same_as = {one["sample_id"]: one["same_as"] for one in shard.duplicates}
    written = []
    left_out = []
    for entry in shard.index["samples"]:
        sample = entry["sample_id"]
        if sample not in parts or sample not in records:
            raise UserError(f"{sample}: is in the index, but not in the program and the IR")
        if sample in same_as:
            left_out.append({"sample_id": sample, "same_as": same_as[sample]})
            continue
        files = sample_files(shard, entry, records[sample], parts[sample])
        metadata = sample_metadata(shard, entry, records[sample], files)
        folder = listing.parent / sample
        if folder.exists():
            shutil.rmtree(folder)
        for name, text in files.items():
            write_atomically(folder / name, text)
        write_atomically(folder / "metadata.json", canonical_json(metadata))
        written.append({"sample_id": sample, "verdict": metadata["verdict"]})
    _remove_others(listing, shard.ir["category"], shard.ir["seed"], {entry["sample_id"] for entry in written})
    write_json(
        listing,
        {
            "schema": SCHEMA,
            "category": shard.ir["category"],
            "seed": shard.ir["seed"],
            "samples": written,
            "duplicates": left_out,
        },
    )


def sample_files(
    shard: Shard, entry: Mapping[str, Any], record: Mapping[str, Any], program: str
) -> dict[str, str]:
    """The files of a sample by name, less its metadata."""
    kernel = record["kernel_name"]
    files = {
        f"{kernel}.py": record["python_source"],
        f"{kernel}.cu": f"{include_lines(entry['includes'])}\n{program}",
        "Makefile": makefile(kernel, (shard.ptx_report or {}).get("arch", "sm_75")),
    }
    if (index := _index_file(kernel)) is not None:
        files[index] = canonical_json(index_of(record["category"], record["seed"], [entry]))
    ptx = _ptx_entries(shard, entry["sample_id"])
    if ptx and shard.ptx is not None:
        try:
            files[f"{kernel}.ptx"] = cut(shard.ptx, ptx)
        except ValueError as error:
            raise UserError(f"{entry['sample_id']}: {error}") from error
    return files


def _index_file(kernel: str) -> str | None:
    """The file by which weft.runs.call calls the program; a kernel named `metadata` leaves no room for it."""
    return f"{kernel}.json" if kernel != "metadata" else None


def sample_metadata(
    shard: Shard, entry: Mapping[str, Any], record: Mapping[str, Any], files: Mapping[str, str]
) -> dict[str, Any]:
    """What `metadata.json` says of a sample with these files."""
    kernel = record["kernel_name"]
    sample = record["sample_id"]
    runs = {run["device"]: _run(run, sample) for run in shard.runs}
    has_ptx = f"{kernel}.ptx" in files
    return {
        "schema": SCHEMA,
        "sample_id": sample,
        "category": record["category"],
        "seed": record["seed"],
        "index": record["index"],
        "kernel_name": kernel,
        "cuda_kernel_name": entry["cuda_kernel_name"],
        "description": record["description"],
        "equality": entry["equality"],
        "python_file": f"{kernel}.py",
        "cuda_file": f"{kernel}.cu",
        "index_file": _index_file(kernel),
        "makefile": "Makefile",
        "ptx_file": f"{kernel}.ptx" if has_ptx else None,
        "ptx_generated": has_ptx,
        "arch": shard.ptx_report["arch"] if has_ptx and shard.ptx_report else None,
        "verdict": _verdict(shard, sample, runs),
        "runs": runs,
        "mutation": _mutation(shard, sample),
        "gradients": _gradients(shard, sample),
        "versions": {
            **shard.ir["versions"],
            **((shard.ptx_report or {}).get("versions", {})),
        },
        "sha256": {name: sha256(text.encode()) for name, text in files.items()},
    }


def _run(run: Mapping[str, Any], sample: str) -> dict[str, Any]:
    """What one device says of a sample."""
    for entry in run["samples"]:
        if entry["sample_id"] == sample:
            return {key: entry[key] for key in ("verdict", "reason", "cases", "checks")}
    return {"verdict": "not_run", "reason": None, "cases": 0, "checks": []}


def _mutation(shard: Shard, sample: str) -> dict[str, Any] | None:
    """How many mistakes in the program the judge found; None for a sample that was not mutated."""
    for entry in (shard.mutation or {"samples": []})["samples"]:
        if entry["sample_id"] == sample:
            return {key: entry[key] for key in ("score", "killed", "survived", "equivalent", "not_compiled")}
    return None


def _gradients(shard: Shard, sample: str) -> dict[str, Any] | None:
    """Whether Warp's gradients are the sample's derivatives; None where they were not checked."""
    for entry in (shard.gradients or {"samples": []})["samples"]:
        if entry["sample_id"] == sample:
            return {key: entry[key] for key in ("verdict", "causes", "message", "difference")}
    return None


def _verdict(shard: Shard, sample: str, runs: Mapping[str, Mapping[str, Any]]) -> str:
    """`rejected` if a stage rejected the sample, else `verified` if a device verified it, else `not_run`."""
    reports = [*shard.runs, *([shard.ptx_report] if shard.ptx_report else [])]
    if any(reject["sample_id"] == sample for report in reports for reject in report["rejects"]):
        return "rejected"
    return "verified" if any(run["verdict"] == "verified" for run in runs.values()) else "not_run"


def _ptx_entries(shard: Shard, sample: str) -> list[str]:
    samples = shard.ptx_report["samples"] if shard.ptx_report else []
    return [entry["entry"] for one in samples if one["sample_id"] == sample for entry in one["entries"]]


def _remove_others(listing: Path, category: str, seed: int, kept: set[str]) -> None:
    name = re.compile(rf"{re.escape(category)}-{seed:04d}-\d{{4,}}")
    for folder in listing.parent.iterdir():
        if folder.is_dir() and name.fullmatch(folder.name) and folder.name not in kept:
            shutil.rmtree(folder)
