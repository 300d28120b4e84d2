"""Layers, clusters and scores."""

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, convert, ops
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import (
    article,
    coefficient,
    curve,
    read,
    row,
    threads,
    uniform,
    whole,
)
from weft.types import Vector


def dense_layer(k: Builder) -> None:
    """A dense unit with an activation."""
    threads(k, 1, name=k.rng.pick("sample", "i"))
    width = k.rng.pick(4, 6, 8)
    x = row(k, k.rng.pick("features", "measurements"), "inputs", width, uniform(-1.0, 1.0))
    w = k.array("weights", k.real, ["inputs"], uniform(-1.0, 1.0))
    total = k.var(k.rng.pick("total", "logit"), read(k, "bias", -0.5, 0.5, array="biases", inline=True))
    squared = k.rng.chance(0.4)
    with k.loop("j", 0, width) as j:
        value = x(j) * x(j) if squared else x(j)
        if k.rng.chance(0.4):
            mask = k.array("kept", I32, ["inputs"], whole(0, 1))
            with k.when(mask[j].equals(0)):
                k.jump("continue")
            k.notes.append("Inputs whose kept is 0 are left out")
        k.add(total, value * w[j])
    leak = coefficient(k, "leak", 0.05, 0.3, kinds="lp")
    with k.when(total < 0.0):
        k.set(total, leak * total)
    unit = "a leaky rectifier"
    if k.rng.chance(0.5):
        shaped, word = curve(k, total)
        with k.otherwise():
            k.set(total, shaped)
        unit = f"{article(word)} above zero and a leak below"
    inputs = "squared inputs" if squared else "inputs"
    finish(k, "activation", total, f"Dense layer on the {inputs} of each sample, with {unit}")


def assign_cluster(k: Builder) -> None:
    """The best of a few centers by one of the usual measures, and what is kept of each center."""
    k.real = F32
    threads(k, 1, name="point")
    clusters = k.rng.pick(3, 4, 6)
    k.sizes["clusters"] = str(clusters)
    space = Vector(k.rng.pick(2, 3), F32)
    centers = k.array(k.rng.pick("centers", "centroids"), space, ["clusters"], uniform(-1.0, 1.0))
    point = read(k, "position", -1.0, 1.0, space)
    point = point if isinstance(point, Name) else k.let("point_position", point)
    best = k.var("best", 1000.0, bounds=(-1000.0, 1000.0))
    label = k.var("label", 0, type=I32, bounds=(0, clusters - 1))
    second = k.var("runner_up", 1000.0, bounds=(-1000.0, 1000.0)) if k.rng.chance(0.3) else None
    measure = k.rng.pick(
        "distance", "squared distance", "sum of gaps", "largest gap", "weighted distance", "angle"
    )
    with k.loop(k.rng.pick("c", "candidate"), 0, clusters) as c:
        if k.rng.chance(0.25):
            alive = k.array("alive", I32, ["clusters"], whole(0, 1))
            with k.when(alive[c].equals(0)):
                k.jump("continue")
            k.notes.append("Centers that are not alive are passed over")
        cost = k.let("cost", bounded(_cost(k, measure, point, centers[c], c), -900.0, 900.0))
        with k.when(cost < best):
            if second is not None:
                k.set(second, best)
            k.set(best, cost)
            k.set(label, c)
        if second is not None:
            with k.orwhen(cost < second):
                k.set(second, cost)
    _members(k, label, best, optional=second is None)
    doc = f"Nearest of {clusters} centers by the {measure}"
    if second is not None:
        finish(k, "margin", ops.min(second - best, 10.0), f"{doc}, and by how much it is ahead of the next")
    elif k.rng.chance(0.4):
        far = conditional(best < k.rng.number(0.1, 0.35), label, -1 - label)
        finish(k, "label", far, f"{doc}: its label, or -1 - label where that is far")
    else:
        k.store(k.array("labels", I32, ["n"], None, "out"), k.target, label)
        finish(k, "distance", ops.min(best, 10.0), doc)


def _cost(k: Builder, measure: str, point: Expr, center: Expr, c: Expr) -> Expr:
    """How far a point is from a center."""
    assert isinstance(point.type, Vector)
    if measure == "angle":
        return 1.0 - ops.dot(point, center) / (0.1 + ops.length(point) * ops.length(center))
    offset = k.let("offset", k.rng.pick(point - center, center - point))
    match measure:
        case "distance":
            return ops.length(offset)
        case "sum of gaps":
            total = ops.abs(offset[0]) + ops.abs(offset[1])
            return total + ops.abs(offset[2]) if point.type.length == 3 else total
        case "largest gap":
            top = ops.max(ops.abs(offset[0]), ops.abs(offset[1]))
            return ops.max(top, ops.abs(offset[2])) if point.type.length == 3 else top
        case "weighted distance":
            weights = k.array("center_weights", F32, ["clusters"], uniform(0.5, 2.0))
            return weights[c] * ops.length(offset)
        case _:
            return k.rng.pick(ops.dot(offset, offset), ops.length_sq(offset))


