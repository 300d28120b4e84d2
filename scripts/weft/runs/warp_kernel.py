"""Warp's own kernel as a program that the driver calls: the CUDA that Warp has generated, under its headers.

It is launched as Warp launches it: a thread for each element, 256 a block unless the launch says otherwise.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weft.runs.shard import ShardSample

BLOCK = 256
FLAGS = ("-DWP_ENABLE_CUDA=1", "-w")
"""For nvcc, beside the folder of Warp's headers."""
_FORWARD = re.compile(
    r'extern "C" __global__ void (?P<name>\w+_cuda_kernel_forward)\(\s*'
    r"wp::launch_bounds_t<(?P<rank>\d)> dim,?(?P<parameters>[^)]*)\)"
)
_PARAMETER = re.compile(r"(?P<type>[^,<>]+(?:<[^()]*?>)?) var_(?P<name>\w+)\s*(?:,|\Z)")
_TILE = re.compile(r"\bwp::tile_(?!shared_storage_t\b)\w+")
_ARRAY = "wp::array_t<"


def installed_headers() -> Path | None:
    """The folder of the headers of the Warp that is installed, if one is."""
    found = importlib.util.find_spec("warp")
    for place in (found.submodule_search_locations if found else None) or ():
        if (Path(place) / "native/builtin.h").is_file():
            return Path(place) / "native"
    return None


def stands_alone(record: Mapping[str, Any]) -> bool:
    """Whether a record of the ir stage is of one kernel that takes contiguous arrays and numbers, and has no
    tiles: what Warp itself does between Python and other kernels is not done here.
    """
    if record.get("cuda_forward") is None or record["launch"] is None or record["launch"]["steps"]:
        return False
    found = _FORWARD.search(record["cuda_forward"])
    parameters = record["launch"]["parameters"].values()
    kinds = [one["type"] for one in record["signature"]]
    return (
        found is not None
        and int(found["rank"]) == len(record["launch"]["dims"])
        and _TILE.search(record["cuda_forward"]) is None
        and not any(one["null"] or one["strides"] for one in parameters)
        and not any("struct<" in kind or "texture" in kind for kind in kinds)
        and all(kind.startswith("array<") or "array" not in kind for kind in kinds)
    )


def warp_program(record: Mapping[str, Any], part: ShardSample) -> tuple[str, ShardSample]:
    """The text of a program with Warp's kernel, of a record that stands alone, and the sample's part with the
    numbers that its launch takes: the launch dimensions.
    """
    found = _FORWARD.search(record["cuda_forward"])
    assert found is not None
    types = {match["name"]: match["type"].strip() for match in _PARAMETER.finditer(found["parameters"])}
    leaves, arguments = [], []
    for number, one in enumerate(record["signature"]):
        name, kind, text = one["name"], one["type"], types[one["name"]]
        element = text.removeprefix(_ARRAY).removesuffix(">") if text.startswith(_ARRAY) else text
        if text.startswith(_ARRAY):
            kind, _, rank = kind.removeprefix("array<").removesuffix(">").rpartition(",")
            extents = "".join(f", given.extent({number}, {axis})" for axis in range(int(rank)))
            arguments.append(f"{text}(given.array<{element}>({number}){extents})")
        else:
            arguments.append(f"given.value<{element}>({number})")
        place = "array" if text.startswith(_ARRAY) else "value"
        leaves.append(
            f'    {{"{name}", "{kind}", sizeof({element}), weft_driver::Kind::{place}, nullptr, 0}},\n'
        )
    rank, block = int(found["rank"]), record["launch"]["block_dim"] or BLOCK
    shape = "".join(f"    dim.shape[{axis}] = given.numbers[{axis}];\n" for axis in range(rank))
    size = " * ".join(f"size_t(given.numbers[{axis}])" for axis in range(rank))
    # Warp's own declarations of the C library are for NVRTC.
    text = record["cuda_forward"].replace("#define WP_NO_CRT\n", "")
    program = f"""{text}
#undef float
#undef int
const weft_driver::Leaf weft_leaves[] = {{
{"".join(leaves)}}};
cudaError_t weft_launch(const weft_driver::Arguments& given) {{
    wp::launch_bounds_t<{rank}> dim{{}};
{shape}    dim.size = {size};
    dim.coord_mult = 1;
    const unsigned grid = unsigned((dim.size + {block - 1}) / {block});
    {found["name"]}<<<grid, {block}>>>({", ".join(["dim", *arguments])});
    return cudaGetLastError();
}}
const weft_driver::Sample weft_driver::samples[] = {{
    {{"{part.namespace}", weft_leaves, {len(leaves)}, weft_launch, nullptr}},
    {{}},
}};
"""
    numbers = [{"dim": axis} for axis in range(rank)]
    interface = dataclasses.replace(part.interface, numbers=numbers)
    return program, dataclasses.replace(part, interface=interface)
