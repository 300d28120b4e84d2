"""Where a thread is in its launch, and the one check that stops the threads beyond it."""

import re
from pathlib import Path

import pytest
from translated import device_of, record_of

from weft.cuda.program import translate

KERNEL = """
@wp.kernel
def f(x: wp.array2d(dtype=float), ids: wp.array(dtype=int), rows: int, cols: int, y: wp.array2d(dtype=float)):
    {body}
"""
DESCRIBED = """

LAUNCH = {{"f": {{"sizes": {{"rows": "6", "cols": "(n + 5) // 6"}}, "dims": {dims}, "parameters": {{
    "x": {{"shape": ["rows", "cols"], "values": {{"uniform": [0.0, 1.0]}}}},
    "ids": {{"shape": ["n"], "values": {{"integers": [0, 6]}}}},
    "rows": {{"values": {{"size": "rows"}}}},
    "cols": {{"values": {{"size": "cols"}}}},
    "y": {{"role": "out", "shape": ["rows", "cols"]}},
}}}}}}
"""


def kernel(folder: Path, body: str, dims: str = "") -> str:
    """The text of the kernel; described if there are launch dimensions."""
    text = KERNEL.format(body=body.replace("\n", "\n    "))
    return device_of(folder, text + (DESCRIBED.format(dims=dims) if dims else "")).kernel


CHECKS = {
    "ours": (
        "i, j = wp.tid()\ny[i, j] = x[i, 0]",
        '["rows", "cols"]',
        ["if (i >= rows || j >= cols) return;"],
    ),
    "the kernel's own, in another order": (
        "i, j = wp.tid()\nif j >= cols or i >= rows:\n    return\ny[i, j] = x[i, 0]",
        '["rows + 3", "cols + 1"]',
        ["if (i >= rows || j >= cols) return;"],
    ),
    "the kernel's own, one below the other": (
        "i, j = wp.tid()\nif i >= x.shape[0]:\n    return\nif j >= cols:\n    return\ny[i, j] = x[i, 0]",
        '["rows + 3", "cols + 1"]',
        ["if (i >= rows || j >= cols) return;"],
    ),
    "the kernel's own round its body": (
        "i, j = wp.tid()\nif i < rows and j < cols:\n    y[i, j] = x[i, 0]",
        '["rows", "cols"]',
        ["if (i >= rows || j >= cols) return;"],
    ),
    "one of the kernel's own, and one of ours": (
        "i, j = wp.tid()\nif i >= rows:\n    return\ny[i, j] = x[i, 0]",
        '["rows + 3", "cols"]',
        ["if (i >= rows || j >= cols) return;"],
    ),
    "what the kernel asks beside it": (
        "i, j = wp.tid()\nif i >= rows or j >= cols or ids[i] == 3:\n    return\ny[i, j] = x[i, 0]",
        '["rows + 3", "cols"]',
        ["if (i >= rows || j >= cols) return;", "if (ids[i] == 3) return;"],
    ),
    "what the kernel asks before it": (
        "i, j = wp.tid()\nif ids[i % 2] == 3 or i >= rows or j >= cols:\n    return\ny[i, j] = x[i, 0]",
        '["rows + 3", "cols"]',
        [
            "if (i >= rows + 3 || j >= cols) return;",
            "if (ids[i & 1] == 3 || i >= rows || j >= cols) return;",
        ],
    ),
    "one that no thread of the launch fails": (
        "i, j = wp.tid()\nif i >= rows + 1 or j >= cols:\n    return\ny[i, j] = x[i, 0]",
        '["rows", "cols"]',
        ["if (i >= rows || j >= cols) return;"],
    ),
    "a product": (
        "i = wp.tid()\nif i >= rows * cols:\n    return\ny[i / cols, i % cols] = x[0, 0]",
        '["(rows * cols + 31) // 32 * 32"]',
        ["if (i >= rows * cols) return;"],
    ),
    "a limit that is another size": (
        "i = wp.tid()\nif i >= cols:\n    return\ny[0, i] = x[0, i]",
        '["rows"]',
        ["if (i >= rows) return;", "if (i >= cols) return;"],
    ),
}


