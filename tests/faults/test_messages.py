"""Messages name what the user wrote: arrays and elements, parameters, the compiler's line."""

import ast
from pathlib import Path

import pytest

from weft.compilers import without_warnings
from weft.files import write_json
from weft.ir.build import build_ir
from weft.reference.stage import make_reference
from weft.reference.warp_cpu import first_error
from weft.runs.elements import Stored, with_elements

ARRAYS = [Stored("x", (2,), 4), Stored("u", (3, 4), 4), Stored("at", (5,), 12), Stored("to", (5,), 12)]


PAST = "bytes past the end of an allocation of"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (f"a read 0 {PAST} 8 bytes", "a read of element 2 of an array of 2 (x)"),
        (f"write 8 {PAST} 48 bytes", "write of element 14 of an array of 3 x 4 (u)"),
        (
            "read 4 bytes before an allocation of 8 bytes, here",
            "read of element -1 of an array of 2 (x), here",
        ),
        (f"read 3 {PAST} 60 bytes", "read of element 5 of an array of 5 (at or to)"),
        (f"read 0 {PAST} 7 bytes", f"read 0 {PAST} 7 bytes"),
        (
            "a read of 4 bytes at byte 28 of an allocation of 48 bytes, after",
            "a read of element 7 of an array of 3 x 4 (u), after",
        ),
        (
            "a read of 4 bytes at byte 4 of an allocation of 9 bytes",
            "a read of 4 bytes at byte 4 of an allocation of 9 bytes",
        ),
    ],
)
def test_an_access_names_element_and_array(said: str, shown: str) -> None:
    assert with_elements(said, ARRAYS) == shown


def test_the_first_error_of_the_compiler_has_its_line() -> None:
    log = "/tmp/x/k.cpp:3:9: error: cannot combine with it\n    3 |     float int;\n      |           ^\n"
    assert first_error(log) == "cannot combine with it, in `float int;`"
    assert first_error("a.cpp:1:2: fatal error: no such file") == "no such file"
    assert first_error("") == ""


@pytest.mark.parametrize(
    "log",
    [
        "shard.cu:3:9: warning: unused variable 'error' [-Wunused-variable]\n    3 |     int error;\n"
        "shard.cu:2:1: note: declared here\nshard.cu:7:9: error: no\n    7 |     no;\n",
        'shard.cu(3): warning #177-D: variable "error" was never referenced\n      int error;\n\n'
        'Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"\n\n'
        "shard.cu:7:9: error: no\n    7 |     no;\n",
        "nvcc warning : old architectures are deprecated\nshard.cu:7:9: error: no\n    7 |     no;\n",
    ],
)
def test_warnings_are_no_part_of_an_error(log: str) -> None:
    assert without_warnings(log) == "shard.cu:7:9: error: no\n    7 |     no;"


def test_a_note_on_an_error_is_kept() -> None:
    log = "shard.cu(7): error: no\n\nshard.cu(2): note: declared here"
    assert without_warnings(log) == log


NAMES = """import warp as wp

@wp.struct
class Odd:
    short: float

@wp.kernel
def first(x: wp.array(dtype=float), int: wp.array(dtype=float)):
    i = wp.tid()
    int[i] = x[i]

@wp.kernel
def second(template: float, out: wp.array(dtype=float)):
    out[wp.tid()] = template

@wp.kernel
def third(x: wp.array(dtype=Odd), out: wp.array(dtype=float)):
    out[wp.tid()] = x[wp.tid()].short

@wp.kernel
def fourth(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    register = x[wp.tid()]
    out[wp.tid()] = register
"""


def test_a_keyword_of_cpp_is_refused_at_its_parameter(tmp_path: Path) -> None:
    """Warp itself cannot compile such kernels; names of variables do not get into its text."""
    path = tmp_path / "kernels.py"
    path.write_text(NAMES, encoding="utf-8")
    ir = build_ir(path, category="k", seed=0, device="cuda")
    assert [one["kernel_name"] for one in ir["records"]] == ["fourth"]
    said = {one["kernel_name"]: one for one in ir["rejects"]}
    assert [(one["line"], one["column"]) for one in said.values()] == [(8, 37), (13, 12), (17, 11)]
    for name, what in (
        ("first", "the parameter 'int' is named like a keyword of C++"),
        ("second", "the parameter 'template' is named like a keyword of C++"),
        ("third", "the member 'short' of the struct Odd is named like a keyword of C++"),
    ):
        assert what in said[name]["message"]


LARGE = """import warp as wp

@wp.kernel
def pairs(x: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    i = wp.tid()
    for j in range(out.shape[1]):
        out[i, j] = x[i] * x[j]

LAUNCH = {"pairs": {"dims": ["n"], "parameters": {
    "x": {"shape": ["n"], "values": {"uniform": [0, 1]}}, "out": {"role": "out", "shape": ["n", "n"]}}}}
"""
UNRELATED = """import warp as wp

@wp.kernel
def gather(x: wp.array(dtype=float), at: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    if at[i] >= 0:
        out[i] = x[0]
"""


def test_what_is_too_large_is_named(tmp_path: Path) -> None:
    message = reference_message(tmp_path, LARGE, [1, 65537])
    assert "the largest is 'out', an array of 65537 x 65537: 17180393476 bytes" in message


def test_what_was_inferred_is_said_where_it_may_be_to_blame(tmp_path: Path) -> None:
    """The condition holds for all values that are drawn."""
    message = reference_message(tmp_path, UNRELATED, [1, 33])
    assert "no output depends on the input 'at'; nobody described at, out, x, dims" in message
    assert '"at": {"shape": ["n"], "values": {"integers": ' in message
    described = ast.literal_eval(message.partition("LAUNCH = ")[2])
    assert described["gather"].keys() == {"dims", "parameters"}  # nothing that docs/formats/launch.md lacks


OUTSIDE = """import warp as wp

@wp.kernel
def shifted(x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = x[i + 2][0]

LAUNCH = {"shifted": {"dims": ["n"], "parameters": {
    "x": {"shape": ["n + 1"], "values": {"uniform": [0, 1]}}, "out": {"role": "out", "shape": ["n"]}}}}
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (OUTSIDE, "read of element 2 of 'x', an array of 2, in case n = 1, seed 0"),
        (
            OUTSIDE.replace("out[i] = x[i + 2]", "out[i + 3] = x[i]"),
            "write of element 3 of 'out', an array of 1, in case n = 1, seed 0",
        ),
    ],
)
def test_an_access_outside_in_warp_names_element_and_array(text: str, words: str, tmp_path: Path) -> None:
    assert words in reference_message(tmp_path, text, [1, 33])


def reference_message(folder: Path, text: str, sizes: list[int]) -> str:
    path = folder / "kernels.py"
    path.write_text(text, encoding="utf-8")
    write_json(folder / "ir.json", build_ir(path, category="k", seed=0, device="cuda"))
    (reject,) = make_reference(path, folder / "ir.json", sizes, [0], 20.0).rejects
    return str(reject["message"])
