"""Every builtin, for each scalar type that it takes, gives on the CPU device what Warp gives, to the bit.

`uncovered.txt` names the builtins of which that is not true yet, a line each; the rest is the coverage.
"""

from pathlib import Path

import pytest
from table_branches import unreached
from table_cases import cases, quick
from table_run import coverage, run_table
from warp_builtins import core, public

from weft.intrinsics import INTRINSICS

UNCOVERED = Path(__file__).parent / "uncovered.txt"


def _uncovered() -> set[str]:
    return set(UNCOVERED.read_text(encoding="utf-8").split())


def test_the_core_is_what_stands_outside_of_tiles_and_objects() -> None:
    assert len(public()) == 300
    assert len(core()) == 177


def test_parameters_are_those_of_warp() -> None:
    shown = public()
    for name, one in INTRINSICS.items():
        count = len(one.parameters)
        assert not count or one.parameters in {tuple(each.input_types)[:count] for each in shown[name]}, name


def test_every_core_builtin_has_cases() -> None:
    assert [name for name, found in cases().items() if not found] == []


@pytest.mark.parametrize("full", [False, pytest.param(True, marks=pytest.mark.full)])
def test_covered_builtins_equal_warp(full: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    everything = cases()
    wanted = everything if full else quick(everything)
    outcomes = run_table(wanted, tmp_path, sorted(_uncovered()))
    covered, bad = coverage(outcomes)
    with capsys.disabled():
        count = len(covered - _uncovered())
        print(f"\nbuiltins covered: {count}/{len(everything)}, {count}/{len(public())} of all")
    known = _uncovered()
    wrong = [f"{one.reason}: {one.case.label}: {one.message}" for one in outcomes if one.reason]
    assert [line for line in wrong if line.split(": ")[1].partition("(")[0] not in known] == []
    assert bad <= known
    if full:
        assert sorted(known & covered) == [], "covered now: take them out of uncovered.txt"
        assert unreached(tmp_path) == [], "no input of the table takes these branches of a helper"
