"""What a header says of arrays that nobody described: the extents that the kernel's own indices need."""

from __future__ import annotations

import ast

import pytest

from weft.cuda.needed_extents import needed


def of(body: str, axes: tuple[int, ...] = (0,), dims: tuple[str, ...] = ("n",)) -> tuple[object, ...]:
    """The extents of the array `x` along the axes, and the accesses that they do not cover."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    (kernel,) = ast.parse(f"def kernel(x, y, s, count):\n{lines}\n").body
    assert isinstance(kernel, ast.FunctionDef)
    found = needed(kernel, "x", axes, dims)
    return (*found.extents, *found.accesses)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x[wp.tid()] = 1", (None, "x[wp.tid()]")),
        ("i = wp.tid()\nx[i] = 1", ("n",)),
        ("i = wp.tid()\nx[i] += x[i + 2]", ("n + 2",)),
        ("i = wp.tid()\nx[2 * i] = x[i * 2 + 1]", ("2 * n",)),
        ("i = wp.tid()\nx[3 * i] = 0.0", ("3 * n - 2",)),
        ("i = wp.tid()\nx[7] = x[i]", ("max(8, n)",)),
        ("wp.atomic_add(x, 0, 1)", ("1",)),
        ("i = wp.tid()\nwp.atomic_cas(x, i, 0, 1)", ("n",)),
        ("i = wp.tid()\nx[y[i]] = 1", (None, "x[y[i]]")),
        ("i = wp.tid()\nx[i] = x[y[i]]", ("n", "x[y[i]]")),
        ("i = wp.tid()\nif i < count:\n    x[i] = 1", (None, "x[i]")),
        ("i = wp.tid()\nif x[i] > 0.0:\n    x[i] = x[i + 1]", ("n", "x[i + 1]")),
        ("i = wp.tid()\nif i >= count:\n    return\nx[i] = 1", (None, "x[i]")),
        ("i = wp.tid()\nfor j in range(count):\n    x[j] = 1", (None, "x[j]")),
        ("i = wp.tid()\ni += 1\nx[i] = 1", (None, "x[i]")),
        ("i = wp.tid()\nx[i - 1] = 1", (None, "x[i - 1]")),
        ("i = wp.tid()\ny[i] = i > 0 and x[i]", (None, "x[i]")),
        ("i = wp.tid()\ny[i] = x[i] if i > 0 else 0.0", (None, "x[i]")),
        ("i = wp.tid()\nlook(x, i)", (None, "look(x, i)")),
        ("v = x\nv[0] = 1", (None, "v = x")),
        ("i = wp.tid()\ny[i] = x.shape[0]", (None,)),
    ],
)
def test_one_dimension(body: str, expected: tuple[object, ...]) -> None:
    assert of(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("i, j = wp.tid()\nx[i, j] = x[j, i]", ("max(m, n)", "max(n, m)")),
        ("i, j = wp.tid()\nx[i][j + 1] = 1", ("m", "n + 1")),
        ("i, j = wp.tid()\nrow = x[i]\nrow[j] = 1", ("m", None, "x[i]")),
        ("i, j = wp.tid()\nx[i + j, 0] = 1", (None, "1", "x[i + j, 0]")),
    ],
)
def test_two_dimensions(body: str, expected: tuple[object, ...]) -> None:
    assert of(body, (0, 1), ("m", "n")) == expected


def test_members_of_structs_are_arrays_too() -> None:
    (kernel,) = ast.parse("def kernel(s):\n    i = wp.tid()\n    s.x[i] = s.y[i + 1]\n").body
    assert isinstance(kernel, ast.FunctionDef)
    assert needed(kernel, "s.y", (0,), ("n",)).extents == ("n + 1",)
