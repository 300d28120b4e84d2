"""How the CUDA spells what Warp has other words for: a thread's number, a clamp, a negation."""

from pathlib import Path

import pytest
from translated import text_of

BLOCKS = """
@wp.kernel
def k(x: wp.array(dtype=float), count: int, out: wp.array(dtype=float)):
    block, lane = wp.tid()
    i = block * {factor} + lane
    value = float(0.0)
    if i < count:
        value = x[i]
    total = wp.tile_sum(wp.tile(value))
    if lane == {chosen}:
        out[{place}] = total[0]


LAUNCH = {{"k": {{
    "dims": ["(n + 63) // 64"], "block_dim": 64,
    "parameters": {{
        "x": {{"shape": ["n"], "values": {{"integers": [-8, 9]}}}},
        "count": {{"values": {{"size": "n"}}}},
        "out": {{"role": "out", "shape": ["(n + 63) // 64"]}},
    }},
}}}}
"""


def test_a_thread_of_a_launch_of_blocks_has_its_number(tmp_path: Path) -> None:
    text = text_of(tmp_path, BLOCKS.format(factor=64, chosen=0, place="block"))
    assert "const int i = blockIdx.x * blockDim.x + threadIdx.x;" in text
    assert "if (threadIdx.x == 0) {\n        out[blockIdx.x] = total;\n" in text
    assert "lane =" not in text.partition("__global__")[2]


def test_a_place_that_is_read_again_keeps_its_name(tmp_path: Path) -> None:
    text = text_of(tmp_path, BLOCKS.format(factor=64, chosen=0, place="block + lane"))
    assert "const int lane = threadIdx.x;" in text and "const int block" not in text


def test_blocks_that_overlap_have_numbers_of_their_own(tmp_path: Path) -> None:
    text = text_of(tmp_path, BLOCKS.format(factor=32, chosen=0, place="block"))
    assert "const int i = block * 32 + lane;" in text


HALO = """
@wp.kernel
def k(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    block_row, block_col, tid = wp.tid()
    r = tid // 32
    c = tid % 32
    halo = wp.tile_load(x, shape=(10, 34), offset=(block_row * 8, block_col * 32), storage="shared")
    out[block_row * 8 + r, block_col * 32 + c] = halo[r, c] + halo[r + 2, c + 2]


LAUNCH = {"k": {
    "sizes": {"rows": "8 * n", "cols": "64"}, "dims": ["rows // 8", "cols // 32"], "block_dim": 256,
    "parameters": {
        "x": {"shape": ["rows + 2", "cols + 2"], "values": {"integers": [-8, 9]}},
        "out": {"role": "out", "shape": ["rows", "cols"]},
    },
}}
"""


def test_a_block_of_rows_goes_through_a_tile_by_rows(tmp_path: Path) -> None:
    text = text_of(tmp_path, HALO)
    assert "for (int row = threadIdx.y; row < BLOCK_Y + 2; row += BLOCK_Y) {" in text
    assert "for (int column = threadIdx.x; column < BLOCK_X + 2; column += BLOCK_X) {" in text
    assert "34;" not in text.replace("column < 34;", "")


def test_a_loop_in_steps_of_the_block_says_so(tmp_path: Path) -> None:
    body = BLOCKS.replace("value = x[i]", "for j in range(lane, count, 64):\n            value += x[j]")
    assert "j += blockDim.x) {" in text_of(tmp_path, body.format(factor=64, chosen=0, place="block"))


KERNEL = """
@wp.kernel
def k(x: wp.array(dtype=float), low: float, out: wp.array(dtype=float)):
    i = wp.tid()
    a = x[i]
    out[i] = {value}
"""

SPELLED = [
    ("wp.exp(-a / low)", "expf(-a / low)"),
    ("wp.cos(-a * low)", "cosf(-a * low)"),
    ("wp.pow(low, -(a * low))", "powf(low, -a * low)"),
    ("wp.where(a < -low, 1.0, 2.0)", "a < -low ? 1.0f : 2.0f"),
    ("1.0 - low * -a", "1.0f - low * -a"),
    ("-a", "0.0f - a"),
    ("-wp.sign(a) * low", "-sign(a) * low"),
    ("wp.pow(-a, low)", "powf(0.0f - a, low)"),
    ("wp.sin(-a)", "sinf(0.0f - a)"),
    ("low / -a + 1.0", "low / (0.0f - a) + 1.0f"),
    ("0.0 - low * -a", "0.0f - low * -a"),
    ("low - low * -a", "low - low * (0.0f - a)"),
    ("wp.clamp(a, -3.0, low)", "fminf(fmaxf(a, -3.0f), low)"),
    ("wp.clamp(a, 0.0, 1.0)", "fminf(fmaxf(0.0f, a), 1.0f)"),
    ("float(wp.clamp(int(a), 0, 7))", "min(max(int(a), 0), 7)"),
]


@pytest.mark.parametrize(("value", "spelled"), SPELLED)
def test_zeros_keep_their_sign_where_it_shows(tmp_path: Path, value: str, spelled: str) -> None:
    assert spelled in text_of(tmp_path, KERNEL.format(value=value))


IMAGE = """
@wp.kernel
def k(image: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    out[i, j] = image[i, 0] + image[i, j]


LAUNCH = {"k": {"dims": ["n", "m"], "sizes": {"m": "16"}, "parameters": {
    "image": {"shape": ["n", "m"], "memory": "texture", "values": {"uniform": [0.0, 1.0]}},
    "out": {"role": "out", "shape": ["n", "m"]},
}}}
"""


