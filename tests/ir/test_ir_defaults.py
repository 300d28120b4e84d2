"""What LAUNCH lacks comes from how the kernel uses its indices."""

from pathlib import Path
from typing import Any

import pytest
from ir_of import FLOATS, PLAIN, defaults, record_of, shapes, values


def test_defaults_of_an_elementwise_kernel(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "x: wp.array(dtype=wp.vec3), n: int, a: float, y: wp.array(dtype=wp.vec3)",
        "i = wp.tid()\nif i >= n:\n    return\ny[i] = a * x[n - 1 - i]",
    )
    assert launch["dims"] == ["n"]
    assert launch["parameters"] == {
        "x": PLAIN | {"role": "in", "shape": ["n"], "values": {"uniform": [-1.0, 1.0]}},
        "n": PLAIN | {"role": "in", "shape": [], "values": {"size": "n"}},
        "a": PLAIN | {"role": "in", "shape": [], "values": {"uniform": [0.1, 1.0]}},
        "y": PLAIN | {"role": "out", "shape": ["n"], "values": None},
    }
    assert launch["inferred"] == ["a", "n", "x", "y"]
    assert launch["inferred_dims"] is True


def test_without_tid_one_thread_is_enough(tmp_path: Path) -> None:
    assert defaults(tmp_path, "x: wp.array(dtype=float)", "x[0] = 1.0")["dims"] == ["1"]


def test_indices_are_drawn_within_what_they_index(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "x: wp.array(dtype=float), edges: wp.array(dtype=Edge), near: wp.array2d(dtype=wp.vec2i)",
        "i, j = wp.tid()\ne = edges[i]\nwp.atomic_add(x, e.b, x[near[i, j][1]] + pick(x, e.a))",
        prelude=(
            "@wp.struct\nclass Edge:\n    a: int\n    b: int\n    w: float\n\n"
            "@wp.func\ndef pick(values: wp.array(dtype=float), at: int):\n    return values[at]\n"
        ),
    )
    parameters = launch["parameters"]
    assert parameters["x"] == PLAIN | {
        "role": "inout",
        "shape": ["n"],
        "values": {"uniform": [-1.0, 1.0]},
    }
    members = parameters["edges"]["values"]["members"]
    assert members == {
        "a": {"integers": [0, "n"]},
        "b": {"integers": [0, "n"]},
        "w": {"uniform": [-1.0, 1.0]},
    }
    assert parameters["edges"]["shape"] == ["rows"]
    assert parameters["near"] == PLAIN | {
        "role": "in",
        "shape": ["rows", "columns"],
        "values": {"integers": [0, "n"]},
    }


def test_a_parameter_may_say_which_component(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "axis: int, x: wp.array(dtype=wp.vec3), m: wp.array(dtype=wp.mat22), out: Floats, row: int",
        "i = wp.tid()\nv = x[i]\nout[i] = v[axis] + m[i][row, 0]",
        prelude=FLOATS,
    )
    assert values(launch)["axis"] == {"integers": [0, 3]}
    assert values(launch)["row"] == {"integers": [0, 2]}


@pytest.mark.parametrize(
    ("type", "end"), [("wp.uint8", "min(n, 256)"), ("wp.int16", "min(n, 32768)"), ("wp.bool", "min(n, 2)")]
)
def test_indices_are_drawn_from_what_their_type_holds(tmp_path: Path, type: str, end: str) -> None:
    launch = defaults(
        tmp_path,
        f"near: wp.array(dtype={type}), x: Floats, out: Floats",
        "i = wp.tid()\nout[i] = x[int(near[i])]",
        prelude=FLOATS,
    )
    assert values(launch)["near"] == {"integers": [0, end]}


def test_offsets_multiples_and_constants_make_room(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "x: Floats, y: Floats, z: Floats, o: Floats",
        "i = wp.tid()\no[i] = x[i + 2] + y[3 * i + 1] + z[5]",
        prelude="Floats = wp.array(dtype=float)",
    )
    shapes = {name: parameter["shape"] for name, parameter in launch["parameters"].items()}
    assert shapes == {"x": ["n + 2"], "y": ["3 * n"], "z": [6], "o": ["n"]}


