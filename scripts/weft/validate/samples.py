"""Checks of the folders that people get: complete, unchanged, and the text that was compiled and run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from weft.cuda.shard import split
from weft.errors import UserError
from weft.files import read_json, read_shard, read_text, sha256
from weft.validate.problem import Problem
from weft.validate.tree import Stages

FILES = ("python_file", "cuda_file", "index_file", "makefile", "ptx_file")
KEYS = (*FILES, "schema", "sample_id", "category", "kernel_name", "ptx_generated", "description", "verdict")


def check_samples(results: Path, stages: Stages, category: str, seed: int) -> Iterator[Problem]:
    """The sample folders of one shard; nothing to check where samples were not asked for."""
    listing = results / f"samples/{category}-{seed}.json"
    if not listing.is_file() or "ir" not in stages or "cuda" not in stages:
        return
    content = read_json(listing)
    listed = [entry["sample_id"] for entry in content["samples"]]
    left_out = {entry["sample_id"] for entry in content["duplicates"]}
    records = {record["sample_id"]: record for record in stages["ir"]["records"]}
    shard = results / f"cuda/{category}/{seed}.cu"
    parts = {part.sample_id: part for part in split(read_shard(shard))}
    entries = {entry["sample_id"]: entry for entry in stages["cuda"]["samples"]}
    for sample in entries:
        if sample not in listed and sample not in left_out:
            yield Problem(str(listing.relative_to(results)), "is not listed", sample)
    for sample in listed:
        folder = f"samples/{sample}"
        if not (results / folder / "metadata.json").is_file():
            yield Problem(f"{folder}/metadata.json", "missing", sample)
            continue
        metadata = read_json(results / folder / "metadata.json")
        missing = [key for key in KEYS if key not in metadata]
        if missing:
            yield Problem(f"{folder}/metadata.json", f"lacks {', '.join(missing)}", sample)
            continue
        yield from _check_files(results, folder, metadata)
        if sample in records and sample in parts:
            yield from _check_texts(
                results, folder, metadata, records[sample]["python_source"], parts[sample].text
            )
            if metadata["index_file"] and sample in entries:
                yield from _check_index(results, f"{folder}/{metadata['index_file']}", entries[sample])


def _check_files(results: Path, folder: str, metadata: dict[str, Any]) -> Iterator[Problem]:
    sample = metadata["sample_id"]
    if metadata["ptx_generated"] != (metadata["ptx_file"] is not None):
        yield Problem(f"{folder}/metadata.json", "ptx_generated and ptx_file do not agree", sample)
    for key in FILES:
        name = metadata[key]
        if name is None:
            continue
        path = results / folder / name
        if not path.is_file():
            yield Problem(f"{folder}/{name}", "missing", sample)
        elif sha256(path.read_bytes()) != metadata["sha256"].get(name):
            yield Problem(f"{folder}/{name}", "has other bytes than metadata.json says", sample)


def _check_texts(
    results: Path, folder: str, metadata: dict[str, Any], python: str, cuda: str
) -> Iterator[Problem]:
    sample = metadata["sample_id"]
    path = results / folder / metadata["python_file"]
    if path.is_file() and read_text(path) != python:
        yield Problem(f"{folder}/{metadata['python_file']}", "is not the Python source in ir/", sample)
    path = results / folder / metadata["cuda_file"]
    if path.is_file() and not read_text(path).endswith(f"\n{cuda}"):
        yield Problem(f"{folder}/{metadata['cuda_file']}", "is not the program in cuda/", sample)


def _check_index(results: Path, file: str, entry: dict[str, Any]) -> Iterator[Problem]:
    try:
        same = not (results / file).is_file() or read_json(results / file)["samples"] == [entry]
    except (UserError, KeyError, TypeError):
        same = False
    if not same:
        yield Problem(file, "is not the entry in cuda/", entry["sample_id"])
