"""Run a program from `weft translate` once, on NumPy arrays."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.files import write_atomically
from weft.options import SECONDS, SIZE, integer

EPILOG = """\
examples:
  weft translate warp.examples.core.example_wave:wave_solve -o k.cu
  weft run k.cu --inputs in.npz --dims 4096 -o out.npz
  weft run k.cu --inputs in.npz --dims 4096 -o out.npz --device cuda

in.npz has the kernel's scalars and arrays by name, as numpy.savez writes them; out.npz gets all its arrays.

exit status: 0, 1 for a program that does not compile or that fails, 2 for wrong files, options or arguments
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("program", type=Path, help="the .cu file; the .json beside it says how it is called")
    parser.add_argument("--inputs", type=Path, required=True, metavar="IN.npz", help="arguments by name")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.npz", help="file to write")
    parser.add_argument(
        "--dims", type=integer(1, 2**31 - 1), nargs="+", metavar="N", help="the launch dimensions, in threads"
    )
    parser.add_argument(
        "--size", type=SIZE, metavar="N", help="the base size n of a kernel that LAUNCH describes (1024)"
    )
    parser.add_argument("--sample", metavar="KERNEL", help="which kernel, if the program has several")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="default: %(default)s")
    parser.add_argument("--compiler", help="default: g++ for device cpu, nvcc for device cuda")
    parser.add_argument("--timeout", type=SECONDS, default=60.0, help="seconds for the run (60)")


def run(_: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Call the program and write what it leaves; the exit status."""
    import numpy as np

    from weft.runs.call import CallError, call

    try:
        left = call(
            options.program,
            _arguments(options.inputs),
            dims=options.dims,
            size=options.size,
            sample=options.sample,
            device=options.device,
            compiler=options.compiler,
            timeout=options.timeout,
        )
    except CallError as error:
        print(f"weft: {options.program}: {error}", file=sys.stderr)
        return 1
    written = io.BytesIO()
    np.savez(written, **left)  # type: ignore[arg-type]
    write_atomically(options.output, written.getvalue())
    return 0


def _arguments(path: Path) -> dict[str, Any]:
    """The arguments in a file; what has no dimension is a number of Python's. Raises UserError."""
    import numpy as np

    try:
        with np.load(path) as file:
            arrays = dict(file)
    except (OSError, ValueError, TypeError) as error:
        why = (
            error.strerror
            if isinstance(error, OSError) and error.strerror
            else "it is not an .npz file of arrays"
        )
        raise UserError(f"{path}: {why.lower()}") from error
    return {
        name: array.item() if array.ndim == 0 and array.dtype.names is None else array
        for name, array in arrays.items()
    }
