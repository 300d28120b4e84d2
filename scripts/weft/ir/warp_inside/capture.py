"""One kernel as Warp understood it, in terms that know nothing of Warp."""

from __future__ import annotations

import ast
import copy
import dataclasses
import linecache
import re
import types
from collections.abc import Callable, Iterator
from typing import Any

import warp
from warp._src import codegen, context

from weft.ascii_names import ascii_name
from weft.ir.warp_inside.discovery import RefusedKernel, function_of
from weft.ir.warp_inside.generics import default_instance, default_types, instances
from weft.ir.warp_inside.module_names import Parts
from weft.ir.warp_inside.names import Names, key_of
from weft.ir.warp_inside.nvrtc import initialise
from weft.ir.warp_inside.recorder import Recorder, Recording
from weft.ir.warp_inside.texts import Texts, generate
from weft.ir.warp_inside.unrolling import replace_source, unrolled

MOST_UNROLLED = 16
"""Rounds in which loops of one kernel are written out; one round does the outermost of each function."""

_PLACE = re.compile(r'Error while parsing function "[^"]*" at [^\n]*:\d+:\n[^\n]*\n;?')
_CLASS = re.compile(r"<class '(?:\w+\.)*(\w+)'>")


BLOCK_DIM = 256
"""Threads of a block where nobody says otherwise, as in Warp."""


@dataclasses.dataclass(frozen=True)
class Function:
    """A function or the kernel: its source, its types, and what was recorded of its expressions.

    `source` is dedented by `column`; it begins at `line` of the file `filename`.
    """

    key: str
    name: str
    source: str
    tree: ast.FunctionDef
    filename: str
    line: int
    column: int
    parameters: list[tuple[str, str]]
    defaults: dict[str, Any]
    result: str | list[str] | None
    native_snippet: str | None
    recording: Recording


@dataclasses.dataclass(frozen=True)
class Struct:
    """A struct and the types of its fields."""

    name: str
    doc: str
    fields: list[tuple[str, str]]


@dataclasses.dataclass(frozen=True)
class Capture:
    """A kernel, the functions that it calls (callees first), its structs (used before using), its text."""

    kernel: Function
    functions: list[Function]
    structs: list[Struct]
    launch_rank: int
    texts: Texts
    parts: Parts
    has_default_types: bool = False
    """Whether the kernel is generic, has no instance, and took types that nobody chose."""


@dataclasses.dataclass(frozen=True)
class Origin:
    """Where in the user's files an error arose: column in bytes from 0, None where only the line is known."""

    filename: str
    line: int
    column: int


class CodegenError(Exception):
    """Warp refused the kernel; `reason` is one word."""

    def __init__(self, message: str, origin: Origin, reason: str = "warp_error") -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.origin = origin


def capture(
    kernel: Any, display: Callable[[str], str], overloads: dict[Any, Any], block_dim: int = BLOCK_DIM
) -> Capture:
    """Generate code for one kernel, recording types and calls. Raises CodegenError.

    `display` turns the path of a source file into the one that the generated text names. `overloads` keeps
    what builtin calls resolved to from one kernel to the next: that search is half of Warp's time.
    `block_dim` is the shape of tiles that hold a value of each thread.
    """
    if isinstance(kernel, RefusedKernel):
        raise CodegenError(_clean(kernel.error, display), _definition(kernel.function)) from kernel.error
    kernel.module.options["block_dim"] = block_dim
    if kernel.is_generic and not kernel.overloads:
        return _default(kernel, display, overloads)
    if kernel.is_generic:
        (kernel,) = kernel.overloads.values()
    return _capture(kernel, display, overloads)


def instances_of(kernel: Any) -> dict[str, Any]:
    """The instances of a generic kernel that has several, by what tells them apart; else the kernel."""
    if isinstance(kernel, RefusedKernel) or not kernel.is_generic or len(kernel.overloads) < 2:
        return {"": kernel}
    return instances(kernel)


