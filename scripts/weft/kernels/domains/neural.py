"""Neural networks: units of a layer, losses of predictions, optimisers of weights, learning rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import cases, either
from weft.kernels.coefficients import uniform
from weft.kernels.constants import LN_2, SQRT_HALF, SQRT_TWO_OVER_PI, Known
from weft.kernels.domains.elementary import normal_cdf, normal_pdf, sigmoid, softplus, square
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Load, Quantity, Setting, of, whole
from weft.kernels.program import Expr
from weft.kernels.types import I8, I32
from weft.kernels.words import plural

BATCHES = (
    (("row", "batch", "min(n // 64 + 1, n // 256 + 12)"), ("col", "features", "min(n + 31, 256)")),
    (("sample", "batch", "min(n // 80 + 1, n // 200 + 6)"), ("unit", "units", "min(n // 2 + 48, 192)")),
    (("row", "tokens", "min(n // 96 + 1, n // 384 + 8)"), ("channel", "channels", "min(n + 63, 384)")),
)


def per_channel(low: float, high: float) -> Load:
    """What the units of a column share."""

    def load(k: Builder, name: str) -> Expr:
        several = f"{name}es" if name.endswith("s") else plural(name)
        axis = k.axes.index("c") if "c" in k.axes else -1
        return k.input(several, k.real, [k.shape[axis]], uniform(low, high))[k.index[axis]]

    return load


# Units of a layer.

unit = Domain(
    "unit", index=("i", "unit", "idx"), ranks=(1, 2, 2, 4), grids={2: BATCHES}, half=True, things=False
)

projection = Quantity("projection", -4.0, 4.0)
bias = Quantity("bias", -0.5, 0.5, load=per_channel(-0.5, 0.5))
up_projection = Quantity("up_projection", -3.0, 3.0)
gate_projection = Quantity("gate_projection", -4.0, 4.0)
skip = Quantity("skip", -2.0, 2.0, plural="skips")
running_mean = Quantity("running_mean", -0.5, 0.5, load=per_channel(-0.5, 0.5))
running_variance = Quantity("running_variance", 0.3, 2.0, load=per_channel(0.3, 2.0))
gamma = Quantity("gamma", 0.5, 1.5, load=per_channel(0.5, 1.5))
beta = Quantity("beta", -0.5, 0.5, load=per_channel(-0.5, 0.5))
pre_activation = Quantity("pre_activation", -4.0, 4.0, least=-20.0, most=20.0)
gate = Quantity("gate", -4.0, 4.0, least=-20.0, most=20.0)
activation = Quantity("activation", -2.0, 3.0, least=-2e3, most=2e3)
activation_slope = Quantity("activation_slope", -0.2, 1.2, least=-50.0, most=50.0)
upstream_gradient = Quantity("upstream_gradient", -1.0, 1.0, least=-1e4, most=1e4)
input_gradient = Quantity("input_gradient", -1.0, 1.0, least=-1e6, most=1e6)
kept = Quantity("kept", 0, 1, whole, plural="keep_mask")
layer_output = Quantity("layer_output", -3.0, 3.0, least=-1e5, most=1e5)
quantized_output = Quantity("quantized_output", -127, 127, whole, least=-128, most=255)
dequantized_output = Quantity("dequantized_output", -3.0, 3.0)

Projection = Annotated[Expr, projection]
UpProjection = Annotated[Expr, up_projection]
GateProjection = Annotated[Expr, gate_projection]
Bias = Annotated[Expr, bias]
Skip = Annotated[Expr, skip]
RunningMean = Annotated[Expr, running_mean]
RunningVariance = Annotated[Expr, running_variance]
Gamma = Annotated[Expr, gamma]
Beta = Annotated[Expr, beta]
PreActivation = Annotated[Expr, pre_activation]
Gate = Annotated[Expr, gate]
Activation = Annotated[Expr, activation]
ActivationSlope = Annotated[Expr, activation_slope]
UpstreamGradient = Annotated[Expr, upstream_gradient]
InputGradient = Annotated[Expr, input_gradient]
Kept = Annotated[Expr, kept]
LayerOutput = Annotated[Expr, layer_output]
QuantizedOutput = Annotated[Expr, quantized_output]
SymmetricOutput = Annotated[Expr, Quantity("quantized_output", -127, 127, of(I8))]
DequantizedOutput = Annotated[Expr, dequantized_output]
Rate = Annotated[Expr, Setting(0.1, 0.5)]
Scale = Annotated[Expr, Setting(0.05, 0.2)]
FineScale = Annotated[Expr, Setting(0.008, 0.018)]
ZeroPoint = Annotated[Expr, Setting(96, 160, kind=whole)]


@unit.formula(goal=False)
def biased_projection(k: Builder, projection: Projection, bias: Bias) -> PreActivation:
    """Add the bias."""
    return projection + bias


@unit.formula(source="Ioffe and Szegedy 2015")
def batch_norm_inference(
    k: Builder,
    projection: Projection,
    running_mean: RunningMean,
    running_variance: RunningVariance,
    gamma: Gamma,
    beta: Beta,
) -> PreActivation:
    """Batch normalization at inference. The mean and the variance were estimated in training."""
    scale = k.let("scale", gamma / ops.sqrt(running_variance + 1e-5))
    return scale * (projection - running_mean) + beta


@unit.formula(source="He et al. 2016", goal=False)
def residual_input(k: Builder, projection: Projection, skip: Skip) -> PreActivation:
    """Add the skip connection."""
    return projection + skip


@unit.formula(goal=False)
def biased_gate(k: Builder, gate_projection: GateProjection, gate_bias: Bias) -> Gate:
    """Add the gate bias."""
    return gate_projection + gate_bias


Curve = Callable[[Builder, Expr], Expr]
GELU_CUBIC = Known("GELU_CUBIC", 0.044715)
GELU_SLOPE = Known("GELU_SLOPE", 1.702)
SELU_SCALE, SELU_ALPHA = Known("SELU_SCALE", 1.0507), Known("SELU_ALPHA", 1.67326)
_BRANCH = ("branch",)


def _cdf_gelu(k: Builder, x: Expr) -> Expr:
    return 0.5 * x * (1.0 + ops.erf(x * SQRT_HALF))


def _silu(k: Builder, x: Expr) -> Expr:
    return x / (1.0 + ops.exp(-x))


def _tanh_gelu(k: Builder, x: Expr) -> Expr:
    inner = k.let("inner", SQRT_TWO_OVER_PI * (x + GELU_CUBIC * x * x * x))
    return 0.5 * x * (1.0 + ops.tanh(inner))


def _exp_below(x: Expr) -> Expr:
    """The exponential of a number that is not positive where that is used."""
    return bounded(ops.exp(x if x.interval.hi <= 20.0 else ops.min(x, 0.0)), 0.0, 1.0)


def _selu(k: Builder, x: Expr) -> Expr:
    return SELU_SCALE * either(k, "scaled", x > 0.0, x, SELU_ALPHA * (_exp_below(x) - 1.0))


def _hard_sigmoid(k: Builder, x: Expr) -> Expr:
    return ops.clamp(x / 6.0 + 0.5, 0.0, 1.0)


ACTIVATIONS: tuple[tuple[str, str, tuple[str, ...], Curve], ...] = (
    ("relu", "ReLU. It is max(x, 0)", (), lambda k, x: ops.max(x, 0.0)),
    ("gelu", "GELU. It is x times the normal distribution function of x", (), _cdf_gelu),
    ("tanh_gelu", "Tanh approximation of GELU", (), _tanh_gelu),
    (
        "sigmoid_gelu",
        "Sigmoid approximation of GELU",
        (),
        lambda k, x: x * sigmoid(GELU_SLOPE * x),
    ),
    ("silu", "SiLU. It is x times the sigmoid of x", (), _silu),
    ("logistic_activation", "Sigmoid. It is 1 / (1 + exp(-x))", (), lambda k, x: sigmoid(x)),
    ("softplus_activation", "Softplus. It is ln(1 + exp(x))", (), lambda k, x: softplus(x)),
    (
        "mish",
        "Mish. It is x tanh(softplus(x))",
        (),
        lambda k, x: x * ops.tanh(k.let("softplus", softplus(x))),
    ),
    ("selu", "SELU. It is a scaled ELU that keeps mean 0 and variance 1", _BRANCH, _selu),
    ("softsign", "Softsign. It is x / (1 + |x|)", (), lambda k, x: x / (1.0 + ops.abs(x))),
    ("tanh_shrink", "Tanhshrink. It is x - tanh(x)", (), lambda k, x: x - ops.tanh(x)),
    ("hard_sigmoid", "Hard sigmoid. It is x / 6 + 1/2, clamped to [0, 1]", (), _hard_sigmoid),
    (
        "hard_swish",
        "Hard swish. It is x times the hard sigmoid of x",
        (),
        lambda k, x: x * _hard_sigmoid(k, x),
    ),
    ("relu6", "ReLU6. It clamps x to [0, 6]", (), lambda k, x: ops.clamp(x, 0.0, 6.0)),
    (
        "squared_relu",
        "Squared ReLU. It is the square of max(x, 0)",
        (),
        lambda k, x: square(k, ops.max(x, 0.0), "positive_part"),
    ),
)


def _activation(name: str, how: str, teaches: tuple[str, ...], curve: Curve) -> None:
    @unit.formula(
        name=name,
        doc=f"{how}.",
        source="torch.nn.functional",
        teaches=teaches,
    )
    def activation(k: Builder, pre_activation: PreActivation) -> Activation:
        return curve(k, pre_activation)


for _one in ACTIVATIONS:
    _activation(*_one)


@unit.formula(source="Maas, Hannun and Ng 2013", teaches=("branch",))
def leaky_relu(
    k: Builder, pre_activation: PreActivation, negative_slope: Annotated[Expr, Setting(0.01, 0.2)]
) -> Activation:
    """Leaky ReLU. Negative inputs are multiplied by a small slope."""
    return either(k, "activation", pre_activation > 0.0, pre_activation, negative_slope * pre_activation)


@unit.formula(source="Clevert, Unterthiner and Hochreiter 2016", teaches=("branch",))
def elu(k: Builder, pre_activation: PreActivation, alpha: Annotated[Expr, Setting(0.5, 1.5)]) -> Activation:
    """ELU. It is alpha (exp(x) - 1) below zero."""
    below = alpha * (_exp_below(pre_activation) - 1.0)
    return either(k, "activation", pre_activation > 0.0, pre_activation, below)


GATES: tuple[tuple[str, str, tuple[str, ...], Curve], ...] = (
    ("glu", "Gated linear unit. The gate is a sigmoid", (), lambda k, x: sigmoid(x)),
    ("swiglu", "SwiGLU. The gate is a SiLU", (), _silu),
    ("geglu", "GEGLU. The gate is a GELU", (), _cdf_gelu),
    ("tanh_geglu", "GEGLU with the tanh approximation", (), _tanh_gelu),
    ("reglu", "ReGLU. The gate is a ReLU", (), lambda k, x: ops.max(x, 0.0)),
    ("gated_tanh", "Gated tanh unit. The gate is a hyperbolic tangent", (), lambda k, x: ops.tanh(x)),
)


def _gated(name: str, how: str, teaches: tuple[str, ...], curve: Curve) -> None:
    @unit.formula(name=name, doc=f"{how}.", source="Shazeer 2020", teaches=teaches)
    def gated(k: Builder, up_projection: UpProjection, gate: Gate) -> Activation:
        return up_projection * curve(k, gate)


for _one in GATES:
    _gated(*_one)


def _swish_slope(k: Builder, x: Expr) -> Expr:
    logistic = k.let("logistic", sigmoid(x))
    return logistic * (1.0 + x * (1.0 - logistic))


def _gelu_slope(k: Builder, x: Expr) -> Expr:
    return bounded(normal_cdf(k, x) + x * normal_pdf(k, x), -0.2, 1.2)


def _logistic_slope(k: Builder, x: Expr) -> Expr:
    logistic = k.let("logistic", sigmoid(x))
    return logistic * (1.0 - logistic)


def _tanh_slope(k: Builder, x: Expr) -> Expr:
    bent = k.let("tanh_x", ops.tanh(x))
    return 1.0 - bent * bent


def _mish_slope(k: Builder, x: Expr) -> Expr:
    bent = k.let("tanh_sp", ops.tanh(softplus(x)))
    return bent + x * sigmoid(x) * (1.0 - bent * bent)


def _hard_swish_slope(k: Builder, x: Expr) -> Expr:
    above, below = (x > 3.0, 1.0), (x < -3.0, 0.0)
    return cases(k, "slope", above, below, rest=x / 3.0 + 0.5)


def _softsign_slope(k: Builder, x: Expr) -> Expr:
    size = k.let("denominator", 1.0 + ops.abs(x))
    return 1.0 / (size * size)


SLOPES: tuple[tuple[str, str, tuple[str, ...], Curve], ...] = (
    (
        "relu_slope",
        "Derivative of ReLU. It is 1 above zero, and 0 at and below it",
        _BRANCH,
        lambda k, x: either(k, "slope", x > 0.0, 1.0, 0.0),
    ),
    ("silu_slope", "Derivative of SiLU. It is s (1 + x (1 - s)) for the sigmoid s of x", (), _swish_slope),
    (
        "gelu_slope",
        "Derivative of GELU. It is the normal distribution function plus x times its density",
        (),
        _gelu_slope,
    ),
    (
        "logistic_slope",
        "Derivative of the sigmoid. It is s (1 - s) for the sigmoid s of x",
        (),
        _logistic_slope,
    ),
    ("tanh_slope", "Derivative of tanh. It is one minus the square of tanh(x)", (), _tanh_slope),
    (
        "mish_slope",
        "Derivative of Mish. It follows from x tanh(softplus(x)) by the product rule",
        (),
        _mish_slope,
    ),
    (
        "hard_swish_slope",
        "Derivative of hard swish. It is x / 3 + 1/2 between -3 and 3",
        ("branches",),
        _hard_swish_slope,
    ),
    ("softsign_slope", "Derivative of softsign. It is 1 / (1 + |x|)^2", (), _softsign_slope),
    ("softplus_slope", "Derivative of softplus. It is the sigmoid", (), lambda k, x: sigmoid(x)),
)


def _slope(name: str, what: str, teaches: tuple[str, ...], curve: Curve) -> None:
    @unit.formula(
        name=name,
        doc=f"{what}.",
        source="torch.autograd",
        teaches=teaches,
    )
    def slope(k: Builder, pre_activation: PreActivation) -> ActivationSlope:
        return curve(k, pre_activation)


for _one in SLOPES:
    _slope(*_one)


@unit.formula(teaches=("branch",))
def elu_slope(
    k: Builder, pre_activation: PreActivation, alpha: Annotated[Expr, Setting(0.5, 1.5)]
) -> ActivationSlope:
    """Derivative of ELU. It is alpha exp(x) below zero, and 1 above."""
    below = alpha * _exp_below(pre_activation)
    return either(k, "slope", pre_activation > 0.0, 1.0, below)


@unit.formula(source="Rumelhart, Hinton and Williams 1986")
def backpropagated_gradient(
    k: Builder, upstream_gradient: UpstreamGradient, activation_slope: ActivationSlope
) -> InputGradient:
    """Apply the chain rule through an activation. The gradient is multiplied by the slope of the
    activation.
    """
    return upstream_gradient * activation_slope


@unit.formula(source="Srivastava et al. 2014", teaches=("branch",))
def inverted_dropout(k: Builder, activation: Activation, kept: Kept, drop_rate: Rate) -> LayerOutput:
    """Inverted dropout. Kept units are divided by 1 minus the drop rate, and the others become 0."""
    return either(k, "layer_output", kept.differs(0), activation / (1.0 - drop_rate), 0.0)


@unit.formula(source="Jacob et al. 2018")
def affine_quantized(
    k: Builder, layer_output: LayerOutput, output_scale: FineScale, zero_point: ZeroPoint
) -> QuantizedOutput:
    """Affine 8-bit quantization. Levels are clamped to [0, 255]."""
    level = ops.rint(layer_output / output_scale)
    return ops.clamp(convert(I32, level) + zero_point, 0, 255)


@unit.formula(source="NVIDIA TensorRT")
def symmetric_quantized(k: Builder, layer_output: LayerOutput, step: FineScale) -> SymmetricOutput:
    """Symmetric int8 quantization. Levels are the outputs divided by `step`, rounded and clamped to
    [-127, 127].
    """
    return convert(I8, ops.rint(ops.clamp(layer_output / step, -127.0, 127.0)))


@unit.formula(source="Jacob et al. 2018", undoes=("affine_quantized",))
def dequantized_level(
    k: Builder, quantized_output: QuantizedOutput, output_scale: Scale, zero_point: ZeroPoint
) -> DequantizedOutput:
    """Affine int8 dequantization. It is the level without its zero point, times the scale."""
    return output_scale * convert(k.real, quantized_output - zero_point)


# Losses of samples.

sample = Domain(
    "sample",
    index=("i", "sample"),
    half=True,
    things=False,
)

prediction = Quantity("prediction", -2.0, 2.0)
target = Quantity("target", -2.0, 2.0)
residual = Quantity("residual", -3.0, 3.0, least=-50.0, most=50.0)
logit = Quantity("logit", -4.0, 4.0, least=-40.0, most=40.0)
label = Quantity("label", 0.0, 1.0)
score = Quantity("score", 0.0, 1.0)
probability = Quantity("probability", 0.02, 0.98, plural="probabilities", least=1e-5, most=1.0 - 1e-5)
margin = Quantity("margin", -3.0, 3.0, least=-40.0, most=40.0)
log_variance = Quantity("log_variance", -1.0, 1.0, least=-20.0, most=20.0)
event_count = Quantity("event_count", 0, 9, whole)
sample_weight = Quantity("sample_weight", 0.2, 2.0, least=0.0)
loss = Quantity("loss", 0.0, 4.0, plural="losses", least=-1e3, most=1e9, additive=True)
loss_gradient = Quantity("loss_gradient", -2.0, 2.0, least=-1e6, most=1e6)
log_loss = Quantity("log_loss", 0.0, 3.0, least=-1e3, most=1e4, additive=True)

Prediction = Annotated[Expr, prediction]
Target = Annotated[Expr, target]
Residual = Annotated[Expr, residual]
Logit = Annotated[Expr, logit]
Label = Annotated[Expr, label]
Probability = Annotated[Expr, probability]
Margin = Annotated[Expr, margin]
LogVariance = Annotated[Expr, log_variance]
SampleWeight = Annotated[Expr, sample_weight]
Loss = Annotated[Expr, loss]
LossGradient = Annotated[Expr, loss_gradient]
LogLoss = Annotated[Expr, log_loss]
Knee = Annotated[Expr, Setting(0.3, 0.9)]
Quantile = Annotated[Expr, Setting(0.1, 0.9)]


@sample.formula(goal=False)
def prediction_residual(k: Builder, prediction: Prediction, target: Target) -> Residual:
    """Residual of a prediction."""
    return prediction - target


@sample.formula()
def predicted_probability(k: Builder, logit: Logit) -> Probability:
    """Predicted probability. It is the sigmoid of the logit."""
    return bounded(sigmoid(ops.clamp(logit, -10.0, 10.0)), 1e-5, 1.0 - 1e-5)


@sample.formula()
def signed_margin(k: Builder, label: Label, logit: Logit) -> Margin:
    """Classification margin. It is the logit, with the sign turned around for label 0."""
    return (2.0 * label - 1.0) * logit


ResidualCurve = Callable[[Builder, Expr, Expr], Expr]


def _huber(k: Builder, r: Expr, knee: Expr) -> Expr:
    size = k.let("abs_r", ops.abs(r))
    return either(k, "loss", size < knee, 0.5 * r * r, knee * (size - 0.5 * knee))


def _tukey(k: Builder, r: Expr, knee: Expr) -> Expr:
    rest = k.let("rest", 1.0 - square(k, r / knee))
    plateau = k.let("plateau", knee * knee / 6.0)
    return either(k, "loss", ops.abs(r) < knee, plateau * (1.0 - rest * rest * rest), plateau)


def _log_cosh(k: Builder, r: Expr, knee: Expr) -> Expr:
    size = k.let("abs_r", ops.abs(r / knee))
    return size + ops.log(1.0 + ops.exp(-2.0 * size)) - LN_2


def _hampel(k: Builder, r: Expr, knee: Expr) -> Expr:
    size = k.let("abs_r", ops.abs(r))
    falling = 2.0 * knee * knee - 0.5 * square(k, 3.0 * knee - size, "rest")
    near = (size < knee, 0.5 * r * r)
    middle = (size < 2.0 * knee, knee * (size - 0.5 * knee))
    far = (size < 3.0 * knee, falling)
    return cases(k, "loss", near, middle, far, rest=2.0 * knee * knee)


ROBUST: tuple[tuple[str, str, tuple[str, ...], ResidualCurve], ...] = (
    ("huber_loss", "Huber loss. It is quadratic up to the knee, and linear beyond", _BRANCH, _huber),
    ("tukey_loss", "Tukey biweight loss. Residuals beyond the knee all count the same", _BRANCH, _tukey),
    (
        "log_cosh_loss",
        "Log-cosh loss. It is ln(cosh(r / knee)) for the residual r, in a form that does not overflow",
        (),
        _log_cosh,
    ),
    (
        "pseudo_huber_loss",
        "Pseudo-Huber loss. It is knee^2 (sqrt(1 + (r / knee)^2) - 1) for the residual r",
        (),
        lambda k, r, c: c * c * (ops.sqrt(1.0 + square(k, r / c)) - 1.0),
    ),
    (
        "cauchy_loss",
        "Cauchy loss. It is 0.5 knee^2 ln(1 + (r / knee)^2) for the residual r. Far beyond the knee, it grows"
        " only logarithmically",
        (),
        lambda k, r, c: 0.5 * c * c * ops.log(1.0 + square(k, r / c)),
    ),
    (
        "geman_mcclure_loss",
        "Geman-McClure loss. It is half of r^2 / (knee^2 + r^2) for the residual r",
        (),
        lambda k, r, c: 0.5 * r * r / (c * c + r * r),
    ),
    (
        "welsch_loss",
        "Welsch loss. It is 0.5 knee^2 (1 - exp(-(r / knee)^2)) for the residual r",
        (),
        lambda k, r, c: 0.5 * c * c * (1.0 - ops.exp(-square(k, r / c))),
    ),
    (
        "insensitive_loss",
        "Epsilon-insensitive loss. Residuals up to the knee cost nothing",
        (),
        lambda k, r, c: ops.max(ops.abs(r) - c, 0.0),
    ),
    (
        "smooth_l1_loss",
        "Smooth L1 loss. It is quadratic up to the knee, and linear beyond",
        _BRANCH,
        lambda k, r, c: either(k, "loss", ops.abs(r) < c, 0.5 * r * r / c, ops.abs(r) - 0.5 * c),
    ),
    (
        "hampel_loss",
        "Hampel loss. It is quadratic, then linear, then flattens out to a constant beyond three knees",
        ("branches",),
        _hampel,
    ),
)


def _robust(name: str, what: str, teaches: tuple[str, ...], curve: ResidualCurve) -> None:
    @sample.formula(
        name=name,
        doc=f"{what}.",
        source="Huber and Ronchetti 2009",
        teaches=teaches,
    )
    def robust(k: Builder, residual: Residual, knee: Knee) -> Loss:
        return bounded(curve(k, residual, knee), -1.0, 2e4)


for _each in ROBUST:
    _robust(*_each)


@sample.formula()
def squared_loss(k: Builder, residual: Residual) -> Loss:
    """Squared loss. It is half the squared residual."""
    return 0.5 * (residual * residual)


@sample.formula(source="Koenker and Bassett 1978", teaches=("branch",))
def pinball_loss(k: Builder, residual: Residual, quantile: Quantile) -> Loss:
    """Pinball (quantile) loss. Its minimum is at a quantile."""
    return either(k, "loss", residual < 0.0, -quantile * residual, (1.0 - quantile) * residual)


def _logistic(k: Builder, m: Expr) -> Expr:
    return ops.max(-m, 0.0) + ops.log(1.0 + ops.exp(-ops.abs(m)))


def _modified_huber(k: Builder, m: Expr) -> Expr:
    gap = k.let("slack", ops.max(1.0 - m, 0.0))
    return either(k, "loss", m < -1.0, -4.0 * m, gap * gap)


def _smooth_hinge(k: Builder, m: Expr) -> Expr:
    gap = 1.0 - m
    return cases(k, "loss", (m >= 1.0, 0.0), (m <= 0.0, 0.5 - m), rest=0.5 * gap * gap)


_MARGIN = "the margin m, the logit with its sign flipped for label 0"

MARGINS: tuple[tuple[str, str, tuple[str, ...], Curve], ...] = (
    (
        "hinge_loss",
        f"Hinge loss. It is max(1 - m, 0) for {_MARGIN}",
        (),
        lambda k, m: ops.max(1.0 - m, 0.0),
    ),
    (
        "squared_hinge_loss",
        f"Squared hinge loss. It is the square of max(1 - m, 0) for {_MARGIN}",
        (),
        lambda k, m: square(k, ops.max(1.0 - m, 0.0), "gap"),
    ),
    (
        "logistic_loss",
        f"Logistic loss. It is ln(1 + exp(-m)), without overflow, for {_MARGIN}",
        (),
        _logistic,
    ),
    (
        "exponential_loss",
        f"Exponential loss. It is exp(-m) for {_MARGIN}",
        (),
        lambda k, m: ops.exp(ops.min(-m, 20.0)),
    ),
    (
        "modified_huber_loss",
        "Modified Huber loss. It is the squared hinge loss, but linear for margins below -1",
        _BRANCH,
        _modified_huber,
    ),
    (
        "smooth_hinge_loss",
        "Smooth hinge loss. It is quadratic for margins from 0 to 1, and linear below",
        ("branches",),
        _smooth_hinge,
    ),
)


def _margin_loss(name: str, what: str, teaches: tuple[str, ...], curve: Curve) -> None:
    @sample.formula(
        name=name,
        doc=f"{what}.",
        source="sklearn.linear_model.SGDClassifier",
        teaches=teaches,
    )
    def margin_loss(k: Builder, margin: Margin) -> Loss:
        return curve(k, margin)


for _other in MARGINS:
    _margin_loss(*_other)


@sample.formula(source="torch.nn.BCELoss", undoes=("predicted_probability",))
def binary_cross_entropy(k: Builder, probability: Probability, label: Label) -> LogLoss:
    """Binary cross-entropy. It is -ln(p) for label 1, and -ln(1 - p) for label 0."""
    return -(label * ops.log(probability) + (1.0 - label) * ops.log(1.0 - probability))


@sample.formula(source="torch.nn.BCEWithLogitsLoss")
def cross_entropy_with_logits(k: Builder, logit: Logit, label: Label) -> LogLoss:
    """Binary cross-entropy with logits. It does not overflow for large logits."""
    return ops.max(logit, 0.0) - logit * label + ops.log(1.0 + ops.exp(-ops.abs(logit)))


@sample.formula(source="Lin et al. 2017")
def focal_loss(
    k: Builder,
    probability: Probability,
    label: Label,
    focusing: Annotated[Expr, Setting(1.0, 3.0)],
    balance: Annotated[Expr, Setting(0.25, 0.75)],
) -> Loss:
    """Focal loss. It gives little weight to samples that are already classified well. Label 1 has the weight
    balance, and label 0 has 1 - balance.
    """
    hit = k.let("hit", bounded(label * probability + (1.0 - label) * (1.0 - probability), 1e-5, 1.0 - 1e-5))
    weight = k.let("weight", label * balance + (1.0 - label) * (1.0 - balance))
    return -weight * ops.pow(1.0 - hit, focusing) * ops.log(hit)


@sample.formula(source="Brier 1950")
def brier_score(k: Builder, probability: Probability, label: Label) -> Loss:
    """Brier score. It is the squared difference between probability and label."""
    return square(k, probability - label, "miss")


@sample.formula(source="torch.nn.PoissonNLLLoss")
def poisson_loss(k: Builder, logit: Logit, event_count: Annotated[Expr, event_count]) -> Loss:
    """Poisson negative log-likelihood. The logit is the logarithm of the rate, and the constant factorial
    term is left out.
    """
    rate = k.let("rate", ops.exp(ops.min(logit, 15.0)))
    return rate - convert(k.real, event_count) * logit


@sample.formula(source="torch.nn.GaussianNLLLoss")
def gaussian_loss(k: Builder, residual: Residual, log_variance: LogVariance) -> Loss:
    """Gaussian negative log-likelihood. The variance is predicted, too."""
    spread = ops.exp(-ops.max(log_variance, -6.0))
    return 0.5 * (log_variance + residual * residual * spread)


@sample.formula(source="Holland and Welsch 1977", teaches=("branch",))
def huber_weight(k: Builder, residual: Residual, knee: Knee) -> SampleWeight:
    """Huber weight. It is 1 up to the knee, and falls with the inverse of the residual beyond."""
    size = k.let("abs_r", ops.abs(residual))
    return either(k, "sample_weight", size <= knee, 1.0, knee / ops.max(size, 0.1))


def _clipped(k: Builder, r: Expr, knee: Expr) -> Expr:
    return ops.clamp(r, -knee, knee)


def _smooth_sign(k: Builder, r: Expr, knee: Expr) -> Expr:
    return r / ops.sqrt(1.0 + square(k, r / knee))


def _biweight_slope(k: Builder, r: Expr, knee: Expr) -> Expr:
    share = k.let("share", 1.0 - square(k, r / knee))
    return either(k, "gradient", ops.abs(r) < knee, r * share * share, 0.0)


GRADIENTS: tuple[tuple[str, str, tuple[str, ...], ResidualCurve], ...] = (
    ("huber_gradient", "Gradient of the Huber loss. It is the residual, clamped to the knee", (), _clipped),
    (
        "pseudo_huber_gradient",
        "Gradient of the pseudo-Huber loss. It is r / sqrt(1 + (r / knee)^2) for the residual r",
        (),
        _smooth_sign,
    ),
    (
        "tukey_gradient",
        "Gradient of Tukey's biweight loss. It is zero beyond the knee",
        _BRANCH,
        _biweight_slope,
    ),
    (
        "log_cosh_gradient",
        "Gradient of the log-cosh loss. It is tanh(r / knee) for the residual r, for knee times the loss",
        (),
        lambda k, r, c: ops.tanh(r / c),
    ),
    (
        "cauchy_gradient",
        "Gradient of the Cauchy loss. It is r / (1 + (r / knee)^2) for the residual r",
        (),
        lambda k, r, c: r / (1.0 + square(k, r / c)),
    ),
    (
        "welsch_gradient",
        "Gradient of the Welsch loss. It is r exp(-(r / knee)^2) for the residual r",
        (),
        lambda k, r, c: r * ops.exp(-square(k, r / c)),
    ),
)


def _residual_gradient(name: str, what: str, teaches: tuple[str, ...], curve: ResidualCurve) -> None:
    @sample.formula(
        name=name,
        doc=f"{what}.",
        source="Huber and Ronchetti 2009",
        teaches=teaches,
    )
    def residual_gradient(k: Builder, residual: Residual, knee: Knee) -> LossGradient:
        return bounded(curve(k, residual, knee), -2e4, 2e4)


for _each in GRADIENTS:
    _residual_gradient(*_each)


@sample.formula()
def cross_entropy_gradient(k: Builder, probability: Probability, label: Label) -> LossGradient:
    """Gradient of the binary cross-entropy with respect to the logit. It is the probability minus the
    label.
    """
    return probability - label


@sample.formula(teaches=("branch",))
def hinge_gradient(k: Builder, margin: Margin, label: Label) -> LossGradient:
    """Gradient of the hinge loss. It is 1 - 2 label for margins below 1, and 0 for others."""
    return either(k, "loss_gradient", margin < 1.0, 1.0 - 2.0 * label, 0.0)


@sample.formula(teaches=("branches",))
def quantile_gradient(
    k: Builder, residual: Residual, quantile: Quantile, dead_zone: Annotated[Expr, Setting(0.02, 0.2)]
) -> LossGradient:
    """Gradient of the pinball loss. It is zero for residuals within the dead zone."""
    below, above = (residual < -dead_zone, -quantile), (residual > dead_zone, 1.0 - quantile)
    return cases(k, "loss_gradient", below, above, rest=0.0)
