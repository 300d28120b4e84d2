"""Kernels with tiles in programs of several launches: each with blocks of its own, through every stage."""

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from stages import judged, script, translate_into

from weft.cuda.program import translate
from weft.dataset.computation import computation
from weft.files import read_json, write_json
from weft.ir.build import build_ir
from weft.launch import parse_launch
from weft.source_files import literal, parse_source, read_source

HERE = Path(__file__).parent
SOURCE = HERE / "block_kernels.py"
LAUNCH = literal(parse_source(SOURCE, read_source(SOURCE)), "LAUNCH")
NAMES = ["exclusive_scan", "attention", "local_ranks", "normalize_twice"]


@pytest.fixture(scope="module")
def ir() -> dict[str, Any]:
    return build_ir(SOURCE, category="blocks", seed=0, device="cuda")


@pytest.fixture(scope="module")
def cuda(ir: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blocks")
    write_json(folder / "ir.json", ir)
    translate_into(folder)
    return folder


def test_their_outputs_equal_those_of_warp(cuda: Path, warp_headers: tuple[str, ...]) -> None:
    assert judged(SOURCE, cuda, warp_headers) == [
        ("exclusive_scan", "verified", "bits"),
        ("attention", "verified", "bounded"),
        ("local_ranks", "verified", "bits"),
        ("normalize_twice", "verified", "bounded"),
    ]


@pytest.mark.needs("nvcc")
def test_nvcc_takes_them(cuda: Path) -> None:
    script("ptx", cuda / "p.cu", "-o", cuda / "p.ptx", "--report", cuda / "ptx.json")
    assert (cuda / "p.ptx").read_text().count(".entry") == 9
    assert read_json(cuda / "ptx.json")["rejects"] == []


def test_their_gradients_are_compared(cuda: Path) -> None:
    script("gradients", SOURCE, cuda / "ir.json", "-o", cuda / "gradients.json")
    found = {one["kernel_name"]: one["verdict"] for one in read_json(cuda / "gradients.json")["samples"]}
    assert found["attention"] == "agrees"


def launched(text: str, kernel: str) -> str:
    """The launcher of a kernel."""
    return re.search(rf"cudaError_t launch_{kernel}\(.*?\n}}\n", text, re.DOTALL)[0]


def test_every_kernel_has_the_blocks_of_its_own_work(ir: dict[str, Any]) -> None:
    scan, attention, ranks, twice = (translate(record).standalone for record in ir["records"])
    assert "constexpr unsigned block = BLOCK;" in launched(scan, "scan_blocks")
    assert "block_running_sum(tile, total)" in scan
    assert "constexpr unsigned block = 32;" in launched(scan, "scan_totals")
    assert "constexpr unsigned block = 256;" in launched(scan, "add_before")
    assert "// A warp for each row, 8 in a block." in attention
    assert "const dim3 block(32, 8);" in launched(attention, "softmax")
    assert "__shared__ int counted[LEVELS];" in ranks
    assert "constexpr unsigned block = 64;" in launched(ranks, "count_levels")
    assert "constexpr unsigned block = 128;" in launched(twice, "sum_of_squares")


def test_the_python_launches_tiles(ir: dict[str, Any]) -> None:
    scan, _, _, twice = (record["python_source"] for record in ir["records"])
    assert (
        "    wp.launch_tiled(scan_blocks, dim=blocks, inputs=[values, scanned, totals], block_dim=64)\n"
        in scan
    )
    assert "wp.launch(add_before, dim=scanned.shape[0], inputs=[scanned, before])\n" in scan
    assert "wp.launch(sum_of_squares, dim=x.shape[0], inputs=[x, sums], block_dim=128)\n" in twice


def test_the_dataset_says_how_large_blocks_are(ir: dict[str, Any]) -> None:
    _, _, ranks, twice = (computation(record) for record in ir["records"])
    assert "- `count_levels` over tile_rows x tile_cols blocks of 64 threads" in ranks
    assert "- `look_up` over rows x cols" in ranks
    assert "  - `sum_of_squares` over padded threads in blocks of 128" in twice


def test_threads_are_counted_with_those_of_tiles(ir: dict[str, Any]) -> None:
    scan, _, _, twice = (parse_launch(record["launch"], "") for record in ir["records"])
    assert scan.thread_counts(100) == [128, 32, 128] and scan.thread_count(100) == 128
    assert twice.thread_counts(100) == [128, 128]


def test_a_kernel_that_is_a_sample_too_has_the_blocks_of_its_launches(tmp_path: Path) -> None:
    text = SOURCE.read_text(encoding="utf-8")
    text = text.replace('"sum_of_squares", "scale",', '"scale",')
    (tmp_path / "k.py").write_text(text, encoding="utf-8")
    records = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")["records"]
    (own,) = (record for record in records if record["kernel_name"] == "sum_of_squares")
    assert own["launch"]["block_dim"] == 128
    assert "tile<float32,128>" in str(own["kernel"]["types"])


def steps(entry: Any) -> Any:
    return entry["steps"]


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "attention",
            lambda e: steps(e)[0].pop("block_dim"),
            "softmax has tiles: the step needs a block_dim",
        ),
        (
            "attention",
            lambda e: steps(e)[1].update(block_dim=96),
            "steps[1].block_dim: mix has no tiles, so its launch takes no block_dim",
        ),
        (
            "attention",
            lambda e: steps(e)[0].update(block_dim=2048),
            "expected a number of threads from 1 to 1024",
        ),
        ("attention", lambda e: steps(e)[0].update(tiled=1), "expected True or False, got 1"),
        (
            "attention",
            lambda e: e.update(block_dim=96),
            "give the block_dim to each step that launches a kernel with tiles",
        ),
        (
            "attention",
            lambda e: steps(e).append({**steps(e)[0], "block_dim": 32}),
            "steps[2].block_dim: 32, but softmax has 96 elsewhere; all its launches need the same",
        ),
        (
            "attention",
            lambda e: steps(e).append({**steps(e)[0], "tiled": False}),
            "steps[2].tiled: all launches of softmax need the same",
        ),
        (
            "normalize_twice",
            lambda e: steps(e)[0]["steps"][0].update(dims=["n"]),
            "1 threads for n = 1; must be a multiple of block_dim, 128",
        ),
    ],
)  # fmt: skip
def test_blocks_that_do_not_fit_are_refused(name: str, change: Any, message: str, tmp_path: Path) -> None:
    assert LAUNCH is not None
    described = copy.deepcopy(LAUNCH[0])
    change(described[name])
    kernels = SOURCE.read_text(encoding="utf-8").split("LAUNCH = ")[0]
    (tmp_path / "k.py").write_text(f"{kernels}LAUNCH = {described!r}\n", encoding="utf-8")
    rejects = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")["rejects"]
    assert [(one["kernel_name"], one["reason"]) for one in rejects] == [(name, "bad_launch")]
    assert message in rejects[0]["message"]


NAMED_AS_BLOCKS = """
import warp as wp

BLOCK = wp.constant(64)


@wp.kernel
def total(values: wp.array(dtype=int), totals: wp.array(dtype=int)):
    first = wp.tid()
    tile = wp.tile_load(values, shape=BLOCK, offset=first * BLOCK)
    wp.tile_store(totals, wp.tile_sum(tile), offset=first)


LAUNCH = {"total": {
    "dims": [1],
    "block_dim": 64,
    "parameters": {
        "values": {"shape": [64], "values": {"integers": [0, 10]}},
        "totals": {"role": "out", "shape": [1]},
    },
}}
"""


def test_a_name_of_the_tiles_is_not_taken_for_threads(tmp_path: Path) -> None:
    """A warp sums two elements each lane of a tile of BLOCK."""
    (tmp_path / "k.py").write_text(NAMED_AS_BLOCKS, encoding="utf-8")
    (record,) = build_ir(tmp_path / "k.py", category="k", seed=0, device="cuda")["records"]
    text = translate(record).standalone
    assert "constexpr int BLOCK = 64;" in text
    assert "block = 32;" in launched(text, "total")
