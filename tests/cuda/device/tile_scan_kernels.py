"""Scans of tiles, in row-major order."""

import warp as wp


@wp.kernel
def scans_of_integers(
    x: wp.array2d(dtype=int),
    u: wp.array2d(dtype=wp.uint32),
    o: wp.array2d(dtype=int),
    p: wp.array2d(dtype=wp.uint32),
    q: wp.array2d(dtype=int),
):
    """Fewer elements than threads; results under the old name, of the threads' values."""
    i, j = wp.tid()
    t = wp.tile_load(x[i], shape=50)
    lowest = wp.tile_scan_min_inclusive(t)
    t = wp.tile_scan_inclusive(t)
    wp.tile_store(o[i], t * 2 + wp.tile_scan_exclusive(t))
    s = wp.tile_load(u[i], shape=50)
    s = wp.tile_scan_max_inclusive(s)
    wp.tile_store(p[i], wp.tile_scan_exclusive(s))
    own = wp.tile(j * j % 7 - 3 + x[i, j % 50])
    ranks = wp.tile_scan_inclusive(own)
    wp.tile_store(q[i], ranks)
    q[i, j] += wp.untile(ranks) + t[49] - lowest[j % 50]


@wp.kernel
def scans_of_floats(
    x: wp.array2d(dtype=float),
    o: wp.array2d(dtype=float),
    p: wp.array2d(dtype=float),
    q: wp.array2d(dtype=float),
    r: wp.array2d(dtype=float),
):
    """In order, for it shows in sums."""
    i = wp.tid()
    t = wp.tile_load(x[i], shape=100)
    wp.tile_store(o[i], wp.tile_scan_inclusive(t))
    wp.tile_store(p[i], wp.tile_scan_exclusive(t * 2.0))
    m = wp.tile_reshape(t, shape=(10, 10))
    m = wp.tile_scan_exclusive(wp.tile_transpose(m))
    wp.tile_store(q[i], wp.tile_reshape(m, shape=(100,)))
    t = wp.tile_scan_max_inclusive(t)
    wp.tile_store(r[i], t - wp.tile_scan_min_inclusive(t))


@wp.kernel
def scans_in_any_order(x: wp.array2d(dtype=float), o: wp.array2d(dtype=float)):
    """All threads scan together, where the order of sums is open."""
    i = wp.tid()
    t = wp.tile_load(x[i], shape=50)
    wp.tile_store(o[i], wp.tile_scan_exclusive(t) - 3.0 * wp.tile_scan_inclusive(t))


@wp.kernel
def scans_of_whole_floats(x: wp.array2d(dtype=float), o: wp.array2d(dtype=float)):
    """No order changes sums of whole numbers; a block of one warp."""
    i = wp.tid()
    t = wp.tile_load(x[i], shape=32)
    wp.tile_store(o[i], wp.tile_scan_exclusive(t) + 0.5 * t)


@wp.kernel
def scans_of_long_tiles(x: wp.array2d(dtype=int), o: wp.array2d(dtype=int)):
    """More elements than threads."""
    i = wp.tid()
    t = wp.tile_load(x[i], shape=200)
    t = wp.tile_scan_exclusive(t)
    wp.tile_store(o[i], wp.tile_scan_max_inclusive(t) + wp.tile_scan_inclusive(t))


@wp.kernel
def compacts(x: wp.array2d(dtype=float), o: wp.array2d(dtype=float), count: wp.array(dtype=int)):
    """The elements that are kept move together."""
    i, j = wp.tid()
    keep = int(0)
    if x[i, j] > 0.25:
        keep = 1
    places = wp.tile_scan_inclusive(wp.tile(keep))
    if keep == 1:
        o[i, wp.untile(places) - 1] = x[i, j]
    count[i] = places[63]


@wp.kernel
def runs_before(x: wp.array2d(dtype=int), o: wp.array2d(dtype=int), sums: wp.array(dtype=int)):
    """The sums of earlier tiles are added to those before each element of a tile."""
    row = wp.tid()
    total = int(3)
    for start in range(0, x.shape[1], 64):
        t = wp.tile_load(x[row], shape=64, offset=start)
        before = wp.tile_scan_exclusive(t) + wp.tile_full(64, total, dtype=int)
        wp.tile_store(o[row], before, offset=start)
        tile_sum = wp.tile_sum(t)
        total += tile_sum[0]
    sums[row] = total


@wp.kernel
def runs_up_to(x: wp.array2d(dtype=wp.uint32), o: wp.array2d(dtype=wp.uint32)):
    """The sums of earlier tiles are added to those up to each element of a tile."""
    row = wp.tid()
    before = wp.uint32(0)
    for start in range(0, x.shape[1], 64):
        t = wp.tile_load(x[row], shape=64, offset=start)
        upto = wp.tile_scan_inclusive(t) + wp.tile_full(64, before, dtype=wp.uint32)
        wp.tile_store(o[row], upto, offset=start)
        tile_sum = wp.tile_sum(t)
        before += tile_sum[0]


@wp.kernel
def runs_beside(x: wp.array2d(dtype=int), o: wp.array2d(dtype=int), p: wp.array2d(dtype=int)):
    """Sums within a tile have a use of their own."""
    row = wp.tid()
    before = int(0)
    for start in range(0, x.shape[1], 64):
        t = wp.tile_load(x[row], shape=64, offset=start)
        scanned = wp.tile_scan_inclusive(t)
        wp.tile_store(o[row], scanned + wp.tile_full(64, before, dtype=int), offset=start)
        wp.tile_store(p[row], scanned, offset=start)
        tile_sum = wp.tile_sum(t)
        before += tile_sum[0]


