from __future__ import annotations

import dataclasses
import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from strict import strict_toolchain
from weft.cuda.program import CudaProgram, join
from weft.cuda.shard import namespace
from weft.inputs import draw_parameter
from weft.launch import parse_launch
from weft.leaves import leaves, structs_of
from weft.recipes import MAIN_SEED, MAIN_SIZE
from weft.reference.store import as_bytes
from weft.runs.arrays import PackedArray, read_arrays, write_arrays
from weft.runs.call import Program
from weft.runs.interface import Interface, command, parse_interface
from weft.runs.main_output import main_differs
from weft.runs.shard import parse_shard
from weft.types import Array, parse_type

UNUSED = "-Wno-unused-parameter"
"""Kernels that are written by hand have parameters for their hosts alone."""


@dataclasses.dataclass(frozen=True)
class Executable:
    """A shard with the driver. `interfaces` and programs go by namespaces."""

    path: Path
    interfaces: Mapping[str, Interface]

    def run(self, *arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        words = [str(self.path), *map(str, arguments)]
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60, check=False)

    def program(self, name: str) -> Program:
        """To be called with NumPy arrays."""
        return Program(self.path, self.interfaces[name], name)

    def launch(
        self, name: str, inputs: Path, outputs: Path, size: int, *, fill: int = 0, repeat: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """One launch for a base size, from array file to array file, in the folder of the outputs."""
        numbers = self.interfaces[name].numbers_for(size)
        words = command(name, str(inputs), str(outputs), fill=fill, numbers=numbers, repeat=repeat)
        return self.run(*words, folder=outputs.parent)

    def launched(
        self, name: str, arrays: Sequence[PackedArray], folder: Path, size: int, *, fill: int = 0
    ) -> dict[str, PackedArray]:
        """What one launch leaves for these inputs."""
        write_arrays(folder / "inputs", arrays)
        done = self.launch(name, folder / "inputs", folder / "outputs", size, fill=fill)
        assert (done.returncode, done.stderr) == (0, "")
        before = {array.name: array.elements for array in arrays}
        return read_arrays(folder / "outputs", self.interfaces[name].structs, before=before)

    def main(self, name: str, folder: Path) -> str:
        """What a program's own main prints."""
        done = self.run(name, "--main", folder / "printed", folder=folder)
        assert (done.returncode, done.stderr) == (0, "")
        return (folder / "printed").read_text(encoding="utf-8")


def drawn(record: Mapping[str, Any], size: int = MAIN_SIZE, seed: int = MAIN_SEED) -> Iterator[PackedArray]:
    """The leaves of a record's kernel as weft.inputs draws them; of `out` arrays the shape alone."""
    launch, structs = parse_launch(record["launch"], record["kernel_name"]), structs_of(record)
    signature = [(one["name"], parse_type(one["type"])) for one in record["signature"]]
    for position, (name, kind) in enumerate(leaves(signature, structs)):
        parameter = launch.parameters[name]
        if parameter.null:
            continue
        shape = launch.storage_shape(name, size) if isinstance(kind, Array) else ()
        elements: npt.NDArray[np.uint8] = np.empty((0, 0), np.uint8)
        if parameter.role != "out":
            elements = as_bytes(
                draw_parameter(launch, name, kind, position, size=size, seed=seed, structs=structs)
            )
        yield PackedArray(name, kind.element if isinstance(kind, Array) else kind, shape, elements)


def main_problem(executable: Executable, record: Mapping[str, Any], folder: Path) -> str | None:
    """What a program's main prints otherwise than the launcher leaves for the inputs of weft.inputs."""
    name = namespace(record["sample_id"])
    interface = executable.interfaces[name]
    arrays = [one for one in drawn(record) if one.name in interface.leaves]
    left = executable.launched(name, arrays, folder, MAIN_SIZE)
    outputs = {name: left[name] for name in interface.outputs}
    return main_differs(executable.main(name, folder), outputs, interface.structs)


@pytest.fixture(scope="session")
def compile_shard(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[CudaProgram]], Executable]:
    """Compile programs as a shard for the CPU, with the driver."""
    folder = tmp_path_factory.mktemp("cpu")

    def compile_programs(programs: Sequence[CudaProgram]) -> Executable:
        interfaces = {
            one.sample_id: parse_interface(one.kernel_name, json.loads(json.dumps(one.interface)), "a test")
            for one in programs
        }
        shard = parse_shard(join(programs), "a test", interfaces)
        path = folder / f"program{len(list(folder.iterdir()))}"
        errors = strict_toolchain(folder, UNUSED).compile(shard.program(shard.samples), path)
        assert errors is None, errors
        return Executable(path, {one.namespace: one.interface for one in shard.samples})

    return compile_programs
