"""Warp on the CPU, pinned: with `whole_arrays` the only module of this stage that imports Warp.

What a kernel computes here must not depend on the machine and must equal plain IEEE arithmetic, as in
`g++ -O1 -fno-builtin -ffp-contract=off`. Warp's defaults don't promise that: they compile for the host's
processor, leave fused multiply-add to clang's default, and let LLVM evaluate calls such as sinf(0.1f) itself,
with results that differ from glibc's.
"""

from __future__ import annotations

import ast
import ctypes
import inspect
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import warp as wp

from weft import bfloat16
from weft.errors import KernelError
from weft.files import check_folder
from weft.ir.warp_inside.cpu_text import header_files, keep_headers_in
from weft.launch_sequence import Step, kernel_steps
from weft.reference.warp_twin import Twins
from weft.reference.whole_arrays import leaf_types, whole_arrays
from weft.scratch import scratch

MODULE_OPTIONS = {
    "enable_backward": False,
    "fuse_fp": False,
    "fast_math": False,
    "mode": "release",
    # The cheapest for compiling and running together: level 0 compiles a kernel in half the time but runs
    # loops four times as long, level 2 compiles longer. Without contraction the level changes no result.
    "optimization_level": 1,
    # All errors of a module at once, not the first 20: what has no twin is found in one go (Twins).
    "cpu_compiler_flags": "-ffp-contract=off -fno-builtin -ferror-limit 0",
}
"""Options of every Warp module that holds kernels of a shard (warp.get_module_options)."""


