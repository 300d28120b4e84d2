"""Where an offset gets a name: before its first use, in the innermost block that holds all uses."""

from pathlib import Path

from translated import text_of

HEAD = """
@wp.kernel
def mixed(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, j = wp.tid()
"""
LAUNCH = """
LAUNCH = {"mixed": {"dims": ["n", "m"], "sizes": {"m": "n + 20"}, "parameters": {
    "a": {"shape": ["n", "m"], "values": {"integers": [0, 9]}},
    "b": {"shape": ["n", "m"], "values": {"integers": [0, 9]}},
    "out": {"role": "inout", "shape": ["n", "m"], "values": {"constant": 2}},
}}}
"""


def kernel(folder: Path, *body: str) -> str:
    text = text_of(folder, HEAD + "".join(f"    {line}\n" for line in body) + LAUNCH)
    return text[text.index("__global__") :]


def test_three_uses_have_a_name_and_two_have_none(tmp_path: Path) -> None:
    named = kernel(tmp_path, "out[i, j] = a[i, j] + b[i, j]")
    assert named.count(" index = size_t(i) * m + j;") == 1
    assert "out[index] = a[index] + b[index];" in named
    assert "index" not in kernel(tmp_path, "out[i, j] = a[i, j]")


def test_it_stands_before_a_loop_and_within_a_branch(tmp_path: Path) -> None:
    loop = kernel(tmp_path, "for k in range(9):", "    out[i, j] = out[i, j] * a[i, j]")
    assert loop.index("index =") < loop.index("for (")
    branch = kernel(tmp_path, "if i % 3 == 0:", "    out[i, j] = b[i, j] * a[i, j]")
    assert branch.index("index =") > branch.index("if (i % 3")


def test_a_variable_that_changes_and_a_neighbour_have_no_name(tmp_path: Path) -> None:
    moving = kernel(tmp_path, "k = int(j)", "while k > 0:", "    out[i, k] = a[i, k] + b[i, k]", "    k -= 1")
    assert "index" not in moving
    beside = kernel(tmp_path, "if j > 0:", "    out[i, j - 1] = a[i, j - 1] + b[i, j - 1]")
    assert "index" not in beside


def test_each_loop_has_its_own(tmp_path: Path) -> None:
    body = ["    for k in range(3):", "        out[i, k] = a[i, k] + b[i, k]"]
    text = kernel(tmp_path, "if j == 0:", *body, *body)
    assert text.count("size_t(i) * m + k;") == 2
