"""A line that is no answer costs itself, and says why."""

import json
from pathlib import Path

import pytest

from weft.errors import UserError
from weft.scoring.answers import kind_of, read_answer, read_answers, sample_of

GOOD = {"task_id": "a-0000-0000", "sample": 0, "completion": "x"}
BAD = {
    b'{"task_id"': "no JSON",
    b"[" * 100_000: "nested too deeply",
    b"[]": "has no task_id",
    b'{"task_id": 7}': "has no task_id",
    b'{"task_id": "a-0000-0000", "sample": "one"}': "has no sample",
    b'{"task_id": "a-0000-0000", "sample": true}': "has no sample",
    b'{"task_id": "a-0000-0000", "sample": 1}': "has no completion",
    b'{"task_id": "a-0000-0000", "sample": 1, "completion": "\\ud800"}': "a Unicode string",
    b'{"task_id": "a-0000-0000", "sample": 1, "completion": "\xff"}': "not UTF-8 from byte 55",
    json.dumps(GOOD).encode(): "line 1 has sample 0 of a-0000-0000",
}


@pytest.mark.parametrize("line", BAD, ids=BAD.values())
def test_a_bad_line(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "answers.jsonl"
    good = {**GOOD, "sample": 2}
    path.write_bytes(b"\n".join([json.dumps(GOOD).encode(), b"", line, json.dumps(good).encode()]))
    first, bad, last = read_answers(path)
    assert (first.line, first.problem, last.line, last.problem) == (1, None, 4, None)
    assert bad.line == 3 and BAD[line] in (bad.problem or "")
    with pytest.raises(UserError, match=r"answers\.jsonl:3: "):
        read_answer(path, 3)
    assert read_answer(path, 4).sample == 2


def test_what_is_not_utf_8_counts_for_its_task(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b'{"task_id": "a-0000-0000", "sample": 1, "completion": "\xff"}\n')
    (answer,) = read_answers(path)
    assert (answer.task_id, answer.sample, answer.problem is None) == ("a-0000-0000", 1, False)


def test_a_task_names_its_sample_and_its_kind() -> None:
    assert (sample_of("a-0000-0000"), kind_of("a-0000-0000")) == ("a-0000-0000", "python_to_cuda")
    assert (sample_of("a-0000-0000/repair"), kind_of("a-0000-0000/repair")) == ("a-0000-0000", "repair")
