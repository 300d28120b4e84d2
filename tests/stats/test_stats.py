"""Counting: nothing leaves the denominator, and every reject has its place."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft.errors import UserError, described
from weft.files import write_json
from weft.sampling import chosen
from weft.stats.coverage import coverage_csv
from weft.stats.summary import all_rejects, by_category_csv, checksums, rejects_jsonl, summarize
from weft.stats.table import print_table
from weft.stats.tree import kernel_names, read_plan, read_shards

KERNELS = "import warp as wp\n\n\n@wp.func\ndef helper(x: float):\n    return x\n"


def reject(category: str, index: int, stage: str, **place: Any) -> dict[str, Any]:
    nowhere = {"file": None, "line": None, "column": None, "source_line": None}
    return {
        "sample_id": f"{category}-0000-{index:04d}",
        "category": category,
        "seed": 0,
        "index": index,
        "kernel_name": f"kernel_{index}",
        "stage": stage,
        "reason": "unsupported",
        "message": "it cannot be\nfor a long reason",
        **nowhere,
        **place,
    }


class Tree:
    """A results folder, written by hand: four kernels in `loop`, three in the source `own`."""

    def __init__(self, results: Path, devices: list[str]) -> None:
        self.results = results
        write_json(
            results / "plan.json",
            {
                "schema": 5,
                "mutation": 0.5,
                "ir_check": 1,
                "gradients": 0.5,
                "shards": [
                    {"category": "loop", "seed": 0, "kernels": 4},
                    {"category": "own", "seed": 0, "kernels": 0},
                ],
                "sources": {"own": "own.py"},
                "difficulty": {},
                "sizes": [1],
                "input_seeds": [0],
                "devices": devices,
                "archs": ["sm_75"],
            },
        )
        write_json(results / "versions/warp.json", {"schema": 1, "tool": "warp", "version": "1.2.3"})
        self.text("kernels/loop/0.py", KERNELS + "".join(kernel(index) for index in range(4)))
        self.text(
            "kernels/own/0.py", 'SOURCE = {"file": "own.py", "files": {}, "kernels": ["a", "b", "c"]}\n'
        )

    def text(self, name: str, text: str) -> None:
        path = self.results / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def stage(self, stage: str, category: str, passed: list[int], *rejects: dict[str, Any]) -> None:
        key = "records" if stage == "ir" else "samples"
        samples = [{"sample_id": f"{category}-0000-{index:04d}"} for index in passed]
        self.write(stage, category, {"schema": 1, key: samples, "rejects": list(rejects)})

    def runs(self, device: str, category: str, verdicts: dict[int, str], *rejects: dict[str, Any]) -> None:
        samples = [
            {"sample_id": f"{category}-0000-{index:04d}", "verdict": verdict}
            for index, verdict in verdicts.items()
        ]
        self.write(f"runs/{device}", category, {"schema": 1, "samples": samples, "rejects": list(rejects)})

    def write(self, stage: str, category: str, data: dict[str, Any]) -> None:
        if stage != "reference":
            write_json(self.results / stage / category / "0.json", data)
            return
        buffer = io.BytesIO()
        np.savez(buffer, manifest=np.frombuffer(json.dumps(data).encode(), np.uint8))
        path = self.results / "reference" / category / "0.npz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(buffer.getvalue())

    def plan(self, **changes: Any) -> None:
        """Ask for something else."""
        path = self.results / "plan.json"
        write_json(path, json.loads(path.read_text()) | changes)

    def summary(self) -> dict[str, Any]:
        plan = read_plan(self.results)
        return summarize(self.results, plan, list(read_shards(self.results, plan)))


def kernel(index: int) -> str:
    return f"\n\n@wp.kernel\ndef kernel_{index}(x: float):\n    pass\n"


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """`loop`: 0 is refused by the translator, 1 computes something else. `own`: all is well."""
    tree = Tree(tmp_path / "results", devices=["cpu"])
    for stage in ("ir", "ir_check", "reference"):
        tree.stage(stage, "loop", [0, 1, 2, 3])
        tree.stage(stage, "own", [0, 1, 2])
    place = {"file": "own.py", "line": 3, "column": 5, "source_line": "    nothing()"}
    tree.stage("cuda", "loop", [1, 2, 3], reject("loop", 0, "cuda", **place))
    tree.stage("ptx/sm_75", "loop", [1, 2, 3])
    tree.runs("cpu", "loop", {1: "rejected", 2: "verified", 3: "verified"}, reject("loop", 1, "runs"))
    tree.stage("cuda", "own", [0, 1, 2])
    tree.stage("ptx/sm_75", "own", [0, 1, 2])
    tree.runs("cpu", "own", {0: "verified", 1: "verified", 2: "verified"})
    return tree


def test_kernels_are_counted_as_they_are_made(tree: Tree) -> None:
    assert kernel_names(tree.results / "kernels/loop/0.py") == [f"kernel_{index}" for index in range(4)]
    assert kernel_names(tree.results / "kernels/own/0.py") == ["a", "b", "c"]
    assert kernel_names(tree.results / "kernels/none/0.py") == []


def test_a_category_is_counted_through_the_stages(tree: Tree) -> None:
    loop = tree.summary()["categories"]["loop"]
    stages = loop.pop("stages")
    assert loop == {
        "made": 4,
        "translated": 3,
        "compiled": 3,
        "run": 3,
        "verified": 2,
        "rejected": 2,
        "not_run": 0,
        "yield": 0.5,
        "duplicates": None,
        "distinct": None,
        "not_run_on": {"cpu": 0},
    }
    assert stages["ir"] == {"passed": 4, "rejected": 0, "yield": 1.0}
    assert stages["cuda"] == {"passed": 3, "rejected": 1, "yield": 0.75}
    assert stages["runs/cpu"] == {"passed": 2, "rejected": 1, "yield": 0.5}


def test_the_total_is_the_sum(tree: Tree) -> None:
    total = tree.summary()["total"]
    assert (total["made"], total["verified"], total["rejected"]) == (7, 5, 2)
    assert total["yield"] == pytest.approx(5 / 7, abs=1e-6)


def test_a_repeated_kernel_is_counted_and_not_distinct(tree: Tree) -> None:
    repeated = [{"sample_id": f"loop-0000-{index:04d}", "same_as": "atomic-0000-0000"} for index in (0, 2)]
    write_json(tree.results / "diversity/duplicates.json", {"samples": repeated})
    summary = tree.summary()
    assert (summary["total"]["duplicates"], summary["total"]["distinct"]) == (2, 4)
    assert (summary["categories"]["own"]["duplicates"], summary["categories"]["own"]["distinct"]) == (0, 3)


def test_coverage_has_a_row_a_feature() -> None:
    coverage = {"builtin": {"sin": {"loop": 2}, "cos": {"loop": 1, "atomic": 3}}, "rank": {}}
    assert coverage_csv(coverage).splitlines() == [
        "kind,feature,kernels,atomic,loop", "builtin,cos,4,3,1", "builtin,sin,2,0,2",
    ]  # fmt: skip


def test_a_stage_that_takes_a_share_is_counted_in_that_share(tree: Tree) -> None:
    taken = [index for index in range(4) if chosen(f"loop-0000-{index:04d}", 0.5, "ir_check")]
    assert 1 < len(taken) < 4
    tree.stage("ir_check", "loop", taken[1:], reject("loop", taken[0], "ir_check"))
    tree.plan(ir_check=0.5)
    loop = tree.summary()["categories"]["loop"]
    passed = len(taken) - 1
    share = round(passed / len(taken), 6)
    assert loop["stages"]["ir_check"] == {"passed": passed, "rejected": 1, "yield": share}
    assert (loop["made"], loop["stages"]["ir"]["yield"]) == (4, 1.0)
    tree.plan(ir_check=0)
    assert tree.summary()["categories"]["loop"]["stages"]["ir_check"]["yield"] is None


def test_reasons_are_counted_by_stage(tree: Tree) -> None:
    assert tree.summary()["rejects"] == {"cuda": {"unsupported": 1}, "runs": {"unsupported": 1}}


def test_reasons_of_generated_kernels_are_counted_once_a_kernel(tree: Tree) -> None:
    """Two stages reject the second, and the kernel of `own` is its user's."""
    torn = {"reason": "non_deterministic"}
    tree.stage("reference", "loop", [2, 3], *(reject("loop", index, "reference", **torn) for index in (0, 1)))
    tree.runs("cpu", "loop", {}, reject("loop", 1, "runs", **torn))
    tree.runs("cpu", "own", {}, reject("own", 1, "runs", **torn))
    assert tree.summary()["generated"] == {"made": 4, "rejects": {"non_deterministic": 2, "unsupported": 1}}


