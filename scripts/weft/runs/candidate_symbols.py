"""What a compiled candidate may call: CUDA, mathematics, memory, messages. All else reaches too far."""

from __future__ import annotations

import re

MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim "
    "floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint "
    "lround modf nan nearbyint nextafter pow remainder remquo rint round scalbln scalbn sin sincos sinh sqrt "
    "tan tanh tgamma trunc j0 j1 jn y0 y1 yn"
).split()
_C = frozenset(
    "weft_cpu_memcpy weft_cpu_memmove weft_cpu_memset memcmp strlen strcmp abs labs llabs div "
    "printf fprintf puts putchar stdout stderr "
    "exit abort __assert_fail threadIdx blockIdx blockDim gridDim "
    "_GLOBAL_OFFSET_TABLE_ _Unwind_Resume __gxx_personality_v0 __stack_chk_fail __dso_handle "
    "weft_candidate_memcpy __ubsan_handle_out_of_bounds_abort __ubsan_handle_type_mismatch_v1_abort".split()
) | {name + suffix for name in MATH for suffix in ("", "f")}

_CPP = re.compile(
    r"__tsan_\w+"
    r"|__cxa_(?:begin_catch|end_catch|rethrow|guard_\w+|atexit|pure_virtual|throw_bad_array_new_length)"
    r"|_Zn[wa]m|_Zd[la]Pvm?"  # new and delete
    r"|_ZSt\d+__throw_\w+"
    r"|_ZN?K?St7__cxx1112basic_string\w+"
    r"|_ZT[VIS]\w*St\w*|_ZTVN10__cxxabiv1\w+"
    r"|_ZSt18_Rb_tree_\w+"
)
_CUDA = re.compile(r"_Z\d+cuda[A-Z]\w*|_Z\d+clock64v")
_REFUSED_CUDA = re.compile(
    r"_Z\d+cuda(?:Memcpy|MallocManaged|MallocHost|FreeHost|HostAlloc|DeviceReset|MallocArray|FreeArray)"
)
_DEVICE = re.compile(
    r"_ZN8weft_cpu\d+(?:run|barrier|exchange|sync_warp|fence|touch_atomically|lane|active_lanes|dynamic_shared"
    r"|register_symbol|fail|add_work|fetch|check_launch_bounds)E\w*"
)
"""What the headers of the CPU device call (include/weft_cpu)."""


def is_allowed(symbol: str) -> bool:
    """True if a candidate may use the symbol. Copies of memory go through `weft_candidate_memcpy`."""
    if symbol in _C or _CPP.fullmatch(symbol) or _DEVICE.fullmatch(symbol):
        return True
    return bool(_CUDA.fullmatch(symbol)) and not _REFUSED_CUDA.match(symbol)
