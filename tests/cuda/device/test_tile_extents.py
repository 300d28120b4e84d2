"""The extents of tiles and of blocks have names, in the kernel and in its launcher."""

from pathlib import Path

from translated import record_of, text_of

from weft.cuda.device import translate_device
from weft.cuda.host_launcher import Launcher, write_launcher
from weft.launch import parse_launch

PRODUCT = """
@wp.kernel
def k(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    i, j = wp.tid()
    total = wp.tile_zeros(shape=({m}, {n}), dtype=float)
    for start in range(0, 64, {k}):
        left = wp.tile_load(a, shape=({m}, {k}), offset=(i * {m}, start))
        right = wp.tile_load(b, shape=({k}, {n}), offset=(start, j * {n}))
        wp.tile_matmul(left, right, total)
    wp.tile_store(c, total, offset=(i * {m}, j * {n}))


LAUNCH = {{
    "k": {{
        "sizes": {{"rows": "n", "columns": "n"}},
        "dims": ["rows", "columns"],
        "block_dim": 64,
        "parameters": {{
            "a": {{"role": "in", "shape": ["32 * rows", 64], "values": {{"uniform": [-1, 1]}}}},
            "b": {{"role": "in", "shape": [64, "{width} * columns"], "values": {{"uniform": [-1, 1]}}}},
            "c": {{"role": "out", "shape": ["32 * rows", "{width} * columns"]}},
        }},
    }}
}}
"""


def _product(m: object, n: object, k: object, width: int, constants: str = "") -> str:
    return constants + PRODUCT.format(m=m, n=n, k=k, width=width)


def _launcher(folder: Path, source: str) -> Launcher:
    record = record_of(folder, source)
    return write_launcher(translate_device(record), parse_launch(record["launch"], "k"))


def test_a_product_names_its_rows_columns_and_depth(tmp_path: Path) -> None:
    source = _product(32, 64, 16, 64)
    text, launcher = text_of(tmp_path, source), _launcher(tmp_path, source)
    for one in ("TILE_M = 32", "TILE_N = 64", "TILE_K = 16", "BLOCK = 128"):
        assert f"constexpr int {one};" in text
    assert "left[TILE_M][TILE_K]" in text and "right[TILE_K][TILE_N]" in text
    assert "start += TILE_K" in text
    assert "tid / (TILE_N / 4) + m * (TILE_M / 4)" in text and "tid % (TILE_N / 4) + n * (TILE_N / 4)" in text
    assert launcher.block_declaration == "constexpr unsigned block = BLOCK"


def test_equal_extents_have_one_name(tmp_path: Path) -> None:
    text = text_of(tmp_path, _product(32, 32, 16, 32))
    assert "constexpr int TILE = 32;" in text and "TILE_M" not in text


def test_equal_extents_keep_the_names_that_the_user_gave_them(tmp_path: Path) -> None:
    constants = "M = wp.constant(32)\nN = wp.constant(32)\nDEPTH = wp.constant(16)\n"
    text = text_of(tmp_path, _product("M", "N", "DEPTH", 32, constants))
    assert "left[M][DEPTH + 1]" in text and "right[DEPTH][N]" in text
    assert "TILE" not in text


def test_a_name_that_the_kernel_has_is_left_to_it(tmp_path: Path) -> None:
    source = _product(32, 64, 16, 64).replace("total", "BLOCK")
    assert "left[32][16]" in text_of(tmp_path, source)


def test_a_window_is_as_wide_as_the_block_and_its_border(tmp_path: Path) -> None:
    source = """
    @wp.kernel
    def k(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
        i, j, thread = wp.tid()
        window = wp.tile_load(x, shape=(10, 34), offset=(i * 8, j * 32), storage="shared")
        row = thread // 32
        column = thread % 32
        out[i * 8 + row, j * 32 + column] = window[row, column + 1] + window[row + 2, column + 1]


    LAUNCH = {
        "k": {
            "sizes": {"rows": "n", "columns": "n"},
            "dims": ["rows", "columns"],
            "block_dim": 256,
            "parameters": {
                "x": {"shape": ["8 * rows + 2", "32 * columns + 2"], "values": {"uniform": [0, 1]}},
                "out": {"role": "out", "shape": ["8 * rows", "32 * columns"]},
            },
        }
    }
    """
    text = text_of(tmp_path, source)
    assert "window[BLOCK_Y + 2][BLOCK_X + 2];" in text
    assert "row < BLOCK_Y + 2; row += BLOCK_Y" in text.replace("tile_row", "row").replace(" r ", " row ")
    assert "i * BLOCK_Y" in text and "j * BLOCK_X" in text


