"""Every expression has the type that Warp gave it."""

import ast
from pathlib import Path
from typing import Any

import pytest
from ir_of import ir_of, noted, record_of

RICH = '''
from enum import IntEnum

GAIN = 0.25
AXIS = wp.constant(wp.vec3(0.0, 0.0, 1.0))


class Mode(IntEnum):
    SLOW = 1
    FAST = 2


@wp.struct
class Inner:
    """A weight."""

    weight: float


@wp.struct
class Cell:
    """A cell of the grid."""

    inner: Inner
    flags: wp.uint8


@wp.func
def blend(a: wp.vec3, b: wp.vec3, t: float = 0.5) -> wp.vec3:
    return a * (1.0 - t) + b * t


@wp.func
def split(v: wp.vec3):
    return wp.length(v), int(v[0])


@wp.kernel
def rich(
    grid: wp.array2d(dtype=wp.vec3),
    cells: wp.array(dtype=Cell),
    turns: wp.array(dtype=wp.quat),
    big: wp.array(dtype=wp.int64),
    halves: wp.array(dtype=wp.float16),
    out: wp.array2d(dtype=float),
    mode: int,
):
    """Use a bit of everything."""
    row, column = wp.tid()
    if row >= grid.shape[0] or column >= 5:
        return
    v = grid[row, column]
    size, whole = split(v)
    cell = cells[row]
    w = cell.inner.weight if whole > 2 else -GAIN
    spun = wp.quat_rotate(turns[row], AXIS)
    mixed = blend(v, spun, t=w)
    total = float(0.0)
    for k in range(3):
        total += mixed[k] * float(k)
    for k in range(mode):
        if k % 2 == 0 and total < 10.0:
            continue
        total = wp.max(total, wp.float32(big[k]))
    big[row] = wp.int64(5000000000) + wp.int64(cell.flags)
    halves[row] = wp.float16(total)
    view = out[row]
    view[column] = total + size
    out[row, column] += wp.where(mode == Mode.FAST, 1.0, 2.0)
    grid[row, column] = wp.vec3(v.x, v.y, total) * wp.static(GAIN * 2.0)
'''


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    ir = ir_of(tmp_path_factory.mktemp("rich"), RICH + LAUNCH)
    assert ir["rejects"] == []
    return dict(ir["records"][0])


LAUNCH = """
LAUNCH = {"rich": {"sizes": {"rows": "4"}, "dims": ["rows", "5"], "parameters": {
    "grid": {"role": "inout", "shape": ["rows", 5], "values": {"uniform": [0, 1]}},
    "cells": {"shape": ["rows"], "values": {"members": {
        "inner": {"members": {"weight": {"uniform": [0, 1]}}}, "flags": {"integers": [0, 9]}}}},
    "turns": {"shape": ["rows"], "values": {"uniform": [0, 1]}},
    "big": {"role": "inout", "shape": ["max(rows, 8)"], "values": {"integers": [0, 9]}},
    "halves": {"role": "out", "shape": ["rows"]},
    "out": {"role": "inout", "shape": ["rows", 5], "values": {"constant": 0}},
    "mode": {"values": {"integers": [1, 3]}},
}}}
"""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("wp.tid()", "tuple<int32,int32>"),
        ("grid", "array<vec<3,float32>,2>"),
        ("grid[row, column]", "ref<vec<3,float32>>"),
        ("split(v)", "tuple<float32,int32>"),
        ("cells[row]", "ref<struct<Cell>>"),
        ("cell", "struct<Cell>"),
        ("cell.inner.weight", "ref<float32>"),
        ("cell.flags", "ref<uint8>"),
        ("cell.inner.weight if whole > 2 else -GAIN", "float32"),
        ("wp.quat_rotate(turns[row], AXIS)", "vec<3,float32>"),
        ("turns[row]", "ref<quat<float32>>"),
        ("k % 2 == 0 and total < 10.0", "bool"),
        ("big[k]", "ref<int64>"),
        ("wp.int64(5000000000) + wp.int64(cell.flags)", "int64"),
        ("wp.float16(total)", "float16"),
        ("view", "array<float32,1>"),
        ("wp.where(mode == Mode.FAST, 1.0, 2.0)", "float32"),
        ("v.x", "float32"),
        ("grid.shape[0]", "int32"),
    ],
)
def test_types_are_those_of_warp(rich: dict[str, Any], text: str, kind: str) -> None:
    assert noted(rich["kernel"], text)[0] == kind


def test_every_expression_that_has_a_value_has_a_type(rich: dict[str, Any]) -> None:
    for function in [rich["kernel"], *rich["functions"]]:
        spans = {tuple(entry[:4]) for entry in function["expressions"]}
        missing = [ast.unparse(node) for node in _valued(function["source"]) if _span(node) not in spans]
        assert missing == [], function["key"]


def test_parameters_and_results(rich: dict[str, Any]) -> None:
    blend, split = sorted(rich["functions"], key=lambda function: function["key"])
    assert blend["parameters"][0] == {"name": "a", "type": "vec<3,float32>"}
    assert (blend["result"], blend["defaults"]) == ("vec<3,float32>", {"t": 0.5})
    assert split["result"] == ["float32", "int32"]
    assert rich["kernel"]["result"] is None
    assert rich["signature"] == rich["kernel"]["parameters"]
    assert rich["signature"][5] == {"name": "out", "type": "array<float32,2>"}


def test_structs_stand_before_those_that_use_them(rich: dict[str, Any]) -> None:
    assert rich["structs"] == [
        {"name": "Inner", "doc": "A weight.", "fields": [{"name": "weight", "type": "float32"}]},
        {
            "name": "Cell",
            "doc": "A cell of the grid.",
            "fields": [{"name": "inner", "type": "struct<Inner>"}, {"name": "flags", "type": "uint8"}],
        },
    ]


def test_lines_and_columns_lead_to_the_users_file(rich: dict[str, Any], tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        @wp.kernel
        def shifted(x: wp.array(dtype=float)):
            i = wp.tid()
            x[i] = 1.0
        """,
    )
    kernel = record["kernel"]
    lines = (tmp_path / "kernels.py").read_text().splitlines()
    assert lines[kernel["line"] - 1] == "@wp.kernel"
    assert kernel["source"].splitlines() == lines[kernel["line"] - 1 :]
    assert kernel["file"] == str(tmp_path / "kernels.py")


def _valued(source: str) -> list[ast.expr]:
    """Expressions that are evaluated: no store targets, callees, index tuples, ranges, modules or types."""
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.FunctionDef)
    found: list[ast.expr] = []

    def visit(node: ast.AST) -> None:
        match node:
            case ast.Call(ast.Name("range"), arguments):
                found.extend(arguments)
                return
            case ast.Call(ast.Attribute(_, "static")):
                found.append(node)
                return
            case ast.Call(_, arguments, keywords):
                found.append(node)
                for child in [*arguments, *(keyword.value for keyword in keywords)]:
                    visit(child)
                return
            case ast.Attribute(ast.Name("wp" | "Mode")):
                return
            case ast.Subscript(target, index):
                if isinstance(node.ctx, ast.Load):
                    found.append(node)
                visit(target)
                for child in index.elts if isinstance(index, ast.Tuple) else [index]:
                    visit(child)
                return
            case ast.Tuple(items):
                for child in items:
                    visit(child)
                return
            case ast.Expr(ast.Constant()):
                return
            case ast.expr() if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                found.append(node)
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
                visit(child)

    for statement in definition.body:
        visit(statement)
    return found


def _span(node: ast.expr) -> tuple[int, ...]:
    return (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
