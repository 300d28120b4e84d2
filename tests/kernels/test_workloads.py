"""Every workload, in several draws: Warp and the translator take it, and it says of itself what is true."""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from open_extents import open_extents
from texts import flattened, kernels_of, launch_of, shapes_of

from weft.concepts import difficulty_of
from weft.cuda.program import translate
from weft.ir.build import build_ir
from weft.kernels import category_names, constants, emit_module, generate, place_written, told_apart
from weft.kernels.constants import Known
from weft.kernels.emit_module import laid_out
from weft.kernels.passes import LONGEST
from weft.kernels.program import Undefined
from weft.kernels.rng import Random
from weft.kernels.variants import Written, alike, runs
from weft.kernels.workloads import SUFFIX, Workload, WrittenProgram, workloads_of
from weft.reference.cases import cases

ROOT = Path(__file__).parents[2]
WORKLOADS = [one for category in category_names() for one in workloads_of(category)]
DRAWS = 4
SAMPLED = 2
WIDTH = 100
FOLLOWING = {
    "arithmetic/complex_arithmetic": {"4096", "8192"},  # a transform of BITS passes has 2^BITS samples
    "control_flow/decision_tree": {"16", "32", "64"},  # NUM_INNER_NODES inner nodes have one more leaf
    "monte_carlo/gibbs_chains": {"2"},  # a state has two components
    "nested_loop/conv2d": {"3", "5"},  # a filter has 2 HALF_WIDTH + 1 rows and columns
}
"""Extents that follow from the constants or the steps of a workload."""


def made(workload: Workload, count: int = DRAWS) -> list[WrittenProgram]:
    key = f"{workload.category}/{workload.name}"
    return [workload.made(Random(key, 1, 0, draw)) for draw in range(count)]


@functools.cache
def drawn(workload: Workload) -> tuple[WrittenProgram, ...]:
    """A dozen programs, for the tests that only read them."""
    return tuple(made(workload, 12))


def module(programs: list[WrittenProgram]) -> str:
    blocks: list[str] = []
    taken: dict[str, str] = {}
    for one in programs:
        place_written(one, blocks, taken)
    names = {one.name: one.made_of for one in programs}
    parts = [part.name for one in programs for part in one.parts]
    return emit_module.module("Kernels.", [one.entry for one in programs], blocks, names, parts)


def statements(source: str) -> int:
    """The statements of all kernels and functions, without docstrings."""
    functions = [one for one in ast.parse(source).body if isinstance(one, ast.FunctionDef)]
    functions = [one for one in functions if one.decorator_list]
    found = [node for one in functions for node in ast.walk(one) if isinstance(node, ast.stmt)]
    docs = [ast.get_docstring(one) for one in functions]
    return len(found) - len(functions) - len([one for one in docs if one])


