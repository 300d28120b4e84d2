"""Write the IR of a kernels file: Warp's own code and the typed syntax tree of every kernel."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from weft.errors import KernelError, Place, UserError
from weft.files import write_json
from weft.source_spec import source_spec


def rejection(record: dict[str, Any]) -> KernelError:
    """The error that a reject record tells of."""
    place = None
    if record["file"] is not None:
        place = Place(record["file"], record["line"], record["column"], record["source_line"])
    return KernelError(record["reason"], record["message"], place)


def default_category(kernels: str) -> str:
    """The category of what is named by hand: the last part of its module."""
    spec = source_spec(kernels)
    return re.sub(r"\W+", "_", spec.stem)


def main() -> int:
    """Run the command line; 2 for a user's mistake."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="examples: python scripts/ir.py my_kernels.py -o out.json; "
        "python scripts/ir.py package.module:kernel -o out.json; "
        "python scripts/ir.py 'package.module:make_kernel(3)' -o out.json",
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
    parser.add_argument("-s", "--seed", type=int, default=0, help="seed of the shard (default: 0)")
    parser.add_argument(
        "--timeout",
        type=float,
        default=20.0,
        metavar="SECONDS",
        help="CPU time to import the kernels, and for Warp's code of each (default: %(default)s)",
    )
    arguments = parser.parse_args()
    try:
        from weft.ir.build import build_ir

        ir = build_ir(
            arguments.kernels,
            category=arguments.category or default_category(arguments.kernels),
            seed=arguments.seed,
            device=arguments.device,
            seconds=arguments.timeout,
        )
    except UserError as error:
        print(f"ir: {error}", file=sys.stderr)
        return 2
    write_json(arguments.output, ir)
    for rejected in ir["rejects"]:
        print(f"{rejected['kernel_name']} is rejected ({rejected['reason']}):", file=sys.stderr)
        print(str(rejection(rejected)), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
