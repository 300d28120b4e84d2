"""What a stage cannot do without, alone and on the same kernels: CPU milliseconds on standard output.

    python -P benchmarks/limits.py codegen KERNELS.py                 # Warp's text of every kernel, twice
    python -P benchmarks/limits.py clang KERNELS.py IR.json FOLDER …  # on what `reference` gives clang
    python -P benchmarks/limits.py nvrtc IR.json SHARE                # on what `ir_check` gives NVRTC

Imports, and all else that a stage does, are not counted.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft.files import read_json


def milliseconds(work: Callable[[], object]) -> float:
    """CPU time of some work in this process."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def codegen(kernels: str) -> float:
    """Warp's own builder, once a device."""
    import warp as wp
    from warp._src import context

    from weft.ir.warp_inside.nvrtc import initialise

    initialise()  # products of tiles ask Warp's native library
    spec = importlib.util.spec_from_file_location("kernels", kernels)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernels"] = module
    spec.loader.exec_module(module)
    found = [kernel for kernel in vars(module).values() if isinstance(kernel, wp.Kernel)]

    own = {"output_arch": 90, "block_dim": 256, "enable_mathdx_gemm": False}  # as the ir stage has it

    def generate() -> None:
        for kernel in found:
            options = kernel.module.resolve_options(wp.config) | own
            kernel.adj.get_references()
            kernel.grid_stride = False
            alone = type(
                "Alone", (), {"unique_kernels": {b"": kernel}, "get_unique_kernels": lambda _, k=kernel: [k]}
            )()
            builder = context.ModuleBuilder(kernel.module, options, hasher=alone)
            for device in ("cuda", "cpu"):
                builder.codegen(device)

    return milliseconds(generate)


def clang(kernels: str, ir: str, *headers: str) -> float:
    """The sum of all calls of clang that the reference stage makes; they are made in children."""
    from warp._src import build

    from weft.reference.stage import make_reference

    original = build.build_cpu
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder) / "times"

        def timed(*arguments: Any, **options: Any) -> None:
            start = time.process_time()
            try:
                original(*arguments, **options)
            finally:
                with times.open("a") as file:
                    file.write(f"{time.process_time() - start}\n")

        build.build_cpu = timed
        make_reference(Path(kernels), Path(ir), [1], [0], 60.0, headers=[Path(one) for one in headers])
        return 1000 * sum(map(float, times.read_text().split()))


def nvrtc(ir: str, share: str) -> float:
    """NVRTC on the texts of a share of the records."""
    from weft.ir.warp_inside import begin, compile_ptx
    from weft.sampling import chosen

    records = [
        one for one in read_json(Path(ir))["records"] if chosen(one["sample_id"], float(share), "ir_check")
    ]
    kernels = [kernel for record in records for kernel in record.get("kernels", [record])]
    with tempfile.TemporaryDirectory() as folder:
        begin(Path(folder))
        compile_ptx('extern "C" __global__ void nothing() {}', 75, Path(folder))
        return milliseconds(
            lambda: [
                compile_ptx(one["cuda_forward"] + one["cuda_backward"], 75, Path(folder)) for one in kernels
            ]
        )


if __name__ == "__main__":
    limits: dict[str, Callable[..., float]] = {"codegen": codegen, "clang": clang, "nvrtc": nvrtc}
    print(limits[sys.argv[1]](*sys.argv[2:]))
