"""Kernels that compute values and gradients: fits, networks, energies and forces, smoothing, projections."""

from __future__ import annotations

import re
from collections.abc import Sequence

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.domains.along import extent, slots
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.grids import threads
from weft.kernels.idioms.custom_gradient.laws import (
    ACTIVATIONS,
    BARRIERS,
    LOSSES,
    POTENTIALS,
    SIGNALS,
    TRENDS,
    Law,
)
from weft.kernels.program import Expr
from weft.kernels.types import F32, I32
from weft.kernels.words import enumerated, plural
from weft.types import Vector

OUTPUTS = {
    "logistic": "a logistic output",
    "hyperbolic_tangent": "an output between -1 and 1",
    "softplus": "a positive output by softplus",
}
"""What bounds the output of a network or a prediction, by the names of activations."""


FORCE_FIELDS = (
    ("lennard_jones",), ("morse",), ("yukawa",), ("gaussian_core",),
    ("lennard_jones", "yukawa"), ("lennard_jones", "soft_coulomb"), ("lennard_jones", "fene"),
    ("lennard_jones", "spring"), ("buckingham", "soft_coulomb"), ("buckingham", "yukawa"),
    ("morse", "soft_coulomb"), ("morse", "yukawa"), ("gaussian_core", "fene"), ("gaussian_core", "spring"),
    ("spring", "soft_coulomb"), ("gaussian_core", "yukawa"), ("lennard_jones", "fene", "soft_coulomb"),
    ("lennard_jones", "fene", "yukawa"), ("lennard_jones", "spring", "soft_coulomb"),
    ("lennard_jones", "spring", "yukawa"), ("gaussian_core", "fene", "yukawa"),
)  # fmt: skip
"""Potentials that go together: repulsion at short range, charges, and bonds."""


class Parameters:
    """Numbers of each element that a gradient is taken for; it is stored, or a step against it is taken."""

    def __init__(self, k: Builder, limits: dict[str, tuple[float, float]], steps: bool | None = None) -> None:
        self.k, self.names = k, list(limits)
        self.steps = k.rng.chance(0.4) if steps is None else steps
        role = "inout" if self.steps else "in"
        self.arrays = [
            k.array(plural(name), k.real, k.shape, uniform(*bounds), role) for name, bounds in limits.items()
        ]
        self.values = [k.let(name, one[k.target]) for name, one in zip(limits, self.arrays, strict=True)]

    def finish(self, gradients: Sequence[Expr]) -> str:
        """Store the gradients or the parameters after a step; gives what a sentence says of it."""
        k, told = self.k, enumerated(word.replace("_", " ") for word in self.names)
        if self.steps:
            rate = k.scalar("learning_rate", k.real, uniform(0.001, 0.1))
            for array, value, gradient in zip(self.arrays, self.values, gradients, strict=True):
                k.store(array, k.target, value - rate * gradient)
            return f"take a gradient step on {told}"
        for name, gradient in zip(self.names, gradients, strict=True):
            k.store(k.array(f"{name}_gradients", k.real, k.shape, None, "out"), k.target, gradient)
        return f"store the gradient with respect to {told}"


def kept(k: Builder, name: str, value: Expr, words: str) -> str:
    """Store a value for each element, or add it to a total; gives how the sentence begins."""
    if k.rng.chance(0.5):
        k.store(k.array(plural(name), value.type, k.shape, None, "out"), k.target, value)
        return f"compute {words}"
    k.equality = "bounded"
    k.atomic("add", k.array(f"total_{name}", value.type, ["1"], {"constant": 0.0}, "inout"), 0, value)
    return f"add {words} to `total_{name}`"


def weighed(k: Builder, value: Expr, slope: Expr) -> tuple[Expr, Expr, str]:
    """A loss and its slope, times a weight perhaps, and the word that a sentence has for that."""
    if k.rng.chance(0.6):
        return value, slope, ""
    weight = k.let("weight", k.array("sample_weights", k.real, k.shape, uniform(0.2, 1.0))[k.index])
    return weight * value, weight * slope, " with its weight"


