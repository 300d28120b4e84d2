"""The figures of a set of kernels, and a table of them."""

from __future__ import annotations

import collections
import sys
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from weft.diversity.canonical import digest, renamed_tokens, renamed_tree, skeleton, tokens
from weft.diversity.collect import Kernel
from weft.diversity.core_builtins import absent
from weft.diversity.coverage import coverage
from weft.diversity.near import near_pairs, shingles
from weft.diversity.opcodes import opcode_hashes
from weft.files import read_shard
from weft.recursion import deep_recursion
from weft.stats.tree import read_plan

SCHEMA = 3


@deep_recursion()
def measure(kernels: Sequence[Kernel], folder: Path, shards: Container[str] | None = None) -> dict[str, Any]:
    """What `figures.json` holds, for the kernels of a build's results or of any folder of Python files.

    Shares are of all kernels. `distinct`: different trees after renaming. `largest_skeleton`: the most
    frequent tree without identifiers and constants. `near_duplicates`: kernels with an earlier kernel alike
    (weft.diversity.near), in the text as it is and after renaming. `opcode_sequences`: different PTX, of
    the samples of `shards` that have one in `folder`. `absent_builtins`: core builtins that would make sense
    and are in no kernel. Shares of nothing are None.
    """
    total = len(kernels)
    trees = collections.Counter(digest(renamed_tree(one.definitions)) for one in kernels)
    skeletons = collections.Counter(digest(skeleton(one.definitions)) for one in kernels)
    sequences = list(opcode_hashes(folder, shards))
    near = {"as_written": _near(kernels, tokens), "renamed": _near(kernels, renamed_tokens)}
    groups = collections.Counter(one.group for one in kernels)
    covered = coverage(kernels)
    return {
        "schema": SCHEMA,
        "kernels": total,
        "distinct": _share(len(trees), total),
        "skeletons": len(skeletons),
        "largest_skeleton": _share(max(skeletons.values(), default=0), total),
        "near_duplicates": {form: _share(sum(found.values()), total) for form, found in near.items()},
        "opcode_sequences": _distinct(sequences),
        "groups": {
            group: {
                "kernels": count,
                "near_duplicates": {form: _share(found[group], count) for form, found in near.items()},
                "opcode_sequences": _distinct(one for one in sequences if one[0].startswith(f"{group}-")),
            }
            for group, count in sorted(groups.items())
        },
        "coverage": covered,
        "absent_builtins": absent(covered["builtin"]),
    }


def source_folder(folder: Path) -> Path:
    """Where the kernels are: in a build's results, their own folder; anywhere else, `folder` itself.

    Raises UserError if a shard of a build is cut off.
    """
    kernels = folder / "kernels"
    if not kernels.is_dir():
        return folder
    for path in sorted(kernels.rglob("*.py")):
        read_shard(path)
    return kernels


def planned_shards(folder: Path) -> frozenset[str] | None:
    """The shards of the last build in `folder`, each `{category}/{seed}`; None if no build wrote the folder.

    Files of earlier builds stay in the folder.
    """
    if not (folder / "plan.json").is_file():
        return None
    return frozenset(f"{category}/{seed}" for category, seed in read_plan(folder).shards)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _distinct(sequences: Iterable[tuple[str, str]]) -> float | None:
    """The share of different opcode sequences, of samples with theirs."""
    found = [sequence for _, sequence in sequences]
    return _share(len(set(found)), len(found))


def _near(
    kernels: Sequence[Kernel], form: Callable[[Sequence[Any]], Sequence[str]]
) -> collections.Counter[str]:
    """How many kernels of each group have an earlier near-duplicate."""
    pairs = near_pairs(shingles(form(one.definitions)) for one in kernels)
    return collections.Counter(kernels[later].group for later in sorted({later for _, later in pairs}))


def print_figures(figures: Mapping[str, Any]) -> None:
    """Print the figures, a row a group."""
    console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    table = Table("", "kernels", "near-duplicates", "renamed", "opcode sequences", title="Diversity")
    for group, row in figures["groups"].items():
        shares = (*row["near_duplicates"].values(), row["opcode_sequences"])
        table.add_row(group, str(row["kernels"]), *map(_percent, shares))
    table.add_section()
    shares = (*figures["near_duplicates"].values(), figures["opcode_sequences"])
    table.add_row("all", str(figures["kernels"]), *map(_percent, shares))
    console.print(table)
    lines = [
        f"distinct after renaming: {_percent(figures['distinct'])}",
        f"skeletons: {figures['skeletons']}, the most frequent in {_percent(figures['largest_skeleton'])}",
        f"distinct opcode sequences: {_percent(figures['opcode_sequences'])}",
    ]
    for kind, features in figures["coverage"].items():
        counts = sorted(((sum(groups.values()), name) for name, groups in features.items()), reverse=True)
        listed = ", ".join(f"{name} {count}" for count, name in counts)
        lines.append(f"{kind} ({len(features)}): {listed}")
    lines.append(f"core builtins in no kernel: {', '.join(figures['absent_builtins']) or 'none'}")
    for line in lines:
        console.print(line, markup=False)


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.2f} %"
