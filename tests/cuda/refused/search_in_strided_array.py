# refused: a search in a strided array is not supported: copy it
# at 11:5
import warp as wp


@wp.kernel
def places(values: wp.array2d(dtype=float), x: wp.array(dtype=float), out: wp.array(dtype=int)):
    """A column is strided."""
    i = wp.tid()
    column = values[:, 1]
    out[i] = wp.lower_bound(column, x[i])


LAUNCH = {
    "places": {
        "dims": ["n"],
        "parameters": {
            "values": {"shape": ["n", 3], "values": {"uniform": [0.0, 1.0]}},
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "out": {"role": "out", "shape": ["n"]},
        },
    }
}
