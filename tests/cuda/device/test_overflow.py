"""Integers wrap around: an index that may is wrapped, or the launcher refuses sizes for which it would."""

from __future__ import annotations

from pathlib import Path

import pytest
from translated import record_of, text_of

from weft.cuda.program import translate

KERNEL = """
@wp.kernel
def mix(x: wp.array(dtype=float), y: wp.array(dtype=float), count: int, n: int):
    i = wp.tid()
    {}


"""

LAUNCH = """
LAUNCH = {{"mix": {{"sizes": {{"size": "{size}"}}, "dims": ["{size}"], "parameters": {{
    "x": {{"shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "y": {{"role": "out", "shape": ["n"]}},
    "count": {{"values": {{"integers": [0, 8]}}}},
    "n": {{"values": {{"size": "n"}}}},
}}}}}}
"""

HASH = """h = int(17)
    for j in range(count):
        h = h * 31 + 11
    y[i] = x[(h + i) % 16]"""

WRAPPED = {
    "a hash": (HASH, "", "x[wrap_index((h + i) % 16, "),
    "a hash in a described launch": (HASH, "n", "x[wrap_index((h + i) % 16, n)]"),
    "a square": ("y[i] = x[(i * i) % 7]", "", "x[wrap_index(i * i % 7, "),
    "a square of few threads": ("y[i] = x[(i * i) % 7]", "min(n, 1000)", "x[i * i % 7]"),
    "a distance": ("y[i] = x[abs(count) % 7]", "", "x[wrap_index(abs(count) % 7, "),
    "a distance of two threads": ("y[i] = x[abs(i - 7) % 7]", "", "x[abs(i - 7) % 7]"),
    "a shift": ("y[i] = x[(i << 4) % 7]", "", "x[wrap_index((i << 4) % 7, "),
    "a neighbour": ("y[i] = x[i + 1]", "", "x[i + 1]"),
    "a far neighbour": ("y[i] = x[i + 2]", "", "x[i + 2]"),
    "a neighbour before": ("y[i] = x[i - 1]", "", "x[wrap_index(i - 1, "),
    "a count": (
        "k = int(0)\n    for j in range(count):\n        k += 1\n    y[i] = x[k]",
        "",
        "x[k]",
    ),
    "a count of twos": (
        "k = int(0)\n    for j in range(count):\n        k += 2\n    y[i] = x[k]",
        "",
        "x[wrap_index(k, ",
    ),
    "digits": (
        "r = count\n    s = int(0)\n    while r > 0:\n        s += r % 3\n        r = r // 3\n"
        "    y[i] = x[s % 7]",
        "n",
        "x[s % 7]",
    ),
}


def _source(body: str, size: str) -> str:
    return KERNEL.format(body) + (LAUNCH.format(size=size) if size else "")


@pytest.mark.parametrize(("body", "size", "expected"), WRAPPED.values(), ids=list(WRAPPED))
def test_an_index_is_wrapped_where_it_may_overflow(
    tmp_path: Path, body: str, size: str, expected: str
) -> None:
    assert expected in text_of(tmp_path, _source(body, size))


def _program(folder: Path, source: str) -> str:
    return translate(record_of(folder, source)).standalone


def test_a_launcher_refuses_sizes_that_what_was_proved_leaves_out(tmp_path: Path) -> None:
    program = _program(tmp_path, _source("y[i] = x[(i + 4 * n) % n]", "n"))
    assert "x[(i + 4 * n) % n]" in program
    assert "if (n > INT_MAX / 5) return cudaErrorInvalidValue;" in program


