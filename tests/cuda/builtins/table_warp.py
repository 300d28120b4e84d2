"""Run every kernel of a module by Warp on the CPU, with the inputs beside it: `table_warp.py MODULE`."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from pathlib import Path

import numpy as np
import warp as wp
from special_values import COUNT

from weft.reference.warp_cpu import load, start
from weft.runs.arrays import read_arrays


def main(path: Path) -> None:
    """Write NAME.npz with the output arrays of each kernel that has inputs NAME.in."""
    with tempfile.TemporaryDirectory(prefix="weft-table-warp-") as cache:
        start(Path(cache))
        spec = importlib.util.spec_from_file_location("table_module", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["table_module"] = module
        spec.loader.exec_module(module)
        names = [name for name in module.LAUNCH if isinstance(getattr(module, name), wp.Kernel)]
        load([(getattr(module, name), 1) for name in names], Path(cache), precompile_header=False)
        for name in names:
            _launch(getattr(module, name), module.LAUNCH[name], path.parent / name)


def _launch(kernel: wp.Kernel, launch: dict, stem: Path) -> None:
    given = read_arrays(stem.with_name(f"{stem.name}.in"), {})
    memory = {}
    arguments = []
    for argument in kernel.adj.args:
        dtype = argument.type.dtype
        array = given[argument.label]
        data = np.ascontiguousarray(array.elements).reshape(-1)
        memory[argument.label] = data = data.copy()
        arguments.append(
            wp.array(ptr=data.ctypes.data, dtype=dtype, shape=array.shape, device="cpu", copy=False)
        )
    wp.launch(kernel, dim=COUNT, inputs=arguments, device="cpu")
    np.savez(
        stem.with_name(f"{stem.name}.npz"),
        **{name: memory[name] for name, one in launch["parameters"].items() if one.get("role") == "out"},
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
