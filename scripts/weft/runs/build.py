"""Compiling a shard for a device; samples that do not compile are found and left out."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path

from weft.cache import cached_folder
from weft.compilers import nvcc_release, require_gxx, show_warnings, without_warnings
from weft.errors import KilledError, UserError
from weft.files import check_folder
from weft.runs.device_limits import exceeded
from weft.runs.device_reads import namespace_of, uses_of_host
from weft.runs.elf import read_object
from weft.runs.embed import check_embedded, embed
from weft.runs.execute import KILLED, guard_beside, run_guarded, run_program
from weft.runs.rewrite import RewriteError, rewrite, with_own_streams
from weft.runs.shard import Shard, ShardSample
from weft.runs.shared_text import share
from weft.scratch import scratch
from weft.tools import is_out_of_time, require_parts_alive, run_tool

HERE = Path(__file__).parent
COMPILE_SECONDS = 180
SAMPLE_SECONDS = 20
"""For each sample of a shard: much more than any takes, so that only what never ends is cut off."""
COMPILER_BYTES = 8 * 2**30
CPU_DEVICE = "cpu_device"
DEVICE_OBJECT, DRIVER_OBJECT = "device.o", "driver.o"
"""The CPU device and the driver, compiled. device/state.ld knows the former by its name."""
DRIVER = HERE / "device" / "driver.cpp"
KNOWS_DRIVER = ("-include", str(HERE / "device" / "driver.h"))
"""By this a program knows the driver's types."""
PROGRAM_HEADER = "weft_program.h"
"""What every program on the CPU device is compiled behind."""
LINKED = (DEVICE_OBJECT, DRIVER_OBJECT, "guard")
"""What `make_device` makes beside that header: what programs are linked with, and run by."""
SYSTEM_HEADERS = ("-isystem", str(HERE / "include"))
"""The CPU device's headers, of which, as of CUDA's, no warnings are printed."""
CPU_FLAGS = (
    "-O1",
    "-std=c++17",
    "-fno-builtin",
    "-U_FORTIFY_SOURCE",
    "-ffp-contract=off",
    "-ftrivial-auto-var-init=pattern",
)
"""Flags under which C++ gives Warp's CPU results to the bit: nothing is contracted or folded, and only the
first x86-64 instructions are used. Uninitialised variables hold a pattern, so that reading one shows. How far
host and device code are optimised, include/weft_cpu/qualifiers.h says. Ubuntu's g++ fortifies by default, for
which glibc's headers need the builtins.
"""
OWN_OPTIMIZATION = "-O2"
"""For the CPU device and the driver, which are compiled once: shadow memory is most of what tiles take."""
CALL_FLAGS = (
    "-fno-omit-frame-pointer",
    "-fno-thread-jumps",
    "--param=max-jump-thread-duplication-stmts=0",
)
"""By these a barrier is known by the calls that lead to it (device/schedule.cpp): each function's frame says
where it was called, and no call is compiled twice for what is known on one of the ways to it.
"""
CUDA_MACROS = (
    "-D__NVCC__",
    "-D__CUDACC__",
    "-D__CUDACC_VER_MAJOR__=13",
    "-D__CUDACC_VER_MINOR__=0",
    "-D__CUDA_ARCH__=750",
)
"""What nvcc defines in device code, so that no program is another one here."""
WATCH_FLAGS = (
    "-fsanitize=thread",
    "--param=tsan-instrument-func-entry-exit=0",
    "--param=tsan-distinguish-volatile=1",
    "-fsanitize=alignment,bounds,return",
    "-fno-sanitize-recover=all",
)
"""Every read and write of a program calls a function of the CPU device's shadow memory (device/shadow.cpp)
first, and so does an access at an address that its type does not allow or beyond an array of fixed length,
and a function that ends without the value it has to return (device/sanitizer.cpp). The program is linked
without the compiler's own libraries for that."""
START_SECONDS = 20.0
MESSAGE_CHARACTERS = 2000
"""Of a line of the compiler's messages, which may quote a program that means to hold up its judge."""
NO_SAMPLE = "exit status 2: no sample none"
UPSET = "its static objects end the program, hold it up or change how it ends"
CUDA_FLAGS = ("-O3", "-std=c++17")
GPU_GUARDS = HERE / "device" / "gpu_guards.h"

