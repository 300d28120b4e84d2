"""The kernels of a module: those it decorates, those it has made by factories, those it keeps in tables."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any

import warp
from warp._src import context


@dataclasses.dataclass(frozen=True)
class RefusedKernel:
    """What stands in a module for a kernel that Warp refused as soon as it was decorated."""

    function: FunctionType
    error: Exception


@dataclasses.dataclass(frozen=True)
class Made:
    """A kernel or a refused one, and the name of the module whose body was running when it was made."""

    kernel: Any
    module: str


@contextmanager
def noting_kernels() -> Iterator[list[Made]]:
    """While modules are imported, note every kernel that is made, in order.

    @wp.kernel puts a RefusedKernel where it would raise, so that one kernel with a missing annotation does
    not take the others of its file with it.
    """
    made: list[Made] = []
    original_decorator, original_init = warp.kernel, context.Kernel.__init__

    def attempt(decorate: Callable[[Any], Any], function: Any) -> Any:
        count = len(made)
        try:
            kernel = decorate(function)
        except Exception as error:
            kernel = RefusedKernel(function, error)
        # Warp hands out a kernel that it knows already in place of an equal one in a module of its own.
        if not any(one.kernel is kernel for one in made):
            made[count:] = [Made(kernel, _running_module())]
        else:
            made[count:] = [one for one in made[count:] if one.kernel is kernel]
        return kernel

    def decorator(function: Any = None, **options: Any) -> Any:
        if function is not None:
            return attempt(lambda f: original_decorator(f, **options), function)
        return lambda later: attempt(original_decorator(**options), later)

    def init(kernel: Any, *arguments: Any, **options: Any) -> None:
        original_init(kernel, *arguments, **options)
        made.append(Made(kernel, _running_module()))

    warp.kernel, context.Kernel.__init__ = decorator, init
    try:
        yield made
    finally:
        warp.kernel, context.Kernel.__init__ = original_decorator, original_init


def _running_module() -> str:
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back  # type: ignore[assignment]
    return str(frame.f_globals.get("__name__")) if frame is not None else ""


def kernels_of(module: ModuleType, made: list[Made]) -> dict[str, Any]:
    """The kernels of a module that was imported, by name, in the order in which they were made.

    Its own are those that its body made, by decorators or by calling factories wherever those stand, but not
    those that it replaced. Each is named as the module names it; else, such as in a table, like its function,
    with a number where several have one name.
    """
    names = {id(thing): name for name, thing in reversed(vars(module).items()) if is_kernel(thing)}
    own = [one.kernel for one in made if one.module == module.__name__]
    noted = {id(kernel) for kernel in own}
    kept = _kept(module)
    # A module that Warp or its own package imports early was there before anything was noted.
    own += [
        kernel
        for kernel in kept.values()
        if id(kernel) not in noted and function_of(kernel).__module__ == module.__name__
    ]
    own = [k for k in own if id(k) in kept or "<locals>" in function_of(k).__qualname__]
    return named([(names.get(id(kernel)), kernel) for kernel in own])


def replaced_kernels(module: ModuleType, made: list[Made]) -> list[tuple[Any, Any]]:
    """The kernels of a module's body that have been replaced, each with the later kernel of its name."""
    kept = _kept(module)
    own = [one.kernel for one in made if one.module == module.__name__ and id(one.kernel) not in kept]
    found = [
        (kernel, vars(module).get(function_of(kernel).__name__))
        for kernel in own
        if "<locals>" not in function_of(kernel).__qualname__
    ]
    return [
        (kernel, other) for kernel, other in found if is_kernel(other) and _code_of(kernel) != _code_of(other)
    ]


def _code_of(kernel: Any) -> tuple[str, int]:
    code = function_of(kernel).__code__
    return code.co_filename, code.co_firstlineno


def named(kernels: list[tuple[str | None, Any]]) -> dict[str, Any]:
    """Kernels by name: the given one, or that of the function, numbered where it is taken."""
    given = {name for name, _ in kernels if name is not None}
    found: dict[str, Any] = {}
    for name, kernel in kernels:
        plain = name or function_of(kernel).__name__
        number = 1
        unique = plain
        while unique in found or (name is None and unique in given):
            number += 1
            unique = f"{plain}_{number}"
        found[unique] = kernel
    return found


def is_kernel(thing: Any) -> bool:
    """Whether a value is a Warp kernel, refused or not."""
    return isinstance(thing, context.Kernel | RefusedKernel)


def function_of(kernel: Any) -> FunctionType:
    """The Python function of a kernel, refused or not."""
    function: FunctionType = kernel.function if isinstance(kernel, RefusedKernel) else kernel.func
    return function


def kernels_within(value: Any, depth: int = 3) -> Iterator[Any]:
    """The kernels that a value is or holds: in a mapping, a sequence or the attributes of a class."""
    if is_kernel(value):
        yield value
    elif depth:
        held: list[Any] = []
        if isinstance(value, Mapping):
            held = list(value.values())
        elif isinstance(value, list | tuple):
            held = list(value)
        elif isinstance(value, type):
            held = [v.__func__ if isinstance(v, staticmethod) else v for v in vars(value).values()]
        for item in held:
            yield from kernels_within(item, depth - 1)


def _kept(module: ModuleType) -> dict[int, Any]:
    """The kernels that names of the module are or hold, by their ids."""
    return {id(kernel): kernel for value in list(vars(module).values()) for kernel in kernels_within(value)}
