"""What becomes of a block's result: steps over all its elements, side results, and how it is stored."""

from __future__ import annotations

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient
from weft.kernels.curves import curve
from weft.kernels.expressions import bounded, conditional, ops
from weft.kernels.idioms.slabs import Slab, spread
from weft.kernels.program import Expr, Name
from weft.kernels.results import unused
from weft.kernels.types import I32, scalar_of
from weft.kernels.words import article, noun, plural, told, words

_STEPS = (
    "added", "difference", "product", "extreme", "scaled", "floor", "ceiling", "mapped", "helper", "pair",
    "bias", "relative", "split",
)  # fmt: skip


_NAMES = {
    "helper": "shaped", "pair": "joint", "bias": "shifted", "split": "widened", "extreme": "held",
    "product": "weighted", "difference": "deviation",
}  # fmt: skip


_COMPARING = ("extreme", "floor", "ceiling")


def conclude(
    k: Builder, piece: Slab, name: str, tile: Expr, *, spread_out: bool = True, relative: bool = False
) -> None:
    """Store a tile of the piece's shape after a few steps, perhaps with something that it is reduced to.

    Values that are not `spread_out` over their bounds, as extremes are not, are compared with nothing: they
    would all lie on one side. Of `relative` ones, whose largest or smallest is known, no extreme is taken.
    """
    it = f"the {noun(name)}"
    count = k.rng.weighted({0: 1.0, 1: 2.5, 2: 2.5, 3: 0.7})
    steps = k.rng.shuffled(_STEPS)[:count]
    for kind in steps:
        if kind in _COMPARING and not spread_out:
            continue
        before = tile
        tile = _step(k, piece, kind, tile, it)
        if tile is not before:
            it = "the result"
            if k.rng.chance(0.55):
                tile = _named(k, tile, _NAMES.get(kind, kind), f"{kind}_tile")
    if k.rng.chance(0.4):
        tile = _named(k, tile, "outcome", f"{name}_tile")
        # What a block's values cannot exceed is the largest of every block.
        known = {"ceiling": "max", "floor": "min"}
        edges = [one for one in ("max", "min") if one not in {known.get(step) for step in steps}]
        _reduce(k, tile, it, edges, places=relative or "relative" in steps)
    _store(k, piece, name, tile, it)


def _named(k: Builder, tile: Expr, *names: str) -> Expr:
    return tile if isinstance(tile, Name) else k.let(unused(k, *names), tile)


def _other(k: Builder, piece: Slab, tile: Expr, *names: str) -> tuple[Expr, str]:
    """A further input of the same shape, as it lies in memory."""
    element = scalar_of(tile.type)
    name = unused(k, *names)
    whole = element.is_integer or tile.interval.integral
    return piece.read(name, element, *((-8, 8) if whole else (-1.0, 1.0)), whole=whole), words(name)


