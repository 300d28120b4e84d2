"""Compile the CPU device and the driver, which every program on the CPU is linked with, and its guard."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.cache import fill_from_cache
from weft.errors import exit_status
from weft.runs.build import CPU_DEVICE, device_key, make_device

EPILOG = """\
example:
  python -P scripts/cpu_device.py --compiler g++ --output cpu_device

exit status: 0, or 2 if the compiler is missing or fails
"""


def main() -> int:
    """Run the command line; 2 for a user's mistake."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--compiler", required=True, help="g++; give runs.py the same one")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="folder for device.o, driver.o and guard"
    )
    options = parser.parse_args()
    compiler = options.compiler
    fill_from_cache(
        options.output, CPU_DEVICE, device_key(compiler), lambda folder: make_device(compiler, folder)
    )
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
