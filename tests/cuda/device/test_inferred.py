"""Defaults promise nothing: extents are their own, indices are wrapped, the launch has a check."""

from pathlib import Path

from translated import device_of

from weft.cuda.device_code import Axis

ROWS = """
@wp.kernel
def gather(a: wp.array2d(dtype=float), rows: wp.array(dtype=int), n: int, out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    if i >= n:
        return
    out[i, j] = a[rows[i], j]
"""

DESCRIBED = """

LAUNCH = {"gather": {"sizes": {"cols": "64"}, "dims": ["n // 64 + 1", "cols"], "parameters": {
    "a": {"shape": ["n", "cols"], "values": {"uniform": [0.0, 1.0]}},
    "rows": {"shape": ["n"], "values": {"integers": [0, "n"]}},
    "n": {"values": {"size": "n // 64 + 1"}},
    "out": {"role": "out", "shape": ["n // 64 + 1", "cols"]},
}}}
"""

HALF = """

LAUNCH = {"gather": {"parameters": {"a": {"shape": ["n", 16], "values": {"uniform": [0.0, 1.0]}}}}}
"""

STATE = """
@wp.struct
class State:
    positions: wp.array(dtype=wp.vec3)
    field: wp.array2d(dtype=float)
    next: wp.array(dtype=int)
    mass: float


@wp.func
def sample(state: State, i: int):
    return state.field[state.next[i], 0] * state.mass


@wp.kernel
def advance(state: State):
    i = wp.tid()
    if state.positions:
        state.positions[i] = state.positions[i - 1] * sample(state, i)
"""


PLAIN = """
@wp.kernel
def turn(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    out[i, j] = a[i, j] + b[j, i] + a[i, j + 1]
"""


def test_every_array_has_extents_of_its_own_and_so_has_the_launch(tmp_path: Path) -> None:
    """A launch may be over a part of the arrays, and rows may be padded."""
    device = device_of(tmp_path, ROWS)
    assert {one.c_name: one.axis for one in device.parameters if one.axis} == {
        "n": Axis(None, 0),
        "cols": Axis(None, 1),
        "out_cols": Axis("out", 1),
        "a_rows": Axis("a", 0),
        "a_cols": Axis("a", 1),
    }
    turn = device_of(tmp_path, PLAIN)
    assert {one.c_name: one.axis for one in turn.parameters if one.axis} == {
        "rows": Axis(None, 0),
        "cols": Axis(None, 1),
        "out_cols": Axis("out", 1),
        "a_cols": Axis("a", 1),
        "b_cols": Axis("b", 1),
    }


def test_only_the_code_proves_that_an_index_is_not_negative(tmp_path: Path) -> None:
    assert "a[size_t(wrap_index(rows[i], a_rows)) * a_cols + j]" in device_of(tmp_path, ROWS).kernel
    described = device_of(tmp_path, ROWS + DESCRIBED).kernel
    assert "a[size_t(rows[i]) * cols + j]" in described


def test_a_launch_ends_where_the_kernels_own_check_does(tmp_path: Path) -> None:
    kernel = device_of(tmp_path, ROWS).kernel
    assert "if (i >= n || j >= cols) return;" in kernel
    assert kernel.count("i >= n") == 1
    other = device_of(tmp_path, ROWS.replace("if i >= n:", "if i >= 2 * n:")).kernel
    assert (
        "if (i >= row_count || j >= cols) return;" in other
        or "if (i >= i_count || j >= cols) return;" in other
    )
    assert "if (i >= 2 * n) return;" in other


def test_what_is_described_is_known_though_the_rest_is_not(tmp_path: Path) -> None:
    kernel = device_of(tmp_path, ROWS + HALF).kernel
    assert "a[size_t(wrap_index(rows[i], count)) * A_COLS + j]" in kernel
    assert "out[size_t(i) * out_cols + j]" in kernel


def test_a_struct_with_arrays_has_the_extents_that_are_needed(tmp_path: Path) -> None:
    device = device_of(tmp_path, STATE)
    (struct,) = (one for one in device.types if one.name == "State")
    assert struct.text == (
        "struct State {\n    float3* positions;\n    int num_positions;\n    const float* field;\n"
        "    int field_rows;\n    int field_cols;\n    const int* next;\n    float mass;\n};"
    )
    (state, *_) = device.parameters
    assert state.declaration == "State state"
    assert [(member.name, member.c_name, member.kind, member.axis) for member in state.members] == [
        ("state.positions", "positions", "array", None),
        ("", "num_positions", "extent", Axis("state.positions", 0)),
        ("state.field", "field", "array", None),
        ("", "field_rows", "extent", Axis("state.field", 0)),
        ("", "field_cols", "extent", Axis("state.field", 1)),
        ("state.next", "next", "array", None),
        ("state.mass", "mass", "value", None),
    ]
