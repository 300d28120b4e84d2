"""Kernels that the generator writes in a second of one core, over all categories, and which category is slow.

    python -P benchmarks/generator.py --kernels 200

Whole shards are made, text and launch descriptions included; importing and writing files are not counted.
"""

from __future__ import annotations

import argparse
import time

from rich.console import Console
from rich.table import Table

from weft.kernels import category_names, generate


def seconds_for(category: str, kernels: int) -> float:
    """CPU seconds for one shard."""
    before = time.process_time()
    generate(category, 1, kernels)
    return time.process_time() - before


def main() -> None:
    """Print a row per category, and the rate over all of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kernels", type=int, default=200, help="kernels of each category (default 200)")
    kernels = parser.parse_args().kernels
    categories = category_names()
    for category in categories:
        generate(category, 0, 2)
    seconds = {category: seconds_for(category, kernels) for category in categories}
    table = Table(title=f"{kernels} kernels of each category")
    for heading in ("category", "CPU ms per kernel", "kernels per second and core"):
        table.add_column(heading, justify="left" if heading == "category" else "right")
    for category, one in sorted(seconds.items(), key=lambda item: -item[1]):
        table.add_row(category, f"{1000 * one / kernels:.2f}", f"{kernels / one:.0f}")
    table.add_section()
    total = sum(seconds.values())
    count = kernels * len(categories)
    table.add_row("all", f"{1000 * total / count:.2f}", f"{count / total:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