@pytest.mark.parametrize(("body", "dims", "expected"), CHECKS.values(), ids=CHECKS)
def test_a_coordinate_is_checked_once(tmp_path: Path, body: str, dims: str, expected: list[str]) -> None:
    lines = [line.strip() for line in kernel(tmp_path, body, dims).split("\n")]
    assert [line for line in lines if line.startswith("if")] == expected


def test_what_the_kernel_says_of_its_check_stays(tmp_path: Path) -> None:
    body = "i, j = wp.tid()\n# Padding.\nif i >= rows:  # of a launch\n    return\ny[i, j] = x[i, 0]"
    text = kernel(tmp_path, body, '["rows + 3", "cols"]')
    assert "    // Padding.\n    if (i >= rows || j >= cols) return;  // of a launch\n" in text


ROWS = {
    "elements of its own": ("y[i, j] = x[i, j] * 2.0", "y[index] = x[index] * 2.0f;"),
    "the offset that the kernel computes": (
        "k = i * cols + j\ny[i, j] = x[i, j] + float(ids[k])",
        "y[k] = x[k] + float(ids[k]);",
    ),
    "components of its own": ("v = wp.vec2(x[i, j], x[i, j])\ny[i, j] = v[0]", "y[index]"),
}


@pytest.mark.parametrize(("body", "expected"), ROWS.values(), ids=ROWS)
def test_one_row_of_threads_is_enough_for(tmp_path: Path, body: str, expected: str) -> None:
    text = kernel(tmp_path, f"i, j = wp.tid()\n{body}", '["rows", "cols"]')
    assert expected in text
    assert "blockIdx.y" not in text
    assert "index >= rows * cols" in text or "k >= rows * cols" in text


def test_one_row_of_threads_is_enough_where_sizes_are_rounded_up(tmp_path: Path) -> None:
    """The launcher refuses what an int cannot count."""
    source = KERNEL.format(body="i, j = wp.tid()\n    y[i, j] = x[i, j]") + ROUNDED
    program = translate(record_of(tmp_path, source)).standalone
    assert "if (index >= rows * cols) return;" in program
    assert "if (threads_x > INT_MAX) return cudaErrorInvalidConfiguration;" in program


ROUNDED = DESCRIBED.format(dims='["rows", "cols"]').replace(
    '"rows": "6", "cols": "(n + 5) // 6"', '"rows": "(n + 511) // 512", "cols": "512"'
)

GRIDS = {
    "a neighbour": "y[i, j] = x[wp.max(i - 1, 0), j]",
    "another order": "y[j % rows, i % cols] = x[i, j]",
    "a coordinate": "y[i, j] = x[i, j] + float(j)",
    "another array's row": "y[i, j] = float(ids[i]) * x[i, j]",
}


@pytest.mark.parametrize("body", GRIDS.values(), ids=GRIDS)
def test_more_than_that_takes_a_grid(tmp_path: Path, body: str) -> None:
    text = kernel(tmp_path, f"i, j = wp.tid()\n{body}", '["rows", "cols"]')
    assert "const int i = blockIdx.y * blockDim.y + threadIdx.y;" in text
    assert "const int j = blockIdx.x * blockDim.x + threadIdx.x;" in text


def test_a_row_takes_its_length_where_the_kernel_has_no_use_for_the_factors(tmp_path: Path) -> None:
    copy = """
@wp.kernel
def copy(x: wp.array3d(dtype=float), y: wp.array3d(dtype=float)):
    i, j, k = wp.tid()
    y[i, j, k] = x[i, j, k]


LAUNCH = {"copy": {"sizes": {"a": "(n + 11) // 12", "b": "4"}, "dims": ["a", "b", 3], "parameters": {
    "x": {"shape": ["a", "b", 3], "values": {"uniform": [0.0, 1.0]}},
    "y": {"role": "out", "shape": ["a", "b", 3]},
}}}
"""
    record = record_of(tmp_path, copy)
    text = translate(record).standalone
    assert "__global__ void copy(const float* __restrict__ x, float* __restrict__ y, int count) {" in text
    assert "CUDA_CHECK(launch_copy(x.device, y.device, a * b * 3));" in text
    longer = copy.replace('"a": "(n + 11) // 12", "b": "4"', '"a": "n", "b": "n // 4 + 1"')
    assert "blockIdx.y" in device_of(tmp_path, longer).kernel


CUBE = """
@wp.kernel
def mark(out: wp.array3d(dtype=int)):
    i, j, k = wp.tid()
    out[i, j, k] = i + j + k
"""


