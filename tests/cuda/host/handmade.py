"""Records with device code written by hand: the host half is tested without the device half."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from weft.cuda.c_types import c_type
from weft.cuda.device_code import DeviceCode, KernelParameter, Section
from weft.cuda.host import write_program
from weft.cuda.program import CudaProgram, write_programs
from weft.types import Array, Struct, parse_type

STRUCTS: dict[str, list[tuple[str, str]]] = {
    "Spring": [("rest", "float32"), ("stiffness", "float32")],
    "Ray": [("pose", "transform<float32>"), ("direction", "vec<3,float32>"), ("length", "float32")],
    "Particle": [
        ("alive", "bool"),
        ("mass", "float64"),
        ("spring", "struct<Spring>"),
        ("color", "vec<4,uint8>"),
    ],
}
DEFINITIONS = """\
struct Mat2x3f {
    float m[2][3];
};

struct Spring {
    float rest;
    float stiffness;
};

struct Quatf {
    float x, y, z, w;
};

struct Quatd {
    double x, y, z, w;
};

struct Transformf {
    float3 p;
    Quatf q;
};

struct Ray {
    Transformf pose;
    float3 direction;
    float length;
};
struct Particle {
    bool alive;
    double mass;
    Spring spring;
    uchar4 color;
};
"""


@dataclasses.dataclass(frozen=True)
class Input:
    """A kernel parameter: its type, how it is described, its shape (none for a value), and what else the
    launch description has of it.
    """

    type: str
    values: Mapping[str, Any] | None = None
    shape: Sequence[str] = ()
    role: str = "in"
    more: Mapping[str, Any] = dataclasses.field(default_factory=dict)


def record_of(
    inputs: Mapping[str, Input], sizes: Mapping[str, str], sample: str = "probe-0000-0000"
) -> dict[str, Any]:
    category, seed, index = sample.rsplit("-", 2)
    return {
        "sample_id": sample,
        "index": int(index),
        "category": category,
        "seed": int(seed),
        "kernel_name": "probe",
        "description": "Copy each value to an array.",
        "signature": [{"name": name, "type": entry.type} for name, entry in inputs.items()],
        "structs": [
            {"name": name, "doc": "", "fields": [{"name": field, "type": kind} for field, kind in fields]}
            for name, fields in STRUCTS.items()
        ],
        "launch": {
            "sizes": dict(sizes),
            "dims": ["n"],
            "parameters": {
                name: {"role": entry.role, "shape": list(entry.shape), "values": entry.values, **entry.more}
                for name, entry in inputs.items()
            },
            "equality": "bits",
        },
    }


def device_of(inputs: Mapping[str, Input], body: str, includes: frozenset[str] = frozenset()) -> DeviceCode:
    """A kernel with the body given, over `n` threads (`i` is the thread); its extents are named `threads`."""
    parameters = [parameter(name, entry) for name, entry in inputs.items()]
    parameters.append(KernelParameter("", "threads", "extent", None, "int", "n"))
    declarations = ", ".join(one.declaration for one in parameters)
    kernel = (
        f"__global__ void probe({declarations}) {{\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i >= threads) return;\n\n    {body}\n}}"
    )
    return DeviceCode(
        includes=includes,
        sections=(Section("type", "Particle", DEFINITIONS.strip()), Section("kernel", "probe", kernel)),
        kernel_c_name="probe",
        parameters=tuple(parameters),
        struct_fields={
            name: tuple((field, c_type(parse_type(kind)), parse_type(kind)) for field, kind in fields)
            for name, fields in STRUCTS.items()
        },
    )


def parameter(name: str, entry: Input) -> KernelParameter:
    kind = parse_type(entry.type)
    if isinstance(kind, Array):
        element = kind.element.name if isinstance(kind.element, Struct) else c_type(kind.element)
        return KernelParameter(name, name, "array", kind, element, const=entry.role == "in")
    return KernelParameter(name, name, "value", kind, c_type(kind))


def program_of(
    inputs: Mapping[str, Input],
    body: str,
    sizes: Mapping[str, str] | None = None,
    sample: str = "probe-0000-0000",
    includes: frozenset[str] = frozenset(),
) -> CudaProgram:
    record = record_of(inputs, sizes or {}, sample)
    return write_programs([(record, write_program(record, device_of(inputs, body, includes)))])[0]
