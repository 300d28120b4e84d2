"""What becomes of an IR file on the disk: the program of one kernel, or libraries."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from weft.cuda.index import write_index
from weft.cuda.library import Library, LibraryOptions, translate_library
from weft.cuda.library import write_libraries as libraries_of
from weft.cuda.program import translate_shard
from weft.errors import KernelError, UserError, internal_error, reject
from weft.files import write_atomically, write_json


def write_sample(ir: dict[str, Any], output: Path | None, index: Path | None) -> list[dict[str, Any]]:
    """Write the program of the one sample, and how to call it beside it; to standard output, without that, if
    `output` is None. Its reject, if any.
    """
    programs, rejects = translate_shard(ir["records"])
    for program in programs:
        if output is None or index is None:
            sys.stdout.write(program.standalone)
        else:
            write_atomically(output, program.standalone)
            write_json(index, write_index(ir, [program]))
    return rejects


def write_libraries(ir: dict[str, Any], folder: Path, options: LibraryOptions) -> list[dict[str, Any]]:
    """Write the header and the source of each kernel, and headers of structs that they share; the rejects.

    Raises UserError before anything is written if two kernels have one name, or the folder has files of the
    same names that are no library of the same kernel.
    """
    translated = []
    rejects = []
    for record in ir["records"]:
        try:
            translated.append(translate_library(record, options))
        except KernelError as error:
            rejects.append(reject(record, "cuda", error))
        except UserError:
            raise
        except Exception as error:
            rejects.append(reject(record, "cuda", internal_error(error)))
    libraries: dict[str, Library] = {}
    for one in libraries_of(translated, options):
        if one.name in libraries:
            raise UserError(f"two kernels are named {one.name!r}: choose one with --sample")
        libraries[one.name] = one
    for one in libraries.values():
        one.require_own(folder)
    for one in libraries.values():
        for name, text in one.files.items():
            write_atomically(folder / name, text)
    return rejects
