"""LAUNCH is checked against the kernel; what it lacks comes from how the kernel uses its indices."""

from pathlib import Path
from typing import Any

import pytest
from ir_of import record_of, reject_of

SCALE = """
@wp.kernel
def scale(x: wp.array2d(dtype=float), out: wp.array(dtype=float), factor: float):
    i = wp.tid()
    out[i] = x[i, 0] * factor
"""
GOOD: dict[str, Any] = {
    "sizes": {"width": "rows // 3 + 1", "rows": "n + 1"},
    "dims": ["rows"],
    "parameters": {
        "x": {"shape": ["rows", "width"], "values": {"uniform": [-1, 1]}},
        "out": {"role": "out", "shape": ["rows"]},
        "factor": {"values": {"constant": 2}},
    },
}


PLAIN = {"strides": [], "null": False, "memory": "global"}


def parameter(name: str, **changes: Any) -> dict[str, Any]:
    changed = GOOD["parameters"] | {name: GOOD["parameters"][name] | changes}
    return GOOD | {"parameters": changed}


def test_the_record_has_every_field(tmp_path: Path) -> None:
    record = record_of(tmp_path, SCALE + f"LAUNCH = {{'scale': {GOOD!r}}}\n")
    assert record["launch"] == {
        "sizes": {"rows": "n + 1", "width": "rows // 3 + 1"},
        "dims": ["rows"],
        "equality": "bits",
        "block_dim": None,
        "difficulty": None,
        "inferred": [],
        "inferred_dims": False,
        "steps": [],
        "tiled": True,
        "parameters": {
            "x": PLAIN | {"role": "in", "shape": ["rows", "width"], "values": {"uniform": [-1.0, 1.0]}},
            "out": PLAIN | {"role": "out", "shape": ["rows"], "values": None},
            "factor": PLAIN | {"role": "in", "shape": [], "values": {"constant": 2}},
        },
    }
    assert record["launch_problem"] is None


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        (GOOD | {"dims": []}, ".dims: expected one to four size expressions, got []"),
        (GOOD | {"dims": ["rows - 5"]}, ".dims: 'rows - 5' is -3 for n = 1; must be positive"),
        (GOOD | {"sizes": {"rows": "n - 1"}}, "size 'rows' = 'n - 1' is 0 for n = 1"),
        (GOOD | {"sizes": {"rows": "width", "width": "rows"}}, "'rows' uses 'width', which is not a size"),
        (GOOD | {"size": {}}, "unknown key 'size' (allowed: sizes, dims, parameters, equality, "),
        (
            GOOD | {"parameters": GOOD["parameters"] | {"y": {}}},
            "no parameter 'y' (the kernel has x, out, factor)",
        ),
        (parameter("x", shape=["rows"]), ".x.shape: expected 2 sizes for array<float32,2>, got ['rows']"),
        (parameter("x", shape=["rows", "n - 1"]), ".x.shape: (2, 0) for n = 1; must be positive"),
        (parameter("x", values=None), ".x.values: missing"),
        (
            parameter("x", values={"integers": ["n", "rows - 1"]}),
            "integers in [1, 1) for n = 1: an empty range",
        ),
        (parameter("x", values={"gauss": [0, 1]}), "unknown recipe 'gauss' (allowed: uniform, integers"),
        (
            parameter("x", values={"offsets": [3, 3]}),
            "'offsets' describes a list of integers, not array<float32,2>",
        ),
        (parameter("x", values={"offsets": [3]}), "'offsets' takes [stride, range], got [3]"),
        (parameter("x", values={"members": {}}), "recipe 'members' describes a struct, not float32"),
        (parameter("factor", role="out", values=None), "float32 is passed by value"),
        ([], "expected a mapping, got []"),
    ],
)
def test_a_mistake_in_launch_is_a_reject_that_points_there(tmp_path: Path, launch: Any, message: str) -> None:
    reject = reject_of(tmp_path, SCALE + f"LAUNCH = {{\n    'scale': {launch!r},\n}}\n")
    assert reject["reason"] == "bad_launch"
    assert message in reject["message"]
    assert reject["source_line"].startswith("    'scale': ")
    assert (reject["file"], reject["column"]) == (str(tmp_path / "kernels.py"), 5)