def test_a_row_of_another_length_than_the_block_is_a_tile(tmp_path: Path) -> None:
    source = """
    @wp.kernel
    def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
        i = wp.tid()
        row = wp.tile_load(x, shape=512, offset=i * 512)
        wp.tile_store(out, row + row, offset=i * 512)


    LAUNCH = {
        "k": {
            "sizes": {"rows": "n"},
            "dims": ["rows"],
            "block_dim": 64,
            "parameters": {
                "x": {"role": "in", "shape": ["512 * rows"], "values": {"uniform": [0, 1]}},
                "out": {"role": "out", "shape": ["512 * rows"]},
            },
        }
    }
    """
    text = text_of(tmp_path, source)
    assert "constexpr int TILE = 512;" in text and "e < TILE; e += blockDim.x" in text


def test_a_constant_of_the_users_may_be_the_width_of_a_block(tmp_path: Path) -> None:
    source = """
    TILE = wp.constant(16)
    WINDOW = wp.constant(18)


    @wp.kernel
    def k(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
        i, j, thread = wp.tid()
        window = wp.tile_load(x, shape=(WINDOW, WINDOW), offset=(i * TILE, j * TILE), storage="shared")
        row = thread // 16
        column = thread % 16
        out[i * TILE + row, j * TILE + column] = window[row, column + 1] + window[row + 2, column + 1]


    LAUNCH = {
        "k": {
            "sizes": {"rows": "n", "columns": "n"},
            "dims": ["rows", "columns"],
            "block_dim": 256,
            "parameters": {
                "x": {"shape": ["16 * rows + 2", "16 * columns + 2"], "values": {"uniform": [0, 1]}},
                "out": {"role": "out", "shape": ["16 * rows", "16 * columns"]},
            },
        }
    }
    """
    text = text_of(tmp_path, source)
    assert "window[WINDOW][WINDOW];" in text and " < WINDOW; " in text and " += TILE)" in text
    assert text.count("constexpr int") == 2


def test_the_largest_8_bit_integer_is_no_thread(tmp_path: Path) -> None:
    source = """
    @wp.kernel
    def k(x: wp.array2d(dtype=float), count: int, out: wp.array2d(dtype=float)):
        row, thread = wp.tid()
        for j in range(thread, count, 128):
            out[row, j] = x[row, j] / 127.0


    LAUNCH = {
        "k": {
            "sizes": {"rows": "n", "count": "n"},
            "dims": ["rows"],
            "block_dim": 128,
            "parameters": {
                "x": {"shape": ["rows", "count"], "values": {"uniform": [0, 1]}},
                "count": {"values": {"size": "count"}},
                "out": {"role": "out", "shape": ["rows", "count"]},
            },
        }
    }
    """
    assert _launcher(tmp_path, source.replace("/ 127.0", "* float(thread - 127)")).reason
    assert not _launcher(tmp_path, source).reason


ROWS = """
WIDTH = wp.constant({width})
KEYS = wp.constant({keys})


@wp.kernel
def rows(x: wp.array2d(dtype=float), medians: wp.array(dtype=float), out: wp.array2d(dtype=float)):
    row = wp.tid()
    {body}


LAUNCH = {{
    "rows": {{
        "sizes": {{"count": "n // 64 + 1"}},
        "dims": ["count"],
        "block_dim": {block},
        "parameters": {{
            "x": {{"role": "in", "shape": ["count", {width}], "values": {{"uniform": [-1, 1]}}}},
            "medians": {{"role": "out", "shape": ["count"]}},
            "out": {{"role": "inout", "shape": ["count", {width}], "values": {{"uniform": [-1, 1]}}}},
        }},
    }}
}}
"""


def _rows(body: str, width: int, block: int, keys: int = 32) -> str:
    return ROWS.format(body=body.replace("\n", "\n    "), width=width, block=block, keys=keys)


def test_rows_as_long_as_a_tile_have_its_name_in_kernel_and_launcher(tmp_path: Path) -> None:
    body = """keys = wp.tile_load(x[row], shape=WIDTH)
places = wp.tile_arange(WIDTH, dtype=int)
wp.tile_sort(keys, places)
medians[row] = keys[WIDTH / 2]"""
    source = _rows(body, 64, 64)
    text = text_of(tmp_path, source)
    record = record_of(tmp_path, source)
    launcher = write_launcher(translate_device(record), parse_launch(record["launch"], "rows"))
    assert "= x[row * WIDTH + tid];" in text and "block_sort(keys, WIDTH);" in text
    assert launcher.refused == [("count > INT_MAX / WIDTH", "cudaErrorInvalidValue")]


