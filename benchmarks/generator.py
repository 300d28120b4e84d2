"""Kernels that the generator writes in a second of one core, over all categories, and which category is slow.

    python -P benchmarks/generator.py --kernels 50 --rounds 5

Whole shards are made, text and launch descriptions included; importing and writing files are not counted.
Each round makes other kernels; the medians over the rounds are printed. Compare the ratio to the time that
`ast.parse` takes for the same texts: it does not depend on the machine and its load.

In hot paths, `isinstance(x, A | B)` builds a union on every call: use a constant tuple.
"""

from __future__ import annotations

import argparse
import ast
import statistics
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from weft.kernels import category_names, generate
from weft.options import COUNT


def seconds_for(work: Callable[[], object]) -> float:
    """CPU seconds of some work."""
    before = time.process_time()
    work()
    return time.process_time() - before


def measured(category: str, seed: int, kernels: int) -> tuple[float, float]:
    """CPU milliseconds for each kernel of one shard: of making it, and of parsing its text."""
    texts: list[str] = []
    made = seconds_for(lambda: texts.append(generate(category, seed, kernels)))
    parsed = seconds_for(lambda: ast.parse(texts[0]))
    return 1000 * made / kernels, 1000 * parsed / kernels


def mean(times: list[tuple[float, float]]) -> tuple[float, float]:
    """One round's times over all categories."""
    return statistics.fmean(made for made, _ in times), statistics.fmean(parsed for _, parsed in times)


def medians(times: list[tuple[float, float]]) -> tuple[float, float]:
    """Over the rounds: the milliseconds of making a kernel, and how many times those of parsing it."""
    made = statistics.median(made for made, _ in times)
    return made, statistics.median(made / parsed for made, parsed in times)


def main() -> None:
    """Print a row per category, and the rate over all of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kernels", type=COUNT, default=50, help="kernels of each category (default 50)")
    parser.add_argument("--rounds", type=COUNT, default=5, help="rounds, each of another seed (default 5)")
    arguments = parser.parse_args()
    categories = category_names()
    for category in categories:
        generate(category, 0, 2)
    rounds = [
        {category: measured(category, seed, arguments.kernels) for category in categories}
        for seed in range(1, arguments.rounds + 1)
    ]
    table = Table(title=f"{arguments.rounds} rounds of {arguments.kernels} kernels of each category")
    for heading in ("category", "CPU ms per kernel", "kernels per second and core", "times ast.parse"):
        table.add_column(heading, justify="left" if heading == "category" else "right")
    rows = {category: medians([one[category] for one in rounds]) for category in categories}
    for category, (made, ratio) in sorted(rows.items(), key=lambda item: item[1], reverse=True):
        table.add_row(category, f"{made:.2f}", f"{1000 / made:.0f}", f"{ratio:.1f}")
    table.add_section()
    made, ratio = medians([mean(list(one.values())) for one in rounds])
    table.add_row("all", f"{made:.2f}", f"{1000 / made:.0f}", f"{ratio:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
