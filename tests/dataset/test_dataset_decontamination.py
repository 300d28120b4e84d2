"""What of a benchmark is found in the samples, and what is taken for a phrase that all code has."""

from pathlib import Path

import pytest

from weft.dataset.decontamination import COMMON, Benchmark, overlaps
from weft.errors import UserError

PROMPT = (
    "Given the heights of the water in a row of basins, compute how much flows between neighbours in a step."
)
BOILERPLATE = "const int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= n) return; // out"


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    (tmp_path / "basins.txt").write_text(PROMPT)
    (tmp_path / "guard.cu").write_text(BOILERPLATE)
    return Benchmark(tmp_path)


def found(benchmark: Benchmark, *texts: str, components: int = 1) -> list[tuple[str, str]]:
    samples = [(f"s{number}", [text]) for number, text in enumerate(texts)]
    of_sample = {sample: str(number % components) for number, (sample, _) in enumerate(samples)}
    return [(one.sample_id, one.prompt) for one in overlaps(benchmark, samples, of_sample)[0]]


def test_thirteen_words_in_a_row_are_found_whatever_their_case_and_signs(benchmark: Benchmark) -> None:
    words = "THE HEIGHTS\n// of the water; in a row of basins: compute (how much)"
    assert found(benchmark, f"x = 1\n# {words}\ny = 2") == [("s0", "basins.txt")]


def test_twelve_words_are_not(benchmark: Benchmark) -> None:
    assert found(benchmark, "heights of the water in a row of basins compute how much") == []


def test_a_prompt_too_short_for_a_run_is_found_as_a_near_duplicate(tmp_path: Path) -> None:
    (tmp_path / "short.md").write_text("Add two arrays and store the sum in a third one")
    samples = [("s0", ["Add two arrays, and store the sum in a third."]), ("s1", ["Add two arrays."])]
    (one,), _ = overlaps(Benchmark(tmp_path), samples, {"s0": "s0", "s1": "s1"})
    assert (one.sample_id, one.words) == ("s0", None)
    assert one.jaccard == pytest.approx(6 / 7)


def test_what_many_independent_samples_have_is_no_contamination(benchmark: Benchmark) -> None:
    own = "out[i] = gain * (values[i] - means[i / width]) / (deviations[i / width] + epsilon) + shift;"
    texts = [f"// kernel {number}\n{BOILERPLATE}\n{own}" for number in range(COMMON + 1)]
    assert found(benchmark, *texts, components=COMMON + 1) == []
    assert len(found(benchmark, *texts, components=COMMON)) == COMMON + 1


def test_a_folder_without_prompts_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no prompts"):
        Benchmark(tmp_path)


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "bench.jsonl").write_text('{"prompt": "x"}\n{"prompt"\n')
    with pytest.raises(UserError, match=r"bench\.jsonl:2: is not JSON"):
        Benchmark(tmp_path)
