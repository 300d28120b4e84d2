"""Time the verified programs of a shard on one device, or write the table of all shards."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import exit_status
from weft.files import read_json, write_atomically, write_json
from weft.options import SECONDS, SIZE, Different
from weft.runs.gpu import NoDeviceError
from weft.speed.stage import time_shard_cpu, time_shard_cuda
from weft.speed.table import describe, make_table, table_csv
from weft.workflow.machine import nvcc_path

EPILOG = """\
examples:
  python -P scripts/speed.py results/cuda/vector/0.cu results/reference/vector/0.npz \\
      --runs results/runs/cpu/vector/0.json --compiler g++ --sizes 1000 100000 -o speed.json
  python -P scripts/speed.py --table results

exit status: 0, 1 if --device cuda finds no GPU, 2 for wrong files or options
"""


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cuda", type=Path, nargs="?", help="the shard's program (.cu)")
    parser.add_argument("reference", type=Path, nargs="?", help="the shard's reference (.npz)")
    parser.add_argument("--runs", type=Path, help="the verdicts on the device; verified programs are timed")
    parser.add_argument("-o", "--output", type=Path, help="file for the times (.json)")
    parser.add_argument("--compiler", help="g++ for device cpu, nvcc (or pinned) for device cuda")
    parser.add_argument("--arch", default="native", help="for device cuda: sm_90, …, or native (default)")
    parser.add_argument("--ptx", type=Path, help="for device cuda: the shard's PTX, to embed in the program")
    parser.add_argument("--cubin", type=Path, help="this GPU's machine code for it (default: ptxas makes it)")
    parser.add_argument("--sizes", type=SIZE, action=Different, nargs="+", help="base sizes")
    parser.add_argument("--timeout", type=SECONDS, default=60.0, help="seconds for all sizes of one sample")
    parser.add_argument("--table", type=Path, metavar="RESULTS", help="write the table of a build's times")
    options = parser.parse_args()
    if options.table:
        table = make_table(options.table)
        write_json(options.table / "speed/table.json", table)
        write_atomically(options.table / "speed/table.csv", table_csv(table))
        print("\n".join(describe(table)) or "no times")
        return 0
    needed = ("cuda", "reference", "runs", "output", "compiler", "sizes")
    missing = [name for name in needed if getattr(options, name) is None]
    if missing:
        parser.error(f"missing: {', '.join(missing)}; or --table RESULTS")
    try:
        verdicts = read_json(options.runs)
        if verdicts["device"] == "cuda":
            result = time_shard_cuda(
                options.cuda,
                options.reference,
                verdicts,
                compiler=nvcc_path(options.compiler),
                arch=options.arch,
                ptx=options.ptx,
                cubin=options.cubin,
                sizes=options.sizes,
                timeout=options.timeout,
            )
        else:
            result = time_shard_cpu(
                options.cuda,
                options.reference,
                verdicts,
                compiler=options.compiler,
                sizes=options.sizes,
                timeout=options.timeout,
            )
    except NoDeviceError as error:
        print(error, file=sys.stderr)
        return 1
    write_json(options.output, result)
    return 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
