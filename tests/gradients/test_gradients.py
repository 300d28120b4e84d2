"""The gradients stage as it is used: one shard of small kernels through the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from weft.files import read_json, write_json
from weft.ir.build import build_ir
from weft.sampling import chosen

HERE = Path(__file__).parent
SCRIPT = HERE.parents[1] / "scripts" / "gradients.py"

FLOATS = {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}}
POSITIVE = {"shape": ["n"], "values": {"uniform": [0.5, 1.5]}}
CHANGED = {**FLOATS, "role": "inout"}
OUT = {"role": "out", "shape": ["n"]}


def launch(**parameters: Any) -> dict[str, Any]:
    return {"dims": ["n"], "parameters": parameters}


LAUNCH = {
    "smooth": launch(x=FLOATS, y=FLOATS, out=OUT),
    "halves": launch(x=FLOATS, out=OUT),
    "doubles": {
        "dims": ["n", 3],
        "parameters": {"x": {**FLOATS, "shape": ["n", 3]}, "out": CHANGED},
    },
    "bodies": launch(
        state={
            "shape": ["n"],
            "values": {
                "members": {
                    "place": {"uniform": [0.5, 1.5]},
                    "mass": {"uniform": [0.5, 1.5]},
                    "kind": {"integers": [0, 3]},
                }
            },
        },
        **{"springs.stiffness": POSITIVE, "springs.rest": {"values": {"uniform": [0.5, 1.0]}}},
        energy=OUT,
    ),
    "noisy": launch(x=FLOATS, seed={"values": {"integers": [0, 99]}}, out=OUT),
    "only_single": launch(x=FLOATS, out=OUT),
    "sometimes_flat": launch(x={"shape": ["n"], "values": {"integers": [-1, 2]}}, out=OUT),
    "everywhere_a_kink": launch(x={"shape": ["n"], "values": {"constant": 0.0}}, out=OUT),
    "own_right": launch(x=FLOATS, out=OUT),
    "own_wrong": launch(x=POSITIVE, out=OUT),
    "counts": launch(x={"shape": ["n"], "values": {"integers": [0, 9]}}, out=OUT),
    "steps": launch(x=FLOATS, out=OUT),
    "told_not_to": launch(x=FLOATS, out=OUT),
    "fractions": launch(x=POSITIVE, out=OUT),
    "native": launch(x=FLOATS, out=OUT),
    "in_place": launch(x={**POSITIVE, "role": "inout"}),
    "largest": launch(x=FLOATS, out={**CHANGED, "shape": [1], "values": {"constant": -2.0}}),
    "strided": launch(
        x=POSITIVE, count={"values": {"size": "n"}}, threads={"values": {"size": "n"}}, out=OUT
    ),
    "powers": launch(x=POSITIVE, count={"values": {"constant": 3}}, out=OUT),
    "never_ends": launch(x=POSITIVE, out=CHANGED),
    "far_outside": launch(x=FLOATS, out=OUT),
    "smoothed": launch(before=FLOATS, after=OUT),
    "smoothed_twice": {
        "steps": [
            {"kernel": "smoothed", "dims": ["n"], "arguments": {"before": "u", "after": "v"}},
            {"kernel": "smoothed", "dims": ["n"], "arguments": {"before": "v", "after": "w"}},
        ],
        "parameters": {"u": FLOATS, "v": OUT, "w": OUT},
    },
}

VERDICTS = {
    "smooth": "agrees",
    "halves": "agrees",
    "doubles": "agrees",
    "bodies": "agrees",
    "noisy": "agrees",
    "only_single": "agrees",
    "sometimes_flat": "agrees",
    "everywhere_a_kink": "not_smooth",
    "own_right": "custom",
    "own_wrong": "custom",
    "counts": "not_differentiable",
    "steps": "not_differentiable",
    "told_not_to": "no_adjoint",
    "fractions": "no_adjoint",
    "native": "no_adjoint",
    "in_place": "disagrees",
    "largest": "disagrees",
    "powers": "disagrees",
    "strided": "disagrees",
    "never_ends": "error",
    "far_outside": "error",
    "smoothed": "agrees",
    "smoothed_twice": "agrees",
}

Shard = tuple[Path, Path]


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory) -> Shard:
    """A kernels file and its IR."""
    folder = tmp_path_factory.mktemp("gradients")
    kernels, ir = folder / "kernels.py", folder / "ir.json"
    text = (HERE / "differentiated.py").read_text(encoding="utf-8")
    kernels.write_text(f"{text}\n\nLAUNCH = {LAUNCH!r}\n", encoding="utf-8")
    content = build_ir(kernels, category="kernels", seed=0, device="cuda")
    assert content["rejects"] == []
    write_json(ir, content)
    return kernels, ir


def run(shard: Shard, output: Path, *options: str) -> dict[str, Any]:
    """What scripts/gradients.py writes."""
    command = [sys.executable, "-P", SCRIPT, *shard, "-o", output, *options]
    subprocess.run(command, check=True, timeout=300, stdout=subprocess.DEVNULL)
    content: dict[str, Any] = read_json(output)
    return content


@pytest.fixture(scope="module")
def samples(shard: Shard, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What is said of each kernel."""
    output = tmp_path_factory.mktemp("all") / "gradients.json"
    return {one["kernel_name"]: one for one in run(shard, output, "--timeout", "1")["samples"]}