def test_versions_and_bytes_are_there(tree: Tree) -> None:
    summary = tree.summary()
    assert summary["versions"] == {"warp": "1.2.3"}
    assert summary["bytes"]["kernels"] == sum(
        path.stat().st_size for path in (tree.results / "kernels").rglob("*.py")
    )


def test_a_missing_file_takes_no_kernel_out_of_the_count(tree: Tree) -> None:
    (tree.results / "runs/cpu/loop/0.json").unlink()
    loop = tree.summary()["categories"]["loop"]
    assert (loop["made"], loop["verified"], loop["rejected"], loop["not_run"]) == (4, 0, 1, 3)
    (tree.results / "kernels/loop/0.py").unlink()
    assert tree.summary()["categories"]["loop"]["made"] == 4


def test_a_sample_that_one_stage_rejects_is_not_verified(tree: Tree) -> None:
    tree.stage("ptx/sm_75", "own", [0, 1], reject("own", 2, "ptx"))
    own = tree.summary()["categories"]["own"]
    assert (own["verified"], own["rejected"], own["compiled"]) == (2, 1, 2)


def test_a_device_that_is_not_there_is_told_apart_from_a_reject(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "results", devices=["cpu", "cuda"])
    for stage in ("ir", "ir_check", "reference", "cuda", "ptx/sm_75"):
        tree.stage(stage, "own", [0, 1, 2])
    tree.runs("cpu", "own", {0: "verified", 1: "verified", 2: "verified"})
    tree.runs("cuda", "own", {0: "verified", 1: "not_run", 2: "not_run"})
    own = tree.summary()["categories"]["own"]
    assert (own["verified"], own["rejected"], own["not_run"]) == (3, 0, 0)
    assert own["not_run_on"] == {"cpu": 0, "cuda": 2}


