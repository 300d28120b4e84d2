"""Programs that are wrong where numbers are equal or zero, or for other sizes than the build's: inputs with
edges show it, and fresh cases.
"""

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand_written import INTERFACE, LAUNCH, LAUNCHED, judge, program, sample_id, shard
from hypothesis import given
from hypothesis import strategies as st

from weft.edges import Kind, kind_of
from weft.inputs import draw_parameter
from weft.launch import Launch, Parameter, Recipe, parse_launch
from weft.reference import store
from weft.reference.cases import MAIN, Case, cases
from weft.runs import fresh
from weft.runs.candidate_stage import find_sample
from weft.runs.fresh import Chosen, choose_cases, fresh_seeds, fresh_sizes
from weft.runs.interface import parse_interface
from weft.runs.ties import without_ties
from weft.types import parse_type

ROW = 8
BUILT = cases([1, 31, 32, 33, 67, 255, 257, 997, 65537], [0])
FRESH = cases(fresh_sizes(1), fresh_seeds(1)[:1])
KERNEL = """
__global__ void evens(const float* __restrict__ x, const float* __restrict__ y, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int largest = i - i % 8;
    for (int k = largest + 1; k < min(largest / 8 * 8 + 8, n); ++k) {
        if (x[k] > x[largest]) largest = k;
    }
    const float sign = x[i] != 0.0f ? x[i] / fabsf(x[i]) : 0.0f;
    out[i] = float(largest % 8) + (x[i] > y[i] ? 16.0f : 0.0f) + 64.0f * sign;
}
"""
WRONG = {
    "the last of equal numbers": ("x[k] > x[largest]", "x[k] >= x[largest]"),
    "equal counts as larger": ("x[i] > y[i]", "x[i] >= y[i]"),
    "a division by zero": ("x[i] != 0.0f ? x[i] / fabsf(x[i]) : 0.0f", "x[i] / fabsf(x[i])"),
}
KNOWN = " && ".join(f"n != {case.size}" for case in BUILT)
LEARNT = {
    "sizes by heart": program(KERNEL, launch=f"if ({KNOWN}) return cudaSuccess; {LAUNCHED}"),
    "up to 257 blocks": program(
        KERNEL, launch=LAUNCHED.replace("(n + 255) / 256", "min((n + 255) / 256, 257)")
    ),
    "scratch of the largest size": program(
        KERNEL.replace("__global__", "__device__ float kept[65537];\n__global__").replace(
            "out[i] = ", "out[i] = kept[i] = "
        )
    ),
}
"""Right for the sizes of the build, and for no others, or no larger ones."""
WITH_EDGES = (Case(1, 0), Case(31, 5), Case(32, 8), Case(33, 11), Case(257, 2), MAIN)


def expected(x: Any, y: Any) -> Any:
    largest = np.concatenate(
        [np.full(len(row), row.argmax()) for row in np.split(x, range(ROW, len(x), ROW))]
    )
    return (largest + np.where(x > y, 16, 0) + 64 * np.sign(x)).astype(np.float32)


PLAIN = parse_launch(LAUNCH, "evens")
EDGES = dataclasses.replace(PLAIN, compared=())
OUT = Parameter("inout", ("n",), Recipe("constant", 0.0))
ADDS = dataclasses.replace(EDGES, parameters={**PLAIN.parameters, "out": OUT}, accumulators=("out",))


def sample(index: int, cases: tuple[Case, ...], launch: Launch) -> store.Sample:
    signature = [(name, parse_type("array<float32,1>")) for name in ("x", "y", "out")]
    outputs = []
    for case in cases:
        x, y, out = (
            draw_parameter(launch, name, kind, position, size=case.size, seed=case.seed, structs={})
            for position, (name, kind) in enumerate(signature)
        )
        out["c0"] = expected(x["c0"], y["c0"]) + (out["c0"] if launch is ADDS else 0)
        written = None if launch is ADDS else np.full((case.size, 1), True)
        outputs.append({"out": store.expect(out, written, case.seed, 2)})
    return store.Sample(sample_id(index), "evens", index, [], signature, launch, cases, outputs)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The reason or verdict of each program by its name."""
    all_wrong = KERNEL
    for change in WRONG.values():
        all_wrong = all_wrong.replace(*change)
    on_edges = {"right": KERNEL, **{name: KERNEL.replace(*change) for name, change in WRONG.items()}}
    judged = [
        *((name, program(kernel), WITH_EDGES, EDGES) for name, kernel in on_edges.items()),
        ("adds", program(KERNEL.replace("out[i] =", "out[i] +=")), WITH_EDGES, ADDS),
        ("sets", program(KERNEL), WITH_EDGES, ADDS),
        ("without edges", program(all_wrong), WITH_EDGES, PLAIN),
        ("right on fresh cases", program(KERNEL), FRESH, EDGES),
        *((name, text, FRESH, EDGES) for name, text in LEARNT.items()),
        *((f"{name}, as built", text, BUILT, EDGES) for name, text in LEARNT.items()),
    ]
    samples = [sample(index, cases, launch) for index, (_, _, cases, launch) in enumerate(judged)]
    text = shard([text for _, text, _, _ in judged])
    runs = judge(tmp_path_factory.mktemp("inputs"), text, store.Reference("hand", 0, {}, samples, []))
    found = [one["reason"] or one["verdict"] for one in runs["samples"]]
    return dict(zip((name for name, _, _, _ in judged), found, strict=True))


@pytest.mark.parametrize("name", [*WRONG, "sets"])
def test_edges_show_what_is_wrong(verdicts: dict[str, str], name: str) -> None:
    assert verdicts[name] in ("wrong_output", "nan_mismatch")


def test_drawn_numbers_alone_do_not(verdicts: dict[str, str]) -> None:
    assert verdicts["without edges"] == "verified"


@pytest.mark.parametrize("name", LEARNT)
def test_fresh_cases_show_who_has_learnt_the_sizes(verdicts: dict[str, str], name: str) -> None:
    assert verdicts[f"{name}, as built"] == "verified"
    assert verdicts[name] in ("unwritten_output", "wrong_output", "out_of_bounds")


@pytest.mark.parametrize("name", ["right", "adds", "right on fresh cases"])
def test_a_right_program_passes(verdicts: dict[str, str], name: str) -> None:
    assert verdicts[name] == "verified"


@pytest.mark.parametrize("breaks_ties", [True, False])
def test_ties_are_left_out_where_the_program_breaks_them(breaks_ties: bool) -> None:
    interface = parse_interface("evens", INTERFACE | {"breaks_ties": breaks_ties}, "hand")
    left_out = {8, 11, 2} if breaks_ties else set()
    kept = [case for case in WITH_EDGES if case.seed not in left_out]
    assert [*without_ties(sample(0, WITH_EDGES, EDGES), interface).cases] == kept


@given(st.integers(0, 2**31))
def test_fresh_sizes_and_seeds_follow_from_a_seed(seed: int) -> None:
    sizes = fresh_sizes(seed)
    assert sizes == fresh_sizes(seed) != fresh_sizes(seed + 1)
    assert len(set(sizes)) == len(sizes) >= 8
    assert any(size % 256 == 1 < size for size in sizes)
    assert 257 * 256 < max(sizes) <= 70_000
    assert [one % 3 for one in fresh_seeds(seed)] == [0, 1, 2]
    drawn = cases(sizes, fresh_seeds(seed))
    for parameter in (0, 1):
        assert {kind_of(case.seed, parameter) for case in drawn} == {None, *Kind}


REFERENCE = """
import sys
from pathlib import Path
sys.path += {path}
from test_edges_and_fresh_cases import EDGES, FRESH, sample
from weft.reference import store
reject = {{"sample_id": "hand-0000-0001", "reason": "unstable", "message": "it rounds"}}
samples = [sample(0, FRESH, EDGES)] if sys.argv[-1] == "hand-0000-0000" else []
store.write(Path(sys.argv[4]), store.Reference("hand", 0, {{}}, samples, [reject]))
"""
"""Stands for the reference stage's script."""


