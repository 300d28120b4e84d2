"""The translator's tree as text, for reading what a pass did: one statement a line, blocks indented."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from weft.cuda.tree import Binary, Expression, Function, Literal, Name, Statement
from weft.intrinsics import Effect

_LEFT_OUT = ("node", "type")
_DEFAULTS: tuple[object, ...] = ("", None, False, [], Effect.NONE)


def dump(functions: Sequence[Function]) -> str:
    """All functions of a record. Not C++: every node under its own name, with its type and attributes."""
    lines: list[str] = []
    for function in functions:
        parameters = ", ".join(f"{name}: {kind}" for name, kind in function.parameters)
        lines.append(f"{'kernel' if function.kernel else 'function'} {function.name}({parameters})")
        lines += _block(function.body, 1)
        lines.append("")
    return "\n".join(lines)


def _block(statements: Sequence[Statement], depth: int) -> Iterator[str]:
    for statement in statements:
        attributes, inner = [], []
        for field in dataclasses.fields(statement):
            value = getattr(statement, field.name)
            if isinstance(value, list) and value and isinstance(value[0], Statement):
                inner.append((field.name, value))
            elif field.name not in _LEFT_OUT and value not in _DEFAULTS:
                attributes.append(f"{field.name}={_text(value)}")
        yield "    " * depth + " ".join([type(statement).__name__, *attributes])
        for name, block in inner:
            if len(inner) > 1:
                yield "    " * depth + f"  {name}:"
            yield from _block(block, depth + 1)


def _text(value: Any) -> str:
    match value:
        case Name(type=kind, name=name):
            return f"{name}:{kind}"
        case Literal(value=number):
            return repr(number)
        case Binary(operator=operator, left=left, right=right):
            return f"({_text(left)} {operator} {_text(right)})"
        case Expression(type=kind):
            attributes = [
                f"{field.name}={_text(inner)}"
                for field in dataclasses.fields(value)
                if field.name not in _LEFT_OUT and (inner := getattr(value, field.name)) not in _DEFAULTS
            ]
            return f"{type(value).__name__}:{kind}({', '.join(attributes)})"
        case list() | tuple():
            return f"[{', '.join(_text(item) for item in value)}]"
        case str():
            return repr(value)
        case _:
            return str(value)
