"""Judging a program that someone else wrote for a sample: the same cases, the same verdicts.

A candidate brings the sample's launcher with its kernels, or the kernels alone; the driver calls it as it
calls the sample's, and its `main` is not asked. It is compiled by itself: of its names only those that the
sample asks for are seen from outside, and it can call what a kernel and its launcher need, nothing else. Its
kernels run in processes of their own (device/apart.cpp). docs/formats/candidates.md says what it
may hold.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import re
import secrets
import shlex
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from weft.compilers import without_warnings
from weft.errors import KilledError, UserError
from weft.reference import store
from weft.runs import candidate_text
from weft.runs.build import CUDA_MACROS, HERE, CpuToolchain, SharedPart, first_error
from weft.runs.candidate_host import ENTRY, HostPart, driver_part, host_part, kernel_prototypes, own_launcher
from weft.runs.candidate_host import entry as entry_text
from weft.runs.candidate_nvcc import MOST_THREADS, OPTIONS, error_of, most_threads, toolkit_of
from weft.runs.candidate_support import is_of_cuda, missing_on_cpu
from weft.runs.candidate_symbols import RENAMED, is_allowed
from weft.runs.device_calls import HEAP, wrong_calls
from weft.runs.device_limits import exceeded_with_calls, static_shared
from weft.runs.device_reads import source_name, uses_of_host
from weft.runs.device_text import device_functions, kernel_names, without_words
from weft.runs.elf import LOCAL, Object, read_object
from weft.runs.execute import KILLED, guard_beside, run_guarded
from weft.runs.gates import gated_part
from weft.runs.input_files import Inputs, write_inputs
from weft.runs.judge import ZERO_FILL
from weft.runs.mathematics import ROUNDINGS, Mathematics
from weft.runs.reading import UnreadableError, read_within_limits
from weft.runs.rewrite import RewriteError, rewrite
from weft.runs.sandbox import TEMPORARY, Sandbox
from weft.runs.shard import Shard, ShardSample
from weft.runs.ties import without_ties
from weft.runs.verdict import CPU, Device, Execution, Finished, entry, judge_sample, outputs_of
from weft.scratch import scratch
from weft.tools import is_out_of_time, require_parts_alive, run_tool

PRELUDE = "prelude.h"
HEADERS_OF_ALL = ("weft_cpu/memory.h", "cuda_runtime.h")
"""What every candidate is compiled behind."""
_INCLUDE = (f"-I{(HERE / 'include').resolve()}",)
COMPILE_SECONDS = 40.0
OWN_SECONDS = 120.0
ENTRY_NAME, LAUNCHER_NAME = "entry.cu", "launcher.cu"
"""What we add to a candidate, in the compiler's messages."""
MESSAGE_CHARACTERS = 1 << 16
COMPILER_BYTES = 1 << 31
FILE_BYTES = 1 << 26
"""Of what the compiler makes of a candidate, its variables included."""
LANGUAGE_FLAGS = ("-mlong-double-64",)
"""A long double is a double in device code."""
ARCHITECTURES = ("750", "900", "800", "860", "870", "890")
"""Values of `__CUDA_ARCH__` for which a candidate has to be right, as far as its text tells them apart."""
HEADER_MACROS = ("-DCUDART_VERSION=13000", "-DCUDA_VERSION=13000")
"""What CUDA's headers define, and conditions ask for."""
LINKER_SCRIPT = """SECTIONS {
    weft_candidate : { *(.data .data.[!r]* .bss .bss.* COMMON) }
    weft_kernels : { KEEP(*(weft_kernels)) }
}
"""
"""All variables that can be written come to one section, which the CPU device knows by its name."""
DYNAMIC_SHARED = "dynamic_shared"
TOO_DEEP = "recursion takes"
"""What device/schedule.cpp says of a stack that is too deep."""
LOOPS_FOR_TAIL_CALLS = ("-foptimize-sibling-calls", "-fdisable-tree-tailc")
"""Functions that call themselves last become loops, as nvcc makes them. Other functions keep their frames, by
which a barrier is known.
"""

