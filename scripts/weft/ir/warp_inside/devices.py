"""Files that ask for a GPU when they are imported: they are read without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from warp._src import context


@contextmanager
def cpu_for_gpus() -> Iterator[None]:
    """Meanwhile, whoever asks Warp for a CUDA device by name gets the CPU.

    Kernels are the same on every device, but `wp.set_device("cuda:0")`, or an array made there, would end the
    import of a file that has them. The default device is what it was afterwards.
    """
    original = context.Runtime.get_device

    def get_device(runtime: Any, ident: Any = None) -> Any:
        if isinstance(ident, str) and ident.partition(":")[0] == "cuda":
            return runtime.cpu_device
        return original(runtime, ident)

    context.Runtime.get_device = get_device
    default = context.runtime.default_device if context.runtime is not None else None
    try:
        yield
    finally:
        context.Runtime.get_device = original
        if default is not None:
            context.runtime.default_device = default
