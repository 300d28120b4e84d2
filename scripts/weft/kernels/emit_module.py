"""Prints whole modules: definitions, launch descriptions as data, and what was rejected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ruff import find_ruff_bin  # type: ignore[import-untyped]

from weft.kernels.emit import INDENT, WIDTH
from weft.kernels.launched import Launched, Parallel, Repeated, Step, Zeroed
from weft.kernels.program import GeneratedProgram, Parameter
from weft.literal import literal
from weft.paragraphs import broken
from weft.tools import run_tool
from weft.types import Array

_DOC = re.compile(r'^ +"""[\s\S]*?"""', re.MULTILINE)
_RUFF = ("format", "--isolated", f"--line-length={WIDTH}", "--config=format.skip-magic-trailing-comma=true")


def _parameter(one: Parameter) -> str:
    items: list[str] = []
    if isinstance(one.type, Array):
        items = [f'"role": "{one.role}"', f'"shape": {literal(one.shape)}']
    if one.memory != "global":
        items.append(f'"memory": "{one.memory}"')
    if one.values is not None:
        items.append(f'"values": {literal(one.values)}')
    return f"{{{', '.join(items)}}}"


def _steps(steps: Sequence[Step], indent: str) -> Iterator[str]:
    inner = indent + INDENT
    for step in steps:
        match step:
            case Launched(part=part, arguments=arguments):
                yield f"{indent}{{"
                yield f'{inner}"kernel": "{part.name}",'
                yield f'{inner}"dims": {literal(part.dims)},'
                yield f'{inner}"arguments": {literal(arguments)},'
                yield f"{indent}}},"
            case Zeroed(array=array):
                yield f"{indent}{literal({'zero': array})},"
            case Repeated(times=times, steps=body):
                yield f'{indent}{{"repeat": {times}, "steps": ['
                yield from _steps(body, inner)
                yield f"{indent}]}},"
            case Parallel(branches=branches):
                yield f'{indent}{{"parallel": ['
                for branch in branches:
                    yield f"{inner}["
                    yield from _steps(branch, inner + INDENT)
                    yield f"{inner}],"
                yield f"{indent}]}},"


def launch(program: GeneratedProgram) -> str:
    """A program's entry in the LAUNCH literal (docs/formats/launch.md)."""
    lines = [f'    "{program.name}": {{']
    if program.steps:
        lines.append(f'        "description": {literal(program.doc)},')
    if program.sizes:
        lines.append(f'        "sizes": {literal(program.sizes)},')
    if program.difficulty:
        lines.append(f'        "difficulty": "{program.difficulty}",')
    if program.equality != "bits":
        lines.append(f'        "equality": "{program.equality}",')
    if program.steps:
        lines.append('        "steps": [')
        lines += _steps(program.steps, INDENT * 3)
        lines.append("        ],")
    else:
        lines.append(f'        "dims": {literal(program.dims)},')
    if program.block_dim is not None:
        lines.append(f'        "block_dim": {program.block_dim},')
    lines.append('        "parameters": {')
    leaves = [leaf for one in program.parameters for leaf in one.leaves or [one]]
    lines += [f'            "{one.name}": {_parameter(one)},' for one in leaves]
    return "\n".join([*lines, "        },", "    },"])


def laid_out(definitions: Sequence[str]) -> str:
    """Definitions as ruff lays them out, with docstrings wrapped. Raises RuntimeError if ruff fails."""
    text = _DOC.sub(_wrapped, "\n\n\n".join(definitions))
    result = run_tool([find_ruff_bin(), *_RUFF, "--quiet", "-"], text=text)
    if result.returncode != 0:
        raise RuntimeError(f"ruff failed: {result.stderr.strip()}")
    return result.stdout.rstrip("\n")


def _wrapped(doc: re.Match[str]) -> str:
    return "\n".join(broken(INDENT + " ".join(doc[0].split()), WIDTH, INDENT))


def module(
    doc: str,
    entries: Sequence[str],
    blocks: Sequence[str],
    made_of: Mapping[str, Mapping[str, Any]],
    parts: Sequence[str] = (),
    rejects: Sequence[dict[str, Any]] = (),
) -> str:
    """A whole module: `blocks` are the texts of structs, functions and kernels, in order.

    `entries` are the programs' in LAUNCH (`launch`), `made_of` is what each was made of, `parts` are the
    names of kernels that are part of one.
    """
    generic = any(": Any" in one for one in blocks)
    imports = "from typing import Any\n\nimport warp as wp" if generic else "import warp as wp"
    table = "\n".join(["LAUNCH = {", *entries, "}"])
    made = "".join(f'{INDENT}"{name}": {literal(one)},\n' for name, one in made_of.items())
    text = (
        "\n\n\n".join([f'"""{doc}\n"""\n\n{imports}', laid_out(blocks), table])
        + f"\n\nMADE_OF = {{\n{made}}}"
    )
    if parts:
        text = f"{text}\n\nPARTS = {literal(parts)}"
    if rejects:
        lines = "".join(f"{INDENT}{literal(one)},\n" for one in rejects)
        text = f"{text}\n\nREJECTS = [\n{lines}]"
    return text + "\n"
