"""Weft: Warp kernels written in Python, and the verified CUDA programs that compute the same.

`weft.translate(kernel)` gives the CUDA program of a live Warp kernel, `weft.call(program, arguments, dims=…)`
runs it on NumPy arrays; what they raise is here, too. All of it is imported when it is first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft.api import Program, call, translate
    from weft.errors import KernelError, UserError
    from weft.runs.call import CallError

__all__ = ["CallError", "KernelError", "Program", "UserError", "call", "translate"]

_HOMES = {
    "CallError": "weft.runs.call",
    "KernelError": "weft.errors",
    "Program": "weft.api",
    "UserError": "weft.errors",
    "call": "weft.api",
    "translate": "weft.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