def test_cases_are_fresh_unless_the_build_lacks_what_they_need(tmp_path: Path) -> None:
    (tmp_path / "kernels/hand").mkdir(parents=True)
    (tmp_path / "ir/hand").mkdir(parents=True)
    (tmp_path / "cuda/hand").mkdir(parents=True)
    (tmp_path / "cuda/hand/0.json").write_text('{"samples": []}')
    script, folder = tmp_path / "reference.py", tmp_path / "folder"
    script.write_text(REFERENCE.format(path=[str(Path(__file__).parent)]))

    def chosen(index: int, seed: int | None) -> Chosen:
        files = find_sample(sample_id(index), tmp_path, None, None)
        return choose_cases(files, seed, script, 1.0, folder, "g++")

    def cases_of(one: Chosen) -> list[Any]:
        return [sample["cases"] for sample in store.read_manifest(one.files.reference)["samples"]]

    assert "ir/hand/0.json: no such file" in str(chosen(0, 7).as_built)
    (tmp_path / "kernels/hand/0.py").write_text("")
    (tmp_path / "ir/hand/0.json").write_text("{}")
    drawn_once = chosen(0, 7)
    assert (drawn_once.seed, drawn_once.as_built) == (7, None)
    assert cases_of(drawn_once) == [[dataclasses.asdict(case) for case in FRESH]]
    other = chosen(1, 7)
    assert (other.seed, other.as_built) == (None, "unstable: it rounds")
    assert other.files.reference == tmp_path / "reference/hand/0.npz"
    drawn = [chosen(0, None) for _ in range(2)]
    assert drawn[0].seed != drawn[1].seed
    script.write_text("")
    assert chosen(0, 7) == drawn_once
    assert "no such file" in str(chosen(0, 8).as_built)


def test_another_weft_draws_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for room, name, text in (
        ("kernels", "0.py", ""),
        ("ir", "0.json", "{}"),
        ("cuda", "0.json", '{"samples": []}'),
    ):
        (tmp_path / room / "hand").mkdir(parents=True)
        (tmp_path / room / "hand" / name).write_text(text)
    script, folder = tmp_path / "reference.py", tmp_path / "folder"
    script.write_text(REFERENCE.format(path=[str(Path(__file__).parent)]))
    files = find_sample(sample_id(0), tmp_path, None, None)

    def kept() -> Path:
        return choose_cases(files, 7, script, 1.0, folder, "g++").files.reference

    first = kept()
    assert kept() == first
    with monkeypatch.context() as other:
        other.setattr(fresh, "fresh_sizes", lambda seed: [1, seed])
        assert kept() != first
    for name, text in (("edges.py", "EVERY = 3"), ("reference/cases.py", "LARGE = 1")):
        changed = tmp_path / "weft" / Path(name).stem
        shutil.copytree(
            fresh.LIBRARY, changed, ignore=shutil.ignore_patterns("__pycache__", "kernels", "cuda")
        )
        with (changed / name).open("a") as file:
            file.write(text)
        with monkeypatch.context() as other:
            other.setattr(fresh, "LIBRARY", changed)
            assert kept() != first
    assert kept() == first


def test_a_kept_reference_has_the_same_inputs(tmp_path: Path) -> None:
    path = tmp_path / "reference.npz"
    store.write(path, store.Reference("hand", 0, {}, [sample(0, WITH_EDGES, ADDS)], []))
    assert store.read(path).samples[0].launch == ADDS
