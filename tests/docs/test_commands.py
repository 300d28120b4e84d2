"""Every command of the documents and of `--help` texts is run as it stands, in a build like that of `make`.

What is too heavy, or needs a GPU or a cluster, stands in ELSEWHERE, with the test that runs it or the reason.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from documents import ROOT, Command, blocks, commands, make_targets

from building import Build
from tools import has_sandbox
from weft.files import write_json
from weft.scoring.summary import summary

BUILDS = "tests/workflow/test_builds.py"
SLURM = "tests/slurm/test_slurm.py"
SPEED = "tests/speed/test_speed.py"
SURVEY = "tests/survey/test_survey.py"
ELSEWHERE = {
    r"make": f"{BUILDS}::test_every_kernel_of_the_build_is_verified",
    r"make (test|test-all|test-faults|lint|test-gpu)": "tests itself",
    r"make test-slurm|python tests/slurm/local_cluster.py bash": SLURM,
    r"make test-toolkits": "tests/ptx/test_toolkits.py",
    r"make test-training": "tests/dataset/test_training.py",
    r"make test-inspect|inspect eval .*": "tests/scoring/test_inspect.py",
    r"make samples|snakemake samples .*": "tests/samples/test_samples.py::test_every_sample_has_a_folder",
    r"make dag": "scripts/dag.py, whose help has the same command",
    r"make diversity": "scripts/diversity.py, whose help has the same command",
    r"make bench|python -P benchmarks/candidates\.py results": "ten minutes of measuring",
    r"make speed": SPEED,
    r"make mutation": "tests/mutation/test_mutation.py",
    r"make gradients": "tests/gradients/test_gradients.py",
    r"make pictures|python tests/report/pictures\.py .*": (
        "tests/report/test_report.py::test_pictures_are_written"
    ),
    r"snakemake report": "tests/report/test_report.py",
    r"snakemake --report .*": (
        "tests/workflow/test_looks.py::test_snakemakes_own_report_has_the_page_and_the_counts"
    ),
    r"make results": "tests/docs/test_results.py",
    r"make docs": "tests/docs/test_site.py",
    r"make golden": "tests/golden/test_golden.py",
    r"make survey|python -P scripts/survey\.py warp\.tests .*": SURVEY,
    r"make fuzz": "tests/cuda/fuzz/test_fuzz.py",
    r"make wild|python -P scripts/wild\.py .*": "installs published packages",
    r"make lock": "asks a registry for versions",
    r"make image": "needs Apptainer and a registry",
    r"snakemake .*--sdm apptainer": "tests/workflow/test_container.py",
    r"make install": "tests/workflow/test_installation.py",
    r"snakemake --lint": "make lint",
    r"python -P benchmarks/gpu\.py pack .*": "tests/runs/test_gpu_machine.py",
    r"cmake -S examples/cpp .*": "tests/cuda/library/test_example.py::test_the_project_builds_with_cmake",
    r"python -P scripts/runs\.py --candidate examples/wrong/.*": "tests/dataset/test_dataset_answers.py",
    r"python -P scripts/runs\.py .* --device cuda .*": "needs a GPU: tests/runs/test_gpu.py",
    r"weft run .* --device cuda": "needs a GPU: tests/runs/test_gpu.py",
    r"weft score .* --device cuda .*": "needs a GPU: tests/scoring/test_on_gpu.py",
}
"""What is not run here: a pattern of commands, and where they are run, or why they are not."""

PLACES = {"FOLDER": "examples", "PACKAGE": "warp.examples.core.example_wave"}
"""What stands for the words that a reader replaces."""

FULL = (
    r"--profile",
    r"snakemake (speed|--cores 16)",
    r"scripts/(mutation|gradients|survey|dag|speed|warp_headers)\.py (?!--table)",
    r"scripts/(runs|validate)\.py results(?! --no-compile)",
    r"weft (run|judge|tasks|score|replay) |weft translate .* --(ptx|library)",
    # What differs from another one in values alone:
    r"snakemake --config 'categories=|scripts/kernels\.py -c (loop|particle)",
    r"scripts/diversity\.py FOLDER|scripts/ir\.py .* -o wave\.json",
)
"""What `make test` leaves to `make test-all`."""

CONFIG = {
    "categories": "{loop: 1, matrix: 1, vector: 2}",
    "kernels_per_seed": "2",
    "sizes": "[1, 33]",
    "input_seeds": "[0]",
    "devices": "[cpu]",
    "mutation": "0",
    "gradients": "0",
    "sources": "{}",
}


POND: dict[str, Any] = {
    "hcurrent": np.ones(4096, np.float32), "hprevious": np.zeros(4096, np.float32), "width": 64, "height": 64,
    "inv_cell": 10.0, "k_speed": 1.0, "k_damp": 0.5, "dt": 0.01,
}  # fmt: skip
"""The arguments of the wave's kernel."""


def pattern_of(command: str) -> str | None:
    """The pattern of ELSEWHERE that a command matches."""
    return next((pattern for pattern in ELSEWHERE if re.fullmatch(pattern, command)), None)


