"""Feature maps: convolutions over channels, pooling, upsampling, normalisation and what follows them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.domains.along import extent
from weft.kernels.domains.elementary import sigmoid
from weft.kernels.domains.terms import Terms
from weft.kernels.expressions import bounded, ops, within
from weft.kernels.formulas import Domain, whole
from weft.kernels.intervals import INFINITY
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32

maps = Domain("cell", ranks=(2,), half=True, sizes={"channels": (3, 4, 8, 12, 16)}, things=False)
term = Terms(maps)
term.quantity("feature", -2.0, 2.0, least=-1e4, most=1e4, derived=True)
term.quantity("skip_feature", -2.0, 2.0)
term.quantity("normalized_feature", -2.0, 2.0, least=-1e5, most=1e5, derived=True)
term.quantity("activation", -2.0, 2.0, least=-1e5, most=1e5)
term.quantity("output", -2.0, 2.0, least=-1e5, most=1e5)
term.quantity("peak_place", 0, 3, whole, most=3)
term.quantity("score", -2.0, 2.0, least=-1e5, most=1e5)
term.settings(
    running_mean=(-0.5, 0.5), running_variance=(0.2, 2.0), gain=(0.5, 1.5), bias=(-0.5, 0.5),
    slope=(0.01, 0.3), channel_weight=(0.1, 1.0), epsilon=(1e-5, 1e-3), exponent=(2.0, 4.0),
    gate_bias=(-1.0, 1.0),
)  # fmt: skip
CONV, POOL = "LeCun et al. 1998", "Goodfellow, Bengio and Courville 2016"


def channels(k: Builder) -> ArrayHandle:
    """The maps of all channels that a cell's feature is made of."""
    return k.input("maps", k.real, [maps.size(k, "channels"), *k.shape], uniform(-1.0, 1.0))


def each_channel(k: Builder) -> AbstractContextManager[Name]:
    """A loop over the channels."""
    return k.loop(k.once("channel", lambda: k.rng.pick("c", "channel")), 0, extent(k, "channels"))


def each_tap(k: Builder, spread: int, visit: Callable[[Expr, Expr, Expr, Expr], None]) -> None:
    """Visit the cells of a window of three by three that lie on the map, some cells apart."""
    row, col = k.index
    with k.loop("a", 0, 3) as a, k.loop("b", 0, 3) as b:
        y = k.let("tap_row", row + spread * (a - 1) if spread > 1 else row + (a - 1))
        x = k.let("tap_col", col + spread * (b - 1) if spread > 1 else col + (b - 1))
        inside = (y >= 0) & (y < k.extent(0)) & (x >= 0) & (x < k.extent(1))
        with k.when(inside):
            visit(a, b, y, x)


def convolved(k: Builder, spread: int) -> Expr:
    """The sum over all channels and taps of a kernel of three by three."""
    of = channels(k)
    weights = k.input("weights", k.real, [k.inputs["maps"].parameter.shape[0], "3", "3"], uniform(-0.5, 0.5))
    total = k.var("total", 0.0)
    with each_channel(k) as c:
        each_tap(k, spread, lambda a, b, y, x: k.add(total, weights[c, a, b] * of[c, y, x]))
    return bounded(total, -1e3, 1e3)


def _convolution(k: Builder) -> Expr:
    return convolved(k, 1)


def _dilated(k: Builder) -> Expr:
    return convolved(k, 2)


def _depthwise(k: Builder) -> Expr:
    of = k.input("plane", k.real, k.shape, uniform(-1.0, 1.0))
    weights = k.input("taps", k.real, ["3", "3"], uniform(-0.5, 0.5))
    total = k.var("total", 0.0)
    each_tap(k, 1, lambda a, b, y, x: k.add(total, weights[a, b] * of[y, x]))
    return bounded(total, -1e3, 1e3)


def _separable(k: Builder) -> Expr:
    of = channels(k)
    size = k.inputs["maps"].parameter.shape[0]
    taps = k.input("taps", k.real, [size, "3", "3"], uniform(-0.5, 0.5))
    mixing = k.input("mixing", k.real, [size], uniform(-0.5, 0.5))
    total = k.var("total", 0.0)
    with each_channel(k) as c:
        filtered = k.var("filtered", 0.0)
        each_tap(k, 1, lambda a, b, y, x: k.add(filtered, taps[c, a, b] * of[c, y, x]))
        k.add(total, mixing[c] * filtered)
    return bounded(total, -1e3, 1e3)


