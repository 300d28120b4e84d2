"""Calls between device code and host code, which nvcc refuses and g++ cannot know of.

Functions with `__global__` or `__device__` come to a section of their own (include/weft_cpu/qualifiers.h),
lambdas within them do not. What is a kernel, and what is for the device alone, the text says.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from weft.runs.candidate_symbols import MATH
from weft.runs.device_reads import Places, source_name
from weft.runs.device_text import classes_of_host, device_functions, kernel_names, without_words
from weft.runs.elf import Kind, Object, Symbol

_OWN = re.compile(r"_ZZ?NK?(?:5s\d{4}|6s\d{5})")
_STD = re.compile(r"_ZN?K?St")
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
_EXCEPTIONS = frozenset({"__cxa_begin_catch", "__cxa_throw", "__cxa_rethrow"})
_HEAP = re.compile(r"malloc|calloc|realloc|free|_Zn[wa]m|_Zd[la]Pvm?")
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
    places = Places(file, every_function=True)
    on_device = _device_names(file)
    for function in file.symbols:
        if function.kind is not Kind.FUNCTION or not function.section:
            continue
        if function.name in on_device:
            for used in places.used_by(function):
                if (problem := _problem_of_device(used, on_device, kernels, classes)) is not None:
                    yield WrongCall(function.name, used.name, problem)
        elif _OWN.match(function.name):
            for used in places.used_by(function):
                if _is_in_device_section(used) and source_name(used.name) in device_only:
                    yield WrongCall(function.name, used.name, "is no __host__ function")


def _problem_of_device(
    used: Symbol, on_device: set[str], kernels: frozenset[str], classes: frozenset[str]
) -> str | None:
    if _HEAP.fullmatch(used.name):
        return "is for memory that the CPU device has not in kernels"
    if used.name in _EXCEPTIONS:
        return "is for exceptions, which device code has not"
    if used.kind is not Kind.FUNCTION:
        return None
    if used.name in on_device:
        return "is a kernel, which is launched" if source_name(used.name) in kernels else None
    of_library = _STD.match(used.name) and not _FOR_BOTH.match(used.name)
    is_written = _CONSTRUCTOR.search(used.name) and source_name(used.name) in classes
    own = _OWN.match(used.name) and (is_written or not _IMPLICIT.search(used.name))
    return "is no __device__ function" if of_library or own else None


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
