"""Kernels of every category, executed by Warp on the CPU: finite, not constant, free of thread order."""

import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from weft import types
from weft.inputs import draw_parameter
from weft.kernels import category_names, emit, generate_program
from weft.kernels.program import Program, rename_struct
from weft.launch import parse_launch

SEED = 17
KERNELS_PER_CATEGORY = 2
SIZES = (1, 31, 257)


def sampled_programs() -> list[Program]:
    """A few kernels of each category, renamed so that all fit in one module, which Warp compiles once."""
    programs = []
    for category in category_names():
        for index in range(KERNELS_PER_CATEGORY):
            program = generate_program(category, SEED, index)
            prefix = f"{category}_{index}"
            program.name = prefix
            for struct in program.structs:
                before, struct.name = struct.name, f"{struct.name}{prefix.title().replace('_', '')}"
                rename_struct(program, before, struct.name)
            for constant in program.constants:
                constant.name = f"{constant.name}_{prefix.upper()}"
            for function in program.functions:
                function.name = f"{prefix}_{function.name}"
            programs.append(program)
    return programs


def module_text(programs: list[Program]) -> str:
    """All kernels, each a second time with its threads in the opposite order."""
    blocks = []
    for program in programs:
        blocks += [emit.constant(constant) for constant in program.constants]
        blocks += [emit.struct(struct) for struct in program.structs]
        blocks += [emit.function(function) for function in program.functions]
        forward = emit.kernel(program)
        blocks += [forward, reversed_threads(forward)]
    return emit.module("Sampled kernels.", programs, blocks)


def reversed_threads(kernel: str) -> str:
    """The kernel with `last - i` for every thread index `i`, where `last_…` are additional parameters."""
    head, tid, body = kernel.partition(" = wp.tid()\n")
    lines = head.splitlines()
    names = [name.strip() for name in lines[-1].split(",")]
    lines[-1] = f"    {', '.join(f'{name}_before' for name in names)}"
    turned = "".join(f"    {name} = last_{name} - {name}_before\n" for name in names)
    signature, colon, rest = "\n".join(lines).partition("):\n")
    separator = "" if signature.rstrip().endswith(",") else ", "
    parameters = ", ".join(f"last_{name}: int" for name in names)
    signature = signature.replace("(", "_reversed(", 1) + separator + parameters
    return signature + colon + rest + tid + turned + body


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Program], ModuleType]]:
    import warp as wp

    folder = tmp_path_factory.mktemp("kernels")
    before = wp.config.kernel_cache_dir, wp.config.enable_backward
    wp.config.kernel_cache_dir, wp.config.enable_backward = str(folder / "cache"), False
    programs = sampled_programs()
    path = folder / "sampled_kernels.py"
    path.write_text(module_text(programs))
    spec = importlib.util.spec_from_file_location("sampled_kernels", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["sampled_kernels"] = module
    spec.loader.exec_module(module)
    yield programs, module
    del sys.modules["sampled_kernels"]
    wp.config.kernel_cache_dir, wp.config.enable_backward = before


def launch(module: ModuleType, program: Program, size: int, *, turned: bool) -> dict[str, np.ndarray]:
    """Outputs of one launch on drawn inputs, by name."""
    import warp as wp

    description = parse_launch(module.LAUNCH[program.name], program.name)
    structs = {struct.name: struct.fields for struct in program.structs}
    kernel = getattr(module, program.name + ("_reversed" if turned else ""))
    arguments: list[Any] = []
    outputs = {}
    for position, parameter in enumerate(program.parameters):
        packed = draw_parameter(
            description, parameter.name, parameter.type, position, size=size, seed=0, structs=structs
        )
        warp_type = kernel.adj.args[position].type
        if isinstance(parameter.type, types.Array):
            array = wp.zeros(description.shape(parameter.name, size), dtype=warp_type.dtype, device="cpu")
            if parameter.role != "out":
                array.numpy().view(np.uint8).reshape(-1)[:] = packed.view(np.uint8)
            arguments.append(array)
            if parameter.role != "in":
                outputs[parameter.name] = array
        elif isinstance(parameter.type, types.Struct):
            value = getattr(module, parameter.type.name)()
            for (field, _), component in zip(structs[parameter.type.name], packed[0], strict=True):
                setattr(value, field, component.item())
            arguments.append(value)
        else:
            arguments.append(warp_type(*(component.item() for component in packed[0])))
    dims = description.launch_dims(size)
    last = [dim - 1 for dim in dims] if turned else []
    wp.launch(kernel, dim=dims, inputs=[*arguments, *last], device="cpu")
    return {name: array.numpy() for name, array in outputs.items()}


def test_sampled_kernels_are_defined_meaningful_and_free_of_races(
    executed: tuple[list[Program], ModuleType],
):
    programs, module = executed
    for program in programs:
        for size in SIZES:
            outputs = launch(module, program, size, turned=False)
            backwards = launch(module, program, size, turned=True)
            for name, value in outputs.items():
                where = f"{program.name} ({program.doc}): {name} at size {size}"
                numbers = np.asarray(value).reshape(-1)
                assert np.isfinite(numbers).all(), where
                assert value.tobytes() == backwards[name].tobytes(), where
                assert size == 1 or value.size < 4 or len(np.unique(numbers)) > 1, where
