"""A dropped wrap of negative indices is a precondition, and the kernel's comment says which."""

import math
from pathlib import Path

import pytest
from translated import device_of

FLOATS = """
@wp.kernel
def histogram(values: wp.array(dtype=float), counts: wp.array(dtype=int)):
    i = wp.tid()
    wp.atomic_add(counts, wp.min(int((values[i] + 1.0) * 5.0), 9), 1)


LAUNCH = {"histogram": {"dims": ["n"], "parameters": {
    "values": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
    "counts": {"role": "inout", "shape": [10], "values": {"constant": 0}},
}}}
"""

ROWS = """
@wp.kernel
def multiply(offsets: wp.array(dtype=int), columns: wp.array(dtype=int), values: wp.array(dtype=float),
             x: wp.array(dtype=float), y: wp.array(dtype=float)):
    row = wp.tid()
    total = float(0.0)
    for k in range(offsets[row], offsets[row] + 2):
        total += values[k] * x[columns[k]]
    y[row] = total


LAUNCH = {"multiply": {"dims": ["n"], "parameters": {
    "offsets": {"shape": ["n"], "values": {"integers": [0, "n"]}},
    "columns": {"shape": ["n + 2"], "values": {"integers": [0, "n"]}},
    "values": {"shape": ["n + 2"], "values": {"uniform": [-1.0, 1.0]}},
    "x": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""


def test_an_index_made_of_floats_states_their_range(tmp_path: Path) -> None:
    assert "// Precondition: elements of values lie in [-1, 1].\n" in device_of(tmp_path, FLOATS).kernel


CELLS = """
@wp.kernel
def splat(points: wp.array(dtype=wp.vec2), scale: float, cells: wp.array2d(dtype=float)):
    scaled = points[wp.tid()] * scale
    wp.atomic_add(cells, int(wp.floor(scaled[0])), int(wp.floor(scaled[1])), 1.0)


LAUNCH = {"splat": {"dims": ["n"], "equality": "bounded", "parameters": {
    "points": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
    "scale": {"values": {"uniform": [16.0, 31.0]}},
    "cells": {"role": "inout", "shape": [32, 32], "values": {"constant": 0.0}},
}}}
"""


def test_a_number_that_an_index_is_made_of_is_a_precondition(tmp_path: Path) -> None:
    kernel = device_of(tmp_path, CELLS).kernel
    assert "// Precondition: scale lies in [16, 31].\n" in kernel
    assert "// Precondition: no element of points is negative.\n" in kernel


def test_numbers_of_one_range_are_in_one_sentence(tmp_path: Path) -> None:
    text = CELLS.replace("scale: float", "scale: float, factor: float").replace("* scale", "* scale * factor")
    text = text.replace('"scale": {"values": {"uniform": [16.0, 31.0]}},', SCALES)
    assert "// Precondition: scale and factor lie in [4, 5].\n" in device_of(tmp_path, text).kernel


SCALES = """
    "scale": {"values": {"uniform": [4.0, 5.0]}}, "factor": {"values": {"uniform": [4.0, 5.0]}},
