"""What the generator promises about its texts: determinism, independence, structure, names."""

import ast
import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jinja2
import markupsafe
import pytest
import ruff  # type: ignore[import-untyped]
import yaml
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

from weft.errors import UserError
from weft.files import read_shard
from weft.kernels import (
    categories,
    category_idioms,
    category_names,
    generate,
    load_category,
    resolve_category,
)
from weft.kernels.goals import AWAY, DomainIdiom
from weft.kernels.passes import LONGEST
from weft.launch import parse_launch
from weft.reference.cases import cases

ROOT = Path(__file__).parents[2]
SEED = 11
THIS = "{}.{}".format(*sys.version_info)
"""The version of Python that runs the tests."""
A_NEW_CATEGORY = '''"""Doubling, as a newcomer would add it."""

from weft.kernels.builder import Builder
from weft.kernels.types import F32

REVISION = 1
TEACHES = "doubling"


def double(k: Builder) -> None:
    """Twice a number."""
    k.threads(["n"], ["i"])
    value = k.array("values", F32, ["n"], {"uniform": [-1.0, 1.0]})[k.index]
    k.store(k.array("doubled", F32, ["n"], None, "out"), k.target, 2.0 * value)
    k.doc = "Double each value."


IDIOMS = (double,)
'''


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


@pytest.fixture
def extra_category(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A category file in a second folder of the package's path."""
    (tmp_path / "doubling.py").write_text(A_NEW_CATEGORY)
    monkeypatch.setattr(categories, "__path__", [*categories.__path__, str(tmp_path)])
    yield "doubling"
    sys.modules.pop(f"{categories.__name__}.doubling", None)


@pytest.mark.parametrize("category", category_names())
def test_a_category_has_at_least_eight_idioms_and_says_what_it_teaches(category: str):
    module = load_category(category)
    assert sum(len(getattr(one, "goals", [one])) for one in category_idioms(module)) >= 8
    assert module.REVISION >= 1
    assert module.TEACHES


def test_a_goal_is_at_home_in_one_category_and_rare_in_others() -> None:
    """Categories that share a domain would have the same kernels otherwise."""
    weights: dict[str, list[float]] = {}
    for name in category_names():
        module = load_category(name)
        for before, now in zip(
            dict.fromkeys(module.IDIOMS), dict.fromkeys(category_idioms(module)), strict=True
        ):
            if isinstance(before, DomainIdiom) and not before.style.needs:
                for goal, weight in before.goals.items():
                    kept = now.goals[goal] / weight  # type: ignore[attr-defined]
                    weights.setdefault(f"{name} {goal.full_name}", []).append(kept)
    homes: dict[str, set[str]] = {}
    for key, kept in weights.items():
        name, goal = key.split()
        assert min(kept) == max(kept) in (1.0, AWAY), key
        homes.setdefault(goal, set()).update({name} if kept[0] == 1.0 else ())
    assert len(homes) > 1000
    assert {len(one) for one in homes.values()} == {1}


def test_formulas_come_as_often_as_before_where_some_are_rare() -> None:
    def idioms_of(name: str) -> tuple[int, int]:
        found = category_idioms(load_category(name))
        return sum(isinstance(one, DomainIdiom) for one in found), len(found)

    for name in ("spring", "particle", "atomic"):
        before = load_category(name).IDIOMS
        formulas, whole = idioms_of(name)
        share = sum(isinstance(one, DomainIdiom) for one in before) / len(before)
        assert formulas / whole == pytest.approx(share, abs=0.02), name


@pytest.mark.parametrize("category", category_names())
def test_no_kernel_is_lost_and_few_are_alike(category: str, count: int):
    text = shard(category, count)
    assert len(launch_of(text)) == count
    functions = functions_of(text)
    assert len(re.findall(r"^def ", text, re.MULTILINE)) == len(functions), "two of one name"
    samples = [made_of(name, flattened(entry.get("steps", []))) for name, entry in launch_of(text).items()]
    shapes = [
        "".join(anonymous(functions[one]) + called_by(functions[one], functions) for one in sample)
        for sample in samples
    ]
    assert len(set(shapes)) >= count - ALIKE[count]


@pytest.mark.parametrize("category", category_names())
def test_a_kernel_is_readable(category: str, count: int):
    text = shard(category, count)
    assert max(map(len, text.split("LAUNCH = {")[0].splitlines())) <= 100
    for name, kernel in kernels_of(text).items():
        doc = ast.get_docstring(kernel) or ""
        assert doc[:1].isupper() or doc[:1].isdigit(), name
        assert doc.endswith(".") and ".." not in doc, name
        assert not (odd := GAPS.search(" ".join(doc.splitlines()))), f"{name}: {odd[0]!r} in {doc!r}"
        assert name not in {argument.arg for argument in kernel.args.args}, name
        assert 3 <= len(ast.unparse(kernel).splitlines()) - 2 <= LONGEST, name
        assert all(argument.annotation is not None for argument in kernel.args.args), name


@pytest.mark.parametrize("category", sorted({*category_names()} - {"multi_launch", "struct"}))
def test_the_launch_description_fits_the_signature(category: str, count: int):
    text = shard(category, count)
    launch, kernels = launch_of(text), kernels_of(text)
    steps = {name: flattened(entry.get("steps", [])) for name, entry in launch.items()}
    # Programs of one workload may share a kernel.
    assert {one for name in launch for one in made_of(name, steps[name])} == set(kernels)
    for name, entry in launch.items():
        parsed = parse_launch(entry, name)
        for step in steps[name]:
            taken = {argument.arg for argument in kernels[step["kernel"]].args.args}
            assert step["arguments"].keys() <= taken
            given = {step["arguments"].get(name, name) for name in taken}
            given = {one for one in given if isinstance(one, str)}
            assert given <= entry["parameters"].keys()
        if not steps[name]:
            assert set(entry["parameters"]) == {argument.arg for argument in kernels[name].args.args}
        for n in (1, 31, 70_000):
            assert all(size >= 1 for size in parsed.launch_dims(n))
            for parameter, description in parsed.parameters.items():
                assert all(size >= 1 for size in parsed.shape(parameter, n))
                assert (description.values is None) == (description.role == "out")
        assert any(one.role != "in" for one in parsed.parameters.values())


def test_the_same_key_gives_the_same_bytes_in_another_process():
    program = (
        "from weft.kernels import generate; import sys; sys.stdout.write(generate('vector', 3, 20) + "
        "generate('atomic', 4, 20))"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-P", "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1] == generate("vector", 3, 20) + generate("atomic", 4, 20)


def interpreter(version: str) -> str | None:
    """A Python of this version that is there: on the path, or one of pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    names = [shutil.which(f"python{version}"), *map(str, sorted(pyenv.glob(f"{version}.*/bin/python")))]
    for name in names:
        if name and subprocess.run([name, "-V"], capture_output=True, check=False).returncode == 0:
            return name
    return None


@functools.cache
def of_each_category() -> str:
    """What a process of this version of Python generates."""
    return "".join(generate(category, 8, 4) for category in category_names())


@pytest.mark.parametrize("version", sorted({"3.11", "3.12", "3.13"} - {THIS}))
def test_another_version_of_python_gives_the_same_bytes(version: str, tmp_path: Path):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version}")
    for package in (jinja2, markupsafe, ruff):  # all that the generator needs beside Python
        folder = Path(package.__file__).parent
        (tmp_path / folder.name).symlink_to(folder)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/ruff").symlink_to(ruff.find_ruff_bin())
    program = (
        "from weft.kernels import category_names, generate\n"
        "print(''.join(generate(category, 8, 4) for category in category_names()), end='')"
    )
    done = subprocess.run(
        [python, "-P", "-c", program],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'scripts'}:{tmp_path}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == of_each_category()


@pytest.mark.parametrize("category", sorted({*category_names()} - {"dtype", "function"}))
def test_a_kernel_does_not_depend_on_how_many_there_are(category: str, count: int):
    few, many = generate(category, SEED, 5), shard(category, count)
    assert many.startswith(few.split("LAUNCH = {")[0].rstrip())
    few_launch, many_launch = launch_of(few), launch_of(many)
    assert list(many_launch)[:5] == list(few_launch)
    assert all(many_launch[name] == entry for name, entry in few_launch.items())


@pytest.mark.parametrize("category", sorted({*category_names()} - {"texture"}))
def test_variables_and_settings_are_not_numbered_apart(category: str, count: int):
    """Two things of one kernel have two names, not one name and a number; kernels themselves may have one."""
    for node in ast.parse(shard(category, count)).body:
        match node:
            case ast.FunctionDef():
                names = {one.arg for one in node.args.args}
                names |= {
                    one.id
                    for one in ast.walk(node)
                    if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
                }
            case ast.ClassDef():
                names = {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}
            case _:
                continue
        assert not [name for name in names if re.search(r"_\d+$", name)], node.name


def test_a_new_file_is_a_new_category_and_changes_no_other(extra_category: str):
    before = generate("loop", 0, 10)
    assert extra_category in category_names()
    assert "wp.kernel" in generate(extra_category, 0, 3)
    assert generate("loop", 0, 10) == before


def test_a_new_revision_changes_its_own_category_only(monkeypatch: pytest.MonkeyPatch):
    loop, vector = generate("loop", 0, 10), generate("vector", 0, 10)
    monkeypatch.setattr(load_category("loop"), "REVISION", 99)
    assert generate("loop", 0, 10) != loop
    assert generate("vector", 0, 10) == vector


def test_aliases_mean_their_category():
    assert resolve_category("nested") == "nested_loop"
    assert resolve_category("multi_cond") == "multi_conditional"
    assert generate("nested", 1, 3) == generate("nested_loop", 1, 3)


def test_an_unknown_category_is_refused_with_the_nearest_and_all_others():
    with pytest.raises(UserError) as error:
        generate("vectr", 0, 1)
    assert "did you mean 'vector'" in str(error.value)
    assert "multi_conditional" in str(error.value)


def test_a_count_below_one_is_refused():
    with pytest.raises(UserError, match="count must be at least 1, got 0"):
        generate("vector", 0, 0)


SCRIPT = Path(__file__).parents[2] / "scripts" / "kernels.py"


def test_the_script_writes_the_shard(tmp_path: Path):
    out = tmp_path / "out.py"
    command = [sys.executable, "-P", str(SCRIPT), "-c", "nested", "-s", "3", "-n", "4", "-o", str(out)]
    subprocess.run(command, check=True)
    assert read_shard(out) == generate("nested_loop", 3, 4)


def test_the_script_refuses_an_unknown_category_without_a_traceback(tmp_path: Path):
    out = tmp_path / "out.py"
    command = [sys.executable, "-P", str(SCRIPT), "-c", "matrx", "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "did you mean 'matrix'" in done.stderr
    assert "Traceback" not in done.stderr
    assert not out.exists()


@pytest.mark.parametrize("category", category_names())
def test_a_default_build_runs_each_kernel_on_twelve_cases_of_six_shapes(category: str):
    """A shape is all of a case's: the launch's and those of its arrays."""
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    all_cases = cases(config["sizes"], config["input_seeds"])
    assert len(all_cases) >= 12
    for name, shapes in shapes_of(launch_of(generate(category, 7, 12)), all_cases):
        assert len(shapes) >= 6, name


def test_no_texture_is_larger_than_a_gpu_takes():
    largest = max(yaml.safe_load((ROOT / "config.yaml").read_text())["sizes"])
    launches = [parse_launch(one, name) for name, one in launch_of(generate("texture", 0, 150)).items()]
    shapes = [
        launch.shape(name, largest)
        for launch in launches
        for name, one in launch.parameters.items()
        if one.memory == "texture"
    ]
    assert {len(shape) for shape in shapes} == {1, 2}
    assert all(shape[-1] <= 131072 and (len(shape) == 1 or shape[0] <= 65536) for shape in shapes)


@pytest.mark.parametrize("category", category_names())
def test_no_element_is_stored_twice_in_a_row_of_statements(category: str, count: int) -> None:
    for node in ast.walk(ast.parse(shard(category, count))):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            stores = [
                ast.unparse(one.targets[0])
                for one in (body if isinstance(body, list) else [])
                if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Subscript)
            ]
            assert len(stores) == len(set(stores)), stores
