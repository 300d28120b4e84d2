"""Helpers whose text is the same whatever the types: a `.cuh` file each in `cuh/`, named as it is requested.

A file begins with a header that no program gets: what of Warp it stands for, `// Needs: name type …` for each
helper that it calls, `// Types: type …` for structs that it names, and system headers. A blank line ends it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from weft.cuda.device_code import Section
from weft.cuda.helpers.text import Helper, Request
from weft.types import Type, parse_type

_FOLDER = Path(__file__).parent / "cuh"
_HEAD = re.compile(r"^__device__ inline \S+ (?P<name>\w+)\((?P<parameters>[^)]*)\) \{", re.MULTILINE)


@functools.cache
def _read(path: Path) -> Helper:
    header, _, text = path.read_text(encoding="utf-8").partition("\n\n")
    needs: list[Request] = []
    includes: list[str] = []
    named: list[str] = []
    for line in header.splitlines():
        match line.split():
            case ["//", "Needs:", name, *types]:
                needs.append((name, _types(types)))
            case ["//", "Types:", *types]:
                named += types
            case ["#include", name]:
                includes.append(name)
    head = _HEAD.search(text)
    assert head is not None, f"{path} defines no device function"
    parameters = tuple(one.strip().rpartition(" ")[0] for one in head["parameters"].split(","))
    section = Section("helper", head["name"], text.rstrip(), types=parameters)
    return Helper(section, tuple(needs), tuple(includes), _types(named))


def _types(texts: Sequence[str]) -> tuple[Type, ...]:
    return tuple(parse_type(text) for text in texts)


def _helper(path: Path) -> Callable[..., Helper]:
    def helper(*types: Type) -> Helper:
        return _read(path)

    return helper


FIXED_HELPERS: dict[str, Callable[..., Helper]] = {
    path.stem: _helper(path) for path in sorted(_FOLDER.glob("*.cuh"))
}
