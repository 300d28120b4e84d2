"""Check the limits of a build: few of its generated kernels may be non-deterministic.

Writes the shares. If a limit is exceeded, names it and writes nothing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import exit_status
from weft.files import read_json, write_json
from weft.limits.check import SCHEMA, check_limits

EPILOG = """\
example:
  python -P scripts/limits.py results/stats/summary.json -o limits.json

exit status: 0, or 1 if a limit is exceeded
"""


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("summary", type=Path, help="the summary.json of a build")
    parser.add_argument("-o", "--output", type=Path, help="write the shares as JSON")
    options = parser.parse_args()
    checked = list(check_limits(read_json(options.summary)))
    exceeded = [one for one in checked if not one.holds]
    for one in exceeded:
        print(f"limits: {one}; they are in rejects.jsonl, next to {options.summary}", file=sys.stderr)
    if exceeded:
        return 1
    if options.output:
        limits = {one.reason: {"share": one.share, "at_most": one.at_most} for one in checked}
        write_json(options.output, {"schema": SCHEMA, "limits": limits})
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
