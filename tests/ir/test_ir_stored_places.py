"""Default inputs fit each other: places that are stored to are apart, what is picked is there."""

import re
from pathlib import Path

import pytest
from ir_of import FLOATS, defaults, shapes, values


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


def test_limits_stand_in_the_same_order_in_every_run(tmp_path: Path) -> None:
    names = "abcdefg"
    branches = "".join(f"if t > {number}.0:\n    s = i * {name}\n" for number, name in enumerate(names))
    parameters = f"x: Floats, y: Floats, t: float, {', '.join(f'{name}: int' for name in names)}"
    launch = defaults(tmp_path, parameters, f"i = wp.tid()\ns = int(0)\n{branches}y[i] = x[s]", FLOATS)
    assert re.findall(r"([a-g]) \* n", shapes(launch)["x"][0]) == list(names)