@pytest.mark.parametrize("draws", [SAMPLED, pytest.param(DRAWS, marks=pytest.mark.full)])
@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda one: f"{one.category}/{one.name}")
def test_a_workload_is_translated_and_says_what_it_is(
    workload: Workload, draws: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    programs = made(workload, draws)
    text = module(programs)
    Path("kernels.py").write_text(text, encoding="utf-8")
    ir = build_ir(Path("kernels.py"), category=workload.category, seed=0, device="cuda")
    assert not ir["rejects"]
    assert [one["kernel_name"] for one in ir["records"]] == [one.name for one in programs]
    for record, program in zip(ir["records"], programs, strict=True):
        translate(record)
        found = difficulty_of(record["concepts"], statements(record["python_source"]))
        assert program.difficulty == found, f"{program.name}: {', '.join(record['concepts'])}"


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda one: f"{one.category}/{one.name}")
def test_a_workload_reads_as_a_person_writes(workload: Workload) -> None:
    programs = drawn(workload)
    texts = {"\n".join(part.text for part in one.definitions) for one in programs}
    assert len(texts) >= 4, "its draws are too much alike"
    for program in programs:
        assert program.doc.endswith(".")
        for one in program.definitions:
            node = ast.parse(one.text).body[-1]
            comments = [line for line in one.text.splitlines() if line.lstrip().startswith("#")]
            assert max(map(len, comments), default=0) <= WIDTH, one.text
            assert len(one.text.splitlines()) <= LONGEST
            if isinstance(node, ast.FunctionDef):
                doc = ast.get_docstring(node) or ""
                assert doc[:1].isupper() and doc.endswith("."), one.name
                own = {argument.arg for argument in node.args.args}
                assert not own & {other.name for other in program.definitions}, one.name


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda one: f"{one.category}/{one.name}")
def test_a_default_build_runs_a_workload_on_six_shapes(workload: Workload) -> None:
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    for program in drawn(workload)[:DRAWS]:
        launches = launch_of(module([program]))
        for name, shapes in shapes_of(launches, cases(config["sizes"], config["input_seeds"])):
            assert len(shapes) >= 6, name


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda one: f"{one.category}/{one.name}")
def test_a_workload_names_the_sizes_that_its_source_leaves_open(workload: Workload) -> None:
    following = FOLLOWING.get(f"{workload.category}/{workload.name}", set())
    for program in drawn(workload)[:DRAWS]:
        (found,) = open_extents(module([program])).values()
        assert set(found.values()) <= following, f"{program.name}: {found}"


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda one: f"{one.category}/{one.name}")
def test_a_single_thread_does_not_ask_which_it_is(workload: Workload) -> None:
    for program in drawn(workload)[:DRAWS]:
        text = module([program])
        alone = {
            step["kernel"]
            for launch in launch_of(text).values()
            for step in flattened(launch.get("steps", []))
            if step["dims"] == ["1"]
        }
        for name in alone:
            assert "wp.tid()" not in ast.unparse(kernels_of(text)[name]), name


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda one: f"{one.category}/{one.name}")
def test_a_workload_names_its_source(workload: Workload) -> None:
    assert re.match(r"## .{20}", workload.path.read_text(encoding="utf-8"))


def shelf(category: str, seed: int, count: int, level: str | None = None) -> list[WrittenProgram]:
    """The workloads among the first kernels of a shard."""
    written = Written(workloads_of(category), category, 1, seed, level)
    return [program for index in range(count) if (program := written.at(index))]


@pytest.mark.parametrize("category", category_names())
def test_all_workloads_of_a_category_come_before_one_comes_again(category: str) -> None:
    count = len(workloads_of(category))
    goals = [one.made_of["goal"] for one in shelf(category, 3, 60)]
    assert len(set(goals[:count])) == count


@pytest.mark.parametrize("category", category_names())
def test_a_shard_has_no_two_workloads_that_differ_in_names_alone(category: str) -> None:
    found = [runs(one) for one in shelf(category, 0, 60)]
    assert not [1 for at, one in enumerate(found) for other in found[:at] if alike(one, other)]


def test_renaming_makes_no_new_variant_and_another_function_does() -> None:
    (program,) = made(Workload("reduction", "cross_entropy"), 1)
    renamed, other = copy.deepcopy(program), copy.deepcopy(program)
    for one in ("sample", "label", "largest"):
        for part in renamed.definitions:
            part.text = re.sub(rf"\b{one}\b", f"{one}_2", part.text)
    other.definitions = made(Workload("reduction", "dot_product"), 1)[0].definitions
    assert runs(renamed) == runs(program)
    assert not alike(runs(other), runs(program))


def test_workloads_of_a_difficulty_have_it_and_the_rest_is_composed() -> None:
    assert {one.difficulty for one in shelf("loop", 0, 40, "medium")} == {"medium"}
    assert not shelf("texture", 0, 40, "easy")


def test_a_workload_that_has_no_more_variants_is_no_longer_drawn() -> None:
    few, many = shelf("dtype", 0, 100), shelf("dtype", 0, 2000)
    assert len(few) <= len(many) < 100


