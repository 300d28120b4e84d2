"""Write a user's file in a test and read its IR."""

import ast
import textwrap
from pathlib import Path
from typing import Any

from weft.files import canonical_json
from weft.ir.build import build_ir
from weft.types import parse_type

HEADER = "import warp as wp\n\n"
FLOATS = "Floats = wp.array(dtype=float)\nInts = wp.array(dtype=int)\n"
"""Short names for arrays, for `defaults`."""
PLAIN = {"strides": [], "null": False, "memory": "global"}
"""What a launch says of an array that is nothing special."""


def ir_of(folder: Path, text: str, name: str = "kernels", **files: str) -> dict[str, Any]:
    """The IR of a file with this text; `files` are further modules beside it."""
    folder.mkdir(exist_ok=True, parents=True)
    for module, content in {**files, name: text}.items():
        body = textwrap.dedent(content).lstrip("\n")
        header = "" if body.startswith("from __future__") else HEADER
        (folder / f"{module}.py").write_text(header + body, encoding="utf-8")
    ir = build_ir(folder / f"{name}.py", category=name, seed=0, device="cuda")
    canonical_json(ir)
    return ir


def record_of(folder: Path, text: str, **files: str) -> dict[str, Any]:
    """The one record of a file whose kernel Warp takes."""
    ir = ir_of(folder, text, **files)
    assert [reject["message"] for reject in ir["rejects"]] == []
    (record,) = ir["records"]
    return dict(record)


def reject_of(folder: Path, text: str, **files: str) -> dict[str, Any]:
    """The one reject of a file whose kernel is refused."""
    ir = ir_of(folder, text, **files)
    assert ir["records"] == []
    (reject,) = ir["rejects"]
    return dict(reject)


def defaults(tmp_path: Path, parameters: str, body: str, prelude: str = "") -> dict[str, Any]:
    """The launch of a kernel that nobody described, from its parameters and its body."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    record = record_of(tmp_path, f"{prelude}\n@wp.kernel\ndef k({parameters}):\n{lines}")
    assert record["launch_problem"] is None
    return dict(record["launch"])


def shapes(launch: dict[str, Any]) -> dict[str, list[Any]]:
    """The shapes of a launch's arrays."""
    return {name: entry["shape"] for name, entry in launch["parameters"].items() if entry["shape"]}


def values(launch: dict[str, Any]) -> dict[str, Any]:
    """How a launch's parameters are drawn."""
    return {name: entry["values"] for name, entry in launch["parameters"].items()}


def noted(function: dict[str, Any], text: str) -> list[Any]:
    """What a function record says of the first expression with this source: [type] or [type, value]."""
    span = _span_of(function, text)
    (entry,) = [entry for entry in function["expressions"] if tuple(entry[:4]) == span]
    index = entry[4]
    kind = None if index is None else function["types"][index]
    if kind is not None:
        assert str(parse_type(kind)) == kind
    return [kind, *entry[5:]]


def called(function: dict[str, Any], text: str) -> dict[str, Any]:
    """The callee of the first call with this source."""
    span = _span_of(function, text)
    (callee,) = [entry[4] for entry in function["calls"] if tuple(entry[:4]) == span]
    return dict(callee)


def _span_of(function: dict[str, Any], text: str) -> tuple[int, ...]:
    for node in ast.walk(ast.parse(function["source"])):
        if isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        if isinstance(node, ast.expr | ast.stmt) and ast.get_source_segment(function["source"], node) == text:
            return (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
    raise AssertionError(f"no node reads {text!r}")