NO_SHARED_GUARDS = "-Wl,--defsym=weft_no_shared_guards=1"
"""What device/schedule.cpp asks for."""

WATCHED = {"WEFT_SHADOW_MEMORY": "on"}
EXECUTIONS = (
    Execution({"WEFT_THREAD_ORDER": "forward", **WATCHED}, large_edges=False),
    Execution({"WEFT_THREAD_ORDER": "reverse", **WATCHED}, last_first=True, large_edges=False),
    Execution({"WEFT_THREAD_ORDER": "random", **WATCHED}, None, ZERO_FILL, large_edges=True),
)
"""All is watched, other than of what Weft writes: a stranger's program may do other things where the size is
large, or where it can tell the order of its threads, by atomics or by what fresh memory holds. A large case
with edges takes the place of the other in the last one, as most of the time goes to large cases.
"""


_SPECIAL = re.compile(
    r"\b(?:assoc_l\w+|beta|comp_ellint_\w+|cyl_\w+|ellint_\w+|expint|hermite|laguerre|legendre|riemann_zeta|sph_\w+)"
    r"[fl]?\s*\("
)
"""A call of one of C++17's special functions, or of a candidate's own with such a name."""

_VARIABLE_LENGTH = re.compile(
    r"In (?:function|instantiation of) '[^'\n]*?\b(?P<function>\w+)\([^'\n]*'.*?:\n"
    r"(?:[^\n]*required from here[^\n]*\n)?"
    r"(?P<place>[^:\n]*:\d+):\d+: warning: variable length array"
)


class _RefusedError(Exception):
    """A candidate that is not compiled to the end; the message has its place, but no folders."""

    reason = "compile_error"


class _UnsupportedError(_RefusedError):
    """A candidate with what the CPU device lacks, and a GPU has."""

    reason = "unsupported"

    def __init__(self, what: str) -> None:
        super().__init__(f"not on the CPU device: {what}")


@dataclasses.dataclass(frozen=True)
class Bench:
    """What the candidates for one sample share: our host code, compiled to `object`, the symbols that it
    wants from a candidate, the folder of `toolchain`, what else is linked, the bounds of its outputs, and the
    folder of `headers` that are precompiled (`precompile`), if there are any. `sees_all` says that `sample`
    has all of its cases. If there is an `nvcc`, it must take what is verified.
    """

    sample: store.Sample
    part: ShardSample
    toolchain: CpuToolchain
    sandbox: Sandbox | None
    host: HostPart
    object: Path
    wanted: tuple[str, ...]
    shared: SharedPart
    mathematics: Mathematics
    headers: Path | None = None
    sees_all: bool = True
    nvcc: Path | None = None

    @functools.cached_property
    def inputs(self) -> Inputs:
        """The inputs of all cases."""
        name = f"inputs-{secrets.token_hex(8)}"
        return write_inputs(self.sample, self.sample.cases, self.toolchain.folder / name)

    @property
    def device(self) -> Device:
        """The CPU device on which kernels run apart, in the sandbox."""
        return dataclasses.replace(
            CPU,
            executions=tuple(_apart(execution) for execution in EXECUTIONS),
            checks=(*CPU.checks, "kernels_apart", *(["nvcc"] if self.nvcc else [])),
            sandbox=self.sandbox,
            runs_main=False,
            bits=False,
            bounds=self.mathematics.of,
            roundings=ROUNDINGS,
            hurries=True,
            sees_all=self.sees_all,
            advises=False,
        )


