"""Calls that are statements: several results, changed variables, arrays of the thread's own."""

import pytest

from weft.kernels import emit, passes
from weft.kernels.builder import Builder
from weft.kernels.effects import change, results, zeros
from weft.kernels.expressions import construct, ops, transform
from weft.kernels.policy import Policy
from weft.kernels.program import Rejected, Undefined
from weft.kernels.rng import Random
from weft.kernels.types import F32, I32, MAT33, QUAT, VEC3


@pytest.fixture
def k() -> Builder:
    builder = Builder("test", Random("test", 1, 0, 0), Policy())
    builder.threads(["n"], ["i"])
    builder.doc = "Tests."
    return builder


def read(k: Builder, name, of):
    return k.array(name, of, ["n"], {"uniform": [-1.0, 1.0]})[k.index]


def pose(k: Builder):
    place = k.let("place", read(k, "places", VEC3))
    return transform(place, k.let("turn", ops.normalize(read(k, "q", QUAT))))


def store(k: Builder, value):
    k.store(k.array("out", value.type, ["n"], None, "out"), k.index, value)


def test_a_rotation_is_taken_apart_into_a_unit_axis_and_an_angle(k: Builder):
    axis, angle = results(k, "quat_to_axis_angle", ("axis", "angle"), ops.normalize(read(k, "q", QUAT)))
    assert axis.interval.within(-1.0, 1.0) and angle.interval.within(0.0, 3.1416)
    store(k, angle * axis)
    assert "axis, angle = wp.quat_to_axis_angle(wp.normalize(q[i]))" in emit.kernel(k.program())
    with pytest.raises(Undefined, match="quat_to_axis_angle"):
        results(k, "quat_to_axis_angle", ("axis", "angle"), axis)


def test_a_matrix_of_a_scaled_pose_is_decomposed(k: Builder):
    place = k.let("place", read(k, "places", VEC3))
    matrix = ops.transform_compose(place, ops.normalize(read(k, "q", QUAT)), place)
    parts = results(k, "transform_decompose", ("position", "turn", "scale"), k.let("matrix", matrix))
    assert [one.type for one in parts] == [VEC3, QUAT, VEC3]
    with pytest.raises(Undefined, match="transform_decompose"):
        results(k, "transform_decompose", ("a", "b", "c"), read(k, "m", MAT33))


def test_every_result_is_used(k: Builder):
    _, angle = results(k, "quat_to_axis_angle", ("axis", "angle"), ops.normalize(read(k, "q", QUAT)))
    store(k, angle)
    with pytest.raises(Rejected, match="axis is never read"):
        passes.check(k.program())


def test_parts_of_a_variable_are_set(k: Builder):
    frame = k.var("frame", pose(k), type=pose(k).type)
    change(k, "transform_set_translation", frame, 10.0 * read(k, "shifts", VEC3))
    assert frame.interval.magnitude == 10.0
    store(k, ops.transform_point(frame, read(k, "points", VEC3)))
    text = emit.kernel(k.program())
    assert "    wp.transform_set_translation(frame, 10.0 * shifts[i])\n" in text
    with pytest.raises(Undefined, match="transform_set_rotation"):
        change(k, "transform_set_rotation", frame, read(k, "v", VEC3))


def test_what_is_set_flows_into_what_reads_the_variable(k: Builder):
    start = pose(k)
    frame = k.var("frame", start, type=start.type)
    shift = k.let("shift", read(k, "shifts", VEC3))
    change(k, "transform_set_translation", frame, shift)
    with pytest.raises(Rejected, match="frame, shift"):
        store(k, construct(VEC3, 1.0, 2.0, 3.0))
        passes.check(k.program())
    store(k, ops.transform_point(frame, shift))
    assert "shift" in passes.survey([one.name for one in k.parameters], k.body).live()


def test_only_a_variable_is_changed(k: Builder):
    frame = k.let("frame", pose(k))
    with pytest.raises(Undefined, match="made by var"):
        change(k, "transform_set_rotation", frame, ops.normalize(read(k, "r", QUAT)))


def test_an_array_of_the_threads_own_is_no_output(k: Builder):
    counts = zeros(k, "counts", I32, 4, 0, 10)
    label = k.let("label", k.array("labels", I32, ["n"], {"integers": [0, 4]})[k.index])
    counts.put(label, 7)
    with pytest.raises(Rejected, match="counts"):
        passes.check(k.program())
    store(k, counts[0])
    text = emit.kernel(k.program())
    assert "counts = wp.zeros(shape=4, dtype=wp.int32)" in text and "counts[label] = 7" in text
    assert passes.check(k.program()).writing == {"out"}


def test_an_array_of_the_threads_own_keeps_its_length_and_bounds(k: Builder):
    sums = zeros(k, "sums", F32, 3, -1.0, 1.0)
    with pytest.raises(Undefined, match="3 elements"):
        sums[3]
    with pytest.raises(Undefined, match="outside"):
        sums.put(0, 2.0)


def test_the_adjoint_has_blocks_of_three_rows(k: Builder):
    m = k.let("m", read(k, "matrices", MAT33))
    assert str(ops.spatial_adjoint(m, m).type) == "mat<6,6,float32>"
    with pytest.raises(Undefined, match="spatial_adjoint"):
        ops.spatial_adjoint(m, read(k, "v", VEC3))
