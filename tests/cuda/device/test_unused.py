"""What nobody reads is not computed, and what a compiler would warn of is written in another way."""

from pathlib import Path

from translated import text_of

TWO = """
@wp.func
def two(x: float):
    return x, x + 1.0


"""


def kernel(folder: Path, *lines: str, functions: str = "") -> str:
    """The kernel `k(a, out)` whose body are these lines, after `i = wp.tid()`."""
    head = "@wp.kernel\ndef k(a: wp.array(dtype=float), out: wp.array(dtype=float)):\n    i = wp.tid()\n"
    text = text_of(folder, functions + head + "".join(f"    {line}\n" for line in lines))
    return text[text.index("__global__") :]


def test_a_value_that_nobody_reads_is_not_computed(tmp_path: Path) -> None:
    text = kernel(
        tmp_path,
        "# The half of it.",
        "half = a[i] * 0.5",
        "",
        "quarter = wp.vec3(half)",
        "quarter[0] = half * 0.5",
        "for j in range(3):",
        "    if a[i] > 1.0:",
        "        eighth = quarter[0] + float(j)",
        "out[i] = a[i]",
    )
    assert text.count(";") == 3  # the thread, its check, the store
    assert "half" not in text
    assert "for" not in text


def test_variables_that_only_follow_from_each_other_go_together(tmp_path: Path) -> None:
    text = kernel(
        tmp_path, "p = float(0.0)", "q = float(0.0)", "for j in range(3):",
        "    p = q + 1.0", "    out[i] += a[i]", "    p = p + 1.0",
    )  # fmt: skip
    assert "p =" not in text
    assert "q" not in text


def test_a_value_that_only_another_branch_reads_is_not_computed(tmp_path: Path) -> None:
    text = kernel(
        tmp_path,
        "if a[i] > 1.0:",
        "    half = a[i] * 0.5",
        "    out[i] = 1.0",
        "else:",
        "    half = a[i] * 0.25",
        "    out[i] = half",
    )
    assert "0.5f" not in text
    assert "0.25f" in text


def test_a_comment_goes_with_the_last_of_its_branch(tmp_path: Path) -> None:
    text = kernel(
        tmp_path,
        "if a[i] > 1.0:",
        "    out[i] = 1.0",
        "else:",
        "    # The half",
        "    # of it.",
        "    half = a[i] * 0.5",
    )
    assert "else" not in text
    assert "of it" not in text


def test_what_the_next_turn_of_a_loop_reads_is_computed(tmp_path: Path) -> None:
    text = kernel(
        tmp_path,
        "last = float(0.0)",
        "for j in range(3):",
        "    out[i] += last",
        "    last = a[i] * 0.5",
    )
    assert "last = a[i] * 0.5f" in text


def test_nothing_is_passed_for_an_unread_value(tmp_path: Path) -> None:
    text = text_of(
        tmp_path,
        "@wp.kernel\ndef k(a: wp.array2d(dtype=float), out: wp.array(dtype=float)):\n"
        "    i = wp.tid()\n    b = a[i, 1]\n    out[i] = 2.0\n",
    )
    assert "cols" not in text


def test_a_place_in_the_launch_that_is_not_read_has_no_name(tmp_path: Path) -> None:
    text = text_of(
        tmp_path,
        "@wp.kernel\ndef k(out: wp.array(dtype=float)):\n"
        "    i, j, lane = wp.tid()\n    t = wp.tile_ones(dtype=float, shape=64)\n    wp.tile_store(out, t)\n"
        'LAUNCH = {"k": {"dims": ["n", 1], "block_dim": 64,\n'
        '    "parameters": {"out": {"shape": [64], "role": "out"}}}}\n',
    )
    assert "blockIdx" not in text


def test_a_comment_that_may_belong_to_the_next_line_stays(tmp_path: Path) -> None:
    text = kernel(tmp_path, "# Of both.", "half = a[i] * 0.5", "out[i] = a[i]")
    assert "// Of both." in text


