"""The ir stage: from a kernels file to its IR."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from weft.errors import KernelError, Place, internal_error, reject
from weft.files import sample_id
from weft.ir.cpp_names import require_cpp_names
from weft.ir.kernel_facts import record_concepts
from weft.ir.launch import LaunchTable
from weft.ir.multi_launch import program_record, python_function
from weft.ir.processes import SECONDS, Begun, Made, Outcome, Tell, in_children
from weft.ir.python_source import Module, standalone, standalone_together
from weft.ir.record import kernel_record
from weft.ir.selection import Replaced, select_kernels
from weft.ir.user_module import displayer, load_module, place_in, place_of
from weft.ir.warp_inside import (
    WARP_VERSION,
    Capture,
    CodegenError,
    InexpressibleError,
    begin,
    capture,
    function_of,
    standalone_source,
)
from weft.kernel_file import in_order, indices, made_of_in, parts_in, programs_in, rejects_in
from weft.launch import parse_launch
from weft.recursion import deep_recursion
from weft.scratch import scratch
from weft.source_files import Source, parse_source, read_source
from weft.source_spec import SourceSpec, kernel_definitions, kernels_in, resolve
from weft.written import Where

SCHEMA = 3


def build_ir(
    kernels: Path | str,
    *,
    category: str,
    seed: int,
    device: str,
    seconds: float = SECONDS,
    samples: Collection[str] | None = None,
) -> dict[str, Any]:
    """The IR of the kernels of a source, or of a file that a manifest stands in (docs/formats/ir.md); or of
    these `samples` (their ids) alone, each as it is among all.

    Importing the source may take so many `seconds` of CPU time, and so may each kernel. Raises UserError if
    the source cannot be used.
    """
    with scratch("warp-cache") as cache, deep_recursion():
        spec = resolve(str(kernels))[0]
        return in_children(spec.text, seconds, _build, cache, spec, category, seed, device, samples)


def _build(
    tell: Tell,
    known: Mapping[str, Outcome],
    cache: Path,
    spec: SourceSpec,
    category: str,
    seed: int,
    device: str,
    samples: Collection[str] | None,
) -> dict[str, Any]:
    """The same, in one process; what is `known` is not made again, and what is begun and made is told."""
    begin(cache)
    source = spec.source
    text = read_source(source.path)
    tree = parse_source(source.path, text)
    launches = LaunchTable.read(source.path, tree, text)
    # Numbered as the manifest numbers them; kernels that no decorator shows follow.
    loaded = load_module(source)
    selected = select_kernels(spec, loaded, kernel_definitions(tree), launches.entries)
    kernels = {name: kernel for name, kernel in selected.items() if not isinstance(kernel, Replaced)}
    described = {name: described_as(launches, name, kernel) for name, kernel in kernels.items()}
    named = {**kernels, **dict.fromkeys(described.values()), **dict.fromkeys(kernels_in(tree))}
    programs = {} if spec.selection else launches.programs(named)
    launches.require_kernels({**named, **programs})
    display = displayer(source)
    overloads: dict[Any, Any] = {}
    modules: dict[Path, Module] = {}
    records: list[dict[str, Any]] = []
    rejects = rejects_in(tree, category, seed)
    parts = set(parts_in(tree)) & kernels.keys() if programs else set()
    made_of = made_of_in(tree)
    called = {name: one.name if isinstance(one, Replaced) else name for name, one in selected.items()}
    names = in_order(tree, [*(name for name in selected if called[name] not in parts), *programs])
    numbers = indices(len(names), rejects)
    identities = [
        {
            "sample_id": sample_id(category, seed, index),
            "index": index,
            "category": category,
            "seed": seed,
            "kernel_name": called.get(name, name),
        }
        for index, name in zip(numbers, names, strict=True)
    ]
    own = dict(zip(names, identities, strict=True))
    if samples is not None:
        own = {name: one for name, one in own.items() if one["sample_id"] in samples}
        rejects = [one for one in rejects if one["sample_id"] in samples]
        launched = programs_in(tree)
        programs = {name: given for name, given in programs.items() if name in own}
        needed = {*own, *(kernel for name in programs for kernel in launched[name])}
        kernels = {name: kernel for name, kernel in kernels.items() if name in needed}
    rejects += [
        reject(own[name], "ir", replaced.error())
        for name, replaced in selected.items()
        if isinstance(replaced, Replaced) and name in own
    ]
    single: dict[str, Any] = {}
    failed: dict[str, KernelError] = {}
    for name, kernel in kernels.items():
        identity = own.get(name, {"kernel_name": name})
        captured = partial(captured_kernel, name, kernel, display, overloads)
        make = partial(record_of, source, identity, captured, described[name], launches, modules)
        place = None if kernel is None else place_of(kernel, display)
        outcome = outcome_of(tell, known, name, place, make)
        if isinstance(outcome, KernelError):
            failed[name] = outcome
            if name in own:
                rejects.append(reject(identity, "ir", outcome))
        else:
            single[name] = outcome
            if name in own:
                records.append(outcome | {"made_of": made_of.get(name), "device": device})
    for name, given in programs.items():
        place = launches.text.place_of(name)
        make = partial(_program, source, own[name], given, single, failed, launches, modules)
        outcome = outcome_of(tell, known, name, place, make)
        if isinstance(outcome, KernelError):
            rejects.append(reject(own[name], "ir", outcome))
        else:
            records.append(outcome | {"made_of": made_of.get(name), "device": device})
    return {
        "schema": SCHEMA,
        "category": category,
        "seed": seed,
        "device": device,
        "versions": {"warp": WARP_VERSION},
        "records": sorted(records, key=lambda record: int(record["index"])),
        "rejects": rejects,
    }


def outcome_of(
    tell: Tell,
    known: Mapping[str, Outcome],
    name: str,
    place: Place | None,
    make: Callable[[], dict[str, Any]],
) -> Outcome:
    """What comes of one kernel or program."""
    if name in known:
        return known[name]
    tell(Begun(name, place))
    outcome: Outcome
    try:
        outcome = make()
        json.dumps(outcome, ensure_ascii=False, allow_nan=False).encode()
    except KernelError as error:
        outcome = error
    except UnicodeEncodeError as error:
        found = error.object[error.start]
        outcome = KernelError("unsupported", f"{name!r} holds {found!r}, which is not a character", place)
    except Exception as error:
        outcome = internal_error(error, place)
    tell(Made(name, outcome))
    return outcome


def record_of(
    source: Source,
    identity: Mapping[str, Any],
    captured_with: Callable[[int], Capture],
    described: str,
    launches: LaunchTable,
    modules: dict[Path, Module],
) -> dict[str, Any]:
    """The record of a kernel that is captured with a number of threads, and that LAUNCH calls `described`."""
    captured = captured_with(launches.block_dim(described))
    record = {**identity, **kernel_record(captured, displayer(source))}
    require_cpp_names(record)
    launch, problem = launches.launch(described, record, captured.launch_rank)
    record |= {"launch": launch.to_json(), "launch_problem": problem}
    record |= {"python_source": _python_source(source, identity["kernel_name"], captured, modules)}
    return record | {"concepts": record_concepts(record, launch)}


def _program(
    source: Source,
    identity: Mapping[str, Any],
    given: Mapping[str, Any],
    kernels: Mapping[str, Any],
    failed: Mapping[str, KernelError],
    launches: LaunchTable,
    modules: dict[Path, Module],
) -> dict[str, Any]:
    """The record of a program of several launches. Raises KernelError (`bad_launch`) at its description."""
    name = identity["kernel_name"]
    with launches.placed(name):
        launches.text.require_unique(name, Where(f"LAUNCH[{name!r}]"))
        record = program_record(name, given, kernels, failed)
    text = standalone_together(source, [kernel["kernel_name"] for kernel in record["kernels"]], modules)
    launch = parse_launch(record["launch"], name)
    signature = [parameter["name"] for parameter in record["signature"]]
    record |= {"python_source": f"{text}\n\n{python_function(name, launch, signature, text)}"}
    return {**identity, **record, "concepts": record_concepts(record, launch)}


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
        return standalone_source(captured.parts, name)
    except InexpressibleError as error:
        if refusal is not None or captured.has_default_types:
            raise refusal or _needs(error) from error
        try:
            return standalone(source, name, modules)
        except KernelError:
            raise _needs(error) from error


def _needs(error: InexpressibleError) -> KernelError:
    return KernelError("unsupported", f"the source does not stand alone: it needs {error}")


def described_as(launches: LaunchTable, name: str, kernel: Any) -> str:
    """The name under which LAUNCH describes a kernel: its own, or that of the function that it comes from."""
    function = name if kernel is None else function_of(kernel).__name__
    return function if name not in launches.entries and function in launches.entries else name


def captured_kernel(
    name: str, kernel: Any, display: Callable[[str], str], overloads: dict[Any, Any], block_dim: int
) -> Any:
    """What Warp makes of a kernel. Raises KernelError at the user's line."""
    if kernel is None:
        raise KernelError("unsupported", f"{name!r} is not a kernel after the file is imported")
    try:
        return capture(kernel, display, overloads, block_dim)
    except CodegenError as error:
        origin = error.origin
        place: Place = place_in(origin.filename, origin.line, origin.column, display)
        raise KernelError(error.reason, error.message, place) from error
