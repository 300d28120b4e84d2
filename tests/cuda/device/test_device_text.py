"""The device code reads as an expert's: the names, comments and control flow of the source, and no more."""

from pathlib import Path

import pytest
from translated import device_of, text_of

from weft.cuda.definitions import comment

SPRINGS = '''
@wp.struct
class Spring:
    """A spring's rest length and stiffness."""

    rest: float
    stiffness: float


@wp.func
def hooke(a: wp.vec3, b: wp.vec3, spring: Spring):
    """Force on a of the spring from a to b."""
    d = b - a
    length = wp.length(d)
    if length == 0.0:  # coincident ends have no direction
        return wp.vec3()
    return d * (spring.stiffness * (length - spring.rest) / length)


@wp.kernel
def spring_forces(
    position: wp.array(dtype=wp.vec3),
    ends: wp.array(dtype=wp.vec2i),
    springs: wp.array(dtype=Spring),
    force: wp.array(dtype=wp.vec3),
):
    """Add each spring's force to its two end points."""
    s = wp.tid()

    # Both ends get the same force, in opposite directions.
    i = ends[s][0]
    j = ends[s][1]
    f = hooke(position[i], position[j], springs[s])
    wp.atomic_add(force, i, f)
    wp.atomic_sub(force, j, f)


LAUNCH = {
    "spring_forces": {
        "sizes": {"spring_count": "3 * n"},
        "dims": ["spring_count"],
        "parameters": {
            "position": {"shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
            "ends": {"shape": ["spring_count"], "values": {"integers": [0, "n"]}},
            "springs": {
                "shape": ["spring_count"],
                "values": {
                    "members": {"rest": {"uniform": [0.5, 1.0]}, "stiffness": {"uniform": [1.0, 2.0]}}
                },
            },
            "force": {"role": "inout", "shape": ["n"], "values": {"constant": 0.0}},
        },
    }
}
'''


def test_the_spring_example(tmp_path: Path) -> None:
    assert text_of(tmp_path, SPRINGS) == (Path(__file__).parent / "spring_forces.expected.cu").read_text()


def test_what_the_host_half_is_told(tmp_path: Path) -> None:
    device = device_of(tmp_path, SPRINGS)
    assert device.kernel_c_name == "spring_forces"
    assert [(p.name, p.c_name, p.kind, p.c_type, p.size) for p in device.parameters] == [
        ("position", "position", "array", "float3", None),
        ("ends", "ends", "array", "int2", None),
        ("springs", "springs", "array", "Spring", None),
        ("force", "force", "array", "float3", None),
        ("", "spring_count", "extent", "int", "spring_count"),
    ]
    assert device.covered_dims == ("spring_count",)
    assert device.grid.block == (256, 1, 1)
    assert [(name, c_type) for name, c_type, _ in device.struct_fields["Spring"]] == [
        ("rest", "float"),
        ("stiffness", "float"),
    ]


KERNEL = """
@wp.kernel
def f(x: wp.array(dtype=float), y: wp.array(dtype=int), m: wp.array2d(dtype=float), count: int):
    i = wp.tid()
{body}


LAUNCH = {{"f": {{"dims": ["n"], "parameters": {{
    "x": {{"role": "inout", "shape": ["n"], "values": {{"uniform": [0.0, 1.0]}}}},
    "y": {{"shape": ["n"], "values": {{"integers": [-3, 4]}}}},
    "m": {{"role": "inout", "shape": ["n", 4], "values": {{"uniform": [0.0, 1.0]}}}},
    "count": {{"values": {{"integers": [1, 9]}}}},
}}}}}}
"""


def _body(folder: Path, body: str) -> str:
    """The statements of a kernel with this body, without the thread's place and its check."""
    lines = [f"    {line}" if line else "" for line in body.strip("\n").split("\n")]
    text = text_of(folder, KERNEL.format(body="\n".join(lines)))
    return text[text.index("return;") + len("return;") :].strip().removesuffix("}").strip()


