"""Processes that judge side by side: whatever ends one, an answer gets no other answer's verdict."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from weft.scoring import judges
from weft.scoring.judges import TOGETHER, Judges, Outcome, Settings

SETTINGS = Settings("", "", "g++", 1.0, sandboxed=False, seed=None)
UNITS = "for unit in map(json.loads, itertools.islice(sys.stdin, 1, None)):"
STARTS = "import itertools, json, os, sys; from pathlib import Path\n"
SAYS = 'print(json.dumps({"number": number, "outcome": {"entry": program}}), flush=True)'
EACH = 'for number, program in zip(unit["numbers"], unit["programs"]):'
RIGHT = f"{UNITS}\n {EACH}\n  {SAYS}"
"""Stands for the worker: its verdict on a program is the program."""


def judged(
    monkeypatch: pytest.MonkeyPatch, folder: Path, worker: str, programs: Sequence[tuple[str, str]]
) -> list[Outcome]:
    """What comes of programs, in their order, if a text of Python judges them one at a time."""
    monkeypatch.setattr(judges, "WORKER", ("-c", STARTS + worker))
    outcomes = dict(Judges(SETTINGS, folder, jobs=1).judge(programs))
    return [outcomes[number] for number in range(len(programs))]


PROGRAMS = [("a", "0"), ("b", "1"), ("a", "2"), ("c", "3"), ("c", "4")]
WHOLE = [{"entry": program} for _, program in PROGRAMS]


def test_each_program_gets_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert judged(monkeypatch, tmp_path, RIGHT, PROGRAMS) == WHOLE


def test_a_line_too_many_costs_one_verdict(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    worker = f"{RIGHT}\n {SAYS}"
    found = judged(monkeypatch, tmp_path, worker, PROGRAMS)
    wrong = [number for number, one in enumerate(found) if one != WHOLE[number]]
    assert wrong == [1]
    assert found[1]["error"] == {
        "reason": "internal_error",
        "message": "a process of the judge spoke of program 2 in place of 1",
    }


def test_a_process_may_end_between_two_units(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    worker = f"{UNITS}\n os.close(0)\n {EACH}\n  {SAYS}\n os._exit(9)"
    assert judged(monkeypatch, tmp_path, worker, PROGRAMS) == WHOLE


def test_a_line_that_was_cut_off_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    worker = f"""{UNITS}
 {EACH}
  if program == "2": os.write(1, b'{{"number": 2, "out'); os.kill(os.getpid(), 9)
  {SAYS}"""
    found = judged(monkeypatch, tmp_path, worker, PROGRAMS)
    killed = {"reason": "killed", "message": "a process of the judge ended with status -9"}
    assert found == [*WHOLE[:2], {"error": killed}, *WHOLE[3:]]


@pytest.mark.parametrize("end", ["", "if program == '2': os.kill(os.getpid(), 9)"], ids=["well", "killed"])
def test_no_folder_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, end: str) -> None:
    makes = 'Path(sys.argv[1], unit["sample_id"] + program).mkdir()'
    worker = f"{UNITS}\n {EACH}\n  {makes}\n  {end}\n  {SAYS}"
    judged(monkeypatch, tmp_path, worker, PROGRAMS)
    assert not list(tmp_path.iterdir())


def test_programs_of_one_sample_come_together_but_not_too_many() -> None:
    units = list(judges.units_of([("a", ""), ("b", "")] * (TOGETHER + 1)))
    assert [(unit.sample_id, len(unit.numbers)) for unit in units] == [
        ("a", TOGETHER), ("a", 1), ("b", TOGETHER), ("b", 1),
    ]  # fmt: skip