def tell(k: Builder, sentence: str) -> None:
    """Write the docstring."""
    k.doc = " ".join(f"{one[0].upper()}{one[1:]}." for one in (sentence, *k.notes))


def fit_curve(k: Builder) -> None:
    """A curve, or the sum of two, is fitted to the samples of each series."""
    k.real = F32
    trend, signal = k.rng.pick(*TRENDS), k.rng.pick(*SIGNALS)
    models = k.rng.pick([trend], [signal], *[[trend, signal]] * 4)
    law = LOSSES.pick(k)
    (i,) = threads(k, 1, name=k.rng.pick("i", "series"))
    k.sizes["samples"] = str(k.rng.pick(8, 12, 16, 24, 32))
    times = k.array("times", k.real, ["samples"], uniform(0.0, 2.0))
    k.once("elements last", lambda: True)
    observations = slots(k, "observations", k.real, "samples", uniform(0.0, 2.0))
    weights = slots(k, "weights", k.real, "samples", uniform(0.2, 1.0)) if k.rng.chance(0.45) else None
    k.notes.append(f"`{observations.at('j')}` is sample j of series i")
    curves = [one.functions(k) for one in models]
    loss, loss_slope = LOSSES.functions(k, law)
    found = Parameters(k, {name: at for one in models for name, at in list(one.limits.items())[1:]})
    pairs = [found.values[at : at + 2] for at in range(0, len(found.values), 2)]
    total = k.var("loss", 0.0)
    sums = [k.var(f"{name}_gradient", 0.0) for name in found.names]
    with k.loop("j", 0, extent(k, "samples")) as j:
        t = k.let("t", times[j])
        fitted = curves[0][0](t, *pairs[0])
        if len(curves) > 1:
            fitted = k.let("fitted", fitted + curves[1][0](t, *pairs[1]))
        residual = k.let("residual", fitted - observations[i, j])
        term, slope = loss(residual), loss_slope(residual)
        if weights is not None:
            weight = k.let("weight", weights[i, j])
            term, slope = weight * term, weight * slope
        k.add(total, term)
        slope = k.let("slope", slope)
        for number, (one, (_, slopes)) in enumerate(zip(models, curves, strict=True)):
            parts = k.let(f"{one.name}_partials", slopes(t, *pairs[number]))
            k.add(sums[2 * number], slope * parts[1])
            k.add(sums[2 * number + 1], slope * parts[2])
    if k.rng.chance(0.4):
        barrier = BARRIERS.pick(k)
        hold, push = BARRIERS.functions(k, barrier)
        k.add(total, hold(found.values[1]))
        k.add(sums[1], push(found.values[1]))
        k.notes.append(f"The {found.names[1].replace('_', ' ')} is kept positive by {barrier.words}")
    k.name = "fit_" + "_and_".join(one.name for one in models)
    k.other_names = [f"{law.name}_{k.name}", f"{k.name}_by_{law.name}"]
    told = found.finish(sums)
    weighted = " with their weights" if weights is not None else ""
    what = kept(k, "loss", total, f"{law.words} of all residuals{weighted}")
    fitted_words = " and ".join(one.words for one in models)
    sum_of = "the sum of " if len(models) > 1 else ""
    verb = "Fit" if found.steps else "Evaluate the fit of"
    tell(k, f"{verb} {sum_of}{fitted_words} to each series: {what}, and {told}")


def _links() -> list[Law]:
    return [one for one in ACTIVATIONS.laws if one.name in OUTPUTS]


