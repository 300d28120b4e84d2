"""The IR of every kernel of many modules: each module is imported in a process of its own."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import io
import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weft.errors import NoKernelsError, UserError
from weft.files import read_json, write_json
from weft.ir.build import build_ir
from weft.survey.kept import keep, module_key, read_kept

_SILENT = os.devnull


@dataclasses.dataclass
class Collected:
    """Records and rejects of the modules, and why a module gave none."""

    records: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    rejects: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    failed: dict[str, str] = dataclasses.field(default_factory=dict)


def collect(modules: Sequence[str], folder: Path, seconds: float, limit: int | None = None) -> Collected:
    """The kernels of all modules, each kernel once, wherever it was imported to.

    A module has `seconds` to be imported and turned into IR. With `limit`, modules are taken in turn until so
    many kernels are found. What a run before this one kept in `folder` is not made again.
    """
    found = Collected()
    seen: set[tuple[Any, ...]] = set()
    loaded: set[str] = set()
    for module in modules:
        origin, path = module_key(module), folder / f"{module}.json"
        content = read_kept(path, origin)
        if content is None:
            package = module.partition(".")[0]
            if package not in loaded:
                loaded.add(package)
                _preload(package)
            content = _in_child(module, folder / f"{module}.made", seconds)
            keep(path, origin, content)
        if isinstance(content, str):
            found.failed[module] = content
            continue
        for record in content["records"]:
            kernel = record["kernel"]
            types = tuple(parameter["type"] for parameter in record["signature"])
            key = (kernel["file"], kernel["line"], record["kernel_name"], types)
            if key not in seen:
                seen.add(key)
                found.records.append(record | {"module": module})
        for reject in content["rejects"]:
            key = (reject["file"], reject["line"], reject["kernel_name"], reject["message"])
            if key not in seen:
                seen.add(key)
                found.rejects.append(reject | {"module": module})
        if limit is not None and len(found.records) >= limit:
            break
    return found


def _preload(package: str) -> None:
    """Import a package once for all its modules. One that fails will say so in its children."""
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        importlib.import_module(package)


def _in_child(module: str, output: Path, seconds: float) -> dict[str, Any] | str:
    """The IR of one module, or why there is none. Fork: importing Warp anew would cost a second each."""
    context = multiprocessing.get_context("fork")
    output.parent.mkdir(parents=True, exist_ok=True)
    child = context.Process(target=_build, args=(module, output))
    child.start()
    child.join(seconds)
    if child.is_alive():
        child.kill()
        child.join()
        return f"not imported within {seconds:g} s"
    if child.exitcode != 0:
        error = output.read_text(encoding="utf-8") if output.exists() else ""
        output.unlink(missing_ok=True)
        return error or f"ended with status {child.exitcode}"
    content: dict[str, Any] = read_json(output)
    output.unlink()
    return content


def _build(module: str, output: Path) -> None:
    """The child: what the module prints, and how it wants to exit, is no concern of the survey's."""
    silent = os.open(_SILENT, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    sys.argv = [module]
    try:
        write_json(output, build_ir(module, category="survey", seed=0, device="cuda"))
    except NoKernelsError:
        write_json(output, {"records": [], "rejects": []})
    except UserError as error:
        output.write_text(str(error).splitlines()[-1], encoding="utf-8")
        os._exit(1)
    os._exit(0)
