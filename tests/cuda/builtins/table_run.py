"""Run the table: every case by Warp and by the translated program on the CPU device, and compare bits.

`python tests/cuda/builtins/table_run.py [--full] [NAME…]` prints what is not equal, and the coverage.
"""

from __future__ import annotations

import argparse
import dataclasses
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from special_values import COUNT
from table_cases import DECLINED, Case, cases, quick
from table_kernels import TableKernel, module_text, table_kernel
from warp_builtins import public

from strict import WARNINGS
from weft.cuda.device import translate_device
from weft.cuda.program import join, translate_shard
from weft.cuda.shard import namespace
from weft.errors import KernelError
from weft.ir.build import build_ir
from weft.runs.arrays import read_arrays, write_arrays
from weft.runs.build import WATCH_FLAGS, CpuToolchain, build_shard
from weft.runs.interface import command, parse_interface
from weft.runs.shard import parse_shard
from weft.types import Type, component_scalars, packed_bytes

HERE = Path(__file__).parent
CASES_PER_KERNEL = 60
KERNELS_PER_SHARD = 40


@dataclasses.dataclass
class Outcome:
    """What became of one case: `reason` is '' for equal, else refused, failed or different."""

    case: Case
    reason: str
    message: str = ""


def run_table(wanted: dict[str, list[Case]], folder: Path, apart: Collection[str] = ()) -> list[Outcome]:
    """The outcomes of all cases. Cases of many builtins make one kernel, but those of `apart` their own."""
    together = [case for name, found in wanted.items() if name not in apart for case in found]
    # Cases of one scalar type share their input arrays.
    groups = [sorted(together, key=_scalar_name), *(wanted[name] for name in apart if name in wanted)]
    kernels = [
        table_kernel(f"table_{number}_{start}", found[start : start + CASES_PER_KERNEL])
        for number, found in enumerate(groups)
        for start in range(0, len(found), CASES_PER_KERNEL)
    ]
    outcomes = []
    for number, start in enumerate(range(0, len(kernels), KERNELS_PER_SHARD)):
        place = folder / str(number)
        place.mkdir()
        outcomes += _run_shard(kernels[start : start + KERNELS_PER_SHARD], place)
    return outcomes


def _scalar_name(case: Case) -> str:
    return next((str(scalar) for kind, _ in case.inputs for scalar in component_scalars(kind, {})), "")


def _run_shard(kernels: Sequence[TableKernel], folder: Path) -> Iterator[Outcome]:
    """Of a kernel that is refused, the cases that translate alone run together."""
    records, refusals = _records(kernels, folder / "all.py")
    alone = [
        table_kernel(f"{kernel.name}_{number}", [case])
        for kernel in kernels
        if kernel.name in refusals
        for number, case in enumerate(kernel.cases)
    ]
    _, alone_refusals = _records(alone, folder / "alone.py")
    refused = {one.cases[0]: alone_refusals[one.name] for one in alone if one.name in alone_refusals}
    for case, message in refused.items():
        declined = any(words in message for words in DECLINED)
        yield Outcome(case, "" if declined else "refused", message)
    parts = [
        table_kernel(kernel.name, [one for one in kernel.cases if one not in refused])
        for kernel in kernels
        if kernel.name in refusals
    ]
    parts = [kernel for kernel in parts if kernel.cases]
    more, still = _records(parts, folder / "parts.py")
    by_name = {kernel.name: kernel for kernel in (*kernels, *parts)}
    for name, message in still.items():
        yield from (Outcome(case, "refused", message) for case in by_name.pop(name).cases)
    # Numbers of the two files are made different.
    fresh = [record | {"sample_id": f"table-0000-{9000 + i:04d}"} for i, record in enumerate(more)]
    yield from _execute([*records, *fresh], by_name, folder)