def _default(kernel: Any, display: Callable[[str], str], overloads: dict[Any, Any]) -> Capture:
    """The capture of a generic kernel without instances, with the first default types that Warp takes."""
    refusals: list[str] = []
    for parameter_types in default_types(kernel):
        try:
            with default_instance(kernel, parameter_types) as instance:
                return dataclasses.replace(_capture(instance, display, overloads), has_default_types=True)
        except CodegenError as error:
            refusals.append(error.message)
        except (RuntimeError, TypeError, ValueError) as error:
            refusals.append(_clean(error, display))
    why = f" (with float32: {refusals[0]})" if refusals else ""
    raise CodegenError(
        f"{kernel.key!r} has parameters of any type and no instance, and no default fits{why}; "
        f"make one, as in wp.overload({kernel.key}, [wp.array(dtype=float), float])",
        _definition(kernel.func),
        "generic",
    )


def _capture(kernel: Any, display: Callable[[str], str], overloads: dict[Any, Any]) -> Capture:
    """The capture with loops written out whose iterations are different code; the text is Warp's own."""
    captured = first = _captured_once(kernel, display, overloads)
    for _ in range(MOST_UNROLLED):
        changed = False
        for function in (captured.parts.kernel, *captured.parts.functions.values()):
            source = unrolled(captured.parts.recorder.recording(function.adj))
            if source is not None:
                changed = True
                if function is captured.parts.kernel:
                    kernel = copy.copy(kernel)
                    kernel.adj = replace_source(function.adj, source)
                else:
                    function.adj = replace_source(function.adj, source)
        if not changed:
            break
        captured = _captured_once(kernel, display, overloads)
    return dataclasses.replace(captured, texts=first.texts)


def _captured_once(kernel: Any, display: Callable[[str], str], overloads: dict[Any, Any]) -> Capture:
    recorder = Recorder(overloads)
    try:
        try:
            builder, texts = _generated(kernel, recorder, display)
        except AttributeError:
            if context.runtime is not None:
                raise
            # A few builtins, and constants of half precision, need Warp's native library; loading it costs
            # half a second, so it waits until a kernel asks for it.
            initialise()
            recorder = Recorder(overloads)
            builder, texts = _generated(kernel, recorder, display)
    except Exception as error:
        adjoint, node = recorder.failure or (kernel.adj, kernel.adj.tree.body[0])
        raise CodegenError(_clean(error, display), _origin(adjoint, node)) from error
    names = recorder.names
    reachable = _reachable(recorder, kernel.adj, builder.functions)
    functions = [_function(key, f, f.adj, recorder) for key, f in reachable.items()]
    captured = _function(key_of(kernel, kernel.func), None, kernel.adj, recorder)
    return Capture(
        captured, functions, _structs(names), kernel.adj.kernel_dim, texts, Parts(kernel, reachable, recorder)
    )


def _generated(kernel: Any, recorder: Recorder, display: Callable[[str], str]) -> tuple[Any, Texts]:
    with recorder.active():
        builder = _build(kernel)
    return builder, _texts(builder, kernel, display)


# Products of tiles in Warp's own code: compiling NVIDIA's takes half a minute, and no text shows it.
_CODE = {"enable_mathdx_gemm": False, "enable_mathdx_fft": False, "enable_mathdx_solver": False}


def _build(kernel: Any) -> Any:
    """Warp's builder with this kernel alone, whatever else its module holds."""
    kernel.module.options["strip_hash"] = True
    kernel.key = ascii_name(key_of(kernel, kernel.func))
    options = kernel.module.resolve_options(warp.config) | _CODE | {"output_arch": 90}
    kernel.adj.get_references()
    kernel.grid_stride = codegen.resolve_grid_stride(kernel.options, options["default_grid_stride"])
    alone = types.SimpleNamespace(unique_kernels={b"": kernel}, get_unique_kernels=lambda: [kernel])
    return context.ModuleBuilder(kernel.module, options, hasher=alone)


