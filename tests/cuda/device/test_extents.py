"""Which sizes a kernel takes as parameters."""

from pathlib import Path

import pytest
from translated import device_of, record_of, text_of

from weft.cuda.host_launcher import write_launcher
from weft.launch import parse_launch

PRODUCT = """
@wp.kernel
def product(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float), inner: int):
    i, j = wp.tid()
    total = float(0.0)
    for k in range(inner):
        total += a[i, k] * b[k, j]
    c[i, j] = total


LAUNCH = {"product": {
    "sizes": {"rows": "8", "inner": "8", "cols": "8"},
    "dims": ["rows", "cols"],
    "parameters": {
        "a": {"shape": ["rows", "inner"], "values": {"uniform": [0.0, 1.0]}},
        "b": {"shape": ["inner", "cols"], "values": {"uniform": [0.0, 1.0]}},
        "c": {"role": "out", "shape": ["rows", "cols"]},
        "inner": {"values": {"size": "inner"}},
    },
}}
"""


NAMED = """
@wp.func
def border(x: wp.array2d(dtype=float), i: int):
    width = x.shape[1]
    return x[i, width - 1]


@wp.kernel
def scale(x: wp.array2d(dtype=float), weights: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    height = x.shape[0]
    width = x.shape[1]
    y[i, j] = x[height - 1 - i, width - 1 - j] * weights[i, j] + border(x, i)


LAUNCH = {{"scale": {{
    "sizes": {{"rows": "n // 8 + 1"{more}}},
    "dims": ["rows", {cols}],
    "parameters": {{
        "x": {{"shape": ["rows", {cols}], "values": {{"uniform": [0.0, 1.0]}}}},
        "weights": {{"shape": ["rows", {stride}], "values": {{"uniform": [0.0, 1.0]}}}},
        "y": {{"role": "out", "shape": ["rows", {cols}]}},
    }},
}}}}
"""


def test_an_extent_has_the_name_that_the_source_gives_it(tmp_path: Path) -> None:
    """The parameter or the constant, in place of a copy; a stranger's extent keeps another name."""
    device = device_of(tmp_path, NAMED.format(more=', "cols": "n // 4 + 8"', cols='"cols"', stride='"cols"'))
    assert [p.declaration for p in device.parameters if p.c_type == "int"] == ["int height", "int width"]
    assert "if (i >= height || j >= width) return;" in device.kernel
    assert "const int" not in device.kernel.partition("return;")[2]
    assert "float border(const float* x, int i, int width) {" in device.definitions

    text = NAMED.format(more="", cols='"24"', stride='"48"')
    device = device_of(tmp_path, text)
    assert "constexpr int WIDTH = 24;" in device.definitions
    assert "constexpr int WEIGHTS_COLS = 48;" in device.definitions
    assert "weights[size_t(i) * WEIGHTS_COLS + j]" in device.kernel and "24" not in device.kernel
    launch = parse_launch(
        record_of(tmp_path, NAMED.format(more="", cols='"24"', stride='"48"'))["launch"], ""
    )
    launcher = write_launcher(device, launch)
    assert launcher.block_declaration == "const dim3 block(WIDTH, 8)"


SHARED = """
@wp.func
def update(spins: wp.array2d(dtype=int), bonds: wp.array2d(dtype=int), i: int, j: int, last: int):
    spins[i, j] = spins[i, (j + 1) % spins.shape[1]] * bonds[i, j] + bonds[i, last - 1]


@wp.kernel
def work(spins: wp.array2d(dtype=int), bonds: wp.array2d(dtype=int)):
    i, j = wp.tid()
    update(spins, bonds, i, j, {last})


LAUNCH = {{"work": {{
    "sizes": {{"rows": "n // 8 + 1", "cols": "n // 4 + 8"}},
    "dims": ["rows", "cols"],
    "parameters": {{
        "spins": {{"role": "inout", "shape": ["rows", "cols"], "values": {{"integers": [0, 2]}}}},
        "bonds": {{"shape": ["rows", "{bonds}"], "values": {{"integers": [0, 2]}}}},
    }},
}}}}
"""


