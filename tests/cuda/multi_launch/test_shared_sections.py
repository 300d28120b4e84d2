"""Which sections of several kernels are shared: text by hand, without Warp and without a compiler."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from weft.cuda.device_code import Key, Section, text_of
from weft.cuda.shared_sections import place_sections
from weft.errors import KernelError

DOT = Section("helper", "dot", "float dot(float3 a, float3 b);", types=("float3", "float3"))
LENGTH = Section("helper", "length", "float length(float3 a);", types=("float3",), needs=frozenset({DOT.key}))


TIMES = Section("helper", "operator*", "{ return … }", types=("float", "float3"))
PLUS = Section("helper", "operator+", "{\n    return …\n}", types=("float3", "float3"))
MORE = Section(
    "helper", "operator+=", "{ return a = a + b; }", types=("float3&", "float3"), needs=frozenset({PLUS.key})
)
HASH = Section("helper", "pcg_next", "uint32_t pcg_next(uint32_t x);", types=("uint32_t",))


def function(text: str, *needs: Key, types: Sequence[str] = ()) -> Section:
    return Section("function", "f", text, types=tuple(types), needs=frozenset(needs))


def kernel(name: str, *needs: Key) -> Section:
    return Section("kernel", name, f"void {name}();", needs=frozenset(needs))


def test_what_is_the_same_is_shared_once_and_in_order() -> None:
    first, second = kernel("first", LENGTH.key), kernel("second", DOT.key)
    placed = place_sections({"first": [DOT, LENGTH, first], "second": [DOT, second]})
    assert placed.shared == (DOT, LENGTH)
    assert placed.own == {"first": (), "second": ()}


def test_what_differs_is_shared_by_none_nor_is_what_refers_to_it() -> None:
    one, other = function("{ return 1; }"), function("{ return 2; }")
    caller = Section("function", "g", "{ return f(); }", needs=frozenset({one.key}))
    first, second = kernel("first", caller.key), kernel("second", other.key, DOT.key)
    third = kernel("third", DOT.key)
    placed = place_sections(
        {"first": [one, caller, first], "second": [DOT, other, second], "third": [DOT, third]}
    )
    assert placed.shared == (DOT,)
    assert placed.own == {"first": (one, caller, first), "second": (other, second), "third": ()}


def test_overloads_are_no_clash() -> None:
    one, other = function("{ return 1; }", types=["int"]), function("{ return 2; }", types=["float"])
    placed = place_sections({"first": [one, kernel("first", one.key)], "second": [other, kernel("second")]})
    assert placed.shared == (one, other)


def test_a_struct_that_one_kernel_does_not_align_is_not_aligned() -> None:
    """It may be a part of another struct there."""
    aligned, plain = (
        Section("type", "Ball", f"struct {alignment}Ball {{ float x, y, z, w; }};")
        for alignment in ("alignas(16) ", "")
    )
    placed = place_sections({"first": [aligned, kernel("first")], "second": [plain, kernel("second")]})
    assert placed.shared == (plain,)


def test_structs_that_differ_are_refused() -> None:
    one, other = (
        Section("type", "Body", "struct Body { float mass; };"),
        Section("type", "Body", "struct Body {};"),
    )
    with pytest.raises(KernelError, match="two kernels have different structs named 'Body'"):
        place_sections({"first": [one], "second": [other]})


def test_definitions_of_one_line_and_one_kind_stand_together() -> None:
    constants = [Section("constant", name, f"constexpr int {name} = 1;") for name in "AB"]
    long = Section("function", "f", "int f() {\n}", "// Ends a set: }\n")
    assert text_of([*constants, DOT, long]) == (
        "constexpr int A = 1;\nconstexpr int B = 1;\n\n"
        "float dot(float3 a, float3 b);\n\n"
        "// Ends a set: }\nint f() {\n}"
    )


def test_operators_stand_together_then_what_else_works_on_vectors() -> None:
    first, second = kernel("first", HASH.key, MORE.key), kernel("second", LENGTH.key, TIMES.key)
    called = function("{ return 1; }")
    placed = place_sections(
        {"first": [PLUS, MORE, HASH, called, first], "second": [DOT, LENGTH, TIMES, second]}
    )
    assert placed.shared == (PLUS, TIMES, MORE, DOT, LENGTH, HASH, called)


def test_what_an_operator_needs_stands_before_it() -> None:
    product = Section("helper", "operator*", "…", types=("Quatf", "Quatf"), needs=frozenset({LENGTH.key}))
    assert place_sections({"f": [HASH, DOT, LENGTH, product]}).shared == (DOT, LENGTH, product, HASH)


def test_operators_are_not_separated() -> None:
    assert text_of([PLUS, TIMES]) == "{\n    return …\n}\n{ return … }"