@pytest.mark.parametrize(
    ("index", "entries"),
    [
        ("(keys[i] * wp.uint32(2654435769)) >> wp.uint32(24)", 256),
        ("((keys[i] & wp.uint32(0x0F0F0F0F)) * wp.uint32(0x01010101)) >> wp.uint32(24)", 256),
        ("(keys[i] & wp.uint32(255)) >> wp.uint32(4)", 256),
    ],
)
def test_a_shift_of_an_unsigned_number_leaves_as_many_values_as_its_other_bits(
    tmp_path: Path, index: str, entries: int
) -> None:
    launch = defaults(
        tmp_path,
        "keys: wp.array(dtype=wp.uint32), table: Floats, out: Floats",
        f"i = wp.tid()\nout[i] = table[int({index})]",
        prelude=FLOATS,
    )
    assert shapes(launch)["table"] == [entries]


def test_a_stencil_has_the_sizes_that_its_parameters_say(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "u: wp.array2d(dtype=float), v: wp.array2d(dtype=float), height: int, width: int",
        "i, j = wp.tid()\nup = wp.min(i + 1, height - 1)\nv[i, j] = u[up, j] + u[i, wp.max(j - 1, 0)]\n"
        "if j < width - 1:\n    v[i, j] += u[i, j + 1]",
    )
    assert launch["dims"] == ["rows", "columns"]
    assert launch["parameters"]["height"]["values"] == {"size": "rows"}
    assert launch["parameters"]["width"]["values"] == {"size": "columns"}
    assert launch["parameters"]["v"]["role"] == "inout"


def test_inner_loops_stay_short(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "a: wp.array2d(dtype=float), b: Floats, out: Floats, inner: int, seed: int",
        "i = wp.tid()\ns = wp.rand_init(seed, i)\n"
        "for k in range(inner):\n    out[i] += a[i, k] * b[k] * wp.randf(s)",
        prelude="Floats = wp.array(dtype=float)",
    )
    assert launch["sizes"] == {"inner": "17"}
    assert launch["parameters"]["a"]["shape"] == ["n", "inner"]
    assert launch["parameters"]["inner"]["values"] == {"size": "inner"}
    assert launch["parameters"]["seed"]["values"] == {"integers": [0, 1000]}
    pairs = defaults(
        tmp_path / "pairs",
        "x: wp.array(dtype=float), out: wp.array(dtype=float)",
        "i = wp.tid()\nfor k in range(x.shape[0]):\n    out[i] += x[k] - x[i]",
    )
    assert pairs["dims"] == ["min(n, 300)"]


@pytest.mark.parametrize(
    ("parameters", "body", "blamed", "message"),
    [
        (
            "x: wp.array(dtype=float), y: wp.array(dtype=float)",
            "i = wp.tid()\nx[int(y[i] * 3.0)] = 0.0",
            "x[int(y[i] * 3.0)]",
            "elements of 'x'",
        ),
        (
            "x: wp.array(dtype=float)",
            "j = int(1)\nwhile j < 9:\n    j = j * 2\nx[j] = 0.0",
            "x[j]",
            "elements of 'x'",
        ),
        (
            "x: wp.array(dtype=float), grid: wp.uint64",
            "x[wp.tid()] = float(wp.hash_grid_point_id(grid, 0))",
            "grid: wp.uint64",
            "'grid' is a handle",
        ),
    ],
)
def test_where_no_default_is_safe_the_line_is_named(
    tmp_path: Path, parameters: str, body: str, blamed: str, message: str
) -> None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    problem = record_of(tmp_path, f"@wp.kernel\ndef k({parameters}):\n{lines}")["launch_problem"]
    assert set(problem) == {"message", "file", "line", "column", "source_line"}
    assert problem["source_line"][problem["column"] - 1 :].startswith(blamed)
    assert message in problem["message"]


STATE = """
@wp.struct
class Grid:
    values: wp.array2d(dtype=float)
    width: int


@wp.struct
class State:
    position: wp.array(dtype=wp.vec3)
    cell: wp.array(dtype=int)
    grid: Grid
    scale: float
"""


