"""Mistakes in programs: which are made, and which the judge finds."""

import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from weft.cuda.shard import Part, include_lines
from weft.files import read_json
from weft.mutation.edits import Edit, edited
from weft.mutation.kinds import OPERATORS
from weft.mutation.launch_assumptions import with_assumptions
from weft.mutation.more_cases import SEEDS, SIZES
from weft.mutation.mutants import MUTANTS, changes, mutants, original
from weft.mutation.programs import program_parts
from weft.mutation.same import kernels_ptx
from weft.ptx.nvcc import find_toolkit
from weft.sampling import chosen

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[1] / "scripts"
KERNELS = HERE / "mutated_kernels.py"

Entries = dict[str, dict[str, Any]]


def run(script: str, *arguments: object) -> None:
    command = [sys.executable, "-P", str(SCRIPTS / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def ir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mutation") / "ir.json"
    run("ir.py", KERNELS, "-o", path, "-c", "mistakes")
    return path


@pytest.fixture(scope="module")
def records(ir: Path) -> Entries:
    return {record["kernel_name"]: record for record in read_json(ir)["records"]}


@pytest.fixture(scope="module")
def scores(ir: Path, warp_headers: tuple[str, ...]) -> Entries:
    """What the mutation file has of each kernel; nvcc is not asked."""
    reference, output = ir.with_name("reference.npz"), ir.with_name("mutation.json")
    cases = ("--sizes", 1, 33, "--seeds", 0, "--timeout", 60)
    run("reference.py", KERNELS, ir, "-o", reference, *cases, *warp_headers)
    asked = ("--kernels", KERNELS, "--compiler", "g++", "--timeout", 60)
    run("mutation.py", ir, reference, "-o", output, *asked)
    return {one["kernel_name"]: one for one in read_json(output)["samples"]}


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_judge_finds_mistakes_of_every_kind(scores: Entries, operator: str) -> None:
    counts = [scores[kernel]["operators"].get(operator) for kernel in ("tally", "turned")]
    assert sum(one["killed"] for one in counts if one) >= 1
    assert not any(one["not_compiled"] for one in counts if one)


def test_a_mistake_that_no_input_shows_survives_and_is_named(scores: Entries) -> None:
    survivors = {one["after"]: one for one in scores["hidden"]["survivors"]}
    survivor = survivors["result[i] = 0.5f * value + gain * 8.0f;"]
    assert (survivor["operator"], survivor["function"]) == ("constant", "hidden")
    assert survivor["before"] == "result[i] = 0.5f * value + gain * 7.0f;"


def test_the_line_of_a_survivor_is_that_of_the_program_alone(scores: Entries, ir: Path) -> None:
    alone = ir.with_name("alone.cu")
    run("cuda.py", ir, "--sample", scores["hidden"]["sample_id"], "-o", alone)
    lines = alone.read_text().splitlines()
    for survivor in scores["hidden"]["survivors"]:
        assert lines[survivor["line"] - 1].strip() == survivor["before"]


def test_a_mistake_that_was_found_is_told_with_what_it_does(scores: Entries, ir: Path) -> None:
    alone = ir.with_name("alone.cu")
    for kernel in ("tally", "hidden"):
        run("cuda.py", ir, "--sample", scores[kernel]["sample_id"], "-o", alone)
        program = alone.read_text()
        assert len(scores[kernel]["found"]) == scores[kernel]["killed"]
        for mistake in scores[kernel]["found"]:
            edits = [Edit(**edit) for edit in mistake["edits"]]
            last = max(edits, key=lambda one: one.line)
            wrong, right = edited(program, edits).splitlines(), program.splitlines()
            moved = len(wrong) - len(right)
            assert mistake["line"] == last.line
            assert wrong != right
            assert right[last.line - 1 + last.count :] == wrong[last.line - 1 + last.count + moved :]
            assert mistake["reason"] != "verified"
    shown = [one["failure"] for one in scores["hidden"]["found"] if one["reason"] == "wrong_output"]
    assert shown[0]["expected"] != shown[0]["got"]
    assert {one["case"]["size"] for one in shown} == {33}  # not 1, with which they fail as well


def test_the_line_of_a_mistake_is_not_that_of_a_name_that_nobody_reads_then(records: Entries) -> None:
    program, _ = original(records["hidden"])
    right = "void f(float* sums) {\n    int i = 0;\n    ++i;\n    if (i == 1) sums[0] = 1.0f;\n}\n"
    wrong = "void f(float* /*sums*/) {\n    int i = 0;\n    ++i;\n}\n"
    drafts = [dataclasses.replace(program, device=text) for text in (right, wrong)]
    (change,) = changes(drafts[0], drafts[1:])
    assert change.before.splitlines()[1].strip() == "if (i == 1) sums[0] = 1.0f;"
    assert change.line == change.edits[0].line + 3


def test_the_score_is_the_share_of_mistakes_that_were_found(scores: Entries) -> None:
    for one in scores.values():
        judged = one["killed"] + one["survived"]
        assert judged + one["equivalent"] + one["not_compiled"] == MUTANTS
        assert one["survived"] == len(one["survivors"])
        assert one["score"] == pytest.approx(one["killed"] / judged, abs=1e-6)
        assert one["flagged"] == (one["score"] < 0.8)


def test_a_kernel_whose_mistakes_survive_gets_more_cases(scores: Entries) -> None:
    assert (scores["tally"]["more_cases"], scores["tally"]["killed_by_more"]) == (0, 0)
    distant = scores["distant"]
    assert distant["more_cases"] == len(SIZES) * len(SEEDS)
    assert distant["killed_by_more"] >= 3
    assert not distant["flagged"]


def test_what_more_cases_do_not_show_is_flagged(scores: Entries) -> None:
    assert scores["hidden"]["more_cases"] > 0
    assert scores["hidden"]["flagged"]


def test_the_same_record_has_the_same_mutants(records: Entries) -> None:
    first, second = ([one.draft.device for one in mutants(records["tally"])] for _ in range(2))
    assert first == second
    assert len(set(first)) == MUTANTS


def test_operators_take_turns(records: Entries) -> None:
    kinds = [mutant.operator for mutant in mutants(records["tally"])]
    assert kinds[: len(OPERATORS)] == list(OPERATORS)


def test_only_device_code_has_mistakes(records: Entries) -> None:
    program, _ = original(records["tally"])
    for mutant in mutants(records["tally"]):
        assert (mutant.draft.main, mutant.draft.interface) == (program.main, program.interface)
        assert mutant.draft.device != program.device


def test_mistakes_are_made_in_functions_too(records: Entries) -> None:
    assert {mutant.function for mutant in mutants(records["tally"])} == {"tally", "bend"}


def test_what_a_launch_description_promises_is_told_to_the_compiler(records: Entries) -> None:
    program, conditions = original(records["turned"])
    assert conditions == ("rows > 0", "blockIdx.x < 2u")
    lines = with_assumptions(program.device, "turned", conditions).splitlines()
    kernel = next(number for number, line in enumerate(lines) if line.startswith("__global__ void turned("))
    assert lines[kernel + 1].strip() == "__builtin_assume(rows > 0);"


def test_nothing_is_told_of_a_parameter_that_the_kernel_has_no_use_for() -> None:
    device = "__global__ void fill(float* x, int /*n*/) {\n    x[0] = 1.0f;\n}\n"
    assert with_assumptions(device, "fill", ["n > 0"]) == device


def test_a_larger_share_has_the_samples_of_a_smaller_one() -> None:
    ids = [f"loop-0000-{index:04d}" for index in range(400)]
    shares = [{one for one in ids if chosen(one, share, "mutation")} for share in (0.0, 0.05, 0.25, 1.0)]
    assert shares[0] == set() and shares[3] == set(ids)
    assert shares[1] < shares[2]
    assert 60 < len(shares[2]) < 140


@pytest.mark.needs("nvcc")
def test_a_guard_that_whole_blocks_do_not_need_is_no_mistake(records: Entries) -> None:
    program, conditions = original(records["padded"])
    wider = program.device.replace("j >= cols)", "j >= cols + 1)")
    assert wider != program.device
    toolkit = find_toolkit("pinned", "g++", "sm_75")
    for told, is_same in ((conditions, True), ((), False)):
        texts = [with_assumptions(device, "padded", told) for device in (program.device, wider)]
        parts = [
            Part(f"mistakes/{number}", "padded", f"s{number:04d}", text) for number, text in enumerate(texts)
        ]
        own, other = kernels_ptx(include_lines(program.includes), parts, toolkit).values()
        assert (own == other) == is_same


@pytest.mark.needs("nvcc")
def test_a_mistake_in_what_nothing_needs_is_the_same_program(records: Entries) -> None:
    (program, _), made = original(records["hidden"]), mutants(records["hidden"])
    found = changes(program, [mutant.draft for mutant in made])
    unused = [
        mutant for mutant, change in zip(made, found, strict=True) if "overwritten = value" in change.before
    ]
    drafts = [program, *(mutant.draft for mutant in unused), made[0].draft]
    parts = program_parts("mistakes", "hidden", drafts, 0)
    includes = include_lines(frozenset[str]().union(*(draft.includes for draft in drafts)))
    own, *others, different = kernels_ptx(includes, parts, find_toolkit("pinned", "g++", "sm_75")).values()
    assert others and all(other == own for other in others)
    assert different != own