def train_network(k: Builder) -> None:
    """A network with perhaps a hidden layer is trained on the rows of a table."""
    k.real = F32
    hidden = k.rng.chance(0.85)
    linear = hidden and k.rng.chance(0.6)
    link, bend = k.rng.pick(*_links()), ACTIVATIONS.pick(k)
    law = LOSSES.pick(k)
    loss, slope = LOSSES.functions(k, law)
    if not linear:
        act, act_slope = ACTIVATIONS.functions(k, link)
    if hidden:
        inner, inner_slope = (
            (act, act_slope) if link is bend and not linear else ACTIVATIONS.functions(k, bend)
        )
    # Gradients are sums over the batch that partly cancel: in one of thousands they are still exact enough.
    k.sizes["batch"] = "(n + 7) // 8"
    k.threads(["batch"], [k.rng.pick("i", "sample")])
    (i,) = k.index
    k.sizes["features"], k.sizes["units"] = str(k.rng.pick(4, 8, 16)), str(k.rng.pick(3, 6, 8))
    rows = "units" if hidden else "features"
    features = k.array("features", k.real, ["batch", "features"], uniform(-1.0, 1.0))
    weights = k.array("weights", k.real, [rows], uniform(-0.8, 0.8))
    matrix = k.array("hidden_weights", k.real, ["units", "features"], uniform(-0.8, 0.8)) if hidden else None

    def fed(u: Expr, name: str) -> Expr:
        """What the unit is fed with: a feature, or a sum of all features."""
        if matrix is None:
            return features[i, u]
        total = k.var(name, 0.0)
        with k.loop("j", 0, extent(k, "features")) as j:
            k.add(total, matrix[u, j] * features[i, j])
        return bounded(total, -20.0, 20.0)

    score = k.var("score", k.scalar("bias", k.real, uniform(-0.5, 0.5)))
    with k.loop("u" if hidden else "j", 0, extent(k, rows)) as u:
        k.add(score, weights[u] * (inner(fed(u, "net_input")) if hidden else fed(u, "")))
    bounded(score, -20.0, 20.0)
    targets = k.array("targets", k.real, ["batch"], uniform(-1.0, 1.0))
    residual = k.let("residual", (score if linear else act(score)) - targets[i])
    change = slope(residual) if linear else slope(residual) * act_slope(score)
    value, delta, weighted = weighed(k, loss(residual), change)
    value, delta = k.let("loss", value), k.let("delta", delta)
    words = f"{law.words} of each error{weighted}"
    k.name = f"{bend.name}_network" if hidden else f"{link.name}_neuron"
    k.other_names = [f"train_{k.name}", f"{k.name}_backward", f"{k.name}_{law.name}"]
    what = kept(k, "loss", value, words)
    k.equality, zeros = "bounded", {"constant": 0.0}
    gradients = k.array("weight_gradients", k.real, [rows], zeros, "inout")
    through = k.array("hidden_gradients", k.real, ["units", "features"], zeros, "inout") if hidden else None
    with k.loop("u" if hidden else "j", 0, extent(k, rows)) as u:
        x = fed(u, "hidden_input")
        k.atomic("add", gradients, u, delta * (inner(x) if hidden else x))
        if through is not None:
            pull = k.let("pull", delta * weights[u] * inner_slope(x))
            with k.loop("j", 0, extent(k, "features")) as j:
                k.atomic("add", through, (u, j), pull * features[i, j])
    output = "a linear output" if linear else OUTPUTS[link.name]
    network = (
        f"a network with {bend.words} in the hidden layer and {output}"
        if hidden
        else f"a neuron with {output}"
    )
    tell(k, f"backpropagate through {network}: {what}, and add up the gradient with respect to the weights")