def test_too_few_dims_for_tid(tmp_path: Path) -> None:
    text = SCALE.replace("i = wp.tid()", "i, j = wp.tid()") + f"LAUNCH = {{'scale': {GOOD!r}}}\n"
    assert "wp.tid() for 2 indices, got 1 dims" in reject_of(tmp_path, text)["message"]


def defaults(tmp_path: Path, parameters: str, body: str, prelude: str = "") -> dict[str, Any]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    record = record_of(tmp_path, f"{prelude}\n@wp.kernel\ndef k({parameters}):\n{lines}")
    assert record["launch_problem"] is None
    return dict(record["launch"])


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


def test_offsets_multiples_and_constants_make_room(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "x: Floats, y: Floats, z: Floats, o: Floats",
        "i = wp.tid()\no[i] = x[i + 2] + y[3 * i + 1] + z[5]",
        prelude="Floats = wp.array(dtype=float)",
    )
    shapes = {name: parameter["shape"] for name, parameter in launch["parameters"].items()}
    assert shapes == {"x": ["n + 2"], "y": ["3 * n"], "z": [6], "o": ["n"]}


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


def test_what_the_user_says_stands_and_the_rest_follows(tmp_path: Path) -> None:
    record = record_of(
        tmp_path,
        """
        @wp.kernel
        def k(x: wp.array(dtype=float), w: int, y: wp.array(dtype=int), out: wp.array2d(dtype=float)):
            i, j = wp.tid()
            out[i, j] = x[i * w + j] + x[y[i]]
        LAUNCH = {"k": {
            "sizes": {"w": "5"},
            "dims": ["n", "w"],
            "parameters": {
                "x": {"shape": ["n * w"], "values": {"constant": 1}},
                "w": {"values": {"size": "w"}},
            },
        }}
        """,
    )
    parameters = record["launch"]["parameters"]
    assert parameters["x"]["values"] == {"constant": 1}
    assert parameters["y"]["shape"] == ["n"]
    assert parameters["y"]["values"] == {"integers": [0, "n * w"]}
    assert parameters["out"]["shape"] == ["n", "w"]
    assert record["launch"]["inferred"] == ["out", "y"]
    assert record["launch"]["inferred_dims"] is False


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


FLOATS = "Floats = wp.array(dtype=float)\nInts = wp.array(dtype=int)\n"


def shapes(launch: dict[str, Any]) -> dict[str, list[Any]]:
    return {name: entry["shape"] for name, entry in launch["parameters"].items() if entry["shape"]}


def values(launch: dict[str, Any]) -> dict[str, Any]:
    return {name: entry["values"] for name, entry in launch["parameters"].items()}


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


def test_what_the_code_never_looks_at_is_constant(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "x: Floats, spare: Floats, flag: int, y: Floats",
        "i = wp.tid()\nif spare:\n    y[i] = x[i]",
        FLOATS,
    )
    assert values(launch)["spare"] == {"constant": 1}
    assert values(launch)["flag"] == {"constant": 1}
    assert values(launch)["x"] == {"uniform": [-1.0, 1.0]}


def test_what_counts_components_of_a_vector_stays_below_its_length(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "counts: Ints, picks: Ints, many: int, x: Floats, y: Floats",
        "i = wp.tid()\nv = wp.vec3(0.0)\nfor k in range(counts[i]):\n    v[k] = x[i]\n"
        "for k in range(many):\n    v[k] += 1.0\ny[i] = v[0] + v[picks[i]]",
        FLOATS,
    )
    assert values(launch)["picks"] == {"integers": [0, 3]}
    assert launch["sizes"]["many"] == "3"
    assert values(launch)["many"] == {"size": "many"}
    assert values(launch)["counts"] == {"integers": [0, 3]}