def _pointwise(k: Builder) -> Expr:
    of = channels(k)
    mixing = k.input("mixing", k.real, [k.inputs["maps"].parameter.shape[0]], uniform(-0.5, 0.5))
    total = k.var("total", 0.0)
    with each_channel(k) as c:
        k.add(total, mixing[c] * of[(c, *k.index)])
    return bounded(total, -1e3, 1e3)


def _fine(k: Builder) -> tuple[ArrayHandle, Callable[[Expr, Expr], tuple[Expr, Expr]]]:
    """A map of twice the extents, and the places in it of the cells that one of the coarse map covers."""
    shape = [f"2 * {one}" for one in k.shape]
    fine = k.input("fine_map", k.real, shape, uniform(-1.0, 1.0))

    def place(a: Expr, b: Expr) -> tuple[Expr, Expr]:
        row, col = k.index
        return within(2 * row + a, shape[0]), within(2 * col + b, shape[1])

    return fine, place


def _max_pooled(k: Builder) -> Expr:
    fine, place = _fine(k)
    best = k.var("largest", -INFINITY, bounds=(-1e4, 1.0))
    with k.loop("a", 0, 2) as a, k.loop("b", 0, 2) as b:
        k.set(best, ops.max(best, fine[place(a, b)]))
    return bounded(best, -1.0, 1.0)


def _mean_pooled(k: Builder) -> Expr:
    fine, place = _fine(k)
    total = k.var("total", 0.0)
    with k.loop("a", 0, 2) as a, k.loop("b", 0, 2) as b:
        k.add(total, fine[place(a, b)])
    return 0.25 * bounded(total, -4.0, 4.0)


def _norm_pooled(k: Builder) -> Expr:
    fine, place = _fine(k)
    total = k.var("square_sum", 0.0)
    with k.loop("a", 0, 2) as a, k.loop("b", 0, 2) as b:
        value = k.let("value", fine[place(a, b)])
        k.add(total, value * value)
    return ops.sqrt(bounded(total, 0.0, 4.0))


def _peak_of_pool(k: Builder) -> Expr:
    fine, place = _fine(k)
    best = k.var("largest", -INFINITY, bounds=(-1e4, 1.0))
    found = k.var("argmax", 0, type=I32, bounds=(0, 3))
    with k.loop("a", 0, 2) as a, k.loop("b", 0, 2) as b:
        value = k.let("value", fine[place(a, b)])
        with k.when(value > best):
            k.set(best, value)
            k.set(found, 2 * a + b)
    return found


def overlapped(k: Builder) -> Expr:
    """The largest of a window of three by three, as far as it lies on the map."""
    of = k.input("plane", k.real, k.shape, uniform(-1.0, 1.0))
    best = k.var("largest", -INFINITY, bounds=(-1e4, 1.0))
    each_tap(k, 1, lambda a, b, y, x: k.set(best, ops.max(best, of[y, x])))
    return bounded(best, -1.0, 1.0)


def _attended(k: Builder, activation: Expr) -> Expr:
    of = channels(k)
    best = k.var("largest", -INFINITY, bounds=(-1e4, 1.0))
    total = k.var("total", 0.0)
    with each_channel(k) as c:
        value = k.let("value", of[(c, *k.index)])
        k.set(best, ops.max(best, value))
        k.add(total, value)
    return activation * sigmoid(bounded(best, -1.0, 1.0) + 0.1 * bounded(total, -20.0, 20.0))


def _gated(k: Builder, activation: Expr, skip_feature: Expr, gate_bias: Expr) -> Expr:
    gate = k.let("gate", sigmoid(ops.max(activation + gate_bias, -20.0)))
    return bounded(gate * activation + (1.0 - gate) * skip_feature, -1e5, 1e5)


