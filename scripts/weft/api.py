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
    """The text of a CUDA program, and in `calls` how its launcher is called."""

    __slots__ = ("calls",)
    calls: dict[str, Any]

    def __new__(cls, text: str, calls: dict[str, Any]) -> Program:
        program = super().__new__(cls, text)
        program.calls = calls
        return program

    def write(self, path: str | Path) -> None:
        """Write the text to `path`, such as `k.cu`, and `calls` beside it, as `k.json`.

        Raises UserError where nothing can be written.
        """
        path = Path(path)
        write_atomically(path, str(self))
        write_json(path.with_suffix(".json"), self.calls)


@overload
def translate(kernel: Any, *, library: Literal[False] = False, timeout: float = SECONDS) -> Program: ...
@overload
def translate(kernel: Any, *, library: Literal[True], timeout: float = SECONDS) -> dict[str, str]: ...
def translate(kernel: Any, *, library: bool = False, timeout: float = SECONDS) -> Program | dict[str, str]:
    """The CUDA program of a Warp kernel (`wp.Kernel`), a text that `nvcc` compiles; nothing is executed.

    The program has the kernel, its launcher, and a `main` that runs both. With `library` it is kernel and
    launcher alone, to be compiled into other programs: a mapping from file names, `{kernel}.cuh` and
    `{kernel}.cu`, to texts. A LAUNCH table in the kernel's file is relied on (docs/own_kernels.md); without
    one, nothing is but the code. Of a generic kernel, pass an instance, as wp.overload gives it.

    Warp works in a child process, for at most `timeout` seconds of CPU time; the caller's kernels, modules
    and devices stay as they are.

    Raises KernelError for a kernel that cannot be translated: `reason` is a word, `str()` the file, line and
    column, the line with a caret, and what would work. Raises UserError for what is no kernel.
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

    `program` is what `translate` gave, or the path of a `.cu` file with its `.json` beside it; of a file with
    several kernels, `sample` names one. `arguments` has scalars and arrays by the names of the kernel's
    parameters (`state.position` for a member of a struct), in the dtypes and shapes that
    weft.runs.numpy_arrays lists; None is a null array. What the kernel only writes may be left out where a
    launch description gives its shape. Nothing that is passed changes.

    `dims` are the launch dimensions, in threads; a kernel that LAUNCH describes takes the base `size` n in
    their place. `device` is `cpu` (by `compiler`, g++) or `cuda` (by nvcc). The run may take `timeout`
    seconds.

    Returns every array parameter by its name, as the kernel leaves it. Raises UserError for arguments that do
    not fit, saying which and what is expected, and CallError for a program that does not compile or that
    fails, with a `reason` (`out_of_bounds`, `timeout`, …).
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
