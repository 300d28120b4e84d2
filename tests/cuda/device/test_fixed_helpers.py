"""Helpers that are files: each says all that it needs, and is written in the style of the programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from weft.cuda.definitions import own_type, own_types
from weft.cuda.device_code import text_of
from weft.cuda.formatting import format_texts
from weft.cuda.helpers import collect
from weft.cuda.helpers.fixed import FIXED_HELPERS
from weft.cuda.shard import include_lines
from weft.ptx.nvcc import find_toolkit


def alone(name: str) -> tuple[str, frozenset[str]]:
    """The text of a helper with what it needs and nothing else, and its headers."""
    helpers = collect([(name, ())])
    types = [own_type(kind) for kind in own_types([], {}, helpers)]
    includes = frozenset(header for helper in helpers.values() for header in helper.includes)
    return text_of([*types, *(helper.section for helper in helpers.values())]), includes


@pytest.mark.needs("nvcc")
def test_each_compiles_by_itself(tmp_path: Path) -> None:
    texts = {name: alone(name) for name in FIXED_HELPERS}
    parts = [f"namespace with_{name} {{\n{text}\n}}" for name, (text, _) in texts.items()]
    includes = include_lines(frozenset().union(*(headers for _, headers in texts.values())))
    assert len(parts) > 40
    find_toolkit("pinned", "g++", "sm_75").ptx("\n".join([includes, *parts]), tmp_path)


@pytest.mark.parametrize("name", FIXED_HELPERS)
def test_each_is_in_the_style_of_the_programs(name: str) -> None:
    section = FIXED_HELPERS[name]().section
    assert format_texts([section.text]) == [f"{section.text}\n"]


@pytest.mark.parametrize("name", FIXED_HELPERS)
def test_each_has_its_headers(name: str) -> None:
    text, includes = alone(name)
    assert ("uint32_t" in text) == ("<cstdint>" in includes)
