"""The ir stage: from a kernels file to its IR."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft.errors import KernelError, Place, UserError, reject
from weft.files import sample_id
from weft.ir.launch import LaunchTable
from weft.ir.python_source import Module, standalone
from weft.ir.record import kernel_record
from weft.ir.user_module import displayer, load_module, place_in
from weft.ir.warp_inside import WARP_VERSION, CodegenError, begin, capture, kernels_of
from weft.source_files import Source, follow_manifest, kernels_in, parse_source, read_source

SCHEMA = 1


def build_ir(kernels_file: Path, *, category: str, seed: int, device: str) -> dict[str, Any]:
    """The IR of every kernel of a file (docs/formats.md, ir). Raises UserError if it cannot be used."""
    with tempfile.TemporaryDirectory(prefix="weft-warp-cache-") as cache:
        begin(cache)
        return _build(kernels_file, category, seed, device)


def _build(kernels_file: Path, category: str, seed: int, device: str) -> dict[str, Any]:
    source = Source.of(follow_manifest(kernels_file))
    text = read_source(source.path)
    tree = parse_source(source.path, text)
    launches = LaunchTable.read(source.path, tree, text)
    found = kernels_of(load_module(source))
    # Numbered as the manifest numbers them; kernels that no decorator shows follow.
    kernels = {name: found.get(name) for name in (*kernels_in(tree), *found)}
    if not kernels:
        raise UserError(f"{source.path} defines no kernel (expected a function decorated with @wp.kernel)")
    launches.require_kernels(kernels)
    display = displayer(source)
    overloads: dict[Any, Any] = {}
    modules: dict[Path, Module] = {}
    records: list[dict[str, Any]] = []
    rejects: list[dict[str, Any]] = []
    for index, (name, kernel) in enumerate(kernels.items()):
        identity: dict[str, Any] = {
            "sample_id": sample_id(category, seed, index),
            "index": index,
            "category": category,
            "seed": seed,
            "kernel_name": name,
        }
        try:
            captured = _capture(name, kernel, display, overloads)
            record = identity | kernel_record(captured, display)
            launch, problem = launches.launch(name, record, captured.launch_rank)
            record |= {"launch": launch.to_json(), "launch_problem": problem}
            record["python_source"] = standalone(source, name, modules)
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


def _capture(name: str, kernel: Any, display: Callable[[str], str], overloads: dict[Any, Any]) -> Any:
    if kernel is None:
        raise KernelError("unsupported", f"{name!r} is no kernel any more once the file is imported")
    try:
        return capture(kernel, display, overloads)
    except CodegenError as error:
        origin = error.origin
        place: Place = place_in(origin.filename, origin.line, origin.column, display)
        raise KernelError(error.reason, error.message, place) from error