@pytest.mark.parametrize(
    ("last", "bonds", "extents"),
    [
        ("1", "cols", ["last", "spins_cols"]),
        ("spins.shape[1]", "cols", ["last"]),
        ("spins.shape[1]", "cols + 1", ["last", "bonds_cols"]),
    ],
)
def test_a_function_gets_what_is_equal_in_all_calls_once(
    tmp_path: Path, last: str, bonds: str, extents: list[str]
) -> None:
    device = device_of(tmp_path, SHARED.format(last=last, bonds=bonds))
    head = " ".join(device.definitions.partition("{")[0].split())
    given = head.partition("int i, int j, ")[2].rstrip(") ").split(", ")
    assert given == [f"int {name}" for name in extents]


def test_a_function_is_not_given_a_number_that_is_the_same_in_all_calls(tmp_path: Path) -> None:
    text = NAMED.format(more="", cols="24", stride="48")
    definitions = device_of(tmp_path, text).definitions
    assert "float border(const float* x, int i) {" in definitions
    assert "x[i * WIDTH + WIDTH - 1]" in definitions.replace("size_t(i)", "i")


@pytest.mark.parametrize(("first", "second"), [(24, 48), (48, 24)])
def test_a_launcher_tests_one_product_that_is_no_less_than_another(
    tmp_path: Path, first: int, second: int
) -> None:
    text = NAMED.format(more="", cols=first, stride=second).replace('"n // 8 + 1"', '"n // 64 + 1"')
    larger = "WIDTH" if first > second else "WEIGHTS_COLS"
    assert _refused(tmp_path, text) == [f"height > INT_MAX / {larger}"]


def _refused(folder: Path, text: str) -> list[str]:
    """What the launcher of a kernel refuses."""
    device = device_of(folder, text)
    launch = parse_launch(record_of(folder, text)["launch"], "")
    return [test for test, _ in write_launcher(device, launch).refused]


CORNERS = """
@wp.kernel
def energies(nodes: wp.array2d(dtype=float), cells: wp.array2d(dtype=float)):
    i, j = wp.tid()
    cells[i, j] = nodes[i, j] + nodes[i + 1, j + 1]


LAUNCH = {{"energies": {{
    "sizes": {{"rows": "n // 64 + 1", "cols": "24"}},
    "dims": ["rows", "cols"],
    "parameters": {{
        "nodes": {{"shape": {nodes}, "values": {{"uniform": [-1, 1]}}}},
        "cells": {{"role": "out", "shape": ["rows", "cols"]}},
    }},
}}}}
"""


def test_a_launcher_tests_no_product_that_follows_from_one_of_larger_factors(tmp_path: Path) -> None:
    more = "(int64_t(rows) + 1) * (int64_t(cols) + 1) > INT_MAX"
    assert _refused(tmp_path, CORNERS.format(nodes='["rows + 1", "cols + 1"]')) == [more]
    less = CORNERS.format(nodes='["rows + 1", "cols"]').replace("j + 1]", "j]")
    assert _refused(tmp_path, less) == ["int64_t(cols) * (int64_t(rows) + 1) > INT_MAX"]
    twice = CORNERS.format(nodes='["cols + 1", "cols + 1"]').replace("[i + 1, j + 1]", "[0, j + 1]")
    assert "int64_t(rows) * cols > INT_MAX" in _refused(tmp_path, twice.replace("nodes[i, j]", "1.0"))[-1]


COLUMNS = """
DEPTH = wp.constant(12)
STEPS = wp.constant(STEPS_VALUE)


@wp.kernel
def totals(x: wp.array2d(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(DEPTH):
        y[i] += x[k, i] * float(STEPS)


LAUNCH = {"totals": {"sizes": {"count": "n // 64 + 1"}, "dims": ["count"], "parameters": {
    "x": {"shape": [12, "count"], "values": {"uniform": [-1, 1]}},
    "y": {"role": "inout", "shape": ["count"], "values": {"constant": 0.0}},
}}}
"""


