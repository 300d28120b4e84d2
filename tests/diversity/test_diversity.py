"""What counts as the same kernel, as nearly the same, and as different."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from weft.diversity.canonical import renamed_tokens, renamed_tree, skeleton, tokens
from weft.diversity.collect import Kernel, collect
from weft.diversity.coverage import coverage
from weft.diversity.duplicates import duplicates
from weft.diversity.measure import measure, planned_shards, source_folder
from weft.diversity.near import jaccard, near_pairs, runs, shingles
from weft.diversity.opcodes import opcode_hashes, opcodes
from weft.errors import UserError

SCRIPT = Path(__file__).parents[2] / "scripts/diversity.py"

PLAN = {
    "shards": [{"category": "loop", "seed": 0, "kernels": 1}],
    **{name: [] for name in ("sizes", "input_seeds", "devices", "archs")},
    **dict.fromkeys(("ir_check", "mutation", "gradients"), 1),
    "sources": {},
    "difficulty": {},
}

SCALE = '''
@wp.kernel
def scale(x: wp.array(dtype=float), y: wp.array(dtype=float), factor: float):
    """Scales."""
    i = wp.tid()
    value = x[i]
    if value > 0.5:
        y[i] = factor * value
    else:
        y[i] = wp.sqrt(value) + 1.0
'''


def kernels(folder: Path, *texts: str) -> list[Kernel]:
    for number, text in enumerate(texts):
        (folder / f"{number}.py").write_text("import warp as wp\n" + text)
    return collect(folder)


def renamed(text: str) -> str:
    return text.replace("value", "height").replace("factor", "gain").replace("scale", "lift")


def test_other_names_are_the_same_tree_and_other_numbers_the_same_skeleton(tmp_path: Path):
    one, two, three = kernels(tmp_path, SCALE, renamed(SCALE), SCALE.replace("0.5", "0.25"))
    assert renamed_tree(one.definitions) == renamed_tree(two.definitions)
    assert renamed_tokens(one.definitions) == renamed_tokens(two.definitions)
    assert tokens(one.definitions) != tokens(two.definitions)
    assert renamed_tree(one.definitions) != renamed_tree(three.definitions)
    assert skeleton(one.definitions) == skeleton(three.definitions)


@pytest.mark.parametrize("change", [("sqrt", "exp"), ("> 0.5", "< 0.5"), ("y[i] = wp", "y[i] += wp")])
def test_another_operation_is_another_tree(tmp_path: Path, change: tuple[str, str]):
    one, two = kernels(tmp_path, SCALE, SCALE.replace(*change))
    assert renamed_tree(one.definitions) != renamed_tree(two.definitions)


def test_a_field_is_renamed_and_a_component_and_a_builtin_are_not(tmp_path: Path):
    struct = """
@wp.struct
class Ball:
    sin: float
    place: wp.vec3

