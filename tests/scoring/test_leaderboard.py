"""Models stand beside each other only if they were asked the same."""

import copy
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from weft.errors import UserError
from weft.files import read_json, write_json
from weft.scoring.groups import GROUPS
from weft.scoring.leaderboard import page, read_models


def scores(value: float, tasks: int = 4, ks: Sequence[int] = (1,)) -> dict[str, Any]:
    passed = {str(k): {"value": value, "low": value / 2, "high": value} for k in ks}
    return {"tasks": tasks, "answers": tasks, "verified": 1, "pass": passed}


def write(path: Path, value: float, **changed: object) -> Path:
    summary = {
        "schema": 4, "seed": None, "gpu": None,
        "answers": 4, "tasks": 4, "tasks_sha256": "a", "unanswered": 0,
        "all": scores(value),
        "groups": {group.name: number for number, group in enumerate(GROUPS)},
        "category": {"vector": scores(value), "loop": scores(0.125)}, "difficulty": {"easy": scores(value)},
        "origin": {"generated": scores(value)}, "kind": {"repair": scores(value)}, **changed,
    }  # fmt: skip
    path.write_text(json.dumps(copy.deepcopy(summary)), encoding="utf-8")
    return path


def test_the_best_comes_first(tmp_path: Path) -> None:
    good, bad = write(tmp_path / "good.json", 0.75), write(tmp_path / "bad.json", 0.5, category={})
    text = page(read_models([("<bad>", bad), ("good", good)]))
    assert 0 < text.index("<td>good</td>") < text.index("<td>&lt;bad&gt;</td>")
    assert "75.0 <small>37.5 to 75.0</small>" in text and "12.5 <small>" in text
    assert "By category" in text and "By difficulty" not in text
    assert text.count("<td>as built</td>") == 2
    assert "http" not in text.replace("http-equiv", "")


def test_columns_are_those_of_all_models_by_their_numbers(tmp_path: Path) -> None:
    few = write(tmp_path / "few.json", 0.75)
    many = write(tmp_path / "many.json", 0.5, seed=20)
    write_json(many, read_json(many) | {"all": scores(0.5, ks=(1, 5, 10, 25, 50, 100))})
    text = page(read_models([("few", few), ("many", many)]))
    assert re.findall(r"<th>pass@(\d+)</th>", text)[:6] == ["1", "5", "10", "25", "50", "100"]
    row = text[text.index("<td>few</td>") : text.index("<td>many</td>")]
    assert row.count("<small>") == 1
    assert text.count("<td>seed 20</td>") == text.count("<td>as built</td>") == 1


def test_speeds_stand_with_their_gpu_where_there_are_some(tmp_path: Path) -> None:
    fast = {p: {"value": 0.25, "low": 0.125, "high": 0.5} for p in ("2", "0", "1.5")}
    both = scores(0.5) | {"fast": fast, "fast_warp": {"1": fast["0"]}}
    quick = write(tmp_path / "quick.json", 0.5, gpu="GPU <1>", all=both)
    untimed = write(tmp_path / "untimed.json", 0.5)
    text = page(read_models([("quick", quick), ("untimed", untimed)]))
    table = text[text.index("Speed on a GPU") : text.index("What became of the answers")]
    assert re.findall(r"<th>fast_([^<]+)</th>", table) == ["0", "1.5", "2", "1"]
    assert table.count("25.0 <small>12.5 to 50.0</small>") == 4
    assert table.index("Weft&#39;s own translation") < table.index("Warp&#39;s own kernel")
    assert "GPU &lt;1&gt;" in table and "untimed" not in table
    assert "Speed on a GPU" not in page(read_models([("untimed", untimed)]))


def test_a_page_of_no_models_is_a_page() -> None:
    assert "Weft leaderboard" in page([])


@pytest.mark.parametrize(
    ("changed", "message"), [({"tasks_sha256": "b"}, "other tasks"), ({"schema": 7}, "is not a summary")]
)
def test_others_are_not_compared(tmp_path: Path, changed: dict[str, object], message: str) -> None:
    one, other = write(tmp_path / "one.json", 0.5), write(tmp_path / "other.json", 0.5, **changed)
    with pytest.raises(UserError, match=message):
        read_models([("one", one), ("other", other)])
