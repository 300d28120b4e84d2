"""Checks of generated text: entry points, thread indexing, and whether a stage has what it lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from weft.cuda.shard import split
from weft.files import read_shard
from weft.stats.tree import Plan
from weft.validate.problem import Problem
from weft.validate.tree import Stages

_THREAD = re.compile(r"\b(threadIdx|blockIdx)\.[xyz]\b")
_ENTRY = re.compile(r'extern "C" __global__ void (\w+?)_cuda_kernel_(forward|backward)\(')
_PTX_ENTRY = re.compile(r"^\.visible \.entry ([\w$]+)\(", re.MULTILINE)


def check_ir_text(file: str, stages: Stages) -> Iterator[Problem]:
    """Warp's CUDA text of every kernel has a forward and an adjoint entry point that index threads."""
    for record in stages["ir"]["records"]:
        for kernel in record.get("kernels", [record]):
            for part, key in (("forward", "cuda_forward"), ("backward", "cuda_backward")):
                text = kernel[key]
                if part not in {found[1] for found in _ENTRY.findall(text)}:
                    yield Problem(file, f"{key} has no {part} entry point", record["sample_id"])
                elif not _THREAD.search(text):
                    yield Problem(file, f"{key} has no thread indexing", record["sample_id"])


def check_cuda_text(file: str, text: str, stages: Stages) -> Iterator[Problem]:
    """The program of every sample is in the shard, with its kernel and with thread indexing."""
    parts = {part.sample_id: part for part in split(text)}
    records = stages["ir"]["records"] if "ir" in stages else ()
    programs = {record["sample_id"] for record in records if "kernels" in record}
    for entry in stages["cuda"]["samples"]:
        sample = entry["sample_id"]
        part = parts.pop(sample, None)
        name = entry["cuda_kernel_name"]
        if part is None:
            yield Problem(file, "has no program here", sample)
        elif sample in programs and f"cudaError_t launch_{name}(" not in part.text:
            yield Problem(file, f"has no launcher of {name}", sample)
        elif sample not in programs and not _defines_kernel(name, part.text):
            yield Problem(file, f"has no kernel {name}", sample)
        elif not _THREAD.search(part.text):
            yield Problem(file, "has no thread indexing", sample)
    for sample in parts:
        yield Problem(file, "is in the program but not in the index", sample)


def _defines_kernel(name: str, text: str) -> bool:
    return re.search(rf"__global__ void [^;{{]*\b{re.escape(name)}\(", text) is not None


def check_ptx_text(file: str, text: str, stage: str, stages: Stages) -> Iterator[Problem]:
    """The PTX is for its architecture and has the entry of every sample that it lists."""
    arch = stage.removeprefix("ptx/")
    if not re.search(rf"^\.target {arch}\b", text, re.MULTILINE):
        yield Problem(file, f"is not for {arch}")
    entries = set(_PTX_ENTRY.findall(text))
    for sample in stages[stage]["samples"]:
        for entry in sample["entries"]:
            if entry["entry"] not in entries:
                yield Problem(file, f"has no entry {entry['entry']}", sample["sample_id"])


def check_text(results: Path, plan: Plan, stages: Stages, category: str, seed: int) -> Iterator[Problem]:
    """All checks of one shard's text; a file that is missing is not this check's concern."""
    shard = f"{category}/{seed}"
    if "ir" in stages:
        yield from check_ir_text(f"ir/{shard}.json", stages)
    cuda = f"cuda/{shard}.cu"
    if "cuda" in stages and (results / cuda).is_file():
        yield from check_cuda_text(cuda, read_shard(results / cuda), stages)
    for stage in (f"ptx/{arch}" for arch in plan.archs):
        ptx = f"{stage}/{shard}.ptx"
        if stage in stages and (results / ptx).is_file():
            yield from check_ptx_text(ptx, read_shard(results / ptx), stage, stages)