def test_a_constant_with_the_name_of_a_known_number_is_that_number() -> None:
    """Otherwise one of the two would get another name without a word, where both are in a module."""
    known = {one.name: one for one in vars(constants).values() if isinstance(one, Known)}
    for program in (one for workload in WORKLOADS for one in made(workload)):
        for one in program.definitions:
            name = one.name.removesuffix("64")
            if one.is_constant and name in known:
                value = re.search(r"constant\((?:wp\.\w+\()?([-\d.e]+)", one.text)
                assert value and float(value[1]) == known[name], f"{program.name}: {one.text}"


def test_the_folders_are_categories_and_hold_workloads_alone() -> None:
    folder = WORKLOADS[0].path.parents[1]
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix == ".j2":
            assert path.parent.name in category_names() and path.name.endswith(SUFFIX)


def test_a_second_program_of_the_same_names_gets_others(tmp_path: Path) -> None:
    workload = WORKLOADS[0]
    text = module(made(workload, 8))
    names = re.findall(r"^(?:def|class) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("name", "owner", "first"),
    [
        ("RADIUS", "gaussian_blur", "GAUSSIAN_BLUR_RADIUS"),
        ("RADIUS", "morphological_gradient_of_all_volumes", "MORPHOLOGICAL_GRADIENT_OF_ALL_RADIUS"),
        ("distance_to", "distance_by_jump_flooding", "distance_by_jump_flooding_distance_to"),
        ("color_bin", "backproject_colors", "backproject_color_bin"),
        ("Box", "overlap_boxes", "OverlapBox"),
        ("FILTER_RADIUS", "filter_2d_rows", "ROWS_FILTER_RADIUS"),
    ],
)
def test_definitions_are_told_apart_by_their_kernel_and_not_by_a_number(name, owner, first):
    assert told_apart(name, f"{name} = wp.constant(3)", f"{name} = wp.constant(5)", owner)[0] == first


def test_kernels_of_one_name_are_told_apart_by_what_they_take():
    plain, weighted = (
        f"def f({taken}):" for taken in ("x: float", "x: float, weights: wp.array(dtype=float)")
    )
    assert told_apart("f", weighted, plain, "f") == ["f_with_weights"]


def test_where_a_kernel_of_a_program_gets_another_name_all_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("weft.kernels.workloads.FOLDER", tmp_path)
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / f"march{SUFFIX}").write_text(STEPS)
    first, second = (Workload("loop", "march").made(Random("test", 1, 0, 0)) for _ in range(2))
    drift = next(one for one in second.definitions if one.name == "drift")
    drift.text = drift.text.replace("+=", "-=")
    blocks: list[str] = []
    taken: dict[str, str] = {}
    place_written(first, blocks, taken)
    place_written(second, blocks, taken)
    assert [one.name for one in first.parts] == ["kick", "drift"]
    assert [one.name for one in second.parts] == [f"{second.name}_kick", f"{second.name}_drift"]


def test_a_shard_has_no_numbered_constants() -> None:
    """Two of one value are one."""
    constants = re.findall(r"^([A-Z_0-9]+) = (.+)$", generate("atomic", 13, 40), re.MULTILINE)
    assert len(constants) >= 4
    assert [name for name, _ in constants if re.search(r"_\d+$", name)] == []


def test_a_longer_name_breaks_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.kernels.workloads.FOLDER", tmp_path)
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / f"blur{SUFFIX}").write_text(VARIANT)
    program = Workload("loop", "blur").made(Random("test", 1, 0, 0))
    program.rename("doubled", "doubled_" + 60 * "x")
    text = laid_out([one.text for one in program.definitions])
    assert max(map(len, text.splitlines())) <= WIDTH
    assert ast.parse(text)