EXPRESSIONS = [
    (
        "x[i] = (x[i] + 1.0) * 2.0 - (x[i] - (x[i] - 3.0))",
        "x[i] = (x[i] + 1.0f) * 2.0f - (x[i] - (x[i] - 3.0f));",
    ),
    ("x[i] = x[i] / (x[i] / 2.0) / 3.0", "x[i] = x[i] / (x[i] / 2.0f) / 3.0f;"),
    ("m[i, 0] = wp.where(x[i] > 0.5, 1.0, 0.1)", "m[size_t(i) * 4] = x[i] > 0.5f ? 1.0f : 0.1f;"),
    ("x[i] = float(y[i] & 3 | 4 << 1)", "x[i] = float((y[i] & 3) | (4 << 1));"),
    ("x[i] += 2.0", "x[i] += 2.0f;"),
    ("x[i] -= 2.0", "x[i] -= 2.0f;"),
    ("x[0] += 2.0", "atomicAdd(x, 2.0f);"),
    ("x[i] *= 2.0", "x[i] *= 2.0f;"),
    ("m[i, 1] = wp.clamp(x[i], 0.0, 1.0)", "m[size_t(i) * 4 + 1] = fminf(fmaxf(0.0f, x[i]), 1.0f);"),
    ("x[i] = float(i // 3)", "x[i] = float(i / 3);"),
    ("x[i] = float(y[i] // 3)", "x[i] = float(floor_divide(y[i], 3));"),
    ("x[i] = -float(count)", "x[i] = -float(count);"),
    ("x[i] = wp.exp(-x[i])", "x[i] = expf(-x[i]);"),
]


@pytest.mark.parametrize(("source", "expected"), EXPRESSIONS)
def test_expressions(tmp_path: Path, source: str, expected: str) -> None:
    assert _body(tmp_path, source) == expected


INDICES = [
    ("x[i - 1] = 0.0", "x[wrap_index(i - 1, n)] = 0.0f;"),
    ("if i > 0:\n    x[i - 1] = 0.0", "x[i - 1] = 0.0f;"),
    ("if i == 0:\n    return\nx[i - 1] = 0.0", "x[i - 1] = 0.0f;"),
    ("x[x.shape[0] - 1 - i] = 0.0", "x[n - 1 - i] = 0.0f;"),
    ("x[wp.min(i + 1, x.shape[0] - 1)] = 0.0", "x[min(i + 1, n - 1)] = 0.0f;"),
    ("x[y[i]] = 0.0", "x[wrap_index(y[i], n)] = 0.0f;"),
    ("x[-1] = 0.0", "x[n - 1] = 0.0f;"),
    ("j = y[i]\nif j >= 0:\n    x[j] = 0.0", "x[j] = 0.0f;"),
    ("j = y[i]\nif j < 0:\n    j = 0\nx[j] = 0.0", "x[j] = 0.0f;"),
    ("k = int(0)\nwhile k < count:\n    x[k] = 0.0\n    k += 1", "x[k] = 0.0f;"),
    ("k = int(count)\nwhile k > 0:\n    k -= 1\n    x[k] = 0.0", "x[k] = 0.0f;"),
    ("k = int(count)\nwhile k > -9:\n    k -= 1\n    x[k] = 0.0", "x[wrap_index(k, n)] = 0.0f;"),
    ("k = int(3)\nfor j in range(count):\n    k = k // 2\n    x[k] = 0.0", "x[k] = 0.0f;"),
    ("k = int(3)\nfor j in range(count):\n    k = k // 2 - 1\n    x[k] = 0.0", "x[wrap_index(k, n)] = 0.0f;"),
    ("for j in range(count, 0, -1):\n    x[j - 1] = 0.0", "x[j - 1] = 0.0f;"),
    ("x[int(x[i] * 7.0)] = 0.0", "x[wrap_index(int(x[i] * 7.0f), n)] = 0.0f;"),
]


@pytest.mark.parametrize(("source", "expected"), INDICES)
def test_an_index_is_wrapped_unless_it_is_proved_not_to_be_negative(
    tmp_path: Path, source: str, expected: str
) -> None:
    assert expected in _body(tmp_path, source)


def test_a_division_in_a_loop_stays_floored_if_a_later_iteration_needs_it(tmp_path: Path) -> None:
    body = _body(tmp_path, "k = int(3)\nfor j in range(count):\n    x[i] = float(k // 2)\n    k -= 1")
    assert "floor_divide(k, 2)" in body


