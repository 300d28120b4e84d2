"""Judging a program that someone else wrote for a sample: the same cases, the same verdicts.

A candidate brings the sample's launcher with its kernels, or the kernels alone; the driver calls it as it
calls the sample's, and its `main` is not asked. It is compiled by itself: of its names only those that the
sample asks for are seen from outside, and it can call what a kernel and its launcher need, nothing else. Its
kernels run in processes of their own (device/apart.cpp). docs/formats/candidates.md says what it
may hold.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weft.errors import KilledError, UserError
from weft.reference import store
from weft.runs import candidate_text
from weft.runs.build import CUDA_MACROS, HERE, CpuToolchain, first_error
from weft.runs.candidate_host import HostPart, launcher_name, without_kernels, without_launcher
from weft.runs.candidate_symbols import RENAMED, is_allowed
from weft.runs.device_calls import wrong_calls
from weft.runs.device_limits import exceeded
from weft.runs.device_reads import uses_of_host
from weft.runs.device_text import defined_functions, without_words
from weft.runs.elf import LOCAL, Object, read_object
from weft.runs.execute import KILLED, guard_beside, run_guarded
from weft.runs.judge import ZERO_FILL
from weft.runs.rewrite import RewriteError, rewrite
from weft.runs.sandbox import Sandbox
from weft.runs.shard import Shard, ShardSample
from weft.runs.verdict import CPU, Device, Execution, entry, judge_sample
from weft.tools import require_parts_alive, run_tool

PRELUDE = "prelude.h"
HEADERS_OF_ALL = ("weft_cpu/memory.h", "cuda_runtime.h")
"""What every candidate is compiled behind."""
_INCLUDE = (f"-I{(HERE / 'include').resolve()}",)
COMPILE_SECONDS = 120.0
MESSAGE_CHARACTERS = 1 << 16
COMPILER_BYTES = 1 << 31
FILE_BYTES = 1 << 28
"""Of what the compiler makes of a candidate, its variables included."""
LANGUAGE_FLAGS = ("-mlong-double-64",)
"""A long double is a double in device code."""
HEADER_MACROS = ("-DCUDART_VERSION=13000", "-DCUDA_VERSION=13000")
"""What CUDA's headers define, and conditions ask for."""
LINKER_SCRIPT = """SECTIONS { weft_candidate : { *(.data .data.[!r]* .bss .bss.* COMMON) } }
"""
"""All variables that can be written come to one section, which the CPU device knows by its name."""

WATCHED = {"WEFT_SHADOW_MEMORY": "on"}
EXECUTIONS = (
    Execution({"WEFT_THREAD_ORDER": "forward", **WATCHED}),
    Execution({"WEFT_THREAD_ORDER": "reverse", **WATCHED}, last_first=True),
    Execution({"WEFT_THREAD_ORDER": "random", **WATCHED}, None, ZERO_FILL),
)
"""All is watched, other than of what Weft writes: a stranger's program may do other things where the size is
large, or where it can tell the order of its threads, by atomics or by what fresh memory holds.
"""


class _RefusedError(Exception):
    """A candidate that is not compiled to the end; the message has its place, but no folders."""


@dataclasses.dataclass(frozen=True)
class HostObject:
    """Compiled host code of a sample, the symbols that it wants from a candidate, and their prototypes."""

    path: Path
    wanted: tuple[str, ...]
    declares: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Bench:
    """What the candidates for one sample share. `toolchain` has the folder where host code is compiled.
    `headers` is a folder with precompiled headers (`precompile`), if there are any.
    """

    sample: store.Sample
    shard: Shard
    part: ShardSample
    toolchain: CpuToolchain
    sandbox: Sandbox | None
    launcher: str
    with_launcher: HostObject
    headers: Path | None = None

    @functools.cached_property
    def with_kernels(self) -> HostObject | None:
        """For candidates without a launcher; None where the sample's kernels cannot be defined elsewhere."""
        try:
            host = without_kernels(self.part.text)
            return _host_object("kernels", host, self.shard, self.part, self.toolchain)
        except KilledError:
            raise
        except UserError:
            return None

    @property
    def device(self) -> Device:
        """The CPU device on which kernels run apart, in the sandbox."""
        return dataclasses.replace(
            CPU,
            executions=tuple(_apart(execution) for execution in EXECUTIONS),
            checks=(*CPU.checks, "kernels_apart"),
            sandbox=self.sandbox,
            runs_main=False,
            hurries=True,
        )


def make_bench(
    shard: Shard,
    reference: store.Reference,
    sample_id: str,
    toolchain: CpuToolchain,
    sandbox: Sandbox | None,
    headers: Path | None = None,
) -> Bench:
    """Compile the host code of a sample. Raises UserError if its shard or its reference lacks it."""
    samples = [one for one in reference.samples if one.sample_id == sample_id and one.cases]
    parts = [one for one in shard.samples if one.sample_id == sample_id]
    if not samples or not parts:
        where = "the reference" if not samples else "the shard"
        raise UserError(f"{where} has no sample {sample_id} that can be run")
    (part,) = parts
    toolchain.prepare()
    host = _host_object("launcher", without_launcher(part.text), shard, part, toolchain)
    return Bench(samples[0], shard, part, toolchain, sandbox, launcher_name(part.text), host, headers)


