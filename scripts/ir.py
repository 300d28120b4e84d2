"""Write the IR of a kernels file: Warp's own code and the typed syntax tree of every kernel."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import described, exit_status
from weft.files import write_json
from weft.options import SECONDS, SHARD_SEED
from weft.source_spec import default_category

EPILOG = """\
examples:
  python -P scripts/ir.py examples/heat.py -o heat.json
  python -P scripts/ir.py examples/heat.py:diffuse -o k.json
  python -P scripts/ir.py warp.examples.core.example_wave:wave_solve -o k.json
  python -P scripts/ir.py \\
      'warp.examples.tile.example_tile_block_cholesky:create_blocked_cholesky_kernel(16)' -o k.json

exit status: 0 if a kernel passes, 1 if none does, 2 for wrong files or options. Rejects are in the
output. With --category, for a shard of a build, the status is 0 even if all are rejects.
"""


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "kernels",
        help="a Python file with Warp kernels (or the manifest of a source) or an importable module; "
        "':' and a kernel, or a factory's call, chooses from it",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument(
        "--device", choices=("cuda", "cpu"), default="cuda", help="recorded as each record's device"
    )
    parser.add_argument("-c", "--category", help="category of the samples (default: the module's name)")
    parser.add_argument("-s", "--seed", type=SHARD_SEED, default=0, help="seed of the shard (default: 0)")
    parser.add_argument(
        "--timeout",
        type=SECONDS,
        default=20.0,
        metavar="SECONDS",
        help="CPU time to import the kernels, and for Warp's code of each (default: %(default)s)",
    )
    arguments = parser.parse_args()
    from weft.ir.build import build_ir

    ir = build_ir(
        arguments.kernels,
        category=arguments.category or default_category(arguments.kernels),
        seed=arguments.seed,
        device=arguments.device,
        seconds=arguments.timeout,
    )
    write_json(arguments.output, ir)
    for rejected in ir["rejects"]:
        print(described(rejected), file=sys.stderr)
    made = ", ".join(f"{record['kernel_name']} ({record['sample_id']})" for record in ir["records"])
    print(f"{arguments.output}: {made or 'no kernel'}")
    return 0 if made or arguments.category else 1


if __name__ == "__main__":
    sys.exit(exit_status(main))
