"""What stands before the kernel: constants, types, helpers and device functions."""

from __future__ import annotations

import inspect
import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence

from weft.cuda.c_types import HEADERS, LIMITS, c_type, is_cuda_vector
from weft.cuda.comments import harmless
from weft.cuda.contents import Contents
from weft.cuda.device_code import Section
from weft.cuda.helpers.text import Helper, Request
from weft.cuda.host_layout import Layout, layout
from weft.cuda.passes.rename import Names
from weft.cuda.printer import Printer
from weft.cuda.traverse import LEAVES
from weft.cuda.tree import Assign, Binary, Call, Expression, Literal, Statement, Unary
from weft.paragraphs import broken
from weft.types import (
    Array,
    Matrix,
    Quaternion,
    Scalar,
    Struct,
    Structs,
    Transform,
    Tuple,
    Type,
    Vector,
)

_Simple = Scalar | Array

_WIDTH = 107
_WIDEST_LOAD = 16
"""How many bytes a thread loads or stores by one instruction at most."""


def comment(text: str) -> str:
    """A docstring as a comment; '' for an empty one. Lines of a paragraph are joined and broken anew."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)) if text.strip() else []:
        parts = re.split(r"\n(?=\s|[-*+] |\d+[.)] )", paragraph)
        wrapped = [broken(" ".join(part.split()), _WIDTH) for part in parts]
        lines += [*([""] if lines else []), *(harmless(line) for part in wrapped for line in part)]
    return "".join(f"// {line}\n" if line else "//\n" for line in lines)


def helper_requests(functions: Iterable[Contents]) -> list[Request]:
    """The helpers that the functions use, operators of vectors and matrices included, in order of use."""
    requests: dict[Request, None] = {}
    for function in functions:
        for statement in function.statements:
            for request in _statement_requests(statement):
                requests[request] = None
        for expression in function.nodes:
            if expression.__class__ not in LEAVES:
                for request in _expression_requests(expression):
                    requests[request] = None
    return list(requests)


def _statement_requests(statement: Statement) -> list[Request]:
    if isinstance(statement, Assign) and statement.operator and not isinstance(statement.target.type, Scalar):
        return [(f"operator{statement.operator}=", (statement.target.type, statement.value.type))]
    return []


def _expression_requests(expression: Expression) -> list[Request]:
    match expression:
        case Call(helper=helper) if helper is not None:
            return [helper]
        case Binary(operator=operator, left=left, right=right):
            if not isinstance(left.type, _Simple) or not isinstance(right.type, _Simple):
                return [(f"operator{operator}", (left.type, right.type))]
        case Unary(operator=operator, operand=operand) if not isinstance(operand.type, _Simple):
            return [("negation" if operator == "-" else f"operator{operator}", (operand.type,))]
    return []


def own_types(
    functions: Iterable[Contents], structs: Structs, helpers: Mapping[Request, Helper]
) -> list[Type]:
    """Vectors, matrices, quaternions and transforms that need a struct of their own, parts first."""
    found: dict[Type, None] = {}

    def visit(type: Type | None) -> None:
        match type:
            case Array(element=element):
                visit(element)
            case Struct(name=name):
                for _, field in structs[name]:
                    visit(field)
            case Tuple(items=items):
                for item in items:
                    visit(item)
            case Transform(scalar=scalar):
                visit(Vector(3, scalar))
                visit(Quaternion(scalar))
                found[type] = None
            case Matrix() | Quaternion():
                found[type] = None
            case Vector() if not is_cuda_vector(type):
                found[type] = None

    for contents in functions:
        function = contents.function
        for _, kind in function.parameters:
            visit(kind)
        results = function.result if isinstance(function.result, tuple) else (function.result,)
        for result in results:
            visit(result)
        for kind in contents.types:
            visit(kind)
    for (_, types), helper in helpers.items():
        for kind in (*types, *helper.types):
            visit(kind)
    return list(found)


def own_type_sections(types: Sequence[Type], structs: Structs) -> list[Section]:
    """The definitions of types that need a struct of their own."""
    parts = {field for fields in structs.values() for _, field in fields}
    parts |= {Quaternion(one.scalar) for one in types if isinstance(one, Transform)}
    return [_own_type(one, "" if one in parts else alignment(layout(one, "", {}))) for one in types]


def alignment(struct: Layout) -> str:
    """How to declare a struct, so that a thread loads and stores as many of its bytes at once as its size
    allows; '' where its members see to that. It must not be a part of another struct, which Warp would not
    align.
    """
    widest = math.gcd(struct.bytes, _WIDEST_LOAD)
    return f"alignas({widest}) " if widest > struct.alignment else ""


def _own_type(type: Type, alignment: str) -> Section:
    """The definition of a struct that stands for a vector, matrix, quaternion or transform."""
    inner: tuple[Type, ...] = ()
    match type:
        case Vector(length, scalar) if 2 <= length <= 4:
            members = f"    {c_type(scalar)} {', '.join('xyzw'[:length])};\n"
        case Vector(length, scalar):
            members = f"    {c_type(scalar)} v[{length}];\n"
        case Matrix(rows, columns, scalar):
            members = f"    {c_type(scalar)} m[{rows}][{columns}];\n"
        case Quaternion(scalar):
            members = f"    {c_type(scalar)} x, y, z, w;\n"
        case Transform(scalar):
            inner = (Vector(3, scalar), Quaternion(scalar))
            members = f"    {c_type(inner[0])} p;\n    {c_type(inner[1])} q;\n"
        case _:
            raise ValueError(f"{type} needs no struct")
    needs = frozenset((c_type(kind), ()) for kind in inner)
    return Section("type", c_type(type), f"struct {alignment}{c_type(type)} {{\n{members}}};", needs=needs)


def user_struct(name: str, doc: str, fields: Iterable[tuple[str, str]], alignment: str = "") -> str:
    """The definition of a user's struct from C++ types and names of its members."""
    members = "".join(f"    {kind} {member};\n" for member, kind in fields)
    return f"{comment(doc)}struct {alignment}{name} {{\n{members}}};"


