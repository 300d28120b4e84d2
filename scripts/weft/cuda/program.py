"""From IR records to programs: `translate` for one, `translate_shard` for all of a shard."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from weft.cuda.device import translate_device
from weft.cuda.device_code import DeviceCode
from weft.cuda.formatting import format_texts
from weft.cuda.host import write_program
from weft.errors import KernelError, reject


@dataclasses.dataclass(frozen=True)
class Program:
    """One sample's program: `text` without its `includes`; `kernel_name` in Python, `cuda_kernel_name` in
    C++.
    """

    sample_id: str
    includes: frozenset[str]
    text: str
    kernel_name: str
    cuda_kernel_name: str
    equality: str

    @property
    def alone(self) -> str:
        """The program as a file of its own."""
        return f"{include_lines(self.includes)}\n{self.text}"


def include_lines(includes: Iterable[str]) -> str:
    """`#include` lines: CUDA's headers first, then the others, sorted."""
    ordered = sorted(includes, key=lambda header: (not header.startswith("<cuda"), header))
    return "".join(f"#include {header}\n" for header in ordered)


def assemble(record: Mapping[str, Any], device: DeviceCode) -> Program:
    """The program of a record and its device code, before formatting."""
    host = write_program(record, device)
    return Program(
        sample_id=record["sample_id"],
        includes=host.includes,
        text=host.text,
        kernel_name=record["kernel_name"],
        cuda_kernel_name=device.kernel_c_name,
        equality=record["launch"]["equality"],
    )


def format_programs(programs: Sequence[Program]) -> list[Program]:
    """The programs in Weft's style."""
    texts = format_texts([program.text for program in programs])
    return [dataclasses.replace(program, text=text) for program, text in zip(programs, texts, strict=True)]


def translate(record: dict[str, Any]) -> Program:
    """The program of one record. Raises KernelError for what cannot be translated."""
    return format_programs([assemble(record, translate_device(record))])[0]


def translate_shard(records: Iterable[dict[str, Any]]) -> tuple[list[Program], list[dict[str, Any]]]:
    """The programs of all records that can be translated, and the rejects of the others."""
    programs, rejects = [], []
    for record in records:
        try:
            programs.append(assemble(record, translate_device(record)))
        except KernelError as error:
            rejects.append(reject(record, "cuda", error))
        except Exception as error:
            # A fault of the translator costs this sample, not its shard; statistics show it by its reason.
            fault = KernelError("internal_error", f"{type(error).__name__}: {error}")
            rejects.append(reject(record, "cuda", fault))
    return format_programs(programs), rejects