def pair_forces(k: Builder) -> None:
    """Energies of particles and their neighbours, and the forces."""
    k.real = F32
    names = k.rng.pick(*FORCE_FIELDS)
    laws = [one for one in POTENTIALS.laws if one.name in names]
    calls = [POTENTIALS.functions(k, one) for one in laws]
    (i,) = threads(k, 1, name=k.rng.pick("i", "particle", "p"))
    space = Vector(k.rng.pick(2, 3, 3), k.real)
    k.sizes["neighbors"] = str(k.rng.pick(6, 8, 12, 16))
    moves = k.rng.chance(0.4)
    positions = k.array("positions", space, ["n"], uniform(-2.0, 2.0))
    neighbors = slots(k, "neighbors", I32, "neighbors", {"integers": [0, "n"]})
    charged = laws[0].name in ("yukawa", "soft_coulomb", "gaussian_core") and k.rng.chance(0.7)
    charges = k.array("charges", k.real, ["n"], uniform(0.5, 1.5)) if charged else None
    nearest = k.constant("min_distance", k.real, 0.6)
    position = k.let("position", positions[i])
    energy = k.var("energy", 0.0)
    force = k.var("force", construct(space, *[0.0] * space.length), type=space)
    with k.loop("slot", 0, extent(k, "neighbors")) as slot:
        j = k.let("j", neighbors[i, slot])
        offset = k.let("offset", position - positions[j])
        r = k.let("r", bounded(ops.max(ops.length(offset), nearest), 0.6, 8.0))
        value, slope = calls[0][0](r), calls[0][1](r)
        if charges is not None:
            charge = k.let("charge", charges[i] * charges[j])
            value, slope = charge * value, charge * slope
        for more, further in calls[1:]:
            value, slope = value + more(r), slope + further(r)
        k.add(energy, 0.5 * value)
        k.add(force, slope / r * offset, "-")
    told = enumerated(one.words for one in laws)
    if k.rng.chance(0.5):
        barrier = BARRIERS.pick(k)
        hold, push = BARRIERS.functions(k, barrier)
        ground = k.scalar("ground", k.real, uniform(-2.6, -2.1))
        height = k.let("height", position[space.length - 1] - ground)
        k.add(energy, hold(height))
        up = construct(space, *[0.0] * (space.length - 1), push(height))
        k.add(force, up, "-")
        k.notes.append(f"The ground repels by {barrier.words}")
    k.notes.append("Each particle gets half the energy of its pairs")
    k.notes.append("Below the minimum distance, the energy of a pair is constant and its force shrinks")
    k.name = "_".join(one.name for one in laws) + "_forces"
    k.other_names = [k.name.replace("_forces", "_relaxation"), k.name.replace("_forces", "_energy_and_force")]
    what = kept(k, "energy", energy, f"the energy of each particle with its neighbors under {told}")
    if moves:
        step = k.scalar("step_size", k.real, uniform(0.001, 0.05))
        k.store(k.array("new_positions", space, ["n"], None, "out"), i, position + step * force)
        end = "move each particle along its force"
    else:
        k.store(k.array("forces", space, ["n"], None, "out"), i, force)
        end = "store the force on each particle"
    tell(k, f"{what}, and {end}")


def denoise(k: Builder) -> None:
    """A signal or an image is smoothed by a step against the gradient of an energy."""
    k.real = F32
    smooth, data = k.rng.shuffled(LOSSES.laws[:-1])[:2]
    data_loss, data_slope = LOSSES.functions(k, data)
    smooth_loss, smooth_slope = LOSSES.functions(k, smooth)
    rank = k.rng.pick(1, 2, 2)
    index = threads(k, rank)
    noisy = k.array("noisy_values", k.real, k.shape, uniform(0.0, 1.0))
    values = k.array("values", k.real, k.shape, uniform(-0.5, 1.5))
    strength = k.scalar("smoothness", k.real, uniform(0.1, 2.0))
    value = k.let("value", values[index])
    residual = k.let("residual", value - noisy[index])
    energy, gradient = k.var("energy", data_loss(residual)), k.var("gradient", data_slope(residual))
    words = f"{data.words} of each {'sample' if rank == 1 else 'pixel'}"
    if k.rng.chance(0.6):
        previous = k.array("previous_values", k.real, k.shape, uniform(-0.5, 1.5))
        steadiness = k.scalar("steadiness", k.real, uniform(0.1, 1.0))
        change = k.let("change", value - previous[index])
        k.add(energy, steadiness * data_loss(change))
        k.add(gradient, steadiness * data_slope(change))
        words += " and of the change since the previous frame,"
    words += f" and {smooth.words} of the differences from the neighbors"
    names = (("left", "right"), ("up", "down"))
    for axis in range(rank):
        last = k.extent(axis) - 1
        for name, place in zip(
            names[0 if axis == rank - 1 else 1],
            (ops.max(index[axis] - 1, 0), ops.min(index[axis] + 1, last)),
            strict=True,
        ):
            at = tuple(place if number == axis else one for number, one in enumerate(index))
            gap = k.let(f"{name}_gap", value - values[at])
            k.add(energy, strength * smooth_loss(gap))
            k.add(gradient, strength * smooth_slope(gap))
    k.name = f"{data.name}_{smooth.name}_" + ("smoothing" if rank == 1 else "denoising")
    k.other_names = [
        f"denoise_by_{smooth.name}_and_{data.name}",
        f"{smooth.name}_regularization_by_{data.name}",
    ]
    what = kept(k, "energy", energy, words)
    if k.rng.chance(0.5):
        rate = k.scalar("step_size", k.real, uniform(0.01, 0.2))
        k.store(k.array("new_values", k.real, k.shape, None, "out"), k.target, value - rate * gradient)
        end = "take a gradient step"
    else:
        k.store(k.array("gradients", k.real, k.shape, None, "out"), k.target, gradient)
        end = "store the gradient"
    tell(k, f"{what}, and {end}")


