"""Warp on the CPU, pinned: the only module of this stage that imports Warp.

What a kernel computes here must not depend on the machine and must equal plain IEEE arithmetic, as in
`g++ -O1 -fno-builtin -ffp-contract=off`. Warp's defaults don't give that: they compile for the host's
processor with fused multiply-add, and LLVM evaluates calls such as sinf(0.1f) itself, with results that
differ from glibc's.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import warp as wp

from weft.errors import KernelError

MODULE_OPTIONS = {
    "enable_backward": False,
    "fuse_fp": False,
    "fast_math": False,
    "mode": "release",
    # Compiling costs more than running: per kernel about 35 ms at level 0 against 90 ms at levels 1 and 2.
    # Without contraction the level does not change results, and level 0 exploits no undefined behaviour.
    "optimization_level": 0,
    "cpu_compiler_flags": "-ffp-contract=off -fno-builtin",
}
"""Options of every Warp module that holds kernels of a shard (warp.get_module_options)."""

_SHARD_MODULE = "weft_shard"


def start(folder: Path) -> None:
    """Initialise Warp without GPUs, with its caches in `folder`, a temporary folder of this job."""
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    tempfile.tempdir = str(folder)
    wp.config.kernel_cache_dir = str(folder / "kernel_cache")
    wp.config.log_level = wp.LOG_ERROR
    wp.config.enable_backward = False
    # A header is precompiled for those who compile more than one module. Here all kernels are in one.
    wp.config.use_precompiled_headers = False
    stderr = os.dup(2)
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)  # the missing CUDA driver is reported here, past Python's sys.stderr
        wp.init()
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(null)


def version() -> str:
    """Warp's version."""
    return str(wp.config.version)


def define(name: str, source: str, kernel_name: str, folder: Path) -> Any:
    """Execute a record's `python_source`, written to `folder`, and return its Warp kernel.

    All sources define into one Warp module, which compiles them together; Warp tells kernels, functions and
    structs of the same name apart by their content. Raises KernelError (`warp_error`) if it raises.
    """
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    module = ModuleType(_SHARD_MODULE)
    module.__file__ = str(path)
    sys.modules[_SHARD_MODULE] = module
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        raise KernelError(
            "warp_error", _without_folder(f"{type(error).__name__}: {error}", folder)
        ) from error
    kernel = getattr(module, kernel_name, None)
    if not isinstance(kernel, wp.Kernel):
        raise KernelError("warp_error", f"its Python source defines no kernel {kernel_name!r}")
    return kernel


def load(kernels: Sequence[Any], folder: Path) -> None:
    """Compile and load the modules of Warp kernels. Raises KernelError (`warp_error`) for all together."""
    for module in dict.fromkeys(kernel.module for kernel in kernels):
        module.options.update(MODULE_OPTIONS)
        try:
            loaded = module.load(wp.get_device("cpu"), block_dim=1)
        except Exception as error:
            raise KernelError("warp_error", _without_folder(str(error), folder)) from error
        if loaded is None:
            raise KernelError("warp_error", "Warp did not compile this kernel for the CPU")


def _without_folder(message: str, folder: Path) -> str:
    return message.replace(f"{folder}{os.sep}", "")


class Kernel:
    """A loaded kernel, and how to hand it native memory."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._types = [argument.type for argument in kernel.adj.args]

    def array(self, position: int, address: int, shape: tuple[int, ...], element_bytes: int) -> Any:
        """A Warp array over native memory. Raises KernelError if Warp's elements have another size."""
        array = wp.array(
            ptr=address, dtype=self._types[position].dtype, shape=shape, device="cpu", copy=False
        )
        if array.strides[-1] != element_bytes:
            raise KernelError(
                "warp_error",
                f"array elements of parameter {position} have {array.strides[-1]} bytes, not {element_bytes}",
            )
        return array

    def value(self, position: int, native: npt.NDArray[np.uint8], scalar: Any) -> Any:
        """A by-value argument: structs and vectors from native bytes, scalars from the number `scalar`."""
        kind = self._types[position]
        if hasattr(kind, "ctype"):
            return _NativeStruct(kind.ctype.from_buffer_copy(native))
        if issubclass(kind, ctypes.Array):
            return kind.from_buffer_copy(native)
        return scalar

    def launch(self, dims: tuple[int, ...], arguments: Sequence[Any]) -> None:
        """Run all threads, one after the other. Raises KernelError for arguments that Warp refuses."""
        try:
            wp.launch(self._kernel, dim=dims, inputs=list(arguments), device="cpu")
        except Exception as error:
            raise KernelError("warp_error", str(error)) from error


class _NativeStruct:
    """A struct argument as Warp's launch takes it."""

    def __init__(self, native: ctypes.Structure) -> None:
        self._native = native

    def __ctype__(self) -> ctypes.Structure:
        return self._native