@pytest.mark.parametrize(("index", "dim"), [("i, i", "min(n, 300)"), ("i, i, i", "min(n, 40)")])
def test_an_array_with_several_axes_as_long_as_the_launch_stays_small(
    tmp_path: Path, index: str, dim: str
) -> None:
    ndim = index.count("i")
    launch = defaults(tmp_path, f"x: wp.array(dtype=float, ndim={ndim})", f"i = wp.tid()\nx[{index}] = 1.0")
    assert launch["dims"] == [dim]
    assert shapes(launch) == {"x": [dim] * ndim}


def test_what_says_where_something_is_stored_is_different_for_each_thread(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "x: Floats, order: Ints, ids: Ints, y: Floats",
        "i = wp.tid()\nk = ids[order[i]]\ny[k] = y[k] + x[i]",
        FLOATS,
    )
    assert values(launch)["order"] == {"permutation": "2 * n"}
    assert values(launch)["ids"] == {"permutation": "4 * n"}
    assert shapes(launch) == {"x": ["n"], "order": ["n"], "ids": ["2 * n"], "y": ["4 * n"]}


def test_what_says_where_something_is_added_or_read_may_repeat(tmp_path: Path) -> None:
    body = "i = wp.tid()\nwp.atomic_add(y, ids[i], 1.0)\nx[i] = x[order[i]]"
    launch = defaults(tmp_path, "x: Floats, order: Ints, ids: Ints, y: Floats", body, FLOATS)
    assert values(launch)["ids"] == values(launch)["order"] == {"integers": [0, "n"]}


def test_threads_that_pick_components_are_as_many_as_there_are(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "v: wp.array2d(dtype=wp.vec3), out: wp.array2d(dtype=float)",
        "i, j = wp.tid()\nout[i, j] = v[i, 1][j]",
    )
    assert launch["dims"] == ["n", "3"]
    assert shapes(launch) == {"v": ["n", 2], "out": ["n", 3]}


def test_rows_end_where_the_next_ones_begin(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "begins: Ints, columns: Ints, x: Floats, y: Floats",
        "i = wp.tid()\nfor k in range(begins[i], begins[i + 1]):\n    y[i] += x[columns[k]]",
        FLOATS,
    )
    assert launch["sizes"] == {"begins_values": "3 * (n + 1)"}
    assert values(launch)["begins"] == {"offsets": [3, 3]}
    assert shapes(launch) == {"begins": ["n + 1"], "columns": ["begins_values"], "x": ["n"], "y": ["n"]}


def test_what_threads_store_behind_an_offset_has_room(tmp_path: Path) -> None:
    launch = defaults(
        tmp_path,
        "first: Ints, count: Ints, y: Floats",
        "i = wp.tid()\nfor k in range(count[i]):\n    y[first[i] + 2 * k + 1] = 1.0",
        FLOATS,
    )
    assert launch["sizes"] == {"count_values": "17", "first_values": "(2 * count_values + 2) * n"}
    assert values(launch)["count"] == {"integers": [0, "count_values"]}
    assert values(launch)["first"] == {"offsets": ["2 * count_values + 2", 3]}


def test_constants_that_are_added_to_an_offset_need_room_too(tmp_path: Path) -> None:
    body = "i = wp.tid()\nfor k in range(3):\n    y[first[i] + k] = 1.0"
    launch = defaults(tmp_path, "first: Ints, y: Floats", body, FLOATS)
    assert values(launch)["first"] == {"offsets": [5, 3]}
    assert shapes(launch)["y"] == ["first_values + 2"]


def test_a_margin_that_is_added_to_threads_widens_every_axis(tmp_path: Path) -> None:
    body = "i, j = wp.tid()\ni += ghosts\nj += +ghosts\nx[i, j + 1] = 1.0"
    launch = defaults(tmp_path, "x: wp.array2d(dtype=float), ghosts: int", body)
    assert shapes(launch) == {"x": ["ghosts + rows", "ghosts + columns + 1"]}
    assert launch["sizes"]["ghosts"] == "17"


def test_what_a_loop_adds_to_counts_from_where_it_began(tmp_path: Path) -> None:
    body = "i = wp.tid()\nk = i\nfor j in range(5):\n    y[i] += x[k]\n    k += m"
    assert shapes(defaults(tmp_path, "x: Floats, y: Floats, m: int", body, FLOATS))["x"] == ["max(n, 6 * n)"]


