"""Which lines of a program come from which lines of its source."""

import re
from pathlib import Path
from typing import Any

import pytest

from weft.cuda.formatting import format_texts
from weft.cuda.host import write_program
from weft.cuda.library import LibraryOptions, translate_library, write_libraries
from weft.cuda.program import CudaProgram, device_code, translate
from weft.cuda.source_map import source_lines, unmarked
from weft.files import read_json, read_text
from weft.ir.build import build_ir

ROOT = Path(__file__).resolve().parents[2]
COUNTS = r"for \(int \w+ = 0; \w+ < \w+; \+\+\w+\)|const int \w+ = (tid\b|threadIdx)|if \(e < "
"""The elements of a tile that each thread has: nobody wrote a loop over them."""
GOLDEN = sorted(path.name for path in (ROOT / "tests/golden/products").iterdir())

PAIRS = [
    ("def attraction(at: wp.vec3, body: Body) -> wp.vec3:", "__device__ float3 attraction("),
    ("offset = body.position - at", "const float3 offset ="),
    ("i = wp.tid()", "const int i = blockIdx.x"),
    ("i = wp.tid()", "const bool inside = i < count;"),
    ("for j in range(count):", "for (int start = 0; start < count; start += TILE_SIZE) {"),
    ("for j in range(count):", "for (int j = start; j < stop; ++j) {"),
    ("if j != i:", "if (j != i) {"),
    ("acceleration += attraction(", "acceleration += attraction("),
    (
        "next_bodies[i] = symplectic_euler(body, acceleration, time_step)",
        "next_bodies[i] = symplectic_euler(",
    ),
]


@pytest.fixture(scope="module")
def nbody() -> tuple[dict[str, Any], CudaProgram]:
    ir = build_ir(ROOT / "examples/nbody.py", category="nbody", seed=0, device="cuda")
    record = ir["records"][0]
    return record, translate(record)


def pairs(python: str, program: CudaProgram) -> list[tuple[str, str]]:
    """The texts that belong together: lines of the source, and those of the program."""
    ours, theirs = python.split("\n"), program.standalone.split("\n")
    return [
        ("\n".join(ours[first - 1 : last]), "\n".join(theirs[line - 1 : end]))
        for line, end, first, last in program.source_lines
    ]


@pytest.mark.parametrize(("python", "cuda"), PAIRS)
def test_known_lines_belong_together(
    nbody: tuple[dict[str, Any], CudaProgram], python: str, cuda: str
) -> None:
    record, program = nbody
    found = [theirs for ours, theirs in pairs(record["python_source"], program) if python in ours]
    assert any(cuda in text for text in found), found


def test_what_no_line_asks_for_has_none(nbody: tuple[dict[str, Any], CudaProgram]) -> None:
    record, program = nbody
    together = pairs(record["python_source"], program)
    assert not any(re.search(r"int main|cudaError_t|inline|^ *//", theirs) for _, theirs in together)


@pytest.mark.parametrize("category", GOLDEN)
def test_lines_that_belong_together_have_a_word_in_common(category: str) -> None:
    folder = ROOT / "tests/golden/products" / category
    record = read_json(folder / "ir.json") | {"python_source": read_text(folder / "kernels.py")}
    program = translate(record)
    together = pairs(record["python_source"], program)
    assert together
    for ours, theirs in together:
        words, others = (set(re.findall(r"[^\W_]+", text)) for text in (ours, theirs))
        # Threads count the elements of a tile, and add up, under names that nobody wrote; rows begin at a
        # multiple of an extent that Python has as `shape`.
        plain = re.search(r"\w", theirs.replace("else", "")) and not re.search(
            rf"e = lane| (thread|own)_\w+ = | part = 0;| row_start = |(neighbor_\w+|first_\w+) = |{COUNTS}",
            theirs,
        )
        assert words & others or not plain, (ours, theirs)
    body = re.search(r"^__global__.*?^}", program.standalone, re.MULTILINE | re.DOTALL)
    assert body
    begin = program.standalone.count("\n", 0, body.start()) + 1
    code = {
        begin + number
        for number, line in enumerate(body[0].split("\n"))
        if re.search(r"^(?! *//).*[\w}]", line)
        and not re.search(rf"__sync|__shared__|#pragma|{COUNTS}", line)
    }
    known = {line for first, last, *_ in program.source_lines for line in range(first, last + 1)}
    assert len(code & known) >= 0.8 * len(code), sorted(code - known)


def test_a_body_is_found_where_its_head_and_names_are_written_anew(
    nbody: tuple[dict[str, Any], CudaProgram],
) -> None:
    record, program = nbody
    source = record["python_source"]
    anew = source.replace(
        "def attraction(at: wp.vec3, body: Body) -> wp.vec3:",
        "def attraction(\n    at: wp.vec3,\n    body: Body,\n):",
    ).replace("SOFTENING * SOFTENING", "SOFTENING_2 * SOFTENING_2")
    assert anew.count("\n") == source.count("\n") + 3
    lines = anew.split("\n")
    moved = translate({**record, "python_source": anew})
    assert moved.standalone == program.standalone
    there = {
        tuple(old[:2]): tuple(new[2:])
        for old, new in zip(program.source_lines, moved.source_lines, strict=True)
    }
    for begin, end, first, last in program.source_lines:
        new_first, new_last = there[begin, end]
        old = source.split("\n")[first - 1 : last]
        new = [line.replace("SOFTENING_2", "SOFTENING") for line in lines[new_first - 1 : new_last]]
        assert new == old or (old[0].startswith("def attraction") and new[0] == "def attraction(")


def test_layout_moves_marks_with_what_they_mark() -> None:
    words = " ".join(["word"] * 60)
    draft = f"\x011-1\x02void f() {{\n// {words}\n\x012-3\x02int a=1/2;}}\x010-0\x02 int b;"
    (program,) = format_texts([draft])
    assert "\x01" not in program
    assert program.count("//") > 1  # the comment was wrapped
    last = program.split("\n").index("    int a = 1 / 2;") + 1
    assert source_lines(draft, program) == [[1, last - 1, 1, 1], [last, last + 1, 2, 3]]


def test_no_text_that_others_take_has_a_mark(nbody: tuple[dict[str, Any], CudaProgram]) -> None:
    record, program = nbody
    draft = write_program(record, device_code(record))
    library = translate_library(record, LibraryOptions())
    (written,) = write_libraries([library], LibraryOptions())
    for text in (draft.device, draft.main, program.standalone, *written.files.values()):
        assert not re.search(r"[\x01\x02]", text)
    assert unmarked(draft.marked) == draft.device