def _correlated(k: Builder) -> Expr:
    of = channels(k)
    other = k.input("other_maps", k.real, k.inputs["maps"].parameter.shape, uniform(-1.0, 1.0))
    total = k.var("total", 0.0)

    def visit(a: Expr, b: Expr, y: Expr, x: Expr) -> None:
        with each_channel(k) as c:
            k.add(total, of[(c, *k.index)] * other[c, y, x])

    each_tap(k, 1, visit)
    return bounded(total, -1e3, 1e3)


LOOP, NESTED = ("loop",), ("loop", "nested loop", "branch")
term.table(
    ("channel_convolution", "feature", "3 x 3 convolution over all channels", _convolution,
     {"source": CONV, "teaches": NESTED}),
    ("dilated_convolution", "feature", "Dilated 3 x 3 convolution", _dilated,
     {"source": "Yu and Koltun 2016", "teaches": NESTED}),
    ("depthwise_convolution", "feature", "Depthwise 3 x 3 convolution", _depthwise,
     {"source": "Howard et al. 2017", "teaches": NESTED}),
    ("separable_convolution", "feature", "Depthwise separable convolution", _separable,
     {"source": "Howard et al. 2017", "teaches": NESTED}),
    ("pointwise_convolution", "feature", "1 x 1 convolution", _pointwise,
     {"source": "Lin, Chen and Yan 2014", "teaches": LOOP}),
    ("max_pooling", "feature", "2 x 2 max pooling", _max_pooled,
     {"source": POOL, "teaches": ("loop", "nested loop")}),
    ("mean_pooling", "feature", "2 x 2 average pooling", _mean_pooled,
     {"source": POOL, "teaches": ("loop", "nested loop")}),
    ("norm_pooling", "feature", "2 x 2 L2 pooling", _norm_pooled,
     {"source": POOL, "teaches": ("loop", "nested loop")}),
    ("overlapping_pooling", "feature", "Overlapping 3 x 3 max pooling", overlapped,
     {"source": "Krizhevsky, Sutskever and Hinton 2012", "teaches": NESTED}),
    ("map_correlation", "score", "Correlation volume of two feature maps", _correlated,
     {"source": "Dosovitskiy et al. 2015", "teaches": NESTED}),
    ("pooled_place", "peak_place", "Argmax of 2 x 2 max pooling", _peak_of_pool,
     {"source": "Zeiler and Fergus 2014", "teaches": NESTED}),
    ("batch_normalized", "normalized_feature", "Batch normalization at inference",
     lambda feature, running_mean, running_variance, gain, bias: (
         gain * (feature - running_mean) / ops.sqrt(running_variance + 1e-5) + bias
     ), {"source": "Ioffe and Szegedy 2015"}),
    ("biased_feature", "normalized_feature", "Add the bias", lambda feature, bias: feature + bias,
     {"goal": False}),
    ("rectified_feature", "activation", "ReLU",
     lambda normalized_feature: ops.max(normalized_feature, 0.0)),
    ("leaky_feature", "activation", "Leaky ReLU",
     lambda normalized_feature, slope: ops.max(normalized_feature, slope * normalized_feature)),
    ("capped_feature", "activation", "ReLU6",
     lambda normalized_feature: ops.clamp(normalized_feature, 0.0, 6.0)),
    ("silu_feature", "activation", "SiLU",
     lambda normalized_feature: normalized_feature * sigmoid(ops.max(normalized_feature, -20.0)),
     {"within": (-1.0, 1e5)}),
    ("hard_swish_feature", "activation", "Hard swish",
     lambda normalized_feature: normalized_feature * ops.clamp(normalized_feature / 6.0 + 0.5, 0.0, 1.0),
     {"within": (-1.0, 1e5)}),
    ("residual_output", "output", "Residual connection",
     lambda activation, skip_feature: bounded(activation + skip_feature, -1e5, 1e5),
     {"source": "He et al. 2016"}),
    ("squeezed_output", "output", "Squeeze-and-excitation scaling",
     lambda activation, channel_weight: channel_weight * activation,
     {"source": "Hu, Shen and Sun 2018"}),
    ("spatially_attended_output", "output", "Spatial attention over the cells", _attended,
     {"source": "Woo et al. 2018", "teaches": LOOP}),
    ("gated_output", "output", "Gated skip connection", _gated,
     {"source": "Srivastava, Greff and Schmidhuber 2015"}),
)  # fmt: skip