def test_the_first_dimension_of_a_launch_that_nobody_described_may_be_long(tmp_path: Path) -> None:
    program = translate(record_of(tmp_path, CUBE)).standalone
    assert "const int i = blockIdx.x * blockDim.z + threadIdx.z;" in program
    assert "const int k = blockIdx.z * blockDim.x + threadIdx.x;" in program
    assert "// A grid has up to 65,535 blocks along y and z: the first dimension goes along its x." in program
    assert "const dim3 grid((planes + block.z - 1) / block.z, " in program


@pytest.mark.parametrize(
    ("rows", "row", "grid"),
    [
        (2, "const int i = threadIdx.y;", "const unsigned grid = (cols + block.x - 1) / block.x;"),
        (16, "const int i = blockIdx.y * blockDim.y + threadIdx.y;", "(cols + block.x - 1) / block.x, 2);"),
    ],
)
def test_rows_that_are_whole_blocks_need_no_check(tmp_path: Path, rows: int, row: str, grid: str) -> None:
    source = KERNEL.format(body="i, j = wp.tid()\n    y[i, j] = x[i, 0] + float(j)")
    described = DESCRIBED.format(dims=f'[{rows}, "cols"]').replace('"rows": "6"', '"rows": "16"')
    program = translate(record_of(tmp_path, source + described.replace("(n + 5) // 6", "n"))).standalone
    assert row in program and grid in program
    assert "if (j >= cols) return;" in program


LONG_ROWS = DESCRIBED.format(dims='["rows", "cols"]').replace('"rows": "6"', '"rows": "n"')


@pytest.mark.parametrize(("cols", "along"), [("6", "x"), ("n", "y")])
def test_rows_that_are_more_than_a_grid_has_along_y_go_along_x(tmp_path: Path, cols: str, along: str) -> None:
    """Nothing holds an image of a million rows and as many columns."""
    body = "    y[i, j] = x[i, j] + float(j)"
    source = KERNEL.format(body=f"i, j = wp.tid()\n{body}") + LONG_ROWS.replace("(n + 5) // 6", cols)
    assert (
        f"const int i = blockIdx.{along} * blockDim.y + threadIdx.y;"
        in translate(record_of(tmp_path, source)).standalone
    )


STRIDE = """
@wp.struct
class Pair:
    y: wp.array(dtype=float)


@wp.kernel
def work(x: wp.array(dtype=float), count: int, threads: int, pair: Pair, y: wp.array(dtype=float),
         total: wp.array(dtype=int), plane: wp.array2d(dtype=float), cols: int):
    tid = wp.tid()
    {body}


LAUNCH = {{"work": {{
  "sizes": {{"threads": "(n + 2) // 3", "rows": "(n + 6) // 7", "cols": "7"}},
  "dims": ["threads"], "parameters": {{
    "x": {{"shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "count": {{"values": {{"size": "n"}}}},
    "threads": {{"values": {{"size": "{size}"}}}},
    "pair.y": {{"role": "inout", "shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "y": {{"role": "inout", "shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "total": {{"role": "inout", "shape": [3], "values": {{"integers": [0, 3]}}}},
    "plane": {{"role": "inout", "shape": ["rows", "cols"], "values": {{"uniform": [0.0, 1.0]}}}},
    "cols": {{"values": {{"size": "cols"}}}},
}}}}}}
"""
LOOP = "for i in range(tid, count, threads):\n    "


def stride(folder: Path, body: str, size: str = "threads") -> str:
    return device_of(folder, STRIDE.format(body=body.replace("\n", "\n    "), size=size)).kernel


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = 2.0 * y[i] + x[count - 1 - i]",
        "for k in range(5):\n        if x[k] > y[i]:\n            break\n        y[i] += x[k]",
        "wp.atomic_add(total, i % 3, 1)\n    y[i] = x[i]",
    ],
)
def test_threads_take_turns_by_the_grid(tmp_path: Path, body: str) -> None:
    text = stride(tmp_path, LOOP + body)
    assert (
        "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {"
        in text
    )
    assert "threads)" not in text and "return" not in text


PLACE = "row = i // cols\n    col = i % cols\n    "


