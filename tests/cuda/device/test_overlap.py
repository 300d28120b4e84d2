"""Arrays that nobody described may overlap: nothing in the program relies on their lying apart."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from translated import device_of, record_of, text_of

from weft.cuda.index import write_index
from weft.cuda.library import LibraryOptions, translate_library, write_libraries
from weft.cuda.program import translate
from weft.runs.call import compile_program

ADD = """
@wp.kernel
def add(x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * 2.0
    y[i] = y[i] + x[i] + z[i]
"""

DESCRIBED = {
    "x": '"x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}}',
    "y": '"y": {"role": "out", "shape": ["n"]}',
    "z": '"z": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}}',
}

RESTRICTED = {
    "nothing described": ("", ""),
    "all described": ("xyz", "xyz"),
    "what is written is not": ("xz", ""),
    "something that is read is not": ("xy", "x"),
}


def _source(described: str) -> str:
    parameters = ", ".join(DESCRIBED[name] for name in described)
    launch = f'\n\nLAUNCH = {{"add": {{"dims": ["n"], "parameters": {{{parameters}}}}}}}\n'
    return ADD + (launch if described else "")


@pytest.mark.parametrize(("described", "apart"), RESTRICTED.values(), ids=list(RESTRICTED))
def test_only_arrays_that_are_promised_to_lie_apart_are_restricted(
    tmp_path: Path, described: str, apart: str
) -> None:
    parameters = device_of(tmp_path, _source(described)).parameters
    assert "".join(one.c_name for one in parameters if "__restrict__" in one.declaration) == apart


@pytest.mark.parametrize(
    ("described", "says"),
    [
        ("", "row-major, and may overlap;"),
        ("xyz", "row-major, and do not overlap;"),
        ("xy", "row-major, and what is written does not overlap with x;"),
    ],
)
def test_the_header_of_a_library_says_what_may_overlap(tmp_path: Path, described: str, says: str) -> None:
    translated = translate_library(record_of(tmp_path, _source(described)), LibraryOptions())
    (library,) = write_libraries([translated], LibraryOptions())
    assert says in library.header


def test_an_array_may_be_passed_twice(tmp_path: Path) -> None:
    record = record_of(tmp_path, ADD)
    translated = translate(record)
    index = json.dumps(write_index({"category": "overlap", "seed": 0}, [translated]))
    # The driver has an allocation for each parameter: hand the kernel one of them twice.
    assert index.count("given.array<float>(0), given.array<float>(1)") == 1
    index = index.replace("given.array<float>(0)", "given.array<float>(1)")
    (tmp_path / "add.cu").write_text(translated.standalone, encoding="utf-8")
    (tmp_path / "add.json").write_text(index, encoding="utf-8")
    program = compile_program(tmp_path / "add.cu", tmp_path, name="add")
    values = np.arange(1.0, 6.0, dtype=np.float32)
    zeros = np.zeros(5, dtype=np.float32)
    left = program({"x": zeros, "y": values.copy(), "z": zeros}, dims=(5,))
    assert np.array_equal(left["y"], 4.0 * values)


KEPT = """
@wp.kernel
def follow(next: wp.array(dtype=int), x: wp.array(dtype=int), y: wp.array(dtype=int)):
    i = wp.tid()
    if next[i] >= 0:
        {}
        y[i] = x[next[i]]
"""


@pytest.mark.parametrize(
    ("between", "expected"),
    [("y[i] = -1", "x[wrap_index(next[i], x_count)]"), ("k = i", "x[next[i]]")],
    ids=["a store", "no store"],
)
def test_a_store_may_change_what_was_tested(tmp_path: Path, between: str, expected: str) -> None:
    assert expected in text_of(tmp_path, KEPT.format(between))


TILES = """
@wp.kernel
def twice(x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=512, offset=i * 512)
    wp.tile_store(y, t * 2.0, offset=i * 512)
    wp.tile_store(z, wp.tile_load(x, shape=512, offset=i * 512), offset=i * 512)
"""

APART = """
LAUNCH = {"twice": {"dims": ["n"], "block_dim": 32, "parameters": {
    "x": {"shape": ["512 * n"], "values": {"uniform": [0.0, 1.0]}},
    "y": {"role": "out", "shape": ["512 * n"]},
    "z": {"role": "out", "shape": ["512 * n"]}}}}
"""

NOT_DESCRIBED = """
LAUNCH = {"twice": {"dims": ["n"], "block_dim": 32, "parameters": {}}}
"""


def test_loops_over_tiles_are_merged_only_where_arrays_lie_apart(tmp_path: Path) -> None:
    assert text_of(tmp_path, TILES + APART).count("for (") == 1
    assert text_of(tmp_path, TILES + NOT_DESCRIBED).count("for (") == 3