@wp.kernel
def runs_twice(x: wp.array2d(dtype=int), o: wp.array2d(dtype=int), p: wp.array2d(dtype=int)):
    """The sum of earlier tiles has a use of its own."""
    row = wp.tid()
    before = int(0)
    for start in range(0, x.shape[1], 64):
        t = wp.tile_load(x[row], shape=64, offset=start)
        upto = wp.tile_scan_inclusive(t) + wp.tile_full(64, before, dtype=int)
        wp.tile_store(o[row], upto, offset=start)
        wp.tile_store(p[row], t * before, offset=start)
        tile_sum = wp.tile_sum(t)
        before += tile_sum[0]


@wp.kernel
def scans_and_sums(x: wp.array2d(dtype=int), o: wp.array2d(dtype=int), sums: wp.array(dtype=int)):
    """A tile is scanned and summed."""
    row = wp.tid()
    t = wp.tile_load(x[row], shape=64)
    wp.tile_store(o[row], wp.tile_scan_exclusive(t))
    wp.tile_store(sums, wp.tile_sum(t), offset=row)


@wp.kernel
def scans_and_sums_of_floats(
    x: wp.array2d(dtype=float), o: wp.array2d(dtype=float), sums: wp.array(dtype=float)
):
    """A sum of floats has an order of its own."""
    row = wp.tid()
    t = wp.tile_load(x[row], shape=64)
    wp.tile_store(o[row], wp.tile_scan_inclusive(t))
    wp.tile_store(sums, wp.tile_sum(t), offset=row)


LAUNCH = {
    "scans_of_integers": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 50], "values": {"integers": [-9, 9]}},
            "u": {"shape": ["n", 50], "values": {"integers": [0, 1000]}},
            "o": {"role": "out", "shape": ["n", 50]},
            "p": {"role": "out", "shape": ["n", 50]},
            "q": {"role": "out", "shape": ["n", 64]},
        },
    },
    "scans_of_floats": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 100], "values": {"uniform": [-1.0, 1.0]}},
            "o": {"role": "out", "shape": ["n", 100]},
            "p": {"role": "out", "shape": ["n", 100]},
            "q": {"role": "out", "shape": ["n", 100]},
            "r": {"role": "out", "shape": ["n", 100]},
        },
    },
    "scans_in_any_order": {
        "dims": ["n"],
        "block_dim": 64,
        "equality": "bounded",
        "parameters": {
            "x": {"shape": ["n", 50], "values": {"uniform": [-1.0, 1.0]}},
            "o": {"role": "out", "shape": ["n", 50]},
        },
    },
    "scans_of_whole_floats": {
        "dims": ["n"],
        "block_dim": 32,
        "parameters": {
            "x": {"shape": ["n", 32], "values": {"integers": [-9, 9]}},
            "o": {"role": "out", "shape": ["n", 32]},
        },
    },
    "scans_of_long_tiles": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 200], "values": {"integers": [-9, 9]}},
            "o": {"role": "out", "shape": ["n", 200]},
        },
    },
    "compacts": {
        "dims": ["n"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["n", 64], "values": {"uniform": [0.0, 1.0]}},
            "o": {"role": "inout", "shape": ["n", 64], "values": {"constant": 0.0}},
            "count": {"role": "out", "shape": ["n"]},
        },
    },
    "runs_before": {
        "sizes": {"rows": "(n + 99) // 100", "cols": "min(n, 150)"},
        "dims": ["rows"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"integers": [-9, 10]}},
            "o": {"role": "out", "shape": ["rows", "cols"]},
            "sums": {"role": "out", "shape": ["rows"]},
        },
    },
    "runs_up_to": {
        "sizes": {"rows": "(n + 99) // 100", "cols": "min(n, 150)"},
        "dims": ["rows"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"integers": [0, 10]}},
            "o": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
    "runs_beside": {
        "sizes": {"rows": "(n + 99) // 100", "cols": "min(n, 150)"},
        "dims": ["rows"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"integers": [-9, 10]}},
            "o": {"role": "out", "shape": ["rows", "cols"]},
            "p": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
    "runs_twice": {
        "sizes": {"rows": "(n + 99) // 100", "cols": "min(n, 150)"},
        "dims": ["rows"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"integers": [-9, 10]}},
            "o": {"role": "out", "shape": ["rows", "cols"]},
            "p": {"role": "out", "shape": ["rows", "cols"]},
        },
    },
    "scans_and_sums": {
        "sizes": {"rows": "(n + 99) // 100", "cols": "min(n, 150)"},
        "dims": ["rows"],
        "block_dim": 64,
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"integers": [-9, 10]}},
            "o": {"role": "out", "shape": ["rows", "cols"]},
            "sums": {"role": "out", "shape": ["rows"]},
        },
    },
    "scans_and_sums_of_floats": {
        "sizes": {"rows": "(n + 99) // 100", "cols": "min(n, 150)"},
        "dims": ["rows"],
        "block_dim": 64,
        "equality": "bounded",
        "parameters": {
            "x": {"shape": ["rows", "cols"], "values": {"uniform": [0.0, 1.0]}},
            "o": {"role": "out", "shape": ["rows", "cols"]},
            "sums": {"role": "out", "shape": ["rows"]},
        },
    },
}