def precompile(toolchain: CpuToolchain, folder: Path) -> None:
    """Compile the headers that all candidates have into a folder, for benches: they are half of the time that
    g++ takes for a candidate. Raises UserError.
    """
    includes = "".join(f"#include <{header}>\n" for header in HEADERS_OF_ALL)
    (folder / PRELUDE).write_text(includes, encoding="utf-8")
    command = [toolchain.compiler, *_flags(toolchain), *_INCLUDE, "-x", "c++-header", PRELUDE]
    done = run_tool([*command, "-o", f"{PRELUDE}.gch"], folder=folder, seconds=COMPILE_SECONDS)
    if done.returncode != 0:
        problem = f"{toolchain.compiler} does not compile the CPU device's headers:"
        raise UserError(f"{problem}\n{done.stderr}")


def judge_candidate(bench: Bench, text: str, folder: Path, timeout: float) -> dict[str, Any]:
    """The entry of a candidate in a runs file; `folder` is empty, and its own."""
    device = bench.device
    try:
        program = _build(bench, text, folder)
    except _RefusedError as error:
        return entry(bench.sample, device, "rejected", "compile_error", str(error))
    return judge_sample(bench.sample, bench.part, program, device, timeout)


def _apart(execution: Execution) -> Execution:
    return dataclasses.replace(execution, variables={**execution.variables, "WEFT_KERNEL_PROCESS": "on"})


def _host_object(
    form: str, host: HostPart, shard: Shard, part: ShardSample, toolchain: CpuToolchain
) -> HostObject:
    text = shard.program([dataclasses.replace(part, text=host.text)])
    path = toolchain.folder / f"host-{form}.o"
    errors = toolchain.compile_object(text, path)
    if errors is not None:
        raise UserError(f"{toolchain.compiler} does not compile the sample's host code:\n{errors}")
    listed = run_tool(["nm", "-u", str(path)])
    listed.check_returncode()
    prefix = f"_ZN{len(part.namespace)}{part.namespace}"
    wanted = [word for word in listed.stdout.split() if word.startswith(prefix)]
    return HostObject(path, tuple(wanted), host.declares)


def _build(bench: Bench, text: str, folder: Path) -> Path:
    """The program of a candidate. Raises _RefusedError."""
    box = folder / "box"
    box.mkdir(parents=True)
    source = _checked(bench, text, folder, box)
    host = _host_for(bench, source)
    try:
        (box / candidate_text.NAME).write_text(rewrite(source), encoding="utf-8")
    except RewriteError as error:
        raise _RefusedError(f"{candidate_text.NAME}: error: {error.message}") from error
    flags = _flags(bench.toolchain)
    prelude = str(bench.headers.resolve() / PRELUDE) if bench.headers else HEADERS_OF_ALL[0]
    include = [*_INCLUDE, "-include", prelude]
    compiler = bench.toolchain.compiler
    _run(bench, folder, [compiler, *flags, *include, "-x", "c++", "-c", candidate_text.NAME, "-o", "a.o"])
    _check_names(bench, folder, source, [compiler, *flags, *include])
    file = read_object(box / "a.o")
    _check_defined(file, host)
    _check_device_code(bench, folder, source, file)
    (box / "script.ld").write_text(LINKER_SCRIPT)
    roots = [f"-Wl,-u,{symbol}" for symbol in host.wanted]
    merge = ["-r", "-nostdlib", "-Wl,--force-group-allocation", "-Wl,--gc-sections", "-Wl,-T,script.ld"]
    _run(bench, folder, [compiler, *merge, *roots, "a.o", "-o", "b.o"])
    kept = [f"--keep-global-symbol={symbol}" for symbol in host.wanted]
    renamed = [f"--redefine-sym={old}={new}" for old, new in RENAMED.items()]
    _run(bench, folder, ["objcopy", "--strip-unneeded", *renamed, *kept, "b.o", "c.o"])
    _check_used(bench, folder)
    program = folder / "program"
    guard_beside(program).symlink_to(guard_beside(bench.toolchain.folder / "program").resolve())
    objects = [host.path, box / "c.o"]
    errors = bench.toolchain.link(objects, program)
    if errors is not None:
        raise _RefusedError(first_error(errors))
    return program


def _flags(toolchain: CpuToolchain) -> list[str]:
    """How a candidate is compiled. What others write need not be free of warnings."""
    return [*toolchain.flags, *LANGUAGE_FLAGS, "-ffunction-sections", "-fdata-sections", "-w"]


