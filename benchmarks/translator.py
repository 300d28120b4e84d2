"""What translating one kernel costs, beside reading its record: the same run measures both.

python -P benchmarks/translator.py results/ir/*/*.json
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft.cuda.host import write_program
from weft.cuda.program import device_code
from weft.errors import KernelError
from weft.files import read_json

REPEATS = 5


def milliseconds(work: Callable[[], Any]) -> float:
    """CPU time of the fastest of several repeats."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return 1000 * best


def translate(record: dict[str, Any]) -> None:
    """All of a program but its formatting, which one process does for a whole shard."""
    write_program(record, device_code(record))


def main() -> None:
    """Print medians over all kernels that can be translated."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ir", nargs="+", type=Path, help="ir files")
    records = [record for path in parser.parse_args().ir for record in read_json(path)["records"]]
    times, ratios = [], []
    for record in records:
        try:
            translate(record)
        except KernelError:
            continue
        text = json.dumps(record)
        times.append(milliseconds(lambda record=record: translate(record)))
        ratios.append(times[-1] / milliseconds(lambda text=text: json.loads(text)))
    print(f"{len(times)} of {len(records)} kernels translated")
    print(f"median {statistics.median(times):.2f} ms CPU a kernel, largest {max(times):.1f} ms")
    print(f"median {statistics.median(ratios):.1f} times the cost of reading the record")


if __name__ == "__main__":
    main()
