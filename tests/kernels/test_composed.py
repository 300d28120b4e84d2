"""What the generator promises about the kernels that it composes; those written by hand are left out."""

import ast
import functools
import re
from collections import Counter
from pathlib import Path

import pytest
import yaml
from open_extents import open_extents
from texts import (
    GAPS,
    anonymous,
    called_by,
    flattened,
    functions_of,
    kernels_of,
    launch_of,
    made_of,
    shapes_of,
)

from weft.kernels import (
    _drawn,
    category_idioms,
    category_names,
    emit_module,
    generate,
    load_category,
)
from weft.kernels.goals import DomainIdiom
from weft.kernels.passes import LONGEST
from weft.launch import parse_launch
from weft.reference.cases import cases

ROOT = Path(__file__).parents[2]
SEED = 11
pytestmark = pytest.mark.usefixtures("composed_only")


ALIKE = {40: 3, 100: 5}
"""How many kernels may be like others, of so many."""


@pytest.fixture(scope="module", params=[40, pytest.param(100, marks=pytest.mark.full)])
def count(request: pytest.FixtureRequest) -> int:
    """How many kernels a shard has. The more there are, the more of them are drawn anew."""
    return request.param


@functools.cache
def shard(category: str, count: int) -> str:
    """The text of so many kernels, for all tests of this file."""
    return generate(category, SEED, count)


@pytest.mark.parametrize("category", category_names())
def test_every_idiom_comes_up_and_few_kernels_are_alike(category: str, count: int):
    text = shard(category, count)
    kernels = kernels_of(text)
    assert len(launch_of(text)) == count
    module = load_category(category)
    idioms = category_idioms(module)
    if not any(isinstance(one, DomainIdiom) for one in idioms):
        assert set(idioms) == {_drawn(category, module, SEED, index)[0] for index in range(100)}
    functions = functions_of(text)
    shapes = Counter(anonymous(node) + called_by(node, functions) for node in kernels.values())
    assert len(shapes) >= count - ALIKE[count]


@pytest.mark.parametrize("category", category_names())
def test_a_kernel_is_readable(category: str, count: int):
    text = shard(category, count)
    assert max(map(len, text.split("LAUNCH = {")[0].splitlines())) <= 100
    for name, kernel in kernels_of(text).items():
        doc = ast.get_docstring(kernel) or ""
        assert doc[:1].isupper() or doc[:1].isdigit(), name
        assert doc.endswith(".") and ";" not in doc and ".." not in doc, name
        assert not (odd := GAPS.search(" ".join(doc.splitlines()))), f"{name}: {odd[0]!r} in {doc!r}"
        assert name not in {argument.arg for argument in kernel.args.args}, name
        assert 3 <= len(ast.unparse(kernel).splitlines()) - 2 <= LONGEST, name
        assert all(argument.annotation is not None for argument in kernel.args.args), name


@pytest.mark.parametrize("category", sorted({*category_names()} - {"multi_launch", "struct"}))
def test_the_launch_description_fits_the_signature(category: str, count: int):
    text = shard(category, count)
    launch, kernels = launch_of(text), kernels_of(text)
    steps = {name: flattened(entry.get("steps", [])) for name, entry in launch.items()}
    assert [one for name in launch for one in made_of(name, steps[name])] == list(kernels)
    for name, entry in launch.items():
        parsed = parse_launch(entry, name)
        for step in steps[name]:
            taken = {argument.arg for argument in kernels[step["kernel"]].args.args}
            assert taken == step["arguments"].keys()
            assert set(step["arguments"].values()) <= entry["parameters"].keys()
        if not steps[name]:
            assert list(entry["parameters"]) == [argument.arg for argument in kernels[name].args.args]
        for n in (1, 31, 70_000):
            assert all(size >= 1 for size in parsed.launch_dims(n))
            for parameter, description in parsed.parameters.items():
                assert all(size >= 1 for size in parsed.shape(parameter, n))
                assert (description.values is None) == (description.role == "out")
        assert any(one.role != "in" for one in parsed.parameters.values())


