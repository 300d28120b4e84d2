"""Training: optimisers of weights, and schedules of learning rates."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.cases import cases, either
from weft.kernels.constants import PI
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr

# Weights.

weight = Domain("weight", index=("i", "idx", "w"), half=True, things=False)

value = Quantity("weight", -1.0, 1.0)
raw_gradient = Quantity("raw_gradient", -2.0, 2.0)
gradient = Quantity("gradient", -1.0, 1.0, least=-20.0, most=20.0)
velocity = Quantity("velocity", -1.0, 1.0)
first_moment = Quantity("first_moment", -1.0, 1.0)
second_moment = Quantity("second_moment", 0.01, 1.0, least=0.0)
accumulator = Quantity("accumulator", 0.01, 2.0, least=0.0)
shadow_weight = Quantity("shadow_weight", -1.0, 1.0)
new_velocity = Quantity("new_velocity", -1.0, 1.0, plural="new_velocities", updates=velocity, computed=True)
new_first_moment = Quantity(
    "new_first_moment", -1.0, 1.0, least=-40.0, most=40.0, updates=first_moment, computed=True
)
new_second_moment = Quantity("new_second_moment", 0.01, 1.0, least=0.0, updates=second_moment, computed=True)
new_accumulator = Quantity("new_accumulator", 0.01, 2.0, least=0.0, updates=accumulator, computed=True)
update = Quantity("update", -2.0, 2.0)
new_weight = Quantity("new_weight", -1.0, 1.0, updates=value)
new_shadow_weight = Quantity("new_shadow_weight", -1.0, 1.0, updates=shadow_weight)

Weight = Annotated[Expr, value]
RawGradient = Annotated[Expr, raw_gradient]
Gradient = Annotated[Expr, gradient]
Velocity = Annotated[Expr, velocity]
FirstMoment = Annotated[Expr, first_moment]
SecondMoment = Annotated[Expr, second_moment]
Accumulator = Annotated[Expr, accumulator]
NewVelocity = Annotated[Expr, new_velocity]
NewFirstMoment = Annotated[Expr, new_first_moment]
NewSecondMoment = Annotated[Expr, new_second_moment]
NewAccumulator = Annotated[Expr, new_accumulator]
Update = Annotated[Expr, update]
NewWeight = Annotated[Expr, new_weight]
Rate = Annotated[Expr, Setting(0.001, 0.1, "p")]
Beta1 = Annotated[Expr, Setting(0.8, 0.95)]
Beta2 = Annotated[Expr, Setting(0.95, 0.999)]
Decay = Annotated[Expr, Setting(0.001, 0.1)]
Epsilon = Annotated[Expr, Setting(1e-6, 1e-4)]
Limit = Annotated[Expr, Setting(0.3, 1.0)]


@weight.formula(source="Pascanu, Mikolov and Bengio 2013", teaches=("branch",))
def norm_clipped_gradient(
    k: Builder,
    raw_gradient: RawGradient,
    gradient_norm: Annotated[Expr, Setting(1.2, 5.0, "p")],
    max_norm: Annotated[Expr, Setting(1.0, 2.0)],
) -> Gradient:
    """Clip the gradient by global norm. It is scaled down where the norm exceeds the limit."""
    scaled = raw_gradient * (max_norm / gradient_norm)
    return either(k, "gradient", gradient_norm > max_norm, scaled, raw_gradient)


@weight.formula(source="Polyak 1964")
def heavy_ball_velocity(k: Builder, velocity: Velocity, gradient: Gradient, momentum: Beta1) -> NewVelocity:
    """Heavy-ball velocity. The new velocity is momentum times the old one, plus the gradient."""
    return momentum * velocity + gradient


@weight.formula(source="Kingma and Ba 2015", goal=False)
def adam_first_moment(
    k: Builder, first_moment: FirstMoment, gradient: Gradient, beta1: Beta1
) -> NewFirstMoment:
    """Adam first moment."""
    return beta1 * first_moment + (1.0 - beta1) * gradient


@weight.formula(source="Kingma and Ba 2015", goal=False)
def adam_second_moment(
    k: Builder, second_moment: SecondMoment, gradient: Gradient, beta2: Beta2
) -> NewSecondMoment:
    """Adam second moment."""
    return bounded(beta2 * second_moment + (1.0 - beta2) * gradient * gradient, 0.0, 400.0)


@weight.formula(source="Duchi, Hazan and Singer 2011", goal=False, law="adagrad")
def adagrad_accumulator(k: Builder, accumulator: Accumulator, gradient: Gradient) -> NewAccumulator:
    """AdaGrad accumulator."""
    return bounded(accumulator + gradient * gradient, 0.0, 402.0)


@weight.formula(source="Hinton 2012", goal=False, law="rmsprop")
def rmsprop_accumulator(
    k: Builder, accumulator: Accumulator, gradient: Gradient, smoothing: Beta1
) -> NewAccumulator:
    """RMSProp accumulator."""
    return bounded(smoothing * accumulator + (1.0 - smoothing) * gradient * gradient, 0.0, 402.0)


@weight.formula(source="Kingma and Ba 2015")
def adam_update(
    k: Builder,
    new_first_moment: NewFirstMoment,
    new_second_moment: NewSecondMoment,
    correction1: Annotated[Expr, Setting(0.3, 1.0, "p")],
    correction2: Annotated[Expr, Setting(0.1, 1.0, "p")],
    epsilon: Epsilon,
) -> Update:
    """Bias-corrected Adam update. The update is not yet scaled by the learning rate. The corrections are
    1 - beta1^t and 1 - beta2^t in step t.
    """
    mean = k.let("mean", new_first_moment / correction1)
    scale = k.let("scale", ops.sqrt(new_second_moment / correction2) + epsilon)
    return bounded(mean / scale, -1e5, 1e5)


def accumulated_update(
    k: Builder, gradient: Gradient, new_accumulator: NewAccumulator, epsilon: Epsilon
) -> Update:
    """The gradient over the root of its accumulated squares."""
    return bounded(gradient / (ops.sqrt(new_accumulator) + epsilon), -1e5, 1e5)


@weight.formula(source="Duchi, Hazan and Singer 2011", law="adagrad")
def adagrad_update(
    k: Builder, gradient: Gradient, new_accumulator: NewAccumulator, epsilon: Epsilon
) -> Update:
    """AdaGrad update. The gradient is divided by the root of the sum of its squares so far, and is not yet
    scaled by the learning rate.
    """
    return accumulated_update(k, gradient, new_accumulator, epsilon)


@weight.formula(source="Hinton 2012", law="rmsprop")
def rmsprop_update(
    k: Builder, gradient: Gradient, new_accumulator: NewAccumulator, epsilon: Epsilon
) -> Update:
    """RMSProp update. The gradient is divided by the root of the moving average of its squares, and is not
    yet scaled by the learning rate.
    """
    return accumulated_update(k, gradient, new_accumulator, epsilon)


@weight.formula(source="Nesterov 1983")
def nesterov_update(k: Builder, gradient: Gradient, new_velocity: NewVelocity, momentum: Beta1) -> Update:
    """Nesterov update. It is the gradient plus momentum times the new velocity, and no learning rate is
    applied yet.
    """
    return gradient + momentum * new_velocity


@weight.formula(source="Chen et al. 2023", teaches=("branches",), undoes=("norm_clipped_gradient",))
def lion_update(k: Builder, first_moment: FirstMoment, gradient: Gradient, beta1: Beta1) -> Update:
    """Lion update. Only the sign of the mixed gradient counts."""
    mixed = k.let("mixed", beta1 * first_moment + (1.0 - beta1) * gradient)
    return cases(k, "update", (mixed > 0.0, 1.0), (mixed < 0.0, -1.0), rest=0.0)


@weight.formula(source="Robbins and Monro 1951", goal=False)
def descent_step(k: Builder, weight: Weight, gradient: Gradient, learning_rate: Rate) -> NewWeight:
    """Gradient descent step."""
    return weight - learning_rate * gradient


@weight.formula(source="Polyak 1964")
def momentum_step(k: Builder, weight: Weight, new_velocity: NewVelocity, learning_rate: Rate) -> NewWeight:
    """SGD step with momentum. The weight moves against the velocity."""
    return weight - learning_rate * new_velocity


@weight.formula()
def optimizer_step(k: Builder, weight: Weight, update: Update, learning_rate: Rate) -> NewWeight:
    """Gradient descent step. The weight moves against the update."""
    return bounded(weight - learning_rate * update, -1e4, 1e4)


@weight.formula(source="Loshchilov and Hutter 2019")
def decoupled_decay_step(
    k: Builder, weight: Weight, update: Update, learning_rate: Rate, weight_decay: Decay
) -> NewWeight:
    """Weight step with decoupled decay. Weights decay apart from the gradient, as in AdamW."""
    return bounded(weight - learning_rate * (update + weight_decay * weight), -1e4, 1e4)


@weight.formula(source="Daubechies, Defrise and De Mol 2004", teaches=("branches",))
def proximal_step(
    k: Builder, weight: Weight, gradient: Gradient, learning_rate: Rate, sparsity: Limit
) -> NewWeight:
    """ISTA proximal step. It shrinks weights towards zero, which makes them sparse."""
    moved = k.let("stepped", weight - learning_rate * gradient)
    threshold = k.let("threshold", learning_rate * sparsity)
    above, below = (moved > threshold, moved - threshold), (moved < -threshold, moved + threshold)
    return cases(k, "new_weight", above, below, rest=0.0)


@weight.formula(source="Polyak and Juditsky 1992")
def shadow_average(
    k: Builder, shadow_weight: Annotated[Expr, shadow_weight], new_weight: NewWeight, beta2: Beta2
) -> Annotated[Expr, new_shadow_weight]:
    """Update the exponential moving average of the weights. The old average keeps the share beta2."""
    return beta2 * shadow_weight + (1.0 - beta2) * new_weight


# Steps of a schedule.

step = Domain("step", index=("i", "step"), things=False)

iteration = Quantity("iteration", 0, 999, whole)
progress = Quantity("progress", 0.0, 1.0, plural="progress_values")
learning_rate = Quantity("learning_rate", 0.0, 0.5, least=0.0, most=10.0)
momentum = Quantity("momentum", 0.8, 0.95, plural="momenta", least=0.0, most=1.0)

Iteration = Annotated[Expr, iteration]
Progress = Annotated[Expr, progress]
LearningRate = Annotated[Expr, learning_rate]
BaseRate = Annotated[Expr, Setting(0.1, 0.5)]
LastRate = Annotated[Expr, Setting(0.001, 0.01)]
WarmupShare = Annotated[Expr, Setting(0.05, 0.3)]
Total = Annotated[Expr, Setting(1000, 1050, kind=whole)]


@step.formula(goal=False)
def schedule_progress(k: Builder, iteration: Iteration, total_steps: Total) -> Progress:
    """Progress through the schedule."""
    return bounded(convert(k.real, iteration) / convert(k.real, total_steps), 0.0, 1.0)


@step.formula(source="Loshchilov and Hutter 2017")
def cycle_progress(
    k: Builder, iteration: Iteration, cycle_length: Annotated[Expr, Setting(50, 200, kind=whole)]
) -> Progress:
    """Progress within a learning-rate cycle. Progress grows from 0 to 1 in each cycle."""
    place = k.let("cycle_step", iteration % cycle_length)
    return bounded(convert(k.real, place) / convert(k.real, cycle_length), 0.0, 1.0)


@step.formula(source="Loshchilov and Hutter 2017")
def cosine_rate(k: Builder, progress: Progress, base_rate: BaseRate, last_rate: LastRate) -> LearningRate:
    """Learning rate by cosine annealing. It falls from the base rate to the last along half a cosine, as the
    progress goes from 0 to 1.
    """
    fade = k.let("fade", 0.5 * (1.0 + ops.cos(PI * progress)))
    return bounded(last_rate + (base_rate - last_rate) * fade, 0.0, 1.0)


@step.formula(source="torch.optim.lr_scheduler")
def exponential_rate(
    k: Builder, progress: Progress, base_rate: BaseRate, decay_constant: Annotated[Expr, Setting(1.0, 5.0)]
) -> LearningRate:
    """Exponential learning-rate schedule. It is the base rate times exp(-decay constant times progress)."""
    return base_rate * ops.exp(-decay_constant * progress)


@step.formula(source="Goyal et al. 2017", teaches=("branch",))
def warmup_rate(
    k: Builder, progress: Progress, base_rate: BaseRate, last_rate: LastRate, warmup_share: WarmupShare
) -> LearningRate:
    """Schedule of linear warmup and decay. The rate rises to the base rate, then falls in a straight line to
    the last.
    """
    rising = base_rate * progress / warmup_share
    falling = base_rate + (last_rate - base_rate) * (progress - warmup_share) / (1.0 - warmup_share)
    return bounded(either(k, "learning_rate", progress < warmup_share, rising, falling), 0.0, 1.0)


@step.formula(source="He et al. 2016", teaches=("branches",))
def step_decay_rate(
    k: Builder,
    progress: Progress,
    base_rate: BaseRate,
    first_milestone: Annotated[Expr, Setting(0.3, 0.5, "p")],
    second_milestone: Annotated[Expr, Setting(0.6, 0.8, "p")],
    decay_factor: Annotated[Expr, Setting(0.1, 0.5)],
) -> LearningRate:
    """Step learning-rate schedule. The rate is multiplied by the decay factor at each of two milestones."""
    first = (progress < first_milestone, base_rate)
    second = (progress < second_milestone, decay_factor * base_rate)
    return cases(k, "learning_rate", first, second, rest=decay_factor * decay_factor * base_rate)


@step.formula(source="Smith 2018", teaches=("branches",))
def one_cycle_rate(
    k: Builder,
    progress: Progress,
    base_rate: BaseRate,
    last_rate: LastRate,
    peak_share: Annotated[Expr, Setting(0.2, 0.4)],
) -> LearningRate:
    """One-cycle learning-rate schedule. It rises and falls along half cosines, and keeps the last rate in the
    last tenth.
    """
    rising = 0.5 * (1.0 - ops.cos(PI * progress / peak_share))
    falling = 0.5 * (1.0 + ops.cos(PI * (progress - peak_share) / (0.9 - peak_share)))
    fade = cases(k, "fade", (progress < peak_share, rising), (progress < 0.9, falling), rest=0.0)
    return bounded(last_rate + (base_rate - last_rate) * fade, 0.0, 1.0)