def test_docstrings_speak_of_a_function_by_its_new_name() -> None:
    program = Workload("custom_gradient", "safe_norm").made(Random("test", 1, 0, 0))
    told = [
        one for one in program.definitions if "_" in one.name and f" of {one.name}" in program_text(program)
    ]
    assert told
    for one in told:
        before = one.name
        program.rename(before, f"own_{before}")
        assert f" of own_{before}" in program_text(program)
        assert not re.search(rf"\b{before}\b", program_text(program))


def program_text(program: WrittenProgram) -> str:
    return "\n".join(one.text for one in program.definitions)


FUNCTION = "@wp.func\ndef helper(x: float):\n    return x\n\n\n"
KERNEL = """@wp.kernel
def f(x: wp.array(dtype=float)):
    x[0] = 1.0


LAUNCH = {"f": {}}
"""


VARIANT = """\
LIMIT = wp.constant(3)
RADIUS = wp.constant(2)


@wp.func
def doubled(v: float):
    \"\"\"Double a number.\"\"\"
    twice = 2.0 * v
    return twice


@wp.kernel
def blur(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    \"\"\"Blur over RADIUS.\"\"\"
    i = wp.tid()
    value = x[i]
    kept = doubled(value) + float(RADIUS) * value
    y[i] = kept


LAUNCH = {"blur": {"dims": ["n"]}}
"""


STEPS = """\
@wp.kernel
def kick(v: wp.array(dtype=float)):
    \"\"\"Kick.\"\"\"
    i = wp.tid()
    v[i] += 1.0


@wp.kernel
def drift(v: wp.array(dtype=float), x: wp.array(dtype=float)):
    \"\"\"Drift.\"\"\"
    i = wp.tid()
    x[i] += v[i]


LAUNCH = {"${names('march', 'backward_march')}": {
    "steps": [{"kernel": "kick", "dims": ["n"]}, {"kernel": "drift", "dims": ["n"]}],
}}
"""


def test_what_a_variant_leaves_alone_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.kernels.workloads.FOLDER", tmp_path)
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / f"blur{SUFFIX}").write_text(VARIANT)
    program = Workload("loop", "blur").made(Random("test", 1, 0, 0))
    assert [one.name for one in program.definitions] == ["RADIUS", "doubled", "blur"]
    assert "\n    return 2.0 * v" in program.definitions[1].text
    assert "value = x[i]\n    y[i] = doubled(value) + float(RADIUS) * value" in program.definitions[2].text
    program.rename("RADIUS", "RADIUS_2")
    assert '"""Blur over RADIUS_2."""' in program.definitions[2].text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("${missing}\n", r"broken.py.j2:1: 'missing' is undefined"),
        ("#% if chance(0.5)\nx\n", r"broken.py.j2:2: "),
        ("def f(:\n", r"broken.py.j2: invalid syntax"),
        ("X = 1\n", r"the last statement must be LAUNCH"),
        ('LAUNCH = {"f": {}}\n', r"there is no kernel"),
        (f"{FUNCTION}{KERNEL}".replace("helper", "f"), r"two definitions are, or may be, called 'f'"),
        (
            f"#% set f = names('f', 'helper')\n{FUNCTION}{KERNEL}".replace("= 1.0", "= helper(x[0])"),
            r"broken.py.j2: .* called 'helper'",
        ),
    ],
)
def test_a_mistake_in_a_template_names_its_place(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("weft.kernels.workloads.FOLDER", tmp_path)
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / f"broken{SUFFIX}").write_text(text)
    with pytest.raises(Undefined, match=message):
        Workload("loop", "broken").made(Random("test", 1, 0, 0))


def test_a_shard_has_workloads_and_composed_kernels() -> None:
    names: dict[str, Any] = {}
    text = generate("loop", 0, 20)
    with contextlib.suppress(StopIteration):
        exec(text[text.index("MADE_OF = ") :].split("\n# end")[0], names)
    endings = [one.get("ending") for one in names["MADE_OF"].values()]
    assert 4 <= endings.count("written") < 20
