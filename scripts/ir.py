"""Write the IR of a kernels file: Warp's own code and the typed syntax tree of every kernel."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from weft.errors import KernelError, Place, UserError
from weft.files import write_json


def rejection(record: dict[str, Any]) -> KernelError:
    """The error that a reject record tells of."""
    place = None
    if record["file"] is not None:
        place = Place(record["file"], record["line"], record["column"], record["source_line"])
    return KernelError(record["reason"], record["message"], place)


def main() -> int:
    """Run the command line; 2 for a user's mistake."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="example: python scripts/ir.py my_kernels.py -o out.json --device cuda",
    )
    parser.add_argument("kernels", type=Path, help="a Python file with Warp kernels, or a source manifest")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument(
        "--device", choices=("cuda", "cpu"), default="cuda", help="recorded as each record's device"
    )
    parser.add_argument("-c", "--category", help="category of the samples (default: the file's stem)")
    parser.add_argument("-s", "--seed", type=int, default=0, help="seed of the shard (default: 0)")
    arguments = parser.parse_args()
    try:
        from weft.ir.build import build_ir

        ir = build_ir(
            arguments.kernels,
            category=arguments.category or arguments.kernels.stem,
            seed=arguments.seed,
            device=arguments.device,
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