@contextmanager
def _stderr_to(path: Path) -> Iterator[None]:
    """Let whatever native code writes to standard error go to a file, past Python's sys.stderr."""
    saved = os.dup(2)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        os.dup2(file, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(file)


def start(folder: Path, headers: Sequence[Path] = ()) -> None:
    """Initialise Warp without GPUs, with its caches in `folder`, a temporary folder of this job.

    `headers` are folders with what make_headers made, from which kernels compile sooner. Raises UserError if
    a file of theirs is damaged.
    """
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    wp.config.kernel_cache_dir = str(folder / "kernel_cache")
    wp.config.log_level = wp.LOG_ERROR
    wp.config.enable_backward = False
    wp.config.enable_cpu_blocks = True  # else tiles have one thread, and another order of summation
    with _stderr_to(folder / "init.log"):  # where it says that there is no CUDA driver
        wp.init()
    own = folder / _HEADERS
    own.mkdir()
    for one in headers:
        check_folder(one)
    for file in sorted(file for one in headers for file in one.glob("*.pch")):
        (own / file.name).symlink_to(file.resolve())
    keep_headers_in(own)


_HEADERS = "headers"


def make_headers(folder: Path, block_dims: Sequence[int] = (1,)) -> None:
    """Precompile Warp's header into `folder`, an empty one, as modules of each block dimension need it.

    1 is for kernels without block dimension. Warp must not have been started in this process.
    """
    source = "import warp as wp\n\n\n@wp.kernel\ndef nothing():\n    pass\n"
    with scratch("headers") as here:
        start(here)
        for block_dim in block_dims:
            module = define("nothing", source, {"nothing": f"weft_headers_{block_dim}"}, here)
            load([(kernel_of(module, "nothing"), block_dim)], here, precompile_header=True)
            for file in header_files(here / _HEADERS, block_dim):
                shutil.copyfile(file, folder / file.name)


def header_key(block_dims: Sequence[int]) -> bytes:
    """What the precompiled headers depend on: clang takes them only with the very header that they are of."""
    header = Path(wp.__file__).parent / "native" / "builtin.h"
    return repr((version(), str(header), header.stat().st_mtime_ns, list(block_dims))).encode()


def version() -> str:
    """Warp's version."""
    return str(wp.config.version)


def define(name: str, source: str, modules: Mapping[str, str], folder: Path) -> ModuleType:
    """Execute a record's `python_source`, written to `folder`, and return the module.

    Warp compiles together the kernels that `modules` gives the same name of a module; it tells kernels,
    functions and structs of the same name apart by their content. Raises KernelError (`warp_error`) if the
    source raises.
    """
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    main = next(iter(modules.values()))
    module = ModuleType(main)
    module.__file__ = str(path)
    sys.modules[main] = module
    try:
        tree = ast.parse(source, str(path))
        tree.body = [part for one in tree.body for part in _under(modules.get(_name(one), main), one, main)]
        exec(compile(tree, str(path), "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        raise KernelError("warp_error", _message(error, folder)) from error
    return module


def _name(statement: ast.stmt) -> str:
    """What a definition defines."""
    return statement.name if isinstance(statement, ast.FunctionDef) else ""


def _under(module: str, statement: ast.stmt, main: str) -> list[ast.stmt]:
    """A statement of the module `main` as one of another: Warp asks a function for its module's name."""
    if module == main:
        return [statement]
    before, after = (ast.parse(f"__name__ = {one!r}").body for one in (module, main))
    return [*before, statement, *after]


def kernel_of(module: ModuleType, kernel_name: str) -> Any:
    """A Warp kernel of a module. Raises KernelError (`warp_error`) if it has none, or several instances."""
    kernel = getattr(module, kernel_name, None)
    if not isinstance(kernel, wp.Kernel):
        raise KernelError("warp_error", f"its Python source defines no kernel {kernel_name!r}")
    if not kernel.is_generic:
        return kernel
    overloads = list(kernel.overloads.values())
    if len(overloads) != 1:
        raise KernelError(
            "warp_error",
            f"its Python source makes {len(overloads)} kernels of generic {kernel_name!r}, not one",
        )
    return overloads[0]


def load(
    kernels: Sequence[tuple[Any, int | None]],
    folder: Path,
    *,
    precompile_header: bool,
    checked: bool = False,
    adjoint: bool = False,
    twins: Twins | None = None,
) -> None:
    """Compile and load the modules of Warp kernels, each for the block dimension that stands beside it.

    Kernels of one module have one block dimension. `checked` ones end the process where an index is out of
    range (see left_components); `adjoint` ones can be run backwards. `twins` are compiled with them.
    Raises KernelError (`warp_error`) for all together.

    Parsing Warp's header takes 1.7 s; precompiling it takes 2.9 s, which pays from the second module on. A
    header from make_headers is used wherever it fits; should it be of no use any more, because Warp was
    installed again, all is compiled once more without it.
    """
    log = folder / "compile.log"
    for module, block_dim in dict.fromkeys((kernel.module, block_dim) for kernel, block_dim in kernels):
        ready = not checked and bool(header_files(folder / _HEADERS, block_dim or 1))
        wp.config.use_precompiled_headers = precompile_header or ready
        mode = {"mode": "debug"} if checked else {}
        module.options.update(MODULE_OPTIONS | mode | {"enable_backward": adjoint})
        try:
            with _stderr_to(log), twins.compiling(log) if twins else nullcontext():
                loaded = module.load(wp.get_device("cpu"), block_dim=block_dim or 1)
        except Exception as error:
            if ready and not precompile_header:
                for file in header_files(folder / _HEADERS, block_dim or 1):
                    file.unlink()
                load(kernels, folder, precompile_header=False, adjoint=adjoint, twins=twins)
                return
            said = first_error(log.read_text(encoding="utf-8", errors="replace"))
            message = f"Warp's C++ does not compile: {said}" if said else _message(error, folder)
            raise KernelError("warp_error", message) from error
        if loaded is None:
            raise KernelError("warp_error", "Warp did not compile this kernel for the CPU")
        if twins:
            twins.take(loaded)


def first_error(log: str) -> str:
    """What clang refuses first, with the line that it is about; nothing if it says nothing."""
    found = re.search(r"error: (.*)(?:\n\s*(?:\d+ \|)?\s*(.*))?", log)
    if found is None:
        return next((line.strip() for line in log.splitlines() if line.strip()), "")
    return f"{found[1]}, in `{found[2].strip()}`" if found[2] else found[1]


def left_components(log: str) -> bool:
    """Whether what a checked kernel left on standard error says that the index of a component ended it."""
    place = re.search(r"^At '.*[/\\](\w+\.h):\d+'$", log, re.MULTILINE)
    return place is not None and place[1] in ("vec.h", "mat.h", "quat.h", "spatial.h")


def _message(error: BaseException, folder: Path) -> str:
    """The error's text without this job's folder, so that rejects are the same everywhere."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    return f"{type(error).__name__}: {text}".replace(f"{folder}{os.sep}", "")


class Kernel:
    """A loaded kernel, and how to hand it native memory, leaf by leaf (weft.leaves)."""

    def __init__(self, kernel: Any, block_dim: int | None, tiled: bool = True) -> None:
        self._kernel = kernel
        self._block_dim = block_dim
        self._tiled = tiled
        self._types: dict[str, Any] = {}
        for argument in kernel.adj.args:
            self._types |= leaf_types(argument.label, argument.type)

    def array(
        self, name: str, address: int, shape: tuple[int, ...], strides: tuple[int, ...], element_bytes: int
    ) -> Any:
        """A Warp array over native memory; `strides` are in elements, empty for a contiguous array.

        Raises KernelError if Warp's elements have another size.
        """
        array = wp.array(
            ptr=address,
            # What has no type of its own is a table that leads to an array's elements (weft.array_parts).
            dtype=self._types[name].dtype if name in self._types else wp.int32,
            shape=shape,
            strides=tuple(stride * element_bytes for stride in strides) or None,
            device="cpu",
            copy=False,
        )
        size = wp.types.type_size_in_bytes(array.dtype)
        if size != element_bytes:
            raise KernelError(
                "warp_error", f"array elements of parameter {name!r} have {size} bytes, not {element_bytes}"
            )
        return array

    def launch(self, dims: tuple[int, ...], leaves: Mapping[str, Any]) -> None:
        """Run all threads in order; with a block dimension, block after block.

        `leaves` has arrays (None for null) and the native bytes of by-value parameters.
        Raises KernelError for arguments that Warp refuses.
        """
        self._launch(dims, leaves)

    def recorded(self, dims: tuple[int, ...], leaves: Mapping[str, Any]) -> Callable[[], None]:
        """What does as `launch` does, again and again, on what the arrays hold then; five times as fast."""
        if not self._types.keys() >= leaves.keys():  # what tables hold decides where the elements are
            return lambda: self.launch(dims, leaves)
        return _raising(self._launch(dims, leaves, record_cmd=True).launch)

    def _launch(self, dims: tuple[int, ...], leaves: Mapping[str, Any], **options: Any) -> Any:
        if self._block_dim is not None:
            options["block_dim"] = self._block_dim
        launch = wp.launch_tiled if self._block_dim is not None and self._tiled else wp.launch
        try:
            leaves = whole_arrays(self._types, leaves)
            arguments = [_argument(one.label, one.type, leaves) for one in self._kernel.adj.args]
            return launch(self._kernel, dim=dims, inputs=arguments, device="cpu", **options)
        except KernelError:
            raise
        except Exception as error:
            raise KernelError("warp_error", str(error)) from error


def _raising(launch: Callable[[], None]) -> Callable[[], None]:
    """The launch, which raises KernelError (`warp_error`) for what Warp refuses."""

    def checked() -> None:
        try:
            launch()
        except Exception as error:
            raise KernelError("warp_error", str(error)) from error

    return checked


class MultiLaunchFunction:
    """Loaded kernels behind the Python function that launches them; used as Kernel is."""

    def __init__(
        self,
        function: Callable[..., None],
        signature: Sequence[str],
        kernels: Mapping[str, Any],
        steps: Sequence[Step],
    ) -> None:
        self._function = function
        self._signature = signature
        self._parameters: dict[str, tuple[Kernel, str]] = {}
        self._kinds: dict[str, Any] = {}
        loaded = {name: Kernel(kernel, None) for name, kernel in kernels.items()}
        for step in kernel_steps(steps):
            kinds = {argument.label: argument.type for argument in kernels[step.kernel].adj.args}
            for parameter, name in step.named.items():
                self._parameters[name] = (loaded[step.kernel], parameter)
                self._kinds[name] = kinds[parameter]

    def array(
        self, name: str, address: int, shape: tuple[int, ...], strides: tuple[int, ...], element_bytes: int
    ) -> Any:
        """A Warp array over native memory (Kernel.array)."""
        kernel, parameter = self._parameters[name]
        return kernel.array(parameter, address, shape, strides, element_bytes)

    def recorded(self, dims: tuple[int, ...], leaves: Mapping[str, Any]) -> Callable[[], None]:
        """What makes all launches; `dims` is the base size alone. See Kernel.recorded."""
        arguments = [_argument(name, self._kinds[name], leaves) for name in self._signature]
        takes_size = len(inspect.signature(self._function).parameters) > len(arguments)
        return _raising(lambda: self._function(*arguments, *(dims if takes_size else ())))

    def launch(self, dims: tuple[int, ...], leaves: Mapping[str, Any]) -> None:
        """Make all launches once. Raises KernelError for what Warp refuses."""
        self.recorded(dims, leaves)()


def _is_struct(kind: Any) -> bool:
    return hasattr(kind, "cls")


def _argument(name: str, kind: Any, leaves: Mapping[str, Any]) -> Any:
    """What Warp's launch takes for a parameter."""
    if _is_struct(kind):
        return NativeStruct(name, kind, leaves)
    leaf = leaves[name]
    if not isinstance(leaf, np.ndarray):
        return leaf
    if issubclass(kind, ctypes.Array):
        return kind.from_buffer_copy(leaf)
    return _scalar(kind, leaf)


def _struct(name: str, kind: Any, leaves: Mapping[str, Any]) -> ctypes.Structure:
    """A struct as the compiled kernel sees it: one leaf, or the sum of its fields' leaves."""
    if name in leaves:
        native: ctypes.Structure = kind.ctype.from_buffer_copy(leaves[name])
        return native
    native = kind.ctype()
    for field, variable in kind.vars.items():
        inner = f"{name}.{field}"
        if _is_struct(variable.type):
            content = bytes(_struct(inner, variable.type, leaves))
        elif leaves[inner] is None:
            continue
        elif not isinstance(leaves[inner], np.ndarray):
            content = bytes(leaves[inner].__ctype__())
        else:
            content = leaves[inner].tobytes()
        place = ctypes.addressof(native) + getattr(kind.ctype, field).offset
        ctypes.memmove(place, content, len(content))
    return native


def _scalar(kind: Any, native: npt.NDArray[np.uint8]) -> Any:
    """A number as Warp's launch takes it."""
    if kind is wp.bfloat16:
        return bfloat16.as_floats(native.view(bfloat16.BITS))[0].item()
    dtype = np.dtype(np.bool_) if kind in (bool, wp.bool) else np.dtype(wp.dtype_to_numpy(kind))
    return native.view(dtype)[0].item()


def _gradient(leaf: Any) -> Any:
    """What an adjoint takes in place of a leaf: an array's gradient, zero bytes for a value."""
    return np.zeros_like(leaf) if isinstance(leaf, np.ndarray) else getattr(leaf, "grad", None)


class NativeStruct:
    """A struct argument as Warp's launch takes it."""

    def __init__(self, name: str, kind: Any, leaves: Mapping[str, Any]) -> None:
        self._name = name
        self._kind = kind
        self._leaves = leaves

    def __ctype__(self) -> ctypes.Structure:
        return _struct(self._name, self._kind, self._leaves)

    def gradient(self) -> NativeStruct:
        """The struct that an adjoint takes beside this one."""
        return NativeStruct(self._name, self._kind, {n: _gradient(leaf) for n, leaf in self._leaves.items()})
