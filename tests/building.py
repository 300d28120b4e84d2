"""A copy of the workflow in a folder of its own, and real Snakemake runs there."""

from __future__ import annotations

import atexit
import dataclasses
import functools
import hashlib
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTS = (
    *("Snakefile", "rules", "config.yaml", "scripts", "examples", "profiles", "envs"),
    *("LICENSE", "NOTICE", "CITATION.cff"),
)
LARGE = re.compile(r"/__pycache__/|/results/warp_\w*headers/")
REPRODUCIBLE = ("kernels", "ir", "reference", "cuda", "ptx", "runs")
"""The stages whose files have the same bytes in every build."""


@dataclasses.dataclass(frozen=True)
class Build:
    """A copy of the workflow. Its scripts import the copy of weft, not the installed one."""

    folder: Path

    @classmethod
    def fresh(cls, folder: Path) -> Build:
        """A copy without results."""
        folder.mkdir(parents=True)
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("*.egg-info"))
            else:
                shutil.copy2(source, folder / part)
        (folder / "library").mkdir()
        (folder / "library/weft").symlink_to("../scripts/weft")
        return cls(folder)

    def copy(self, folder: Path) -> Build:
        """A copy with results and Snakemake's records, times of files included."""
        shutil.copytree(self.folder, folder, symlinks=True, copy_function=_copied)
        return Build(folder)

    def copy_of_results(self, folder: Path) -> Build:
        """A copy with results and Snakemake's records; the code, which nobody may change there, is shared."""
        folder.mkdir(parents=True)
        for path in self.folder.iterdir():
            target = folder / path.name
            if path.name in PARTS and path.is_dir():
                target.symlink_to(path)
            elif path.is_dir() and not path.is_symlink():
                shutil.copytree(path, target, symlinks=True, copy_function=_copied)
            else:
                shutil.copy2(path, target, follow_symlinks=False)
        return Build(folder)

    def without_results(self, folder: Path) -> Build:
        """A copy of the workflow as it was copied here, without results."""
        folder.mkdir(parents=True)
        for part in (*PARTS, "library"):
            if (self.folder / part).is_dir():
                shutil.copytree(self.folder / part, folder / part, symlinks=True)
            else:
                shutil.copy2(self.folder / part, folder / part)
        return Build(folder)

    @property
    def results(self) -> Path:
        return self.folder / "results"

    def command(self, *options: str) -> list[str]:
        """The Snakemake command with `options`."""
        return [sys.executable, "-m", "snakemake", *options]

    def environment(self, **variables: str) -> dict[str, str]:
        """Environment variables of a run."""
        return {**os.environ, "PYTHONPATH": str(self.folder / "library"), **variables}

    def run(
        self, *options: str, check: bool = True, timeout: float = 900, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run Snakemake here. Unless `check` is False, a failure fails the test with Snakemake's words."""
        done = _server().run(options, self.folder, self.environment(**environment), timeout)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def killed(self, *options: str, once: str, with_jobs: bool) -> None:
        """Run Snakemake here until a file that the pattern `once` names is there; then SIGKILL it, alone or
        `with_jobs`.
        """
        with subprocess.Popen(
            self.command(*options),
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as snakemake:
            deadline = time.monotonic() + 120
            while not list(self.folder.glob(once)):
                assert snakemake.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.02)
            (os.killpg if with_jobs else os.kill)(snakemake.pid, signal.SIGKILL)

    def planned(self, *options: str, **environment: str) -> set[str]:
        """The jobs that would run, as `rule` or `rule wildcard=value, …`."""
        done = self.run("--dry-run", *options, **environment)
        jobs = re.split(r"^(?=(?:local)?(?:rule|checkpoint) )", done.stdout + done.stderr, flags=re.MULTILINE)
        found = set()
        for job in jobs[1:]:
            rule = re.match(r"(?:local)?rule (\w+):", job)
            assert rule, job
            wildcards = re.search(r"^    wildcards: (.*)$", job, re.MULTILINE)
            found.add(f"{rule[1]} {wildcards[1]}" if wildcards else rule[1])
        return found

    def script(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of the scripts here."""
        return subprocess.run(
            [sys.executable, "-P", f"scripts/{name}.py", *arguments],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )

    def hashes(self, *stages: str) -> dict[str, str]:
        """SHA-256 of every file of the stages, by its path in the results."""
        files = (
            path for stage in stages for path in sorted((self.results / stage).rglob("*")) if path.is_file()
        )
        return {str(f.relative_to(self.results)): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


class _Server:
    """A process that runs Snakemake (snakemake_server.py)."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", ROOT / "tests/snakemake_server.py"],
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        atexit.register(self.end)

    def end(self) -> None:
        """End the process, and wait for it."""
        self.process.communicate()

    def run(
        self, options: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """Run Snakemake in a folder."""
        with tempfile.NamedTemporaryFile("r") as printed, tempfile.NamedTemporaryFile("r") as said:
            asked = json.dumps([options, str(folder), environment, printed.name, said.name])
            assert self.process.stdin and self.process.stdout
            print(asked, file=self.process.stdin, flush=True)
            ready, _, _ = select.select([self.process.stdout], [], [], timeout)
            if not ready:
                os.killpg(self.process.pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(["snakemake", *options], timeout)
            status = int(self.process.stdout.readline())
            return subprocess.CompletedProcess(options, status, printed.read(), said.read())


@functools.cache
def _server() -> _Server:
    return _Server()


def _copied(source: str, target: str) -> None:
    """Copy a file. What is large, and is only ever replaced as a whole, is the same file in both places."""
    if LARGE.search(source):
        os.link(source, target)
    else:
        shutil.copy2(source, target)


def rules(jobs: set[str]) -> set[str]:
    """The rules of jobs."""
    return {job.partition(" ")[0] for job in jobs}


def shards(jobs: set[str]) -> set[str]:
    """The categories that jobs have as a wildcard."""
    return {match[1] for job in jobs if (match := re.search(r"category=(\w+)", job))}
