"""Count the results of a build, and print the table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import exit_status
from weft.files import read_json, write_atomically, write_json
from weft.stats.coverage import coverage_csv, read_coverage
from weft.stats.summary import (
    CHECKSUMS,
    all_rejects,
    by_category_csv,
    checksums,
    rejects_jsonl,
    summarize,
)
from weft.stats.table import LISTED, print_table
from weft.stats.tree import read_plan, read_shards, stage_files

EPILOG = """\
examples:
  python -P scripts/stats.py results
  python -P scripts/stats.py results --show

exit status: 0; 1 if a file of the build is missing (it is named); 2 for a folder without a build, or a
file that was cut off
"""


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path, help="the folder of a build")
    parser.add_argument("--show", action="store_true", help="print the table and write nothing")
    arguments = parser.parse_args()
    results: Path = arguments.results
    plan = read_plan(results)
    shards = list(read_shards(results, plan))
    summary = summarize(results, plan, shards)
    rejects = all_rejects(plan, shards)
    coverage = read_coverage(results)
    if not arguments.show:
        write_json(results / "stats/summary.json", summary)
        write_atomically(results / "stats/by_category.csv", by_category_csv(summary))
        write_atomically(results / "stats/rejects.jsonl", rejects_jsonl(rejects))
        write_atomically(results / "stats/coverage.csv", coverage_csv(coverage))
        write_atomically(results / CHECKSUMS, checksums(results, plan))
    times = results / "speed/table.json"
    print_table(summary, rejects, results, coverage, read_json(times) if times.exists() else None)
    missing = [path for path in stage_files(results, plan) if not path.is_file()]
    for path in missing[:LISTED]:
        print(f"stats: {path} is missing: its kernels are not verified", file=sys.stderr)
    if len(missing) > LISTED:
        print(f"stats: … and {len(missing) - LISTED} more files", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
