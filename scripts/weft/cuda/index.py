"""A shard's programs and the index beside them (docs/formats.md, section "cuda")."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from weft.cuda.program import CudaProgram, translate_shard
from weft.cuda.shard import join, namespace

SCHEMA = 2


@dataclasses.dataclass(frozen=True)
class TranslatedShard:
    """The program of a shard, and its index."""

    text: str
    index: dict[str, Any]


def translate_ir(ir: Mapping[str, Any]) -> TranslatedShard:
    """The program and the index of an IR file's content. What cannot be translated becomes a reject."""
    programs, rejects = translate_shard(ir["records"])
    index = {
        "schema": SCHEMA,
        "category": ir["category"],
        "seed": ir["seed"],
        "samples": [entry(program) for program in programs],
        "rejects": rejects,
    }
    return TranslatedShard(join(programs), index)


def entry(program: CudaProgram) -> dict[str, Any]:
    """What the index has of a program."""
    return {
        "sample_id": program.sample_id,
        "namespace": namespace(program.sample_id),
        "kernel_name": program.kernel_name,
        "cuda_kernel_name": program.cuda_kernel_name,
        "equality": program.equality,
        "includes": sorted(program.includes),
        "interface": program.interface,
    }
