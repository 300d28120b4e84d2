"""Compile and run the programs of a shard, and judge their outputs against the reference."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weft.errors import UserError
from weft.files import write_json
from weft.runs.stage import NoDeviceError, run_shard_cpu, run_shard_cuda

EXAMPLE = """\
example:
  python -P scripts/runs.py results/cuda/vector/0000.cu results/reference/vector/0000.npz \\
      --device cpu --compiler g++ --timeout 20 --output results/runs/cpu/vector/0000.json

Exit status: 0 when every program has its verdict, whatever it is; 1 if --device cuda finds no GPU; 2 for
wrong files or options.
"""


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cuda", type=Path, help="the shard's program (.cu)")
    parser.add_argument("reference", type=Path, help="the shard's expected outputs (.npz)")
    parser.add_argument("-o", "--output", type=Path, required=True, help="where the verdicts go (.json)")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--compiler", required=True, help="g++ for device cpu, nvcc for device cuda")
    parser.add_argument("--arch", default="native", help="for device cuda: sm_90, …, or native (default)")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds for all cases of one sample")
    options = parser.parse_args()
    try:
        if options.device == "cuda":
            result = run_shard_cuda(
                options.cuda,
                options.reference,
                compiler=options.compiler,
                arch=options.arch,
                timeout=options.timeout,
            )
        else:
            result = run_shard_cpu(
                options.cuda, options.reference, compiler=options.compiler, timeout=options.timeout
            )
    except NoDeviceError as error:
        print(error, file=sys.stderr)
        return 1
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    write_json(options.output, result)
    counts: dict[str, int] = {}
    for one in result["samples"]:
        counts[one["verdict"]] = counts.get(one["verdict"], 0) + 1
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) or "no samples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