def _step(k: Builder, piece: Slab, kind: str, tile: Expr, it: str) -> Expr:
    """One step; the same tile where its type or bounds make the step pointless."""
    element = scalar_of(tile.type)
    real = element == k.real and tile.interval.magnitude < 1e4
    match kind:
        case "added":
            other, word = _other(k, piece, tile, "bias_field", "correction", "source_term")
            k.notes.append(f"The {word} is added to {it}")
            return k.rng.pick(tile + other, other + tile)
        case "difference":
            other, word = _other(k, piece, tile, "target", "reference", "forecast")
            first, second = k.rng.pick((tile, other), (other, tile))
            k.notes.append(
                f"The {word} is subtracted from {it}"
                if first is tile
                else f"{_top(it)} is subtracted from the {word}"
            )
            return tiles.mapped("sub", first, second) if k.rng.chance(0.3) else first - second
        case "product" if tile.interval.magnitude < 1e4:
            other, word = _other(k, piece, tile, "mask", "importance", "attenuation")
            k.notes.append(f"{_top(it)} is multiplied by the {word}")
            return k.rng.pick(tile * other, other * tile)
        case "extreme":
            other, word = _other(k, piece, tile, "envelope", "candidate", "record")
            edge = k.rng.pick("max", "min")
            k.notes.append(f"The {'larger' if edge == 'max' else 'smaller'} of {it} and the {word} is kept")
            return tiles.mapped(edge, tile, other)
        case "scaled" if real:
            factor = coefficient(k, unused(k, "gain", "factor", "scale"), 0.3, 2.5, kinds="lp")
            k.notes.append(f"{_top(it)} is multiplied by {told(factor)}")
            return k.rng.pick(factor * tile, tile * factor)
        case "floor" | "ceiling" if real and tile.interval.lo < -0.3 and tile.interval.hi > 0.3:
            edge, sign, word = ("max", -1.0, "least") if kind == "floor" else ("min", 1.0, "most")
            low, high = sorted((0.05 * sign, 0.3 * sign))
            bound = coefficient(k, unused(k, kind, f"{kind}_level"), low, high, kinds="lp")
            k.notes.append(f"{_top(it)} is at {word} {told(bound)}")
            return tiles.mapped(edge, tile, bound)
        case "mapped" if element.is_float and tile.interval.magnitude < 1e3:
            # Of large values every tanh is 1.
            small, positive = tile.interval.magnitude < 8.0, tile.interval.lo >= 0.0
            function = k.rng.pick("atan", "abs", *(["tanh"] * small), *(["sqrt"] * positive))
            named = {"tanh": "tanh", "atan": "arctangent", "abs": "magnitude", "sqrt": "square root"}[
                function
            ]
            k.notes.append(f"Of {it}, the {named} is taken")
            return tiles.mapped(function, tile)
        case "helper" if real and not tile.interval.integral:
            return _shaped(k, tile, it)
        case "pair" if real:
            other, word = _other(k, piece, tile, "partner", "state", "signal")
            return _paired(k, tile, other, it, word)
        case "bias" if len(piece.shape) == 2 and piece.shape[0] > 1:
            return _biased(k, piece, tile, it)
        case "relative":
            tile = _named(k, tile, "base", "base_tile")
            edge = k.rng.pick("max", "min")
            named = "largest" if edge == "max" else "smallest"
            level = k.let(unused(k, f"{named}_of_block"), tiles.extreme(edge, tile))
            k.notes.append(f"The block's {named} value is subtracted from {it}")
            result = tile - spread(k, level, piece.shape)
            span = tile.interval.hi - tile.interval.lo
            return bounded(result, -span, 0.0) if edge == "max" else bounded(result, 0.0, span)
        case "split" if real:
            tile = _named(k, tile, "base", "base_tile")
            helper = k.let(unused(k, "magnitude"), tiles.mapped("abs", tile))
            share = k.rng.number(0.1, 0.6)
            k.notes.append(f"{_top(it)} and its magnitude, times {share}, are added")
            return tile + share * helper
        case _:
            return tile


def _top(it: str) -> str:
    return f"T{it[1:]}"


def _shaped(k: Builder, tile: Expr, it: str) -> Expr:
    """Every element under a function of the program's."""
    word = ""

    def body(_: Builder, x: Expr) -> Expr:
        nonlocal word
        value, word = curve(k, x)
        return value

    helper = k.rng.pick("activation", "response", "transfer", "shape")
    result = tiles.applied(k, helper, f"What becomes of {it}.", {"x": tile}, body)
    k.notes.append(f"{_top(it)} goes through {article(word)}")
    return result


def _paired(k: Builder, tile: Expr, other: Expr, it: str, word: str) -> Expr:
    """Every element and another one under a function of the program's."""
    share = k.rng.number(0.1, 0.7)
    signed = tile.interval.lo < 0.0 < tile.interval.hi
    kind = k.rng.pick("blend", "norm", "damp", "gate", *(["shrink", "excess"] * signed))

    def body(b: Builder, x: Expr, y: Expr) -> Expr:
        match kind:
            case "blend":
                return k.rng.pick((1.0 - share) * x + share * y, x + share * (y - x))
            case "shrink":
                size = b.let("size", ops.abs(x) - share * ops.abs(y))
                return ops.where(x < 0.0, -ops.max(size, 0.0), ops.max(size, 0.0))
            case "norm":
                return ops.sqrt(x * x + y * y + share)
            case "damp":
                return x / (1.0 + share * ops.abs(y))
            case "gate":
                return conditional(y > 0.0, x, share * x)
            case _:
                with b.when(x > y):
                    b.jump("return", x - y)
                return share * (y - x)

    doc = {
        "blend": f"A mixture of {it} and the {word}",
        "shrink": f"{_top(it)}, nearer to zero by a share of the {word}",
        "norm": f"The length of {it} and the {word} together, smoothed",
        "damp": f"{_top(it)}, damped by the {word}",
        "gate": f"{_top(it)}, less where the {word} is not positive",
        "excess": f"How far {it} exceeds the {word}, or a share of what it lacks",
    }[kind]
    result = tiles.applied(k, kind, f"{doc}.", {"x": tile, "y": other}, body)
    k.notes.append(f"{doc}, is taken" if "," in doc else f"{doc} is taken")
    return result