def test_the_csv_has_a_row_per_category_and_the_total(tree: Tree) -> None:
    lines = by_category_csv(tree.summary()).splitlines()
    assert lines[0].startswith(
        "category,made,translated,compiled,run,verified,rejected,not_run,yield,duplicates,distinct,kernels,ir,"
    )
    assert [line.split(",")[:3] for line in lines[1:]] == [
        ["loop", "4", "3"],
        ["own", "3", "3"],
        ["total", "7", "6"],
    ]


def test_what_the_generator_rejected_is_a_reject_at_its_place(tree: Tree) -> None:
    """The second of five: the others keep their numbers, and it stays in every denominator."""
    entry = {"index": 1, "kernel_name": "kernel_x", "reason": "silly", "message": "x - x"}
    text = KERNELS + "".join(kernel(index) for index in range(4))
    tree.text("kernels/loop/0.py", text + f"\n\nLAUNCH = {{}}\n\n\nREJECTS = [{entry}]\n")
    for stage in ("ir", "ir_check", "reference", "cuda", "ptx/sm_75"):
        tree.stage(stage, "loop", [0, 2, 3, 4])
    tree.runs("cpu", "loop", dict.fromkeys((0, 2, 3, 4), "verified"))
    loop = tree.summary()["categories"]["loop"]
    assert (loop["made"], loop["verified"], loop["rejected"], loop["not_run"]) == (5, 4, 1, 0)
    assert loop["stages"]["kernels"] == {"passed": 4, "rejected": 1, "yield": 0.8}
    (found,) = all_rejects(read_plan(tree.results), read_shards(tree.results, read_plan(tree.results)))
    assert (found["sample_id"], found["stage"], found["reason"]) == ("loop-0000-0001", "kernels", "silly")


