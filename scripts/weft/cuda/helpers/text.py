"""How helper functions are written: small pieces of C++ from types."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Mapping, Sequence

from weft.cuda.c_types import HALVES, c_type, component_names, is_cuda_vector
from weft.cuda.device_code import Section
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector

WIDTH = 110

Request = tuple[str, tuple[Type, ...]]


@dataclasses.dataclass(frozen=True)
class Helper:
    """A helper function, the helpers that it calls, headers, and further types that it names. `again` is its
    comment where it is called more than once, if that is another.
    """

    section: Section
    needs: tuple[Request, ...] = ()
    includes: tuple[str, ...] = ()
    types: tuple[Type, ...] = ()
    again: str = ""


def renamed(section: Section, names: Mapping[str, str]) -> Section:
    """A helper with other names for the functions that it defines and calls."""
    text = section.text
    for name, other in names.items():
        text = re.sub(rf"(?<![\w.]){name}(?=\()", other, text)
    return dataclasses.replace(section, name=names.get(section.name, section.name), text=text)


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
    """C's name of a function for `scalar`: `sqrtf` for float, `sqrt` for double, `min` for fmin of integers.

    Of halves, CUDA has few (`__hmin`): see `math_call`.
    """
    if scalar.is_integer:
        return name.removeprefix("f")
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


def construct(type: Type, components: Sequence[str], *, named: bool = True) -> str:
    """A value of `type` from the text of its components, in braces with or without the type's name."""
    if is_cuda_vector(type):
        return f"make_{c_type(type)}({', '.join(components)})"
    name = c_type(type) * named
    match type:
        case Transform(scalar):
            p, q = construct(Vector(3, scalar), components[:3]), construct(Quaternion(scalar), components[3:])
            return f"{name}{{{p}, {q}}}"
        case Matrix(rows=rows, columns=columns):
            lines = [", ".join(components[i * columns : (i + 1) * columns]) for i in range(rows)]
            return f"{name}{{{{{', '.join(f'{{{line}}}' for line in lines)}}}}}"
        case Vector(length=length) if not 2 <= length <= 4:
            return f"{name}{{{{{', '.join(components)}}}}}"
        case _:
            return f"{name}{{{', '.join(components)}}}"


_HEAD = re.compile(r"^__device__ inline \S+ (\S+?)\(([^)]*)\)", re.MULTILINE)


def helper(text: str, needs: Sequence[Request] = (), types: Sequence[Type] = ()) -> Helper:
    """The helper that a text defines, perhaps after a struct: on one line only if it fits."""
    if len(text) > WIDTH and "\n" not in text:
        text = text.replace("{ ", "{\n", 1)
    head = _HEAD.search(text)
    assert head is not None, f"no device function in {text}"
    name, parameters = head.groups()
    declared = [" ".join(one.split()).rpartition(" ")[0] for one in parameters.split(",") if one]
    code = re.sub(r"//.*", "", text)
    headers = {"<cstdint>": r"\bu?int\d+_t\b", "<cstdio>": r"\bprintf\("}
    includes = tuple(header for header, use in headers.items() if re.search(use, code))
    return Helper(Section("helper", name, text, types=tuple(declared)), tuple(needs), includes, tuple(types))


def define(
    head: str, body: Sequence[str], comment: str = "", needs: Sequence[Request] = (), struct: str = ""
) -> Helper:
    """A device function, after a struct of its own."""
    text = (" " if len(body) == 1 else "\n").join([f"__device__ inline {head} {{", *body, "}"])
    return helper("".join([f"{struct}\n\n" * bool(struct), lines_of(comment), text]), needs)


def lines_of(comment: str) -> str:
    """A comment in C++."""
    return "".join(f"// {line}\n" for line in textwrap.wrap(comment, WIDTH - 3, break_on_hyphens=False))


def giving(
    result: Type, head: str, components: Sequence[str], comment: str = "", needs: Sequence[Request] = ()
) -> Helper:
    """A device function that gives a value of `result` made of these components."""
    return define(f"{c_type(result)} {head}", [f"return {construct(result, components)};"], comment, needs)
