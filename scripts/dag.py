"""Draw the workflow as SVG, from Snakemake's own dot text.

Writes `rules.svg`, the rule graph, without the arrows that a longer path makes redundant. With `--jobs` it
also writes `jobs.svg`, the jobs of one shard per category, and `rules.mmd`, the rule graph as Mermaid. Run it
in the folder of the build.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pygraphviz import AGraph  # type: ignore[import-untyped]

from weft.scratch import scratch

EPILOG = """\
example:
  python -P scripts/dag.py --jobs -o results/dag

exit status: 0, or 2 if Snakemake fails
"""

_TRIES = 5
_REPLACED = "although it existed before"


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", action="store_true", help="also draw the jobs")
    parser.add_argument("--settings", metavar="JSON", help="settings that override config.yaml")
    parser.add_argument("-o", "--output", type=Path, default=Path("results/dag"), help="a folder")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with scratch("dag") as folder:
        overlay = folder / "settings.json"
        overlay.write_text(arguments.settings or "{}", encoding="utf-8")
        try:
            _draw_graphs(["--configfile", str(overlay)], arguments.output, arguments.jobs)
        except subprocess.CalledProcessError as error:
            print(f"dag: {error}\n{error.stderr}", file=sys.stderr)
            return 2
    return 0


def _draw_graphs(settings: Sequence[str], output: Path, with_jobs: bool) -> None:
    rules = AGraph(string=_printed("--rulegraph", "dot", *settings))
    # Drop each arrow that a longer path makes redundant.
    rules.tred()
    _draw(rules, output / "rules.svg")
    if with_jobs:
        jobs = _printed("--dag", "dot", "--forceall", *settings, "--config", "seeds=1")
        _draw(AGraph(string=jobs), output / "jobs.svg")
        mermaid = output / "rules.mmd"
        mermaid.write_text(_printed("--rulegraph", "mermaid-js", *settings), encoding="utf-8")
        print(mermaid, file=sys.stderr)


def _printed(*options: str) -> str:
    """What Snakemake prints for `options`, a graph as text.

    The build runs meanwhile: Snakemake fails if a job replaces a folder just when it is looked at.
    """
    command = [sys.executable, "-m", "snakemake", *options]
    for _ in range(_TRIES):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if _REPLACED not in done.stderr:
            break
    done.check_returncode()
    return done.stdout


def _draw(drawing: AGraph, path: Path) -> None:
    """Lay a graph out, and write it as SVG. No drawing holds a date: equal graphs give equal files."""
    drawing.graph_attr["rankdir"] = "LR"
    # Given a path, pygraphviz asks Python 3.11.2 for a binary file with an encoding.
    path.write_bytes(drawing.draw(format="svg", prog="dot"))
    print(path, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
