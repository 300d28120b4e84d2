"""What the functions and kernels of a record compute, for which threads, and in which order."""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.dataset.equations import equations, thread_indices
from weft.dataset.mathematics import formula, less_one


def computation(record: Mapping[str, Any]) -> list[str]:
    """Lists of equations, each under a line that says for what; nothing where these have no such form."""
    source = record["python_source"]
    kernels = [part["kernel"]["name"] for part in record.get("kernels", [record])]
    lines: list[str] = []
    told = equations(source)
    for name, (parameters, of_name) in told.items():
        if name in kernels:
            lines.append(f"{_for_each(record, name, thread_indices(source, name))}:")
        elif len(of_name) > 1:
            lines.append(f"{name}({', '.join(parameters)}):")
        lines += [re.sub(r"^ *", r"\g<0>- ", line) for line in of_name]
    if told and record["launch"]["steps"]:
        lines += ["The program launches the kernels in this order:", *_steps(record["launch"]["steps"])]
    return lines


@functools.lru_cache(maxsize=1024)
def size_words(expression: int | str) -> str:
    """A size expression as mathematics."""
    return formula(_parsed(expression))


def last_words(expression: int | str) -> str:
    """The last of as many indices as a size expression says, as mathematics."""
    return formula(less_one(_parsed(expression)))


def _parsed(expression: int | str) -> ast.expr:
    return ast.parse(str(expression), mode="eval").body


def _for_each(record: Mapping[str, Any], kernel: str, names: Sequence[str]) -> str:
    """For which indices a kernel's equations hold."""
    launch = record["launch"]
    if launch["steps"]:
        return f"`{kernel}`, for each `{_tuple(names)}`" if names else f"`{kernel}`"
    dims = launch["dims"]
    tiled = launch["block_dim"] and launch["tiled"]
    many, one = ("blocks", "block ") if tiled else ("threads", "")
    indices, thread = names[: len(dims)], names[len(dims) :]
    ranges = [
        f"`{name}` from 0 to {last_words(extent)}"
        for name, extent in itertools.zip_longest(indices, dims, fillvalue="_")
    ]
    every = f"each of {' x '.join(map(size_words, dims))} {many}"
    each = f"each {one}{' and '.join(ranges)}" if indices else every
    inside = f", and each of its {launch['block_dim']} threads" if tiled else ""
    return " ".join([f"For {each}{inside}", *(f"`{name}`" for name in thread)])


def _steps(steps: Sequence[Mapping[str, Any]], indent: str = "") -> Iterator[str]:
    """The steps of a program, a line for each."""
    for step in steps:
        match step:
            case {"zero": array}:
                yield f"{indent}- set `{array}` to zero"
            case {"repeat": times, "steps": inner}:
                yield f"{indent}- {times} times:"
                yield from _steps(inner, f"{indent}  ")
            case {"parallel": branches}:
                yield f"{indent}- at the same time, if possible:"
                for branch in branches:
                    yield from _steps(branch, f"{indent}  ")
            case _:
                renamed = [f"{one} = {given}" for one, given in step["arguments"].items() if one != given]
                launched = f"{indent}- `{step['kernel']}` over {' x '.join(map(size_words, step['dims']))}"
                if (threads := step.get("block_dim")) is not None:
                    blocks = f"blocks of {threads}"
                    launched += f" {f'{blocks} threads' if step['tiled'] else f'threads in {blocks}'}"
                yield launched + (f" with {', '.join(renamed)}" if renamed else "")


def _tuple(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"
