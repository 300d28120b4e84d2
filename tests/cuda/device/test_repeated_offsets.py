"""Where an offset gets a name: before its first use, in the innermost block that holds all uses."""

import re
from pathlib import Path

import pytest
from translated import text_of

from weft.cuda.passes import repeated_offsets
from weft.cuda.tree import Expression

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


def test_two_uses_have_a_name_and_one_has_none(tmp_path: Path) -> None:
    named = kernel(tmp_path, "out[i, j] = a[i, j] + float(i)")
    assert named.count("const size_t index = size_t(i) * m + j;") == 1
    assert "out[index] = a[index] + float(i);" in named
    assert "index" not in kernel(tmp_path, "out[i, j] = float(i)")


def test_the_offset_of_a_neighbour_is_called_after_it(tmp_path: Path) -> None:
    text = kernel(
        tmp_path,
        "north = wp.max(i - 1, 0)",
        "west = wp.max(j - 1, 0)",
        "out[i, j] = a[i, j] + b[i, j] + a[north, j] * b[north, j] + a[i, west] * b[i, west]",
    )
    assert "north_index = size_t(north) * m + j;" in text and "a[north_index] * b[north_index]" in text
    assert "a[west_index] * b[west_index]" in text


def test_offsets_on_both_sides_are_called_after_their_coordinates(tmp_path: Path) -> None:
    text = kernel(
        tmp_path,
        "i0 = wp.max(i - 1, 0)",
        "i1 = wp.min(i + 1, 7)",
        "out[i, j] = a[i0, j] * b[i0, j] + a[i1, j] * b[i1, j]",
    )
    assert "a[i0_index] * b[i0_index] + a[i1_index] * b[i1_index]" in text


def test_a_second_row_is_called_after_its_coordinate(tmp_path: Path) -> None:
    text = kernel(
        tmp_path,
        "for k in range(4):",
        "    for d in range(8):",
        "        out[i, d] = out[i, d] + a[k, d] * b[k, d] * a[i, d]",
    )
    assert "size_t row_start = size_t(i) * m;" in text and "k_row_start = size_t(k) * m;" in text


def test_rows_that_parameters_name_are_called_after_them(tmp_path: Path) -> None:
    corners = """
        @wp.func
        def across(t: wp.array2d(dtype=float), top: int, bottom: int, left: int, right: int):
            return t[bottom, right] - t[bottom, left] - t[top, right] + t[top, left]

        @wp.kernel
        def sums(t: wp.array2d(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = across(t, i, i + 1, 0, 1)
        """
    text = text_of(tmp_path, corners)
    assert "bottom_row_start = size_t(bottom) * t_cols;" in text
    assert "top_row_start = size_t(top) * t_cols;" in text
    assert "return t[bottom_row_start + right] - t[bottom_row_start + left]" in text


def test_rows_of_one_turn_are_called_after_what_differs(tmp_path: Path) -> None:
    two = "a[i + k, j] * a[i + k, 0] - b[j + k, i] * b[j + k, 0]"
    text = kernel(tmp_path, "for k in range(2):", f"    out[i, j] = out[i, j] + {two}")
    assert "i_row_start = size_t(i + k) * m;" in text, text
    assert "j_row_start = size_t(j + k) * m;" in text
    own = kernel(
        tmp_path,
        "for k in range(2):",
        "    i_row_start = i - k",
        f"    out[i, j] = out[i, j] + {two} + float(i_row_start * i_row_start)",
    )
    assert "j_row_start = size_t(j + k) * m;" in own and " row_start = size_t(i + k) * m;" in own


def test_elements_of_a_row_that_have_names_share_its_start(tmp_path: Path) -> None:
    text = kernel(
        tmp_path,
        "west = wp.max(j - 1, 0)",
        "out[i, j] = a[i, j] + a[i, west] * b[i, west]",
    )
    assert "row_start = size_t(i) * m;" in text
    assert "index = row_start + j;" in text and "west_index = row_start + west;" in text


def test_it_stands_before_a_loop_and_within_a_branch(tmp_path: Path) -> None:
    loop = kernel(tmp_path, "for k in range(9):", "    out[i, j] = out[i, j] * a[i, j]")
    assert loop.index("index =") < loop.index("for (")
    branch = kernel(tmp_path, "if i % 3 == 0:", "    out[i, j] = b[i, j] * a[i, j]")
    assert branch.index("index =") > branch.index("if (i % 3")


def test_what_changes_between_uses_has_no_name(tmp_path: Path) -> None:
    turn = ["k = int(j)", "while k > 0:", "    out[i, k] = a[i, k] + b[i, k]", "    k -= 1"]
    moving = kernel(tmp_path, *turn)
    assert "const size_t row_start = size_t(i) * m;" in moving
    assert moving.index("while (k > 0)") < moving.index("const size_t index = row_start + k;")
    assert "index" not in kernel(tmp_path, *turn, "    out[i, k] = b[i, k]").split("k -= 1")[1]
    between = kernel(tmp_path, *turn[:2], "    s = a[i, k] + b[i, k]", "    k -= 1", "    out[i, k] = s")
    assert "index" not in between


def test_a_loop_repeats_the_start_of_its_row(tmp_path: Path) -> None:
    text = kernel(tmp_path, "s = float(0.0)", "for k in range(j):", "    s += a[i, k]", "out[j, i] = s")
    assert text.index("const size_t row_start = size_t(i) * m;") < text.index("for (")
    assert "a[row_start + k]" in text


