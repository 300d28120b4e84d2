"""Samples that share processes get the verdicts that they get alone, with fewer processes; the CPU device
stands in for a GPU.
"""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hand_written import (
    INTERFACE,
    LAUNCHED,
    cpu_device,
    evens_reference,
    program,
    sample_id,
    shard,
    with_value,
)
from test_own_main import MAIN_TEXT, PRINTED
from test_own_main import changed as with_other_main

from weft.runs import execute, together, verdict
from weft.runs.build import Build, CpuToolchain, build_shard
from weft.runs.interface import parse_interface
from weft.runs.shard import parse_shard
from weft.runs.stage import judge_group
from weft.runs.verdict import CPU, Execution

EXECUTIONS = (Execution({}, as_main=True), Execution({}, last_first=True))
DEVICE = dataclasses.replace(CPU, executions=EXECUTIONS, idle=None)
PROGRAMS = {
    "right": program(main=MAIN_TEXT),
    "right, too": program(main=MAIN_TEXT),
    "without a main": program(),
    "a wrong value": with_value("0.0f"),
    "a wrong main": with_other_main("left[0]", "left[0] + 0.5"),
    "crashes": program(launch="std::abort();"),
    "ends well": program(launch=f"{LAUNCHED} std::exit(0);"),
    "its main ends well": with_other_main("return 0;", "std::exit(0);"),
    "its main ends before its line": with_other_main(PRINTED, f"std::exit(0);\n{PRINTED}"),
}
SHARD = parse_shard(
    shard(list(PROGRAMS.values())),
    "shard.cu",
    {sample_id(i): parse_interface("evens", INTERFACE, "shard.json") for i in range(len(PROGRAMS))},
)
SAMPLES = evens_reference(len(PROGRAMS)).samples


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    ids = {sample.sample_id for sample in SAMPLES}
    return build_shard(SHARD, CpuToolchain("g++", tmp_path_factory.mktemp("together"), cpu_device()), ids)


def judged(build: Build, names: Sequence[str]) -> list[dict[str, Any]]:
    chosen = [(SAMPLES[i], SHARD.samples[i]) for i in map(list(PROGRAMS).index, names)]
    return list(judge_group(chosen, build.program, DEVICE, 20.0, None).values())


@pytest.mark.parametrize("name", [*PROGRAMS][2:])
@pytest.mark.parametrize("last", [False, True])
def test_verdicts_are_those_of_samples_alone(build: Build, name: str, last: bool) -> None:
    names = ["right", name] if last else ["right", name, "right, too"]
    alone = [one for each in names for one in judged(build, [each])]
    assert judged(build, names) == alone


def test_right_samples_take_a_process_for_each_execution_and_one_for_main(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes: list[int] = []

    def run_batch(
        program: Path, commands: Sequence[Sequence[str]], *rest: Any, **named: Any
    ) -> execute.Ended:
        processes.append(len(commands))
        return execute.run_batch(program, commands, *rest, **named)

    monkeypatch.setattr(verdict, "run_batch", run_batch)
    monkeypatch.setattr(together, "run_batch", run_batch)
    samples = judged(build, ["right", "right, too", "without a main"])
    assert [one["verdict"] for one in samples] == ["verified"] * 3
    assert processes == [*(3 * len(one.launches(SAMPLES[0])) for one in EXECUTIONS), 2]
