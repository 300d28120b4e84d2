"""What it costs to infer a launch grows with the text of a kernel."""

import ast
import itertools
from pathlib import Path

import pytest
from ir_of import FLOATS, record_of

from weft.ir.index_run import index_facts
from weft.ir.index_scope import Scope
from weft.ir.kernel_sources import KernelSources


def test_functions_that_pass_a_place_on_are_looked_through_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    depth = 8
    text = "@wp.func\ndef f0(place: wp.ref[float]):\n    place += 1.0\n"
    for number in range(1, depth):
        call = f"    f{number - 1}(place)\n"
        text += f"@wp.func\ndef f{number}(place: wp.ref[float]):\n{call}{call}"
    kernel = "@wp.kernel(enable_backward=False)\ndef k(x: wp.array(dtype=float)):\n    i = wp.tid()\n"
    sources = KernelSources.read(record_of(tmp_path, f"{text}{kernel}    f{depth - 1}(x[i])\n"))
    walked = []
    walk = ast.walk
    monkeypatch.setattr(ast, "walk", lambda node: walked.append(node) or walk(node))
    assert index_facts(sources, 1).writes == {"x"}
    assert len(walked) == depth


@pytest.mark.parametrize("depth", [1, 3, 6])
def test_loops_within_loops_do_not_begin_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int
) -> None:
    lines = ["i = wp.tid()"]
    for level in range(depth):
        pad, names = "    " * level, [f"{name}{level}" for name in "abcde"]
        lines += [f"{pad}{name} = int({number})" for number, name in enumerate(names)]
        lines.append(f"{pad}for k{level} in range(n):")
        lines += [f"{pad}    {one} = {other}" for one, other in itertools.pairwise(names)]
    lines.append(f"{'    ' * depth}x[i] = float(a0)")
    body = "".join(f"    {line}\n" for line in lines)
    record = record_of(tmp_path, f"{FLOATS}\n@wp.kernel\ndef k(x: Floats, n: int):\n{body}")
    sources = KernelSources.read(record)
    seen = []
    value = Scope.value
    monkeypatch.setattr(Scope, "value", lambda scope, node: seen.append(node) or value(scope, node))
    index_facts(sources, 1)
    nodes = sum(isinstance(node, ast.expr) for node in ast.walk(sources.kernel.definition))
    assert len(seen) < 12 * nodes
