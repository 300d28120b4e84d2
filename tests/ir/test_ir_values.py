"""Constants and calls: what Warp knew and what it chose."""

from pathlib import Path

import pytest
from ir_of import called, ir_of, noted, record_of


@pytest.mark.parametrize(
    ("definition", "expression", "entry"),
    [
        ("GAIN = 0.1", "GAIN", ["float32", 0.1]),
        ("COUNT = 7", "float(COUNT)", ["float32"]),
        ("LIMIT = wp.constant(wp.float64(1e300))", "float(LIMIT)", ["float32"]),
        ("LOWEST = float('-inf')", "LOWEST", ["float32", "-inf"]),
        ("UP = wp.vec3(0.0, 1.0, 0.5)", "UP[1]", ["float32"]),
        ("", "wp.PI", ["float32", 3.141592653589793]),
        ("", "-2.5", ["float32", -2.5]),
        ("TABLE = {'a': 0.5}", "wp.static(TABLE['a'] * 3.0)", ["float32", 1.5]),
    ],
)
def test_values_that_warp_knows(
    tmp_path: Path, definition: str, expression: str, entry: list[object]
) -> None:
    record = record_of(
        tmp_path,
        f"""
        {definition}
        @wp.kernel
        def fill(out: wp.array(dtype=float)):
            out[wp.tid()] = {expression}
        """,
    )
    assert noted(record["kernel"], expression) == entry


def test_captured_values_of_every_kind(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        from enum import IntEnum
        class Mode(IntEnum):
            FAST = 2
        UP = wp.vec3(0.0, 1.0, 0.5)
        SPIN = wp.mat22(1.0, 2.0, 3.0, 4.0)
        WIDE = wp.constant(wp.uint64(18446744073709551615))
        @wp.kernel
        def fill(out: wp.array(dtype=wp.uint64), mode: wp.array(dtype=int)):
            i = wp.tid()
            mode[i] = Mode.FAST
            if mode[i] == 3:
                out[i] = WIDE + wp.uint64(UP[1]) + wp.uint64(SPIN[1, 0])
        """,
    )
    kernel = record["kernel"]
    assert noted(kernel, "Mode.FAST") == ["int32", 2]
    assert noted(kernel, "WIDE") == ["uint64", 2**64 - 1]
    assert noted(kernel, "UP")[1] == {"type": "vec<3,float32>", "components": [0.0, 1.0, 0.5]}
    assert noted(kernel, "SPIN")[1] == {"type": "mat<2,2,float32>", "components": [1.0, 2.0, 3.0, 4.0]}


def test_the_bounds_of_a_constant_range_are_known(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        TAPS = 40
        @wp.kernel
        def fill(out: wp.array(dtype=float)):
            for k in range(-2, TAPS):
                out[k + 2] = 0.0
        """,
    )
    assert noted(record["kernel"], "TAPS") == ["int32", 40]
    assert noted(record["kernel"], "-2") == ["int32", -2]


def test_a_literal_keeps_its_value_when_warp_negates_or_widens_it(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        @wp.kernel
        def fill(out: wp.array(dtype=wp.int64)):
            out[wp.tid()] = wp.int64(-5000000000)
        """,
    )
    assert noted(record["kernel"], "5000000000") == ["int32", 5000000000]
    assert noted(record["kernel"], "-5000000000") == ["int32", -5000000000]


def test_an_unrolled_loop_has_no_single_value(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        @wp.kernel
        def fill(out: wp.array(dtype=float)):
            for k in range(3):
                out[k] = float(k) + 1.5
        """,
    )
    assert noted(record["kernel"], "k") == ["int32"]
    assert noted(record["kernel"], "1.5") == ["float32", 1.5]


