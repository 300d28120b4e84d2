"""A block of tiles has the threads that its work needs, where no result depends on their number."""

from pathlib import Path

import pytest
from translated import device_of, text_of


def _kernel(body: str, block_dim: int = 64, size: int = 8, more: str = "") -> str:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return f"""
@wp.kernel
def k(a: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(a, shape={size}, offset=i * {size})
{lines}


LAUNCH = {{
    "k": {{
        "sizes": {{"blocks": "n"}},
        "dims": ["blocks"],
        "block_dim": {block_dim},{more}
        "parameters": {{
            "a": {{"role": "in", "shape": ["{size} * blocks"], "values": {{"integers": [-8, 9]}}}},
            "out": {{"role": "out", "shape": ["{size} * blocks"]}},
        }},
    }}
}}
"""


STORE = "wp.tile_store(out, t + t, offset=i * {0})"


@pytest.mark.parametrize(
    ("size", "block_dim", "block"),
    [(48, 256, (64, 1, 1)), (128, 32, (128, 1, 1)), (512, 64, (256, 1, 1)), (512, 512, (512, 1, 1))],
)
def test_there_is_a_thread_for_each_element(
    size: int, block_dim: int, block: tuple[int, int, int], tmp_path: Path
) -> None:
    assert device_of(tmp_path, _kernel(STORE.format(size), block_dim, size)).grid.block == block


def test_several_warps_share_a_block_if_each_has_a_tile(tmp_path: Path) -> None:
    device = device_of(
        tmp_path,
        _kernel(
            "wp.tile_store(out, t - wp.tile_broadcast(wp.tile_sum(t), shape=(32,)), offset=i * 32)", 64, 32
        ),
    )
    assert device.grid.block == (32, 8, 1)
    assert "blockIdx.x * blockDim.y + threadIdx.y" in device.kernel
    assert ">= blocks) return;" in device.kernel


@pytest.mark.parametrize(
    "body",
    [
        "wp.atomic_add(out, i, 1.0)\nwp.tile_store(out, t, offset=i * 8)",
        "out[i] = out[i] + 1.0\nwp.tile_store(out, t, offset=i * 8)",
        "x = wp.tile(a[i] + 1.0)\nwp.tile_store(out, wp.tile_sum(x), offset=i)",
        "t[0] += 1.0\nwp.tile_store(out, t, offset=i * 8)",
        "print(i)\nwp.tile_store(out, t, offset=i * 8)",
        "out[i] = float(wp.block_dim())",
    ],
)
def test_what_each_thread_does_needs_as_many_as_warp_has(body: str, tmp_path: Path) -> None:
    assert device_of(tmp_path, _kernel(body)).grid.block == (64, 1, 1)


@pytest.mark.parametrize(("size", "block"), [(256, (32, 8, 1)), (512, (256, 1, 1))])
def test_a_short_row_has_a_warp(size: int, block: tuple[int, int, int], tmp_path: Path) -> None:
    body = f"wp.tile_store(out, t / wp.tile_sum(t)[0], offset=i * {size})"
    assert device_of(tmp_path, _kernel(body, 64, size)).grid.block == block


def test_of_equal_elements_warp_chooses_by_thread(tmp_path: Path) -> None:
    body = "wp.tile_store(out, wp.tile_astype(wp.tile_argmax(t), float), offset=i)"
    assert device_of(tmp_path, _kernel(body, 64, 64)).grid.block == (64, 1, 1)
    assert device_of(tmp_path, _kernel(body, 32, 64)).grid.block[0] == 32


def test_a_row_has_lanes_where_the_order_of_its_sum_is_free(tmp_path: Path) -> None:
    text = text_of(
        tmp_path,
        """
        @wp.kernel
        def k(a: wp.array2d(dtype=float), x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
            i = wp.tid()
            m = wp.tile_load(a, shape=(8, 48), offset=(i * 8, 0))
            v = wp.tile_load(x, shape=(48, 1))
            wp.tile_store(out, wp.tile_matmul(m, v), offset=(i * 8, 0))


        LAUNCH = {
            "k": {
                "sizes": {"blocks": "n"},
                "dims": ["blocks"],
                "block_dim": 64,
                "parameters": {
                    "a": {"role": "in", "shape": ["8 * blocks", "48"], "values": {"integers": [-8, 9]}},
                    "x": {"role": "in", "shape": ["48", "1"], "values": {"integers": [-8, 9]}},
                    "out": {"role": "out", "shape": ["8 * blocks", "1"]},
                },
            }
        }
        """,
    )
    assert "warp_sum(" in text and "__shared__ float m" not in text
    assert "// Blocks of 256 threads, 32 for each of 8 rows." in text


ATTENTION = """
@wp.kernel
def k(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i = wp.tid()
    rows = wp.tile_load(a, shape=(64, 32))
    column = wp.tile_transpose(wp.tile_load(b, shape=(1, 32), offset=(i, 0)))
    products = wp.tile_matmul(rows, column)
    wp.tile_store(out, wp.tile_transpose(products * (1.0 / wp.tile_sum(products)[0])), offset=(i, 0))


LAUNCH = {"k": {"sizes": {"rows": "n"}, "dims": ["rows"], "block_dim": 64, "equality": "bounded",
    "parameters": {
        "a": {"shape": [64, 32], "values": {"uniform": [0.0, 1.0]}},
        "b": {"shape": ["rows", 32], "values": {"uniform": [0.0, 1.0]}},
        "out": {"role": "out", "shape": ["rows", 64]},
    },
}}
"""


def test_no_thread_idles_through_a_reduction_for_the_lanes_of_a_product(tmp_path: Path) -> None:
    """Nor does a factor that a lane loads and multiplies at once go through shared memory."""
    device = device_of(tmp_path, ATTENTION)
    assert device.grid.block == (64, 1, 1)
    assert device.kernel.count("__shared__") == 1
    assert "if (tid < " not in device.kernel
