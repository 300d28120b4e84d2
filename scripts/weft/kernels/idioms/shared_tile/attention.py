"""Attention of a block of queries over all keys, a tile of keys at a time."""

from __future__ import annotations

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, ops
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.types import F32, I32

LOWEST = -1e4


def attention(k: Builder) -> None:
    """Softmax attention with running sums, or attention whose weights need no sum."""
    kind = k.rng.pick(
        "", "", "causal_", "causal_", "biased_", "capped_", "grouped_query_", "sigmoid_", "relu_"
    )
    plain = kind in ("sigmoid_", "relu_")
    stem = k.rng.pick("attention", "online_attention", "flash_attention") if not plain else "attention"
    k.name, *k.other_names = f"{kind}{stem}", f"{kind}{stem}_heads", f"tiled_{kind}attention"
    k.equality = "bounded"
    shapes = ((16, 16, 32), (16, 32, 32), (16, 16, 64), (32, 32, 32), (32, 32, 64))
    queries, keys, width = k.rng.pick(*(shapes if k.real == F32 else shapes[:3]))
    steps = k.rng.pick(2, 3, 4)
    k.sizes |= {
        "heads": k.rng.pick("2", "4"),
        "queries": f"{queries} * min((n + 31) // 32, 10)",
        "dim": str(width),
    }
    literal = k.rng.chance(0.4)
    count = str(keys * steps) if literal else f"{keys} * min(n // 32 + 1, {steps})"
    k.sizes["keys"] = "queries" if kind == "causal_" else count
    group = 2 if kind == "grouped_query_" else 1
    k.sizes["key_heads"] = f"heads // {group}"
    head, block = k.blocks(
        ["heads", f"queries // {queries}"],
        ["head", k.rng.pick("block", "query_block", "tile")],
        k.rng.pick(64, 128),
    )
    shared = "heads" if group == 1 else "key_heads"
    row: Expr = head
    if group > 1:
        row = k.within("key_head", head // group, "key_heads")
    q, key_array, value_array = (
        k.array(name, k.real, [count, size, "dim"], uniform(-1.0, 1.0))
        for name, count, size in (("q", "heads", "queries"), ("k", shared, "keys"), ("v", shared, "keys"))
    )
    first = block * queries
    query = k.let(
        k.rng.pick("query_tile", "q_tile"), tiles.load(q, (queries, width), (first, 0), row=(head,))
    )
    scale = coefficient(k, "scale", 0.6 / width**0.5, 1.2 / width**0.5, kinds="lp")
    bias = k.array("bias", k.real, ["queries", "keys"], uniform(-1.0, 1.0)) if kind == "biased_" else None
    cap = coefficient(k, "soft_cap", 1.0, 3.0, kinds="lp") if kind == "capped_" else None
    shape = (queries, keys)
    acc = k.var(
        k.rng.pick("acc", "attended", "weighted_values"), tiles.filled("zeros", (queries, width), k.real)
    )
    if not plain:
        row_max = k.var(
            k.rng.pick("row_max", "running_max", "largest"),
            tiles.filled("full", (queries,), k.real, LOWEST),
            bounds=(LOWEST, -LOWEST),
        )
        row_sum = k.var(
            k.rng.pick("row_sum", "running_sum", "normalizer"),
            tiles.filled("zeros", (queries,), k.real),
            bounds=(0.0, 1e5),
        )
    if kind == "causal_":
        stop: Expr | int = (block + 1) * queries
    else:
        stop = keys * steps if literal else k.size("num_keys", "keys")
    with k.loop(k.rng.pick("start", "first_key"), 0, stop, keys) as start:
        key = k.let("key_tile", tiles.load(key_array, (keys, width), (start, 0), row=(row,)))
        value = k.let("value_tile", tiles.load(value_array, (keys, width), (start, 0), row=(row,)))
        score: Expr = scale * tiles.product(query, tiles.transposed(key))
        if bias is not None:
            score = score + tiles.load(bias, shape, (first, start))
        score = k.let(k.rng.pick("score", "scores"), score)
        if cap is not None:
            score = k.let("capped_score", tiles.applied(
                k, "soft_capped", "The score under a soft cap.", {"score": score, "cap": cap},
                lambda b, score, cap: cap * ops.tanh(score / cap)))  # fmt: skip
        elif kind == "causal_":
            rows = tiles.broadcast(tiles.reshaped(tiles.arange(queries, I32), (queries, 1)), shape)
            columns = tiles.broadcast(tiles.arange(keys, I32), shape)
            score = k.let("masked_score", tiles.applied(
                k, "causal_score", "The score, or a large negative number for a key after the query.",
                {"score": score, "row": rows, "column": columns, "ahead": start - first},
                lambda b, score, row, column, ahead: ops.where(ahead + column <= row, score,
                 LOWEST)))  # fmt: skip
        if plain:
            name, doc, body = _WEIGHTS[kind]
            weights = k.let("weights", tiles.applied(k, name, doc, {"score": score}, body))
        else:
            new_max = k.let(
                k.rng.pick("new_max", "next_max"),
                tiles.mapped("max", row_max, tiles.reduced("max", score, 1)),
            )
            weights = k.let("weights", tiles.applied(
                k, "shifted_exp", "Exponential of a score relative to the largest so far.",
                {"score": score, "largest": _wide(new_max, shape)},
                lambda b, score, largest: bounded(ops.exp(bounded(score - largest, 3 * LOWEST, 0.0)), 0.0,
                 1.0)))  # fmt: skip
            fade = k.let(
                k.rng.pick("correction", "fade", "rescale"),
                tiles.mapped("exp", bounded(row_max - new_max, 3 * LOWEST, 0.0)),
            )
            k.set(row_sum, bounded(row_sum * fade + tiles.summed(weights, 1, free_order=True), 0.0, 1e5))
            k.set(acc, acc * _wide(fade, (queries, width)))
        k.evaluate(tiles.product(weights, value, acc, steps))
        if not plain:
            k.set(row_max, new_max)
    acc.interval = Interval(-1e5, 1e5)
    out = k.array(k.rng.pick("out", "outputs"), k.real, ["heads", "queries", "dim"], None, "out")
    if plain:
        tiles.store(k, out, acc, (first, 0), row=(head,))
    else:
        row_sum.interval = bounded(row_sum, 1e-6, 1e5).interval
        tiles.store(k, out, acc / _wide(row_sum, (queries, width)), (first, 0), row=(head,))
        if k.rng.chance(0.35):
            lse = k.array("log_sum_exps", k.real, ["heads", "queries"], None, "out")
            tiles.store(k, lse, row_max + tiles.mapped("log", row_sum), (first,), row=(head,))
            k.notes.append("The logarithm of each query's sum of exponentials is kept for the backward pass")
    k.doc = " ".join(
        f"{one}."
        for one in [
            _SENTENCES[kind],
            *k.notes,
            f"Each block works on {queries} queries of a head, {keys} keys at a time",
        ]
    )


def _wide(line: Expr, shape: tuple[int, int]) -> Expr:
    """A number of each row over the columns."""
    return tiles.broadcast(tiles.reshaped(line, (shape[0], 1)), shape)


_SOFTMAX = "Compute {} with a softmax whose sums are rescaled when a larger score comes"
_SENTENCES = {
    "": _SOFTMAX.format("scaled dot-product attention"),
    "causal_": _SOFTMAX.format("causal attention, in which no query sees later keys,"),
    "biased_": _SOFTMAX.format("attention with a bias for each query and key,"),
    "capped_": _SOFTMAX.format("attention with soft-capped scores,"),
    "grouped_query_": _SOFTMAX.format("grouped-query attention, in which two heads share keys and values,"),
    "sigmoid_": "Compute attention whose weights are the logistic function of the scores",
    "relu_": "Compute attention whose weights are the squared positive parts of the scores",
}
_WEIGHTS = {
    "sigmoid_": ("logistic_weight", "Weight of a key by the logistic function.",
                 lambda b, score: 1.0 / (1.0 + ops.exp(-score))),
    "relu_": ("squared_relu_weight", "Weight of a key by the squared rectifier.",
              lambda b, score: ops.max(score, 0.0) * ops.max(score, 0.0)),
}  # fmt: skip


def rotary_embedding(k: Builder) -> None:
    """Halves of each head's channels as planes that are turned by the position."""
    k.name, *k.other_names = k.rng.shuffled(
        ("rotary_embedding", "apply_rope", "rotate_halves", "rotary_positions")
    )
    half = k.rng.pick(16, 32, 64)
    k.sizes |= {"tokens": k.rng.pick("(n + 31) // 32", "(n + 63) // 64"), "heads": k.rng.pick("2", "3", "4")}
    token, head = k.blocks(["tokens", "heads"], ["token", "head"], 64)
    backward, in_place, table = k.rng.chance(0.3), k.rng.chance(0.5), k.rng.chance(0.6)
    shape, row = ["tokens", "heads", str(2 * half)], (token, head)
    x = k.array("queries", k.real, shape, uniform(-1.0, 1.0), "inout" if in_place else "in")
    names = ("cosine", "cos"), ("sine", "sin")
    if table:
        tables = [k.array(f"{one}s", k.real, ["tokens", str(half)], uniform(-1.0, 1.0)) for one, _ in names]
        waves = [tiles.load(one, (half,), row=(token,)) for one in tables]
    else:
        frequencies = k.array("frequencies", k.real, [str(half)], uniform(0.001, 1.0))
        positions = k.array("positions", k.real, ["tokens"], uniform(0.0, 200.0))
        angle = k.let("angle", tiles.load(frequencies, (half,)) * k.let("position", positions[token]))
        waves = [tiles.mapped(function, angle) for _, function in names]
    cosine, sine = (k.let(one, wave) for (one, _), wave in zip(names, waves, strict=True))
    first = k.let("first", tiles.load(x, (half,), row=row))
    second = k.let("second", tiles.load(x, (half,), (half,), row=row))
    if backward:
        turned = first * cosine + second * sine, second * cosine - first * sine
    else:
        turned = first * cosine - second * sine, second * cosine + first * sine
    parts = [k.let(f"turned_{one}", part) for one, part in zip(("first", "second"), turned, strict=True)]
    out = x if in_place else k.array("rotated_queries", k.real, shape, None, "out")
    for at, part in enumerate(parts):
        tiles.store(k, out, part, (at * half,), row=row)
    how = "whose cosines and sines are given" if table else "positions times frequencies"
    what = "Turn back" if backward else "Turn"
    k.doc = f"{what} each pair of channels of a head by the angles of rotary embedding, {how}."
