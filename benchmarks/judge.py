"""How well programs are judged: right ones in many styles, and wrong ones of many kinds.

    python -P benchmarks/judge.py

`benchmarks/judge/right.cu` and `wrong.cu` have the programs, for kernels of examples/, each behind a line
`//// module.kernel: name`; those that are wrong with their kind in front of the name. The table goes to
docs/judging.md. It takes a CPU second a program, one more if it is verified (nvcc is asked about it), and
half a minute for what all programs of a kernel share.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from weft.runs.fresh import fresh_seeds, fresh_sizes
from weft.scratch import scratch

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/judging.md"
PART = "## How well it judges\n"
"""The heading of the last part of PAGE, which this script writes."""
SEED = 1
"""That of the fresh cases on which all are judged."""
RIGHT = "right programs"
OTHER_LAUNCHER = "does not define all of"
"""Said of a program without the sample's launcher. If all for a kernel lack it, they are old."""


@dataclasses.dataclass(frozen=True)
class Program:
    """A program for `module.kernel` of the examples; `kind` is RIGHT, or what is wrong with it."""

    kernel: str
    kind: str
    name: str
    text: str


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What the judge says of a program."""

    program: Program
    verdict: str
    reason: str

    @property
    def is_missed(self) -> bool:
        """Whether a right program is not verified, or a wrong one is."""
        return (self.verdict == "verified") != (self.program.kind == RIGHT)


def read_programs() -> list[Program]:
    """The programs of both files."""
    programs = []
    for name in ("right.cu", "wrong.cu"):
        text = (ROOT / "benchmarks/judge" / name).read_text(encoding="utf-8")
        for part in re.split(r"^//// ", text, flags=re.MULTILINE)[1:]:
            title, source = part.split("\n", 1)
            kernel, *kind, label = title.split(": ")
            programs.append(Program(kernel, kind[0] if kind else RIGHT, label, source))
    return programs


def run(folder: Path, script: str, *options: str) -> None:
    """Run a script of ours. Raises CalledProcessError."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    command = [sys.executable, "-P", str(ROOT / "scripts" / script), *options]
    subprocess.run(command, cwd=folder, check=True, env=variables)


def judge(folder: Path, programs: Sequence[Program]) -> Iterable[Verdict]:
    """The verdicts of programs for one module of the examples, in an empty folder."""
    module = programs[0].kernel.partition(".")[0]
    run(folder, "ir.py", str(ROOT / f"examples/{module}.py"), "-o", "ir.json")
    sizes, seeds = map(str, fresh_sizes(SEED)), map(str, fresh_seeds(SEED))
    cases = ["--sizes", *sizes, "--seeds", *seeds]
    run(folder, "reference.py", str(ROOT / f"examples/{module}.py"), "ir.json", "-o", "reference.npz", *cases)
    run(folder, "cuda.py", "ir.json", "-o", "shard.cu")
    samples = json.loads((folder / "shard.json").read_text(encoding="utf-8"))["samples"]
    ids = {one["kernel_name"]: one["sample_id"] for one in samples}
    for kernel in dict.fromkeys(one.kernel for one in programs):
        of_kernel = [one for one in programs if one.kernel == kernel]
        files = [f"{number}.cu" for number in range(len(of_kernel))]
        for file, program in zip(files, of_kernel, strict=True):
            (folder / file).write_text(program.text, encoding="utf-8")
        options = ["--sample", ids[kernel.partition(".")[2]], "--compiler", "g++", "-o", "verdicts.json"]
        options += ["--nvcc", "pinned"]
        run(folder, "runs.py", "shard.cu", "reference.npz", "--candidate", *files, *options)
        entries = json.loads((folder / "verdicts.json").read_text(encoding="utf-8"))["samples"]
        if all(OTHER_LAUNCHER in found["message"] for found in entries):
            raise SystemExit(f"the programs for {kernel} have another launcher: {entries[0]['message']}")
        for program, found in zip(of_kernel, entries, strict=True):
            yield Verdict(program, found["verdict"], found["reason"] or "")


def table(verdicts: Sequence[Verdict]) -> str:
    """The part of PAGE."""
    right = [one for one in verdicts if one.program.kind == RIGHT]
    unsupported = [one for one in right if one.verdict == "unsupported"]
    rejected = [one for one in right if one.verdict == "rejected"]
    lines = [
        f"{PART}\n`benchmarks/judge.py` judges the programs in `benchmarks/judge`, which were written to "
        "test it, with `--nvcc`.\n",
        f"Right programs, in different styles: {len(right)}. Of these, "
        f"`verified`: {len(right) - len(unsupported) - len(rejected)}; "
        f"`unsupported`: {len(unsupported)}{_listed(unsupported)}; "
        f"rejected: {len(rejected)}{_listed(rejected)}.\n",
        "| wrong programs | tried | caught | by | missed |",
        "|---|---|---|---|---|",
    ]
    for kind in dict.fromkeys(one.program.kind for one in verdicts if one.program.kind != RIGHT):
        of_kind = [one for one in verdicts if one.program.kind == kind]
        reasons = collections.Counter(one.reason for one in of_kind if not one.is_missed)
        by = ", ".join(
            f"`{reason}`" for reason, _ in sorted(reasons.items(), key=lambda one: (-one[1], one[0]))
        )
        missed = [one for one in of_kind if one.is_missed]
        names = ", ".join(one.program.name for one in missed)
        lines.append(f"| {kind} | {len(of_kind)} | {len(of_kind) - len(missed)} | {by} | {names} |")
    return "\n".join(lines) + "\n"


def _listed(verdicts: Sequence[Verdict]) -> str:
    names = ", ".join(one.program.name for one in verdicts)
    return f" ({names})" if names else ""


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.parse_args()
    programs = read_programs()
    verdicts: list[Verdict] = []
    for module in dict.fromkeys(one.kernel.partition(".")[0] for one in programs):
        of_module = [one for one in programs if one.kernel.partition(".")[0] == module]
        with scratch("judge") as folder:
            verdicts += judge(folder, of_module)
    page = PAGE.read_text(encoding="utf-8").partition(PART)[0]
    PAGE.write_text(page + table(verdicts), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
