"""A task says what a program must define and what it gets, and nothing of what it is judged by."""

import json
from pathlib import Path

import pytest

from building import Build
from weft.dataset.conversations import ASKED
from weft.dataset.views import declarations
from weft.errors import UserError
from weft.files import read_json, write_json
from weft.scoring.tasks import read_task_ids, tasks

VIEW = """\
#include <cuda_runtime.h>

struct Pair {
    float2 both;
};

struct Unused {
    int x;
};

// A box.
struct Box {
    Pair sides[2];
};

__device__ float area(Box box) { return box.sides[0].both.x; }

__global__ void measure(const Box* boxes, float* areas, int n) { areas[0] = area(boxes[0]); }

cudaError_t launch_measure(const Box* boxes,
                           float* areas, int n, cudaStream_t stream = nullptr) {
    return cudaSuccess;
}
"""


def test_the_types_of_parameters_are_declared() -> None:
    assert declarations(VIEW, "measure") == (
        "struct Pair {\n    float2 both;\n};\n\n"
        "struct Box {\n    Pair sides[2];\n};\n\n"
        "cudaError_t launch_measure(const Box* boxes, float* areas, int n, cudaStream_t stream = nullptr);"
    )


@pytest.mark.workflow
def test_tasks_of_a_build(build_copy: Build) -> None:
    results = build_copy.results
    wrong = "    x[0] = 17.0f;\n"
    for path in (results / "cuda").rglob("*.json"):
        sample = read_json(path)["samples"][0]
        edits = [{"line": 24, "count": 1, "text": wrong}]
        found = {
            "edits": edits,
            "reason": "wrong_output",
            "message": "",
            "failure": None,
            "operator": "index",
        }
        found |= {"function": "f", "before": "", "after": wrong}
        entry = {"sample_id": sample["sample_id"], "found": [found]}
        content = {"share": 0.0, "samples": [entry]}
        write_json(results / "mutation" / path.relative_to(results / "cuda"), content)
    asked = list(tasks(results))
    verified = sorted({one["sample_id"] for one in asked})
    assert [one["kind"] for one in asked].count("repair") == len(list((results / "cuda").rglob("*.json")))
    assert len({one["task_id"] for one in asked}) == len(asked)
    for one in asked:
        (message,) = one["prompt"]
        assert one["launcher"] in message["content"] and one["kind"] in ASKED
        assert "arrays of fewer than 2^31 elements" in message["content"]
        assert ("```python" in message["content"]) == (one["kind"] == "python_to_cuda")
        assert ("x[0] = 17.0f" in message["content"]) == (one["kind"] == "repair")
        assert {"name", "type", "role", "shape", "values"} <= set(one["parameters"][0])
    kernels = list(tasks(results, ["python_to_cuda"]))
    assert [one["task_id"] for one in kernels] == sorted(verified)
    split = [one["sample_id"] for one in tasks(results, ["python_to_cuda"], "train")]
    assert split and set(split) <= set(verified)
    with pytest.raises(UserError, match="has no split 'none'"):
        list(tasks(results, split="none"))


def test_a_file_of_tasks_is_told_from_others(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps({"task_id": "a-0000-0000"}) + "\n" + "[]\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"tasks\.jsonl:2: is not a task"):
        read_task_ids(path)