def _biased(k: Builder, piece: Slab, tile: Expr, it: str) -> Expr:
    """A number for each row or column of a tile."""
    axis = k.rng.below(2)
    length, element = piece.shape[axis], scalar_of(tile.type)
    name = unused(k, *(("row_bias", "row_offset") if axis == 0 else ("column_bias", "column_offset")))
    whole = element.is_integer or tile.interval.integral
    values = {"integers": [-8, 9]} if whole else {"uniform": [-1.0, 1.0]}
    array = k.array(plural(name), element, [str(length)], values)
    line = k.let(name, tiles.load(array, (length,)))
    wide = tiles.broadcast(tiles.reshaped(line, (1, length) if axis else (length, 1)), piece.shape)
    k.notes.append(f"Each {'column' if axis else 'row'} of a tile has its own amount added to {it}")
    return tile + wide


def _reduce(k: Builder, tile: Expr, it: str, edges: list[str], *, places: bool) -> None:
    """One number of the whole block, stored beside: an extreme on one of the edges, its place, or a sum.

    `places` leaves extremes out, which are 0 in every block where one was subtracted.
    """
    element = scalar_of(tile.type)
    *row, last = k.index
    kinds = [] if places else [*edges]
    kinds += [f"arg{edge}" for edge in edges]
    if (tile.interval.integral or element.is_integer) and tile.interval.magnitude < 500:
        kinds += ["sum", "sum", "total"]
    if not kinds:
        return
    kind = k.rng.pick(*kinds)
    if kind == "total":
        total = k.array("total", element, ["1"], {"constant": 0}, "inout")
        tiles.atomic_add(k, total, tiles.summed(tile))
        k.notes.append("All values are added up as well")
        return
    match kind:
        case "max":
            value, name, word = tiles.extreme("max", tile), "block_maximum", "largest value"
        case "min":
            value, name, word = tiles.extreme("min", tile), "block_minimum", "smallest value"
        case "argmax":
            value, name, word = tiles.place_of("max", tile), "peak", "place of the largest value"
        case "argmin":
            value, name, word = (
                tiles.place_of("min", tile),
                "valley",
                "place of the smallest value",
            )
        case _:
            value, name, word = tiles.summed(tile), "block_total", "sum"
    of = I32 if kind.startswith("arg") else element
    out = k.array(plural(unused(k, name)), of, k.dims, None, "out")
    tiles.store(k, out, value, (last,), row=row)
    k.notes.append(f"The {word}{'' if of == I32 else f' of {it}'} in each tile is stored as well")


def _store(k: Builder, piece: Slab, name: str, tile: Expr, it: str) -> None:
    element = scalar_of(tile.type)
    whole = element.is_integer or tile.interval.integral
    values = {"integers": [-8, 9]} if whole else {"uniform": [-1.0, 1.0]}
    kind = k.rng.pick("plain", "plain", "plain", "accumulated", "decayed", "doubled")
    if kind in ("accumulated", "decayed"):
        out = k.array(unused(k, f"{name}_totals", "totals"), element, piece.extents, values, "inout")
        old = k.let(unused(k, "old", "before"), piece.take(out))
        if kind == "accumulated" or whole or element != k.real:
            k.notes.append(f"{_top(it)} is added to what is stored")
            tile = k.rng.pick(old + tile, tile + old)
        else:
            keep = coefficient(k, unused(k, "decay", "retention"), 0.3, 0.95, kinds="lp")
            k.notes.append(f"{_top(it)} is added to {told(keep)} times what is stored")
            tile = k.rng.pick(keep * old + tile, tile + keep * old)
        tiles.store(k, out, tile, piece.offset, row=piece.row)
        return
    if kind == "doubled" and tile.interval.magnitude < 1e4:
        tile = _named(k, tile, "final_tile")
        label, word, value = k.rng.pick(
            ("squared", "square", tile * tile),
            ("magnitude", "magnitude", tiles.mapped("abs", tile)),
            ("negated", "opposite", -tile),
        )
        piece.write(f"{label}_{name}", value)
        k.notes.append(f"The {word} is stored as well")
    piece.write(name, tile)