def _members(k: Builder, label: Expr, best: Expr, *, optional: bool) -> None:
    """What threads add to their center: a count, a weight, or rings of near and far."""
    match k.rng.pick("count", "near", "weight", "rings", *(["nothing"] * optional)):
        case "count":
            counts = k.array(k.rng.pick("counts", "members"), I32, ["clusters"], {"constant": 0}, "inout")
            k.atomic(k.rng.pick("add", "+="), counts, label, 1)
            k.notes.append("The members of each center are counted")
        case "near":
            counts = k.array("near_members", I32, ["clusters"], {"constant": 0}, "inout")
            with k.when(best < k.rng.number(0.3, 0.6)):
                k.atomic("add", counts, label, 1)
            k.notes.append("The members near each center are counted")
        case "weight":
            masses = k.array("masses", I32, ["n"], whole(1, 5))
            totals = k.array("center_masses", I32, ["clusters"], {"constant": 0}, "inout")
            k.atomic("add", totals, label, masses[k.index])
            k.notes.append("The masses of the members of each center are added up")
        case "rings":
            rings = k.rng.pick(3, 4)
            counts = k.array("ring_counts", I32, ["clusters", str(rings)], {"constant": 0}, "inout")
            ring = ops.clamp(convert(I32, bounded(best, 0.0, 50.0) * k.rng.pick(2.0, 4.0)), 0, rings - 1)
            k.atomic("add", counts, (label, ring), 1)
            k.notes.append(f"Members are counted in {rings} rings around each center")


def _first_score(k: Builder, bias: str, offsets: ArrayHandle | None, t: Expr, slope: float) -> Expr | float:
    """Where the score of a token begins."""
    if bias == "recency":
        return slope * convert(k.real, t)
    if offsets is None:
        return 0.0
    return offsets[t] if bias == "token" else offsets[k.index[0], t]


def _share(response: str, scale: float, score: Expr) -> Expr:
    """The weight of a token, positive, for its score."""
    match response:
        case "exponential":
            return ops.exp(scale * score)
        case "logistic":
            return 1.0 / (1.0 + ops.exp(-scale * score))
        case "rectified":
            return ops.max(scale * score, 0.0) + 0.05
        case _:
            return 1.0 + 0.9 * (score / (1.0 + ops.abs(score)))


def token_score(k: Builder) -> None:
    """Attention of one query to a few keys: scores, a running maximum, weights."""
    threads(k, 1, name=k.rng.pick("query", "i"))
    tokens, channels = k.rng.pick(4, 6, 8), k.rng.pick(2, 3, 4)
    k.sizes["tokens"] = str(tokens)
    queries = row(k, "queries", "channels", channels, uniform(-1.0, 1.0))
    keys = k.array("keys", k.real, ["tokens", "channels"], uniform(-1.0, 1.0))
    values = k.array("values", k.real, ["tokens"], uniform(-1.0, 1.0))
    scale, causal = k.rng.number(0.3, 1.0), k.rng.chance(0.4)
    likeness = k.rng.pick("product", "product", "distance", "agreement")
    bias = k.rng.pick("none", "none", "token", "recency", "pair")
    offsets = None
    if bias == "token":
        offsets = k.array("token_biases", k.real, ["tokens"], uniform(-0.5, 0.5))
        k.notes.append("Each token has a bias")
    elif bias == "pair":
        offsets = k.array("pair_biases", k.real, ["n", "tokens"], uniform(-0.5, 0.5))
        k.notes.append("Each pair of a query and a token has a bias")
    slope = k.rng.number(0.05, 0.3)
    most = float(4 * channels + 1)
    best = k.var("best_score", -100.0, bounds=(-100.0, most)) if k.rng.chance(0.3) else None
    response = k.rng.pick("exponential", "exponential", "logistic", "rectified", "softsign")
    if response == "rectified" and likeness != "product":
        response = "exponential"
    weight, total = k.var("weight", 0.0), k.var("total", 0.0)
    with k.loop("t", 0, tokens) as t:
        if causal:
            length = read(k, "visible", 1, tokens, I32, array="visible_counts", inline=True)
            with k.when(t >= length):
                k.jump("break")
        score = k.var("score", _first_score(k, bias, offsets, t, slope), bounds=(-most, most))
        with k.loop("c", 0, channels) as c:
            match likeness:
                case "distance":
                    gap = k.let("gap", queries(c) - keys[t, c])
                    near = score - gap * gap
                case "agreement":
                    near = score - ops.abs(queries(c) - keys[t, c])
                case _:
                    near = score + queries(c) * keys[t, c]
            k.set(score, bounded(near, -most, most))
        if best is not None:
            k.set(best, ops.max(best, score))
        share = k.let("share", _share(response, scale, score))
        k.add(weight, share)
        k.add(total, share * values[t])
    if best is not None:
        k.store(k.array("best_scores", k.real, k.shape, None, "out"), k.target, best)
        k.notes.append("The best score of each query is stored as well")
    if bias == "recency":
        k.notes.append(f"Each later token has a score that is {slope} higher")
    what = "visible " if causal else ""
    finish(
        k,
        "attended",
        total / bounded(weight, 0.01, 1e4),
        f"Weighted mean of the {what}tokens' values for each query",
    )