SEARCH = """
@wp.kernel
def find(keys: wp.array(dtype=float), table: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    low = int(0)
    high = table.shape[0]
    while low < high:
        middle = low + (high - low) // 2
        if table[middle] < keys[i]:
            low = middle + 1
        else:
            high = middle
    first = wp.min(int(keys[i] * float(table.shape[0] - 1)), table.shape[0] - 2)
    y[i] = float(low) FIRST


LAUNCH = {"find": {"sizes": {"entries": "n // 2 + 3"}, "dims": ["n"], "parameters": {
    "keys": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
    "table": {"shape": ["entries"], "memory": "MEMORY", "values": {"uniform": [0.0, 1.0]}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""


@pytest.mark.parametrize(
    ("memory", "first", "limited"),
    [
        ("global", "", False),
        ("global", "+ table[first + 1]", True),
        ("texture", "+ table[first + 1]", False),
    ],
)
def test_no_limit_for_half_a_distance_nor_beyond_textures(
    tmp_path: Path, memory: str, first: str, limited: bool
) -> None:
    program = _program(tmp_path, SEARCH.replace("FIRST", first).replace("MEMORY", memory))
    assert ("must fit into an int" in program) == limited


@pytest.mark.parametrize(
    ("body", "overflowing"),
    [
        ("y[i] = x[(i + 4 * n) % n]", "i + 4 * n"),
        ("k = i + 4 * n\n    y[i] = x[k % n] + x[(k + 1) % n]", "i + 4 * n"),
        ("y[i] = float((4 * n + i) // 3)", "4 * n + i"),
        ("y[i] = float((4 * n + i) // 3) * x[(i + 4 * n) % n]", "4 * n + i and i + 4 * n"),
        (f"y[i] = x[({' + '.join('n' * 40)} + i) % n]", "indices"),
    ],
)
def test_a_launcher_says_what_could_overflow(tmp_path: Path, body: str, overflowing: str) -> None:
    comment = f"// The kernel's {overflowing} must fit into an int.\n"
    assert comment in _program(tmp_path, _source(body, "n"))


LIMITS = {"i + 1": "", "i + 2": "INT_MAX - 65535", "2 * i + 1": "INT_MAX / 2", "4 * i + 3": "INT_MAX / 8"}


@pytest.mark.parametrize(("index", "limit"), LIMITS.items())
def test_a_launcher_refuses_more_threads_than_have_indices(tmp_path: Path, index: str, limit: str) -> None:
    program = _program(tmp_path, _source(f"y[i] = x[{index}]", ""))
    assert f"x[{index}]" in program
    assert (f"if (thread_count > {limit}) return cudaErrorInvalidValue;" in program) == bool(limit)
    assert bool(limit) == ("cudaErrorInvalidValue;" in program)


def test_a_parameter_tells_the_size_where_the_launch_does_not(tmp_path: Path) -> None:
    body = "while i < n:\n        y[i] = x[i]\n        i += 512"
    program = _program(tmp_path, _source(body, "min(n, 512)"))
    assert "y[i] = x[i];" in program
    assert "if (n > INT_MAX / 2) return cudaErrorInvalidValue;" in program


CAPPED = """
@wp.kernel
def mix(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[({index}) % x.shape[0]]


LAUNCH = {{"mix": {{"sizes": {{"size": "{size}"}}, "dims": ["size"], "parameters": {{
    "x": {{"shape": ["{shape}"], "values": {{"uniform": [0.0, 1.0]}}}},
    "y": {{"role": "out", "shape": ["size"]}},
}}}}}}
"""

REFUSED = {
    "enough room": ("i", "min(n, 251) + 3", "size", ""),
    "a cap is the description's own": ("5000 * i", "min(n, 251) + 3", "size", "size > INT_MAX / 8192"),
    "and so is a rate": ("60 * i", "(n + 63) // 64", "size", "size > INT_MAX / 64"),
    "no launch of a small base size is refused": ("4000 * i", "4 * n", "size", "size > (1 << 19)"),
    "an extent is an int": ("60 * i", "min(n, 9)", "60 * size", "size > INT_MAX / 60"),
}


@pytest.mark.parametrize(("index", "size", "shape", "refused"), REFUSED.values(), ids=REFUSED)
def test_proofs_rely_on_no_size_that_a_caller_may_exceed(
    tmp_path: Path, index: str, size: str, shape: str, refused: str
) -> None:
    """How a description computes a size from the base size says nothing of other arrays."""
    program = _program(tmp_path, CAPPED.format(index=index, size=size, shape=shape))
    assert "wrap_index" not in program
    assert (f"if ({refused}) return cudaErrorInvalidValue;" in program) == bool(refused)


@pytest.mark.parametrize(("columns", "most"), [(3, "INT_MAX / 6"), (20, "INT_MAX / COLS")])
def test_the_tighter_of_two_limits_is_tested_alone(tmp_path: Path, columns: int, most: str) -> None:
    """The proof needs 6 * size: an array of 20 elements a row has fewer rows, one of 3 may have more."""
    text = CAPPED.format(index="6 * i", size="(n + 63) // 64", shape="size")
    text = text.replace("y: wp.array(dtype=float)", "y: wp.array2d(dtype=float)").replace("y[i]", "y[i, 0]")
    text = text.replace('"shape": ["size"]}', f'"shape": ["size", {columns}]}}')
    program = _program(tmp_path, text)
    assert f"if (size > {most}) return cudaErrorInvalidValue;" in program
    assert program.count("return cudaErrorInvalidValue;") == 1


UNDESCRIBED_DIMS = """
@wp.kernel
def mix(x: wp.array(dtype=float), n: int, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[(4 * n + 3) % 7]


LAUNCH = {"mix": {"parameters": {
    "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
    "n": {"values": {"size": "n"}},
    "y": {"role": "out", "shape": ["n"]},
}}}
"""


def test_the_length_of_an_undescribed_launch_is_no_size(tmp_path: Path) -> None:
    """What the launcher refuses is the size that the proof needs to be small."""
    assert "if (n > INT_MAX / 4) return cudaErrorInvalidValue;" in _program(tmp_path, UNDESCRIBED_DIMS)


@pytest.mark.parametrize(
    ("index", "limit"), [("2 * i", 2), ("2 * i + n + 1", 3), ("11 * i", 11), ("40 * i", 48)]
)
def test_a_limit_is_the_part_of_an_int_that_the_arithmetic_needs(
    tmp_path: Path, index: str, limit: int
) -> None:
    program = _program(tmp_path, _source(f"y[i] = x[({index}) % n]", "n"))
    assert f"if (n > INT_MAX / {limit}) return cudaErrorInvalidValue;" in program


def test_sizes_that_need_no_room_are_not_refused(tmp_path: Path) -> None:
    assert "cudaErrorInvalidValue;" not in _program(tmp_path, _source("y[i] = x[n - 1 - i]", "n"))


PLANE = """
@wp.kernel
def plane(x: wp.array(dtype=float), rows: int, cols: int, y: wp.array(dtype=float)):
    {}


LAUNCH = {{"plane": {{"sizes": {{"rows": "(n + 4) // 5", "cols": "{}"}}, "dims": {}, "parameters": {{
    "x": {{"shape": ["rows * cols"], "values": {{"uniform": [0.0, 1.0]}}}},
    "rows": {{"values": {{"size": "rows"}}}},
    "cols": {{"values": {{"size": "cols"}}}},
    "y": {{"role": "out", "shape": ["rows * cols"]}},
}}}}}}
"""

REFUSED = {
    "a row of threads that is given as two sizes": (
        "i, j = wp.tid()\n    y[i * cols + j] = x[i * cols + j]",
        "5",
        '["rows", "cols"]',
        "const int64_t threads_x = int64_t(rows) * cols;",
    ),
    "a product": (
        "i = wp.tid()\n    if i >= rows * cols:\n        return\n    y[i] = x[i]",
        "5",
        '["(rows * cols + 63) // 64 * 64"]',
        "const int64_t threads_x = int64_t(rows) * cols;",
    ),
    "a multiple": ("i = wp.tid()\n    y[i % rows] = x[0]", "7", '["rows * 3"]', "= int64_t(rows) * 3;"),
}


@pytest.mark.parametrize(("body", "cols", "dims", "counted"), REFUSED.values(), ids=list(REFUSED))
def test_a_launcher_refuses_more_threads_than_the_kernel_can_count(
    tmp_path: Path, body: str, cols: str, dims: str, counted: str
) -> None:
    program = _program(tmp_path, PLANE.format(body, cols, dims))
    refusal = "if (threads_x > INT_MAX) return cudaErrorInvalidConfiguration;"
    assert counted in program
    assert program.index(counted) < program.index(refusal) < program.index("<<<")


BOX = """
@wp.kernel
def box(x: wp.array3d(dtype=float), y: wp.array3d(dtype=float)):
    i, j, k = wp.tid()
    y[i, j, k] = x[i, j, k] + float(i)


LAUNCH = {"box": {"sizes": {"a": "n // 99 + 1", "b": "5", "c": "7"}, "dims": ["a", "b", "c"], "parameters": {
    "x": {"shape": ["a", "b", "c"], "values": {"uniform": [0.0, 1.0]}},
    "y": {"role": "out", "shape": ["a", "b", "c"]},
}}}
"""


def test_three_factors_are_not_multiplied_before_two_are_looked_at(tmp_path: Path) -> None:
    """Two ints fit into 64 bits, three do not; an extent by which is divided is not zero any more."""
    program = _program(tmp_path, BOX)
    refusal = "if (int64_t(a) * b > INT_MAX / c) return cudaErrorInvalid"
    assert program.index("if (a <= 0 || b <= 0 || c <= 0) return cudaSuccess;") < program.index(refusal)


@pytest.mark.parametrize("size", ["m", "x.shape[0]"])
def test_no_loop_over_tiles_counts_beyond_an_int(tmp_path: Path, size: str) -> None:
    text = f"""
@wp.kernel
def add(x: wp.array(dtype=float), y: wp.array(dtype=float){", m: int" * (size == "m")}):
    i = wp.tid()
    total = float(0.0)
    for j in range({size}):
        total += x[j]
    y[i] = total


LAUNCH = {{"add": {{"sizes": {{"m": "(n + 1) // 2"}}, "dims": ["n"], "parameters": {{
    {"'m': {'values': {'size': 'm'}}," * (size == "m")}
    "x": {{"shape": ["m"], "values": {{"uniform": [0.0, 1.0]}}}},
    "y": {{"role": "out", "shape": ["n"]}},
}}}}}}
"""
    program = translate(record_of(tmp_path, text)).text
    assert "start += TILE_SIZE" in program
    assert "if (m > INT_MAX - TILE_SIZE) return cudaErrorInvalidValue;" in program


PAIRS = """
@wp.kernel
def swap(x: wp.array2d(dtype=float), pairs: int):
    i, k = wp.tid()
    first = x[i, 2 * k]
    x[i, 2 * k] = x[i, 2 * k + 1]
    x[i, 2 * k + 1] = first


LAUNCH = {"swap": {"sizes": {"pairs": "64"}, "dims": ["n", "pairs"], "parameters": {
    "x": {"role": "inout", "shape": ["n", "2 * pairs"], "values": {"uniform": [0.0, 1.0]}},
    "pairs": {"values": {"size": "pairs"}},
}}}
"""


def test_a_product_of_extents_is_no_int_where_an_offset_is_none(tmp_path: Path) -> None:
    program = _program(tmp_path, PAIRS)
    assert "size_t(i) * 2 * pairs + 2 * k" in program


EXTENTS = """
@wp.kernel
def sum_rows(
    x: wp.array2d(dtype=int), y: wp.array2d(dtype=int), w: wp.array(dtype=int), pairs: wp.array(dtype=int)
):
    i = wp.tid()
    columns = w.shape[0]
    total = w[columns - 1]
    for j in range(y.shape[0]):
        total += y[j, i]
    for j in range(columns):
        total += x[j, i] * w[j]
    pairs[2 * i] = total


LAUNCH = {"sum_rows": {"sizes": {"m": "n // 32 + 1", "rows": "16", "other": "16"},
    "dims": ["m"], "parameters": {
    "x": {"shape": ["rows", "m"], "values": {"integers": [0, 9]}},
    "y": {"shape": ["other", "m"], "values": {"integers": [0, 9]}},
    "w": {"shape": ["rows"], "values": {"integers": [0, 9]}},
    "pairs": {"role": "out", "shape": ["2 * m"]},
}}}
"""


def test_extents_of_equal_numbers_are_checked_by_their_names(tmp_path: Path) -> None:
    program = translate(record_of(tmp_path, EXTENTS)).standalone
    launcher = program[program.index("cudaError_t launch") :]
    assert "columns < 1" in launcher and "int64_t(columns) * m > INT_MAX" in launcher
    assert "// pairs has 2 * m elements, which an int must count.\n" in launcher