def test_a_struct_with_arrays_is_described_by_its_leaves(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        STATE
        + """
@wp.func
def width(grid: Grid):
    return grid.width

@wp.kernel
def k(state: State, out: State):
    i = wp.tid()
    for j in range(width(state.grid)):
        out.grid.values[i, j] = state.grid.values[state.cell[i], j] * state.scale
    out.position[i] = state.position[i] + out.position[i]
""",
    )
    parameters = record["launch"]["parameters"]
    assert list(parameters) == [
        f"{struct}.{leaf}"
        for struct in ("state", "out")
        for leaf in ("position", "cell", "grid.values", "grid.width", "scale")
    ]
    roles = {name: parameter["role"] for name, parameter in parameters.items()}
    assert roles["state.grid.values"] == "in"
    assert roles["out.grid.values"] == "out"
    assert roles["out.position"] == "inout"
    assert parameters["state.cell"]["values"]["integers"][0] == 0
    assert parameters["state.grid.width"]["values"] == {"size": "state_grid_width"}
    assert record["launch"]["sizes"] == {"state_grid_values_0": "17", "state_grid_width": "17"}


@pytest.mark.parametrize(
    ("parameters", "body", "expected"),
    [
        ("x: Floats, w: int", "i, j = wp.tid()\nx[i * w + j] = 0.0", {"x": ["columns * rows"]}),
        (
            "x: Floats, y: Floats, w: int",
            "i = wp.tid()\nfor k in range(w):\n    y[i] += x[i * w + k]",
            {"x": ["n * w"], "y": ["n"]},
        ),
        (
            "x: Floats, y: Ints",
            "i = wp.tid()\nx[2 * y[i] + 1] = 0.0",
            {"x": ["2 * n"], "y": ["n"]},
        ),
        (
            "x: Floats",
            "c = int(0)\nfor i in range(3):\n    for j in range(4):\n        x[c] = 1.0\n        c = c + 1",
            {"x": [13]},
        ),
        (
            "x: Floats, y: Floats",
            "i = wp.tid()\nj = int(y[i] * 9.0)\nif j >= 0 and j < 5:\n    x[j] = y[i]",
            {"x": [5], "y": ["n"]},
        ),
        (
            "x: Floats, y: Floats, m: int",
            "i = wp.tid()\nj = int(y[i])\nif j < 0 or j >= m:\n    return\nx[j] = y[i]",
            {"x": ["n"], "y": ["n"]},
        ),
        (
            "x: Floats, y: Floats, m: int",
            "i = wp.tid()\nj = wp.clamp(int(y[i]), 0, m - 1)\nx[j] = y[i]",
            {"x": ["n"], "y": ["n"]},
        ),
        (
            "x: Floats, y: Floats, m: int",
            "i = wp.tid()\nj = int(y[i])\nj = wp.min(wp.max(j, 0), m - 1)\nx[j] = y[i]",
            {"x": ["n"], "y": ["n"]},
        ),
        (
            "x: Floats, y: Ints",
            "i = wp.tid()\nlow = int(0)\nhigh = x.shape[0]\nwhile low < high:\n"
            "    mid = (low + high) // 2\n    if x[mid] < 0.5:\n        low = mid + 1\n"
            "    else:\n        high = mid\ny[i] = low",
            {"x": ["n"], "y": ["n"]},
        ),
        (
            "x: Floats, y: Floats",
            "i = wp.tid()\nj = int(y[i] * 9.0)\nif j >= 0 and j < 5 and x[j] > 0.0:\n    x[j] = y[i]",
            {"x": [5], "y": ["n"]},
        ),
        (
            "x: Floats, w: int",
            "i = wp.tid()\nr = i // w\nif r < w:\n    x[(r * w + r) * w] = 1.0",
            {"x": ["max(1, min(n, 40) * min(n, 40) * min(n, 40) + 1 - min(n, 40))"]},
        ),
        (
            "x: Floats, w: int",
            "i = wp.tid()\nx[(i * w + 5) * 3 + 1] = x[(i * w + 7) * 3] + x[i * w + 2] + x[i * w * 3 + 2]",
            {"x": ["max(1, 3 * n * w + 22 - 3 * w)"]},
        ),
        ("x: Floats", "i = wp.tid()\nfor k in range(6, -1, -1):\n    x[k] = 0.0", {"x": [7]}),
    ],
)
def test_arrays_are_as_long_as_indices_reach(
    tmp_path: Path, parameters: str, body: str, expected: dict[str, Any]
) -> None:
    assert shapes(defaults(tmp_path, parameters, body, FLOATS)) == expected


