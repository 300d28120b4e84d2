"""Layers, clusters and scores."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, ops
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
    """Nearest of a few centers, and a count per center."""
    k.real = F32
    threads(k, 1, name="point", indirect=False)
    clusters = k.rng.pick(3, 4, 6)
    k.sizes["clusters"] = str(clusters)
    space = Vector(k.rng.pick(2, 3), F32)
    centers = k.array(k.rng.pick("centers", "centroids"), space, ["clusters"], uniform(-1.0, 1.0))
    point = read(k, "position", -1.0, 1.0, space)
    best, label = (
        k.var("best", 1000.0, bounds=(0.0, 1000.0)),
        k.var("label", 0, type=I32, bounds=(0, clusters - 1)),
    )
    measure = k.rng.pick("distance", "squared distance")
    with k.loop("c", 0, clusters) as c:
        offset = k.let("offset", point - centers[c])
        squared = k.rng.pick(ops.dot(offset, offset), ops.length_sq(offset))
        distance = k.let("distance", ops.length(offset) if measure == "distance" else squared)
        with k.when(distance < best):
            k.set(best, distance)
            k.set(label, c)
    counts = k.array(k.rng.pick("counts", "members"), I32, ["clusters"], {"constant": 0}, "inout")
    if k.rng.chance(0.5):
        k.atomic("add", counts, label, 1)
        k.notes.append("The members of each center are counted")
    else:
        with k.when(best < k.rng.number(0.15, 0.35)):
            k.atomic("add", counts, label, 1)
        k.notes.append("The members near each center are counted")
    if k.rng.chance(0.4):
        finish(
            k,
            "label",
            conditional(best < k.rng.number(0.1, 0.35), label, -1 - label),
            f"Label of the nearest of {clusters} centers, or -1 - label where that is far",
            counted=False,
        )
    else:
        k.store(k.array("labels", I32, ["n"], None, "out"), k.target, label)
        finish(k, "distance", best, f"Nearest of {clusters} centers and its {measure}")


def token_score(k: Builder) -> None:
    """Attention of one query to a few keys: scores, a running maximum, weights."""
    threads(k, 1, name=k.rng.pick("query", "i"))
    tokens, channels = k.rng.pick(4, 6, 8), k.rng.pick(2, 3, 4)
    k.sizes["tokens"] = str(tokens)
    queries = row(k, "queries", "channels", channels, uniform(-1.0, 1.0))
    keys = k.array("keys", k.real, ["tokens", "channels"], uniform(-1.0, 1.0))
    values = k.array("values", k.real, ["tokens"], uniform(-1.0, 1.0))
    scale, causal = k.rng.number(0.3, 1.0), k.rng.chance(0.4)
    weight, total = k.var("weight", 0.0), k.var("total", 0.0)
    with k.loop("t", 0, tokens) as t:
        if causal:
            length = read(k, "visible", 1, tokens, I32, array="visible_counts", inline=True)
            with k.when(t >= length):
                k.jump("break")
        score = k.var("score", 0.0, bounds=(-float(channels), float(channels)))
        with k.loop("c", 0, channels) as c:
            k.set(score, bounded(score + queries(c) * keys[t, c], -float(channels), float(channels)))
        share = k.let("share", k.rng.pick(ops.exp(scale * score), 1.0 / (1.0 + ops.exp(-scale * score))))
        k.add(weight, share)
        k.add(total, share * values[t])
    what = "visible " if causal else ""
    finish(
        k,
        "attended",
        total / bounded(weight, 0.01, 1e4),
        f"Weighted mean of the {what}tokens' values for each query",
    )