STEPS = {
    "beside": ("j - 1 >= 0", "a[i, j - 1]", "a[index - 1]"),
    "above": ("i - 1 >= 0", "a[i - 1, j]", "a[index - m]"),
    "two below": ("i + 2 < a.shape[0]", "a[i + 2, j]", "a[index + 2 * size_t(m)]"),
    "as far as a variable says": ("j + i < a.shape[1]", "a[i, j + i]", "a[index + i]"),
    "the first of the row": ("i > 0", "a[i, 0]", "a[row_start]"),
    "another row": ("i > 0", "a[wp.max(i - 2, 0), j]", "a[size_t(max(i - 2, 0)) * m + j]"),
}


@pytest.mark.parametrize(("test", "value", "expected"), STEPS.values(), ids=STEPS)
def test_a_neighbour_is_a_step_away(tmp_path: Path, test: str, value: str, expected: str) -> None:
    text = kernel(tmp_path, "s = b[i, j]", f"if {test}:", f"    s += {value}", "out[i, j] = s")
    assert expected in text


def test_a_step_across_planes_is_as_wide_as_the_offset(tmp_path: Path) -> None:
    text = text_of(
        tmp_path,
        """
        @wp.kernel
        def f(a: wp.array3d(dtype=float), out: wp.array3d(dtype=float)):
            i, j, k = wp.tid()
            if i > 0:
                out[i, j, k] = a[i - 1, j, k] + float(j)


        LAUNCH = {"f": {"dims": ["n", "m", "m"], "sizes": {"m": "n + 20"}, "parameters": {
            "a": {"shape": ["n", "m", "m"], "values": {"integers": [0, 9]}},
            "out": {"role": "inout", "shape": ["n", "m", "m"], "values": {"constant": 2}},
        }}}
        """,
    )
    assert re.search(r"a\[index - m(_1)? \* size_t\(m(_1)?\)\]", text), text


def test_a_row_that_several_elements_lie_in_has_a_name(tmp_path: Path) -> None:
    text = kernel(tmp_path, "out[i, j] = a[i, wp.max(j - 1, 0)] - a[i, wp.min(j + 1, 3)]")
    assert "const size_t row_start = size_t(i) * m;" in text
    assert "out[row_start + j] = a[row_start + max(j - 1, 0)] - a[row_start + min(j + 1, 3)];" in text
    above = kernel(
        tmp_path, "k = wp.max(i - 1, 0)", "out[i, j] = a[wp.max(i - 1, 0), 1] - a[wp.max(i - 1, 0), 0]"
    )
    assert "const size_t row_before = size_t(max(i - 1, 0)) * m;" in above


def test_what_divides_stays_where_it_may_not_be_reached(tmp_path: Path) -> None:
    row = "a[j % (i - 3), 0] + a[j % (i - 3), 1]"
    chosen = kernel(tmp_path, f"if i > 3 and {row} > 1.0:", "    out[i, j] = 1.0")
    assert "row_start" not in chosen
    taken = kernel(tmp_path, f"out[i, j] = {row}")
    assert taken.count("j % (i - 3)") == 1


def test_the_kernels_own_name_for_it_is_the_name(tmp_path: Path) -> None:
    text = text_of(
        tmp_path,
        """
        @wp.kernel
        def f(a: wp.array(dtype=float), ids: wp.array(dtype=int), m: int, out: wp.array(dtype=int)):
            i, j = wp.tid()
            s = a[i * m + j] + float(j)
            place = i * m + j
            out[place] = int(s) + place


        LAUNCH = {"f": {"dims": ["n", "m"], "sizes": {"m": "7"}, "parameters": {
            "a": {"shape": ["n * m"], "values": {"integers": [0, 9]}},
            "ids": {"shape": ["n"], "values": {"integers": [0, 9]}},
            "m": {"values": {"size": "m"}},
            "out": {"role": "out", "shape": ["n * m"]},
        }}}
        """,
    )
    assert text.count("i * m + j") == 1
    assert text.index("const int place = i * m + j;") < text.index("a[place]")


def test_what_a_tile_is_tested_for_has_the_name_too(tmp_path: Path) -> None:
    text = text_of(
        tmp_path,
        """
        @wp.kernel
        def f(a: wp.array(dtype=float), out: wp.array(dtype=float), twice: wp.array(dtype=float)):
            t = wp.tile_load(a, shape=48, offset=wp.tid() * 48)
            wp.tile_store(out, t, offset=wp.tid() * 48)
            wp.tile_store(twice, t + t, offset=wp.tid() * 48)


        LAUNCH = {"f": {"dims": ["(n + 47) // 48"], "block_dim": 64, "parameters": {
            "a": {"shape": ["n"], "values": {"integers": [0, 9]}},
            "out": {"role": "out", "shape": ["n"]},
            "twice": {"role": "out", "shape": ["n"]},
        }}}
        """,
    )
    assert text.count("* TILE + tid") == 1
    assert text.count("if (index < n") == 1


def test_each_loop_has_its_own(tmp_path: Path) -> None:
    body = ["    for k in range(3):", "        out[i, k] = a[i, k] + b[i, k]"]
    text = kernel(tmp_path, "if j == 0:", *body, *body)
    assert text.count("const size_t index = row_start + k;") == 2


def test_a_test_and_what_it_guards_share_a_name(tmp_path: Path) -> None:
    text = kernel(tmp_path, "if a[i, j] > 0.5:", "    out[i, j] = b[i, j] + float(i)")
    assert text.index("index = ") < text.index("if (a[index]")


def test_the_cost_grows_with_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    once = repeated_offsets._polynomial

    def counted(value: Expression) -> object:
        calls.append(value)
        return once(value)

    monkeypatch.setattr(repeated_offsets, "_polynomial", counted)

    def steps(lines: int) -> int:
        calls.clear()
        kernel(tmp_path, *(f"out[(i * {k + 2}) % 7, j] = a[i % {k + 3}, j] + float(i)" for k in range(lines)))
        return len(calls)

    assert steps(80) < 2.2 * steps(40)
