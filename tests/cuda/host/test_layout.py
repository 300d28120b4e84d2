from __future__ import annotations

import subprocess
from pathlib import Path

import weft.runs
from weft.cuda.c_types import c_type
from weft.cuda.host_layout import layout, packed_members
from weft.types import parse_type

FIELDS = {
    name: tuple((f"m{i}", c_type(parse_type(kind)), parse_type(kind)) for i, kind in enumerate(kinds))
    for name, kinds in {
        "Mixed": ["bool", "int32", "vec<3,float32>", "float64", "uint8"],
        "Wide": ["vec<4,float32>", "float32"],
        "Pairs": ["float32", "vec<2,float32>", "vec<2,float64>"],
        "Bytes": ["vec<3,uint8>", "vec<4,int8>", "bool", "vec<4,int16>"],
        "Plain": ["float32", "vec<3,float32>", "int32"],
        "Nested": ["int16", "struct<Mixed>", "struct<Plain>"],
    }.items()
}


def test_sizes_and_alignments_are_the_compilers(tmp_path: Path) -> None:
    lines = ["#include <cuda_runtime.h>", "#include <cstdint>"]
    for name, members in FIELDS.items():
        lines.append(f"struct {name} {{ {' '.join(f'{kind} {member};' for member, kind, _ in members)} }};")
        expected = layout(parse_type(f"struct<{name}>"), name, FIELDS)
        lines.append(f"static_assert(sizeof({name}) == {expected.bytes});")
        lines.append(f"static_assert(alignof({name}) == {expected.alignment});")
    source = tmp_path / "layout.cpp"
    source.write_text("\n".join(lines))
    include = Path(weft.runs.__file__).parent / "include"
    command = ["g++", "-std=c++17", "-fsyntax-only", f"-I{include}", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_padding_is_found() -> None:
    padded = {name for name in FIELDS if layout(parse_type(f"struct<{name}>"), name, FIELDS).padded}
    assert padded == {"Mixed", "Wide", "Pairs", "Bytes", "Nested"}


def test_members_of_a_padded_struct_are_those_that_have_no_padding_inside() -> None:
    assert packed_members("Nested", FIELDS) == [
        ("m0", "int16_t"),
        ("m1.m0", "bool"),
        ("m1.m1", "int"),
        ("m1.m2", "float3"),
        ("m1.m3", "double"),
        ("m1.m4", "uint8_t"),
        ("m2", "Plain"),
    ]