def make_bench(
    shard: Shard,
    reference: store.Reference,
    sample_id: str,
    toolchain: CpuToolchain,
    sandbox: Sandbox | None,
    headers: Path | None = None,
    nvcc: str | None = None,
) -> Bench:
    """Compile the host code of a sample. Raises UserError if its shard or its reference lacks it."""
    samples = [one for one in reference.samples if one.sample_id == sample_id and one.cases]
    parts = [one for one in shard.samples if one.sample_id == sample_id]
    if not samples or not parts:
        where = "the reference" if not samples else "the shard"
        raise UserError(f"{where} has no sample {sample_id} that can be run")
    (part,) = parts
    toolchain.prepare()
    host = host_part(part)
    path = toolchain.folder / "host.o"
    wanted = _compile_host(host, shard, part, toolchain, path)
    gated = gated_part(toolchain)
    sample = without_ties(samples[0], part.interface)
    own = functools.partial(own_outputs, shard, sample, part, toolchain)
    bounds = Mathematics(sample, part.text, own)
    asked = None if nvcc is None else Path(nvcc)
    return Bench(sample, part, toolchain, sandbox, host, path, wanted, gated, bounds, headers, nvcc=asked)


def own_outputs(
    shard: Shard, sample: store.Sample, part: ShardSample, toolchain: CpuToolchain, direction: str
) -> list[dict[str, store.Packed]]:
    """What the sample's own program leaves in each case if all is rounded in a direction."""
    program = toolchain.folder / "own"
    if not program.exists() and toolchain.compile(shard.program([part]), program):
        return []
    execution = Execution({"WEFT_THREAD_ORDER": "forward", "WEFT_ROUNDING": direction})
    with scratch("run") as folder:
        return outputs_of(sample, part, program, CPU, execution, OWN_SECONDS, folder / direction)


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
    first, *others = ARCHITECTURES
    result = _judged(bench, text, folder / first, timeout, first)
    if "__CUDA_ARCH__" not in text or result["verdict"] != "verified":
        return result
    judged = {_preprocessed(bench, text, folder / f"text-{first}", first)}
    for other in others:
        source = _preprocessed(bench, text, folder / f"text-{other}", other)
        if source in judged:
            continue
        judged.add(source)
        result = _judged(bench, text, folder / other, timeout, other)
        if result["verdict"] != "verified":
            return {**result, "message": f"where __CUDA_ARCH__ is {other}: {result['message']}"}
    return result


def _preprocessed(bench: Bench, text: str, folder: Path, architecture: str) -> str | None:
    """What the preprocessor makes of a candidate whose headers are known; None if it does not take it."""
    box = folder / "box"
    box.mkdir(parents=True)
    try:
        _preprocess(bench, text, folder, architecture)
    except _RefusedError:
        return None
    return _read(box / "preprocessed").replace(f"#define __CUDA_ARCH__ {architecture}\n", "", 1)


def _judged(bench: Bench, text: str, folder: Path, timeout: float, architecture: str) -> dict[str, Any]:
    build = functools.partial(_build, bench, text, architecture=architecture)
    device = _with_cards(bench.device, text, architecture)

    def judged(build: Callable[..., Path], folder: Path) -> dict[str, Any]:
        program = read_within_limits(functools.partial(build, folder))
        source_of = functools.partial(_source_line, bench, text, folder)
        telling = dataclasses.replace(device, source_of=source_of)
        given = Finished(bench.inputs, {}, None)
        return judge_sample(bench.sample, bench.part, program, telling, timeout, given)

    try:
        result = judged(build, folder)
        if TOO_DEEP in result["message"]:
            build = functools.partial(build, more=LOOPS_FOR_TAIL_CALLS)
            result = judged(build, folder / "loops")
        if bench.nvcc is None or result["verdict"] != "verified":
            return result
        most = _asked_of_nvcc(bench, text, bench.nvcc, folder / "nvcc")
        return judged(functools.partial(build, most=most), folder / "again") if most else result
    except _RefusedError as error:
        return entry(bench.sample, device, "rejected", error.reason, str(error))
    except UnreadableError as error:
        problem = f"{candidate_text.NAME}: error: {error}"
        return entry(bench.sample, device, "rejected", "compile_error", problem)


