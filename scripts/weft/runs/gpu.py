"""The runs stage on a GPU: two builds of a shard, and compute-sanitizer on a share of its samples.

The first build embeds the shipped PTX, where there is any. The second is compiled with `-fmad=false`: what
then still differs from the reference comes from functions that CUDA computes in its own way.
"""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.files import read_shard as read_text
from weft.ptx.nvcc import resolve_arch
from weft.reference import store
from weft.reference.store import Sample
from weft.runs.build import CudaToolchain, Shipped
from weft.runs.embed import target_of
from weft.runs.exact import is_exact
from weft.runs.fused import with_fused_products
from weft.runs.sanitizer import TOOLS, Sanitizer, find_sanitizer
from weft.runs.shard import Shard, ShardSample
from weft.runs.stage import Inspect, read_shard, rejects_of, run_shard
from weft.runs.verdict import CUDA, entry, judge_sample
from weft.sampling import chosen
from weft.scratch import scratch

BITS = dataclasses.replace(CUDA, bits=True, runs_main=False, executions=CUDA.executions[:1])
"""`main`, and whether executions agree, have been judged in the other build."""


FUSED = "fused_products"
"""The check of a sample that needs it: its outputs differ by what fused products come to, and no more."""


class NoDeviceError(Exception):
    """There is no GPU to run on."""


def run_shard_cuda(
    cuda: Path,
    reference: Path,
    *,
    compiler: str,
    arch: str,
    timeout: float,
    ptx: Path | None = None,
    cubin: Path | None = None,
    sanitizer_share: float = 0.0,
) -> dict[str, Any]:
    """The runs file of a shard on this machine's GPU, with the fields that a GPU adds (docs/formats/runs.md).

    `ptx` is the shard's as it is shipped, and `cubin` the GPU's machine code if that was made from it before.
    Raises NoDeviceError before anything else if there is no GPU; UserError for wrong files and missing tools.
    """
    if count_gpus() == 0:
        raise NoDeviceError("no CUDA device")
    arch = resolve_arch(arch)
    shipped = find_shipped(ptx, cubin)
    sanitizer = find_sanitizer(compiler, arch) if sanitizer_share > 0 else None
    with scratch("build") as folder:
        uncontracted = CudaToolchain(compiler, folder, arch, contract=False)
        second = run_shard(cuda, reference, uncontracted, BITS, timeout, bounded_if_inexact(timeout))
    same_bits = {one["sample_id"] for one in second["samples"] if one.get("bits")}
    looks = [fused_if_wrong(read_shard(cuda), same_bits, timeout)]
    looks += [sanitized(sanitizer, sanitizer_share, timeout)] if sanitizer else []
    with scratch("build") as folder:
        toolchain = CudaToolchain(compiler, folder, arch, shipped=shipped)
        result = run_shard(cuda, reference, toolchain, CUDA, timeout, in_turn(looks))
    for one, other in zip(result["samples"], second["samples"], strict=True):
        merge(one, other)
    result["rejects"] = rejects_of(store.read(reference), result["samples"])
    result["embedded_ptx"] = shipped.target if shipped else None
    return result


def count_gpus() -> int:
    """The number of GPUs that the CUDA driver sees; 0 where there is no driver."""
    driver, count = _driver(), ctypes.c_int(0)
    if driver is None or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value


def gpu_name() -> str:
    """The name of the first GPU. Raises NoDeviceError if there is none."""
    driver, device, name = _driver(), ctypes.c_int(0), ctypes.create_string_buffer(256)
    if driver is None or driver.cuDeviceGet(ctypes.byref(device), 0) != 0:
        raise NoDeviceError("no CUDA device")
    driver.cuDeviceGetName(name, len(name), device)
    return name.value.decode(errors="replace")


def _driver() -> ctypes.CDLL | None:
    """The CUDA driver, if there is one that works."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    return driver if driver.cuInit(0) == 0 else None


def find_shipped(ptx: Path | None, cubin: Path | None) -> Shipped | None:
    """The PTX that a program embeds, if any is named. Raises UserError."""
    if ptx is None:
        return None
    for path in (ptx, cubin):
        if path is not None and not path.is_file():
            raise UserError(f"{path}: no such file")
    return Shipped(ptx, target_of(read_text(ptx), str(ptx)), cubin)


def in_turn(looks: Sequence[Inspect]) -> Inspect:
    """Each look at what the one before has left."""

    def inspect(sample: Sample, part: ShardSample, program: Path, result: dict[str, Any]) -> dict[str, Any]:
        for look in looks:
            result = look(sample, part, program, result)
        return result

    return inspect


def fused_if_wrong(shard: Shard, same_bits: Set[str], timeout: float) -> Inspect:
    """A further look at wrong outputs of samples that have the reference's bits without fused products:
    whether they are what fused products come to.
    """

    def inspect(sample: Sample, part: ShardSample, program: Path, result: dict[str, Any]) -> dict[str, Any]:
        if result["reason"] not in ("wrong_output", "main_differs") or sample.sample_id not in same_bits:
            return result
        wider = with_fused_products(sample, shard, part, timeout)
        again = judge_sample(wider, part, program, CUDA, timeout)
        if again["verdict"] != "verified":
            return result
        return again | {"checks": sorted([*again["checks"], FUSED])}

    return inspect


def sanitized(sanitizer: Sanitizer, share: float, timeout: float) -> Inspect:
    """A further look, with compute-sanitizer, at what is verified and among the share."""

    def inspect(sample: Sample, part: ShardSample, program: Path, result: dict[str, Any]) -> dict[str, Any]:
        if result["verdict"] != "verified" or not chosen(sample.sample_id, share, "sanitizer"):
            return result
        for tool in TOOLS:
            finding = sanitizer.look(tool, sample, part, program, timeout)
            if finding.reason is not None:
                return entry(sample, CUDA, "rejected", finding.reason, finding.message)
            if finding.finished:
                result["checks"] = sorted([*result["checks"], tool])
        return result

    return inspect


def bounded_if_inexact(timeout: float) -> Inspect:
    """Asks for the reference's bits; of kernels with functions that have an error, for their bounds only.

    `bits` of the entry says whether the bits are the reference's.
    """

    def inspect(sample: Sample, part: ShardSample, program: Path, result: dict[str, Any]) -> dict[str, Any]:
        bits = result["verdict"] == "verified"
        if not bits and not is_exact(part.text):
            result = judge_sample(sample, part, program, CUDA, timeout)
        return {**result, "bits": bits}

    return inspect


def merge(result: dict[str, Any], uncontracted: dict[str, Any]) -> None:
    """Add to a sample's entry what its build with -fmad=false showed, which may reject it."""
    result["fmad_false_bits"] = uncontracted.get("bits", False)
    if result["verdict"] == "verified" and uncontracted["verdict"] == "rejected":
        message = f"built with -fmad=false: {uncontracted['message']}"
        result |= {
            "verdict": "rejected",
            "reason": uncontracted["reason"],
            "message": message,
            "failure": uncontracted["failure"],
            "checks": [],
            "max_ulp": None,
        }