@pytest.mark.parametrize(
    "body",
    [
        LOOP + PLACE + "plane[row, col] = 2.0 * plane[row, col] + x[i]",
        LOOP + PLACE + "y[row * cols + col] = x[i]",
        LOOP + PLACE + "place = row * cols + col\n    y[place] = x[place]",
        LOOP + "pair.y[i] += x[i]",
        "while tid < count:\n    y[tid] = x[tid]\n    tid += threads",
        "for k in range(3):\n    i = k * threads + tid\n    if i < count:\n        y[i] = x[i]",
    ],
)
def test_a_turn_is_told_by_its_place_too(tmp_path: Path, body: str) -> None:
    text = stride(tmp_path, body)
    assert "+= gridDim.x * blockDim.x) {" in text
    assert "threads)" not in text and "return" not in text


KEPT = {
    "a quotient by another number": LOOP + "row = i // cols\n    col = i % 3\n    plane[row, col] = x[i]",
    "a quotient alone": LOOP + PLACE + "plane[row, 0] = x[col]",
    "a divisor that changes": (
        LOOP + "some = cols - i % 2\n    row = i // some\n    col = i % some\n    plane[row, col] = x[i]"
    ),
    "the same parts at other axes": LOOP + PLACE + "plane[row, col] = plane[col, row]",
    "the thread's number is asked for": LOOP + "y[i] = x[i] + float(tid)",
    "the number of threads is asked for": LOOP + "y[i] = x[i] * float(threads)",
    "more is done before": "first = x[tid]\n" + LOOP + "y[i] = x[i] + first",
    "more is done after": LOOP + "y[i] = x[i]\ny[tid] = 1.0",
    "a loop that is left": LOOP + "y[i] = x[i]\n    if x[i] > 0.5:\n        break",
    "a kernel that is left": LOOP + "y[i] = x[i]\n    if x[i] > 0.5:\n        return",
    "an element of another turn is read": LOOP + "y[i] = y[(i + 1) % count]",
    "an element of any turn is written": LOOP + "y[i % 3] = x[i]",
    "an array of a struct": LOOP + "pair.y[i % 3] = x[i]",
    "an old value is asked for": LOOP + "y[i] = float(wp.atomic_add(total, 0, 1))",
    "an update that is read": LOOP + "wp.atomic_add(total, 0, 1)\n    y[i] = float(total[0])",
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_a_thread_keeps_its_turns(tmp_path: Path, body: str) -> None:
    text = stride(tmp_path, body)
    assert "gridDim" not in text
    assert "i += threads" in text


def test_a_loop_that_goes_on_early_does_not_step(tmp_path: Path) -> None:
    """Whoever writes that has a loop without an end, in Python as well."""
    body = (
        "while tid < count:\n    if x[tid] > 0.5:\n        continue\n    y[tid] = x[tid]\n    tid += threads"
    )
    assert "while (tid < count) {" in stride(tmp_path, body)


def test_a_stride_that_is_not_the_number_of_threads_stays(tmp_path: Path) -> None:
    assert "gridDim" not in stride(tmp_path, LOOP + "y[i] = x[i]", "n // 7 + 1")


TILES = """
@wp.kernel
def twice(x: wp.array(dtype=float), cols: int, y: wp.array(dtype=float)):
    block = wp.tid()
    if block < cols:
        values = wp.tile_load(x, shape=16, offset=block * 16)
        wp.tile_store(y, values * 2.0, offset=block * 16)


LAUNCH = {"twice": {"sizes": {"cols": "n"}, "dims": ["(cols + 15) // 16"], "block_dim": 32, "parameters": {
    "x": {"shape": ["(cols + 15) // 16 * 16"], "values": {"uniform": [0.0, 1.0]}},
    "cols": {"values": {"size": "cols"}},
    "y": {"role": "out", "shape": ["(cols + 15) // 16 * 16"]},
}}}
"""


def test_a_launcher_uses_what_it_is_given(tmp_path: Path) -> None:
    program = translate(record_of(tmp_path, TILES)).standalone
    (launcher,) = re.findall(r"launch_twice\(([^)]*)\) \{(.*?)\n\}", program, re.DOTALL)
    for parameter in re.findall(r"(\w+)(?: = nullptr)?(?:,|$)", launcher[0]):
        assert re.search(rf"\b{parameter}\b", launcher[1]), parameter