def _records(kernels: Sequence[TableKernel], path: Path) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The records of the kernels that translate, and the messages that refuse the others, by name."""
    if not kernels:
        return [], {}
    path.write_text(module_text(kernels), encoding="utf-8")
    ir = build_ir(path, category="table", seed=0, device="cuda")
    refusals = {one["kernel_name"]: one["message"] for one in ir["rejects"]}
    records = []
    for record in ir["records"]:
        try:
            translate_device(record)
        except KernelError as error:
            refusals[record["kernel_name"]] = error.message
        except Exception as error:
            refusals[record["kernel_name"]] = f"internal error: {type(error).__name__}: {error}"
        else:
            records.append(record)
    return records, refusals


def _execute(
    records: Sequence[dict[str, Any]], kernels: dict[str, TableKernel], folder: Path
) -> Iterator[Outcome]:
    programs, rejects = translate_shard(records)
    for one in rejects:
        yield from (Outcome(case, "refused", one["message"]) for case in kernels[one["kernel_name"]].cases)
    if not programs:
        return
    module = folder / "warp_kernels.py"
    module.write_text(module_text([kernels[one.kernel_name] for one in programs]), encoding="utf-8")
    mine = [kernels[program.kernel_name] for program in programs]
    for kernel in mine:
        write_arrays(folder / f"{kernel.name}.in", [*kernel.arrays(), *kernel.results()])
    warp = subprocess.run(
        [sys.executable, str(HERE / "table_warp.py"), str(module)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert warp.returncode == 0, warp.stdout[-2000:] + warp.stderr[-4000:]
    interfaces = {one.sample_id: parse_interface(one.kernel_name, one.interface, "table") for one in programs}
    shard = parse_shard(join(programs), "table", interfaces)
    toolchain = CpuToolchain("g++", folder, more=(*WATCH_FLAGS, *WARNINGS, "-Wno-unknown-pragmas"))
    build = build_shard(shard, toolchain, {one.sample_id for one in programs})
    commands = [
        command(
            namespace(program.sample_id),
            f"{kernel.name}.in",
            f"{kernel.name}.out",
            fill=0,
            numbers=interfaces[program.sample_id].numbers_for(COUNT),
        )
        for program, kernel in zip(programs, mine, strict=True)
        if program.sample_id not in build.failures
    ]
    (folder / "batch").write_text("".join(f"{' '.join(one)}\n" for one in commands), encoding="utf-8")
    done = subprocess.run(
        [str(build.program), "--batch", "batch"], cwd=folder, capture_output=True, text=True, check=False
    )
    for program, kernel in zip(programs, mine, strict=True):
        if program.sample_id in build.failures:
            yield from (Outcome(case, "failed", build.failures[program.sample_id]) for case in kernel.cases)
        elif not (folder / f"{kernel.name}.out").exists():
            yield from (Outcome(case, "failed", done.stderr[-300:]) for case in kernel.cases)
        else:
            yield from _compare(kernel, folder)


def _compare(kernel: TableKernel, folder: Path) -> Iterator[Outcome]:
    before = {array.name: array.elements for array in (*kernel.arrays(), *kernel.results())}
    got = read_arrays(folder / f"{kernel.name}.out", {}, before=before)
    expected = dict(np.load(folder / f"{kernel.name}.npz"))
    for case, rows in zip(kernel.cases, kernel.rows, strict=True):
        problem = ""
        for (array, row), kind in zip(rows, case.results, strict=True):
            size = packed_bytes(kind, {})
            mine = got[array].elements.reshape(-1, COUNT, size)[row]
            its = expected[array].view("u1").reshape(-1, COUNT, size)[row]
            problem = problem or _difference(_canonical(mine, kind), _canonical(its, kind), case, kernel)
        yield Outcome(case, "different" if problem else "", problem)


def _canonical(packed: npt.NDArray[np.uint8], type: Type) -> npt.NDArray[Any]:
    """[COUNT, components] of unsigned bits, each NaN the same."""
    scalar = next(component_scalars(type, {}))
    bits = np.ascontiguousarray(packed).view(f"u{scalar.bytes}")
    if not scalar.is_float:
        return bits
    mantissa = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}[scalar.name]
    width = 8 * scalar.bytes
    infinity = ((1 << (width - 1 - mantissa)) - 1) << mantissa
    return np.where(
        bits & bits.dtype.type((1 << (width - 1)) - 1) > infinity, bits.dtype.type(infinity + 1), bits
    )


def _difference(mine: npt.NDArray[Any], its: npt.NDArray[Any], case: Case, kernel: TableKernel) -> str:
    places = np.argwhere(mine != its)
    if not len(places):
        return ""
    element, component = places[0]
    arguments = []
    for array in kernel.arrays():
        if any(array.type == kind for kind, _ in case.inputs):
            arguments.append(f"{array.name}={array.elements[element].tobytes().hex()}")
    return (
        f"{len(places)} of {mine.size} components; element {element}, component {component}: "
        f"{mine[element, component]:#x}, expected {its[element, component]:#x} ({', '.join(arguments)[:400]})"
    )


def coverage(outcomes: Sequence[Outcome]) -> tuple[set[str], set[str]]:
    """Builtins of which every case is equal, and the others."""
    bad = {one.case.builtin for one in outcomes if one.reason}
    return {one.case.builtin for one in outcomes} - bad, bad


def main() -> None:
    """Print what is not equal to Warp, by builtin, and the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="all lengths and shapes")
    parser.add_argument("names", nargs="*", help="only these builtins")
    arguments = parser.parse_args()
    everything = cases()
    wanted = everything if arguments.full else quick(everything)
    wanted = {name: found for name, found in wanted.items() if not arguments.names or name in arguments.names}
    with tempfile.TemporaryDirectory(prefix="weft-table-") as folder:
        outcomes = run_table(wanted, Path(folder))
    for one in outcomes:
        if one.reason:
            print(f"{one.reason}: {one.case.label}: {one.message}")
    covered, bad = coverage(outcomes)
    print(f"{len(outcomes)} cases of {len(covered) + len(bad)} builtins")
    print(f"not covered: {' '.join(sorted(bad))}")
    print(f"covered {len(covered)}/{len(everything)}, {len(covered)}/{len(public())} of all")


if __name__ == "__main__":
    main()
