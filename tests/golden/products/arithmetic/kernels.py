"""Kernels of the category arithmetic, seed 0.

Element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing.
"""

import warp as wp


@wp.struct
class QuantizeTuning:
    """The settings' part for the tuning."""

    zero_point: float


@wp.struct
class QuantizeParams:
    """Settings that all threads share."""

    step: float
    tuning: QuantizeTuning
    scale: float


@wp.kernel
def quantize(
    kinds: wp.array2d(dtype=wp.int32),
    left_samples: wp.array(dtype=wp.float32),
    other_sample_index: wp.array(dtype=wp.int32),
    other_samples: wp.array(dtype=wp.float32),
    params: QuantizeParams,
    num_items: int,
    error_pairs: wp.array(dtype=wp.vec2),
):
    """Rounding error of uniform quantization. Column 0 of kinds holds the kind. other_sample_index
    says where the other sample is. kind chooses between two arrays. The error is multiplied by
    params.scale. The result is stored with its negative part in one vector."""
    tid = wp.tid()
    i = num_items - 1 - tid
    kind = kinds[i, 0]
    chosen_sample = left_samples[i] if kind == 0 else other_samples[other_sample_index[i]]
    multiple = wp.floor((chosen_sample - params.tuning.zero_point) / params.step + 0.5)
    error = (chosen_sample - (multiple * params.step + params.tuning.zero_point)) * params.scale
    error_pairs[i] = wp.vec2(error, wp.min(error, 0.0))


LAUNCH = {
    "quantize": {
        "difficulty": "hard",
        "dims": ["n"],
        "parameters": {
            "kinds": {"role": "in", "shape": ["n", "4"], "values": {"integers": [0, 2]}},
            "left_samples": {"role": "in", "shape": ["n"], "values": {"uniform": [-4.0, 4.0]}},
            "other_sample_index": {"role": "in", "shape": ["n"], "values": {"integers": [0, "n"]}},
            "other_samples": {"role": "in", "shape": ["n"], "values": {"uniform": [-4.0, 4.0]}},
            "params": {"values": {"members": {"step": {"uniform": [0.05, 0.5]}, "tuning": {"members": {"zero_point": {"uniform": [-0.5, 0.5]}}}, "scale": {"uniform": [0.2, 5.0]}}}},
            "num_items": {"values": {"size": "n"}},
            "error_pairs": {"role": "out", "shape": ["n"]},
        },
    },
}