def activate(k: Builder) -> None:
    """An activation of a layer, and what flows back through it."""
    k.real = F32
    law = ACTIVATIONS.pick(k)
    act, slope = ACTIVATIONS.functions(k, law)
    threads(k, k.rng.pick(1, 2))
    place = k.index
    x: Expr = k.array("inputs", k.real, k.shape, uniform(-4.0, 4.0))[place]
    if len(place) == 2 and k.rng.chance(0.5):
        x = x + k.array("biases", k.real, [k.shape[1]], uniform(-1.0, 1.0))[place[1]]
    x = k.let("value", x)
    upstream = k.let("upstream", k.array("upstream_gradients", k.real, k.shape, uniform(-1.0, 1.0))[place])
    gated = k.rng.chance(0.6)
    out: dict[str, Expr] = {"outputs": act(x)}
    gradient = upstream * slope(x)
    words = f"{law.words} of each input"
    if gated:
        raw = k.let("raw_gate", k.array("raw_gates", k.real, k.shape, uniform(-4.0, 4.0))[place])
        gate = k.let("gate", act(raw))
        out = {"outputs": gate * x, "gate_gradients": upstream * x * slope(raw)}
        gradient, words = gate * upstream, f"each input times {law.words} of a gate"
    gradient = k.let("gradient", gradient)
    for name, value in (out | {"input_gradients": gradient}).items():
        k.store(k.array(name, k.real, k.shape, None, "out"), k.target, value)
    biases = len(place) == 2 and k.rng.chance(0.5)
    if biases:
        k.equality = "bounded"
        totals = k.array("bias_gradients", k.real, [k.shape[1]], {"constant": 0.0}, "inout")
        k.atomic("add", totals, place[1], gradient)
        k.notes.append("The gradient of each column's bias is added up")
    k.name = f"{law.name}_gated_unit" if gated else f"{law.name}_layer"
    k.other_names = [f"{k.name}_backward", f"{k.name}_and_gradient"]
    gates = "inputs and gates" if gated else "inputs"
    tell(k, f"compute {words}, and the gradient of the loss with respect to {gates}")


