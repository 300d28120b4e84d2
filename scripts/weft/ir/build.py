"""The ir stage: from a kernels file to its IR."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft.errors import KernelError, Place, reject
from weft.files import sample_id
from weft.ir.cpp_names import require_cpp_names
from weft.ir.launch import LaunchTable
from weft.ir.multi_launch import program_record, python_function
from weft.ir.python_source import Module, standalone, standalone_together
from weft.ir.record import kernel_record
from weft.ir.selection import select_kernels
from weft.ir.user_module import displayer, load_module, place_in
from weft.ir.warp_inside import (
    WARP_VERSION,
    Capture,
    CodegenError,
    InexpressibleError,
    alone,
    begin,
    capture,
    function_of,
)
from weft.kernel_file import indices, parts_in, rejects_in
from weft.launch import parse_launch
from weft.recursion import deep_recursion
from weft.scratch import scratch
from weft.source_files import Source, parse_source, read_source
from weft.source_spec import SourceSpec, kernels_in, resolve
from weft.written import Where

SCHEMA = 2


def build_ir(kernels: Path | str, *, category: str, seed: int, device: str) -> dict[str, Any]:
    """The IR of the kernels of a source, or of a file that a manifest stands in (docs/formats.md, ir).

    Raises UserError if it cannot be used.
    """
    with scratch("warp-cache") as cache, deep_recursion():
        begin(cache)
        return _build(resolve(str(kernels))[0], category, seed, device)


def _build(spec: SourceSpec, category: str, seed: int, device: str) -> dict[str, Any]:
    source = spec.source
    text = read_source(source.path)
    tree = parse_source(source.path, text)
    launches = LaunchTable.read(source.path, tree, text)
    # Numbered as the manifest numbers them; kernels that no decorator shows follow.
    visible = kernels_in(tree, spec.selection)
    loaded = load_module(source)
    kernels = select_kernels(spec, loaded, visible, launches.entries)
    described = {name: _described(launches, name, kernel) for name, kernel in kernels.items()}
    named = {**kernels, **dict.fromkeys(described.values()), **dict.fromkeys(kernels_in(tree))}
    programs = {} if spec.selection else launches.programs(named)
    launches.require_kernels({**named, **programs})
    display = displayer(source)
    overloads: dict[Any, Any] = {}
    modules: dict[Path, Module] = {}
    records: list[dict[str, Any]] = []
    rejects = rejects_in(tree, category, seed)
    parts = set(parts_in(tree)) & kernels.keys() if programs else set()
    names = [*(name for name in kernels if name not in parts), *programs]
    numbers = indices(len(names), rejects)
    identities = [
        {
            "sample_id": sample_id(category, seed, index),
            "index": index,
            "category": category,
            "seed": seed,
            "kernel_name": name,
        }
        for index, name in zip(numbers, names, strict=True)
    ]
    own = {str(identity["kernel_name"]): identity for identity in identities}
    single: dict[str, Any] = {}
    failed: dict[str, KernelError] = {}
    for name, kernel in kernels.items():
        identity = own.get(name, {"kernel_name": name})
        try:
            captured = _capture(name, kernel, display, overloads, launches.block_dim(described[name]))
            record = identity | kernel_record(captured, display)
            require_cpp_names(record)
            launch, problem = launches.launch(described[name], record, captured.launch_rank)
            record |= {"launch": launch.to_json(), "launch_problem": problem}
            record["python_source"] = _python_source(source, name, captured, modules)
        except KernelError as error:
            failed[name] = error
            if name in own:
                rejects.append(reject(identity, "ir", error))
        else:
            single[name] = record
            if name in own:
                records.append(record | {"device": device})
    for name, given in programs.items():
        identity = own[name]
        try:
            with launches.placed(name):
                launches.text.require_unique(name, Where(f"LAUNCH[{name!r}]"))
                record = program_record(name, given, single, failed)
            record = identity | _program(source, name, record, modules)
        except KernelError as error:
            rejects.append(reject(identity, "ir", error))
        else:
            records.append(record | {"device": device})
    return {
        "schema": SCHEMA,
        "category": category,
        "seed": seed,
        "device": device,
        "versions": {"warp": WARP_VERSION},
        "records": records,
        "rejects": rejects,
    }


def _program(
    source: Source, name: str, record: dict[str, Any], modules: dict[Path, Module]
) -> dict[str, Any]:
    """The record of a program of several launches, with its source."""
    text = standalone_together(source, [kernel["kernel_name"] for kernel in record["kernels"]], modules)
    launch = parse_launch(record["launch"], name)
    signature = [parameter["name"] for parameter in record["signature"]]
    return record | {"python_source": f"{text}\n\n{python_function(name, launch, signature, text)}"}


def _python_source(source: Source, name: str, captured: Capture, modules: dict[Path, Module]) -> str:
    """The kernel as a module that stands alone.

    A plain kernel of a file is cut out of it with what it names, comments and all; one that a factory or a
    generic kernel gave, or that lies in a package, is written from what Warp resolved.
    """
    plain = not source.named and not captured.has_default_types
    refusal: KernelError | None = None
    if plain:
        try:
            return standalone(source, name, modules)
        except KernelError as error:
            refusal = error
    try:
        return alone(captured.parts, name)
    except InexpressibleError as error:
        if refusal is not None or captured.has_default_types:
            raise refusal or _needs(error) from error
        try:
            return standalone(source, name, modules)
        except KernelError:
            raise _needs(error) from error


def _needs(error: InexpressibleError) -> KernelError:
    return KernelError("unsupported", f"the source does not stand alone: it needs {error}")


def _described(launches: LaunchTable, name: str, kernel: Any) -> str:
    """The name under which LAUNCH describes a kernel: its own, or that of the function that it comes from."""
    function = name if kernel is None else function_of(kernel).__name__
    return function if name not in launches.entries and function in launches.entries else name


def _capture(
    name: str, kernel: Any, display: Callable[[str], str], overloads: dict[Any, Any], block_dim: int
) -> Any:
    if kernel is None:
        raise KernelError("unsupported", f"{name!r} is no kernel any more once the file is imported")
    try:
        return capture(kernel, display, overloads, block_dim)
    except RecursionError as error:
        raise KernelError("unsupported", f"{name!r} is nested too deeply") from error
    except CodegenError as error:
        origin = error.origin
        place: Place = place_in(origin.filename, origin.line, origin.column, display)
        raise KernelError(error.reason, error.message, place) from error