def test_integers_take_the_values_that_the_code_asks_for(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "mode: int, count: int, by: int, kind: Ints, x: Floats",
        "i = wp.tid()\nif mode == 3:\n    x[i] = 1.0\nif kind[i] == -1:\n    x[i] = float(count // by)",
        FLOATS,
    )
    assert values(launch) == {
        "mode": {"integers": [0, 5]},
        "count": {"integers": [1, 10]},
        "by": {"integers": [1, 10]},
        "kind": {"integers": [-1, 3]},
        "x": None,
    }


def test_what_is_copied_to_where_indices_are_held_is_an_index(tmp_path: Path) -> None:
    header = FLOATS + "@wp.struct\nclass Edge:\n    start: int\n    length: float\n"
    body = "i = wp.tid()\nedges[i].start = ends[i]\nedges[i].length = x[edges[i].start]"
    launch = defaults(tmp_path, "edges: wp.array(dtype=Edge), ends: Ints, x: Floats", body, header)
    assert values(launch)["ends"] == values(launch)["edges"]["members"]["start"] == {"integers": [0, "n"]}


@pytest.mark.parametrize(
    "body",
    [
        "i, j = wp.tid()\nat = wp.vec2i(i, j)\nx[at[0], at[1]] = 1.0",
        "i, j = wp.tid()\nat = wp.vec2i()\nat[0] = i\nat[1] = j\nx[at[0], at[1]] = 1.0",
        "i, j = wp.tid()\nat = wp.vec2i(i, j)\nx[at.x, at.y] = 1.0",
    ],
)
def test_indices_may_travel_in_a_vector(tmp_path: Path, body: str) -> None:
    launch = defaults(tmp_path, "x: wp.array2d(dtype=float)", body)
    assert shapes(launch)["x"] == launch["dims"] == ["min(n, 20)", "min(n, 20)"]


@pytest.mark.parametrize(
    ("body", "equality"),
    [
        ("i = wp.tid()\nwp.atomic_add(x, 0, y[i])", "bounded"),
        ("i = wp.tid()\nx[0] += y[i]", "bounded"),
        ("i = wp.tid()\nx[i] += y[i]", "bits"),
        ("i = wp.tid()\nwp.atomic_add(c, 0, 1)\nx[i] = y[i]", "bits"),
        ("i = wp.tid()\nif y[i] > 0.0:\n    x[wp.atomic_add(c, 0, 1)] = y[i]", "permutation"),
    ],
)
def test_what_the_order_of_threads_decides_is_not_compared_to_the_bit(
    tmp_path: Path, body: str, equality: str
) -> None:
    launch = defaults(tmp_path, "x: Floats, y: Floats, c: Ints", body, FLOATS)
    assert launch["equality"] == equality
    assert launch.get("inferred_equality", False) == (equality == "bounded")
    if equality == "permutation":
        assert values(launch)["c"] == {"constant": 0}
        assert shapes(launch) == {"x": ["n"], "y": ["n"], "c": [1]}


def test_tiles_have_a_block_and_room_for_whole_tiles(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "x: wp.array2d(dtype=float), out: Floats",
        "i = wp.tid()\nt = wp.tile_load(x, shape=(4, 16), offset=(4 * i, 0))\n"
        "wp.tile_store(out, wp.tile_sum(t), offset=i)",
        FLOATS,
    )
    assert (launch["dims"], launch["block_dim"], launch["equality"]) == (["(n + 63) // 64"], 256, "bounded")
    roles = {name: entry["role"] for name, entry in launch["parameters"].items()}
    assert roles == {"x": "in", "out": "out"}
    assert shapes(launch) == {"x": ["4 * ((n + 63) // 64)", 16], "out": ["(n + 63) // 64"]}
