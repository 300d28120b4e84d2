"""How helper functions are written: small pieces of C++ from types."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence

from weft.cuda.c_types import HALVES, c_type, component_names, is_cuda_vector
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector

WIDTH = 110

Request = tuple[str, tuple[Type, ...]]


@dataclasses.dataclass(frozen=True)
class Helper:
    """A helper function's text, the helpers that it calls, headers, and further types that it names."""

    text: str
    needs: tuple[Request, ...] = ()
    includes: tuple[str, ...] = ()
    types: tuple[Type, ...] = ()


_DEFINITION = re.compile(r"^__device__ [^(;=]*?[\s&*](\w+)\(", re.MULTILINE)


def defined_names(helpers: Iterable[Helper]) -> set[str]:
    """The functions that helpers define."""
    return {name for helper in helpers for name in _DEFINITION.findall(helper.text)}


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A helper's text with other names for the functions that it defines and calls."""
    for name, other in names.items():
        text = re.sub(rf"(?<![\w.]){name}(?=\()", other, text)
    return text


def scalar_of(type: Type) -> Scalar:
    """The scalar that a value of `type` is made of."""
    match type:
        case Scalar():
            return type
        case Vector(scalar=scalar) | Matrix(scalar=scalar) | Quaternion(scalar) | Transform(scalar):
            return scalar
        case _:
            raise ValueError(f"{type} has no components")


def number(value: int, scalar: Scalar) -> str:
    """A small whole number as a literal of `scalar`."""
    if scalar.name == "float32":
        return f"{value}.0f"
    if scalar.name == "float64":
        return f"{value}.0"
    if scalar.name in HALVES:
        return f"{c_type(scalar)}({value}.0f)"
    return f"{value}u" if scalar.name == "uint32" else str(value)


def decimal(text: str, scalar: Scalar) -> str:
    """A decimal literal of a float type."""
    if scalar.name in HALVES:
        return f"{c_type(scalar)}({text}f)"
    return f"{text}f" if scalar.name == "float32" else text


def math_function(name: str, scalar: Scalar) -> str:
    """C's name of a function for `scalar`: `sqrtf` for float, `sqrt` for double.

    Of halves, CUDA has few (`__hmin`): see `math_call`.
    """
    if scalar.name in HALVES:
        return HALF_FUNCTIONS[name]
    if name == "isnan":
        return name
    return f"{name}f" if scalar.name == "float32" else name


def math_call(name: str, scalar: Scalar, *arguments: str) -> str:
    """A call of C's function for `scalar`; of halves, it is computed in float and rounded."""
    if scalar.name in HALVES and name not in HALF_FUNCTIONS:
        given = ", ".join(f"float({argument})" for argument in arguments)
        return f"{c_type(scalar)}({name}f({given}))"
    return f"{math_function(name, scalar)}({', '.join(arguments)})"


HALF_FUNCTIONS = {"fmin": "__hmin", "fmax": "__hmax", "fabs": "__habs", "isnan": "__hisnan"}
"""Functions that CUDA has for 16-bit floats, by the name of C's for double."""


def passed(type: Type) -> str:
    """How a parameter of `type` is declared: matrices by reference, the rest by value."""
    if isinstance(type, Matrix | Transform) or (isinstance(type, Vector) and type.length > 4):
        return f"const {c_type(type)}&"
    return c_type(type)


def parts(name: str, type: Type) -> list[str]:
    """The components of the value `name`."""
    if isinstance(type, Scalar):
        return [name]
    return [name + member for member in component_names(type)]


def narrow(text: str, scalar: Scalar) -> str:
    """C++ computes small integers as `int`; give the result its type back."""
    return f"{c_type(scalar)}({text})" if scalar.bytes < 4 and scalar.is_integer else text


def construct(type: Type, components: Sequence[str]) -> str:
    """A value of `type` from the text of its components."""
    if is_cuda_vector(type):
        return f"make_{c_type(type)}({', '.join(components)})"
    match type:
        case Transform(scalar):
            p, q = construct(Vector(3, scalar), components[:3]), construct(Quaternion(scalar), components[3:])
            return f"{c_type(type)}{{{p}, {q}}}"
        case Matrix(rows=rows, columns=columns):
            lines = [", ".join(components[i * columns : (i + 1) * columns]) for i in range(rows)]
            return f"{c_type(type)}{{{{{', '.join(f'{{{line}}}' for line in lines)}}}}}"
        case Vector(length=length) if not 2 <= length <= 4:
            return f"{c_type(type)}{{{{{', '.join(components)}}}}}"
        case _:
            return f"{c_type(type)}{{{', '.join(components)}}}"


def function(
    result: str, name: str, parameters: Sequence[tuple[str, str]], body: Sequence[str], comment: str = ""
) -> str:
    """A device function: on one line if its body is one statement and fits."""
    head = f"__device__ inline {result} {name}({', '.join(f'{t} {n}' for t, n in parameters)})"
    if len(body) == 1 and len(head) + len(body[0]) + 5 <= WIDTH and "\n" not in body[0]:
        text = f"{head} {{ {body[0]} }}"
    else:
        text = "\n".join([f"{head} {{", *(f"    {line}" if line else "" for line in body), "}"])
    lines = textwrap.wrap(comment, WIDTH - 3, break_on_hyphens=False)
    return "\n".join([*(f"// {line}" for line in lines), text])


def returned(value: str, indent: int = 4) -> list[str]:
    """`return value;`, broken after commas of the outermost call where the line would be too long."""
    line = f"return {value};"
    if len(line) + indent <= WIDTH:
        return [line]
    opening = min(i for i in (value.find("("), value.find("{")) if i >= 0)
    head, inner, tail = value[: opening + 1], value[opening + 1 : -1], value[-1]
    pieces = split_arguments(inner)
    pad = " " * (len("return ") + len(head))
    lines, current = [], f"return {head}"
    for number_, piece in enumerate(pieces):
        text = piece + (", " if number_ + 1 < len(pieces) else f"{tail};")
        if len(current) + len(text.rstrip()) + indent > WIDTH and current.strip():
            lines.append(current.rstrip())
            current = pad
        current += text
    return [*lines, current.rstrip()]


def split_arguments(text: str) -> list[str]:
    """`text` split at the commas that stand outside of brackets."""
    pieces, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            pieces.append(text[start:position].strip())
            start = position + 1
    return [*pieces, text[start:].strip()]


def rows_loop(type: Matrix, statement: str) -> list[str]:
    """Loops over all elements `[i][j]` of a matrix."""
    return [
        f"for (int i = 0; i < {type.rows}; ++i) {{",
        f"    for (int j = 0; j < {type.columns}; ++j) {statement}",
        "}",
    ]
