"""Numbers of every width, structs and functions: what the builder allows, and how they are written."""

import pytest

from weft.kernels import emit
from weft.kernels.builder import Builder
from weft.kernels.expressions import hexadecimal, lift, ops
from weft.kernels.functions import with_defaults
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


def test_a_type_of_warp_has_its_name_there() -> None:
    assert warp_name(Vector(6, F64)) == "wp.spatial_vectord"
    assert warp_name(Transform(F64)) == "wp.transformd"


def test_only_rotations_turn_vectors(k: Builder):
    v = k.scalar("v", VEC3, {"uniform": [-2.0, 2.0]})
    with pytest.raises(Undefined, match="quat_from_axis_angle"):
        ops.quat_from_axis_angle(v, 1.0)
    q = ops.quat_from_axis_angle(ops.normalize(v), lift(1.0, F32))
    assert ops.quat_rotate(q, v).interval.magnitude == 4.0


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
