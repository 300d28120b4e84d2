"""Calls between device code and host code, which nvcc refuses and g++ cannot know of.

Functions with `__global__` or `__device__` come to a section of their own (include/weft_cpu/qualifiers.h),
lambdas within them do not. What is a kernel, and what is for the device alone, the text says.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from weft.runs.candidate_symbols import MATH
from weft.runs.candidate_text import names_of_headers
from weft.runs.device_reads import Places, source_name
from weft.runs.device_text import (
    classes_of_host,
    defined_functions,
    device_functions,
    kernel_names,
    without_words,
)
from weft.runs.elf import WEAK, Kind, Object, Symbol

_STD = re.compile(r"_ZN?K?St")
_OF_LIBRARIES = re.compile(
    r"_ZZ?N?K?(?:St|S[abisod]|9__gnu_cxx|8weft_(?:cpu|ptx)|18cooperative_groups|(?:3cub|4cuda|6thrust)8weft_cpu)|_Z(?:TW|GV)|\w+\d__(?:half|nv_bfl)"
)
_BY_MACROS = re.compile(
    r"make_\w+[1-4]|atomic[A-Z]\w+|__\w+|tex[12]D\w*"
    r"|h2?(?:exp|exp2|exp10|log|log2|log10|sin|cos|sqrt|rsqrt|rcp|trunc|floor|ceil|rint|tanh)"
)
"""Functions of the headers whose names macros make."""
_FOR_BOTH = re.compile(
    r"_ZN?K?St\d+(?:numeric_limits|array|pair|tuple|initializer_list|integral_constant|complex"
    r"|min|max|minmax|clamp|move|forward|get|make_pair|addressof|data|size|begin|end"
    r"|abs|is(?:nan|inf|finite|normal)|signbit|fpclassify|"
    + "|".join(f"{name}[fl]?" for name in MATH)
    + r")(?=[A-Z_]|[a-z]+$)"
)
"""What of the C++ library device code may call: mathematics, and what is constexpr."""
_IMPLICIT = re.compile(r"(?:[CD][0-5]E|aSE)")
"""Constructors, destructors and assignments, which classes have without a word."""
_CONSTRUCTOR = re.compile(r"C[1-5]E(?!RKS|OS)")
NO_DEVICE_FUNCTION = "is no __device__ function"
HEAP = "is for memory that the CPU device has not in kernels"
"""The problem of a call that a GPU could make."""
_EXCEPTIONS = frozenset({"__cxa_begin_catch", "__cxa_throw", "__cxa_rethrow"})
_HEAP = re.compile(r"malloc|free|_Zn[wa]m|_Zd[la]Pvm?")
_OF_C = frozenset(
    "abs labs llabs memcpy memset weft_cpu_memcpy weft_cpu_memset printf vprintf clock "
    "threadIdx blockIdx blockDim gridDim warpSize".split()
) | {name + suffix for name in MATH for suffix in ("", "f")}
"""What device code may use of C, and of CUDA by its plain name. The compiler's own names begin with `__`."""
_OF_CPP = re.compile(r"_ZN?K?S")
_THROWN = re.compile(r"_ZSt\d+__throw_\w+")
"""What constexpr functions of the C++ library call where they are used wrongly."""
_DEVICE_SECTION = ".text.hot"


@dataclasses.dataclass(frozen=True)
class WrongCall:
    """A function, the function that it calls (both mangled), and why it must not."""

    caller: str
    called: str
    problem: str


def wrong_calls(file: Object, text: str) -> Iterator[WrongCall]:
    """The wrong calls in an object file that was made from `text`, the program of a sample."""
    words = without_words(text)
    kernels, device_only, classes = kernel_names(words), device_functions(words), classes_of_host(words)
    defined = defined_functions(words)
    functions = [one for one in file.symbols if one.kind is Kind.FUNCTION and one.section]
    own = {one.name for one in functions if _is_own(one, defined)}
    places = Places(file, every_function=True)
    on_device = _device_names(file)
    for function in functions:
        if function.name in on_device:
            for used in places.used_by(function):
                if (problem := _problem_of_device(used, on_device, kernels, classes, own)) is not None:
                    yield WrongCall(function.name, used.name, problem)
        elif function.name in own:
            for used in places.used_by(function):
                if _is_in_device_section(used) and source_name(used.name) in device_only:
                    yield WrongCall(function.name, used.name, "is no __host__ function")


def _problem_of_device(
    used: Symbol, on_device: set[str], kernels: frozenset[str], classes: frozenset[str], own: set[str]
) -> str | None:
    if _HEAP.fullmatch(used.name):
        return HEAP
    if used.name in _EXCEPTIONS:
        return "is for exceptions, which device code has not"
    if not used.section:
        return None if _is_for_device(used.name) else NO_DEVICE_FUNCTION
    if used.kind is not Kind.FUNCTION:
        return None
    if used.name in on_device:
        return "is a kernel, which is launched" if source_name(used.name) in kernels else None
    of_library = _STD.match(used.name) and not _FOR_BOTH.match(used.name)
    is_written = _CONSTRUCTOR.search(used.name) and source_name(used.name) in classes
    is_own = used.name in own and (is_written or not _IMPLICIT.search(used.name))
    return NO_DEVICE_FUNCTION if of_library or is_own else None


def _is_for_device(name: str) -> bool:
    """Whether device code may use a symbol that the file does not define."""
    if not name.startswith("_"):
        return name in _OF_C
    return not _OF_CPP.match(name) or bool(_FOR_BOTH.match(name) or _THROWN.match(name))


def _is_own(function: Symbol, defined: frozenset[str]) -> bool:
    """Whether the program itself defines it, not a header. What headers define is inline, and so weak; of two
    functions of one name, the program's and a header's, neither counts.
    """
    if _OF_LIBRARIES.match(function.name):
        return False
    if function.binding != WEAK or function.name.startswith("_ZZ"):
        return True
    name = source_name(function.name)
    if name == function.name:
        return name.startswith("_Z") and "operator" in defined
    scope = function.name[3:].lstrip("rVKRO") if function.name.startswith("_ZN") else function.name[2:]
    outermost = source_name(f"_Z{scope}")
    return name in defined and outermost not in names_of_headers() and not _BY_MACROS.fullmatch(name)


def _device_names(file: Object) -> set[str]:
    """Names of device functions. Lambdas within one are, too: their names begin with its."""
    functions = [one for one in file.symbols if one.kind is Kind.FUNCTION and one.section]
    names = {one.name for one in functions if _is_in_device_section(one)}
    for name in sorted((one.name for one in functions if one.name.startswith("_ZZ")), key=len):
        ends = (match.start() for match in re.finditer("E", name))
        if any(f"_{name[2:end]}" in names for end in ends):
            names.add(name)
    return names


def _is_in_device_section(symbol: Symbol) -> bool:
    return symbol.section_name.startswith(_DEVICE_SECTION)
