"""Slots of an append: a counter whose numbers are indices is never negative."""

from pathlib import Path

import pytest
from translated import text_of

KERNEL = """
@wp.kernel
def keep(a: wp.array2d(dtype=int), list: wp.array(dtype=int), size: wp.array(dtype=int)):
    i = wp.tid()
    for k in range(a.shape[1]):
        if a[i, k] > 0:
            {}


LAUNCH = {{"keep": {{"sizes": {{"degree": "n"}}, "dims": ["n"], "parameters": {{
    "a": {{"shape": ["n", "degree"], "values": {{"integers": [0, 9]}}}},
    "list": {{"role": "inout", "shape": ["n"], "values": {{"constant": 0}}}},
    "size": {{"role": "inout", "shape": [1], "values": {{"constant": {}}}}},
}}}}}}
"""

WRAPPED = {
    "list[slot] = k": False,
    "value = a[i, k]\nlist[slot] = value": False,
    "if k > 2:\n    list[slot] = k": True,
    "if slot < list.shape[0]:\n    list[slot] = k": True,
    "if a[i, k] == 5:\n    continue\nlist[slot] = k": True,
    "list[slot + 1] = k": True,
}


def text(folder: Path, count: str, use: str, first: int = 0) -> str:
    return text_of(folder, KERNEL.format(f"{count}\n{use}".replace("\n", "\n            "), first))


@pytest.mark.parametrize(("use", "wrapped"), WRAPPED.items())
def test_a_slot_that_is_always_used_is_an_index(tmp_path: Path, use: str, wrapped: bool) -> None:
    assert ("wrap_index(" in text(tmp_path, "slot = wp.atomic_add(size, 0, 1)", use)) == wrapped


def test_steps_and_first_numbers_that_are_others_say_nothing(tmp_path: Path) -> None:
    use = "list[slot] = k"
    assert "wrap_index(slot, " in text(tmp_path, "slot = wp.atomic_add(size, 0, 2)", use)
    assert "wrap_index(slot, " in text(tmp_path, "slot = wp.atomic_add(size, 0, 1)", use, first=-1)


def test_a_counter_of_all_threads_says_that_the_compiler_aggregates(tmp_path: Path) -> None:
    said = "// nvcc makes one atomic for the threads of a warp that get here together.\n"
    assert said in text(tmp_path, "slot = wp.atomic_add(size, 0, 1)", "list[slot] = k")
    assert said not in text(tmp_path, "slot = wp.atomic_add(size, a[i, k], 1)", "list[slot] = k")
