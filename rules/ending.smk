"""What the main process says when a build has ended."""

import subprocess
import sys
from pathlib import Path


def show_stats():
    """Print the table, if this build was to come as far as stats; True if it lacks nothing. Writes no file."""
    if all(job.rule.name != "stats_tables" for job in workflow.dag.jobs):
        return True
    command = [sys.executable, "-P", "scripts/stats.py", "results", "--show"]
    return subprocess.run(command, check=False).returncode == 0


def show_failures():
    """What the jobs said that had all they needed and did not make what they should."""
    for job in workflow.dag.jobs:
        started = all(Path(file).exists() for file in job.input)
        missing = [str(file) for file in job.output if not Path(file).exists()]
        if not started or not missing:
            continue
        print(f"{job.rule.name} did not make {', '.join(missing)}", file=sys.stderr)
        for log in filter(Path.is_file, map(Path, job.log)):
            text = log.read_text(encoding="utf-8", errors="replace").strip()
            said = text or "nothing: it was killed, or the disk is full"
            print(f"{log} says:\n{said}\n", file=sys.stderr)
