# refused: wp.qr3 can only write to different variables: give it one for each result
# at 11:5
import warp as wp


@wp.kernel
def factors(x: wp.array(dtype=wp.mat33), q: wp.array(dtype=wp.mat33)):
    """Warp changes a copy of the element, which is lost."""
    i = wp.tid()
    r = wp.mat33()
    wp.qr3(x[i], q[i], r)


LAUNCH = {
    "factors": {
        "dims": ["n"],
        "parameters": {
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "q": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
