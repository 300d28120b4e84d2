"""Small kernels, most of them deliberately wrong: what the reference stage makes of each is known."""

from __future__ import annotations

import ast
import dataclasses
import textwrap
from typing import Any

FLOATS = "array<float32,1>"
INTEGERS = "array<int32,1>"


@dataclasses.dataclass(frozen=True)
class Written:
    """A kernel: its parameters as (name, Warp annotation, Weft type, launch entry), and its body.

    `reason` is the expected reject, None for a kernel that is fine. `vectors` are the types of its variables that
    have components.
    """

    name: str
    parameters: tuple[tuple[str, str, str, dict[str, Any]], ...]
    body: str
    reason: str | None = None
    preamble: str = ""
    postamble: str = ""
    structs: tuple[dict[str, Any], ...] = ()
    dims: tuple[str, ...] = ("n",)
    sizes: tuple[tuple[str, str], ...] = ()
    vectors: tuple[tuple[str, str], ...] = ()

    def source(self) -> str:
        """The `python_source` of its record."""
        annotations = ", ".join(f"{name}: {annotation}" for name, annotation, _, _ in self.parameters)
        body = textwrap.indent(textwrap.dedent(self.body).strip(), "    ")
        preamble = textwrap.dedent(self.preamble)
        kernel = f"@wp.kernel\ndef {self.name}({annotations}):\n{body}\n"
        return f"import warp as wp\n{preamble}\n\n{kernel}\n\n{self.postamble}\n"

    def function(self) -> dict[str, Any]:
        """Its function record, with the types of `vectors`."""
        source = "def kernel():\n" + textwrap.indent(textwrap.dedent(self.body).strip(), "    ")
        names = [name for name, _ in self.vectors]
        expressions = [
            [node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, names.index(node.id)]
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Name) and node.id in names
        ]
        return {"source": source, "types": [kind for _, kind in self.vectors], "expressions": expressions}

    def record(self, index: int) -> dict[str, Any]:
        """What an ir file says about it, as far as the reference stage looks at it."""
        return {
            "sample_id": f"test-0000-{index:04d}",
            "index": index,
            "category": "test",
            "seed": 0,
            "kernel_name": self.name,
            "python_source": self.source(),
            "signature": [{"name": name, "type": kind} for name, _, kind, _ in self.parameters],
            "structs": list(self.structs),
            "functions": [],
            "kernel": self.function(),
            "launch_problem": None,
            "launch": {
                "sizes": dict(self.sizes),
                "dims": list(self.dims),
                "parameters": {name: entry for name, _, _, entry in self.parameters},
                "equality": "bits",
            },
        }


COUNT = {"role": "inout", "shape": ["1"], "values": {"constant": 0}}


def floats_in(name: str, low: float = -1.0, high: float = 1.0) -> tuple[str, str, str, dict[str, Any]]:
    """An input array of n floats."""
    entry = {"role": "in", "shape": ["n"], "values": {"uniform": [low, high]}}
    return name, "wp.array(dtype=float)", FLOATS, entry


def floats_out(name: str = "out", shape: str = "n") -> tuple[str, str, str, dict[str, Any]]:
    """An output array of floats."""
    return name, "wp.array(dtype=float)", FLOATS, {"role": "out", "shape": [shape]}


def integers_in(name: str, low: int, high: int | str) -> tuple[str, str, str, dict[str, Any]]:
    """An input array of n integers."""
    entry = {"role": "in", "shape": ["n"], "values": {"integers": [low, high]}}
    return name, "wp.array(dtype=int)", INTEGERS, entry


def integers_out(name: str = "out", shape: str = "n") -> tuple[str, str, str, dict[str, Any]]:
    """An output array of integers."""
    return name, "wp.array(dtype=int)", INTEGERS, {"role": "out", "shape": [shape]}


def ir_file(kernels: tuple[Written, ...]) -> dict[str, Any]:
    """The ir file of a shard of these kernels."""
    return {
        "schema": 1,
        "category": "test",
        "seed": 0,
        "device": "cuda",
        "versions": {},
        "records": [kernel.record(index) for index, kernel in enumerate(kernels)],
        "rejects": [],
    }


SPRING = {
    "name": "Spring",
    "doc": "",
    "fields": [
        {"name": "fixed", "type": "bool"},
        {"name": "rest", "type": "float64"},
        {"name": "ends", "type": "vec<2,int16>"},
        {"name": "axis", "type": "vec<3,float32>"},
    ],
}

SPRING_SOURCE = """
@wp.struct
class Spring:
    fixed: wp.bool
    rest: wp.float64
    ends: wp.vec2s
    axis: wp.vec3
"""

