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
    assert "total += a[i * inner + k] * b[k * cols + j];" in device.kernel
    assert "c[i * cols + j] = total;" in device.kernel
    assert [p.declaration for p in device.parameters if p.c_type == "int"] == [
        "int inner",
        "int rows",
        "int cols",
    ]
