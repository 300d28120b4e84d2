"""From what Warp made of a kernel to its record (docs/formats/ir.md)."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from typing import Any

from weft.errors import KernelError
from weft.ir.user_module import place_in
from weft.ir.warp_inside import Call, Capture, Expression, Function


def function_record(function: Function, display: Callable[[str], str]) -> dict[str, Any]:
    """The function record of a function or of the kernel. Raises KernelError for a node of two types."""
    recording = function.recording
    if recording.conflicts:
        line, column = recording.conflicts[0][:2]
        raise KernelError(
            "unsupported",
            "this expression has another type in another iteration of an unrolled loop",
            place_in(function.filename, function.line + line - 1, function.column + column, display),
        )
    types: list[str] = []
    record: dict[str, Any] = {
        "key": function.key,
        "name": function.name,
        "doc": ast.get_docstring(function.tree) or "",
        "source": function.source,
        "file": display(function.filename),
        "line": function.line,
        "column": function.column,
        "parameters": _named(function.parameters),
        "defaults": function.defaults,
        "result": function.result,
        "types": types,
        "expressions": [
            [*where, *_typed(types, expression, recording.static_values.get(where, []))]
            for where, expression in sorted(recording.expressions.items())
        ],
        "calls": [[*where, _callee(call)] for where, call in sorted(recording.calls.items())],
    }
    if function.native_snippet is not None:
        record["native_snippet"] = function.native_snippet
    return record


def _named(pairs: list[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "type": text} for name, text in pairs]


def _typed(types: list[str], expression: Expression, iterations: list[Any]) -> list[Any]:
    index = None
    if expression.type is not None:
        if expression.type not in types:
            types.append(expression.type)
        index = types.index(expression.type)
    if not expression.known and len(iterations) > 1:
        return [index, {"iterations": iterations}]
    return [index, expression.value] if expression.known else [index]


def _callee(call: Call) -> dict[str, Any]:
    if call.kind != "builtin":
        return {call.kind: call.name}
    callee: dict[str, Any] = {"builtin": call.name, "arguments": list(call.arguments), "result": call.result}
    if call.applied is not None:
        callee["applied"] = _callee(call.applied)
    return callee if call.names is None else callee | {"names": list(call.names)}


def description(doc: str, name: str) -> str:
    """The first sentence of a docstring; without one, the kernel's name in words."""
    paragraph = " ".join(doc.split("\n\n")[0].split())
    sentence = paragraph.split(". ")[0].rstrip(".")
    return f"{sentence}." if sentence else f"{name.replace('_', ' ').strip().capitalize()}."


def kernel_record(capture: Capture, display: Callable[[str], str]) -> dict[str, Any]:
    """The part of a record that comes from the captured kernel. Raises KernelError."""
    kernel = function_record(capture.kernel, display)
    return {
        "description": description(kernel["doc"], capture.kernel.name),
        "cuda_forward": capture.texts.cuda_forward,
        "cuda_backward": capture.texts.cuda_backward,
        "cpp_forward": capture.texts.cpp_forward,
        "cpp_backward": capture.texts.cpp_backward,
        "signature": kernel["parameters"],
        "structs": [
            {
                "name": struct.name,
                "doc": textwrap.dedent(struct.doc).strip(),
                "fields": _named(struct.fields),
            }
            for struct in capture.structs
        ],
        "functions": [function_record(function, display) for function in capture.functions],
        "kernel": kernel,
    }
