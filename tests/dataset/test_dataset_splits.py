"""Which samples are alike, and that what is alike is in one split."""

import collections

from weft.dataset.alike import form, group
from weft.dataset.origin import held_out
from weft.dataset.splits import OUT_OF_DISTRIBUTION, assign
from weft.stats.tree import Plan

SHARES = {"train": 0.7, "validation": 0.2, "test": 0.1}

LOOP = """\
import warp as wp

@wp.kernel
def {name}(values: wp.array(dtype=float), sums: wp.array(dtype=float)):
    \"\"\"{doc}\"\"\"
    i = wp.tid()
    total = float(0.0)
    for j in range({count}):
        value = values[i * {count} + j]
        total += value * value {operator} value
    sums[i] = total
"""
LINE = """\
import warp as wp

@wp.kernel
def scale(xs: wp.array(dtype=float), {more}ys: wp.array(dtype=float)):
    i = wp.tid()
    ys[i] = {line}
"""


def loop(name: str = "sum_up", doc: str = "Sums.", count: int = 8, operator: str = "+") -> str:
    return LOOP.format(name=name, doc=doc, count=count, operator=operator)


def test_names_and_docstrings_make_no_other_tree() -> None:
    first, second = form(loop()), form(loop(name="add", doc="Adds."))
    assert first.digests.text != second.digests.text
    assert (first.digests.tree, first.digests.core) == (second.digests.tree, second.digests.core)


def test_constants_make_another_tree_of_the_same_core() -> None:
    first, second = form(loop(count=8)), form(loop(count=16))
    assert first.digests.tree != second.digests.tree
    assert first.digests.core == second.digests.core


def test_another_operator_in_the_largest_statement_is_another_core() -> None:
    assert form(loop(operator="+")).digests.core != form(loop(operator="-")).digests.core


def test_small_statements_alone_are_no_core() -> None:
    first = form(LINE.format(more="", line="2.0 * xs[i]"))
    second = form(LINE.format(more="gain: float, ", line="2.0 * xs[i]"))
    assert first.digests.core != second.digests.core


def test_chains_of_likeness_are_one_component() -> None:
    forms = [
        form(loop(count=8)),
        form(LINE.format(more="", line="wp.sin(xs[i]) + wp.cos(xs[i]) - wp.exp(xs[i]) * wp.sqrt(xs[i])")),
        form(loop(count=16, name="other", doc="Others.")),
        form(loop(count=8, operator="-")),
    ]
    clusters, components = group(forms, [False] * 4)
    assert components[0] == components[2] == 0
    assert components[1] == 1
    assert clusters[1] == 1


def test_near_duplicates_of_any_text_are_one_component_and_of_the_python_one_cluster() -> None:
    sources = [loop(), LINE.format(more="", line="wp.sin(xs[i]) + wp.cos(xs[i]) - wp.sqrt(xs[i])")]
    words = " ".join(f"word{number}" for number in range(40))
    others = [[words, "one"], [f"{words} more", "two"]]
    forms = [form(source, (), texts) for source, texts in zip(sources, others, strict=True)]
    assert group(forms, [False, False]) == ([0, 1], [0, 0])
    assert group(forms, [True, False]) == ([0, 1], [0, None])
    apart = [form(source, (), texts[1:]) for source, texts in zip(sources, others, strict=True)]
    assert group(apart, [False, False]) == ([0, 1], [0, 1])


def test_the_same_formulas_are_one_component() -> None:
    sources = [loop(), LINE.format(more="", line="wp.sin(xs[i]) + wp.cos(xs[i]) - wp.sqrt(xs[i])")]
    chains = [["fluid.density", "fluid.pressure"], ["fluid.pressure", "fluid.density"]]
    held = [False, False]
    assert group([form(one, chain) for one, chain in zip(sources, chains, strict=True)], held)[1] == [0, 0]
    assert group([form(one) for one in sources], held)[1] == [0, 1]


def test_what_has_anything_in_common_with_what_is_held_out_is_in_no_component_and_connects_nothing() -> None:
    """The first two share a core, the second and third formulas, as do the third and the last."""
    line = LINE.format(more="", line="wp.sin(xs[i]) + wp.cos(xs[i]) - wp.sqrt(xs[i])")
    forms = [
        form(loop(count=8), ["a"]),
        form(loop(count=16), ["b"]),
        form(line, ["b"]),
        form(line.replace("wp.sin", "wp.tan(1.0) + wp.exp"), ["b"]),
    ]
    assert group(forms, [False] * 4)[1] == [0, 0, 0, 0]
    assert group(forms, [True, False, False, False])[1] == [0, None, 2, 2]
    assert group(forms, [True, True, False, False])[1] == [0, 0, None, None]
    assert group(forms, [False, False, False, True])[1] == [0, None, None, 3]


def test_splits_have_their_shares() -> None:
    names = [f"vector-0000-{number:04d}" for number in range(1000)]
    counts = collections.Counter(assign(names, [False] * 1000, SHARES))
    assert counts == {"train": 700, "validation": 200, "test": 100}


def test_a_component_is_in_one_split() -> None:
    names = [f"vector-0000-{number - number % 7:04d}" for number in range(700)]
    splits = assign(names, [False] * 700, SHARES)
    assert len(set(zip(names, splits, strict=True))) == 100
    assert collections.Counter(splits)["train"] == 490


def test_what_is_held_out_has_a_split_of_its_own() -> None:
    splits = assign(["a", None, "b", "a"], [True, False, False, True], {"train": 1.0})
    assert splits == [OUT_OF_DISTRIBUTION, None, "train", OUT_OF_DISTRIBUTION]


def test_categories_sources_and_packages_can_be_held_out() -> None:
    sources = {
        "wave": "warp.examples.core.example_wave",
        "dem": "warp.examples.core.example_dem",
        "own": "own.py",
    }
    plan = Plan(
        shards={(name, 0): 1 for name in ("scan", "loop", *sources)},
        sources=sources,
        sizes=(1,),
        input_seeds=(0,),
        devices=("cpu",),
        archs=(),
        ir_check=0.0,
        mutation=0.0,
        gradients=0.0,
    )
    assert held_out(plan, ["scan", "own"]) == {"scan", "own"}
    assert held_out(plan, ["warp"]) == {"wave", "dem"}
    assert held_out(plan, []) == set()


def test_the_order_of_samples_does_not_matter() -> None:
    names = [f"vector-0000-{number:04d}" for number in range(50)]
    forward = dict(zip(names, assign(names, [False] * 50, SHARES), strict=True))
    backward = dict(zip(names[::-1], assign(names[::-1], [False] * 50, SHARES), strict=True))
    assert forward == backward
