"""Warp on the CPU, pinned: the only module of this stage that imports Warp.

What a kernel computes here must not depend on the machine and must equal plain IEEE arithmetic, as in
`g++ -O1 -fno-builtin -ffp-contract=off`. Warp's defaults don't promise that: they compile for the host's
processor, leave fused multiply-add to clang's default, and let LLVM evaluate calls such as sinf(0.1f) itself,
with results that differ from glibc's.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
    # The cheapest for compiling and running together: level 0 compiles a kernel in half the time but runs
    # loops four times as long, level 2 compiles longer. Without contraction the level changes no result.
    "optimization_level": 1,
    "cpu_compiler_flags": "-ffp-contract=off -fno-builtin",
}
"""Options of every Warp module that holds kernels of a shard (warp.get_module_options)."""


@contextmanager
def _stderr_to(path: Path) -> Iterator[None]:
    """Let whatever native code writes to standard error go to a file, past Python's sys.stderr."""
    saved = os.dup(2)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        os.dup2(file, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(file)


def start(folder: Path) -> None:
    """Initialise Warp without GPUs, with its caches in `folder`, a temporary folder of this job."""
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    wp.config.kernel_cache_dir = str(folder / "kernel_cache")
    wp.config.log_level = wp.LOG_ERROR
    wp.config.enable_backward = False
    with _stderr_to(folder / "init.log"):  # where it says that there is no CUDA driver
        wp.init()


def version() -> str:
    """Warp's version."""
    return str(wp.config.version)


def define(name: str, source: str, kernel_name: str, module_name: str, folder: Path) -> Any:
    """Execute a record's `python_source`, written to `folder`, and return its Warp kernel.

    Warp compiles together what is defined under one `module_name`; it tells kernels, functions and structs of
    the same name apart by their content. Raises KernelError (`warp_error`) if the source raises.
    """
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    module = ModuleType(module_name)
    module.__file__ = str(path)
    sys.modules[module_name] = module
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        raise KernelError("warp_error", _message(error, folder)) from error
    kernel = getattr(module, kernel_name, None)
    if not isinstance(kernel, wp.Kernel):
        raise KernelError("warp_error", f"its Python source defines no kernel {kernel_name!r}")
    if not kernel.is_generic:
        return kernel
    overloads = list(kernel.overloads.values())
    if len(overloads) != 1:
        raise KernelError(
            "warp_error",
            f"its Python source makes {len(overloads)} kernels of generic {kernel_name!r}, not one",
        )
    return overloads[0]


def load(kernels: Sequence[Any], folder: Path, *, precompile_header: bool) -> None:
    """Compile and load the modules of Warp kernels. Raises KernelError (`warp_error`) for all together.

    Parsing Warp's header takes 1.7 s; precompiling it takes 2.9 s, which pays from the second module on.
    """
    wp.config.use_precompiled_headers = precompile_header
    log = folder / "compile.log"
    for module in dict.fromkeys(kernel.module for kernel in kernels):
        module.options.update(MODULE_OPTIONS)
        try:
            with _stderr_to(log):
                loaded = module.load(wp.get_device("cpu"), block_dim=1)
        except Exception as error:
            said = re.search(r"error: (.*)", log.read_text(encoding="utf-8", errors="replace"))
            message = _message(error, folder) + (f": {said[1]}" if said else "")
            raise KernelError("warp_error", message) from error
        if loaded is None:
            raise KernelError("warp_error", "Warp did not compile this kernel for the CPU")


def _message(error: BaseException, folder: Path) -> str:
    """The error's text without this job's folder, so that rejects are the same everywhere."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    return f"{type(error).__name__}: {text}".replace(f"{folder}{os.sep}", "")


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
