"""Scans that add up what they scan. That results are right is for tile_scan_kernels.py to show."""

import re
from pathlib import Path

import pytest
from translated import alone, text_of

SOURCE = (Path(__file__).parent / "tile_scan_kernels.py").read_text()


def kernel(folder: Path, name: str) -> str:
    return text_of(folder, alone(SOURCE, name)).partition(f"{name}(")[2]


def collectives(text: str) -> list[str]:
    return re.findall(r"block_\w+\(.*?\)", text)


@pytest.mark.parametrize(("name", "total"), [("runs_before", "total"), ("runs_up_to", "before")])
def test_a_scan_begins_at_the_sum_of_earlier_tiles(tmp_path: Path, name: str, total: str) -> None:
    text = kernel(tmp_path, name)
    assert collectives(text) == [f"block_running_sum(t, {total})"]
    assert f"{total} +=" not in text and f"+ {total}" not in text


@pytest.mark.parametrize("name", ["runs_beside", "runs_twice"])
def test_a_sum_with_another_use_is_added_afterwards(tmp_path: Path, name: str) -> None:
    text = kernel(tmp_path, name)
    assert "int tile_sum = 0;" in text
    assert collectives(text) == ["block_running_sum(t, tile_sum)"]
    assert "+ before" in text and "before += tile_sum;" in text


def test_a_scan_gives_the_sum(tmp_path: Path) -> None:
    text = kernel(tmp_path, "scans_and_sums")
    assert "int total = 0;" in text and collectives(text) == ["block_running_sum(t, total)"]


def test_sums_of_floats_stay(tmp_path: Path) -> None:
    found = collectives(kernel(tmp_path, "scans_and_sums_of_floats"))
    assert [one.partition("(")[0] for one in found] == ["block_scan_sum", "block_reduce_sum"]