def _source_line(bench: Bench, text: str, folder: Path, places: Sequence[int]) -> str:
    """What a message says of places in the candidate's program, in a folder: the first line that is the
    candidate's. Empty where none is.
    """
    try:
        _run(bench, folder, [["addr2line", "-i", "-e", "program", *map(hex, places)]])
        found = re.search(
            rf"^(?:.*/)?{re.escape(candidate_text.NAME)}:([1-9]\d*)\b", _read(folder / "stdout"), re.M
        )
    except _RefusedError:
        return ""
    lines = text.splitlines()
    if found is None or (number := int(found[1])) > len(lines):
        return ""
    return f"; {candidate_text.NAME}:{number}: {lines[number - 1].strip()}"


def _with_cards(device: Device, text: str, architecture: str) -> Device:
    """The device as a candidate with this text sees it: another GPU in each order of threads. A text that
    looks at its architecture is compiled for one, which all of them have then; and one that launches
    cooperatively has small GPUs, because the threads of such a launch are all there at once.
    """
    variables = {"WEFT_CARDS": "small" if "Cooperative" in text else "all"}
    if "__CUDA_ARCH__" in text:
        variables["WEFT_ARCHITECTURE"] = architecture
    executions = [
        dataclasses.replace(one, variables={**one.variables, **variables}) for one in device.executions
    ]
    return dataclasses.replace(device, executions=tuple(executions))


def _asked_of_nvcc(bench: Bench, text: str, nvcc: Path, folder: Path) -> dict[str, int]:
    """The largest block of each kernel that cannot have all. Raises _RefusedError for a text that nvcc does
    not take, together with the launcher if that is ours.
    """
    box = folder / "box"
    box.mkdir(parents=True)
    (box / candidate_text.NAME).write_text(f"{text}\n{_ours(bench, text)}", encoding="utf-8")
    command = [str(nvcc), *OPTIONS, "-ccbin", bench.toolchain.compiler, candidate_text.NAME]
    try:
        _run(bench, folder, [[*command, "-o", "a.cubin"]], ["a.cubin"], [toolkit_of(nvcc)])
    except _RefusedError as error:
        raise _RefusedError(f"nvcc: {error_of(_read(folder / 'stderr')) or error}") from error
    return most_threads(_read(folder / "stderr"))


def _apart(execution: Execution) -> Execution:
    return dataclasses.replace(execution, variables={**execution.variables, "WEFT_KERNEL_PROCESS": "on"})


def _compile_host(
    host: HostPart, shard: Shard, part: ShardSample, toolchain: CpuToolchain, path: Path
) -> tuple[str, ...]:
    """Compile our host code, in no namespace as the candidate is; the symbols that it wants."""
    errors = toolchain.compile_object(shard.includes + host.text + driver_part(part), path)
    if errors is not None:
        raise UserError(f"{toolchain.compiler} does not compile the sample's host code:\n{errors}")
    listed = run_tool(["nm", "-u", str(path)])
    listed.check_returncode()
    entries = re.findall(rf"\b_Z{len(ENTRY)}{ENTRY}\w*", listed.stdout)
    return (*entries, *host.tables)