def test_operators_may_be_written_as_functions(tmp_path: Path) -> None:
    body = "i = wp.tid()\nx[wp.mod(ids[i], m), wp.floordiv(ids[i], m)] = 1.0"
    launch = defaults(tmp_path, "x: wp.array2d(dtype=float), ids: Ints, m: int", body, FLOATS)
    assert shapes(launch) == {"x": ["m", "ids_values"], "ids": ["n"]}
    assert launch["sizes"] == {"m": "17", "ids_values": "3 * n"}


@pytest.mark.parametrize("test", ["start <= i < end", "i >= start and i < end", "end > i and start < i"])
def test_what_an_index_begins_at_is_not_how_far_it_goes(tmp_path: Path, test: str) -> None:
    body = f"i = wp.tid()\nif {test}:\n    x[i] = 1.0"
    launch = defaults(tmp_path, "x: Floats, start: int, end: int", body, FLOATS)
    assert values(launch) == {"end": {"size": "n"}, "start": {"integers": [1, 10]}, "x": None}


def test_launch_dimensions_that_one_bound_limits_are_equal(tmp_path: Path) -> None:
    body = "i, j, k = wp.tid()\nif j < m and k < m:\n    x[i, j, k] = 1.0"
    launch = defaults(tmp_path, "x: wp.array3d(dtype=float), m: int", body)
    assert launch["dims"] == ["min(n, 20)"] * 3
    assert shapes(launch) == {"x": ["min(n, 20)"] * 3}


def test_many_sizes_that_are_multiplied_are_small(tmp_path: Path) -> None:
    body = "i = wp.tid()\nx[((i * a + a - 1) * b + b - 1) * c + c - 1] = float(i)"
    launch = defaults(tmp_path, "x: Floats, a: int, b: int, c: int", body, FLOATS)
    assert launch["sizes"] == {"a": "5", "b": "5", "c": "5"}


@pytest.mark.parametrize("middle", ["(low + high) // 2", "low + ((high - low) >> 1)"])
def test_a_search_stays_between_its_ends(tmp_path: Path, middle: str) -> None:
    choice = "    if x[m] < y[i]:\n        low = m + 1\n    else:\n        high = m\n"
    loop = f"while low < high:\n    m = {middle}\n{choice}"
    body = f"i = wp.tid()\nlow = int(0)\nhigh = n\n{loop}y[i] = float(low)"
    launch = defaults(tmp_path, "x: Floats, y: Floats, n: int", body, FLOATS)
    assert shapes(launch) == {"x": ["n"], "y": ["n"]}
    assert values(launch)["n"] == {"size": "n"}


def test_members_that_no_code_names_are_constant(tmp_path: Path) -> None:
    prelude = FLOATS + "@wp.struct\nclass S:\n    x: Floats\n    dt: float\n    unused: float\n"
    prelude += "@wp.func\ndef scaled(s: S, i: int):\n    return s.x[i] * s.dt\n"
    launch = defaults(tmp_path, "s: S, y: Floats", "i = wp.tid()\ny[i] = scaled(s, i)", prelude)
    assert values(launch)["s.unused"] == {"constant": 1}
    assert values(launch)["s.dt"] == {"uniform": [0.1, 1.0]}


def test_integers_that_stand_for_a_condition_are_zero_too(tmp_path: Path) -> None:
    body = "i = wp.tid()\nif flag and not kinds[i]:\n    x[i] = 1.0"
    launch = defaults(tmp_path, "x: Floats, kinds: Ints, flag: int", body, FLOATS)
    assert values(launch)["flag"] == values(launch)["kinds"] == {"integers": [0, 3]}


def test_bytes_take_all_their_values(tmp_path: Path) -> None:
    parameters = "image: wp.array2d(dtype=wp.uint8), y: Floats"
    launch = defaults(tmp_path, parameters, "i = wp.tid()\ny[i] = float(image[i, 0])", FLOATS)
    assert values(launch)["image"] == {"integers": [0, 256]}
