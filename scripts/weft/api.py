"""What `import weft` offers: the program of a live kernel, and a call of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from weft.errors import UserError, error_of
from weft.files import as_read, write_atomically, write_json
from weft.recursion import deep_recursion
from weft.scratch import scratch

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SECONDS = 20.0


class Program(str):
    """The text of a CUDA program; `calls` says how to call its launcher."""

    __slots__ = ("calls",)
    calls: dict[str, Any]

    def __new__(cls, text: str, calls: dict[str, Any]) -> Program:
        program = super().__new__(cls, text)
        program.calls = calls
        return program

    def write(self, path: str | Path) -> None:
        """Write the text to `path`, such as `k.cu`, and `calls` beside it, as `k.json`.

        Raises UserError if a file cannot be written.
        """
        path = Path(path)
        write_atomically(path, str(self))
        write_json(path.with_suffix(".json"), self.calls)


@overload
def translate(kernel: Any, *, library: Literal[False] = False, timeout: float = SECONDS) -> Program: ...
@overload
def translate(kernel: Any, *, library: Literal[True], timeout: float = SECONDS) -> dict[str, str]: ...
def translate(kernel: Any, *, library: bool = False, timeout: float = SECONDS) -> Program | dict[str, str]:
    """Translate a Warp kernel (`wp.Kernel`) into a CUDA program, a text that `nvcc` compiles. Runs nothing.

    The program has the kernel, its launcher, and a `main` that runs both. With `library`, the result has only
    kernel and launcher, to compile into other programs: a mapping from file names, `{kernel}.cuh` and
    `{kernel}.cu`, to texts. The translation relies on a LAUNCH table in the kernel's file
    (docs/own_kernels.md) or, without one, only on the code. For a generic kernel, pass an instance, as
    returned by wp.overload.

    Warp runs in a child process, for at most `timeout` seconds of CPU time. The caller's kernels, modules and
    devices do not change.

    Raises KernelError if the kernel cannot be translated: `reason` is a word, and `str()` gives the file,
    line, column, a caret and the message. Raises UserError if `kernel` is not a kernel.
    """
    from weft.cuda.index import write_index
    from weft.cuda.library import LibraryOptions, translate_library, write_libraries
    from weft.cuda.program import translate as translate_record
    from weft.ir.processes import in_children

    with scratch("warp-cache") as cache, deep_recursion():
        ir = as_read(in_children(getattr(kernel, "key", "a kernel"), timeout, _live_ir, cache, kernel))
    for rejected in ir["rejects"]:
        raise error_of(rejected)
    (record,) = ir["records"]
    if library:
        options = LibraryOptions()
        libraries = write_libraries([translate_library(record, options)], options)
        return {name: text for one in libraries for name, text in one.files.items()}
    program = translate_record(record)
    return Program(program.standalone, write_index(ir, [program]))


def _live_ir(*arguments: Any) -> dict[str, Any]:
    # Imported in the child: it hides all GPUs from its process, and the caller's may need them.
    from weft.ir.live import live_ir

    return live_ir(*arguments)


def call(
    program: Program | str | Path,
    arguments: Mapping[str, Any],
    *,
    dims: Sequence[int] | None = None,
    size: int | None = None,
    sample: str | None = None,
    device: str = "cpu",
    compiler: str | None = None,
    timeout: float = 60.0,
) -> dict[str, npt.NDArray[np.generic]]:
    """Compile a program and run its kernel once: NumPy arrays in, NumPy arrays out.

    `program` is the result of `translate`, or the path of a `.cu` file with its `.json` beside it. If the
    file has several kernels, `sample` names one. `arguments` maps the kernel's parameters
    (`state.position` for a member of a struct) to scalars and arrays, in the dtypes and shapes that
    weft.runs.numpy_arrays lists; None is a null array. Arrays that the kernel only writes may be omitted if a
    launch description gives their shape. The arguments do not change.

    `dims` are the launch dimensions, in threads. For a kernel with a launch description, pass the base
    `size` n instead. `device` is `cpu` (`compiler` is g++) or `cuda` (nvcc). The run may take `timeout`
    seconds.

    Returns every array parameter by name, after the launch. Raises UserError if an argument does not fit, and
    says what is expected. Raises CallError if the program does not compile or fails, with a `reason`
    (`out_of_bounds`, `timeout`, …).
    """
    from weft.runs.call import call as call_file

    options: dict[str, Any] = {"dims": dims, "size": size, "sample": sample}
    options |= {"device": device, "compiler": compiler, "timeout": timeout}
    if not isinstance(program, Program):
        if "\n" in str(program):
            raise UserError(
                "call: this text does not say how to call it: pass the result of translate, or a path"
            )
        return call_file(program, arguments, **options)
    with scratch("program") as folder:
        program.write(folder / "program.cu")
        return call_file(folder / "program.cu", arguments, **options)