def _build(
    bench: Bench,
    text: str,
    folder: Path,
    architecture: str,
    most: Mapping[str, int] = MappingProxyType({}),
    more: Sequence[str] = (),
) -> Path:
    """The program of a candidate; `most` has the largest blocks of its kernels, where they are known, and
    `more` flags for the compiler. Raises _RefusedError.
    """
    box = folder / "box"
    box.mkdir(parents=True)
    source = _checked(bench, text, folder, box, architecture)
    (box / candidate_text.NAME).write_text(_rewritten(source), encoding="utf-8")
    flags = [*_flags(bench.toolchain, source), *more]
    prelude = str(bench.headers.resolve() / PRELUDE) if bench.headers else HEADERS_OF_ALL[0]
    include = [*_INCLUDE, "-include", prelude]
    compiler = bench.toolchain.compiler
    words = [compiler, *flags, *include, "-x", "c++", "-c", candidate_text.NAME, "-o", "a.o"]
    _run(bench, folder, [words], ["a.o"])
    _check_arrays(source, _read(folder / "stderr"))
    file = read_object(box / "a.o")
    _check_defined(bench, file)
    _check_device_code(bench, folder, source, file)
    (box / "script.ld").write_text(LINKER_SCRIPT)
    objects = ["a.o"]
    if table := _table_of_kernels(file, most):
        (box / "kernels.s").write_text(table, encoding="utf-8")
        _run(bench, folder, [[compiler, "-c", "kernels.s", "-o", "kernels.o"]], ["kernels.o"])
        objects.append("kernels.o")
    roots = [f"-Wl,-u,{symbol}" for symbol in bench.wanted]
    merge = ["-r", "-nostdlib", "-Wl,--force-group-allocation", "-Wl,--gc-sections", "-Wl,-T,script.ld"]
    kept = [f"--keep-global-symbol={symbol}" for symbol in bench.wanted]
    renamed = [f"--redefine-sym={old}={new}" for old, new in RENAMED.items()]
    used = ["--strip-unneeded", "--keep-section=.debug_*"]  # what nothing uses is no reason to refuse it
    without_guards = [] if _has_shared_guards(file) else [NO_SHARED_GUARDS]
    linked = [compiler, str(bench.object.resolve()), "c.o", *bench.shared.words, *without_guards]
    commands = [
        [compiler, *merge, *roots, *objects, "-o", "b.o"],
        ["objcopy", *used, *renamed, *kept, "b.o", "c.o"],
        [*linked, "-o", "program"],
    ]
    try:
        _run(bench, folder, commands, ["b.o", "c.o", "program"], [bench.object, *bench.shared.files])
    except _RefusedError:
        with contextlib.suppress(OSError, ValueError):
            _check_used(bench, folder)  # which has better words for what the linker misses
        raise
    _check_used(bench, folder)
    program = box / "program"
    program.chmod(0o755)
    guard_beside(program).symlink_to(bench.toolchain.guard.resolve())
    return program


def _rewritten(source: str) -> str:
    try:
        return rewrite(source)
    except RewriteError as error:
        raise _RefusedError(f"{candidate_text.NAME}: error: {error.message}") from error


def _flags(toolchain: CpuToolchain, source: str = "") -> list[str]:
    """How a candidate is compiled: with the lines of its source, which leave the code as it is. What others
    write need not be free of warnings. With special functions, a precompiled header does not fit.
    """
    special = ["-DWEFT_CPU_SPECIAL_FUNCTIONS"] if _SPECIAL.search(source) else []
    sections = ["-ffunction-sections", "-fdata-sections"]
    return [*toolchain.flags, *LANGUAGE_FLAGS, "-g1", *sections, "-Wvla", *special]


def _checked(bench: Bench, text: str, folder: Path, box: Path, architecture: str) -> str:
    """The preprocessed candidate under the headers that it includes, and what we add to it."""
    try:
        own_headers = _preprocess(bench, text, folder, architecture)
        preprocessed = candidate_text.checked(_read(box / "preprocessed"))
    except candidate_text.UnsupportedError as error:
        raise _UnsupportedError(str(error)) from error
    except candidate_text.TextError as error:
        raise _RefusedError(str(error)) from error
    needed = [
        "cuda_runtime.h",
        *own_headers,
        *(["weft_cpu/ptx.h"] if "weft_ptx::" in preprocessed else []),
    ]
    headers = "".join(f"#include <{header}>\n" for header in needed)
    if not _has_launcher(bench, preprocessed):
        missing = [
            one
            for kernel, one in kernel_prototypes(bench.part.text).items()
            if not re.search(rf"\b{kernel}\b", preprocessed)
        ]
        if missing:
            _parse(bench, folder, f"{headers}{preprocessed}")
            raise _undefined(missing)
    return f"{headers}{preprocessed}\n{_ours(bench, preprocessed)}"


