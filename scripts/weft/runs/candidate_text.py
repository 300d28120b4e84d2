"""What a candidate's text may hold: CUDA C++ without the words by which it would reach beyond its kernels.

The text is preprocessed without any header; the result is looked at, and the very same text is compiled. So
no macro can make a word that was not seen.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from pathlib import Path

from weft.runs.candidate_ptx import PtxError, asm_statements, in_cpp
from weft.runs.candidate_support import header_of_gpus, is_of_cuda, is_ptx
from weft.runs.device_text import end_of_brackets, without_words

HEADERS = frozenset(
    "cuda_runtime.h cuda_runtime_api.h cuda_fp16.h cuda_bf16.h device_launch_parameters.h math_constants.h "
    "cooperative_groups.h cooperative_groups/reduce.h cooperative_groups/scan.h "
    "vector_types.h vector_functions.h "
    "algorithm any array atomic bitset cassert cctype cerrno cfloat charconv chrono cinttypes climits cmath "
    "complex condition_variable cstdarg cstddef cstdint cstdio cstdlib cstring ctime deque exception "
    "filesystem forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream "
    "iterator limits list locale map memory mutex new numeric optional ostream queue random ratio regex set "
    "shared_mutex sstream stack stdexcept string string_view system_error thread tuple type_traits typeindex "
    "typeinfo unordered_map unordered_set utility valarray variant vector "
    "assert.h ctype.h errno.h float.h inttypes.h limits.h math.h stdbool.h stddef.h stdint.h stdio.h "
    "stdlib.h string.h sys/time.h sys/types.h time.h unistd.h".split()
)
"""What they declare may be linked only where weft.runs.candidate_symbols allows it."""
ABSENT_HEADERS = frozenset(
    "cuda.h device_functions.h math_functions.h device_atomic_functions.h driver_types.h device_types.h "
    "builtin_types.h host_defines.h texture_types.h sm_20_atomic_functions.h sm_20_intrinsics.h "
    "sm_30_intrinsics.h sm_32_atomic_functions.h sm_32_intrinsics.h sm_35_atomic_functions.h "
    "sm_35_intrinsics.h sm_60_atomic_functions.h sm_61_intrinsics.h".split()
)
"""Allowed, and left out: what kernels use of them is there without."""
_CUB = (
    "cub.cuh block/block_reduce.cuh block/block_scan.cuh block/block_load.cuh block/block_store.cuh "
    "warp/warp_reduce.cuh warp/warp_scan.cuh thread/thread_operators.cuh "
    "device/device_reduce.cuh device/device_segmented_reduce.cuh device/device_scan.cuh "
    "device/device_select.cuh"
).split()
_LIBCUDACXX = (
    "atomic functional cmath std/algorithm std/atomic std/array std/cmath std/cstddef std/cstdint "
    "std/functional std/limits std/tuple std/type_traits std/utility"
).split()
_THRUST = (
    "reduce transform_reduce inner_product count extrema for_each transform fill sequence copy scan sort "
    "device_ptr device_vector execution_policy functional system/cuda/execution_policy "
    "iterator/counting_iterator iterator/transform_iterator"
).split()
_ASYNC_COPIES = (
    "cuda_pipeline.h cuda_pipeline_primitives.h cooperative_groups/memcpy_async.h cuda/pipeline cuda/barrier"
).split()
STAND_INS = {f"cub/{name}": "weft_cpu/cub.h" for name in _CUB} | {
    f"cuda/{name}": "weft_cpu/libcudacxx.h" for name in _LIBCUDACXX
}
STAND_INS |= {f"thrust/{name}.h": "weft_cpu/thrust.h" for name in _THRUST}
STAND_INS |= dict.fromkeys(_ASYNC_COPIES, "weft_cpu/async_copies.h")
"""Headers of CUDA's libraries, and what there is of them on the CPU device."""
MOST_BYTES = 1 << 20
MOST_WORDS = 1000
"""Of each word that is rewritten: what has more means to hold up its judge."""
NAME = "candidate.cu"

