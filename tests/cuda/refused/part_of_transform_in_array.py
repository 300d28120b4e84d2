# refused: wp.transform_set_translation can only change a variable (in Warp, anything else is a copy): assign to its .p
# at 10:5
import warp as wp


@wp.kernel
def move(poses: wp.array(dtype=wp.transform), x: wp.array(dtype=wp.vec3)):
    """Warp changes a copy of the element, which is lost."""
    i = wp.tid()
    wp.transform_set_translation(poses[i], x[i])


LAUNCH = {
    "move": {
        "dims": ["n"],
        "parameters": {
            "poses": {"role": "inout", "shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
            "x": {"shape": ["n"], "values": {"uniform": [0.0, 1.0]}},
        },
    }
}
