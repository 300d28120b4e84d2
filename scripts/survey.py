"""Take every kernel of installed packages through Weft, and count how many pass each stage, and why not."""

from __future__ import annotations

import argparse
import collections
import sys
import tempfile
from pathlib import Path

from weft.errors import exit_status
from weft.files import write_json
from weft.options import COUNT, SECONDS, integer

EPILOG = """\
examples:
  python -P scripts/survey.py warp.tests warp.examples --folder results/survey --output survey.json
  python -P scripts/survey.py warp.examples.core.example_wave --arch "" --compiler ""

exit status: 0, 1 if a translation does not compile or differs from Warp, 2 for packages that are not
installed, 130 if interrupted
"""


def main() -> int:
    """Run the command line; 1 if a translation does not compile or differs from Warp, 130 if interrupted."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", nargs="+", help="importable packages or modules")
    parser.add_argument("-o", "--output", type=Path, help="write the counts as JSON")
    parser.add_argument(
        "--folder", type=Path, help="keep the files of the stages here; an interrupted survey resumes"
    )
    parser.add_argument("--limit", type=integer(1, 10**9), help="maximum number of kernels")
    parser.add_argument("--every", type=COUNT, default=1, help="take only every n-th module (default: all)")
    parser.add_argument("--seconds", type=SECONDS, default=60.0, help="for one module's IR (default: 60)")
    parser.add_argument("--arch", default="sm_75", help="of the PTX; empty: none (default: sm_75)")
    parser.add_argument("--compiler", default="g++", help="for running on the CPU; empty: don't run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weft-survey-") as scratch:
        return survey(options, options.folder or Path(scratch))


def survey(options: argparse.Namespace, folder: Path) -> int:
    """Collect, sort out, run the chain, print. Raises UserError for packages that are not there."""
    from weft.ptx.nvcc import find_toolkit
    from weft.survey.chain import Stages, follow, run_chain
    from weft.survey.collect import collect
    from weft.survey.modules import modules_of
    from weft.survey.self_contained import excluded
    from weft.survey.table import print_reasons, print_summary, summary

    modules = [module for package in options.packages for module in modules_of(package)][:: options.every]
    collected = collect(modules, folder / "modules", options.seconds, options.limit)
    groups = [excluded(record) for record in collected.records]
    kept = [record for record, group in zip(collected.records, groups, strict=True) if group is None]
    toolkit = find_toolkit("pinned", "g++", options.arch) if options.arch else None
    stages = Stages(Path(__file__).parent, toolkit, options.compiler or None)
    outcomes, interrupted = follow(run_chain(kept, folder, stages), len(kept))
    ran = ["translated", *(["compiled"] if toolkit else []), *(["equal"] if options.compiler else [])]
    counts = summary(collected, collections.Counter(group for group in groups if group), outcomes, ran)
    print_summary(counts)
    print_reasons(outcomes, collected.rejects)
    for module, why in sorted(collected.failed.items()):
        print(f"       not imported: {module}: {why}")
    if options.output:
        write_json(options.output, counts)
    if interrupted:
        print(f"interrupted after {len(outcomes)} of {len(kept)} kernels: the shares are of these")
        return 130
    return 1 if any(one.is_wrong for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
