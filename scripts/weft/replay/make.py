"""One sample through every stage, as a build takes its shard, in a folder like that of a build."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path

from weft.cuda.index import translate_ir
from weft.errors import UserError
from weft.files import as_read, fill_folder, write_json, write_shard
from weft.ir.build import build_ir
from weft.kernels import generate
from weft.ptx.build import build_ptx
from weft.ptx.nvcc import find_toolkit
from weft.reference import store
from weft.reference.stage import make_reference
from weft.reference.warp_cpu import make_headers
from weft.replay.parts import Parts, parts_in_results
from weft.replay.recorded import Recorded
from weft.runs.stage import run_shard_cpu
from weft.source_spec import manifest_text, source_spec

SECONDS = 20.0
"""For Warp, and for the program: `reference_timeout` and `run_timeout` of config.yaml."""


@dataclasses.dataclass(frozen=True)
class Tools:
    """nvcc and g++, as settings name them; and what a build makes once, if it is there: the CPU device, and
    folders of Warp's precompiled headers.
    """

    nvcc: str = "pinned"
    host_compiler: str = "g++"
    cpu_device: Path | None = None
    headers: tuple[Path, ...] = ()


def prepared(tools: Tools, folder: Path) -> Tools:
    """The tools with what a build makes once, made in `folder`: worth it for more than one sample."""
    headers = folder / "warp_headers"
    fill_folder(headers, lambda one: make_headers(one, [1]))
    return dataclasses.replace(tools, headers=(headers,))


def make_again(sample: Recorded, folder: Path, tools: Tools) -> Parts:
    """The parts of a sample, made in `folder`. Raises UserError if a source or a compiler is missing."""
    name = f"{sample.category}/{sample.seed}"
    results = folder / "results"
    kernels, ir_file = results / f"kernels/{name}.py", results / f"ir/{name}.json"
    cuda, reference = results / f"cuda/{name}.cu", results / f"reference/{name}.npz"
    write_shard(kernels, _kernels(sample))
    # Warp's text names a generated file as a build does, whose working folder has `results`.
    with contextlib.chdir(folder if sample.source is None else Path()):
        ir = build_ir(
            kernels.absolute() if sample.source else kernels.relative_to(folder),
            category=sample.category,
            seed=sample.seed,
            device="cuda",
            seconds=SECONDS,
            samples={sample.sample_id},
        )
    write_json(ir_file, ir)
    ir = as_read(ir)
    expected = make_reference(
        str(kernels), ir_file, sample.sizes, sample.input_seeds, SECONDS, headers=tools.headers
    )
    store.write(reference, expected)
    shard = translate_ir(ir)
    write_json(cuda.with_suffix(".json"), shard.index)
    write_shard(cuda, shard.text)
    for arch in sample.archs:
        ptx = build_ptx(shard.text, find_toolkit(tools.nvcc, tools.host_compiler, arch))
        write_json(results / f"ptx/{arch}/{name}.json", ptx.report)
        write_shard(results / f"ptx/{arch}/{name}.ptx", ptx.ptx)
    runs = run_shard_cpu(
        cuda, reference, compiler=tools.host_compiler, timeout=SECONDS, cpu_device=tools.cpu_device
    )
    write_json(results / f"runs/cpu/{name}.json", runs)
    return parts_in_results(results, sample.sample_id, sample.shard, sample.archs, ["cpu"])


def _kernels(sample: Recorded) -> str:
    """The kernels file, up to the sample: a kernel's names depend on those before it."""
    if sample.source is None:
        return generate(sample.category, sample.seed, sample.index + 1, sample.difficulty)
    spec = source_spec(sample.source)
    if not spec.source.path.is_file():
        raise UserError(f"{sample.sample_id}: its source {sample.source!r} is not a file here")
    return manifest_text(spec, sample.category)