def _preprocess(bench: Bench, text: str, folder: Path, architecture: str) -> Sequence[str]:
    """Leave a candidate, preprocessed without its headers, in the box of the folder; these headers."""
    name = candidate_text.NAME
    includes = candidate_text.take_includes(text)
    (folder / "box" / name).write_text(includes.rest, encoding="utf-8")
    alone = [
        "-E",
        "-dD",
        "-nostdinc",
        "-nostdinc++",
        "-std=c++17",
        *(one for one in CUDA_MACROS if "__CUDA_ARCH__" not in one),
        f"-D__CUDA_ARCH__={architecture}",
        *HEADER_MACROS,
        "-x",
        "c++",
    ]
    command = [bench.toolchain.compiler, *alone, name, "-o", "preprocessed"]
    _run(bench, folder, [command], ["preprocessed"])
    return includes.headers


def _has_launcher(bench: Bench, text: str) -> bool:
    return re.search(rf"\b{re.escape(bench.host.launcher)}\s*\(", text) is not None


def _ours(bench: Bench, text: str) -> str:
    """What we add to a candidate: the call of its launcher, and the sample's own launcher if it has none."""
    ours = f'# 1 "{ENTRY_NAME}"\n{entry_text(bench.part)}'
    if _has_launcher(bench, text):
        return ours
    return f'# 1 "{LAUNCHER_NAME}"\n{own_launcher(bench.part.text, text)}{ours}'


def _parse(bench: Bench, folder: Path, source: str) -> None:
    """Raise the compiler's first error in a text, if it has one: that may be why so little is defined."""
    (folder / "box" / candidate_text.NAME).write_text(_rewritten(source), encoding="utf-8")
    flags = [*_flags(bench.toolchain, source), *_INCLUDE, "-include", HEADERS_OF_ALL[0]]
    command = [bench.toolchain.compiler, *flags, "-fsyntax-only", "-x", "c++", candidate_text.NAME]
    _run(bench, folder, [command])


def _undefined(declared: Iterable[str]) -> _RefusedError:
    wanted = "; ".join(" ".join(one.split()) for one in declared)
    return _RefusedError(f"{candidate_text.NAME}: error: it does not define all of: {wanted}")


def _check_defined(bench: Bench, file: Object) -> None:
    defined = {one.name for one in file.symbols if one.binding != LOCAL and one.section}
    if not defined.issuperset(bench.wanted):
        raise _undefined(bench.host.declares)


def _check_arrays(source: str, messages: str) -> None:
    """Device code has no arrays whose length is a variable: nvcc refuses them, and g++ warns of them."""
    words = without_words(source)
    of_device = kernel_names(words) | device_functions(words)
    for match in _VARIABLE_LENGTH.finditer(messages):
        if match["function"] in of_device:
            raise _RefusedError(
                f"{match['place']}: an array in {match['function']} whose length is no constant"
            )


def _table_of_kernels(file: Object, most: Mapping[str, int]) -> str:
    """Assembly of a table that device/functions.cpp reads: kernels whose names others can know, the bytes of
    shared memory that they have without any that a launch asks for, and their largest blocks. Empty if there
    are none.
    """
    asks = any(DYNAMIC_SHARED in one.name for one in file.symbols)
    sizes = static_shared(file) if asks else {}
    names = [
        one.name for one in file.symbols if one.binding != LOCAL and one.name in sizes.keys() | most.keys()
    ]
    rows = "".join(f".quad {name}, {sizes.get(name, 0)}, {most.get(name, MOST_THREADS)}\n" for name in names)
    table = f'.section weft_kernels,"aw",@progbits\n{rows}.section .note.GNU-stack,"",@progbits\n'
    return table if rows else ""


