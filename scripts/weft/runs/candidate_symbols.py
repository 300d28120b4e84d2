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
    "weft_cpu_memcpy weft_cpu_memmove weft_cpu_memset memcmp memchr strlen strcmp strncmp "
    "strchr strrchr strstr strspn strcspn strpbrk strcpy strncpy strcat strncat "
    "abs labs llabs div malloc calloc realloc free qsort "
    "printf fprintf snprintf sprintf vprintf vfprintf vsnprintf puts fputs putchar fflush perror "
    "stdout stderr __popcountdi2 __divti3 __modti3 __udivti3 __umodti3 __floattisf __floattidf "
    "__floatuntisf __floatuntidf __fixsfti __fixdfti __fixunssfti __fixunsdfti "
    "exit abort __assert_fail threadIdx blockIdx blockDim gridDim warpSize "
    "_GLOBAL_OFFSET_TABLE_ _Unwind_Resume __gxx_personality_v0 __stack_chk_fail __dso_handle "
    "weft_candidate_memcpy weft_candidate_memcpy_2d weft_candidate_malloc weft_candidate_malloc_managed "
    "weft_candidate_malloc_pitch weft_candidate_steady weft_candidate_system weft_candidate_clock "
    "__ubsan_handle_out_of_bounds_abort __ubsan_handle_type_mismatch_v1_abort "
    "__ubsan_handle_missing_return".split()
) | {name + suffix for name in MATH for suffix in ("", "f")}

_CPP = re.compile(
    r"__tsan_\w+"
    r"|__cxa_(?:begin_catch|end_catch|rethrow|guard_\w+|atexit|pure_virtual|throw_bad_array_new_length"
    r"|throw|allocate_exception|free_exception)"
    r"|_Zn[wa]m|_Zd[la]Pvm?"  # new and delete
    r"|_ZSt\d+__throw_\w+"
    r"|_ZN?K?St7__cxx1112basic_string\w+"
    r"|_ZT[VIS]\w*St\w*|_ZTVN10__cxxabiv1\w+"
    r"|_ZSt11_Hash_bytesPKvmm|_ZSt\d+_Rb_tree_\w+|_ZNKSt8__detail20_Prime_rehash_policy\w+"
    r"|_ZNK?St\d+(?:runtime_error|logic_error|invalid_argument|out_of_range|exception|bad_alloc)\w+"
    r"|_ZSt(?:4cout|4cerr|4clog|ls\w+|4endl\w+|5flush\w+|16__ostream_insert\w+|9terminatev)"  # messages
    r"|_ZNK?S[ot]\w*(?:ls|9_M_insert|5flush|3put|5write|5widen|5clear|4init|8ios_base|9basic_ios)\w*"
    r"|_ZNSaIcE[CD][12]\w*|_ZNK?St7__cxx1119basic_ostringstream\w+|_ZNK?St7__cxx1118basic_stringstream\w+"
)
RENAMED = {
    "_Z10cudaMemcpyPvPKvm14cudaMemcpyKind": "weft_candidate_memcpy",
    "_Z12cudaMemcpy2DPvmPKvmmm14cudaMemcpyKind": "weft_candidate_memcpy_2d",
    "_Z10cudaMallocPPvm": "weft_candidate_malloc",
    "_Z17cudaMallocManagedPPvmj": "weft_candidate_malloc_managed",
    "_Z15cudaMallocPitchPPvPmmm": "weft_candidate_malloc_pitch",
    "_ZNSt6chrono3_V212steady_clock3nowEv": "weft_candidate_steady",
    "_ZNSt6chrono3_V212system_clock3nowEv": "weft_candidate_system",
    "clock": "weft_candidate_clock",
    "memset": "weft_cpu_memset",
    "memcpy": "weft_cpu_memcpy",
    "memmove": "weft_cpu_memmove",
}
"""What takes the place of functions of CUDA in a candidate (device/apart.cpp)."""
_CUDA = re.compile(r"_Z\d+cuda[A-Z]\w*|_Z\d+clock64v")
_REFUSED_CUDA = re.compile(r"_Z\d+cuda(?:Memcpy|Malloc(?!Host)|DeviceReset|FreeArray)")
_DEVICE = re.compile(
    r"_ZN8weft_cpu\d+(?:run|barrier|grid_barrier|exchange|sync_warp|fence|touch_atomically|lane|active_lanes|dynamic_shared"
    r"|register_symbol|fail|enqueue|give_later|give_now|check_copy|is_device|is_pinned|begin_own_stream|end_own_stream|fetch|check_launch_bounds|unset_byte"
    r"|copy_late|close_late_copies|finish_late_copies|check_instruction|lacking|touch_read_only|check_guess|settle_reads|undefined_width|rounded|rounded_float|rounded_double)E\w*"
)
"""What the headers of the CPU device call (include/weft_cpu)."""


def is_allowed(symbol: str) -> bool:
    """True if a candidate may use the symbol. Copies and allocations go through functions of `RENAMED`."""
    if symbol in _C or _CPP.fullmatch(symbol) or _DEVICE.fullmatch(symbol):
        return True
    return bool(_CUDA.fullmatch(symbol)) and not _REFUSED_CUDA.match(symbol)
