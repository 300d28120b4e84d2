"""Draw the workflow as SVG, from Snakemake's own dot text.

Writes `rules.svg` (the rule graph) and `jobs.svg` (the jobs of one shard per category), and prints the rule
graph as Mermaid. Run it in the folder of the build.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

EPILOG = """\
example:
  python -P scripts/dag.py -o results/dag

exit status: 0, or 2 if Snakemake fails
"""


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("results/dag"), help="a folder")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    try:
        draw(graph("--rulegraph", "dot"), arguments.output / "rules.svg")
        draw(graph("--dag", "dot", "--forceall", "--config", "seeds=1"), arguments.output / "jobs.svg")
        print(graph("--rulegraph", "mermaid-js"), end="")
    except subprocess.CalledProcessError as error:
        print(f"dag: {error}\n{error.stderr}", file=sys.stderr)
        return 2
    return 0


def graph(*options: str) -> str:
    """What Snakemake prints for `options`, a graph as text."""
    command = [sys.executable, "-m", "snakemake", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def draw(dot: str, path: Path) -> None:
    """Lay out `dot` text, and write it as SVG. No drawing holds a date: equal graphs give equal files."""
    import pygraphviz

    drawing = pygraphviz.AGraph(string=dot)
    drawing.graph_attr["rankdir"] = "LR"
    drawing.draw(str(path), format="svg", prog="dot")
    print(f"{path}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