def test_every_kernel_gets_its_verdict(samples: dict[str, dict[str, Any]]) -> None:
    assert {name: one["verdict"] for name, one in samples.items()} == VERDICTS


def test_the_forward_pass_is_in_float64_where_there_is_such_a_text(
    samples: dict[str, dict[str, Any]],
) -> None:
    assert {samples[name]["precision"] for name in ("smooth", "halves", "doubles", "bodies", "noisy")} == {
        "float64"
    }
    assert samples["only_single"]["precision"] == "float32"


def test_the_users_own_gradients_are_compared_too(samples: dict[str, dict[str, Any]]) -> None:
    assert samples["own_right"]["difference"] is None
    difference = samples["own_wrong"]["difference"]
    assert difference["output"] == {"parameter": "out", "element": 0, "component": 0}
    assert difference["input"] == {"parameter": "x", "element": 0, "component": 0}
    assert difference["expected"] == pytest.approx(2.0 * difference["got"])


def test_kinks_are_left_out(samples: dict[str, dict[str, Any]]) -> None:
    flat, kink = samples["sometimes_flat"], samples["everywhere_a_kink"]
    assert 0 < flat["kinks"] < 33
    assert flat["kinks"] + flat["outputs"] == 33
    assert (kink["kinks"], kink["outputs"]) == (33, 0)


@pytest.mark.parametrize(
    ("kernel", "cause"),
    [
        ("in_place", "overwritten"),
        ("largest", "initial"),
        ("powers", "loop"),
        ("strided", "out_of_bounds"),
    ],
)
def test_what_is_known_to_be_wrong_with_warps_gradients_is_named(
    samples: dict[str, dict[str, Any]], kernel: str, cause: str
) -> None:
    assert samples[kernel]["causes"] == [cause]


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        ("counts", "no array of floats is an input"),
        ("steps", "no float output changes with a float input"),
        ("told_not_to", "compiled with enable_backward=False"),
        ("fractions", "Warp gives no adjoint to frac"),
        ("native", "Warp gives no adjoint to a native snippet"),
        ("never_ends", "timeout: not done after 1 s of CPU time"),
        ("far_outside", "out_of_bounds: access outside of every array (SIGSEGV)"),
    ],
)
def test_what_has_no_gradient_says_why(samples: dict[str, dict[str, Any]], kernel: str, message: str) -> None:
    assert samples[kernel]["message"] == message


def test_a_share_is_chosen_by_name_alone_and_says_the_same(
    shard: Shard, samples: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    some = run(shard, tmp_path / "some.json", "--share", "0.15")
    names = [one["kernel_name"] for one in samples.values() if chosen(one["sample_id"], 0.15, "gradients")]
    assert some["samples"] == [samples[name] for name in names]


def test_where_nothing_is_chosen_warp_is_not_needed(shard: Shard, tmp_path: Path) -> None:
    assert run(shard, tmp_path / "none.json", "--share", "0")["samples"] == []
