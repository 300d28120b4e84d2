"""Translate a user's file in a test."""

import dataclasses
import textwrap
from pathlib import Path
from typing import Any

from weft.cuda.device import translate_device
from weft.cuda.device_code import DeviceCode
from weft.cuda.formatting import format_texts
from weft.cuda.source_map import unmarked
from weft.errors import KernelError
from weft.ir.build import build_ir

HEADER = "import warp as wp\n\n"


def record_of(folder: Path, text: str) -> dict[str, Any]:
    """The IR record of the one kernel of a file with this text, below an import of Warp."""
    path = folder / "kernels.py"
    path.write_text(HEADER + textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    ir = build_ir(path, category="user", seed=0, device="cuda")
    assert [reject["message"] for reject in ir["rejects"]] == []
    (record,) = ir["records"]
    return dict(record)


def alone(source: str, kernel: str) -> str:
    """One kernel of a file, with its entry of LAUNCH and what stands above all kernels."""
    head, *kernels = source.split("@wp.kernel\n")
    own = next(one for one in kernels if one.startswith(f"def {kernel}(")).partition("\n\n\n")[0]
    entry = source.partition("LAUNCH = {")[2].partition(f'    "{kernel}": {{')[2].partition("\n    },\n")[0]
    return f'{head}@wp.kernel\n{own}\n\n\nLAUNCH = {{\n    "{kernel}": {{{entry}\n    }},\n}}\n'


def device_of(folder: Path, text: str) -> DeviceCode:
    """The device code of a file's one kernel, without the marks of its lines."""
    device = translate_device(record_of(folder, text))
    sections = [dataclasses.replace(section, text=unmarked(section.text)) for section in device.sections]
    return dataclasses.replace(device, sections=tuple(sections))


def text_of(folder: Path, text: str) -> str:
    """Definitions and kernel of a file's one kernel, laid out."""
    device = device_of(folder, text)
    return format_texts([f"{device.definitions}\n{device.kernel}"])[0]


def refusal_of(folder: Path, text: str) -> KernelError:
    """The error with which a file's one kernel is refused."""
    try:
        device = device_of(folder, text)
    except KernelError as error:
        return error
    raise AssertionError(f"translated:\n{device.kernel}")