def test_keys_are_sorted_alone_unless_somebody_reads_what_goes_with_them(tmp_path: Path) -> None:
    body = """keys = wp.tile_load(x[row], shape=WIDTH)
places = wp.tile_arange(WIDTH, dtype=int)
wp.tile_sort(keys, places)
medians[row] = keys[WIDTH / 2]"""
    assert "places" not in text_of(tmp_path, _rows(body, 64, 64))
    read = f"{body} + float(places[0])"
    assert "block_sort(keys, places, WIDTH);" in text_of(tmp_path, _rows(read, 64, 64))


def test_elements_of_several_rows_are_counted_by_both_extents(tmp_path: Path) -> None:
    body = """left = wp.tile_load(out, shape=(KEYS, WIDTH), offset=(row * KEYS, 0))
gram = wp.tile_matmul(wp.tile_transpose(left), left)
factor = wp.tile_cholesky(gram)
solution = wp.tile_cholesky_solve(factor, wp.tile_load(x[row], shape=WIDTH))
wp.tile_store(out[row], solution)"""
    text = text_of(tmp_path, _rows(body, 12, 32))
    assert "e < KEYS * WIDTH;" in text and "= e / WIDTH;" in text and "= e % WIDTH;" in text
    assert "e < WIDTH * WIDTH;" in text and "if (i < WIDTH)" in text
    assert "for (int i = WIDTH - 1; i >= 0; --i)" in text


def test_a_transposed_tile_keeps_the_name_of_its_extent(tmp_path: Path) -> None:
    body = """keys = wp.tile_load(out, shape=(KEYS, WIDTH))
query = wp.tile_transpose(wp.tile_load(x, shape=(1, WIDTH), offset=(row, 0)))
medians[row] = query[WIDTH / 2, 0]
scores = wp.tile_matmul(keys, query)
exps = wp.tile_map(wp.exp, scores - wp.tile_broadcast(wp.tile_max(scores), shape=(KEYS, 1)))
wp.tile_store(out, wp.tile_matmul(wp.tile_transpose(exps), keys), offset=(row, 0))"""
    text = text_of(tmp_path, _rows(body, 64, 64, 64))
    assert "query[WIDTH];" in text and "exps[KEYS];" in text


def test_a_table_has_as_many_elements_as_its_constants_say(tmp_path: Path) -> None:
    text = text_of(
        tmp_path,
        """
        NUM_BANDS = wp.constant(16)
        NUM_BINS = wp.constant(64)


        @wp.kernel
        def k(filters: wp.array2d(dtype=float), power: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
            i = wp.tid()
            for band in range(NUM_BANDS):
                total = float(0.0)
                for k in range(NUM_BINS):
                    total += filters[band, k] * power[i, k]
                out[i, band] = total


        LAUNCH = {
            "k": {
                "sizes": {"frames": "n"},
                "dims": ["frames"],
                "parameters": {
                    "filters": {
                        "role": "in",
                        "shape": [16, 64],
                        "values": {"uniform": [0, 1]},
                        "memory": "constant",
                    },
                    "power": {"role": "in", "shape": ["frames", 64], "values": {"uniform": [0, 1]}},
                    "out": {"role": "out", "shape": ["frames", 16]},
                },
            }
        }
        """,
    )
    assert text.index("constexpr int NUM_BINS = 64;") < text.index("filters[NUM_BANDS * NUM_BINS];")


def test_the_elements_of_a_lane_are_counted_by_the_constant_of_a_row(tmp_path: Path) -> None:
    text = text_of(
        tmp_path,
        """
        FAN_IN = wp.constant(128)


        @wp.kernel
        def k(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float), least: wp.array(dtype=float)):
            i = wp.tid()
            row = wp.tile_load(x[i], shape=FAN_IN)
            total = wp.tile_sum(row)
            wp.tile_store(out[i], row * total[0])
            least[i] = total[0]


        LAUNCH = {
            "k": {
                "sizes": {"rows": "n"},
                "dims": ["rows"],
                "block_dim": 32,
                "parameters": {
                    "x": {"role": "in", "shape": ["rows", 128], "values": {"uniform": [0, 1]}},
                    "out": {"role": "out", "shape": ["rows", 128]},
                    "least": {"role": "out", "shape": ["rows"]},
                },
            }
        }
        """,
    )
    assert "float row[FAN_IN / 32];" in text and "n < FAN_IN / 32;" in text
    assert "* FAN_IN" in text and "COLS" not in text and "128" not in text.replace("FAN_IN = 128", "")
