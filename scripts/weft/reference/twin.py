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
from weft.types import SIGNIFICAND_BITS

_NARROW = re.compile(r"\bwp::(?:float32|float16|bfloat16)\b|\bwp::float\b(?=\()|(?<!:)\bfloat\b(?=[*>,]| &)")
_LITERAL = r"-?(?:\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+|\d+)"
_DECLARED = re.compile(
    r"^\s*(?:const )?wp::(float32|float16|bfloat16|float64) (var_\w+)(?: = |;|,|\))", re.MULTILINE
)
_SET = re.compile(rf"^(\s*(?:const wp::\w+ )?(var_\w+) = )({_LITERAL});$")

_PRELUDE = """\
inline double narrowed_float32(double x) { return double(wp::float32(x)); }
inline double narrowed_float16(double x) { return double(wp::float32(wp::float16(wp::float32(x)))); }
inline double randf(wp::uint32& state) { return double(wp::randf(state)); }
inline double randf(wp::uint32& state, double low, double high) { return (high - low) * randf(state) + low; }
"""
"""A cast to a narrower float means to round. Uniform random numbers are multiples of 2^-24 in both;
only what is made of them may be rounded."""

_FLOAT_MACROS = re.compile(r"(?<== )(-?(?:INFINITY|NAN))(?=;)")
_CAST = re.compile(r"^(\s*var_\w+ = )wp::(float|float32|float16)\((var_\w+)\);$")
_COMPUTED = re.compile(r"^\s*(var_\w+) = (?!wp::(?:load|copy|float|float16|bfloat16)\b)\w", re.MULTILINE)
_NARROW_VECTOR = re.compile(r"\bwp::\w+_t<(?:\d+, ?)*wp::(float16|bfloat16)>")

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
"""
"""A float32 that comes in or goes out unasked is an error: such a twin would be none."""

_OFF, _ON = "#pragma clang optimize off\n", "#pragma clang optimize on\n"
"""Around twins with tiles: optimized, they cost more to compile than is saved when they run."""
_TILE = re.compile(r"\bwp::tile_(?!shared_storage_t\b)")


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
    """A module's text followed by the twins of its kernels, which have the names that Warp mangles them to.

    `twins` has for each kernel with a twin the narrowest float type that it computes in; kernels in `exact`
    have no float narrower than a double, and are their own. `lines` has the kernel or function to whose
    twin a line belongs, by its number from 1.
    """

    text: str
    twins: Mapping[str, str]
    exact: frozenset[str]
    lines: Mapping[int, str]


def entry(name: str) -> str:
    """The symbol of a twin, called as Warp's `{name}_cpu_forward` is: with launch bounds and arguments."""
    return f"{name}_cpu_twin"


def with_twins(text: str, without: Collection[str] = ()) -> TwinText:
    """The forward text of a module for the CPU, with twins of the kernels that have one.

    There is none where no float is narrower than a double, where a builtin knows float32 only, or where the
    kernel or a function that it calls is named in `without`: those that did not compile.
    """
    kernels = [(match[1], match.start()) for match in _KERNEL.finditer(text)]
    if not kernels:
        return TwinText(text, {}, frozenset(), {})
    start = text.index("\n", text.index(_HEAD_ENDS)) + 1
    functions = [match.start() for match in _FUNCTION.finditer(text, start, kernels[0][1])]
    structs = text[start : functions[0] if functions else kernels[0][1]]
    ends = [*functions[1:], kernels[0][1]]
    overloads = [(_name(text[a:b]), text[a:b]) for a, b in zip(functions, ends, strict=False)]
    pieces: dict[str, str] = {}
    for name, piece in overloads:
        pieces[name] = pieces.get(name, "") + piece
    lost = set(without) | {name for name, piece in pieces.items() if _cannot(piece)}
    narrow: set[str] = set()
    for name, piece in overloads:  # a function stands behind those that it calls
        called = _called(piece, pieces)
        if called & lost:
            lost.add(name)
        if _NARROW.search(piece) or called & narrow:
            narrow.add(name)
    parts = [("", _STRICT + "namespace weft_twin {\n" + _PRELUDE + widened(structs))]
    # Overloads for floats of several widths may have become the same.
    parts += dict.fromkeys((name, _twin(piece)) for name, piece in overloads if name not in lost)
    twins: dict[str, str] = {}
    exact = set()
    for (name, begin), end in zip(kernels, [*(place for _, place in kernels[1:]), len(text)], strict=True):
        piece = text[begin:end]
        called = _called(piece, pieces)
        reached = _reached(called, pieces)
        if not _NARROW.search(piece) and not called & narrow:
            exact.add(name)
        elif name not in lost and not called & lost and not _cannot(piece):
            parts.append((name, _twin(piece)))
            twins[name] = min(
                ("float32", *map(_computed_in, [piece, *(pieces[one] for one in reached)])),
                key=SIGNIFICAND_BITS.__getitem__,
            )
    if not twins:
        return TwinText(text, {}, frozenset(exact), {})
    lines: dict[int, str] = {}
    line = text.count("\n") + 1
    for name, part in parts:
        length = part.count("\n")
        lines |= dict.fromkeys(range(line, line + length + 1), name) if name else {}
        line += length
    end_of_twins = "}\n#pragma clang diagnostic pop\n"
    whole = text + "".join(part for _, part in parts) + end_of_twins
    return TwinText(whole, twins, frozenset(exact), lines)