def test_a_variable_is_declared_where_it_lives(tmp_path: Path) -> None:
    body = _body(
        tmp_path,
        """
a = x[i]
if a > 0.5:
    b = a * 2.0
    t = b
else:
    b = 1.0
    t = a
    c = t * b
    x[i] = c
for k in range(count):
    t = b + float(k)
    x[i] = t
""",
    )
    assert (
        body
        == """const float a = x[i];
    float b;
    if (a > 0.5f) {
        b = a * 2.0f;
        const float t = b;
    } else {
        b = 1.0f;
        const float t = a;
        const float c = t * b;
        x[i] = c;
    }
    for (int k = 0; k < count; ++k) {
        const float t = b + float(k);
        x[i] = t;
    }"""
    )


def test_comments_and_blank_lines_carry_over(tmp_path: Path) -> None:
    body = _body(
        tmp_path,
        """
# First the sum.
# wp.printf("%f", x[i])
a = x[i] + 1.0  # one more

if a > 0.5:  # large
    # keep it
    x[i] = a
    # and that is all
else:
    x[i] = 0.0
# done
""",
    )
    assert (
        body
        == """// First the sum.
    const float a = x[i] + 1.0f;  // one more

    if (a > 0.5f) {  // large
        // keep it
        x[i] = a;
        // and that is all
    } else {
        x[i] = 0.0f;
    }
    // done"""
    )


@pytest.mark.parametrize(
    "formula",
    ["neighbors[k, i]", "(h, hu, hv)", "1 / (1 + (d / kappa)^2)", "dt / dx", "a <= b"],
)
def test_no_line_of_a_comment_ends_within_a_formula(formula: str) -> None:
    for words in range(12, 40):
        text = f"{'word ' * words}{formula} is meant."
        assert formula in comment(text), words


def test_a_long_formula_is_broken_where_it_must_be() -> None:
    text = comment(" + ".join(f"term_{i}" for i in range(40)))
    assert max(map(len, text.splitlines())) <= 110
    assert " ".join(text.replace("// ", "").split()) == " + ".join(f"term_{i}" for i in range(40))
    assert not any(line.startswith("// +") for line in text.splitlines())


def test_comments_among_the_parameters_stay_in_the_source(tmp_path: Path) -> None:
    device = device_of(
        tmp_path,
        """
@wp.kernel
def k(
    # Inputs:
    x: wp.array(dtype=float),  # a length
    # Outputs:
    y: wp.array(dtype=float),
):
    # Twice the length.
    y[wp.tid()] = 2.0 * x[wp.tid()]
""",
    )
    comments = [line.strip() for line in device.kernel.splitlines() if line.strip().startswith("//")]
    assert comments == ["// Twice the length."]


def test_the_kernels_own_check_is_not_doubled(tmp_path: Path) -> None:
    device = device_of(
        tmp_path,
        """
        @wp.kernel
        def f(x: wp.array(dtype=float), count: int):
            i = wp.tid()
            if i >= count:
                return
            x[i] = 1.0


        LAUNCH = {"f": {"dims": ["(n + 31) // 32 * 32"], "parameters": {
            "x": {"role": "out", "shape": ["n"]}, "count": {"values": {"size": "n"}},
        }}}
        """,
    )
    assert device.kernel.count("return;") == 1
    assert [parameter.c_name for parameter in device.parameters] == ["x", "count"]


@pytest.mark.parametrize(
    ("threads", "head"),
    [
        ("min(n, 256)", "for (int i = tid; i < count; i += stride) {"),
        ("n - 256", "for (int i = tid; stride > 0 ? i < count : stride < 0 && i > count; i += stride) {"),
    ],
)
def test_a_loop_counts_up_where_its_stride_is_the_number_of_threads(
    tmp_path: Path, threads: str, head: str
) -> None:
    device = device_of(
        tmp_path,
        f"""
        @wp.kernel
        def f(x: wp.array(dtype=float), count: int, stride: int):
            tid = wp.tid()
            for i in range(tid, count, stride):
                x[i] = 1.0


        LAUNCH = {{"f": {{"sizes": {{"threads": "min(n, 256)"}}, "dims": ["threads"], "parameters": {{
            "x": {{"role": "out", "shape": ["n"]}}, "count": {{"values": {{"size": "n"}}}},
            "stride": {{"values": {{"size": "{threads}"}}}},
        }}}}}}
        """,
    )
    assert head in device.kernel
    assert ("x[i] = 1.0f;" in device.kernel) == ("?" not in head)


