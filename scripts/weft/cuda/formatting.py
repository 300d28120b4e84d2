"""Layout of generated C++ by clang-format, with the style file beside this module."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import clang_format  # type: ignore[import-untyped]

from weft.cuda.source_map import unmarked
from weft.tools import run_tool

STYLE = Path(__file__).parent / "style.clang-format"

_SEPARATOR = "#pragma weft next_text"


def format_texts(texts: Sequence[str]) -> list[str]:
    """Each text in Weft's style, ending in one newline. One process formats all of them.

    A preprocessor line between two texts keeps them apart: the layout of a text does not depend on its
    neighbours. Raises RuntimeError if clang-format fails.
    """
    if not texts:
        return []
    separator = f"\n\n{_SEPARATOR}\n\n"
    command = [
        clang_format.get_executable("clang-format"),
        f"--style=file:{STYLE}",
        "--assume-filename=program.cu",
    ]
    result = run_tool(command, text=separator.join(unmarked(text).strip("\n") for text in texts))
    if result.returncode != 0:
        raise RuntimeError(f"clang-format failed: {result.stderr.strip()}")
    formatted = [text.strip("\n") + "\n" for text in result.stdout.split(_SEPARATOR)]
    if len(formatted) != len(texts):
        raise RuntimeError(f"clang-format gave {len(formatted)} texts for {len(texts)}")
    return formatted