def test_overloads_and_generic_instances_are_functions_of_their_own(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        from typing import Any
        @wp.func
        def area(side: float):
            return side * side
        @wp.func
        def area(sides: wp.vec2):
            return sides[0] * sides[1]
        @wp.func
        def twice(x: Any):
            return x + x
        @wp.func
        def inner(x: float):
            return twice(x)
        @wp.kernel
        def fill(out: wp.array(dtype=float), v: wp.array(dtype=wp.vec2)):
            i = wp.tid()
            v[i] = twice(v[i])
            out[i] = area(2.0) + area(v[i]) + inner(3.0)
        """,
    )
    functions = {function["key"]: function for function in record["functions"]}
    assert list(functions) == ["twice", "area", "area.2", "twice.2", "inner"], "callees come first"
    assert called(record["kernel"], "area(2.0)") == {"function": "area"}
    assert called(record["kernel"], "area(v[i])") == {"function": "area.2"}
    assert functions["area.2"]["parameters"] == [{"name": "sides", "type": "vec<2,float32>"}]
    assert called(record["kernel"], "twice(v[i])") == {"function": "twice"}
    assert called(functions["inner"], "twice(x)") == {"function": "twice.2"}
    assert functions["twice.2"]["result"] == "float32"
    assert noted(functions["twice"], "x + x") == ["vec<2,float32>"]


def test_two_kernels_share_a_helper(tmp_path: Path) -> None:
    ir = ir_of(
        tmp_path,
        """
        @wp.func
        def halved(x: float):
            return 0.5 * x
        @wp.kernel
        def first(out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = halved(1.0)
        @wp.kernel
        def second(out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = halved(2.0)
        """,
    )
    first, second = ir["records"]
    assert first["functions"] == second["functions"] != []
    assert "first" not in second["cuda_forward"]


def test_builtins_have_the_names_that_users_write(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        @wp.struct
        class Pair:
            a: float
            b: wp.vec2d
        @wp.kernel
        def fill(out: wp.array(dtype=Pair), count: wp.array(dtype=int)):
            i = wp.tid()
            p = Pair(float(i), wp.vec2d(wp.float64(1.0), wp.float64(i)))
            q = wp.quat_from_axis_angle(wp.vec3(1.0, 0.0, 0.0), p.a)
            m = wp.matrix(p.a, shape=(3, 3))
            n = wp.atomic_add(count, 0, 1)
            p.a = wp.clamp(x=m[0, 0] + q[0], low=0.0, high=1.0)
            out[i] = p
        """,
    )
    kernel = record["kernel"]
    assert called(kernel, "float(i)") == {"builtin": "float32", "arguments": ["int32"], "result": "float32"}
    assert called(kernel, "wp.vec2d(wp.float64(1.0), wp.float64(i))")["builtin"] == "vec2d"
    assert called(kernel, "wp.matrix(p.a, shape=(3, 3))")["builtin"] == "mat33"
    assert "Pair(float(i), wp.vec2d(wp.float64(1.0), wp.float64(i)))" in kernel["source"]
    assert called(kernel, "Pair(float(i), wp.vec2d(wp.float64(1.0), wp.float64(i)))") == {"struct": "Pair"}
    assert called(kernel, "wp.atomic_add(count, 0, 1)") == {
        "builtin": "atomic_add",
        "arguments": ["array<int32,1>", "int32", "int32"],
        "result": "int32",
    }
    assert called(kernel, "wp.clamp(x=m[0, 0] + q[0], low=0.0, high=1.0)")["names"] == ["x", "low", "high"]


def test_an_overloaded_operator_is_a_call(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        @wp.struct
        class Dual:
            value: float
            slope: float
        @wp.func
        def add(a: Dual, b: Dual):
            return Dual(a.value + b.value, a.slope + b.slope)
        @wp.kernel
        def fill(x: wp.array(dtype=Dual), out: wp.array(dtype=Dual)):
            i = wp.tid()
            out[i] = x[i] + x[i]
        """,
    )
    assert called(record["kernel"], "x[i] + x[i]") == {"function": "add"}


def test_one_node_of_two_types_is_written_out(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        VALUES = [1, 2.5]
        @wp.kernel
        def fill(out: wp.array(dtype=float)):
            for k in range(2):
                out[k] = float(wp.static(VALUES[k]))
        """,
    )
    assert noted(record["kernel"], "wp.static(VALUES[0])") == ["int32", 1]
    assert noted(record["kernel"], "wp.static(VALUES[1])") == ["float32", 2.5]