SPRING_VALUES = {
    "members": {
        "fixed": {"integers": [0, 2]},
        "rest": {"uniform": [0.5, 2.0]},
        "ends": {"integers": [-5, 5]},
        "axis": {"uniform": [-1.0, 1.0]},
    }
}

SINES_OF = [round(0.01 + 0.1 * k, 2) for k in range(200)]

KERNELS = (
    Written(
        "saxpy",
        (
            floats_in("x"),
            floats_in("y"),
            ("a", "float", "float32", {"values": {"uniform": [0.5, 2.0]}}),
            ("count", "int", "int32", {"values": {"size": "n"}}),
            floats_out(),
        ),
        """
        i = wp.tid()
        if i < count:
            out[i] = a * x[i] + y[i]
        """,
    ),
    Written(
        "rounding_at_an_edge",
        (floats_in("x", 0.0, 1.0), floats_out()),
        """
        i = wp.tid()
        out[i] = wp.floor(x[i] / 0.1)
        """,
    ),
    Written(
        "counting",
        (
            floats_in("x"),
            ("above", "wp.array(dtype=int)", INTEGERS, COUNT),
            ("taken", "wp.array(dtype=int)", INTEGERS, COUNT),
            floats_out(),
        ),
        """
        i = wp.tid()
        if 0.25 < x[i]:
            wp.atomic_add(above, 0, 1)
            slot = wp.atomic_add(taken, 0, 1)
            out[slot] = wp.clamp(x[i], 0.0, 0.75)
        """,
    ),
    Written(
        "runaway",
        (integers_in("x", 0, 9), integers_out()),
        """
        i = wp.tid()
        for k in range(2000000000):
            out[i] = x[i] + k
        """,
        reason="timeout",
    ),
    Written(
        "mostly_rounding",
        (floats_in("x"), floats_out()),
        """
        i = wp.tid()
        out[i] = (x[i] + 1.0e5) - 1.0e5
        """,
        reason="unstable",
    ),
    Written(
        "far_away_in_float64",
        (floats_in("x"), floats_out()),
        """
        i = wp.tid()
        lost = int(((x[i] + 1.0e9) - 1.0e9) * 1.0e9)
        out[i] = x[i + lost] + x[i]
        """,
        reason="unstable",
    ),
    Written(
        "every_other",
        (integers_in("x", 0, 100), integers_out("out", "2 * n")),
        """
        i = wp.tid()
        out[2 * i] = x[i]
        """,
    ),
    Written(
        "out_of_range",
        (integers_in("x", 0, 100), integers_out()),
        """
        i = wp.tid()
        out[i] = x[i + 1]
        """,
        reason="out_of_bounds",
    ),
    Written(
        "beyond_a_vector",
        (floats_in("x"), integers_in("count", 1, 5), floats_out()),
        """
        i = wp.tid()
        v = wp.vec3()
        for k in range(count[i]):
            v[k] = x[i]
        out[i] = v[0] + v[count[i] - 1]
        """,
        reason="out_of_bounds",
        vectors=(("v", "vec<3,float32>"),),
    ),
    Written(
        "within_a_vector",
        (floats_in("x"), integers_in("count", 0, 4), floats_out()),
        """
        i = wp.tid()
        v = wp.vec3()
        for k in range(count[i]):
            v[k] = x[i]
        assert count[i] < 3
        out[i] = v[0] + v[count[i] - 1]
        """,
        vectors=(("v", "vec<3,float32>"),),
    ),
    Written(
        "before_the_start",
        (integers_in("x", 0, 100), integers_out()),
        """
        i = wp.tid()
        out[i - 2 * out.shape[0]] = x[i]
        """,
        reason="out_of_bounds",
    ),
    Written(
        "divides_by_zero",
        (integers_in("x", 0, 2), integers_out()),
        """
        i = wp.tid()
        out[i] = 7 / x[i]
        """,
        reason="crash",
    ),
    Written(
        "reads_its_output",
        (floats_in("x"), floats_out()),
        """
        i = wp.tid()
        out[i] = out[i] * 0.5 + x[i]
        """,
        reason="non_deterministic",
    ),
    Written(
        "changes_its_input",
        (floats_in("x"), floats_out()),
        """
        i = wp.tid()
        out[i] = x[i]
        x[i] = 2.0
        """,
        reason="modifies_input",
    ),
    Written(
        "writes_nothing",
        (floats_in("x"), floats_out()),
        """
        i = wp.tid()
        if x[i] > 5.0:
            out[i] = x[i]
        """,
        reason="no_output",
    ),
    Written(
        "always_three",
        (floats_in("x"), floats_out()),
        """
        i = wp.tid()
        out[i] = 3.0
        """,
        reason="constant_output",
    ),
    Written(
        "three_beside_what_varies",
        (floats_in("x"), floats_out(), floats_out("beside")),
        """
        i = wp.tid()
        out[i] = x[i]
        beside[i] = 3.0
        """,
        reason="constant_output",
    ),
    Written(
        "leaves_one_output",
        (floats_in("x"), floats_out(), floats_out("beside")),
        """
        i = wp.tid()
        out[i] = x[i]
        if x[i] > 5.0:
            beside[i] = x[i]
        """,
        reason="no_output",
    ),
    Written(
        "root_of_negative",
        (floats_in("x"), floats_out()),
        """
        i = wp.tid()
        out[i] = wp.sqrt(x[i])
        """,
        reason="nan",
    ),
    Written(
        "ignores_y",
        (floats_in("x"), floats_in("y"), floats_out()),
        """
        i = wp.tid()
        out[i] = x[i] + 0.0 * y[i]
        """,
        reason="insensitive",
    ),
    Written(
        "too_many_elements",
        (floats_in("x"), floats_out("out", "n * n * n * 100")),
        """
        i = wp.tid()
        out[i] = x[i]
        """,
        reason="too_large",
    ),
    Written(
        "stretch",
        (
            (
                "springs",
                "wp.array(dtype=Spring)",
                "array<struct<Spring>,1>",
                {"role": "inout", "shape": ["n"], "values": SPRING_VALUES},
            ),
            ("like", "Spring", "struct<Spring>", {"values": SPRING_VALUES}),
            (
                "out",
                "wp.array(dtype=Spring)",
                "array<struct<Spring>,1>",
                {"role": "out", "shape": ["n"]},
            ),
        ),
        """
        i = wp.tid()
        s = springs[i]
        out[i].rest = s.rest * like.rest
        out[i].axis = s.axis + like.axis
        springs[i].fixed = not s.fixed
        """,
        preamble=SPRING_SOURCE,
        structs=(SPRING,),
    ),
    Written(
        "cross_products",
        (
            (
                "a",
                "wp.array2d(dtype=wp.vec3)",
                "array<vec<3,float32>,2>",
                {"shape": ["rows", "3"], "values": {"uniform": [-1.0, 1.0]}},
            ),
            ("b", "wp.vec3", "vec<3,float32>", {"values": {"uniform": [-1.0, 1.0]}}),
            ("h", "wp.float16", "float16", {"values": {"uniform": [1.0, 2.0]}}),
            (
                "out",
                "wp.array2d(dtype=wp.vec3)",
                "array<vec<3,float32>,2>",
                {"role": "out", "shape": ["rows", "3"]},
            ),
        ),
        """
        i, j = wp.tid()
        out[i, j] = wp.cross(a[i, j], b) * wp.float32(h)
        """,
        dims=("rows", "3"),
        sizes=(("rows", "n // 2 + 1"),),
    ),
    Written(
        "generic_square",
        (
            ("x", "wp.array(dtype=Any)", FLOATS, floats_in("x")[3]),
            ("out", "wp.array(dtype=Any)", FLOATS, floats_out()[3]),
        ),
        """
        i = wp.tid()
        out[i] = x[i] * x[i]
        """,
        preamble="from typing import Any",
        postamble="wp.overload(generic_square, [wp.array(dtype=float), wp.array(dtype=float)])",
    ),
    Written(
        "sines",
        (floats_in("x"), floats_out("copies"), floats_out("sines", f"{len(SINES_OF)}")),
        "i = wp.tid()\ncopies[i] = x[i]\n"
        + "\n".join(f"sines[{k}] = wp.sin({value})" for k, value in enumerate(SINES_OF)),
    ),
)
"""Kernels that compile: structs, by-value parameters of every kind, and one for each reason to reject."""

UNCOMPILABLE = (
    next(kernel for kernel in KERNELS if kernel.name == "saxpy"),
    Written(
        "exits",
        (floats_in("x"), floats_out()),
        """
        i = wp.tid()
        out[i] = x[i]
        """,
        preamble="raise SystemExit(1)",
        reason="warp_error",
    ),
    Written(
        "unknown_name",
        (floats_in("x"), floats_out()),
        """
        i = wp.tid()
        out[i] = x[i] + undefined_name
        """,
        reason="warp_error",
    ),
    Written(
        "kills_the_compiler",
        (floats_in("x"), floats_out()),
        """
        i = wp.tid()
        out[i] = x[i]
        """,
        preamble="import os\nos.kill(os.getpid(), 11)",
        reason="crash",
    ),
    next(kernel for kernel in KERNELS if kernel.name == "every_other"),
)
"""Kernels that cannot be compiled, and two that can."""