"""


def test_what_bounds_a_loop_is_a_precondition_of_its_indices(tmp_path: Path) -> None:
    assert (
        "// Precondition: elements of offsets and columns lie in [0, n).\n"
        in device_of(tmp_path, ROWS).kernel
    )


CORNERS = """
@wp.kernel
def sum_corners(elements: wp.array(dtype=wp.vec3i), heights: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    element = elements[i]
    y[i] = heights[element[0]] + heights[element[1]] + heights[element[2]]


LAUNCH = {"sum_corners": {"dims": ["n"], "parameters": {
    "elements": {"shape": ["n"], "values": {"integers": [0, "n"]}},
    "heights": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""

PARENTS = """
@wp.kernel
def follow(parents: wp.array(dtype=int), heights: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    parent = parents[i]
    if parent >= 0:
        y[i] = heights[parent]


LAUNCH = {"follow": {"dims": ["n"], "parameters": {
    "parents": {"shape": ["n"], "values": {"integers": [-1, "n"]}},
    "heights": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
    "y": {"role": "inout", "shape": ["n"], "values": {"constant": 0.0}},
}}}
"""

DIGITS = """
@wp.kernel
def halves(x: wp.array(dtype=int), y: wp.array(dtype=int)):
    i = wp.tid()
    y[i] = x[i] // 2


LAUNCH = {"halves": {"dims": ["n"], "parameters": {
    "x": {"shape": ["n"], "values": {"integers": [0, 100]}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""


def test_a_copy_of_a_vector_holds_what_the_array_holds(tmp_path: Path) -> None:
    text = device_of(tmp_path, CORNERS).kernel
    assert "heights[element.x] + heights[element.y] + heights[element.z]" in text
    assert "// Precondition: elements of elements lie in [0, n).\n" in text


def test_what_the_kernel_checks_is_no_precondition(tmp_path: Path) -> None:
    text = device_of(tmp_path, PARENTS).kernel
    assert "heights[parent]" in text
    assert "Precondition" not in text


def test_a_division_that_need_not_round_down_is_a_precondition(tmp_path: Path) -> None:
    text = device_of(tmp_path, DIGITS).kernel
    assert "x[i] / 2" in text
    assert "// Precondition: no element of x is negative.\n" in text


GATHER = """
@wp.kernel
def gather(owners: wp.array(dtype=int), kinds: wp.array(dtype=int), table: wp.array2d(dtype=float),
           sums: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    kind = kinds[i]
    y[i] = sums[owners[i]] + table[kind, i % 3]


LAUNCH = {"gather": {"sizes": {"groups": "(n + 3) // 4", "classes": "5"}, "dims": ["n"], "parameters": {
    "owners": {"shape": ["n"], "values": {"integers": [0, "groups"]}},
    "kinds": {"shape": ["n"], "values": {"integers": [0, 5]}},
    "table": {"shape": ["classes", 3], "values": {"uniform": [-1.0, 1.0]}},
    "sums": {"shape": ["groups"], "values": {"uniform": [-1.0, 1.0]}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""


def test_a_bound_that_no_parameter_holds_is_that_of_an_array(tmp_path: Path) -> None:
    assert "// Precondition: elements of owners are indices of sums.\n" in device_of(tmp_path, GATHER).kernel


def kinds(folder: Path, *edits: tuple[str, str]) -> str:
    """What is said of the kinds, after edits of the kernel."""
    text = GATHER
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return next(line for line in device_of(folder, text).kernel.splitlines() if " of kinds " in line)


def test_an_index_may_be_any_that_an_array_has(tmp_path: Path) -> None:
    """The numbers that a test draws are fewer."""
    says = "// Precondition: elements of kinds lie in [0, 5)."
    assert kinds(tmp_path) == says
    assert kinds(tmp_path, ('"kinds": {"shape": ["n"], "values": {"integers": [0, 5]}}', KINDS)) == says
    rows = '"table": {"shape": ["classes", "n"]'
    wide = kinds(tmp_path, ('"table": {"shape": ["classes", 3]', rows), ("[kind, i % 3]", "[kind, i]"))
    assert wide == "// Precondition: elements of kinds are indices of table."


KINDS = '"kinds": {"shape": ["n"], "values": {"integers": [1, 4]}}'


def test_an_index_is_below_an_extent_that_the_kernel_has(tmp_path: Path) -> None:
    said = kinds(tmp_path, ("table[kind, i % 3]", "table[kind, i % 3] + float(table.shape[0])"))
    assert said == "// Precondition: elements of kinds lie in [0, classes)."


@pytest.mark.parametrize("use", ["table[kind, i % 3] + float(kind)", "table[kind + 1, i % 3]"])
def test_a_number_bounds_what_is_not_only_an_index(tmp_path: Path, use: str) -> None:
    said = kinds(tmp_path, ("table[kind, i % 3]", use), KINDS_OF_THREE)
    assert said == "// Precondition: elements of kinds lie in [0, 3)."


KINDS_OF_THREE = ("[0, 5]", "[0, 3]")


BONES = """
@wp.kernel
def skin(bone_ids: wp.array(dtype=wp.vec2i), bones: wp.array(dtype=float), y: wp.array(dtype=float)):
    v = wp.tid()
    total = bones[bone_ids[v][0]]
    for k in range(2):
        bone = bone_ids[v][k]
        total += USE
    y[v] = total


LAUNCH = {"skin": {"sizes": {"num_bones": "16"}, "dims": ["n"], "parameters": {
    "bone_ids": {"shape": ["n"], "values": {"integers": [0, "num_bones"]}},
    "bones": {"shape": ["num_bones"], "values": {"uniform": [-1.0, 1.0]}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""


@pytest.mark.parametrize(
    ("use", "said"),
    [("bones[bone]", "are indices of bones"), ("bones[bone // 2] * float(bone)", "lie in [0, 16)")],
)
def test_a_number_with_a_name_in_a_description_is_no_bound_of_the_kernels(
    tmp_path: Path, use: str, said: str
) -> None:
    """It is one where more is computed from the indices than places in arrays."""
    kernel = device_of(tmp_path, BONES.replace("USE", use)).kernel
    assert f"// Precondition: elements of bone_ids {said}.\n" in kernel


OFFSETS = ROWS.replace("offsets[row] + 2", "offsets[row + 1]").replace(
    '{"shape": ["n"], "values": {"integers": [0, "n"]}}',
    '{"shape": ["n + 1"], "values": {"offsets": [STRIDE, 4]}}',
    1,
)


def test_offsets_of_segments_do_not_decrease(tmp_path: Path) -> None:
    device = device_of(tmp_path, OFFSETS.replace("STRIDE", "3"))
    assert device.delimited == {"values", "columns"}
    segments = device.kernel
    assert "// Precondition: elements of offsets are sorted, and lie in [0, length of values].\n" in segments
    others = device_of(tmp_path, OFFSETS.replace("STRIDE", "2")).kernel
    assert "// Precondition: no element of offsets is negative.\n" in others


INTERPOLATED = """
@wp.kernel
def interpolate(knots: wp.array(dtype=float), places: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    low = wp.clamp(int(places[i]), 0, knots.shape[0] - 2)
    y[i] = knots[low] + knots[low + 1]


LAUNCH = {"interpolate": {"sizes": {"count": "min(n, 90) + 4"}, "dims": ["n"], "parameters": {
    "knots": {"shape": ["count"], "values": {"uniform": [0.0, 1.0]}},
    "places": {"shape": ["n"], "values": {"uniform": [0.0, 4.0]}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""


def test_a_launcher_refuses_an_array_too_short_for_its_indices(tmp_path: Path) -> None:
    device = device_of(tmp_path, INTERPOLATED)
    assert device.allowed == {"count": (2, math.inf)}
    assert "wrap_index" not in device.kernel


def test_an_array_that_is_described_as_short_keeps_its_wraps(tmp_path: Path) -> None:
    device = device_of(tmp_path, INTERPOLATED.replace("min(n, 90) + 4", "min(n, 90)"))
    assert device.allowed == {"count": (1, math.inf)}
    assert "wrap_index(low, count)" in device.kernel


TABLE = """
@wp.kernel
def gather_rows(table: wp.array2d(dtype=float), chosen: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    out[i, j] = table[chosen[i], j]


LAUNCH = {"gather_rows": {"sizes": {"rows": "n // 64 + 1", "cols": "32", "choices": "rows // 2 + 3"},
                          "dims": ["rows", "cols"], "parameters": {
    "table": {"shape": ["choices", "cols"], "values": {"uniform": [-1.0, 1.0]}},
    "chosen": {"shape": ["rows"], "values": {"integers": [0, "choices"]}},
    "out": {"role": "out", "shape": ["rows", "cols"]},
}}}
"""


def test_an_array_whose_extent_the_launcher_is_not_told_may_be_large(tmp_path: Path) -> None:
    """The launcher counts the elements of `out` only, so that an int counts these."""
    device = device_of(tmp_path, TABLE)
    assert "out[i * cols + j] = table[size_t(chosen[i]) * cols + j];" in device.kernel


MONTHS = """
@wp.kernel
def season(months: wp.array(dtype=int), table: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = table[(months[i] - 1) % 4]


LAUNCH = {"season": {"dims": ["n"], "parameters": {
    "months": {"shape": ["n"], "values": {"integers": [3, 9]}},
    "table": {"shape": [4], "values": {"uniform": [0.0, 1.0]}},
    "out": {"role": "out", "shape": ["n"]},
}}}
"""


def test_drawn_whole_numbers_tell_their_sign_and_no_more(tmp_path: Path) -> None:
    assert "// Precondition: no element of months is below 1.\n" in device_of(tmp_path, MONTHS).kernel


SHARED_BINS = """
@wp.kernel
def levels(keys: wp.array(dtype=int), amounts: wp.array(dtype=float), bins: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(bins, keys[i] >> 8, amounts[i])


LAUNCH = {"levels": {"dims": ["n"], "equality": "bounded", "parameters": {
    "keys": {"shape": ["n"], "values": {"integers": [0, 65536]}},
    "amounts": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
    "bins": {"role": "inout", "shape": [256], "values": {"constant": 0.0}},
}}}
"""


def test_what_bounds_an_index_into_shared_memory_is_said(tmp_path: Path) -> None:
    kernel = device_of(tmp_path, SHARED_BINS).kernel
    assert "__shared__" in kernel
    assert "// Precondition: elements of keys lie in [0, 65536).\n" in kernel


LENGTHS = """
@wp.kernel
def totals(lengths: wp.array(dtype=int), values: wp.array2d(dtype=float), sums: wp.array(dtype=float)):
    i = wp.tid()
    total = float(0.0)
    for k in range(lengths[i], values.shape[0]):
        total += values[k, i]
    sums[i] = total


LAUNCH = {"totals": {"dims": ["n"], "sizes": {"rows": "5"}, "parameters": {
    "lengths": {"shape": ["n"], "values": {"integers": [1, "rows + 1"]}},
    "values": {"shape": ["rows", "n"], "values": {"uniform": [0.0, 1.0]}},
    "sums": {"role": "out", "shape": ["n"]},
}}}
"""


def test_a_number_that_may_be_a_size_lies_in_a_closed_range(tmp_path: Path) -> None:
    assert "// Precondition: elements of lengths lie in [1, rows].\n" in device_of(tmp_path, LENGTHS).kernel


COUNTED = """
@wp.kernel
def count(group_ids: wp.array(dtype=int), counts: wp.array(dtype=int)):
    wp.atomic_add(counts, group_ids[wp.tid()], 1)


LAUNCH = {"count": {"sizes": {"groups": "16"}, "dims": ["n"], "parameters": {
    "group_ids": {"shape": ["n"], "values": {"integers": [0, "groups"]}},
    "counts": {"role": "inout", "shape": ["groups"], "values": {"constant": 0}},
}}}
"""


def test_a_bound_has_the_name_of_the_constant_that_it_is(tmp_path: Path) -> None:
    kernel = device_of(tmp_path, COUNTED).kernel
    assert "__shared__ int shared_counts[GROUPS];" in kernel
    assert "// Precondition: elements of group_ids lie in [0, GROUPS).\n" in kernel


EDGES = '''
@wp.kernel
def spread(tails: wp.array(dtype=int), heads: wp.array(dtype=int), largest: wp.array(dtype=float),
           x: wp.array(dtype=float), y: wp.array(dtype=float)):
    """TOLD"""
    e = wp.tid()
    wp.atomic_add(y, heads[e], x[tails[e]])
    wp.atomic_max(largest, 0, wp.abs(x[tails[e]]))


LAUNCH = {"spread": {"sizes": {"nodes": "n // 2 + 1"}, "dims": ["n"], "equality": "bounded", "parameters": {
    "tails": {"shape": ["n"], "values": {"integers": [0, "nodes"]}},
    "heads": {"shape": ["n"], "values": {"integers": [0, "nodes"]}},
    "largest": {"role": "inout", "shape": [1], "values": {"constant": 0.0}},
    "x": {"shape": ["nodes"], "values": {"uniform": [-1.0, 1.0]}},
    "y": {"role": "inout", "shape": ["nodes"], "values": {"constant": 0.0}},
}}}
'''


def test_an_index_is_one_of_the_arrays_that_it_indexes(tmp_path: Path) -> None:
    text = device_of(tmp_path, EDGES).kernel
    assert "// Precondition: elements of tails are indices of x.\n" in text
    assert "// Precondition: elements of heads are indices of y.\n" in text


@pytest.mark.parametrize(
    ("docstring", "said"),
    [
        ("Spread x. `largest` must start at zero.", False),
        ("Spread x. y must start at zero. largest[0] is the maximum.", True),
    ],
)
def test_what_the_docstring_says_of_zeros_is_not_said_again(
    tmp_path: Path, docstring: str, said: bool
) -> None:
    text = device_of(tmp_path, EDGES.replace("TOLD", docstring)).kernel
    assert ("no element of largest is negative" in text) == said