def test_what_is_done_for_an_unread_value_is_done(tmp_path: Path) -> None:
    text = kernel(
        tmp_path, "state = wp.rand_init(7, i)", "skipped = wp.randf(state)",
        "old = wp.atomic_add(out, 0, 1.0)", "out[i] = wp.randf(state)",
    )  # fmt: skip
    assert "    random_float(state);\n" in text
    assert "    atomicAdd(out, 1.0f);\n" in text
    assert "skipped" not in text


def test_of_several_results_those_that_are_read_are_taken(tmp_path: Path) -> None:
    text = kernel(
        tmp_path, "p = a[i]", "if p > 2.0:", "    p, q = two(p)", "r, s = two(p)", "out[i] = p + r",
        functions=TWO,
    )  # fmt: skip
    assert "p = result.first;" in text
    assert "result.second" not in text
    assert "float q" not in text
    assert "const auto [r, s] = two(p);" in text


def test_a_call_of_which_nothing_is_read_is_gone(tmp_path: Path) -> None:
    assert "two" not in kernel(tmp_path, "p, q = two(a[i])", "out[i] = a[i]", functions=TWO)


def test_what_is_stored_for_the_caller_stays(tmp_path: Path) -> None:
    store = "@wp.func\ndef store(x: wp.ref[float]):\n    x = 3.0\n\n\n"
    text = text_of(
        tmp_path,
        f"{store}@wp.kernel(enable_backward=False)\ndef k(out: wp.array(dtype=float)):\n"
        "    i = wp.tid()\n    y = float(0.0)\n    store(y)\n    out[i] = y\n",
    )
    assert "x = 3.0f;" in text
    assert "store(y);" in text


def test_the_name_of_a_parameter_without_use_is_a_comment(tmp_path: Path) -> None:
    scaled = "@wp.func\ndef scaled(x: float, y: wp.array(dtype=float)) -> float:\n    return x * 2.0\n\n\n"
    text = text_of(
        tmp_path,
        f"{scaled}@wp.kernel\ndef k(a: wp.array(dtype=float), scale: float, out: wp.array(dtype=float)):\n"
        "    i = wp.tid()\n    out[i] = scaled(1.0, a)\n",
    )
    assert "scaled(float x, const float* /*y*/)" in text
    assert "k(const float* a, float /*scale*/, float* out" in text


def test_a_condition_that_looks_like_a_slip_says_what_it_means(tmp_path: Path) -> None:
    text = kernel(tmp_path, "if i * i:", "    out[i] = 1.0", "if i << 2:", "    out[i] = 2.0")
    assert "if (i * i != 0) {" in text
    assert "if (i << 2 != 0) {" in text


def test_comparisons_of_comparisons_have_parentheses(tmp_path: Path) -> None:
    text = kernel(tmp_path, "if (a[i] > 1.0) == (i == 2):", "    out[i] = 1.0")
    assert "if ((a[i] > 1.0f) == (i == 2)) {" in text


def test_a_first_value_that_every_branch_replaces_is_none(tmp_path: Path) -> None:
    branches = ["if a[i] > 1.0:", "    p = a[i]", "elif a[i] > 0.0:", "    p = 2.0", "else:", "    p = 3.0"]
    text = kernel(tmp_path, "p = float(0.0)", *branches, "out[i] = p")
    assert "float p;" in text
    for some in (branches[:4], [*branches[:-1], "    p = p + 3.0"]):
        assert "float p = 0.0f;" in kernel(tmp_path, "p = float(0.0)", *some, "out[i] = p")
    text = kernel(
        tmp_path,
        "p = float(0.0)",
        "for j in range(3):",
        "    p = float(0.0)",
        "    if a[j] > 4.0:",
        "        break",
        *(f"    {line}" for line in branches),
        "out[i] = p",
    )
    assert "p = 0.0f;" in text
