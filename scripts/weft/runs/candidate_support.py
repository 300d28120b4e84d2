"""What is CUDA, and cannot be run on the CPU device: a candidate that needs it is neither right nor wrong.

docs/formats/candidates.md has the list for readers.
"""

from __future__ import annotations

import re

_HEADERS = re.compile(
    r"(?:cub|thrust|cuda|nv|nvtx3|cutlass|cute)/.*|mma\.h|cuda_(?:fp[0-9]+|pipeline|awbarrier)\w*\.h"
    r"|cooperative_groups/memcpy_async\.h|cu(?:rand|blas|fft|solver|sparse|dnn)\w*\.h|helper_\w+\.h"
    r"|cuda_profiler_api\.h|nvrtc\.h|cuda_texture_types\.h|surface_\w+\.h"
)
_NAMES = re.compile(
    r"cuda(?:Graph|Stream\w*Capture|StreamAddCallback|StreamAttach|LaunchHostFunc|LaunchKernelEx|Launch(?:Config|Attr)"
    r"|MemPool|Mem(?:Import|Export|AllocNode|RangeGet|cpy(?:3D|Peer|2DFromArray|2DArray|Batch))|MallocFromPool"
    r"|Malloc3D|Malloc(?:Mipmapped)?Array|Extent|PitchedPtr|Pos|Surf|surface|Ipc|UserObject|External|Import"
    r"|Profiler|DeviceEnablePeer|DeviceDisablePeer|DeviceCanAccessPeer|DeviceGetP2P|HostRegister|HostUnregister"
    r"|HostGet|ArrayGet|FreeArray|FreeMipmapped|DeviceReset|Occupancy\w*Cluster|ChooseDevice|AccessPolicy"
    r"|Memcpy(?:2D)?(?:To|From)Array|MemcpyArray|Memset3D|DevAttr|Limit|Stream(?:Get|Set|Attr|Is|Copy)|Func(?:Attribute|Get|Set)"
    r"|Device(?:Get|Set)[A-Z]|MemRange|MemSet|MemDiscard|ResView|Shared|Ctx|InitDevice|GetChannel|GetDeviceFlags"
    r"|CreateSurface|DestroySurface|Occupancy(?:Available|\w+WithFlags)|DevP2P|GetDriverEntryPoint|Library|Kernel_t|KernelNode|Tex)\w*"
    r"|__vi?(?:add|b)?(?:min|max)3?_\w+|__(?:float|double|u?int|u?ll|u?short|u?char)2(?:half|bfloat16)_\w+"
    r"|__(?:half|bfloat16)2\w+|__h(?:add|sub|mul|fma|cmadd|max|min|b?(?:eq|ne|l[te]|g[te])u?)2?(?:_\w+)?"
    r"|__cvta_\w+|__is(?:Shared|Global|Constant|Local|GridConstant)|__tanhf|__fmaf_ieee_r[nzud]|__pm[0-3]|__brkpt"
    r"|__barrier_sync\w*|__nv_\w+|__low2\w+|__high2\w+|__lows2\w+|__highs2\w+"
    r"|make_cuda\w+|cu[A-Z]\w+|CU[a-z]\w+|CU_\w+|__pipeline_\w+|__nv_fp[0-9]\w*|__cluster\w*|__mbarrier\w*|surf[12]D\w+"
    r"|tex(?:3D|Cubemap|1DLayered|2DLayered|2Dgather|2DLod)\w*|__prof_trigger|cyl_bessel_i[01]f?"
)
_MEMBER = re.compile(r"cooperative_groups::\w+.* has no member named '(\w+)'")
_OF_LIBRARY = re.compile(
    r"'(\w+)' (?:in namespace|is not a member of) '((?:cub|thrust|cuda|cooperative_groups|nvcuda)\b[^']*)'"
)
_QUOTED = re.compile(r"'(?:struct |class |enum )?([A-Za-z_][\w:]*)'")
_PTX = re.compile(r"\b[a-z]\w*(?:\.\w+)*\.(?:[usbf](?:8|16|32|64)(?:x2)?|pred|sync|async|cta|gpu|gl|sys)\b")
_ASSEMBLER = re.compile(r"\.(?:incbin|include|section|text|data|macro|pushsection)\b", re.IGNORECASE)


def header_of_gpus(header: str) -> bool:
    """Whether a header is one for GPUs that the CPU device lacks."""
    return _HEADERS.fullmatch(header) is not None


def missing_on_cpu(message: str) -> str | None:
    """The name of CUDA's that a compiler's message says is unknown, if the CPU device lacks that."""
    if member := _MEMBER.search(message):
        return f"{member[1]} of a group of threads"
    if lacking := _OF_LIBRARY.search(message):
        return f"{lacking[2]}::{lacking[1]}"
    if re.search(r"not declared|not been declared|does not name a type|no member|unknown type", message):
        return next((name for name in _QUOTED.findall(message) if _NAMES.fullmatch(name)), None)
    return None


def is_of_cuda(name: str) -> bool:
    """Whether a function is one of CUDA's that the CPU device lacks."""
    return _NAMES.fullmatch(name) is not None


def is_ptx(text: str) -> bool:
    """Whether the text of an `asm` statement has instructions of PTX, and no directives of an assembler."""
    return _PTX.search(text) is not None and _ASSEMBLER.search(text) is None