def _checked(bench: Bench, text: str, folder: Path, box: Path) -> str:
    """The preprocessed candidate in the sample's namespace, under the headers that it includes."""
    name = candidate_text.NAME
    try:
        includes = candidate_text.take_includes(text)
        (box / name).write_text(includes.rest, encoding="utf-8")
        alone = [
            "-E",
            "-dD",
            "-nostdinc",
            "-nostdinc++",
            "-std=c++17",
            *CUDA_MACROS,
            *HEADER_MACROS,
            "-x",
            "c++",
        ]
        _run(bench, folder, [bench.toolchain.compiler, *alone, name, "-o", "preprocessed"])
        preprocessed = candidate_text.checked(_read(box / "preprocessed"))
    except candidate_text.TextError as error:
        raise _RefusedError(str(error)) from error
    headers = "".join(f"#include <{header}>\n" for header in ("cuda_runtime.h", *includes.headers))
    namespace = bench.part.namespace
    return f"{headers}namespace {namespace} {{\n{preprocessed}\n}}  // namespace {namespace}\n"


def _host_for(bench: Bench, source: str) -> HostObject:
    """The host code that fits: its own launcher is used where the candidate has none."""
    if re.search(rf"\b{re.escape(bench.launcher)}\s*\(", source):
        return bench.with_launcher
    return bench.with_kernels or bench.with_launcher


def _check_names(bench: Bench, folder: Path, source: str, command: Sequence[str]) -> None:
    """A function of a name that CUDA has hides CUDA's in the sample's namespace. Where nvcc compiles is
    none.
    """
    if not candidate_text.names_of_headers(defined_functions(without_words(source))):
        return
    namespace = bench.part.namespace
    alone = source.replace(f"namespace {namespace} {{", "").replace(f"}}  // namespace {namespace}", "")
    (folder / "box" / "global.cu").write_text(rewrite(alone), encoding="utf-8")
    _run(bench, folder, [*command, "-fsyntax-only", "-x", "c++", "global.cu"])


def _check_defined(file: Object, host: HostObject) -> None:
    defined = {one.name for one in file.symbols if one.binding != LOCAL and one.section}
    if not defined.issuperset(host.wanted):
        wanted = "; ".join(" ".join(one.split()) for one in host.declares)
        raise _RefusedError(f"{candidate_text.NAME}: error: it does not define all of: {wanted}")


def _check_device_code(bench: Bench, folder: Path, source: str, file: Object) -> None:
    _run(bench, folder, ["readelf", "-srW", "a.o"])
    listed = _read(folder / "stdout")
    for problem in exceeded(listed).values():
        raise _RefusedError(f"{candidate_text.NAME}: error: {problem}")
    for call in wrong_calls(file, source):
        _run(bench, folder, ["c++filt", call.caller, call.called])
        caller, called = [*_read(folder / "stdout").split("\n"), "", ""][:2]
        problem = f"{called} {call.problem}, and {caller} calls it"
        raise _RefusedError(f"{candidate_text.NAME}: error: {problem}")
    for use in uses_of_host(file, source):
        raise _RefusedError(f"{candidate_text.NAME}: error: {use}")


def _check_used(bench: Bench, folder: Path) -> None:
    symbols = read_object(folder / "box" / "c.o").symbols
    for symbol in sorted({one.name for one in symbols if one.binding != LOCAL and not one.section}):
        if not is_allowed(symbol):
            _run(bench, folder, ["c++filt", symbol])
            name = _read(folder / "stdout").strip() or symbol
            raise _RefusedError(f"{candidate_text.NAME}: error: a candidate may not call {name}")


def _run(bench: Bench, folder: Path, command: Sequence[str]) -> None:
    """Run a tool on the candidate's files. Raises _RefusedError with its first error."""
    box = folder / "box"
    guard = guard_beside(bench.toolchain.folder / "program")
    readable = [HERE / "include", *([bench.headers] if bench.headers else [])]
    around = bench.sandbox.around(box, readable, guard) if bench.sandbox else []
    tool = shutil.which(command[0])
    ended = run_guarded(
        guard,
        [*around, tool or command[0], *command[1:]],
        box,
        folder,
        timeout=COMPILE_SECONDS,
        variables={"TMPDIR": str(box.resolve()), "LC_ALL": "C"},
        limit_memory=True,
        memory_bytes=COMPILER_BYTES,
        file_bytes=FILE_BYTES,
    )
    if ended.reason == "timeout":
        raise _RefusedError(f"the compiler did not end within {COMPILE_SECONDS:g} s")
    if ended.reason == KILLED:
        raise KilledError(command[0])
    if ended.reason is not None:
        messages = _read(folder / "stderr")
        require_parts_alive(command[0], messages)
        raise _RefusedError(first_error(messages))


def _read(path: Path) -> str:
    """A file that a tool wrote about a stranger's text."""
    if path.is_symlink() or not path.is_file():
        raise _RefusedError("the compiler left no result")
    with path.open("rb") as file:
        return file.read(64 * MESSAGE_CHARACTERS).decode(errors="replace")
