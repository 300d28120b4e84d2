"""Print the versions of the tools that a build uses, as JSON: how the workflow asks in a container."""

from __future__ import annotations

import argparse
import sys

from weft.errors import exit_status
from weft.files import canonical_json
from weft.workflow.machine import nvcc_path
from weft.workflow.versions import try_compilers, usable_tools

EPILOG = """\
example:
  python -P scripts/versions.py --host-compiler g++ --nvcc pinned --archs sm_75 --try

exit status: 0, or 2 if a tool is missing or is not what a build needs
"""


def main() -> int:
    """Run the command line; 2 for a user's mistake."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--host-compiler", required=True, metavar="COMPILER", help="g++ by name or path")
    parser.add_argument("--nvcc", help="pinned, a name or a path")
    parser.add_argument("--archs", nargs="*", default=[], metavar="ARCH", help="nvcc must know these")
    parser.add_argument("--try", dest="tries", action="store_true", help="also compile small programs")
    options = parser.parse_args()
    nvcc = nvcc_path(options.nvcc) if options.nvcc else None
    print(canonical_json(usable_tools(nvcc, options.host_compiler, options.archs)), end="")
    if options.tries:
        try_compilers(nvcc, options.host_compiler, options.archs)
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
