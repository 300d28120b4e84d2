"""A dropped wrap of negative indices is a precondition, and the kernel's comment says which."""

from pathlib import Path

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


def test_an_index_made_of_floats_states_the_lowest_float(tmp_path: Path) -> None:
    assert "// Precondition: no element of values is below -1.\n" in device_of(tmp_path, FLOATS).kernel


def test_what_bounds_a_loop_is_a_precondition_of_its_indices(tmp_path: Path) -> None:
    assert (
        "// Precondition: no element of offsets or columns is negative.\n" in device_of(tmp_path, ROWS).kernel
    )
