"""Types: printing and parsing are inverse, and packed sizes follow from the components."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.types import (
    SCALAR_BYTES,
    Array,
    Function,
    Matrix,
    Quaternion,
    Reference,
    Scalar,
    Struct,
    Transform,
    Tuple,
    Type,
    Vector,
    component_scalars,
    packed_bytes,
    parse_type,
    strip_reference,
)

SCALARS = st.sampled_from(sorted(SCALAR_BYTES)).map(Scalar)
LENGTHS = st.integers(1, 12)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z_0-9]*", fullmatch=True)
VALUES = st.one_of(
    SCALARS,
    st.builds(Vector, LENGTHS, SCALARS),
    st.builds(Matrix, LENGTHS, LENGTHS, SCALARS),
    st.builds(Quaternion, SCALARS),
    st.builds(Transform, SCALARS),
    st.builds(Struct, NAMES),
)
TYPES = st.recursive(
    VALUES | st.builds(Function, NAMES),
    lambda inner: st.one_of(
        st.builds(Array, VALUES, st.integers(1, 4)),
        st.builds(Reference, inner),
        st.builds(Tuple, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=4,
)


@given(TYPES)
def test_parsing_undoes_printing(type: Type) -> None:
    assert parse_type(str(type)) == type


@pytest.mark.parametrize(
    "text",
    [
        "",
        "float",
        "vec<3>",
        "vec<3,float32",
        "vec<3,float32>>",
        "vec<3, float32>",
        "array<float32>",
        "mat<3,float32>",
    ],
)
def test_what_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        parse_type(text)


def test_structs_are_packed_field_by_field() -> None:
    structs = {
        "Inner": [("flag", parse_type("bool")), ("x", parse_type("float64"))],
        "Outer": [("inner", parse_type("struct<Inner>")), ("pose", parse_type("transform<float32>"))],
    }
    outer = parse_type("struct<Outer>")
    names = [scalar.name for scalar in component_scalars(outer, structs)]
    assert names == ["bool", "float64"] + ["float32"] * 7
    assert packed_bytes(outer, structs) == 1 + 8 + 7 * 4


@given(SCALARS, LENGTHS, LENGTHS)
def test_matrices_have_rows_times_columns_components(scalar: Scalar, rows: int, columns: int) -> None:
    assert packed_bytes(Matrix(rows, columns, scalar), {}) == rows * columns * scalar.bytes


def test_arrays_are_no_values() -> None:
    with pytest.raises(ValueError, match="not a value type"):
        packed_bytes(parse_type("array<float32,1>"), {})


def test_a_read_strips_the_reference() -> None:
    assert (
        strip_reference(parse_type("ref<int32>")) == strip_reference(parse_type("int32")) == Scalar("int32")
    )
