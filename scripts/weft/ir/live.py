"""The IR of a kernel that lives in this process, wherever it was written: a file, a notebook, a factory."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from weft.errors import KernelError, UserError, reject
from weft.files import sample_id
from weft.ir.build import captured_kernel, described_as, outcome_of, record_of
from weft.ir.launch import LaunchTable
from weft.ir.processes import Outcome, Tell
from weft.ir.user_module import displayer, place_of
from weft.ir.warp_inside import begin, definition_of, function_of, instances_of, is_kernel
from weft.source_files import Source, parse_source, read_source


def live_ir(tell: Tell, known: Mapping[str, Outcome], cache: Path, kernel: Any) -> dict[str, Any]:
    """The record of the kernel, or its reject; what weft.ir.processes.in_children runs in a child.

    A LAUNCH table in the kernel's file describes it, as when the file is translated. Raises UserError for
    what is no kernel, and for a generic one with several instances.
    """
    begin(cache)
    if not is_kernel(kernel):
        raise UserError(f"got {kernel!r}, of type {type(kernel).__name__}; expected a wp.Kernel")
    if len(several := instances_of(kernel)) > 1:
        raise UserError(
            f"{kernel.key!r} is generic, with the instances {', '.join(several)}: pass one of them"
        )
    source = Source.of(Path(definition_of(kernel).filename))
    text = ""
    if source.path.is_file():
        text = read_source(source.path)
    else:  # a notebook: the kernel's source is what Warp keeps
        source = Source(source.path, source.root, source.name, named=True)
    launches = LaunchTable.read(source.path, parse_source(source.path, text) if text else ast.parse(""), text)
    name = function_of(kernel).__name__
    category = re.sub(r"\W+", "_", source.path.stem).strip("_") or "kernel"
    identity = {"category": category, "seed": 0, "index": 0, "kernel_name": name}
    identity |= {"sample_id": sample_id(category, 0, 0)}
    display = displayer(source)
    captured = partial(captured_kernel, name, kernel, display, {})
    make = partial(record_of, source, identity, captured, described_as(launches, name, kernel), launches, {})
    outcome = outcome_of(tell, known, name, place_of(kernel, display), make)
    if isinstance(outcome, KernelError):
        return {"records": [], "rejects": [reject(identity, "ir", outcome)]}
    return {"category": category, "seed": 0, "records": [outcome], "rejects": []}