def test_a_fetch_from_a_texture_names_the_middle_of_a_texel(tmp_path: Path) -> None:
    text = text_of(tmp_path, IMAGE)
    assert "tex2D<float>(image, 0.5f, i + 0.5f) + tex2D<float>(image, j + 0.5f, i + 0.5f)" in text


POWER = """
FAR = wp.constant({value})

@wp.kernel
def k(x: wp.array(dtype={kind})):
    i = wp.tid()
    x[i] = x[i] + FAR
"""


@pytest.mark.parametrize(
    ("kind", "value", "spelled"),
    [
        ("int", "1 << 30", "constexpr int FAR = 1 << 30;"),
        ("wp.uint32", "wp.uint32(1 << 31)", "constexpr uint32_t FAR = 1u << 31;"),
        ("wp.uint64", "wp.uint64(1 << 40)", "constexpr uint64_t FAR = 1ull << 40;"),
        ("int", "-1 << 20", "constexpr int FAR = -1048576;"),
    ],
)
def test_a_power_of_two_is_written_as_in_the_source(
    tmp_path: Path, kind: str, value: str, spelled: str
) -> None:
    assert spelled in text_of(tmp_path, POWER.format(kind=kind, value=value))


SIGNED = """
@wp.kernel
def k(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = -x[i]
"""


def test_a_negation_says_what_it_does(tmp_path: Path) -> None:
    text = text_of(tmp_path, SIGNED)
    assert "// Warp negates by 0 - x, so that 0 becomes +0; -x would give -0.\n" in text


MATRICES = """
@wp.kernel
def kernel(x: wp.array(dtype=float), m: wp.array(dtype=wp.mat22), y: wp.array(dtype=wp.mat22)):
    i = wp.tid()
    volume = wp.abs(x[i])
    y[i] = {value}
"""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("-volume * m[i] * m[i + 1]", "-volume * m[i]"),
        ("m[i] * (m[i + 1] * -volume)", "(m[i + 1] * -volume)"),
        ("-volume * m[i]", "(0.0f - volume) * m[i]"),
        ("-volume * m[i] + m[i + 1]", "(0.0f - volume) * m[i]"),
    ],
    ids=["a factor", "another factor", "what is stored", "a sum"],
)
def test_a_product_of_matrices_begins_with_zero(tmp_path: Path, value: str, expected: str) -> None:
    assert expected in text_of(tmp_path, MATRICES.format(value=value))


def test_a_shift_of_64_bits_is_by_an_int(tmp_path: Path) -> None:
    lines = (
        "@wp.kernel",
        "def kernel(x: wp.array(dtype=wp.uint64), k: int):",
        "    i = wp.tid()",
        "    x[i] = x[i] << wp.uint64(k)",
    )
    assert "x[i] <<= k;" in text_of(tmp_path, "\n".join(["", *lines, ""]))


SMALLEST = """
@wp.kernel
def k(x: wp.array2d(dtype=int), out: wp.array(dtype=int)):
    i = wp.tid()
    smallest = int(NUMBER)
    for j in range(x.shape[1]):
        smallest = wp.min(smallest, x[i, j])
    out[i] = smallest


LAUNCH = {"k": {"dims": ["n"], "parameters": {
    "x": {"shape": ["n", "n // 9 + 1"], "values": {"integers": [-8, 9]}},
    "out": {"role": "out", "shape": ["n"]},
}}}
"""


@pytest.mark.parametrize(
    ("written", "spelled"),
    [("2147483647", "INT_MAX"), ("0x7FFFFFFF", "0x7FFFFFFF"), ("2147483646", "2147483646")],
)
def test_the_largest_int_has_its_name(tmp_path: Path, written: str, spelled: str) -> None:
    text = text_of(tmp_path, SMALLEST.replace("NUMBER", written))
    assert f"int smallest = {spelled};" in text


ANGLE = """
@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.acos(wp.clamp(x[i], {low}, 1.0))
"""


@pytest.mark.parametrize(("low", "argument"), [("-1.0", "x[i]"), ("0.0", "fminf(fmaxf(0.0f, x[i]), 1.0f)")])
def test_what_an_angle_is_of_is_not_clamped_twice(tmp_path: Path, low: str, argument: str) -> None:
    assert f"= acos_clamped({argument});" in text_of(tmp_path, ANGLE.format(low=low))


def test_a_table_in_an_integer_stays_hexadecimal_where_it_is_shifted(tmp_path: Path) -> None:
    text = text_of(
        tmp_path,
        """
@wp.kernel
def k(x: wp.array(dtype=wp.uint64), out: wp.array(dtype=wp.uint64)):
    i = wp.tid()
    out[i] = (wp.uint64(0x4332322132212110) >> x[i]) & (wp.uint64(1) << x[i])
""",
    )
    assert "0x4332322132212110ull >> x[i]" in text and "uint64_t(1) << x[i]" in text


@pytest.mark.parametrize("behind", [False, True])
def test_the_comment_of_a_constant_comes_with_it(tmp_path: Path, behind: bool) -> None:
    defined = "MU_0 = wp.constant(1.2566e-6)"
    remark = "# magnetic constant, in H/m"
    text = text_of(
        tmp_path,
        (f"{defined}  {remark}" if behind else f"# of nature:\n\n{remark}\n{defined}")
        + """


@wp.kernel
def k(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = MU_0 * x[i]
""",
    )
    assert text.startswith("// magnetic constant, in H/m\nconstexpr float MU_0")