def unspecialised(text: str) -> str:
    """The text without the second form of each kernel that Warp adds for contiguous arrays.

    It computes the same, on addresses found in another way, and nearly doubles the time to compile.
    """
    return _SPECIALISED.sub("    ", text)


def wrong_lines(log: str) -> set[int]:
    """The lines of the text that clang's errors are about: where they are, or where what has them is used."""
    wrong: set[int] = set()
    erring = False
    for place in re.finditer(r"^(.*?):(\d+):\d+: (?:fatal )?(error|warning|note):", log, re.MULTILINE):
        erring = place[3] == "error" or (erring and place[3] == "note")
        if erring and place[1].endswith(".cpp"):
            wrong.add(int(place[2]))
    return wrong


def _name(function: str) -> str:
    found = _FUNCTION_NAME.search(function)
    return found[1] if found else ""


def _called(piece: str, names: Collection[str]) -> set[str]:
    return set(re.findall(r"\b(\w+)\(", piece)) & set(names)


def _reached(called: set[str], pieces: Mapping[str, str]) -> list[str]:
    """The functions that are called, at any depth."""
    found = sorted(called)
    for name in found:
        found += sorted(_called(pieces[name], pieces) - set(found))
    return found


def _computed_in(piece: str) -> str:
    """The narrowest type in which the text does more with floats than to load, store and convert them."""
    kinds = dict(_kinds(piece))
    computed = {kinds[name] for name in _COMPUTED.findall(piece) if name in kinds}
    narrowest: str = min(
        ("float64", *computed, *_NARROW_VECTOR.findall(piece)), key=SIGNIFICAND_BITS.__getitem__
    )
    return narrowest


def _kinds(text: str) -> list[tuple[str, str]]:
    """The float variables of a text, and their types."""
    return [(name, kind) for kind, name in _DECLARED.findall(text)]


def _narrowing(text: str) -> str:
    """The text with casts from a float type to a narrower one, which round in the twin too."""
    kinds = dict(_kinds(text))
    lines = []
    for line in text.split("\n"):
        cast = _CAST.match(line)
        if cast and cast[3] in kinds:
            target = "float32" if cast[2] == "float" else cast[2]
            if SIGNIFICAND_BITS[target] < SIGNIFICAND_BITS[kinds[cast[3]]]:
                line = f"{cast[1]}narrowed_{target}({cast[3]});"
        lines.append(line)
    return "\n".join(lines)


def _cannot(piece: str) -> bool:
    """Whether the text has a builtin without float64 form, or what a user wrote in C++."""
    return bool(_IN_SINGLE_PRECISION.search(piece)) or "static CUDA_CALLABLE" in piece


def _twin(piece: str) -> str:
    """The twin of a function or kernel; a kernel's has its own entry."""
    wide = _FLOAT_MACROS.sub(r"double(\1)", widened(_narrowing(piece)))
    wide = wide.replace("wp::randf(", "randf(").replace("_cpu_forward(\n", "_cpu_twin(\n")
    wide = unspecialised(wide)
    return f"{_OFF}{wide}{_ON}" if _TILE.search(piece) else wide


def widened_module(text: str) -> str:
    """A module's whole text, adjoints included, with float64 in place of every narrower float."""
    start = text.index("\n", text.index(_HEAD_ENDS)) + 1
    body = _ADJOINT_OF_CAST.sub("wp::adj_float64(", widened(text[start:]))
    body = _ADJOINT_OF_RANDOM.sub("", body).replace("wp::randf(", "weft_twin::randf(")
    return f"{text[:start]}{_STRICT}namespace weft_twin {{\n{_PRELUDE}}}\n{body}"


_ADJOINT_OF_RANDOM = re.compile(r"^ *wp::adj_randf\(.*\);\n", re.MULTILINE)
"""Nothing follows from it."""

_ADJOINT_OF_CAST = re.compile(r"\bwp::adj_(?:float|float32|float16|bfloat16)\(")


def can_widen(text: str) -> bool:
    """Whether a kernel's forward text, which holds no C++ of the user's, names only what knows float64."""
    return not _IN_SINGLE_PRECISION.search(text, text.index(_HEAD_ENDS))