def test_a_launcher_has_the_constant_up_to_which_a_loop_goes(tmp_path: Path) -> None:
    assert _refused(tmp_path, COLUMNS.replace("STEPS_VALUE", "5")) == ["count > INT_MAX / DEPTH"]
    assert _refused(tmp_path, COLUMNS.replace("STEPS_VALUE", "12")) == ["count > INT_MAX / 12"]


def test_the_start_of_a_row_has_the_constant_up_to_which_a_loop_goes(tmp_path: Path) -> None:
    source = """
    SIZE = wp.constant(3)


    @wp.kernel
    def convolve(x: wp.array(dtype=float), w: wp.array3d(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        for dy in range(SIZE):
            for dx in range(SIZE):
                y[i] += w[i, dy, dx] * x[i * 9 + dx]


    LAUNCH = {"convolve": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["9 * n"], "values": {"uniform": [0.0, 1.0]}},
            "w": {"shape": ["n", "3", "3"], "values": {"uniform": [0.0, 1.0]}},
            "y": {"role": "inout", "shape": ["n"], "values": {"constant": 0.0}},
        },
    }}
    """
    assert " SIZE + dy) * SIZE;" in device_of(tmp_path, source).kernel


def test_a_constant_has_no_copy(tmp_path: Path) -> None:
    source = """
    @wp.kernel
    def sample(texels: wp.array2d(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        cols = texels.shape[1]
        y[i] = texels[i % 8, cols - 1 - i % 4] + texels[0, i % cols]


    LAUNCH = {"sample": {
        "dims": ["n"],
        "parameters": {
            "texels": {"shape": [48, 64], "values": {"uniform": [0.0, 1.0]}},
            "y": {"role": "out", "shape": ["n"]},
        },
    }}
    """
    kernel = device_of(tmp_path, source).kernel
    assert "i % COLS" in kernel and "cols" not in kernel


def test_a_copy_that_the_source_does_not_have_names_no_extent(tmp_path: Path) -> None:
    source = """
    @wp.kernel
    def fill(x: wp.array(dtype=float), copies: wp.array2d(dtype=float)):
        copy = wp.tid()
        for i in range(copy, x.shape[0], copies.shape[0]):
            copies[copy, i % 8] += x[i]


    LAUNCH = {"fill": {
        "sizes": {"num_copies": "n // 256 + 1"},
        "dims": ["num_copies"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "copies": {"role": "inout", "shape": ["num_copies", 8], "values": {"uniform": [0.0, 1.0]}},
        },
    }}
    """
    kernel = device_of(tmp_path, source).kernel
    assert "i += num_copies" in kernel and "step" not in kernel


def test_a_number_that_is_no_extent_keeps_others_from_a_name(tmp_path: Path) -> None:
    text = NAMED.format(more="", cols='"24"', stride='"48"').replace("+ border", "* float(j % 24) + border")
    device = device_of(tmp_path, text)
    assert "WIDTH" not in device.definitions and "const int width = 24;" in device.kernel
    text = NAMED.format(more="", cols='"24"', stride='"48"').replace("weights[i, j]", "weights[i, j % 48]")
    device = device_of(tmp_path, text)
    assert "WEIGHTS" not in device.definitions and "weights[size_t(i) * 48 + j % 48]" in device.kernel


def test_sizes_that_happen_to_be_equal_stay_apart(tmp_path: Path) -> None:
    device = device_of(tmp_path, PRODUCT)
    assert "const int row_start = i * inner;" in device.kernel
    assert "total += a[row_start + k] * b[k * cols + j];" in device.kernel
    assert "c[i * cols + j] = total;" in device.kernel
    assert [p.declaration for p in device.parameters if p.c_type == "int"] == [
        "int inner",
        "int rows",
        "int cols",
    ]


FIXED = """
@wp.kernel
def nearest(table: wp.array2d(dtype=float), ids: wp.array2d(dtype=int), out: wp.array(dtype=float){more}):
    i = wp.tid()
    total = float(0.0)
    for k in range({stop}):
        total += table[ids[i, k], k]
    out[i] = total


LAUNCH = {{"nearest": {{
    "dims": ["n"],
    "parameters": {{
        "table": {{"shape": ["40", "12"], "values": {{"uniform": [0.0, 1.0]}}}},
        "ids": {{"shape": ["n", "12"], "values": {{"integers": [0, 40]}}}},
        "out": {{"role": "out", "shape": ["n"]}},{given}
    }},
}}}}
"""


