"""What a launch description lets a compiler assume of a kernel's numbers and of its grid, as text.

Where a mistake shows only in numbers that no described launch has (a test of the number of tiles, which is
always four; a thread beyond the end of a row that is whole blocks long), the program with the mistake is the
same program: nvcc says so once it knows the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.cuda.device_code import DeviceCode, KernelParameter
from weft.cuda.grid import threads_along
from weft.launch import Launch, parse_launch
from weft.sizes import Size, evaluate_size, size_names
from weft.types import Scalar


def launch_assumptions(record: Mapping[str, Any], code: DeviceCode) -> tuple[str, ...]:
    """Conditions in C++ on the kernel's whole numbers; none for a program of several launches."""
    if code.launcher is not None:
        return ()
    launch = parse_launch(record["launch"], record["kernel_name"])
    of_parameters = (
        condition
        for parameter in code.parameters
        if parameter.axis is None and not parameter.launches_only and parameter.name not in launch.inferred
        for condition in _conditions(parameter, launch)
    )
    return (*of_parameters, *_of_grid(code, launch))


def _of_grid(code: DeviceCode, launch: Launch) -> Iterator[str]:
    """The blocks along each axis of known length, and the threads of a block there."""
    if launch.inferred_dims or not code.covered_dims:
        return
    for name, axis in zip("xyz", code.grid.axes, strict=False):
        lengths = [known_size(code.covered_dims[dim], launch) for dim in axis.dims]
        if axis.filled or None in lengths:
            continue
        threads = threads_along(axis, code.grid.block)
        if axis.threads:
            yield f"threadIdx.{axis.threads} < {threads}u"
            yield f"blockDim.{axis.threads} == {threads}u"
        yield f"blockIdx.{name} < {-(-math.prod(filter(None, lengths)) // threads)}u"


def with_assumptions(device: str, kernel: str, conditions: Sequence[str]) -> str:
    """Device code whose kernel begins with those conditions whose parameter it has a use, and a name, for."""
    before, head, after = device.partition(f"__global__ void {kernel}(")
    signature, brace, body = after.partition(") {\n")
    told = [condition for condition in conditions if f"/*{condition.split()[0]}*/" not in signature]
    assumed = "".join(f"    __builtin_assume({condition});\n" for condition in told)
    return f"{before}{head}{signature}{brace}{assumed}{body}"


def _conditions(parameter: KernelParameter, launch: Launch) -> Iterator[str]:
    name = parameter.c_name
    if parameter.size is not None:
        known = known_size(parameter.size, launch)
        yield f"{name} > 0" if known is None else f"{name} == {known}"
    elif parameter.kind == "value" and isinstance(parameter.type, Scalar) and parameter.type.is_integer:
        recipe = launch.parameters[parameter.name].values
        if recipe is not None and recipe.kind == "integers":
            low, high = (known_size(bound, launch) for bound in recipe.arguments)
            if low is not None:
                yield f"{name} >= {low}"
            if high is not None:
                yield f"{name} < {high}"
        elif recipe is not None and recipe.kind == "constant":
            yield f"{name} == {int(recipe.arguments)}"


def known_size(size: Size, launch: Launch) -> int | None:
    """The value of a size that is the same whatever the base size is."""
    open_names = set(size_names(size))
    seen: set[str] = set()
    while open_names:
        name = open_names.pop()
        if name not in launch.sizes:
            return None
        seen.add(name)
        open_names |= size_names(launch.sizes[name]) - seen
    return evaluate_size(size, launch.named_sizes(1))
