"""A record and its device code, written by hand: the host half is tested without the device half."""

from __future__ import annotations

from typing import Any

from weft.cuda.device_code import DeviceCode, KernelParameter
from weft.types import parse_type

SPRING_KERNEL = """\
__global__ void spring_forces(const float3* __restrict__ position, const int2* __restrict__ ends,
                              const Spring* __restrict__ springs, float3* force, float scale, int spring_count) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= spring_count) return;

    const int i = ends[s].x;
    const float3 a = position[i];
    const float stretch = scale * springs[s].stiffness * (a.x - springs[s].rest);
    atomicAdd(&force[i].x, stretch);
}
"""

SPRING_DEFINITIONS = """\
struct Spring {
    float rest;
    float stiffness;
};
"""


def parameter(name: str, kind: str, type: str | None, declaration: str, c_type: str, size: str | None = None):
    return KernelParameter(
        name="" if kind == "extent" else name,
        c_name=name,
        kind=kind,
        type=parse_type(type) if type else None,
        declaration=declaration,
        c_type=c_type,
        size=size,
    )


def spring_record() -> dict[str, Any]:
    return {
        "sample_id": "spring-0000-0003",
        "index": 3,
        "category": "spring",
        "seed": 0,
        "kernel_name": "spring_forces",
        "description": "Add the pull of each spring to its first end point.",
        "signature": [
            {"name": "position", "type": "array<vec<3,float32>,1>"},
            {"name": "ends", "type": "array<vec<2,int32>,1>"},
            {"name": "springs", "type": "array<struct<Spring>,1>"},
            {"name": "force", "type": "array<vec<3,float32>,1>"},
            {"name": "scale", "type": "float32"},
        ],
        "structs": [
            {
                "name": "Spring",
                "doc": "",
                "fields": [{"name": "rest", "type": "float32"}, {"name": "stiffness", "type": "float32"}],
            }
        ],
        "launch": {
            "sizes": {"spring_count": "3 * n"},
            "dims": ["spring_count"],
            "parameters": {
                "position": {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
                "ends": {"role": "in", "shape": ["spring_count"], "values": {"integers": [0, "n"]}},
                "springs": {
                    "role": "in",
                    "shape": ["spring_count"],
                    "values": {"members": {"rest": {"constant": 0.25}, "stiffness": {"uniform": [1.0, 2.0]}}},
                },
                "force": {"role": "inout", "shape": ["n"], "values": {"constant": 0}},
                "scale": {"role": "in", "shape": [], "values": {"constant": 0.5}},
            },
            "equality": "bits",
        },
    }


def spring_device() -> DeviceCode:
    return DeviceCode(
        includes=frozenset(),
        definitions=SPRING_DEFINITIONS,
        kernel=SPRING_KERNEL,
        kernel_c_name="spring_forces",
        parameters=(
            parameter(
                "position",
                "array",
                "array<vec<3,float32>,1>",
                "const float3* __restrict__ position",
                "float3",
            ),
            parameter("ends", "array", "array<vec<2,int32>,1>", "const int2* __restrict__ ends", "int2"),
            parameter(
                "springs", "array", "array<struct<Spring>,1>", "const Spring* __restrict__ springs", "Spring"
            ),
            parameter("force", "array", "array<vec<3,float32>,1>", "float3* force", "float3"),
            parameter("scale", "value", "float32", "float scale", "float"),
            parameter("spring_count", "extent", None, "int spring_count", "int", "spring_count"),
        ),
        grid_axes=("spring_count",),
        block=(256, 1, 1),
        block_reason="A multiple of the warp size that keeps every SM busy.",
        struct_fields={
            "Spring": (
                ("rest", "float", parse_type("float32")),
                ("stiffness", "float", parse_type("float32")),
            )
        },
    )