def test_a_check_that_lets_threads_beyond_the_launch_pass_is_completed(tmp_path: Path) -> None:
    device = device_of(
        tmp_path,
        """
        @wp.kernel
        def f(x: wp.array(dtype=float), count: int):
            i = wp.tid()
            if i >= count:
                return
            x[i] = 1.0


        LAUNCH = {"f": {"dims": ["(n + 1) // 2"], "parameters": {
            "x": {"role": "out", "shape": ["n"]}, "count": {"values": {"size": "n"}},
        }}}
        """,
    )
    assert device.kernel.count("return;") == 2


def test_arrays_of_one_shape_share_their_extents(tmp_path: Path) -> None:
    device = device_of(
        tmp_path,
        """
        @wp.kernel
        def f(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), width: int):
            i, j = wp.tid()
            y[i, j] = x[i, j] + float(y.shape[1] + width + j)


        LAUNCH = {"f": {
            "sizes": {"rows": "7", "cols": "(n + 6) // 7"},
            "dims": ["rows", "cols"],
            "parameters": {
                "x": {"shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
                "y": {"role": "out", "shape": ["rows", "cols"]},
                "width": {"values": {"size": "cols"}},
            },
        }}
        """,
    )
    assert [parameter.declaration for parameter in device.parameters] == [
        "const float* __restrict__ x",
        "float* __restrict__ y",
        "int width",
        "int rows",
    ]
    assert "y[index] = x[index] + float(width + width + j);" in device.kernel
    assert device.covered_dims == ("rows", "cols")


def test_random_numbers_are_drawn_in_the_order_of_the_source(tmp_path: Path) -> None:
    body = _body(tmp_path, "s = wp.rand_init(count, i)\nx[i] = wp.randf(s) - wp.randf(s)")
    assert (
        body
        == """uint32_t s = random_state(count, i);
    const float u0 = random_float(s);
    const float u1 = random_float(s);
    x[i] = u0 - u1;"""
    )


def test_only_helpers_in_use_are_written(tmp_path: Path) -> None:
    device = device_of(tmp_path, KERNEL.format(body="    x[i] = 1.0"))
    assert device.definitions.strip() == ""
    assert device.includes == frozenset()


@pytest.mark.parametrize(
    ("name", "c_name"),
    [
        ("z", "z"), ("double", "double_"), ("NULL", "NULL_"), ("threadIdx", "threadIdx_"), ("y1", "y1"),
        ("length", "len"), ("float3", "float3_"), ("sqrtf", "sqrtf_"), ("expf", "expf"),
        ("_Odd__name", "Odd_name"),
    ],
)  # fmt: skip
def test_a_local_name_keeps_its_spelling_unless_the_program_needs_it(
    tmp_path: Path, name: str, c_name: str
) -> None:
    body = _body(tmp_path, f"{name} = wp.length(wp.vec3(x[i], 1.0, 2.0)) + wp.sqrt(x[i])\nx[i] = {name}")
    assert body.startswith(f"const float {c_name} = length(make_float3(x[i], 1.0f, 2.0f)) + sqrtf(x[i]);")


@pytest.mark.parametrize(
    ("name", "c_name"),
    [
        ("scale", "scale"), ("j1", "j1_"), ("dot", "dot"), ("atomicAdd", "atomicAdd_"), ("main", "main_"),
        ("index", "index_"), ("make_float3", "make_float3_"), ("make_sets", "make_sets"),
    ],
)  # fmt: skip
def test_a_function_does_not_take_a_name_of_cuda_or_the_library(
    tmp_path: Path, name: str, c_name: str
) -> None:
    text = text_of(
        tmp_path,
        f"@wp.func\ndef {name}(v: float):\n    return v * 2.0\n"
        + KERNEL.format(body=f"    x[i] = {name}(x[i])"),
    )
    assert f"__device__ float {c_name}(float v) {{ return v * 2.0f; }}" in text
    assert f"x[i] = {c_name}(x[i]);" in text


