"""The builder refuses what is not defined: out of domain, out of range, racing, ill-typed, unused."""

import pytest

from weft.kernels import emit, passes
from weft.kernels.builder import Builder
from weft.kernels.expressions import call, construct, convert, lift, ops, random_number
from weft.kernels.intervals import Interval, whole
from weft.kernels.operators import FUNCTIONS
from weft.kernels.policy import DEFAULT
from weft.kernels.program import Name, Rejected, Undefined
from weft.kernels.rng import Random
from weft.kernels.types import F32, F64, I32, U32, VEC2, VEC3


def number(low: float, high: float, type=F32) -> Name:
    return Name(type, Interval(low, high), "x")


def integer(low: int, high: int, type=I32) -> Name:
    return Name(type, whole(low, high), "i")


@pytest.fixture
def k() -> Builder:
    builder = Builder("probe", Random("test", 1, 0, 0), DEFAULT)
    builder.threads(["n"], ["i"])
    return builder


def floats(k: Builder, name: str, *shape: str, role: str = "in"):
    values = None if role == "out" else {"uniform": [-1.0, 1.0]}
    return k.array(name, F32, shape or ("n",), values, role)


@pytest.mark.parametrize(
    ("function", "inside", "outside"),
    [
        ("sqrt", (0.0, 4.0), (-0.1, 4.0)),
        ("log", (0.001, 2.0), (0.0, 2.0)),
        ("log2", (0.001, 2.0), (-1.0, 2.0)),
        ("acos", (-1.0, 1.0), (-1.0, 1.01)),
        ("asin", (-1.0, 1.0), (-1.5, 0.0)),
        ("exp", (-20.0, 20.0), (0.0, 100.0)),
        ("tan", (-1.4, 1.4), (0.0, 1.6)),
    ],
)
def test_a_function_takes_its_domain_and_no_more(function, inside, outside):
    assert call(function, number(*inside)).type == F32
    with pytest.raises(Undefined):
        call(function, number(*outside))


def test_pow_needs_a_positive_base():
    assert ops.pow(number(0.1, 2.0), 2.5).type == F32
    with pytest.raises(Undefined):
        ops.pow(number(0.0, 2.0), 2.5)


@pytest.mark.parametrize("divisor", [(-1.0, 1.0), (0.0, 1.0)])
def test_division_by_what_may_be_zero_is_refused(divisor):
    with pytest.raises(Undefined):
        _ = number(1.0, 2.0) / number(*divisor)