def _check_device_code(bench: Bench, folder: Path, source: str, file: Object) -> None:
    """Raises _RefusedError for an object file with what nvcc would refuse."""
    for problem in exceeded_with_calls(file).values():
        raise _RefusedError(f"{candidate_text.NAME}: error: {problem}")
    for call in wrong_calls(file, source):
        _run(bench, folder, [["c++filt", call.caller, call.called]])
        caller, called = [*_read(folder / "stdout").split("\n"), "", ""][:2]
        problem = f"{called} {call.problem}, and {caller} calls it"
        if call.problem == HEAP:
            raise _UnsupportedError(f"memory of a heap in kernels: {problem}")
        raise _RefusedError(f"{candidate_text.NAME}: error: {problem}")
    for use in uses_of_host(file, source):
        raise _RefusedError(f"{candidate_text.NAME}: error: {use}")


def _has_shared_guards(file: Object) -> bool:
    """Whether g++ has put bytes of its own beside shared variables (`static` ones of classes)."""
    return any(one.name.startswith("_ZGV") and one.section_name.startswith(".tbss") for one in file.symbols)


def _check_used(bench: Bench, folder: Path) -> None:
    symbols = read_object(folder / "box" / "c.o").symbols
    for symbol in sorted({one.name for one in symbols if one.binding != LOCAL and not one.section}):
        if source_name(symbol) in (bench.host.launcher, *kernel_prototypes(bench.part.text)):
            raise _undefined(bench.host.declares)
        if not is_allowed(symbol):
            _run(bench, folder, [["c++filt", symbol]])
            name = _read(folder / "stdout").strip() or symbol
            if is_of_cuda(name.partition("(")[0]):
                raise _UnsupportedError(name)
            raise _RefusedError(f"{candidate_text.NAME}: error: a candidate may not call {name}")


def _run(
    bench: Bench,
    folder: Path,
    commands: Sequence[Sequence[str]],
    outputs: Sequence[str] = (),
    readable: Sequence[Path] = (),
) -> None:
    """Run tools on the candidate's files, each if the one before has ended well, in one sandbox: to make one
    takes longer than most tools. `outputs` are the files that they may write. Raises _RefusedError with the
    first error.
    """
    box = folder / "box"
    guard = bench.toolchain.guard
    readable = [HERE / "include", *([bench.headers] if bench.headers else []), *readable]
    around = bench.sandbox.around("compiler", box, outputs, guard, readable) if bench.sandbox else []
    found = [[shutil.which(tool) or tool, *words] for tool, *words in commands]
    command = found[0] if len(found) == 1 else ["/bin/sh", "-c", " && ".join(map(shlex.join, found))]
    ended = run_guarded(
        guard,
        [*around, *command],
        box,
        folder,
        timeout=COMPILE_SECONDS,
        variables={"TMPDIR": TEMPORARY if bench.sandbox else str(box.resolve()), "LC_ALL": "C"},
        limit_memory=True,
        memory_bytes=COMPILER_BYTES,
        file_bytes=FILE_BYTES,
        sandboxed=bench.sandbox is not None or len(found) > 1,
    )
    if ended.reason == KILLED:
        raise KilledError(command[0])
    if ended.reason is not None:
        messages = _read(folder / "stderr")
        if ended.reason == "timeout" or is_out_of_time(messages):
            raise _RefusedError(f"the compiler did not end within {COMPILE_SECONDS:g} s")
        require_parts_alive(command[0], messages)
        problem = first_error(without_warnings(messages))
        if problem.startswith(f"{LAUNCHER_NAME}:"):
            raise _undefined(kernel_prototypes(bench.part.text).values())
        if problem.startswith(f"{ENTRY_NAME}:"):
            raise _undefined(bench.host.declares)
        if (lacking := missing_on_cpu(problem)) is not None:
            raise _UnsupportedError(f"{lacking}: {problem}")
        raise _RefusedError(problem)


def _read(path: Path) -> str:
    """A file that a tool wrote about a stranger's text."""
    if path.is_symlink() or not path.is_file():
        raise _RefusedError("the compiler left no result")
    with path.open("rb") as file:
        return file.read(64 * MESSAGE_CHARACTERS).decode(errors="replace")
