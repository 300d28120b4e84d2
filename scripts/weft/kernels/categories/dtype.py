"""Numbers of every width: halves, doubles, narrow and wide integers, and the ways from one to another."""

from weft.kernels.idioms.dtype.floats import (
    half_math,
    half_storage,
    precise_sum,
    rounding_modes,
    split_double,
)
from weft.kernels.idioms.dtype.limits import saturating_add, saturating_cast, wide_product, wrapping_counter
from weft.kernels.idioms.dtype.quantized import color_bytes, fixed_point, quantize, quantized_dot
from weft.kernels.idioms.dtype.representation import float_bits

REVISION = 6
TEACHES = (
    "conversions, halves, double accumulators, saturating casts, fixed point, quantization, wide products"
)

IDIOMS = (
    half_storage,
    half_math,
    precise_sum,
    saturating_cast,
    saturating_add,
    wrapping_counter,
    fixed_point,
    quantize,
    quantized_dot,
    wide_product,
    color_bytes,
    split_double,
    rounding_modes,
    float_bits,
)