def constants(
    values: Mapping[str, Literal], functions: Iterable[Contents], names: Names, printer: Printer, source: str
) -> list[Section]:
    """The user's captured numbers that the functions name, with the comments that they have in the source."""
    used = set[str]().union(*(function.mentioned for function in functions))
    sections = []
    for of_user, one in values.items():
        if (name := names.constants[of_user]) in used:
            defined = f"constexpr {printer.type(one.type)} {name} = {printer.expression(one)};"
            sections.append(Section("constant", name, _remark(of_user, source) + defined))
    return sections


def _remark(constant: str, source: str) -> str:
    """The comment lines above the definition of a constant, or the comment behind it."""
    found = re.search(rf"((?:^#.*\n)*)^{constant} = [^#\n]*(#.*)?$", source, re.MULTILINE)
    lines = re.findall("# *(.*)", "".join(part or "" for part in found.groups())) if found else []
    return comment(" ".join(lines))


def includes(
    functions: Iterable[Contents], helpers: Iterable[Helper], types: Iterable[Type]
) -> frozenset[str]:
    """The headers that the device code needs."""
    found = {header for helper in helpers for header in helper.includes}
    names = {_scalar_name(kind) for kind in types}
    for contents in functions:
        names |= {_scalar_name(kind) for _, kind in contents.function.parameters}
        names |= {_scalar_name(kind) for kind in contents.types}
        if any(isinstance(node, Call) and node.function == "printf" for node in contents.nodes):
            found.add("<cstdio>")
        if not contents.mentioned.isdisjoint(itertools.chain(*LIMITS.values())):
            found.add("<climits>")
    found |= {HEADERS[name] for name in names if name in HEADERS}
    return frozenset(found)


def _scalar_name(type: Type) -> str:
    match type:
        case Scalar(name):
            return name
        case Vector(scalar=scalar) | Matrix(scalar=scalar) | Quaternion(scalar) | Transform(scalar):
            return scalar.name
        case Array(element=element):
            return _scalar_name(element)
        case _:
            return ""
