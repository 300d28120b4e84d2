"""Literals, the printer and names on their own."""

import ctypes
import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.cuda.c_types import SCALARS, c_type, component_names
from weft.cuda.helpers import HELPERS, collect
from weft.cuda.literals import float_literal, integer_literal
from weft.cuda.names import global_name, local_name
from weft.cuda.printer import Printer
from weft.cuda.tree import INT, Binary, Expression, Literal, Name
from weft.types import Scalar, component_scalars, parse_type

_libc = ctypes.CDLL(None)
_libc.strtof.restype = ctypes.c_float
_libc.strtof.argtypes = [ctypes.c_char_p, ctypes.c_void_p]


def _float32(value: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


@given(st.floats(width=64, allow_nan=False))
def test_a_float32_literal_reads_back_as_the_rounded_value(value: float) -> None:
    text = float_literal(value, Scalar("float32"))
    expected = _float32(value)
    if math.isinf(expected):
        assert text == ("INFINITY" if value > 0 else "-INFINITY")
    else:
        assert text.endswith("f") and ("." in text or "e" in text)
        read = _libc.strtof(text[:-1].encode(), None)
        assert struct.pack("<f", read) == struct.pack("<f", expected)


@given(st.floats(width=64, allow_nan=False, allow_infinity=False))
def test_a_float64_literal_reads_back(value: float) -> None:
    assert struct.pack("<d", float(float_literal(value, Scalar("float64")))) == struct.pack("<d", value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1f"),
        (2.0, "2.0f"),
        (1e-06, "1e-6f"),
        (6.674e-3, "0.006674f"),
        (math.pi, "3.1415927f"),
        (-0.0, "-0.0f"),
    ],
)
def test_float32_literals_are_what_a_person_would_write(value: float, text: str) -> None:
    assert float_literal(value, Scalar("float32")) == text


def test_a_literal_that_rounding_twice_would_change() -> None:
    above_halfway = 1.0 + 2.0**-24 + 2.0**-52
    assert float_literal(above_halfway, Scalar("float32")) == "1.0000001f"


@pytest.mark.parametrize(
    ("value", "type", "text"),
    [
        (7, "int32", "7"), (-7, "int32", "-7"), (-(2**31), "int32", "(-2147483647 - 1)"), (7, "uint32", "7u"),
        (-1, "uint32", "4294967295u"), (2**40, "int64", "1099511627776ll"),
        (2**64 - 1, "uint64", "18446744073709551615ull"),
        (-(2**63), "int64", "(-9223372036854775807ll - 1)"), (200, "uint8", "200"),
    ],
)  # fmt: skip
def test_integer_literals(value: int, type: str, text: str) -> None:
    assert integer_literal(value, Scalar(type)) == text


_OPERATORS = ["+", "-", "*", "<<", ">>", "&", "^", "|"]


def _trees() -> st.SearchStrategy[Expression]:
    leaves = st.integers(0, 9).map(lambda value: Literal(INT, value)) | st.sampled_from("abc").map(
        lambda name: Name(INT, name)
    )
    return st.recursive(
        leaves,
        lambda inner: st.builds(Binary, st.just(INT), st.sampled_from(_OPERATORS), inner, inner),
        max_leaves=8,
    )


def _value(tree: Expression, names: dict[str, int]) -> int:
    match tree:
        case Literal(value=int(value)):
            return value
        case Name(name=name):
            return names[name]
        case Binary(operator=operator, left=left, right=right):
            a, b = _value(left, names), _value(right, names)
            if operator in ("<<", ">>"):
                b = abs(b) % 5
            return int(eval(f"a {operator} b", {}, {"a": a, "b": b}))
        case _:
            raise AssertionError(tree)


class _Number(int):
    """An integer whose shifts are bounded as in `_value`."""


def _bounded(operation):  # type: ignore[no-untyped-def]
    return lambda a, b: _Number(operation(int(a), int(b)))


for _name, _operation in {
    "__add__": lambda a, b: a + b,
    "__sub__": lambda a, b: a - b,
    "__mul__": lambda a, b: a * b,
    "__and__": lambda a, b: a & b,
    "__xor__": lambda a, b: a ^ b,
    "__or__": lambda a, b: a | b,
    "__lshift__": lambda a, b: a << abs(b) % 5,
    "__rshift__": lambda a, b: a >> abs(b) % 5,
}.items():
    setattr(_Number, _name, _bounded(_operation))


@given(_trees())
def test_parentheses_keep_the_tree(tree: Expression) -> None:
    """For these operators Python's precedence is C++'s."""
    names = {"a": 5, "b": -3, "c": 12}
    text = Printer({}, {}).expression(tree)
    numbers = {name: _Number(value) for name, value in names.items()}
    for digit in "0123456789":
        text = text.replace(digit, f"N({digit})")
    assert int(eval(text, {}, {**numbers, "N": _Number})) == _value(tree, names)


@given(_trees())
def test_no_parentheses_around_the_whole_or_around_names(tree: Expression) -> None:
    text = Printer({}, {}).expression(tree)
    assert not any(f"({leaf})" in text for leaf in "abc0123456789")


@given(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,12}", fullmatch=True))
def test_renaming_ends_and_gives_names_that_are_free(name: str) -> None:
    taken = {name}
    for renamed in (global_name(name, taken), local_name(name, taken)):
        assert renamed.isidentifier()
        assert renamed not in taken
        assert "__" not in renamed


@pytest.mark.parametrize(
    "text",
    [
        "vec<3,float32>",
        "vec<4,float64>",
        "vec<6,int8>",
        "mat<3,2,bool>",
        "quat<float32>",
        "transform<float64>",
    ],
)
def test_every_component_has_a_name(text: str) -> None:
    kind = parse_type(text)
    assert len(component_names(kind)) == len(list(component_scalars(kind, {})))


def test_deprecated_cuda_types_are_not_used() -> None:
    assert [c_type(parse_type(f"vec<4,{s}>")) for s in ("float32", "float64", "int64")] == [
        "float4",
        "Vec4d",
        "Vec4i64",
    ]
    assert set(SCALARS) >= {"bool", "int8", "uint64", "float64"}


def test_helpers_come_after_what_they_call() -> None:
    kind = parse_type("vec<3,float32>")
    texts = [
        helper.section.text for helper in collect([("normalize", (kind,)), ("length", (kind,))]).values()
    ]
    names = ["float dot(", "float length(", "operator/(", "float3 normalize("]
    assert [name for text in texts for name in names if f" {name}" in text.split("{")[0]] == names
    assert "normalize" in HELPERS