def test_difficulties_are_counted(tree: Tree) -> None:
    levels = dict(enumerate(("easy", "easy", "easy", "expert")))
    launch = {f"kernel_{index}": {"difficulty": level} for index, level in levels.items()}
    text = KERNELS + "".join(kernel(index) for index in range(4))
    tree.text("kernels/loop/0.py", text + f"\n\nLAUNCH = {launch}\n")
    counts = tree.summary()["difficulty"]
    assert counts["easy"] == {"made": 3, "verified": 1}
    assert counts["expert"] == {"made": 1, "verified": 1}
    assert counts["hard"] == {"made": 0, "verified": 0}


def test_rejects_are_one_a_line_in_the_order_of_the_stages(tree: Tree) -> None:
    plan = read_plan(tree.results)
    text = rejects_jsonl(all_rejects(plan, read_shards(tree.results, plan)))
    assert [json.loads(line)["stage"] for line in text.splitlines()] == ["cuda", "runs"]


def test_checksums_are_those_of_sha256sum(tree: Tree) -> None:
    lines = checksums(tree.results, read_plan(tree.results)).splitlines()
    assert len(lines) == 2 * 7
    assert all(len(line.split("  ")[0]) == 64 for line in lines)
    assert "  kernels/loop/0.py" in lines[0]


def test_the_table_shows_times_where_there_are_some(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    cpu = {"kernels": 5, "nanoseconds_per_element": 12.5}
    times = {"machines": {"cpu": ["some CPU"]}, "sizes": [{"size": 1000, "cpu": cpu}]}
    print_table(tree.summary(), [], Path("results"), speed=times, width=80)
    assert "cpu (some CPU), size 1,000: 12.5 ns per element, median of 5 kernels" in capsys.readouterr().out


def test_the_table_shows_counts_rejects_and_the_line_to_blame(
    tree: Tree, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = read_plan(tree.results)
    rejects = all_rejects(plan, read_shards(tree.results, plan))
    print_table(tree.summary(), rejects, Path("results"), width=80)
    printed = capsys.readouterr().out
    rows = [line.replace("│", " ").split() for line in printed.splitlines()]
    assert ["loop", "4", "3", "3", "3", "2", "2"] in rows
    assert ["total", "7", "6", "6", "6", "5", "2"] in rows
    assert "cpu: 5 verified, 1 rejected\n" in printed
    assert (
        "  loop-0000-0000 kernel_0: cuda: unsupported: it cannot be\n"
        "    for a long reason\n"
        "    own.py:3:5\n"
        "            nothing()\n"
        "            ^\n"
    ) in printed
    assert printed.rstrip().endswith("(results/README.md says what each folder holds)")


def test_a_folder_that_no_build_wrote_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"plan\.json: there is no such file"):
        read_plan(tmp_path)


def test_a_reject_says_what_to_write_instead() -> None:
    told = reject("heat", 1, "ir") | {
        "message": "no recipe for 'k'; describe it in LAUNCH, as in\n    LAUNCH = {…}"
    }
    first, second = described(told).splitlines()
    assert first.endswith("no recipe for 'k'; describe it in LAUNCH, as in")
    assert second.strip() == "LAUNCH = {…}"
