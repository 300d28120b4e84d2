"""Everything that Weft knows about the inside of Warp: the only package that touches its private API.

Warp types every expression while it generates code. `capture` builds one kernel and records, for each syntax
node that Warp evaluates, the type of the value that it stands for, its value where Warp knows one, and the
function that a call resolved to. Written against the version WARP_VERSION; any other is refused.
"""

from weft.ir.warp_inside.capture import (
    Capture,
    CodegenError,
    Function,
    Struct,
    capture,
    definition_of,
    instances_of,
)
from weft.ir.warp_inside.devices import cpu_for_gpus
from weft.ir.warp_inside.discovery import (
    Made,
    function_of,
    is_kernel,
    kernels_of,
    kernels_within,
    named,
    noting_kernels,
    replaced_kernels,
)
from weft.ir.warp_inside.nvrtc import CompileError, compile_ptx
from weft.ir.warp_inside.python_text import InexpressibleError
from weft.ir.warp_inside.recorder import Call, Expression, Span
from weft.ir.warp_inside.session import WARP_VERSION, begin
from weft.ir.warp_inside.standalone_source import standalone_source

__all__ = [
    "WARP_VERSION",
    "Call",
    "Capture",
    "CodegenError",
    "CompileError",
    "Expression",
    "Function",
    "InexpressibleError",
    "Made",
    "Span",
    "Struct",
    "begin",
    "capture",
    "compile_ptx",
    "cpu_for_gpus",
    "definition_of",
    "function_of",
    "instances_of",
    "is_kernel",
    "kernels_of",
    "kernels_within",
    "named",
    "noting_kernels",
    "replaced_kernels",
    "standalone_source",
]
