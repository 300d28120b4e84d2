"""A launcher refuses the numbers for which its kernel would do what is undefined, and no others."""

import math
from pathlib import Path

import pytest
from translated import device_of, record_of

from weft.cuda.device_code import DeviceCode
from weft.cuda.launch_assumptions import Bound
from weft.cuda.program import translate

AT_LEAST_ONE = (1, math.inf)

KERNEL = """
@wp.func
def digit(key: int, shift: int):
    return (key >> shift) & 15

@wp.kernel
def probe(x: wp.array2d(dtype=float), keys: wp.array(dtype=int), k: int, cols: int, rows: int,
          y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = float(keys[i])
    BODY


LAUNCH = {"probe": {"sizes": {"rows": "n // 4 + 1", "cols": "n + 3"}, "dims": ["n"], "parameters": {
    "x": {"shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
    "keys": {"shape": ["n"], "values": {"integers": [0, 100]}},
    "k": {"values": {"integers": K}},
    "cols": {"values": {"size": "cols"}},
    "rows": {"values": {"size": "rows"}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""


def allowed(folder: Path, *lines: str, k: tuple[int, int] = (1, 9)) -> dict[str, tuple[float, float]]:
    """What numbers the launcher of a kernel with these lines allows."""
    text = KERNEL.replace("BODY", "\n    ".join(lines)).replace("K}", f"{list(k)}}}")
    return device_of(folder, text).allowed


@pytest.mark.parametrize("operator", ["%", "//"])
def test_no_division_by_zero(tmp_path: Path, operator: str) -> None:
    assert allowed(tmp_path, f"y[i] = float(keys[i] {operator} k)")["k"] == AT_LEAST_ONE


def test_no_division_by_a_number_that_a_description_allows_to_be_zero(tmp_path: Path) -> None:
    """Nothing that is described is refused."""
    assert "k" not in allowed(tmp_path, "if k != 0:", "    y[i] = float(-i % k)", k=(0, 9))


def test_a_number_by_which_only_some_divide_where_it_is_positive(tmp_path: Path) -> None:
    lines = "for step in range(k):", "    y[i] += float(-i % k)"
    assert "k" not in allowed(tmp_path, *lines)


def test_sizes_are_divisors_too(tmp_path: Path) -> None:
    assert allowed(tmp_path, "y[i] = float(keys[i] % cols)") == {"cols": AT_LEAST_ONE}


def test_a_shift_is_by_fewer_bits_than_there_are(tmp_path: Path) -> None:
    assert allowed(tmp_path, "y[i] = float(keys[i] >> k)") == {"k": (0, 31)}
    assert allowed(tmp_path, "y[i] = float(wp.int64(keys[i]) << wp.int64(k))") == {"k": (0, 63)}


def test_a_number_that_a_shift_is_computed_from(tmp_path: Path) -> None:
    assert allowed(tmp_path, "y[i] = float(keys[i] >> (k - 1))") == {"k": (1, 32)}
    assert allowed(tmp_path, "y[i] = float(keys[i] >> (31 - k))") == {"k": (0, 31)}


def test_functions_demand_it_of_their_callers(tmp_path: Path) -> None:
    assert allowed(tmp_path, "y[i] = float(digit(keys[i], 4 + k))") == {"k": (-4, 27)}


def test_an_array_has_as_many_elements_as_the_least_index_needs(tmp_path: Path) -> None:
    assert allowed(tmp_path, "y[i] = x[0, 1]")["cols"] == (2, math.inf)
    assert allowed(tmp_path, "y[i] = x[0, digit(keys[i], 4) + 2]")["cols"] == (3, math.inf)


def test_an_array_that_every_launch_accesses_has_an_element(tmp_path: Path) -> None:
    assert allowed(tmp_path, "y[i] = x[0, wp.min(i, cols - 1)]") == {
        "cols": AT_LEAST_ONE,
        "rows": AT_LEAST_ONE,
    }


@pytest.mark.parametrize(
    "lines",
    [
        ("for row in range(rows):", "    y[i] += x[row, wp.min(i, cols - 1)]"),
        ("for step in range(k):", "    y[i] += x[wp.min(step, rows - 1), wp.min(i, cols - 1)]"),
    ],
)
def test_loops_run_in_every_described_launch(tmp_path: Path, lines: tuple[str, ...]) -> None:
    assert allowed(tmp_path, *lines)["cols"] == AT_LEAST_ONE


@pytest.mark.parametrize(
    "lines",
    [
        ("if keys[i] > 3:", "    y[i] = x[0, cols - 1]"),
        ("if keys[i] > 3:", "    return", "y[i] = x[0, cols - 1]"),
        ("for step in range(keys[i]):", "    y[i] += x[0, cols - 1]"),
        ("while y[i] > 4.0:", "    y[i] -= x[0, cols - 1]"),
        ("y[i] = x[0, cols - 1] if keys[i] > 3 else 0.0",),
    ],
)
def test_an_array_may_be_empty_that_only_data_ask_for(tmp_path: Path, lines: tuple[str, ...]) -> None:
    assert allowed(tmp_path, *lines) == {}


PLANE = """
@wp.kernel
def double(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    for k in range(4):
        y[i, j] += BODY


LAUNCH = {"double": {"sizes": {"width": "48"}, "dims": ["n", "DIM"], "parameters": {
    "x": {"shape": ["n", "width"], "values": {"uniform": [0.0, 1.0]}},
    "y": {"role": "inout", "shape": ["n", "width"], "values": {"uniform": [0.0, 1.0]}},
}}}
"""


@pytest.mark.parametrize(
    ("dim", "element", "least"),
    [
        ("width", "x[i, j]", 1),
        ("width", "x[i, k]", 4),
        ("width", "x[i, wp.min(k, x.shape[1] - 1)]", 1),
        ("47", "x[i, j + 1]", 48),
        ("12", "x[i, 4 * j + k]", 48),
    ],
)
def test_an_extent_reaches_as_far_as_numbers_index_it(
    tmp_path: Path, dim: str, element: str, least: int
) -> None:
    found = device_of(tmp_path, PLANE.replace("BODY", element).replace("DIM", dim)).allowed
    assert found.get("width", AT_LEAST_ONE)[0] == least


def test_a_name_for_a_number_that_is_a_launch_dimension_is_no_choice(tmp_path: Path) -> None:
    device = device_of(tmp_path, PLANE.replace("BODY", "x[i, j]").replace("DIM", "48"))
    assert [one.c_name for one in device.parameters] == ["x", "y", "n"]


ROWS = """
@wp.kernel
def probe(x: wp.array2d(dtype=float), ids: wp.array(dtype=int), window: int, parts: int,
          y: wp.array(dtype=float), z: wp.array(dtype=float)):
    i = wp.tid()
    rows = x.shape[0]
    y[i] += float(rows)
    BODY


LAUNCH = {"probe": {"sizes": {"rows": "ROWS", "window": "4"}, "dims": ["n"], "parameters": {
    "x": {"shape": ["rows", "n"], "values": {"uniform": [0.0, 1.0]}},
    "ids": {"shape": ["n"], "values": {"integers": [0, 2]}},
    "window": {"values": {"size": "window"}},
    "parts": {"values": {"integers": [1, 5]}},
    "y": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
    "z": {"role": "out", "shape": [96]},
}}}
"""


def rows(folder: Path, *lines: str, count: str = "n // 8 + 20") -> DeviceCode:
    return device_of(folder, ROWS.replace("BODY", "\n    ".join(lines)).replace("ROWS", count))


BEYOND = {
    "as many turns as rows": (("for t in range(window):", "    y[i] += x[t, i]"), Bound("window", "rows", 0)),
    "a row before the first turn": (
        ("for t in range(1, window + 1):", "    y[i] += x[t, i] - x[t - 1, i]"),
        Bound("window", "rows", 1),
    ),
    "the row itself": (("y[i] = x[window, i]",), Bound("window", "rows", 1)),
    "two rows a turn": (
        ("for t in range(window):", "    y[i] += x[2 * t, i] - x[2 * t + 1, i]"),
        Bound("window", "rows", 0, 2),
    ),
    "a row and one as far beyond": (
        ("for t in range(window):", "    y[i] += x[t, i] - x[t + window, i]"),
        Bound("window", "rows", 0, 2),
    ),
    "a multiple itself": (("y[i] = x[3 * window + 1, i]",), Bound("window", "rows", 2, 3)),
    "one of two numbers that bound it": (
        ("for t in range(window):", "    y[i] += x[wp.min(t, 2 * t + 1), i]"),
        Bound("window", "rows", 0),
    ),
    "a step": (("for t in range(0, rows, parts):", "    y[i] += x[t, i]"), Bound("rows", "parts")),
}


@pytest.mark.parametrize(("lines", "bound"), BEYOND.values(), ids=BEYOND)
def test_no_number_leads_beyond_an_array(tmp_path: Path, lines: tuple[str, ...], bound: Bound) -> None:
    assert set(rows(tmp_path, *lines).bounds) == {bound}


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        (("for t in range(wp.min(window, rows)):", "    y[i] += x[t, i]"), "n // 8 + 20"),
        (("for t in range(window):", "    if t < rows:", "        y[i] += x[t, i]"), "n // 8 + 20"),
        # The description itself has fewer rows.
        (("for t in range(window):", "    y[i] += x[t, i]"), "n // 8 + 1"),
        (("for t in range(window):", "    if 2 * t < rows:", "        y[i] += x[2 * t, i]"), "n // 8 + 20"),
        (("for t in range(window):", "    y[i] += x[2 * t + 1, i]"), "n // 8 + 6"),
        # A border is tested by a difference, which no size makes overflow.
        (
            ("for t in range(window):", "    if 2 * t < rows - 1:", "        y[i] += x[2 * t, i]"),
            "n // 8 + 20",
        ),
    ],
)
def test_a_number_is_not_refused_where(tmp_path: Path, lines: tuple[str, ...], count: str) -> None:
    assert rows(tmp_path, *lines, count=count).bounds == ()


def test_a_multiple_is_compared_without_overflow(tmp_path: Path) -> None:
    def refused(line: str) -> str:
        text = ROWS.replace("BODY", line).replace("ROWS", "n // 8 + 20")
        return translate(record_of(tmp_path, text)).standalone

    assert "window > rows / 2)" in refused("for t in range(window): y[i] += x[2 * t + 1, i]")
    assert "3 * int64_t(window) > int64_t(rows) - 2)" in refused("y[i] = x[3 * window + 1, i]")


HALVES = """
@wp.kernel
def halve(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    y[i, j] = x[2 * i, 2 * j] + x[2 * i + 1, 2 * j + 1]


LAUNCH = {"halve": {
    "sizes": {"height": "(n + 31) // 32 + 7", "width": "161", "rows": "height // 2", "cols": "width // 2"},
    "dims": ["rows", "cols"],
    "parameters": {
        "x": {"shape": ["height", "width"], "values": {"uniform": [0.0, 1.0]}},
        "y": {"role": "out", "shape": ["rows", "cols"]},
    },
}}
"""


def test_what_is_no_more_than_a_part_of_an_int_is_refused_once(tmp_path: Path) -> None:
    text = translate(record_of(tmp_path, HALVES)).text
    assert "if (cols > width / 2) return cudaErrorInvalidValue;" in text


def test_what_cuda_refuses_along_y_has_no_limit_of_its_own(tmp_path: Path) -> None:
    """2 * rows is an int for as many rows as 65,535 blocks have."""
    text = translate(record_of(tmp_path, HALVES)).text
    assert "blockIdx.y * blockDim.y + threadIdx.y;\n" in text
    assert "INT_MAX /" not in text


POOL = """
WINDOW = wp.constant(3)

@wp.kernel
def pool(x: wp.array2d(dtype=float), row: int, y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    y[i, j] += float(x.shape[0])
    for di in range(WINDOW):
        for dj in range(WINDOW):
            r = i * WINDOW + di
            y[i, j] += x[r, j * WINDOW + dj] + x[row, j]


LAUNCH = {"pool": {
    "sizes": {"rows": "(n + 31) // 32", "cols": "12", "in_rows": "ROWS", "in_cols": "3 * cols"},
    "dims": ["rows", "cols"],
    "parameters": {
        "x": {"shape": ["in_rows", "in_cols"], "values": {"uniform": [0.0, 1.0]}},
        "row": {"values": {"integers": [0, "LAST"]}},
        "y": {"role": "inout", "shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
    },
}}
"""


@pytest.mark.parametrize(
    ("count", "last", "bounds"),
    [
        ("3 * rows", "in_rows", {Bound("rows", "in_rows", 0, 3), Bound("row", "in_rows", 1)}),
        ("3 * rows + n", "in_rows - 1", {Bound("rows", "in_rows", 0, 3), Bound("row", "in_rows", 1)}),
        # The description itself has fewer rows, and others.
        ("3 * rows - n // 100", "in_rows + 1", set()),
    ],
)
def test_what_a_description_says_of_two_sizes_is_asked_of_both(
    tmp_path: Path, count: str, last: str, bounds: set[Bound]
) -> None:
    device = device_of(tmp_path, POOL.replace("ROWS", count).replace("LAST", last))
    assert {one for one in device.bounds if "in_rows" in (one.name, one.other)} == bounds


def test_what_a_bound_leaves_nothing_to_is_not_asked(tmp_path: Path) -> None:
    text = translate(record_of(tmp_path, POOL.replace("ROWS", "3 * rows").replace("LAST", "in_rows"))).text
    assert "if (row < 0 || rows > in_rows / 3 || cols > in_cols / 3 || row >= in_rows) return" in text


SHORT = """
@wp.kernel
def smooth(x: wp.array2d(dtype=float), window: int, y: wp.array2d(dtype=float)):
    i = wp.tid()
    last = x.shape[0] - 1
    for t in range(x.shape[0]):
        y[t, i] = x[wp.min(t + window + 1, last), i] + x[window, i]


LAUNCH = {"smooth": {
    "sizes": {"length": "64", "count": "(n + 31) // 32 + 1"},
    "dims": ["count"],
    "parameters": {
        "x": {"shape": ["length", "count"], "values": {"uniform": [0.0, 1.0]}},
        "window": {"values": {"integers": [1, 8]}},
        "y": {"role": "out", "shape": ["64", "count"]},
    },
}}
"""


def test_what_a_number_or_another_parameter_bounds_has_no_limit_of_its_own(tmp_path: Path) -> None:
    text = translate(record_of(tmp_path, SHORT)).text
    assert "length > 64 || window >= length) return" in text
    assert "INT_MAX /" not in text


def test_an_extent_is_no_more_than_an_array_has(tmp_path: Path) -> None:
    found = rows(tmp_path, "for t in range(rows):", "    z[t] = x[t, i]", count="96").allowed
    assert found["rows"][1] == 96


def test_a_loop_begins_at_an_element(tmp_path: Path) -> None:
    found = rows(tmp_path, "for t in range(window, rows):", "    y[i] += x[t, i]").allowed
    assert found["window"] == (0, math.inf)


def test_random_integers_lie_between_two_numbers(tmp_path: Path) -> None:
    line = "y[i] = float(wp.randi(wp.rand_init(1), 0, rows - 1))"
    assert rows(tmp_path, line).allowed == {"rows": (2, math.inf)}
    assert rows(tmp_path, line, count="n // 8 + 1").allowed == {}


def test_a_loop_shifts_by_no_more_bits_than_there_are(tmp_path: Path) -> None:
    lines = "for bit in range(k):", "    y[i] += float(wp.uint32(1) << wp.uint32(bit))"
    assert allowed(tmp_path, *lines)["k"] == (-math.inf, 32)
    assert "k" not in allowed(tmp_path, *lines, k=(1, 40))