@pytest.mark.parametrize("category", category_names())
def test_a_description_names_the_sizes_that_the_source_leaves_open(category: str, count: int):
    for name, found in open_extents(shard(category, count)).items():
        assert set(found.values()) <= {"256"}, f"{name}: {found}"  # a byte of a hash selects one of 256


def test_seeds_and_indices_give_different_kernels():
    """Those of one seed all differ. A formula that leaves nothing to choose may come again with another."""
    shards = [
        [ast.unparse(node) for node in kernels_of(generate("math", seed, 25)).values()] for seed in range(4)
    ]
    texts = [text for one in shards for text in one]
    assert len(texts) >= 100
    assert all(len(set(one)) == len(one) for one in shards)
    assert len(set(texts)) >= 0.98 * len(texts)


def test_lines_are_laid_out_and_their_tree_stays():
    """Lines that are too long are broken, and docstrings wrapped; all else is as it was printed."""
    long_names = [f"averaged_density_{letter}" for letter in "abcdef"]
    text = "\n".join(
        [
            f"def f({', '.join(f'{name}: float' for name in long_names)}):",
            f'    """{"Return the sum of many densities. " * 4}"""',
            f"    return {' + '.join(long_names)}",
        ]
    )
    out = emit_module.laid_out([text, "A = wp.constant(3)"])
    assert max(map(len, out.splitlines())) <= 100
    first, last = ast.parse(out).body
    assert ast.unparse(last) == "A = wp.constant(3)"
    assert isinstance(first, ast.FunctionDef)
    assert " ".join((ast.get_docstring(first) or "").split()) == "Return the sum of many densities. " * 3 + (
        "Return the sum of many densities."
    )
    assert ast.unparse(first.body[1]) == f"return {' + '.join(long_names)}"


@pytest.mark.parametrize("category", category_names())
def test_a_default_build_runs_each_kernel_on_twelve_cases_of_six_shapes(category: str):
    """A shape is all of a case's: the launch's and those of its arrays."""
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    all_cases = cases(config["sizes"], config["input_seeds"])
    assert len(all_cases) >= 12
    for name, shapes in shapes_of(launch_of(generate(category, 7, 12)), all_cases):
        assert len(shapes) >= 6, name


def test_no_array_has_more_axes_than_warp_knows():
    text = generate("dtype", 3, 120)  # whose threads have up to four axes
    assert "wp.array4d(" in text
    assert "wp.array5d(" not in text


def test_a_docstring_of_rows_says_where_they_are_columns(count: int):
    """What is called a row is a column of an array whose last index is the element's."""
    found = Counter[bool]()
    for category in ("conditional", "constant_table", "loop"):
        text = shard(category, count)
        launches = launch_of(text)
        for name, kernel in kernels_of(text).items():
            if f'"{name}": {{"goal": "rows.' in text:
                launch = launches[name]
                shapes = [one.get("shape", []) for one in launch["parameters"].values()]
                columns = any(len(shape) == 2 and shape[-1] in ("n", *launch["dims"]) for shape in shapes)
                told = " ".join((ast.get_docstring(kernel) or "").split())
                assert bool(re.search(r"\[j, i\]`? (is|of) ", told)) == columns, name
                found[columns] += 1
    assert min(found[True], found[False]) > 1


@pytest.mark.parametrize("category", ["loop", "scan", "nested_loop", "custom_gradient"])
def test_kernels_work_on_rows_of_any_length(category: str, count: int):
    """No loop ends at the number that the description happens to give a named size."""
    text = shard(category, count)
    kernels = kernels_of(text)
    for name, launch in launch_of(text).items():
        numbers = {str(size) for size in launch.get("sizes", {}).values()}
        ends = [
            ast.unparse(node.args[-1])
            for node in ast.walk(kernels.get(name, ast.Pass()))
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "range" and len(node.args) < 3
        ]
        assert not [one for one in ends if one in numbers and int(one) >= 12], name
