"""compute-sanitizer on a GPU: what its four tools find in a program becomes a verdict.

Options and exit status are those of the user's guide ("Compute Sanitizer", section "Command Line Options").
Of its reports only the first line is read, for people. Before a tool is believed it has to find a mistake
that was planted for it, and nothing in a program without one.
"""

from __future__ import annotations

import dataclasses
import secrets
import shutil
from pathlib import Path

from weft.errors import UserError
from weft.reference.store import Sample
from weft.runs.build import HERE, make_guard
from weft.runs.execute import WORK, Ended, run_batch
from weft.runs.input_files import write_inputs
from weft.runs.judge import ZERO_FILL
from weft.runs.shard import ShardSample
from weft.runs.verdict import CUDA, Execution, commands, watched_size
from weft.scratch import scratch
from weft.tools import run_tool

TOOLS = {
    "memcheck": "out_of_bounds",
    "racecheck": "race",
    "initcheck": "unwritten_read",
    "synccheck": "deadlock",
}
"""The tools, and the reason for which a sample is rejected where one of them finds something."""

FOUND = 99
"""The exit status that the tools are told to have where they find something and the program goes well."""
SLOWDOWN = 10
REPORT = "report"
PROBE = HERE / "device" / "sanitizer_probe.cu"
EXECUTION = Execution({}, watched_size, ZERO_FILL)
MESSAGE_CHARACTERS = 300
_BANNER = ("COMPUTE-SANITIZER", "ERROR SUMMARY", "RACECHECK SUMMARY")


@dataclasses.dataclass(frozen=True)
class Finding:
    """What a tool says of a program: the reason to reject it, if there is one; whether it ran to its end."""

    reason: str | None
    message: str
    finished: bool


@dataclasses.dataclass(frozen=True)
class Sanitizer:
    """compute-sanitizer, by its path."""

    path: str

    def command(self, tool: str) -> list[str]:
        """What stands before the command of the program that `tool` looks at."""
        options = {
            "--tool": tool,
            "--error-exitcode": str(FOUND),
            "--print-limit": "1",
            "--log-file": REPORT,
        }
        return [self.path, *(word for option in options.items() for word in option)]

    def look(self, tool: str, sample: Sample, part: ShardSample, program: Path, timeout: float) -> Finding:
        """Run the sample's small cases under a tool; what cannot be run to its end is no finding."""
        with scratch("run") as folder:
            inputs = write_inputs(sample, sample.cases, folder / "inputs")
            ended = run_batch(
                program,
                commands(sample, part, EXECUTION, inputs, secrets.token_hex(8)),
                folder,
                files=[inputs.path],
                timeout=timeout * SLOWDOWN,
                variables={},
                limit_memory=CUDA.limit_memory,
                under=self.command(tool),
            )
            return finding(tool, ended, read_report(folder / WORK / REPORT))


def finding(tool: str, ended: Ended, report: str) -> Finding:
    """What the end of a program under a tool means. `report` is what the tool wrote.

    A program that is stopped by what the tool found has an exit status of its own, and a report.
    """
    if ended.reason is None:
        return Finding(None, "", finished=True)
    first = first_problem(report)
    if ended.status != FOUND and (ended.reason == "timeout" or not first):
        return Finding(None, f"{tool}: {ended.message}", finished=False)
    reason = "misaligned" if tool == "memcheck" and "is misaligned" in report else TOOLS[tool]
    return Finding(reason, f"{tool}: {first or ended.message}", finished=True)


def first_problem(report: str) -> str:
    """The first line of a report that tells of something; empty if none does."""
    lines = (line.removeprefix("=========").strip() for line in report.splitlines())
    return next((line[:MESSAGE_CHARACTERS] for line in lines if line and not line.startswith(_BANNER)), "")


def read_report(path: Path) -> str:
    """What a tool wrote, empty if nothing."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def find_sanitizer(nvcc: str, arch: str) -> Sanitizer:
    """The compute-sanitizer beside nvcc, or else on PATH, once each tool has found what was planted for it.

    Raises UserError where there is none, or where it does not work on this GPU.
    """
    sanitizer = Sanitizer(sanitizer_path(nvcc))
    with scratch("build") as folder:
        program = folder / "program"
        command = [nvcc, "-std=c++17", f"-arch={arch}", str(PROBE), "-o", str(program)]
        done = run_tool(command, folder=folder)
        if done.returncode != 0:
            raise UserError(f"{nvcc} does not compile {PROBE.name}:\n{done.stderr}")
        make_guard(nvcc, program)
        for tool in TOOLS:
            clean = _probe(sanitizer, tool, "nothing", program, folder)
            planted = _probe(sanitizer, tool, tool, program, folder)
            if clean.reason is not None or not clean.finished or planted.reason is None:
                said = planted.message or clean.message or "no message"
                raise UserError(
                    f"compute-sanitizer's {tool} cannot tell a wrong program from a right one on this GPU "
                    f"({said}); set sanitizer to 0 to build without it"
                )
    return sanitizer


def _probe(sanitizer: Sanitizer, tool: str, mistake: str, program: Path, folder: Path) -> Finding:
    here = folder / f"{tool}-{mistake}"
    here.mkdir()
    under = sanitizer.command(tool)
    ended = run_batch(
        program, [[mistake]], here, timeout=120.0, variables={}, limit_memory=False, under=under
    )
    return finding(tool, ended, read_report(here / WORK / REPORT))


def sanitizer_path(nvcc: str) -> str:
    """Where compute-sanitizer is. Raises UserError, saying what is missing and what to do."""
    compiler = shutil.which(nvcc)
    beside = Path(compiler).resolve().with_name("compute-sanitizer") if compiler else None
    if beside is not None and beside.is_file():
        return str(beside)
    found = shutil.which("compute-sanitizer")
    if found is None:
        raise UserError(
            "no compute-sanitizer beside nvcc, and none on PATH: it comes with the CUDA toolkit; "
            "set sanitizer to 0 to do without"
        )
    return found
