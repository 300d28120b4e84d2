"""The table of all times of a build: devices beside each other, for each size.

What was not measured is not there: no zero stands for it.
"""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weft.files import read_json

SCHEMA = 1
DEVICES = ("cpu", "cuda")
Figures = Mapping[str, Any]


def make_table(results: Path) -> dict[str, Any]:
    """What the files of results/speed say, for each size and over all kernels that were timed with it.

    Figures are medians over kernels: nanoseconds per element, and on a GPU the bandwidth in bytes per second
    and its share of the device's peak. `cpu_over_cuda` is there where kernels were timed on both.
    """
    files = [read_json(path) for device in DEVICES for path in _files(results / "speed" / device)]
    by_device: dict[str, dict[tuple[str, int], Figures]] = {}
    for file in files:
        timed = by_device.setdefault(file["device"], {})
        for sample in file["samples"]:
            timed |= {(sample["sample_id"], one["size"]): one for one in sample["sizes"]}
    sizes = sorted({size for timed in by_device.values() for _, size in timed})
    machines: dict[str, set[str]] = {}
    for file in files:
        if file["machine"]:
            machines.setdefault(file["device"], set()).add(file["machine"]["name"])
    return {
        "schema": SCHEMA,
        "machines": {device: sorted(names) for device, names in machines.items()},
        "sizes": [_row(size, by_device) for size in sizes],
    }


def _row(size: int, by_device: Mapping[str, Mapping[tuple[str, int], Figures]]) -> dict[str, Any]:
    row: dict[str, Any] = {"size": size}
    for device, timed in by_device.items():
        figures = {sample: one for (sample, of_size), one in timed.items() if of_size == size}
        if not figures:
            continue
        row[device] = {
            "kernels": len(figures),
            "nanoseconds_per_element": 1e9
            * statistics.median(one["per_element"] for one in figures.values()),
        }
        for name in ("bandwidth", "share_of_peak"):
            known = [one[name] for one in figures.values() if name in one]
            if known:
                row[device][name] = statistics.median(known)
    both = [
        one["median"] / by_device["cuda"][key]["median"]
        for key, one in by_device.get("cpu", {}).items()
        if key[1] == size and by_device.get("cuda", {}).get(key, {}).get("median")
    ]
    if both:
        row["cpu_over_cuda"] = statistics.median(both)
    return row


def table_csv(table: Mapping[str, Any]) -> str:
    """The table with a line a size; columns of what was measured only."""
    rows = []
    for row in table["sizes"]:
        cells = {"size": row["size"]}
        for device in DEVICES:
            cells |= {f"{device}_{name}": value for name, value in row.get(device, {}).items()}
        rows.append(cells | {name: row[name] for name in ("cpu_over_cuda",) if name in row})
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, columns or ["size"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def describe(table: Mapping[str, Any]) -> list[str]:
    """The table in words, a line for each device and size."""
    lines = []
    for row in table["sizes"]:
        for device in DEVICES:
            if device not in row:
                continue
            one = row[device]
            machine = ", ".join(table["machines"].get(device, []))
            time = f"{one['nanoseconds_per_element']:.3g} ns per element"
            parts = [f"{device} ({machine}), size {row['size']:,}: {time}"]
            if "bandwidth" in one:
                parts.append(f"{one['bandwidth'] / 1e9:.3g} GB/s")
            if "share_of_peak" in one:
                parts.append(f"{one['share_of_peak']:.0%} of the peak")
            lines.append(", ".join([*parts, f"median of {one['kernels']} kernels"]))
        if "cpu_over_cuda" in row:
            ratio = f"{row['cpu_over_cuda']:.3g}"
            lines.append(f"size {row['size']:,}: the CPU device takes {ratio} times as long as the GPU")
    return lines


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.json")) if folder.is_dir() else []
