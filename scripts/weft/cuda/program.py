"""From IR records to programs: `translate` for one, `translate_shard` for all of a shard."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from weft.cuda.device import Observer, ignore, translate_device
from weft.cuda.device_code import DeviceCode
from weft.cuda.formatting import format_texts
from weft.cuda.host import Draft, write_program
from weft.cuda.multi_launch import translate_program
from weft.cuda.passes.memory import CONSTANT_BYTES
from weft.cuda.shard import Part, include_lines, join_parts, namespace
from weft.cuda.source_map import source_lines
from weft.errors import KernelError, internal_error, reject
from weft.recursion import deep_recursion


@dataclasses.dataclass(frozen=True)
class CudaProgram:
    """One sample's program: `text` without its `includes`; `kernel_name` in Python, `cuda_kernel_name` in
    C++. `source_lines` say which lines of the program `standalone` come from which lines of the source.
    """

    sample_id: str
    includes: frozenset[str]
    text: str
    kernel_name: str
    cuda_kernel_name: str
    equality: str
    interface: Mapping[str, Any]
    source_lines: list[list[int]]

    @property
    def standalone(self) -> str:
        """The program as a file of its own."""
        return f"{include_lines(self.includes)}\n{self.text}"


def join(programs: Sequence[CudaProgram]) -> str:
    """The text of a shard."""
    includes = frozenset[str]().union(*(program.includes for program in programs))
    parts = [
        Part(program.sample_id, program.kernel_name, namespace(program.sample_id), program.text)
        for program in programs
    ]
    return join_parts(include_lines(includes), parts)


def write_programs(translated: Sequence[tuple[Mapping[str, Any], Draft]]) -> list[CudaProgram]:
    """The programs of records and their drafts, in Weft's style. One formatter process serves all."""
    formatted = format_texts([part for _, draft in translated for part in (draft.device, draft.main)])
    programs = []
    for number, (record, draft) in enumerate(translated):
        device, main = formatted[2 * number], formatted[2 * number + 1]
        programs.append(
            CudaProgram(
                sample_id=record["sample_id"],
                includes=draft.includes,
                text=f"{device}\n{main}",
                kernel_name=record["kernel_name"],
                cuda_kernel_name=draft.kernel,
                equality=record["launch"]["equality"],
                interface=draft.interface,
                source_lines=source_lines(draft.marked, device, len(draft.includes) + 1),
            )
        )
    return programs


def device_code(record: dict[str, Any], observe: Observer = ignore) -> DeviceCode:
    """The device code of a record, be it of a kernel or of a program of several launches."""
    with deep_recursion():
        if record["launch"].get("steps"):
            return translate_program(record, observe)
        return translate_device(record, observe)


def translate(record: dict[str, Any]) -> CudaProgram:
    """The program of one record. Raises KernelError for what cannot be translated."""
    return write_programs([(record, write_program(record, device_code(record)))])[0]


def _no_space(needed: int, left: int) -> str:
    return f"constant tables of {needed} bytes: of {CONSTANT_BYTES} in a shard, those before it leave {left}"


def translate_shard(records: Iterable[dict[str, Any]]) -> tuple[list[CudaProgram], list[dict[str, Any]]]:
    """The programs of all records that can be translated, and the rejects of the others."""
    translated: list[tuple[dict[str, Any], Draft]] = []
    rejects = []
    space = CONSTANT_BYTES
    for record in records:
        try:
            draft = write_program(record, device_code(record))
            if draft.constant_bytes > space:
                raise KernelError("constant_memory", _no_space(draft.constant_bytes, space))
            space -= draft.constant_bytes
            translated.append((record, draft))
        except KernelError as error:
            rejects.append(reject(record, "cuda", error))
        except Exception as error:
            # A fault of the translator costs this sample, not its shard; statistics show it by its reason.
            rejects.append(reject(record, "cuda", internal_error(error)))
    return write_programs(translated), rejects