def test_a_number_that_no_caller_chooses_is_one(tmp_path: Path) -> None:
    text = device_of(tmp_path, FIXED.format(more="", stop=12, given="")).kernel
    assert "for (int k = 0; k < COLS; ++k) {" in text
    assert "ids[size_t(i) * COLS + k] * COLS + k]" in text
    text = device_of(tmp_path, FIXED.format(more="", stop=11, given="")).kernel
    assert "ids[size_t(i) * COLS + k] * COLS + k]" in text


def test_a_number_that_has_a_name_is_the_callers_to_choose(tmp_path: Path) -> None:
    named = FIXED.replace('"12"', '"neighbors"').replace('"dims"', '"sizes": {{"neighbors": 12}}, "dims"')
    text = device_of(tmp_path, named.format(more="", stop="table.shape[1]", given="")).kernel
    assert "for (int k = 0; k < neighbors; ++k) {" in text and "12" not in text
    given = '"count": {"values": {"size": "neighbors"}},'
    text = device_of(tmp_path, named.format(more=", count: int", stop="count", given=given)).kernel
    assert "* count + k]" in text and "12" not in text


LOOPED = """
BLOCK = wp.constant(8)


@wp.kernel
def transform(basis: wp.array2d(dtype=float), x: wp.array2d(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    for k in range(BLOCK):
        y[i] += basis[i % BLOCK, k] * x[i, k % 8]


LAUNCH = {"transform": {"dims": ["n"], "parameters": {
    "basis": {"shape": [8, 8], "values": {"uniform": [0.0, 1.0]}},
    "x": {"shape": ["n", 8], "values": {"uniform": [0.0, 1.0]}},
    "y": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
}}}
"""


def test_an_extent_has_the_name_of_the_constant_that_a_loop_over_it_has(tmp_path: Path) -> None:
    text = text_of(tmp_path, LOOPED)
    assert "basis[i % BLOCK * BLOCK + k]" in text
    assert text.count("constexpr int") == 1


CLASH = """
@wp.kernel
def last(SIZE: wp.array2d(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    n = 2.0 * SIZE[i, SIZE.shape[1] - 1]
    y[i] = n


LAUNCH = {"last": {"sizes": {"SIZE": "16"}, "dims": ["n"], "parameters": {
    "SIZE": {"shape": ["n", "SIZE"], "values": {"uniform": [0.0, 1.0]}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""


@pytest.mark.parametrize(
    ("size", "named"), [("features", "num_features"), ("row", "row_count")], ids=["several", "one"]
)
def test_a_number_of_elements_is_called_otherwise_where_a_variable_has_its_name(
    tmp_path: Path, size: str, named: str
) -> None:
    kernel = device_of(tmp_path, CLASH.replace("SIZE", size)).kernel
    assert f"float* __restrict__ y, int count, int {named}) {{" in kernel


SPLAT = """
@wp.kernel
def splat(points: wp.array(dtype=wp.vec2i), image: wp.array2d(dtype=float)):
    p = points[wp.tid()]
    if p[0] >= 0 and p[0] < image.shape[1] and p[1] >= 0 and p[1] < image.shape[0]:
        wp.atomic_add(image, p[1], p[0], 1.0)


LAUNCH = {"splat": {"sizes": {"height": "n // 2 + 1", "width": "n + 3"}, "dims": ["n"], "equality": "bounded",
    "parameters": {
        "points": {"shape": ["n"], "values": {"integers": [-2, 9]}},
        "image": {"role": "inout", "shape": ["height", "width"], "values": {"constant": 0.0}},
}}}
"""


def test_extents_of_an_array_are_in_the_order_of_its_axes(tmp_path: Path) -> None:
    names = [one.c_name for one in device_of(tmp_path, SPLAT).parameters]
    assert names == ["points", "image", "n", "height", "width"]
