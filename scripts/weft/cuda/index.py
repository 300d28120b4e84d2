"""A shard's programs and the index beside them (docs/formats/cuda.md)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from weft.cuda.program import CudaProgram, join, translate_shard
from weft.cuda.shard import namespace

SCHEMA = 5


@dataclasses.dataclass(frozen=True)
class TranslatedShard:
    """The program of a shard, and its index."""

    text: str
    index: dict[str, Any]


def translate_ir(ir: Mapping[str, Any]) -> TranslatedShard:
    """The program and the index of an IR file's content. What cannot be translated becomes a reject."""
    programs, rejects = translate_shard(ir["records"])
    return TranslatedShard(join(programs), write_index(ir, programs, rejects))


def write_index(
    ir: Mapping[str, Any], programs: Sequence[CudaProgram], rejects: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """The index of programs that were translated from an IR file's content."""
    return index_of(ir["category"], ir["seed"], [_entry(program) for program in programs], rejects)


def index_of(
    category: str, seed: int, samples: Sequence[Mapping[str, Any]], rejects: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """An index with these entries."""
    return {
        "schema": SCHEMA,
        "category": category,
        "seed": seed,
        "samples": list(samples),
        "rejects": list(rejects),
    }


def _entry(program: CudaProgram) -> dict[str, Any]:
    """What the index has of a program."""
    return {
        "sample_id": program.sample_id,
        "namespace": namespace(program.sample_id),
        "kernel_name": program.kernel_name,
        "cuda_kernel_name": program.cuda_kernel_name,
        "equality": program.equality,
        "includes": sorted(program.includes),
        "interface": program.interface,
        "source_lines": program.source_lines,
    }