@pytest.mark.parametrize("operate", [lambda a, b: a // b, lambda a, b: a % b, lambda a, b: a / b])
def test_integer_division_needs_a_positive_divisor(operate):
    assert operate(integer(0, 10), integer(1, 3)).type == I32
    with pytest.raises(Undefined):
        operate(integer(0, 10), integer(0, 3))


def test_int_overflow_is_refused_and_uint_wraps():
    with pytest.raises(Undefined, match="overflows int32"):
        _ = integer(0, 2**20) * integer(0, 2**12)
    assert (integer(0, 2**20, U32) * integer(0, 2**12, U32)).interval == whole(0, 2**32 - 1)


def test_types_are_not_mixed():
    with pytest.raises(Undefined):
        _ = integer(0, 3) + number(0.0, 1.0)
    with pytest.raises(Undefined):
        _ = number(0.0, 1.0) + number(0.0, 1.0, F64)
    with pytest.raises(Undefined):
        construct(VEC3, number(0.0, 1.0), integer(0, 1), 2.0)
    with pytest.raises(Undefined):
        ops.dot(Name(VEC2, Interval(0, 1), "a"), Name(VEC3, Interval(0, 1), "b"))


def test_a_float_becomes_an_int_only_where_it_fits():
    assert convert(I32, number(-5.5, 7.9)).interval == whole(-5, 7)
    with pytest.raises(Undefined):
        convert(I32, number(0.0, 1e12))


def test_an_empty_random_range_is_refused():
    with pytest.raises(Undefined):
        random_number("randi", integer(0, 1, U32), 5, 5)


def test_the_bounds_of_functions_hold_at_sampled_points():
    import math

    known = {"sqrt": math.sqrt, "exp": math.exp, "tanh": math.tanh, "cosh": math.cosh, "erf": math.erf}
    known |= {"sin": math.sin, "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "atan": math.atan}
    for name, function in known.items():
        low, high = 0.3, 2.7
        bounds = FUNCTIONS[name].interval(Interval(low, high))
        for step in range(50):
            value = function(low + (high - low) * step / 49)
            assert bounds.lo - 1e-12 <= value <= bounds.hi + 1e-12, name


def test_an_index_must_be_in_range(k: Builder):
    data = floats(k, "data")
    (i,) = k.index
    count = k.size("count", "n")
    assert data[i].type == F32
    assert data[ops.min(i + 1, count - 1)].type == F32
    assert data[(i + 3) % count].type == F32
    assert data[count - 1 - i].type == F32
    for bad in (i + 1, i - 1, lift(1, I32), count):
        with pytest.raises(Undefined, match="index"):
            data[bad]


def test_a_condition_makes_an_index_valid_inside_it_only(k: Builder):
    data = floats(k, "data")
    (i,) = k.index
    count = k.size("count", "n")
    with k.when((i > 0) & (i < count - 1)):
        assert data[i - 1].type == data[i + 1].type == F32
    with pytest.raises(Undefined):
        data[i + 1]


def test_an_early_return_makes_an_index_valid_after_it(k: Builder):
    data = floats(k, "data")
    (i,) = k.index
    with k.when(i >= k.size("count", "n") - 1):
        k.jump("return")
    assert data[i + 1].type == F32


def test_after_both_ends_are_ruled_out_both_neighbours_exist(k: Builder):
    data = floats(k, "data")
    (i,) = k.index
    count = k.size("count", "n")
    total = k.var("total", 0.0)
    with k.when(i.equals(0)):
        k.set(total, data[i])
        with pytest.raises(Undefined, match="index"):
            data[i - 1]
    with k.orwhen(i.equals(count - 1)):
        k.set(total, data[i - 1])
        with pytest.raises(Undefined, match="index"):
            data[i + 1]
    with k.otherwise():
        k.set(total, data[i - 1] + data[i + 1])
        with pytest.raises(Undefined, match="index"):
            data[i + 2]


def test_a_parameter_never_has_the_name_of_its_kernel(k: Builder):
    assert floats(k, "probe").parameter.name != "probe"


def test_what_a_condition_told_ends_with_an_assignment(k: Builder):
    x = k.var("x", 1.0, bounds=(-2.0, 2.0))
    with k.when(x > 0.5):
        ops.log(x)
        k.set(x, -1.0)
        with pytest.raises(Undefined):
            ops.log(x)


def test_a_sum_in_a_loop_has_unknown_bounds_until_the_loop_ends(k: Builder):
    total = k.var("total", 0, type=I32)
    with k.loop("j", 0, 10) as j:
        k.add(total, j)
        with pytest.raises(Undefined):
            _ = total * 2
    assert total.interval == whole(0, 90)


def test_a_counter_that_nothing_reads_begins_with_an_underscore(k: Builder):
    total = k.var("total", 0, type=I32)
    for name, step in (("read", lambda counter: counter), ("unread", lambda _: 1)):
        with k.loop(name, 0, 10) as counter:
            k.add(total, step(counter))
    text = "\n".join(line for one in k.body for line in emit.statement_lines(one))
    assert "for read in range(10):" in text
    assert "for _unread in range(10):" in text


def test_an_int_sum_that_could_overflow_is_refused(k: Builder):
    total = k.var("total", 0, type=I32)
    with pytest.raises(Undefined, match="overflows"), k.loop("j", 0, 100):
        k.add(total, integer(0, 10**8))


def test_an_invariant_is_held(k: Builder):
    x = k.var("x", 1.0, bounds=(0.0, 2.0))
    with pytest.raises(Undefined, match="outside"):
        k.set(x, x + 1.0)
    k.set(x, ops.min(x + 1.0, 2.0))


def test_two_threads_cannot_write_one_place(k: Builder):
    out = floats(k, "out", role="out")
    (i,) = k.index
    count = k.size("count", "n")
    for bad in (lift(0, I32), i // 2, ops.min(i + 1, count - 1)):
        with pytest.raises(Undefined, match="several threads"):
            k.store(out, bad, 1.0)
    k.store(out, i, 1.0)
    with pytest.raises(Undefined, match="touched as"):
        k.store(out, count - 1 - i, 2.0)


def test_a_permutation_makes_distinct_places_and_random_indices_do_not(k: Builder):
    order = k.array("order", I32, ["n"], {"permutation": "n"})
    picks = k.array("picks", I32, ["n"], {"integers": [0, "n"]})
    out, other = floats(k, "out", role="out"), floats(k, "other", role="out")
    k.store(out, order[k.index], 1.0)
    with pytest.raises(Undefined, match="several threads"):
        k.store(other, picks[k.index], 1.0)


def test_no_thread_reads_what_another_writes(k: Builder):
    state = floats(k, "state", role="inout")
    (i,) = k.index
    k.store(state, i, state[i] * 2.0)
    with pytest.raises(Undefined):
        state[ops.min(i + 1, k.size("count", "n") - 1)]


def test_an_output_is_never_read(k: Builder):
    with pytest.raises(Undefined, match="never read"):
        floats(k, "out", role="out")[k.index]


def test_float_atomics_add_whole_numbers_only(k: Builder):
    total = k.array("total", F32, ["1"], {"constant": 0.0}, "inout")
    data, whole_numbers = floats(k, "data"), k.array("w", F32, ["n"], {"integers": [-4, 5]})
    k.atomic("add", total, 0, whole_numbers[k.index])
    with pytest.raises(Undefined, match="order"):
        k.atomic("add", total, 0, data[k.index])
    with pytest.raises(Undefined, match="order"):
        k.atomic("add", total, 0, whole_numbers[k.index] * 1000.0)
    with pytest.raises(Undefined, match="order"):
        k.atomic("max", total, 0, whole_numbers[k.index])


def test_what_is_never_read_is_refused(k: Builder):
    out = floats(k, "out", role="out")
    k.doc = "Probe."
    k.store(out, k.index, 1.0)
    passes.check(k.program())
    k.let("idle", lift(2.0, F32))
    with pytest.raises(Rejected, match="idle is never read"):
        passes.check(k.program())


def test_a_name_is_not_used_outside_its_branch(k: Builder):
    out, data = floats(k, "out", role="out"), floats(k, "data")
    k.doc = "Probe."
    with k.when(data[k.index] > 0.0):
        inner = k.let("inner", data[k.index] * 2.0)
    k.store(out, k.index, inner)
    with pytest.raises(Undefined, match="inner is used outside its scope"):
        passes.check(k.program())


def test_the_printer_keeps_the_tree():
    a, b, c = (Name(F32, Interval(1.0, 2.0), name) for name in "abc")
    assert emit.expression(a - (b - c)) == "a - (b - c)"
    assert emit.expression((a - b) - c) == "a - b - c"
    assert emit.expression(a * (b + c) / a) == "a * (b + c) / a"
    assert emit.expression(-(a * b)) == "-(a * b)"
    assert emit.expression(a - lift(-0.5, F32)) == "a + 0.5"
    u, v = (Name(U32, whole(0, 100), name) for name in "uv")
    assert emit.expression((u >> 3) ^ (v + 1)) == "(u >> wp.uint32(3)) ^ (v + wp.uint32(1))"
    assert emit.expression((a < b) & ((a > c) | (b > c))) == "a < b and (a > c or b > c)"
    assert emit.expression(~((a < b) & (b < c))) == "not (a < b and b < c)"


@pytest.mark.parametrize("name", ["double", "default", "register", "union", "NULL", "xor"])
def test_a_name_that_warps_cpp_text_cannot_hold_is_refused(k: Builder, name: str):

    with pytest.raises(Undefined, match=f"^{name} cannot be a name"):
        k.array(name, F32, ["n"], {"uniform": [0.0, 1.0]})
    with pytest.raises(Undefined, match=f"^{name} cannot be a name"):
        k.scalar(name, F32, {"uniform": [0.0, 1.0]})
    with pytest.raises(Undefined, match=f"cannot have a member {name}"):
        k.struct("Ball", "A ball.", [(name, F32)])