def reproject(k: Builder) -> None:
    """The error of a point in a camera's image, and its gradient."""
    k.real = F32
    law = LOSSES.pick(k)
    loss, loss_slope = LOSSES.functions(k, law)
    (i,) = threads(k, 1, name=k.rng.pick("i", "idx"))
    steps = k.rng.chance(0.5)
    space, plane = Vector(3, k.real), Vector(2, k.real)
    points = k.array("points", space, ["n"], uniform(1.0, 2.0), "inout" if steps else "in")
    seen = k.array("observed_pixels", plane, ["n"], uniform(-1.0, 1.0))
    focal = k.scalar("focal_length", k.real, uniform(0.8, 1.5))
    point = k.let("point", points[i])
    nearness = k.let("nearness", 1.0 / point[2])
    spot = k.let("spot", construct(plane, nearness * point[0], nearness * point[1]))
    bend = k.scalar("distortion", k.real, uniform(-0.2, 0.2)) if k.rng.chance(0.5) else None
    factor = focal if bend is None else focal * k.let("factor", 1.0 + bend * ops.dot(spot, spot))
    miss = k.let("miss", factor * spot - seen[i])
    size = k.let("residual", ops.sqrt(bounded(ops.dot(miss, miss), 0.0, 900.0) + k.rng.number(0.01, 0.1)))
    value, pull = loss(size), loss_slope(size) / size * miss
    if k.rng.chance(0.4):
        confidence = k.let("confidence", k.array("confidences", k.real, ["n"], uniform(0.2, 1.0))[i])
        value, pull = confidence * value, confidence * pull
    value, pull = k.let("loss", value), k.let("pull", pull)
    back = factor * pull if bend is None else factor * pull + 2.0 * focal * bend * ops.dot(pull, spot) * spot
    back = k.let("back", back)
    gradient = construct(space, nearness * back[0], nearness * back[1], -nearness * ops.dot(back, spot))
    words = f"{law.words} of each point's reprojection error"
    if k.rng.chance(0.75):
        away = k.let("away", point - k.array("prior_points", space, ["n"], uniform(1.0, 2.0))[i])
        shift = k.let("shift", ops.sqrt(bounded(ops.dot(away, away), 0.0, 3.0) + 0.01))
        value, gradient = value + loss(shift), gradient + loss_slope(shift) / shift * away
        words += " and of the distance from a prior"
    if steps:
        rate = k.scalar("step_size", k.real, uniform(0.01, 0.2))
        k.store(points, i, point - rate * k.let("gradient", gradient))
        end = "move the point a step against the gradient"
    else:
        k.store(k.array("point_gradients", space, ["n"], None, "out"), i, gradient)
        end = "store the gradient with respect to the point"
    k.name = f"{law.name}_reprojection"
    k.other_names = [f"reprojection_gradient_by_{law.name}", f"bundle_adjust_by_{law.name}"]
    what = kept(k, "loss", value, words)
    tell(k, f"{what}, and {end}")


def compare(k: Builder) -> None:
    """A loss of each prediction, and what it changes by with the prediction."""
    k.real = F32
    law = LOSSES.pick(k)
    loss, loss_slope = LOSSES.functions(k, law)
    threads(k, k.rng.pick(1, 2))
    link = k.rng.pick(*_links()) if k.rng.chance(0.7) else None
    prediction, target = (
        k.let(name, k.array(plural(name), k.real, k.shape, uniform(-2.0, 2.0))[k.index])
        for name in ("prediction", "target")
    )
    fitted: Expr = prediction
    factor, what = None, "residual"
    if link is not None:
        act, act_slope = ACTIVATIONS.functions(k, link)
        fitted, factor = act(prediction), act_slope(prediction)
        what = f"prediction, passed through {link.words},"
    residual = k.let("residual", fitted - target)
    value, slope, weighted = weighed(k, loss(residual), loss_slope(residual))
    words = re.sub("^the |'s ", r"\g<0>weighted ", law.words, count=1) if weighted else law.words
    what = kept(k, "loss", value, f"{words} of each {what}").removesuffix(",")
    gradient = slope if factor is None else slope * factor
    k.store(k.array("gradients", k.real, k.shape, None, "out"), k.target, gradient)
    k.name = f"{law.name}_loss" if link is None else f"{link.name}_{law.name}_loss"
    k.other_names = [f"{k.name}_and_gradient", f"{k.name}_backward"]
    tell(k, f"{what}, and store the gradient with respect to the prediction")