@wp.kernel
def move(balls: wp.array(dtype=Ball), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.sin(balls[i].sin) + balls[i].place.x
"""
    (one,) = kernels(tmp_path, struct)
    assert list(coverage([one])["type"]) == ["float", "struct"]
    text = " ".join(renamed_tokens(one.definitions))
    assert "wp . sin (" in text and "] . sin" not in text and ". place" not in text and ". x" in text


def test_docstrings_comments_and_layout_do_not_count(tmp_path: Path):
    loud = SCALE.replace('"""Scales."""', '"""Another text."""').replace(
        "value = x[i]", "value = x[ i ]  # x"
    )
    one, two = kernels(tmp_path, SCALE, loud)
    assert tokens(one.definitions) == tokens(two.definitions)


def test_a_kernel_counts_with_what_it_uses_and_without_the_rest(tmp_path: Path):
    (one,) = kernels(
        tmp_path,
        """
RATE = wp.constant(2.0)
OTHER = 3.0

@wp.func
def inner(x: float):
    return RATE * x

@wp.func
def unused(x: float):
    return x

@wp.kernel(enable_backward=False)
def outer(x: wp.array(dtype=float)):
    x[wp.tid()] = inner(1.0)

LAUNCH = {"outer": {}}
""",
    )
    assert [type(node).__name__ for node in one.definitions] == ["Assign", "FunctionDef", "FunctionDef"]
    assert one.name == "outer"


def test_near_pairs_are_those_of_all_comparisons():
    base = [f"t{n}" for n in range(60)]
    texts = [
        base,
        [*base[:59], "other"],
        [*base[:30], "other", *base[31:]],
        [*base[:10], *reversed(base)],
        [f"u{n}" for n in range(60)],
        [*base[:20], "a", *base[21:40], "b", *base[41:]],
    ]
    sets = [set(runs(one)) for one in texts]
    index = {(a, b): len(sets[a] & sets[b]) / len(sets[a] | sets[b]) for b in range(6) for a in range(b)}
    found = [shingles(one) for one in texts]
    for (a, b), exact in index.items():
        assert jaccard(found[a], found[b]) == pytest.approx(exact)
    near = {pair for pair, exact in index.items() if exact >= 0.7}
    assert set(near_pairs(found)) == near
    assert (0, 1) in near and (0, 4) not in near


def test_five_tokens_make_a_run():
    assert runs(list("abcdefabcde")) == sorted(
        map(" ".join, ("abcde", "bcdef", "cdefa", "defab", "efabc", "fabcd"))
    )
    assert runs(list("ab")) == ["a b"]


def test_the_opcodes_of_an_entry_lose_registers_and_predicates(tmp_path: Path):
    entry = """.visible .entry {name}(
	.param .u64 a
)
{{
	.reg .b32 	%r<3>;

	mov.u32 	{register}, %tid.x;
	@%p1 bra 	$L__BB0_2;
	{store} 	[%rd1], %f1;

$L__BB0_2:
	ret;

}}
"""
    assert opcodes(entry.format(name="k", register="%r1", store="st.global.f32")) == [
        "mov.u32", "bra", "st.global.f32", "ret",
    ]  # fmt: skip
    (tmp_path / "ptx/sm_75/x").mkdir(parents=True)
    texts = [("k", "%r1", "st.global.f32"), ("l", "%r2", "st.global.f32"), ("m", "%r1", "st.global.u32")]
    samples = [{"sample_id": name, "entries": [{"entry": name}]} for name, *_ in texts]
    shard = tmp_path / "ptx/sm_75/x/0.ptx"
    shard.write_text("\n".join(entry.format(name=n, register=r, store=s) for n, r, s in texts))
    shard.with_suffix(".json").write_text(json.dumps({"samples": samples}))
    hashes = dict(opcode_hashes(tmp_path))
    assert hashes["k"] == hashes["l"] != hashes["m"]


def test_coverage_says_which_category_uses_what(tmp_path: Path):
    (tmp_path / "loop").mkdir()
    kernels(tmp_path / "loop", SCALE)
    table = coverage(collect(tmp_path))
    assert table["builtin"] == {"sqrt": {"loop": 1}, "tid": {"loop": 1}}
    assert table["rank"] == {"array 1-D": {"loop": 1}, "launch 1-D": {"loop": 1}}
    assert table["statement"] == {"if": {"loop": 1}}
    assert table["type"] == {"float": {"loop": 1}}


def test_figures_of_a_set_with_a_copy(tmp_path: Path):
    kernels(
        tmp_path, SCALE, renamed(SCALE), SCALE.replace("wp.sqrt(value) + 1.0", "-value").replace("x", "z")
    )
    figures = measure(collect(tmp_path), tmp_path)
    assert figures["distinct"] == pytest.approx(2 / 3)
    assert figures["near_duplicates"]["renamed"] >= 1 / 3
    assert figures["near_duplicates"]["as_written"] == 0.0
    assert figures["opcode_sequences"] is None


def test_a_later_sample_that_equals_an_earlier_one_is_named(tmp_path: Path):
    other = SCALE.replace("sqrt", "exp")
    shards = {"loop/2": [SCALE, other], "loop/10": [other, renamed(SCALE)], "atomic/0": [renamed(other)]}
    for name, texts in shards.items():
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        named = "".join(text.replace("def ", f"def k{at}_") for at, text in enumerate(texts))
        path.write_text(f"import warp as wp\n{named}")
    found = duplicates(collect(tmp_path), tmp_path)
    assert found["samples"] == [
        {"sample_id": "loop-0002-0001", "same_as": "atomic-0000-0000"},
        {"sample_id": "loop-0010-0000", "same_as": "atomic-0000-0000"},
        {"sample_id": "loop-0010-0001", "same_as": "loop-0002-0000"},
    ]
    assert (found["kernels"], found["share"]) == (5, 0.6)


def test_an_index_counts_kernels_that_were_rejected(tmp_path: Path):
    (tmp_path / "loop").mkdir()
    reject = {"index": 0, "kernel_name": "none", "reason": "unused", "message": "x is never read"}
    second = SCALE.replace("def scale", "def second")
    text = f"import warp as wp\n{SCALE}{second}\nREJECTS = [{reject}]\n"
    (tmp_path / "loop/0.py").write_text(text)
    found = duplicates(collect(tmp_path), tmp_path)
    assert found["samples"] == [{"sample_id": "loop-0000-0002", "same_as": "loop-0000-0001"}]


def test_a_build_of_own_sources_alone_has_no_shares(tmp_path: Path):
    (tmp_path / "kernels").mkdir()
    figures = measure(collect(source_folder(tmp_path)), tmp_path)
    assert figures["kernels"] == 0 and figures["distinct"] is None
    assert figures["near_duplicates"] == {"as_written": None, "renamed": None}


def test_files_of_earlier_builds_are_not_counted(tmp_path: Path):
    for category in ("loop", "atomic"):
        (tmp_path / "kernels" / category).mkdir(parents=True)
        kernels(tmp_path / "kernels" / category, SCALE)
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    shards = planned_shards(tmp_path)
    found = collect(tmp_path / "kernels", shards)
    assert [one.file for one in found] == ["loop/0.py"]
    assert measure(found, tmp_path, shards)["kernels"] == 1
    assert planned_shards(tmp_path / "kernels") is None


def test_a_folder_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(UserError, match="no such folder"):
        collect(tmp_path / "none")
    run = subprocess.run(
        [sys.executable, "-P", str(SCRIPT), str(tmp_path / "none")], capture_output=True, text=True
    )
    assert run.returncode == 2 and run.stderr == f"diversity: {tmp_path / 'none'}: no such folder\n"


def test_parts_of_a_program_count_as_one(tmp_path):
    launch = 'LAUNCH = {"both": {"steps": [{"repeat": 2, "steps": [{"kernel": "a"}, {"kernel": "b"}]}]}}'
    kernels = "".join(f"@wp.kernel\ndef {name}():\n    pass\n\n\n" for name in "ab")
    (tmp_path / "k.py").write_text(f"import warp as wp\n\n\n{kernels}{launch}\n")
    assert [one.name for one in collect(tmp_path)] == ["a", "b"]
    (tmp_path / "k.py").write_text(f'import warp as wp\n\n\n{kernels}{launch}\n\nPARTS = ["a", "b"]\n')
    assert [(one.name, len(one.definitions)) for one in collect(tmp_path)] == [("both", 2)]
