"""A run of `weft score` draws its cases, unless it is told which, or goes on with those that it has."""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from building import Build
from tools import has_sandbox
from weft.command import score as command
from weft.files import read_json
from weft.scoring.verdicts import SCHEMA, read_verdicts


@pytest.fixture
def seed(tmp_path: Path) -> Callable[..., int | None]:
    """The seed of a run with options."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    command.add_arguments(parser)
    files = ["answers.jsonl", "-o", str(tmp_path / "verdicts.jsonl"), "--cpu", str(tmp_path / "cpu.jsonl")]
    return lambda *options: command._seed(parser.parse_args([*files, *options]))


def write(path: Path, *seeds: int | None) -> None:
    path.write_text("".join(json.dumps({"schema": SCHEMA, "seed": one}) + "\n" for one in seeds))


def test_a_seed_is_drawn_where_none_is_known(seed: Callable[..., int | None], tmp_path: Path) -> None:
    write(tmp_path / "cpu.jsonl", 3)
    drawn = [seed() for _ in range(3)]
    assert len(set(drawn)) == 3 and None not in drawn


def test_a_run_goes_on_with_the_seed_of_its_verdicts(seed: Callable[..., int | None], tmp_path: Path) -> None:
    write(tmp_path / "verdicts.jsonl", None, 5, 5)
    assert [seed(), seed("--seed", "6"), seed("--as-built")] == [5, 6, None]


@pytest.mark.parametrize("known", [5, None])
def test_a_gpu_has_the_cases_of_the_cpu(
    seed: Callable[..., int | None], tmp_path: Path, known: int | None
) -> None:
    write(tmp_path / "cpu.jsonl", None, known)
    write(tmp_path / "verdicts.jsonl", 4)
    assert seed("--device", "cuda") == known
    assert seed("--device", "cuda", "--seed", "6") == 6


def test_a_seed_and_the_cases_of_the_build_exclude_each_other(seed: Callable[..., int | None]) -> None:
    with pytest.raises(argparse.ArgumentError, match="not allowed with"):
        seed("--seed", "6", "--as-built")


@pytest.mark.workflow
def test_a_drawn_run_can_be_repeated(small_build: Build, tmp_path: Path) -> None:
    answers = []
    for program in sorted((small_build.results / "samples").glob("*/*.cu"))[:2]:
        text = program.read_text(encoding="utf-8")
        answers += [
            {"task_id": program.parent.name, "sample": number, "completion": one}
            for number, one in enumerate((text, text.replace("blockIdx.x", "0u")))
        ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))

    def score(name: str, *options: str) -> tuple[str, list[dict[str, Any]], int | None]:
        files = [str(tmp_path / "answers.jsonl"), "-o", str(tmp_path / name / "verdicts.jsonl")]
        (tmp_path / name).mkdir(exist_ok=True)
        more = [] if has_sandbox() else ["--without-sandbox"]
        done = subprocess.run(
            [sys.executable, "-P", "-m", "weft", "score", *files, *options, *more],
            cwd=small_build.folder,
            env=small_build.environment(),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        found = read_verdicts(tmp_path / name / "verdicts.jsonl")
        return done.stdout.splitlines()[0], found, read_json(tmp_path / name / "summary.json")["seed"]

    said, drawn, drawn_seed = score("drawn")
    assert said == f"cases of --seed {drawn_seed}"
    assert {one["seed"] for one in drawn} == {drawn_seed}
    assert [one["verdict"] for one in drawn] == ["verified", "rejected"] * 2
    assert all(f"--seed {drawn_seed} --case" in one["again"] for one in drawn if one["case"])
    assert score("drawn") == (said, drawn, drawn_seed)
    assert score("repeated", "--seed", str(drawn_seed)) == (said, drawn, drawn_seed)
    said, as_built, no_seed = score("as_built", "--as-built")
    assert (said, no_seed, {one["seed"] for one in as_built}) == ("cases of the build", None, {None})