def _texts(builder: Any, kernel: Any, display: Callable[[str], str]) -> Texts:
    adjoints = [kernel.adj, *(function.adj for function in builder.functions)]
    filenames = [adjoint.filename for adjoint in adjoints]
    try:
        for adjoint in adjoints:
            adjoint.filename = display(adjoint.filename)
        return generate(builder, kernel)
    finally:
        for adjoint, filename in zip(adjoints, filenames, strict=True):
            adjoint.filename = filename


def _reachable(recorder: Recorder, root: Any, built: Any) -> dict[str, Any]:
    """The functions that the kernel's forward code calls, by key, in the order in which Warp built them."""
    by_key = {key: function for function, key in recorder.names.functions.items()}
    reached: set[str] = set()
    pending = [root]
    while pending:
        calls = list(recorder.recording(pending.pop()).calls.values())
        for call in [*calls, *(call.applied for call in calls if call.applied is not None)]:
            if call.kind == "function" and call.name not in reached:
                reached.add(call.name)
                pending.append(by_key[call.name].adj)
    order = [recorder.names.functions[function] for function in built if function in recorder.names.functions]
    return {key: by_key[key] for key in order if key in reached}


def _function(key: str, function: Any, adjoint: Any, recorder: Recorder) -> Function:
    names = recorder.names
    results = [names.type(var.type) for var in adjoint.return_var or ()]
    return Function(
        key,
        adjoint.fun_name,
        adjoint.source,
        adjoint.tree.body[0],
        adjoint.filename,
        adjoint.fun_lineno,
        _removed_columns(adjoint),
        [(parameter.label, names.type(parameter.type)) for parameter in adjoint.args],
        {name: value for name, value in _defaults(function, names) if value is not None},
        None if not results else results[0] if len(results) == 1 else results,
        function.native_snippet if function else None,
        recorder.recording(adjoint),
    )


def _defaults(function: Any, names: Names) -> Iterator[tuple[str, Any]]:
    for name, value in (function.defaults if function else {}).items():
        yield name, None if isinstance(value, context.Function) else names.value(value)


def _structs(names: Names) -> list[Struct]:
    structs: dict[str, Struct] = {}

    def add(struct: Any) -> None:
        name = names.struct(struct)
        if name in structs:
            return
        fields = []
        for label, var in struct.vars.items():
            for part in (var.type, getattr(var.type, "dtype", None)):
                if isinstance(part, codegen.Struct):
                    add(part)
            fields.append((label, names.type(var.type)))
        structs[name] = Struct(name, struct.cls.__doc__ or "", fields)

    for struct in list(names.structs):
        add(struct)
    return list(structs.values())


def _removed_columns(adjoint: Any) -> int:
    line = linecache.getline(adjoint.filename, adjoint.fun_lineno)
    return len(line) - len(line.lstrip(" \t"))


def definition_of(kernel: Any) -> Origin:
    """Where the def of a kernel stands, below its decorators."""
    return _definition(function_of(kernel))


def _definition(function: Any) -> Origin:
    code = function.__code__
    lines = linecache.getlines(code.co_filename)
    after = range(code.co_firstlineno, len(lines) + 1)
    line = next((n for n in after if lines[n - 1].lstrip().startswith("def ")), code.co_firstlineno)
    text = lines[line - 1]
    return Origin(code.co_filename, line, len(text) - len(text.lstrip(" \t")))


def _origin(adjoint: Any, node: Any) -> Origin:
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    return Origin(adjoint.filename, adjoint.fun_lineno + line - 1, column + _removed_columns(adjoint))


def _clean(error: Exception, display: Callable[[str], str]) -> str:
    """Warp's message without the places that it repeats on the way out."""
    message = str(error.args[0]) if error.args else str(error)
    message = _PLACE.sub("", message)
    message = _CLASS.sub(r"\1", message)
    message = re.sub(r"\S+\.py(?=:\d+)", lambda match: display(match.group()), message)
    return message.strip() or type(error).__name__
