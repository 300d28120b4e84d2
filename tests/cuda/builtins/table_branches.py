"""Which branches of our helper functions the table's inputs reach, by gcov."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from weft.runs.build import CPU_FLAGS, KNOWS_DRIVER, SYSTEM_HEADERS

# Threads of the CPU device take turns, so that an exchange never finds another value than it saw.
_RETRY = ("if (found == seen) break;", 0)


def unreached(folder: Path) -> list[str]:
    """The branches of helpers that no run of the table in `folder` took: the line, and which branch of it.

    The same helper of several kernels counts once.
    """
    counts: Counter[tuple[str, str, int]] = Counter()
    for shard in sorted(folder.glob("*/shard.cu")):
        for helper, line, branch, count in _branches(shard):
            counts[helper, line, branch] += count
    return [
        f"{helper.splitlines()[0]}: {line.strip()} (branch {branch})"
        for (helper, line, branch), count in sorted(counts.items())
        if not count and (line.strip(), branch) != _RETRY
    ]


def _branches(shard: Path) -> Iterator[tuple[str, str, int, int]]:
    """Helper, line, number of the branch in it, and how often it was taken."""
    command = ["g++", *CPU_FLAGS, *SYSTEM_HEADERS, *KNOWS_DRIVER, "--coverage", "-x", "c++", "shard.cu"]
    subprocess.run(
        [*command, "-x", "none", "driver.o", "device.o", "-o", "counted"], cwd=shard.parent, check=True
    )
    subprocess.run(["./counted", "--batch", "batch"], cwd=shard.parent, check=True, capture_output=True)
    (notes,) = shard.parent.glob("*.gcno")
    done = subprocess.run(
        ["gcov", "--branch-probabilities", "--json-format", "--stdout", notes.name],
        cwd=shard.parent,
        check=True,
        capture_output=True,
    )
    helpers = _helpers(shard.read_text(encoding="utf-8").split("\n"))
    for file in json.loads(done.stdout)["files"]:
        if file["file"] != "shard.cu":
            continue
        for line in file["lines"]:
            if line["line_number"] not in helpers:
                continue
            helper, text = helpers[line["line_number"]]
            for number, branch in enumerate(line["branches"]):
                if not branch["throw"]:
                    yield helper, text, number, branch["count"]


def _helpers(lines: list[str]) -> dict[int, tuple[str, str]]:
    """The helper's text and the line, by line number, of every line of a helper."""
    found = {}
    for first, line in enumerate(lines):
        if line.startswith("__device__ inline "):
            last = first
            while not lines[last].endswith("}") or (last > first and lines[last] != "}"):
                last += 1
            helper = "\n".join(lines[first : last + 1])
            found |= {number + 1: (helper, lines[number]) for number in range(first, last + 1)}
    return found
