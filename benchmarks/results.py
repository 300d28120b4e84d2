"""The page of results, from the figures of a build and from what was measured before.

    python -P benchmarks/results.py results -o docs/results.md

The text is in results.md.j2 beside this file. The date is that of the build's figures.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.util
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2

from weft.diversity.collect import collect
from weft.diversity.measure import measure
from weft.errors import UserError, exit_status
from weft.files import read_json, write_atomically
from weft.stats.coverage import told

HERE = Path(__file__).parent
MEASURED = HERE / "measured"


def share(value: float | None) -> str:
    """A share in per cent; or that nothing was measured."""
    return "not measured" if value is None else f"{100 * value:.1f} %"


def percent(part: int, whole: int) -> str:
    """The share of a part."""
    return share(part / whole if whole else None)


def page(results: Path) -> str:
    """The page for the results of a build. Raises UserError if a figure is missing."""
    paths = {name: results / name for name in ("stats/summary.json", "diversity/figures.json", "limits.json")}
    for path in paths.values():
        if not path.is_file():
            raise UserError(f"{path}: is missing; build first (make)")
    summary, ours, limits = (read_json(path) for path in paths.values())
    built = datetime.datetime.fromtimestamp(paths["stats/summary.json"].stat().st_mtime, datetime.UTC)
    speed = results / "speed/table.json"
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), undefined=jinja2.StrictUndefined, keep_trailing_newline=True
    )
    text = environment.get_template("results.md.j2").render(
        summary
        | {
            "date": built.date().isoformat(),
            "versions": ", ".join(versions(summary["versions"])),
            "rejects": reasons(summary["rejects"]),
            "non_deterministic": limits["limits"]["non_deterministic"]["share"],
            "ours": ours,
            "covered": told(ours["coverage"]),
            "examples": examples(),
            "found": lambda category: found(summary["mutation"], category),
            "speed": read_json(speed)["sizes"] if speed.is_file() else [],
            "surveys": read_json(MEASURED / "surveys.json")["surveys"],
            "gpus": gpu_logs(),
            "share": share,
            "percent": percent,
        }
    )
    return re.sub(r"\n{3,}", "\n\n", text)


def gpu_logs() -> list[dict[str, Any]]:
    """The logs that `benchmarks/gpu.py` has left, each with its file's name."""
    logs = ({"file": path.name} | read_json(path) for path in sorted(MEASURED.glob("*.json")))
    return [log for log in logs if "gpu" in log]


def versions(given: Mapping[str, str]) -> list[str]:
    """The tools of a build, as people name them."""
    numbers = {name: re.findall(r"\d+(?:\.\d+)+", line)[-1] for name, line in given.items()}
    names = {"warp": "warp-lang", "nvcc": "nvcc", "host_compiler": "g++", "numpy": "NumPy"}
    return [f"{name} {numbers[key]}" for key, name in names.items() if key in numbers]


def reasons(rejects: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Why kernels were rejected, and at which stage."""
    return [
        f"{count} `{reason}` ({stage})"
        for stage, counts in rejects.items()
        for reason, count in sorted(counts.items())
    ]


def found(mutation: Mapping[str, Any] | None, category: str) -> str:
    """The share of the mistakes that were found in the kernels of a category."""
    row = mutation["categories"].get(category) if mutation else None
    return "" if row is None else share(row["score"])


def examples() -> dict[str, Any]:
    """The diversity of Warp's own examples."""
    package = importlib.util.find_spec("warp")
    assert package is not None and package.submodule_search_locations
    folder = Path(package.submodule_search_locations[0]) / "examples"
    return measure(collect(folder), folder)


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="the results of a build")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the page to write")
    options = parser.parse_args()
    write_atomically(options.output, page(options.results))
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