_INCLUDE = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]*)[>\"][ \t]*(?:/\*(?:[^*\n]|\*(?!/))*\*/[ \t]*)*(?://[^\n]*)?$",
    re.MULTILINE,
)
_ASM_NAME = "weft_asm"
_LINKAGE = re.compile(r'\bextern\s*"C(?:\+\+)?"\s*')
_MARKER = re.compile(r'# (\d+) "([^"\n]*)"[ \d]*$')
_MACRO = re.compile(r"#\s*(?:define|undef)\s+(\w+)")
_PRAGMA = re.compile(r"#\s*pragma\s+(?:unroll\b|once\b|nv_)")
_DIAGNOSTIC = re.compile(r"#\s*pragma\s+GCC\s+diagnostic\b")
"""Left out, as we read some warnings."""
_ATTRIBUTE = re.compile(
    r"__attribute__\s*\(\(\s*(?:noinline|always_inline|unused|aligned\s*(?P<aligned>\(\s*\w+\s*\)))\s*\)\)"
)
"""Left out, as they change no result, or written as CUDA does."""
_COMMENT = r"/\*(?:[^*]|\*(?!/))*\*/"
_BLANK = rf"(?:\s|//[^\n]*\n|{_COMMENT})"
# Python before 3.11.5 takes possessive quantifiers of groups wrongly (gh-106052).
_GUARD = re.compile(
    rf"(?:{_BLANK}|\#[ \t]*pragma[ \t]+once\b)*"
    rf"(?P<lines>\#[ \t]*ifndef[ \t]+(?P<name>\w+_(?:CUH?|HP?P?)_*){_BLANK}+"
    r"\#[ \t]*define[ \t]+(?P=name)[ \t]*)(?=\n|//)"
)
_GUARD_END = re.compile(rf"[ \t]*#[ \t]*endif[ \t]*(?://.*|{_COMMENT})?")
_TOKEN = re.compile(
    r"""
    ^[ \t]*(?P<directive>\#[^\n]*)
  | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
  | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)*'  # strings and characters
  | \.?[0-9](?:[eEpP][+-]|'?[\w.])*                                      # numbers: 1'000, 0x1p-3f
  | (?P<word>[A-Za-z_]\w*)
  | (?P<quote>["'])
  | (?P<line>\n)
""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_RESERVED = re.compile(r"__|_[A-Z]|.*(?:weft_|WEFT_)")
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:el)?if(?:n?def)?\b(.*)$", re.MULTILINE)
_CONDITIONS = frozenset(
    "__CUDACC__ __NVCC__ __CUDA_ARCH__ __CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__ __cplusplus "
    "__CUDACC_RTC__ __HIPCC__ __HIP_PLATFORM_AMD__ __HIP__ _WIN32 _WIN64 _MSC_VER __APPLE__ __linux__".split()
)
"""Macros that nvcc on Linux has, or lacks, as we do."""
_FORBIDDEN = frozenset({"asm", "gnu", "typeof"})
_OF_THE_HOST = frozenset({"thread_local", "typeid", "dynamic_cast"})
"""Words of C++ that nvcc takes in host code. The first is what `__shared__` is here."""
_ALWAYS_ALLOWED = frozenset(
    "__restrict__ __restrict __func__ __FUNCTION__ __PRETTY_FUNCTION__ __int128 __int128_t __uint128_t "
    "__CUDA_ARCH__ __inline__ __inline __volatile__ __const__ __signed__ __builtin_assume __builtin_expect "
    "__builtin_unreachable __builtin_assume_aligned".split()
)
_MADE_BY_MACROS = re.compile(
    r"__[fd](?:add|sub|mul|div|rcp|sqrt)_r[nzud]|__fmaf?_r[nzud]|__h(?:add|sub|mul|div)_rn"
    r"|__(?:float|double)2(?:u?int|u?ll)_r[nzud]|__(?:double|u?int|u?ll)2float_r[nzud]|__u?ll2double_r[nzud]"
    r"|__v[a-z]+[24]|__hb?(?:eq|ne|lt|le|gt|ge)2?"
)
"""CUDA's names that no header of the CPU device spells out."""
_OF_THE_COMPILER = re.compile(r"__(?:builtin_|attribute|asm|extension|volatile)")


class TextError(ValueError):
    """A text that no candidate may have; the message begins with its place."""


class UnsupportedError(ValueError):
    """A text of CUDA that the CPU device cannot run."""


@dataclasses.dataclass(frozen=True)
class Includes:
    """The headers that a text includes, and the text without these lines, line numbers kept."""

    headers: tuple[str, ...]
    rest: str


def take_includes(text: str) -> Includes:
    """Split off the `#include` lines. Raises TextError for a header that is not among HEADERS, and
    UnsupportedError for one of CUDA's.
    """
    if len(text.encode()) > MOST_BYTES:
        raise TextError(f"{NAME}: more than {MOST_BYTES} bytes")
    if "\0" in text:
        raise TextError(f"{NAME}: holds a zero byte")
    found = []
    for match in _INCLUDE.finditer(text):
        header = match[1].strip()
        if header not in HEADERS | ABSENT_HEADERS | STAND_INS.keys():
            line = text.count("\n", 0, match.start()) + 1
            if header_of_gpus(header):
                raise UnsupportedError(f"{NAME}:{line}: <{header}>")
            raise TextError(f"{NAME}:{line}: error: a candidate may not include <{header}>")
        header = STAND_INS.get(header, header)
        if header not in ABSENT_HEADERS and header not in found:
            found.append(header)
    rest = _without_guard(_INCLUDE.sub("", text))
    _check_conditions(rest)
    return Includes(tuple(found), rest)


def _without_guard(text: str) -> str:
    """The text without its guard against being included twice, if that is around all that it holds. Other
    uses of the guard's name are refused then, and so is its `#else`.
    """
    inside, _, last = text.rstrip().rpartition("\n")
    begin = _GUARD.match(inside)
    if begin is None or inside.endswith("\\") or not _GUARD_END.fullmatch(last):
        return text
    if not _RESERVED.match(begin["name"]) or _is_of_cuda(begin["name"]):
        return text
    lines = "\n" * begin["lines"].count("\n")
    return f"{inside[: begin.start('lines')]}{lines}{inside[begin.end() :]}\n"


def _check_conditions(text: str) -> None:
    """No part of a text may depend on who compiles it. Raises TextError."""
    spliced = text.replace("\\\n", "  ")
    for match in _CONDITION.finditer(re.sub(r"/\*.*?(?:\*/|\Z)", " ", spliced, flags=re.DOTALL)):
        for word in re.findall(r"\b[A-Za-z_]\w*", match[1].partition("//")[0]):
            if _RESERVED.match(word) and word not in _CONDITIONS:
                raise TextError(f"{NAME}: error: a candidate may not depend on '{word}'")


def checked(preprocessed: str) -> str:
    """What `g++ -E -dD` makes of a candidate, without the definitions of macros.

    Raises TextError, with the line of the candidate, for what a candidate may not hold.
    """
    file, line = "", 1
    has_begun = False
    kept: list[str] = []
    position = 0
    preprocessed, written = _without_asm(preprocessed)
    for token in _TOKEN.finditer(preprocessed):
        directive, word = token["directive"], token["word"]
        if directive is not None:
            marker, macro = _MARKER.match(directive), _MACRO.match(directive)
            if marker is not None:
                has_begun = has_begun or (marker[2] == NAME and file == "<command-line>")
                file, line = marker[2], int(marker[1]) - 1
                if file != NAME and (has_begun or not file.startswith("<")):
                    raise TextError(f"{NAME}: error: a candidate may not include {Path(file).name}")
            elif macro is not None:
                if file == NAME and _RESERVED.match(macro[1]):
                    raise TextError(f"{NAME}:{line}: error: a candidate may not define '{macro[1]}'")
                kept.append(preprocessed[position : token.start()])
                position = token.end()
            elif _DIAGNOSTIC.match(directive):
                kept.append(preprocessed[position : token.start()])
                position = token.end()
            elif not _PRAGMA.match(directive):
                raise TextError(f"{NAME}:{line}: error: a candidate may not have '{directive.strip()}'")
        elif word == "__managed__":
            raise UnsupportedError(f"{NAME}:{line}: managed variables")
        elif word in _OF_THE_HOST:
            raise UnsupportedError(f"{NAME}:{line}: '{word}'")
        elif word == "__attribute__" and (harmless := _ATTRIBUTE.match(preprocessed, token.start())):
            aligned = f"__align__{harmless['aligned']}" if harmless["aligned"] else ""
            kept += [preprocessed[position : token.start()], aligned, "\n" * harmless[0].count("\n")]
            position = harmless.end()
        elif word is not None and word not in written and not _is_allowed(word):
            if is_of_cuda(word):
                raise UnsupportedError(f"{NAME}:{line}: '{word}'")
            raise TextError(f"{NAME}:{line}: error: a candidate may not use '{word}'")
        elif token["quote"]:
            raise TextError(f"{NAME}:{line}: error: a quote without its other end")
        line += token[0].count("\n")
    text = _with_ptx(_without_linkage("".join(kept) + preprocessed[position:]), written)
    for word in ("<<<", "__launch_bounds__", "__shared__", "__device__", "__constant__"):
        if text.count(word) > MOST_WORDS:
            raise TextError(f"{NAME}: error: more than {MOST_WORDS} times '{word}'")
    return text


def _without_asm(text: str) -> tuple[str, dict[str, str]]:
    """The text with a call of some name, with all operands, for each `asm` statement of PTX, so that its
    words are looked at; and the C++ of each name.
    """
    if _ASM_NAME in text:
        raise TextError(f"{NAME}: error: a candidate may not use '{_ASM_NAME}'")
    parts: list[str] = []
    written: dict[str, str] = {}
    position = 0
    for start, end, inside in asm_statements(text):
        try:
            code = in_cpp(inside)
        except PtxError as error:
            if is_ptx(inside):
                raise UnsupportedError(f"{NAME}: inline PTX: {error}") from error
            continue
        name = f"{_ASM_NAME}{len(written)}"
        written[name] = code
        operands = re.sub(r'"(?:[^"\\\n]|\\.)*"|:', " ", inside)
        parts += [text[position:start], f"{name}({operands})"]
        position = end
    return "".join(parts) + text[position:], written


def _with_ptx(text: str, written: dict[str, str]) -> str:
    words = without_words(text) if written else ""
    parts: list[str] = []
    position = 0
    for name, code in written.items():
        start = words.index(f"{name}(", position)
        end = end_of_brackets(words, start + len(name))
        parts += [text[position:start], code, "\n" * text.count("\n", start, end)]
        position = end
    return "".join(parts) + text[position:]


def _without_linkage(text: str) -> str:
    """The text without `extern "C"`: a candidate is called from its own file, where names have parameters."""
    words = without_words(text)
    ends = {match.start(): match.end() for match in _LINKAGE.finditer(text)}
    ends = {start: end for start, end in ends.items() if words.startswith("extern", start)}
    if not ends:
        return text
    of_linkage = set(ends.values())
    characters = list(text)
    opened: list[bool] = []
    for brace in re.finditer(r"[{}]", words):
        if brace[0] == "{":
            opened.append(brace.start() in of_linkage)
        elif not opened or not opened.pop():
            continue
        if brace[0] == "}" or opened[-1]:
            characters[brace.start()] = " "
    for start, end in ends.items():
        characters[start:end] = re.sub(r"\S", " ", text[start:end])
    return "".join(characters)


def _is_allowed(word: str) -> bool:
    if word in _FORBIDDEN:
        return False
    return not _RESERVED.match(word) or word in _ALWAYS_ALLOWED or _is_of_cuda(word)


def _is_of_cuda(word: str) -> bool:
    return word in _names_of_cuda() or _MADE_BY_MACROS.fullmatch(word) is not None


@functools.cache
def names_of_headers() -> frozenset[str]:
    """The functions and classes of the CPU device's headers."""
    found = re.compile(r"\b(?:class|struct)\s+(?:alignas\([^()]*\)\s*)?(\w+)|\b(\w+)\(")
    return frozenset(match[1] or match[2] for text in _headers() for match in found.finditer(text))


@functools.cache
def _headers() -> tuple[str, ...]:
    """The texts of the CPU device's headers, without comments."""
    files = sorted((Path(__file__).parent / "include").rglob("*.h"))
    return tuple(re.sub(r"//[^\n]*", "", file.read_text()) for file in files)


@functools.cache
def _names_of_cuda() -> frozenset[str]:
    """The names with two underscores that the CPU device's headers have from CUDA."""
    words = {word for text in _headers() for word in re.findall(r"\b__[A-Za-z]\w*", text)}
    return frozenset(
        word for word in words if not _OF_THE_COMPILER.match(word) or word == "__builtin_align__"
    )
