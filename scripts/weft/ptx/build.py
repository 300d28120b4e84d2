"""From a shard's program to its PTX: samples that do not compile are found, left out, and reported."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from weft.cuda.shard import Part, includes_of, join_parts, split
from weft.errors import KernelError, UserError, reject
from weft.ptx.cut import cut, entries
from weft.ptx.figures import Figures, parse_figures
from weft.ptx.mangled import outer_namespace, parse_symbol
from weft.ptx.nvcc import SOURCE, CompileError, Toolkit
from weft.scratch import scratch

SCHEMA = 2

_PLACE = re.compile(rf"^{re.escape(SOURCE)}[:(](\d+)", re.MULTILINE)
_ERROR = re.compile(r"^.*\berror\b.*$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class PtxShard:
    """The PTX of a shard, and the report beside it (docs/formats/ptx.md)."""

    ptx: str
    report: dict[str, Any]


def build_ptx(text: str, toolkit: Toolkit) -> PtxShard:
    """The PTX of a shard's program, and the figures of each of its samples.

    Raises UserError if the tools fail on a program that has no sample, too.
    """
    includes, parts = includes_of(text), split(text)
    failures: dict[str, str] = {}
    with scratch("ptx") as folder:
        while True:
            rest = [part for part in parts if part.sample_id not in failures]
            program = join_parts(includes, rest) if failures else text
            try:
                ptx = toolkit.ptx(program, folder)
            except CompileError as error:
                failures |= _failing_programs(error.messages, program, includes, rest, toolkit, folder)
                continue
            try:
                figures = parse_figures(toolkit.assemble(ptx, folder))
            except CompileError as error:
                failures |= _failing_modules(error.messages, ptx, rest, toolkit, folder)
                continue
            return PtxShard(ptx, _report(parts, figures, failures, toolkit))


def first_error(messages: str) -> str:
    """The first line of a compiler's messages that tells of an error."""
    found = _ERROR.search(messages)
    return (found[0] if found else messages.splitlines()[0]).strip()


def _failing_programs(
    messages: str, program: str, includes: str, parts: Sequence[Part], toolkit: Toolkit, folder: Path
) -> dict[str, str]:
    """The samples that nvcc refuses alone, each with its first error: first those that the messages point
    at.
    """

    def compile_alone(part: Part) -> None:
        toolkit.ptx(f"{includes}\n{part.text}", folder)

    blamed = _blamed(messages, program, parts)
    failing = _failing(blamed, compile_alone) or _failing(parts, compile_alone)
    if not failing and blamed:
        message = f"compiles alone, but not in its shard: {first_error(messages)}"
        return {part.sample_id: message for part in blamed}
    if len(failing) == len(parts):
        _check_toolkit(toolkit, folder)
    if not failing:
        raise UserError(
            f"{toolkit.nvcc} does not compile the shard, although it compiles each sample:\n{messages}"
        )
    return failing


def _failing_modules(
    messages: str, ptx: str, parts: Sequence[Part], toolkit: Toolkit, folder: Path
) -> dict[str, str]:
    """The samples whose part of the PTX ptxas refuses, each with its first error."""
    by_namespace = entries_by_namespace(ptx)

    def assemble_alone(part: Part) -> None:
        if sample := by_namespace.get(part.namespace):
            toolkit.assemble(cut(ptx, sample), folder)

    failing = _failing(parts, assemble_alone)
    if not failing:
        raise UserError(
            f"{toolkit.ptxas} rejects the shard's PTX, although it accepts each sample's:\n{messages}"
        )
    return failing


def _failing(parts: Sequence[Part], attempt: Callable[[Part], None]) -> dict[str, str]:
    failing = {}
    for part in parts:
        try:
            attempt(part)
        except CompileError as error:
            failing[part.sample_id] = first_error(error.messages)
    return failing


def _blamed(messages: str, program: str, parts: Sequence[Part]) -> list[Part]:
    """The samples in whose lines of the program the messages place an error."""
    lines = {int(line) for line in _PLACE.findall(messages)}
    blamed = []
    for part in parts:
        begin = program.index(f"\nnamespace {part.namespace} {{\n")
        first = program.count("\n", 0, begin) + 2
        if any(first <= line <= first + part.text.count("\n") + 1 for line in lines):
            blamed.append(part)
    return blamed


def _check_toolkit(toolkit: Toolkit, folder: Path) -> None:
    """Raises UserError if not even an empty program compiles: then the tools are to blame."""
    try:
        toolkit.ptx("#include <cuda_runtime.h>\n", folder)
    except CompileError as error:
        raise UserError(f"{toolkit.nvcc} does not compile an empty program:\n{error.messages}") from error


def entries_by_namespace(ptx: str) -> dict[str, list[str]]:
    """The kernels of a shard's PTX by the namespaces of its samples."""
    found: dict[str, list[str]] = {}
    for entry in entries(ptx):
        namespace = outer_namespace(parse_symbol(entry))
        if namespace is not None:
            found.setdefault(namespace, []).append(entry)
    return found


def _report(
    parts: Sequence[Part],
    figures: dict[str, Figures],
    failures: dict[str, str],
    toolkit: Toolkit,
) -> dict[str, Any]:
    by_namespace: dict[str, list[dict[str, Any]]] = {}
    for entry, values in sorted(figures.items()):
        namespace = outer_namespace(parse_symbol(entry)) or ""
        by_namespace.setdefault(namespace, []).append({"entry": entry, **dataclasses.asdict(values)})
    samples, rejects = [], []
    for part in parts:
        if part.sample_id in failures:
            error = KernelError("compile_error", failures[part.sample_id])
        elif part.namespace not in by_namespace:
            error = KernelError("no_kernel", f"namespace {part.namespace} has no kernel in the PTX")
        else:
            samples.append({"sample_id": part.sample_id, "entries": by_namespace[part.namespace]})
            continue
        rejects.append(reject(_identity(part), "ptx", error))
    return {
        "schema": SCHEMA,
        "arch": toolkit.arch,
        "versions": {"nvcc": toolkit.version()},
        "samples": samples,
        "rejects": rejects,
    }


def _identity(part: Part) -> dict[str, Any]:
    """What reject records say of a sample, from its id."""
    category, seed, index = part.sample_id.rsplit("-", 2)
    return {
        "sample_id": part.sample_id,
        "category": category,
        "seed": int(seed),
        "index": int(index),
        "kernel_name": part.kernel_name,
    }
