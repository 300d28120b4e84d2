"""Numbers of every width, structs and functions: what the builder allows, and how they are written."""

import pytest

from weft.kernels import emit, emit_module
from weft.kernels.builder import Builder
from weft.kernels.expressions import convert, hexadecimal, lift, ops, spatial
from weft.kernels.functions import generic, overloaded, several, with_defaults
from weft.kernels.idioms.struct.structs import array_members, new_record, schema
from weft.kernels.intervals import Interval
from weft.kernels.policy import Policy
from weft.kernels.program import Undefined
from weft.kernels.rng import Random
from weft.kernels.types import F16, F32, F64, I8, I32, U8, U32, U64, VEC3, warp_name
from weft.types import Transform, Vector


@pytest.fixture
def k() -> Builder:
    builder = Builder("test", Random("test", 1, 0, 0), Policy())
    builder.threads(["n"], ["i"])
    return builder


def read(k: Builder, of, low, high):
    values = {"uniform": [low, high]} if of.is_float else {"integers": [low, high + 1]}
    return k.array("data", of, ["n"], values)[k.index]


def test_unsigned_words_wrap_and_signed_ones_must_not_overflow(k: Builder):
    word = read(k, U32, 0, 2**32 - 2)
    assert (word * 3).interval == Interval(0, 2**32 - 1, integral=True)
    with pytest.raises(Undefined, match="overflows int8"):
        read(k, I8, 0, 127) + 1


def test_a_word_is_shifted_by_less_than_its_width(k: Builder):
    word = read(k, U8, 0, 255)
    assert (word >> 7).interval.hi == 1
    with pytest.raises(Undefined):
        word >> 8


def test_integers_divide_towards_zero_and_shift_down(k: Builder):
    number = read(k, I32, -7, 7)
    assert (number / 2).interval == Interval(-3, 3, integral=True)
    assert (number >> 1).interval == Interval(-4, 3, integral=True)
    with pytest.raises(Undefined):
        number / (number - 1)


def test_literals_fit_their_type():
    assert emit.expression(hexadecimal(0x9E3779B97F4A7C15, U64)) == "wp.uint64(0x9E3779B97F4A7C15)"
    with pytest.raises(Undefined, match="no literal"):
        lift(256, U8)


def test_a_half_holds_no_large_numbers(k: Builder):
    with pytest.raises(Undefined, match="overflows float16"):
        read(k, F16, 0.0, 300.0) * 300.0


def test_spatial_vectors_are_made_of_two_vectors_of_float32(k: Builder):
    v = k.scalar("v", VEC3, {"uniform": [-1.0, 1.0]})
    assert emit.expression(spatial(v, v)) == "wp.spatial_vector(v, v)"
    assert warp_name(Vector(6, F64)) == "wp.spatial_vectord"
    assert warp_name(Transform(F64)) == "wp.transformd"
    w = k.scalar("w", Vector(3, F64), {"uniform": [-1.0, 1.0]})
    with pytest.raises(Undefined):
        spatial(w, w)


def test_only_rotations_turn_vectors(k: Builder):
    v = k.scalar("v", VEC3, {"uniform": [-2.0, 2.0]})
    with pytest.raises(Undefined, match="quat_from_axis_angle"):
        ops.quat_from_axis_angle(v, 1.0)
    q = ops.quat_from_axis_angle(ops.normalize(v), lift(1.0, F32))
    assert ops.quat_rotate(q, v).interval.magnitude == 4.0


def test_arrays_in_a_struct_are_described_as_leaves(k: Builder):
    arrays = array_members(k, "state", "State", "Arrays.", {"position": (VEC3, "inout", -1.0, 1.0)})
    k.store(arrays["position"], k.index, arrays["position"][k.index] * 0.5)
    k.doc = "Halves positions."
    program = k.program()
    assert "state.position[i] = state.position[i] * 0.5" in emit.kernel(program)
    assert '"state.position": {"role": "inout"' in emit_module.launch(program)


def test_records_take_values_of_their_members_types_only(k: Builder):
    record = new_record(
        k, "pair", schema(k, "Pair", "Two numbers.", {"a": (F32, 0.0, 1.0), "b": (I32, 0, 9)})
    )
    record.put("b", 3)
    with pytest.raises(Undefined, match="assigned to a of"):
        record.put("a", convert(I32, read(k, F32, 0.0, 5.0)))


def test_one_generic_function_serves_numbers_and_vectors(k: Builder):
    twice = generic(k, "twice", "Twice a value.", {"x": None}, lambda _, x: x + x)
    assert twice(read(k, F32, 0.0, 1.0)).type == F32
    assert twice(k.scalar("v", VEC3, {"uniform": [0.0, 1.0]})).type == VEC3
    (definition,) = k.functions
    assert "def twice(x: Any):" in emit.function(definition)


def test_overloads_share_a_name(k: Builder):
    unit = Interval(0.0, 1.0)
    variants = [
        ("Of a number.", {"x": (F32, unit)}, lambda _, x: x * 2.0),
        ("Of a vector.", {"v": (VEC3, unit)}, lambda _, v: ops.length(v)),
    ]
    call = overloaded(k, "size", variants)
    assert call(k.scalar("v", VEC3, {"uniform": [0.0, 1.0]})).type == F32
    assert emit.function(k.functions[-1]).count("def size(") == 2
    with pytest.raises(Undefined, match="size of int32"):
        call(read(k, I32, 0, 1))


def test_defaults_may_be_left_out_or_given_by_name(k: Builder):
    limits = {"x": (F32, Interval(0.0, 1.0)), "p": (F32, Interval(0.0, 4.0))}
    call = with_defaults(k, "scaled", "A product.", limits, {"p": 2.0}, lambda _, x, p: x * p)
    x = k.let("x", read(k, F32, 0.0, 1.0))
    assert [emit.expression(one) for one in (call(x), call(x, 3.0), call(x, p=4.0))] == [
        "scaled(x)",
        "scaled(x, 3.0)",
        "scaled(x, p=4.0)",
    ]
    assert "def scaled(x: float, p: float = 2.0):" in emit.function(k.functions[-1])


def test_several_results_are_unpacked(k: Builder):
    call = several(k, "both", "Two.", {"x": (F32, Interval(0.0, 1.0))}, lambda _, x: (x * 2.0, x * 3.0))
    a, b = call(("a", "b"), read(k, F32, 0.0, 1.0))
    assert (a.interval.hi, b.interval.hi) == (2.0, 3.0)
    assert emit.statement_lines(k.body[-1]) == ["a, b = both(data[i])"]