_PLACE = re.compile(r"^shard\.cu[:(](\d+)", re.MULTILINE)
_UNWATCHED = re.compile(r"\b_*(?:no_sanitize|disable_sanitizer)\w*")
_SAMPLE = re.compile(r"^// sample ", re.MULTILINE)
_NAMESPACE = re.compile(r"\b(\w+)::")
_ERROR = re.compile(r"^(?:\S*?([^/\s]+?)[:(](\d+)[):][\d:]*\s*)?(?:fatal )?error\s*:?\s*(.*)$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Build:
    """A compiled shard. `failures` has the first error of each sample that does not compile. `upset` says why
    the program of a sample ends, or holds up, the whole shard.
    """

    program: Path
    failures: dict[str, str]
    upset: dict[str, str]


@dataclasses.dataclass(frozen=True)
class SharedPart:
    """The linker's words for what all programs on the CPU device share, and the files that it then reads."""

    words: tuple[str, ...]
    files: tuple[Path, ...]


@dataclasses.dataclass(frozen=True)
class CpuToolchain:
    """g++ and the CPU device. `folder` is private to the build. `device` is a folder in which `make_device`
    has compiled the device with this compiler, None for the one in the user's cache (`cached_device`). `more`
    are flags for the programs only.
    """

    compiler: str
    folder: Path
    device: Path | None = None
    more: tuple[str, ...] = WATCH_FLAGS

    def version(self) -> str:
        """First line of the compiler's version. Raises UserError if it is no g++."""
        return require_gxx(self.compiler, "compiler")

    @property
    def flags(self) -> tuple[str, ...]:
        return (*CPU_FLAGS, *CALL_FLAGS, *CUDA_MACROS, *self.more)

    def compile(self, text: str, program: Path) -> str | None:
        """Compile a program; the compiler's messages if it has errors."""
        shard = self.folder / "shard.o"
        shared = share(text)
        errors = self.compile_object(shared, shard)
        if not guard_beside(program).exists():
            guard_beside(program).symlink_to(self.guard.resolve())
        if errors is not None and shared != text:
            errors = self.compile_object(text, shard)  # which of the samples fails
        return self.link([shard], program) if errors is None else errors

    def prepare(self) -> None:
        """Put what programs are linked with into the folder: the device, the driver and the guard."""
        wanted = [name for name in LINKED if not (self.folder / name).exists()]
        if not wanted:
            return
        device = cached_device(self.compiler) if self.device is None else self.device
        check_folder(device)
        for name in wanted:
            (self.folder / name).symlink_to((device / name).resolve())

    def compile_object(self, text: str, path: Path) -> str | None:
        """Compile a program without linking it; the compiler's messages if it has errors."""
        self.prepare()
        try:
            (self.folder / "shard.cu").write_text(rewrite(with_own_streams(text)), encoding="utf-8")
        except RewriteError as error:
            return f"shard.cu:{error.line}: error: {error.message}"
        if (unwatched := _UNWATCHED.search(text)) is not None:
            line = text.count("\n", 0, unwatched.start()) + 1
            return f"shard.cu:{line}: error: {unwatched[0]} keeps shadow memory from watching"
        # The header's precompiled form is beside the device; g++ takes it if it was made under these flags.
        device = (self.folder / DEVICE_OBJECT).resolve().parent
        include = ["-isystem", str(device), *SYSTEM_HEADERS, "-include", PROGRAM_HEADER]
        command = [self.compiler, *self.flags, *include, "-x", "c++", "-c", "shard.cu", "-o", str(path)]
        return _run_limited(command, self.folder, self.guard, text)

    @property
    def guard(self) -> Path:
        """The guard of the toolchain's folder."""
        return guard_beside(self.folder / DEVICE_OBJECT)

    def refused(self) -> dict[str, str]:
        """What nvcc would refuse in the program that was compiled last, by namespace: more memory than a GPU
        has, or device code that uses variables of the host.
        """
        file = read_object(self.folder / "shard.o")
        uses = uses_of_host(file, (self.folder / "shard.cu").read_text(encoding="utf-8"))
        return {namespace_of(use.function): str(use) for use in uses} | exceeded(file)

    def link(self, objects: Sequence[Path], program: Path) -> str | None:
        """Link a program with the driver and the device; the linker's messages if it cannot."""
        command = [self.compiler, *map(str, objects), *self.shared_part().words, "-o", str(program)]
        return _run(command, self.folder)

    def shared_part(self) -> SharedPart:
        """What each program is linked with."""
        objects = [(self.folder / name).resolve() for name in (DRIVER_OBJECT, DEVICE_OBJECT)]
        script = (HERE / "device" / "constants.ld").resolve()
        return SharedPart((*map(str, objects), f"-Wl,-T,{script}"), (*objects, script))


@dataclasses.dataclass(frozen=True)
class Shipped:
    """PTX of a shard as the ptx stage made it, for the architecture `target`; `cubin` is machine code that
    was made from it for the GPU, if there is any.
    """

    ptx: Path
    target: str
    cubin: Path | None = None


@dataclasses.dataclass(frozen=True)
class CudaToolchain:
    """nvcc for one architecture (`sm_90`, or `native` for the GPU of this machine).

    With `shipped` the programs' code is that PTX (weft.runs.embed), and `arch` is a real architecture. Host
    code is compiled after the header `prelude`. `more` are flags for the programs only.
    """

    compiler: str
    folder: Path
    arch: str
    contract: bool = True
    shipped: Shipped | None = None
    prelude: Path | None = GPU_GUARDS
    more: tuple[str, ...] = ()

    def version(self) -> str:
        """nvcc's release line. Raises UserError if it is no nvcc."""
        return nvcc_release(self.compiler, "compiler")

    @property
    def flags(self) -> tuple[str, ...]:
        arch = self.shipped.target.replace("sm_", "compute_") if self.shipped else self.arch
        return (*CUDA_FLAGS, f"-arch={arch}", *(() if self.contract else ("-fmad=false",)))

    def compile(self, text: str, program: Path) -> str | None:
        """Compile a program; the compiler's messages if it has errors."""
        self.prepare()
        if not guard_beside(program).exists():
            guard_beside(program).symlink_to(self.guard.resolve())
        linked = self.folder / "shard.o"
        errors = self.compile_object(text, linked)
        if errors is not None:
            return errors
        if self.shipped is not None:
            nvcc = Path(shutil.which(self.compiler) or self.compiler).resolve()
            linked = embed(linked, self.shipped.ptx, nvcc, self.arch, self.shipped.cubin)
        errors = self.link(linked, program)
        if errors is None and self.shipped is not None:
            check_embedded(program, self.shipped.ptx)
        return errors

    @property
    def guard(self) -> Path:
        """The guard of the toolchain's folder."""
        return guard_beside(self.folder / DRIVER_OBJECT)

    def prepare(self) -> None:
        """Compile what programs are linked with, and run by, into the folder: the driver and the guard."""
        if not self.guard.exists():
            make_guard(self.compiler, self.folder / DRIVER_OBJECT)
        if not (self.folder / DRIVER_OBJECT).exists():
            # As C++, it brings no device code beside that of the shard.
            _make([*self._command, "-x", "c++", "-c", str(DRIVER), "-o", DRIVER_OBJECT], self.folder)

    def compile_object(self, text: str, path: Path) -> str | None:
        """Compile a program without linking it, in the folder of `path`; the compiler's messages if it has
        errors.
        """
        (path.parent / "shard.cu").write_text(text, encoding="utf-8")
        command = [*self._command, *self.more, *KNOWS_DRIVER, "-c", "shard.cu", "-o", path.name]
        return _run_limited(command, path.parent, self.guard, text)

    def link(self, compiled: Path, program: Path) -> str | None:
        """Link a program with the driver; the linker's messages if it cannot."""
        driver = self.folder.resolve() / DRIVER_OBJECT
        words = [self.compiler, str(compiled.resolve()), str(driver), "-o", str(program.resolve())]
        return _run(words, self.folder)

    @property
    def _command(self) -> list[str]:
        prelude = [] if self.prelude is None else ["-include", str(self.prelude)]
        return [self.compiler, *self.flags, *prelude]

    def refused(self) -> dict[str, str]:
        """Nothing: nvcc has refused it."""
        return {}


def cached_device(compiler: str) -> Path:
    """The folder in the user's cache with the CPU device as this compiler compiles it, filled if need be.

    Raises UserError if the compiler is missing or fails, and if the cache cannot be written.
    """
    return cached_folder(CPU_DEVICE, device_key(compiler), lambda folder: make_device(compiler, folder))


def device_key(compiler: str) -> bytes:
    """What the CPU device depends on. Raises UserError if the compiler is missing."""
    toolchain = CpuToolchain(compiler, Path())
    key = hashlib.sha256(repr((toolchain.version(), toolchain.flags, OWN_OPTIMIZATION)).encode())
    for file in sorted(path for room in ("device", "include") for path in (HERE / room).rglob("*")):
        if file.is_file():
            key.update(file.read_bytes())
    return key.digest()


def make_device(compiler: str, folder: Path) -> None:
    """Compile what all programs on the CPU device share: the device, the driver, the guard, and the header
    that they are compiled behind, in `folder`.

    Equal sources and compilers give equal bytes, but for the header, which holds addresses. Raises UserError
    if the compiler is missing, or fails.
    """
    folder = folder.resolve()
    for name in (DEVICE_OBJECT, DRIVER_OBJECT):
        make_object(compiler, folder / name)
    make_guard(compiler, folder / DEVICE_OBJECT)
    header = ["-x", "c++-header", str(HERE / "include" / PROGRAM_HEADER), "-o", f"{PROGRAM_HEADER}.gch"]
    _make([compiler, *CpuToolchain(compiler, folder).flags, *SYSTEM_HEADERS, *header], folder)


def make_object(compiler: str, path: Path) -> None:
    """Compile the CPU device or the driver, `device.o` or `driver.o`."""
    source = HERE / "device" / path.with_suffix(".cpp").name
    flags = [*CPU_FLAGS, OWN_OPTIMIZATION, "-DWEFT_CPU_DEVICE", f"-I{HERE / 'include'}"]
    _make([compiler, *flags, "-c", str(source), "-o", str(path)], path.parent)


def make_guard(compiler: str, program: Path) -> None:
    """Compile the guard that runs a program, into the folder that the program is in."""
    guard = guard_beside(program)
    _make([compiler, "-O1", str(HERE / "device" / "guard.cpp"), "-o", str(guard)], guard.parent)


def build_shard(shard: Shard, toolchain: CpuToolchain | CudaToolchain, wanted: Collection[str]) -> Build:
    """Compile the samples of a shard that are wanted, and compile, into one program.

    Raises UserError if the program does not compile and no sample is to blame.
    """
    program = toolchain.folder / "program"
    failures: dict[str, str] = {}
    rest = [sample for sample in shard.samples if sample.sample_id in wanted]
    while True:
        errors = toolchain.compile(shard.program(rest), program)
        if errors is None:
            break
        blamed = _blamed(errors, rest)
        found = _failing_alone(shard, blamed, toolchain) or _failing_in_halves(shard, rest, toolchain)
        if not found:
            message = f"compiles alone, but not in its shard: {first_error(errors)}"
            found = {sample.sample_id: message for sample in blamed}
        if not found:
            raise UserError(f"{toolchain.compiler} does not compile the shard:\n{errors}")
        failures.update(found)
        rest = [sample for sample in rest if sample.sample_id not in found]
    refused = toolchain.refused()
    failures |= {one.sample_id: refused[one.namespace] for one in rest if one.namespace in refused}
    upset = {one.sample_id: UPSET for one in _upsetting(shard, rest, toolchain, program)}
    if upset:
        kept = [one for one in rest if one.sample_id not in failures.keys() | upset.keys()]
        toolchain.compile(shard.program(kept), program)
    return Build(program, failures, upset)


def _upsetting(
    shard: Shard, samples: Sequence[ShardSample], toolchain: CpuToolchain | CudaToolchain, program: Path
) -> list[ShardSample]:
    """The samples whose static objects end or hold up the shard's program, or change how it ends.

    `program` is that of `samples`; it says that there is no sample of a name, unless something is wrong.
    """
    with scratch("run") as folder:
        ended = run_program(
            [str(program.resolve()), "none"],
            folder,
            timeout=START_SECONDS,
            variables={},
            limit_memory=isinstance(toolchain, CpuToolchain),
        )
    if ended.message == NO_SAMPLE:
        return []
    if len(samples) <= 1:
        return list(samples)
    found = []
    middle = len(samples) // 2
    for half in (samples[:middle], samples[middle:]):
        part = toolchain.folder / "part"
        if toolchain.compile(shard.program(half), part) is None:
            found += _upsetting(shard, half, toolchain, part)
    return found


def first_error(errors: str) -> str:
    """The first error among a compiler's messages, with the line of the shard but no path."""
    lines = [line[:MESSAGE_CHARACTERS].strip() for line in errors.splitlines()]
    match = _ERROR.search("\n".join(lines))
    if match is None:
        return next(filter(None, lines), "no message")
    place = f"{match[1]}:{match[2]}: " if match[1] else ""
    return f"{place}{match[3].strip()}"


def _blamed(errors: str, samples: Sequence[ShardSample]) -> list[ShardSample]:
    lines = {int(line) for line in _PLACE.findall(errors)}
    names = set(_NAMESPACE.findall(errors))
    return [
        sample
        for sample in samples
        if sample.namespace in names or any(sample.first_line <= line <= sample.last_line for line in lines)
    ]


def _failing_alone(
    shard: Shard, samples: Sequence[ShardSample], toolchain: CpuToolchain | CudaToolchain
) -> dict[str, str]:
    found = {}
    for sample in samples:
        errors = toolchain.compile(shard.program([sample]), toolchain.folder / "alone")
        if errors is not None:
            found[sample.sample_id] = first_error(errors)
    return found


def _failing_in_halves(
    shard: Shard, samples: Sequence[ShardSample], toolchain: CpuToolchain | CudaToolchain
) -> dict[str, str]:
    """As `_failing_alone`, where few fail of many."""
    errors = toolchain.compile(shard.program(samples), toolchain.folder / "alone")
    if errors is None:
        return {}
    if len(samples) == 1:
        return {samples[0].sample_id: first_error(errors)}
    middle = len(samples) // 2
    first = _failing_in_halves(shard, samples[:middle], toolchain)
    return first | _failing_in_halves(shard, samples[middle:], toolchain)


def _run(command: Sequence[str], folder: Path) -> str | None:
    """Run a compiler in `folder`: None if it succeeds, else what it printed."""
    try:
        done = run_tool(command, folder=folder, seconds=COMPILE_SECONDS)
    except subprocess.TimeoutExpired:
        return f"error: {command[0]} did not end within {COMPILE_SECONDS} s"
    except OSError as error:
        raise UserError(f"cannot run the compiler {command[0]!r}: {error.strerror}") from error
    return None if done.returncode == 0 else (done.stderr + done.stdout).strip() or "error: no message"


def _run_limited(command: Sequence[str], folder: Path, guard: Path, text: str) -> str | None:
    """Run a compiler on a program in `folder`, with no more memory and time than programs may take."""
    seconds = COMPILE_SECONDS + SAMPLE_SECONDS * len(_SAMPLE.findall(text))
    if shutil.which(command[0]) is None:
        raise UserError(f"cannot run the compiler {command[0]!r}: no such program")
    ended = run_guarded(
        guard.resolve(),
        command,
        folder,
        folder,
        timeout=seconds,
        variables=os.environ,
        limit_memory=True,
        memory_bytes=COMPILER_BYTES,
    )
    printed = (folder / name for name in ("stderr", "stdout"))
    messages = "".join(path.read_text(encoding="utf-8", errors="replace") for path in printed)
    if ended.reason is None:
        show_warnings(messages)
        return None
    if ended.reason == "timeout" or is_out_of_time(messages):
        return f"error: {command[0]} did not end within {seconds} s"
    if ended.reason == KILLED:
        raise KilledError(Path(command[0]).name)
    require_parts_alive(command[0], messages)
    return without_warnings(messages).strip() or f"error: {command[0]}: {ended.message}"


def _make(command: Sequence[str], folder: Path) -> None:
    """Compile a part of the judge itself."""
    errors = _run(command, folder)
    if errors is not None:
        raise UserError(f"{command[0]} does not compile the CPU device:\n{errors}")