NEVER = """
def make(periodic: bool):
    @wp.func
    def neighbour(i: int, n: int):
        if wp.static(periodic):
            return (i + n) % n  # round the edge
        # Stop at the edge.
        return wp.min(wp.max(0, i), n - 1)

    @wp.kernel
    def difference(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        for k in range(3):
            if k > i:
                y[i] = 0.5
                break
                y[i] = 1.5
            continue
            y[i] = 2.5
        y[i] += x[neighbour(i - 1, x.shape[0])] - x[i]
        return
        y[i] = 3.5

    return difference


difference = make({})
"""


def test_what_is_never_reached_is_left_out(tmp_path: Path) -> None:
    periodic = text_of(tmp_path, NEVER.format(True))
    assert "    return (i + n) % n;  // round the edge\n}" in periodic
    assert "edge." not in periodic
    assert "5f;" in periodic and not {"1.5f", "2.5f", "3.5f"} & set(periodic.replace(";", " ").split())
    assert "    // Stop at the edge.\n    return min(max(0, i), n - 1);\n}" in text_of(
        tmp_path, NEVER.format(False)
    )


def test_a_return_without_a_value_gives_zero_where_others_give_one(tmp_path: Path) -> None:
    """Warp takes such a function, and NVRTC compiles it with a warning; g++ and clang refuse its text."""
    text = text_of(
        tmp_path,
        """
        @wp.func
        def inverse(x: float, skipped: bool):
            if skipped:
                return
            return 1.0 / x


        @wp.kernel
        def f(x: wp.array(dtype=float), y: wp.array(dtype=float)):
            i = wp.tid()
            y[i] = inverse(x[i], x[i] == 0.0)
        """,
    )
    assert "return;" not in text.partition("__global__")[0]
    assert "        // No value is defined for this case.\n        return 0.0f;\n" in text


STRUCTS = """
@wp.struct
class Pair:
    low: float
    high: float


@wp.struct
class Ball:
    center: wp.vec3
    radius: float


@wp.struct
class Edge:
    ends: Pair
    slope: float
    area: float


@wp.struct
class Triple:
    a: float
    b: float
    c: float


@wp.struct
class Light:
    direction: wp.vec3
    power: float


@wp.kernel
def f(
    balls: wp.array(dtype=Ball),
    edges: wp.array(dtype=Edge),
    pairs: wp.array(dtype=Pair),
    triples: wp.array(dtype=Triple),
    light: Light,
    y: wp.array(dtype=float),
):
    i = wp.tid()
    y[i] = balls[i].radius + edges[i].slope + pairs[i].low + triples[i].a + light.power
"""


def test_structs_of_arrays_are_loaded_at_once_as_far_as_their_size_allows(tmp_path: Path) -> None:
    text = text_of(tmp_path, STRUCTS)
    assert sorted(line for line in text.splitlines() if line.startswith("struct ")) == [
        "struct Light {",  # passed by value
        "struct Pair {",  # a part of Edge, which Warp lays out without regard to it
        "struct Triple {",
        "struct alignas(16) Ball {",
        "struct alignas(16) Edge {",
    ]


@pytest.mark.parametrize(("value", "has"), [("wp.inf", True), ("1.0", False)])
def test_infinity_brings_its_header(tmp_path: Path, value: str, has: bool) -> None:
    source = "@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[wp.tid()] = VALUE\n"
    device = device_of(tmp_path, source.replace("VALUE", value))
    assert ("INFINITY" in device.kernel) == ("<cmath>" in device.includes) == has


def test_no_line_of_a_comment_begins_with_the_number_that_ends_a_sentence() -> None:
    words = " ".join(["word"] * 20)
    assert comment(f"{words} gives 1. Then more.").splitlines()[1] == "// gives 1. Then more."
    assert comment(f"{words}:\n1. First.").splitlines()[-1] == "// 1. First."
