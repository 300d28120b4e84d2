"""The float64 twin of a kernel: the C++ text that Warp made of it, with every narrower float a double.

Where the two agree, rounding hardly matters; where they do not, the kernel's own result is mostly rounding.
The twin keeps the kernel's constants as the kernel rounds them, and its random numbers, so that nothing but
the precision of the arithmetic differs. Text in, text out: whoever compiles it gets the entry points that
`entry` names beside Warp's own, in the same object.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping

import numpy as np

from weft import bfloat16

_NARROW = re.compile(r"\bwp::(?:float32|float16|bfloat16)\b|\bwp::float\b(?=\()|(?<=<)float\b")
_LITERAL = r"-?(?:\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+|\d+)"
_DECLARED = re.compile(
    r"^\s*(?:const )?wp::(float32|float16|bfloat16|float64) (var_\w+)(?: = |;)", re.MULTILINE
)
_SET = re.compile(rf"^(\s*(?:const wp::\w+ )?(var_\w+) = )({_LITERAL});$")

_RANDOM = """\
inline double randf(wp::uint32& state) { return double(wp::randf(state)); }
inline double randf(wp::uint32& state, double low, double high) { return (high - low) * randf(state) + low; }
"""
"""Uniform random numbers are multiples of 2^-24 in both; only what is made of them may be rounded."""

_IN_SINGLE_PRECISION = re.compile(
    r"\bwp::(?:randn|sample_\w+|poisson|noise|pnoise|curlnoise|cast|tile_randf|texture_sample|volume_\w+|mesh_\w+"
    r"|bvh_\w+|hash_grid_\w+|closest_point_edge_edge)\b"
)
"""What computes in float32 whatever it is given, or looks at bits. The compiler finds what is missing."""

_HEAD_ENDS = "#define adj_int("
_FUNCTION = re.compile(r"^// .*:\d+\nstatic ", re.MULTILINE)
_KERNEL = re.compile(r"^struct wp_args_(\w+) \{", re.MULTILINE)
_FUNCTION_NAME = re.compile(r"^static [^\n(]*?(\w+)\($", re.MULTILINE)
_SPECIALISED = re.compile(
    r"^    const bool wp_linear_contiguous = [^\n]*\n    if \(wp_linear_contiguous\)\n[^\n]*\n    else\n    ",
    re.MULTILINE,
)

_STRICT = """
#pragma clang diagnostic push
#pragma clang diagnostic error "-Wdouble-promotion"
#pragma clang diagnostic error "-Wimplicit-float-conversion"
#pragma clang optimize off
"""
"""A float32 that comes in or goes out unasked is an error: such a twin would be none. Optimized, twins cost
five times as much to compile, and each runs only once a case."""


def widened(text: str) -> str:
    """Warp's C++ text with float64 for every narrower float; constants keep the value they are rounded to.

    Takes whole translation units and parts of them, forward or with adjoints, but declarations of variables
    must stand before what assigns numbers to them. Builtins that have no float64 form are left as they are:
    what Warp's headers then do with doubles is for the caller to find out (see `with_twins`).
    """
    kinds: dict[str, str] = {}
    lines = []
    for line in text.split("\n"):
        declared = _DECLARED.match(line)
        if declared:
            kinds[declared[2]] = declared[1]
        number = _SET.match(line)
        if number and kinds.get(number[2], "float64") != "float64" and "wp::int" not in number[1]:
            line = f"{number[1]}{_rounded(number[3], kinds[number[2]])};"
        lines.append(_NARROW.sub("wp::float64", line))
    return "\n".join(lines)


def _rounded(literal: str, kind: str) -> str:
    """The number that a variable of a float type holds."""
    value = np.float64(literal)
    if kind == "bfloat16":
        return repr(float(bfloat16.as_floats(bfloat16.to_bits(np.array([value])))[0]))
    return repr(float(value.astype(kind)))


@dataclasses.dataclass(frozen=True)
class TwinText:
    """A module's text followed by its twins: those of the kernels in `names` (as Warp mangles them).

    `lines` has, by number from 1, the kernel or function to whose twin a line belongs.
    """

    text: str
    names: tuple[str, ...]
    lines: Mapping[int, str]


def entry(name: str) -> str:
    """The symbol of a twin, called as Warp's `{name}_cpu_forward` is: with launch bounds and arguments."""
    return f"{name}_cpu_twin"


def with_twins(text: str, wanted: Collection[str], without: Collection[str] = ()) -> TwinText:
    """The forward text of a module for the CPU, with twins of the `wanted` kernels that have one.

    There is none where no float is narrower than a double, where a builtin knows float32 only, or where the
    kernel or a function that it calls is named in `without`: those that did not compile.
    """
    start = text.index("\n", text.index(_HEAD_ENDS)) + 1
    kernels = {match[1]: match.start() for match in _KERNEL.finditer(text)}
    if not kernels:
        return TwinText(text, (), {})
    ends = [*list(kernels.values())[1:], len(text)]
    first_kernel = min(kernels.values())
    functions = [match.start() for match in _FUNCTION.finditer(text, start, first_kernel)]
    pieces = [text[a:b] for a, b in zip(functions, [*functions[1:], first_kernel], strict=True)]
    names = [_FUNCTION_NAME.findall(piece)[0] for piece in pieces]
    structs = text[start : functions[0] if functions else first_kernel]
    lost = set(without) | {name for name, piece in zip(names, pieces, strict=True) if _cannot(piece)}
    narrow: set[str] = set()
    for name, piece in zip(names, pieces, strict=True):  # a function stands behind those that it calls
        called = _called(piece, names)
        if called & lost:
            lost.add(name)
        if _NARROW.search(piece) or called & narrow:
            narrow.add(name)
    parts = [("", _STRICT + "namespace weft_twin {\n" + _RANDOM + widened(structs))]
    parts += [(name, _twin(piece)) for name, piece in zip(names, pieces, strict=True) if name not in lost]
    twins = []
    for (name, begin), end in zip(kernels.items(), ends, strict=True):
        piece = text[begin:end]
        called = _called(piece, names)
        if name not in wanted or name in lost or called & lost or _cannot(piece):
            continue
        if _NARROW.search(piece) or called & narrow:
            parts.append((name, _twin(piece)))
            twins.append(name)
    if not twins:
        return TwinText(text, (), {})
    lines: dict[int, str] = {}
    line = text.count("\n") + 1
    for name, part in parts:
        length = part.count("\n")
        lines |= dict.fromkeys(range(line, line + length + 1), name) if name else {}
        line += length
    joined = (
        text
        + "".join(part for _, part in parts)
        + "}\n#pragma clang optimize on\n#pragma clang diagnostic pop\n"
    )
    return TwinText(joined, tuple(twins), lines)


def _called(piece: str, names: Collection[str]) -> set[str]:
    return set(re.findall(r"\b(\w+)\(", piece)) & set(names)


def _cannot(piece: str) -> bool:
    """Whether the text has a builtin without float64 form, or what a user wrote in C++."""
    return bool(_IN_SINGLE_PRECISION.search(piece)) or "static CUDA_CALLABLE" in piece


def _twin(piece: str) -> str:
    """The twin of a function or kernel; a kernel's has its own entry, and no form for contiguous arrays."""
    wide = widened(piece).replace("wp::randf(", "randf(").replace("_cpu_forward(\n", "_cpu_twin(\n")
    return _SPECIALISED.sub("    ", wide)
