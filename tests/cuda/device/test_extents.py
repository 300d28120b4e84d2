"""Which sizes a kernel takes as parameters."""

from pathlib import Path

from translated import device_of

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
    "sizes": {{"neighbors": "12", "rows": "40"}},
    "dims": ["n"],
    "parameters": {{
        "table": {{"shape": ["rows", "neighbors"], "values": {{"uniform": [0.0, 1.0]}}}},
        "ids": {{"shape": ["n", "neighbors"], "values": {{"integers": [0, "rows"]}}}},
        "out": {{"role": "out", "shape": ["n"]}},{given}
    }},
}}}}
"""


def test_a_number_that_no_caller_chooses_is_one(tmp_path: Path) -> None:
    text = device_of(tmp_path, FIXED.format(more="", stop=12, given="")).kernel
    assert "ids[size_t(i) * 12 + k] * 12 + k]" in text and "neighbors" not in text
    text = device_of(tmp_path, FIXED.format(more="", stop=11, given="")).kernel
    assert "ids[size_t(i) * NEIGHBORS + k] * NEIGHBORS + k]" in text
    given = '"count": {"values": {"size": "neighbors"}},'
    text = device_of(tmp_path, FIXED.format(more=", count: int", stop="count", given=given)).kernel
    assert "* count + k]" in text and "12" not in text
