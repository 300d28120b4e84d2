"""Helpers that are files: each says all that it needs, and is written in the style of the programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from weft.cuda.definitions import own_type_sections, own_types
from weft.cuda.device_code import text_of
from weft.cuda.formatting import format_texts
from weft.cuda.helpers import collect
from weft.cuda.helpers.files import FILE_HELPERS
from weft.cuda.shard import include_lines
from weft.ptx.nvcc import find_toolkit
from weft.types import Quaternion, Scalar, Type, Vector

FLOAT = Scalar("float32")

GENERIC: dict[str, tuple[Type, ...]] = {
    "lower_bound": (FLOAT,),
    "norm_huber": (Vector(3, FLOAT),),
    "norm_pseudo_huber": (Vector(3, FLOAT),),
    "smooth_normalize": (Vector(3, FLOAT),),
}
"""The helpers whose texts have a `T`, with one for it."""


def alone(name: str) -> tuple[str, frozenset[str]]:
    """The text of a helper with what it needs and nothing else, and its headers."""
    helpers = collect([(name, GENERIC.get(name, ()))])
    types = own_type_sections(own_types([], {}, helpers), {})
    includes = frozenset(header for helper in helpers.values() for header in helper.includes)
    return text_of([*types, *(helper.section for helper in helpers.values())]), includes


@pytest.mark.needs("nvcc")
def test_each_compiles_by_itself(tmp_path: Path) -> None:
    texts = {name: alone(name) for name in FILE_HELPERS}
    parts = [f"namespace with_{name} {{\n{text}\n}}" for name, (text, _) in texts.items()]
    includes = include_lines(frozenset().union(*(headers for _, headers in texts.values())))
    assert len(parts) > 90
    find_toolkit("pinned", "g++", "sm_75").ptx("\n".join([includes, *parts]), tmp_path)


@pytest.mark.parametrize("name", sorted(FILE_HELPERS.keys() - GENERIC))
def test_each_is_in_the_style_of_the_programs(name: str) -> None:
    section = FILE_HELPERS[name]().section
    assert format_texts([section.text]) == [f"{section.text}\n"]


@pytest.mark.parametrize("name", FILE_HELPERS)
def test_each_has_its_headers(name: str) -> None:
    text, includes = alone(name)
    assert ("uint32_t" in text) == ("<cstdint>" in includes)


def test_a_text_of_floats_becomes_one_of_doubles() -> None:
    helper = FILE_HELPERS["slerp"](Quaternion(Scalar("float64")))
    assert "const Quatd difference = conjugate(a) * b;" in helper.section.text
    assert "make_double3(difference.x, difference.y, difference.z)" in helper.section.text
    assert "difference.w < 0.0 ? -unit : unit" in helper.section.text
    assert "2.0 * atan2(length(imaginary), fabs(difference.w))" in helper.section.text
    assert helper.section.types == ("Quatd", "Quatd", "double")
    assert ("normalize", (Vector(3, Scalar("float64")),)) in helper.needs


def test_halves_are_computed_as_floats() -> None:
    text = FILE_HELPERS["slerp"](Quaternion(Scalar("float16"))).section.text
    assert "Vec3h{difference.x, difference.y, difference.z}" in text
    assert "__half(2.0f) * __half(atan2f(float(length(imaginary)), float(__habs(difference.w))))" in text


def test_a_type_may_change_the_text() -> None:
    half_angle = FILE_HELPERS["half_angle"]
    assert "1e-6f" in half_angle(FLOAT).section.text
    assert "1e-12" in half_angle(Scalar("float64")).section.text
    assert FILE_HELPERS["norm_huber"](Vector(5, FLOAT)).section.types == ("const Vec5f&", "float")
