"""Which concepts a kernel has, and how difficult that makes it."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest

from weft import kernels
from weft.category_levels import LACKING, levels_of, unmet
from weft.concepts import (
    CONCEPTS,
    IN_PROGRAMS,
    LEVELS,
    LIMITS,
    LONG,
    difficulty_of,
    in_program,
)
from weft.errors import UserError
from weft.ir.build import build_ir
from weft.kernels import category_names, generate, generate_program
from weft.kernels.program import Rejected

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs/difficulty.md"


@pytest.fixture(scope="module")
def concepts() -> dict[str, list[str]]:
    """The concepts of each kernel of `concept_kernels.py`."""
    ir = build_ir(HERE / "concept_kernels.py", category="concepts", seed=0, device="cuda")
    assert ir["rejects"] == []
    return {record["kernel_name"]: record["concepts"] for record in ir["records"]}


@pytest.mark.parametrize("concept", CONCEPTS)
def test_a_kernel_has_what_its_code_shows(concept: str, concepts: dict[str, list[str]]) -> None:
    assert concept in concepts[concept]
    assert concept not in concepts[f"no_{concept}"]


@pytest.mark.parametrize(
    ("concept", "text"),
    [
        ("shared_memory", "__shared__ float tile[8];"),
        ("barrier", "__syncthreads();"),
        ("warp_operations", "__shfl_down_sync(mask, value, 1);"),
        ("memory_fence", "__threadfence();"),
        ("read_only_loads", "__ldg(&x[i]);"),
        ("streams", "cudaStreamCreate(&stream);"),
    ],
)
def test_a_program_shows_what_the_translator_chose(concept: str, text: str) -> None:
    assert in_program(f"y[i] = x[i];\n{text}") == [concept]
    assert concept in IN_PROGRAMS and concept not in CONCEPTS


def test_difficulty_is_the_sum_of_the_points() -> None:
    assert difficulty_of([], 1) == "easy"
    assert difficulty_of(["gather"], 1) == "medium"
    assert difficulty_of(["block_tiles"], 1) == "hard"
    assert difficulty_of(["block_tiles", "atomics", "float_atomics"], 1) == "expert"
    assert difficulty_of(["rows"], LONG - 1) == "easy"
    assert difficulty_of(["rows"], LONG) == "medium"


def agrees(category: str, count: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two readers find the same, in the tree and in what Warp made of the text."""
    made = []
    composed = kernels._composed
    monkeypatch.setattr(kernels, "_composed", lambda *given: made.append(composed(*given)) or made[-1])
    with contextlib.chdir(folder):
        Path("kernels.py").write_text(generate(category, 5, count), encoding="utf-8")
        ir = build_ir("kernels.py", category=category, seed=5, device="cuda")
    of_trees = {program.name: (program.concepts, program.made_of) for program in made}
    assert of_trees
    for record in ir["records"]:
        if (name := record["kernel_name"]) not in of_trees:  # a workload, whose template says its difficulty
            assert record["made_of"]["ending"] == "written"
            continue
        assert (record["concepts"], record["made_of"]) == of_trees[name], name


@pytest.mark.parametrize("category", ["multi_launch", "struct"])
def test_both_readers_find_the_same(category: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "workloads_of", lambda category: ())
    agrees(category, 24, tmp_path, monkeypatch)


@pytest.mark.full
@pytest.mark.parametrize("category", category_names())
def test_both_readers_find_the_same_in_many(
    category: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agrees(category, 40, tmp_path, monkeypatch)


@pytest.mark.parametrize("category", category_names())
def test_what_is_asked_is_given(category: str) -> None:
    for level in levels_of(category):
        assert generate_program(category, 3, 0, {level: 1.0}).difficulty == level


@pytest.mark.full
@pytest.mark.parametrize("category", category_names())
def test_a_mixture_has_the_shares_that_are_asked(category: str) -> None:
    weights = dict.fromkeys(levels_of(category)[-2:], 1.0)
    made = [generate_program(category, 4, index, weights).difficulty for index in range(40)]
    assert set(made) == set(weights)
    assert all(made.count(level) >= 10 for level in weights)


def test_without_weights_kernels_are_as_they_come() -> None:
    assert generate("spring", 0, 3) == generate("spring", 0, 3, dict.fromkeys(LEVELS, 0.0))


def test_a_kernel_does_not_depend_on_how_many_there_are() -> None:
    text = generate("spring", 0, 4, {"hard": 1.0})
    assert text.startswith(generate("spring", 0, 2, {"hard": 1.0}).split("\n\n\nLAUNCH")[0])


def test_levels_that_a_category_lacks_leave_the_others() -> None:
    made = [generate_program("texture", 0, index, {"hard": 1.0, "expert": 9.0}) for index in range(3)]
    assert {one.difficulty for one in made} == {"hard"}


def test_what_no_kernel_of_a_category_can_be_is_an_error() -> None:
    with pytest.raises(UserError, match=r"expert: texture has medium and hard ones"):
        generate("texture", 0, 1, {"expert": 1.0})
    assert unmet(["texture", "spring"], {"expert": 1.0}).endswith("categories=[spring]")
    assert unmet(["texture", "spring"], {"hard": 1.0}) is None
    assert set(LACKING) <= set(category_names())


def test_a_level_that_is_not_found_is_a_reject(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "REDRAWS", 1)
    with pytest.raises(Rejected, match="kernel in 1 draws"):
        for index in range(20):
            generate_program("reduction", 0, index, {"easy": 1.0})


def made_of(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(text[text.index("MADE_OF = ") :].split("\n# end")[0], names)
    return names["MADE_OF"]


def test_a_kernel_says_what_it_is_made_of() -> None:
    found = made_of(generate("spring", 1, 30))
    assert len(found) == 30
    composed = [one for one in found.values() if one.get("ending") != "written"]
    assert 0 < len(composed) < 30 and all(one["formulas"] for one in composed)
    of_domains = [one for one in composed if "ending" in one]
    assert of_domains
    assert all(one["goal"] == one["formulas"][0] for one in of_domains)
    assert all(re.fullmatch(r"\w+\.\w+", name) for one in found.values() for name in one["formulas"])


def test_the_page_has_every_concept_with_its_points() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (\d+) \|$", text, re.MULTILINE)
    assert rows == [(name, one.shown_by, str(one.points)) for name, one in CONCEPTS.items()]
    assert all(f"`{name}`" in text for name in IN_PROGRAMS)
    assert [f"{level} from {points}" in text for level, points in zip(LEVELS[1:], LIMITS, strict=True)] == [
        True
    ] * 3
    assert f"{LONG} statements" in text