@dataclasses.dataclass(frozen=True)
class Shell:
    """A copy of the finished build, and what is typed there."""

    folder: Path

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a command as it is typed with the environment active."""
        environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(self.folder / "library"),
        }
        done = subprocess.run(
            ["bash", "-ec", command],
            cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    def make(self, file: str, document: str) -> None:
        """Make a file that a document's command needs, from the block of the same document that begins with
        its name, or by the command that writes it.
        """
        if (self.folder / file).exists():
            return
        for block in blocks("python"):
            if block.document == document and block.text.startswith(f"# {file}\n"):
                (self.folder / file).write_text(block.text, encoding="utf-8")
                return
        for command in commands():
            if command.document == document and re.search(
                rf"(-o|--output) {re.escape(file)}(?!\S)", command.text
            ):
                self.run_of(command)
                return
        raise AssertionError(f"{document}: nothing makes {file}")

    def run_of(self, command: Command) -> subprocess.CompletedProcess[str]:
        """Run a document's command, after what makes the files that it reads."""
        text = command.text
        for word, place in PLACES.items():
            text = re.sub(rf"\b{word}\b", place, text)
        written = re.findall(r"(?:-o|--output|--index|--report) (\S+)", text)
        for file in re.findall(r"(?<= )[\w.]+\.(?:jsonl?|cu|npz|py)\b", text):
            if file not in written:
                self.make(file, command.document)
        if text.startswith("snakemake"):
            # Builds take minutes: what is planned shows whether the command is right.
            done = Build(self.folder).run(*shlex.split(text)[1:], "-n")
            assert "Traceback" not in done.stderr
            return done
        judges = text.startswith(("weft judge", "weft score")) or (
            text.startswith("python -P scripts/runs.py ") and "--candidate" in text
        )
        if judges and not has_sandbox():
            text += " --without-sandbox"
        return self.run(text)


@pytest.fixture(scope="module")
def finished(small_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The small build with the categories that examples name, as its config.yaml says."""
    build = small_build.copy(tmp_path_factory.mktemp("docs") / "build")
    settings = (build.folder / "config.yaml").read_text(encoding="utf-8")
    for key, value in CONFIG.items():
        settings = re.sub(rf"^{key}:.*\n(  .*\n)*", f"{key}: {value}\n", settings, flags=re.MULTILINE)
    (build.folder / "config.yaml").write_text(settings, encoding="utf-8")
    (build.folder / "slurm-gpu").symlink_to("profiles/slurm-gpu")
    build.run("all", "samples", "--cores", "2")
    sample = build.results / "samples/vector-0000-0003"
    (program,) = sample.glob("*.cu")
    shutil.copy2(program, build.folder / "answer.cu")
    answer = {"task_id": sample.name, "sample": 0, "completion": program.read_text(encoding="utf-8")}
    (build.folder / "answers.jsonl").write_text(f"{json.dumps(answer)}\n", encoding="utf-8")
    write_json(build.folder / "summary.json", summary([], build.results))
    np.savez(build.folder / "in.npz", **POND)
    return build


@pytest.fixture
def shell(finished: Build, tmp_path: Path) -> Shell:
    return Shell(finished.copy_of_results(tmp_path / "build").folder)


def marked(command: Command) -> object:
    full = any(re.search(pattern, command.text) for pattern in FULL)
    return pytest.param(command, marks=[pytest.mark.full] if full else [], id=str(command))


RUN_HERE = {one.text: one for one in reversed(commands()) if pattern_of(one.text) is None}
"""Each command once: for the first document that has it."""


@pytest.mark.workflow
@pytest.mark.parametrize("command", [marked(command) for command in reversed(RUN_HERE.values())])
def test_a_command_works_as_it_stands(shell: Shell, command: Command) -> None:
    shell.run_of(command)
    for written in re.findall(r"(?:-o|--output|--index|--report) (\S+)", command.text):
        assert (shell.folder / written).exists(), f"{written} was not written"


@pytest.mark.workflow
@pytest.mark.parametrize(
    "number", [number for number, block in enumerate(blocks("python")) if "import" in block.text]
)
def test_a_python_block_runs(shell: Shell, number: int) -> None:
    block = blocks("python")[number]
    for file in re.findall(r'"([\w.]+\.cu)"', block.text):
        shell.make(file, block.document)
    (shell.folder / "block.py").write_text(block.text, encoding="utf-8")
    shell.run("python block.py")


@pytest.mark.parametrize("pattern", ELSEWHERE)
def test_what_is_left_to_others_is_still_there(pattern: str) -> None:
    """A document has such a command, and the test that is named exists."""
    assert any(re.fullmatch(pattern, command.text) for command in commands()), "no document has this command"
    file, _, test = ELSEWHERE[pattern].rpartition(" ")[2].partition("::")
    if file.startswith("tests/"):
        assert (ROOT / file).is_file()
        assert not test or f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


def test_every_target_of_make_exists() -> None:
    asked = {word for one in commands() if one.text.startswith("make") for word in one.text.split()[1:]}
    assert asked <= make_targets()
