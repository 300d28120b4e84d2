"""The C++ text that Warp compiles for the CPU, and calling what a text has beside Warp's own entry points."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from warp._src import build, context

Attempt = Callable[[str], None]
"""Compiles a text to the object that Warp expects; raises if it does not compile."""


@contextmanager
def compiling_by(compile_text: Callable[[str, Attempt], None]) -> Iterator[None]:
    """Let `compile_text` compile each module for the CPU: it gets the text, and may try others."""
    original = build.build_cpu

    def build_cpu(obj_path: str, cpp_path: str, *arguments: Any, **options: Any) -> None:
        path = Path(cpp_path)
        text = path.read_text(encoding="utf-8")

        def attempt(other: str) -> None:
            path.write_text(other, encoding="utf-8")
            original(obj_path, cpp_path, *arguments, **options)

        compile_text(text, attempt)

    build.build_cpu = build_cpu
    try:
        yield
    finally:
        build.build_cpu = original


def keep_headers_in(folder: Path) -> None:
    """Let Warp look for precompiled headers in `folder`, and make there those that it lacks."""
    context.runtime.get_clang_pch_dir = lambda: str(folder)


def header_files(folder: Path, block_dim: int) -> list[Path]:
    """The precompiled headers in `folder` for modules of a block dimension."""
    return sorted(folder.glob(f"builtin_bd{block_dim}_*.pch"))


def forward_entry(name: str) -> str:
    """The symbol of a kernel's forward entry point, by its mangled name."""
    return f"{name}_cpu_forward"


def mangled_name(kernel: Any) -> str:
    """The name that a built kernel has in its module's text."""
    return str(kernel.get_mangled_name())


def address(loaded: Any, symbol: str) -> int:
    """Where a symbol of a loaded module (what `wp.Module.load` returns) is; 0 if there is none."""
    found: int = context.runtime.llvm.wp_lookup(loaded.handle.encode(), symbol.encode())
    return found


def call_entry(entry: int, kernel: Any, dims: tuple[int, ...], arguments: bytes) -> None:
    """Run all threads of a forward entry point; `arguments` are the bytes of its struct of arguments.

    Raises RuntimeError where the threads of a block went apart.
    """
    bounds = context._build_launch_bounds_from_tuple(dims, kernel.adj.kernel_dim)
    buffer = ctypes.create_string_buffer(arguments, max(len(arguments), 1))
    context.runtime.core.wp_take_cpu_block_error()
    ctypes.CFUNCTYPE(None)(entry)(ctypes.byref(bounds), buffer)
    error = context.runtime.core.wp_take_cpu_block_error()
    if error:
        raise RuntimeError(error.decode("utf-8", errors="replace"))
