"""Reductions by the threads of a block."""

from weft.kernels import tiles
from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.grids import threads
from weft.kernels.holes import term
from weft.kernels.idioms.slabs import launch, single, slab, touched
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe
from weft.kernels.types import F32, F64, I32, I64
from weft.kernels.words import plural, told, words
from weft.types import Scalar, Vector


def block_tree(k: Builder) -> None:
    """The threads of a block take their shares of a row; a tree over shared memory joins them."""
    width = k.rng.pick(32, 64, 64, 128)
    i = launch(k, k.rng.pick("row", "segment", "channel"), lane=True, width=width)
    assert k.lane is not None
    lane, (count,) = k.lane, k.dims
    length = width * k.rng.pick(2, 3, 4) + k.rng.pick(0, 0, 5, 12)
    exact = k.rng.chance(0.65)
    element: Scalar = k.rng.pick(k.real, F32, I32) if exact else k.real
    values = {"integers": [-6, 7]} if exact else uniform(-1.0, 1.0)
    layout = k.rng.pick("matrix", "flat", "two", "columns", "gathered")
    noun = k.rng.pick("samples", "readings", "costs", "charges")
    wide = layout in ("matrix", "flat", "columns") and k.rng.chance(0.25)
    row = i
    if layout == "gathered":
        row = k.let(
            "source", k.array(k.rng.pick("row_ids", "order"), I32, [count], {"integers": [0, count]})[i]
        )
        k.notes.append("An index says which row a block takes")
    data = k.array(
        noun,
        Vector(4, element) if wide else element,
        {"flat": [f"{length} * {count}"], "columns": [str(length), count]}.get(layout, [count, str(length)]),
        values,
    )
    other = k.array("weights", element, [str(length)], values) if layout == "two" else None
    kinds = ("sum", "sum", "mean") if exact else ("max", "min")
    how = k.rng.pick(*kinds)
    edge = 1000 if how == "min" else -1000 if how == "max" else 0
    total = k.var(
        k.rng.pick("partial", "own", "local"), edge, type=element, bounds=(-1000, 1000) if edge else None
    )
    contiguous = k.rng.chance(0.25) and length % width == 0
    share = length // width
    end: Expr | int = length
    if not contiguous and how != "mean" and k.rng.chance(0.25):
        lengths = k.array(
            k.rng.pick("lengths", "row_lengths"), I32, [count], {"integers": [length // 2, length + 1]}
        )
        end = k.let("length", lengths[i])
        k.notes.append("Rows have lengths of their own")
    valid = None
    if how != "mean" and k.rng.chance(0.25):
        valid = k.array(k.rng.pick("valid", "selected"), I32, [str(length)], {"integers": [0, 2]})
        k.notes.append(f"Only {noun} at places that are {valid.parameter.name} count")
    tally = k.var("own_count", 0, type=I32) if k.rng.chance(0.25) else None
    with k.loop(
        "j",
        lane * share if contiguous else lane,
        (lane + 1) * share if contiguous else end,
        1 if contiguous else width,
    ) as j:
        place = bounded(j, 0, length - 1) if contiguous else j
        if valid is not None:
            with k.when(valid[place].equals(0)):
                k.jump("continue")
        x: Expr = data[{"flat": (i * length + place,), "columns": (place, i)}.get(layout, (row, place))]
        if other is not None:
            x = x * other[place]
        if k.rng.chance(0.6) or wide or tally is not None or not exact:
            x = k.let("quad" if wide else "x", x)
        value, word = (
            _of_four(k, x, noun, how)
            if wide
            else term(k, x, f"weighted {noun}" if other is not None else noun, simple=True, strict=True)
            if isinstance(x, Name) and not exact
            else _whole_term(k, x, noun)
        )
        if edge:
            k.set(total, bounded(getattr(ops, how)(total, value), -1000, 1000))
        else:
            k.add(total, value)
        if tally is not None:
            with k.when((x[0] if wide else x) > (k.rng.integer(0, 3) if exact else k.rng.number(0.1, 0.6))):
                k.add(tally, 1)
    total.interval = bounded(total, -1000 if edge else -36 * length, 1000 if edge else 36 * length).interval
    lanes = tiles.of_threads(k, total)
    if k.rng.chance(0.4):
        lanes = k.let(k.rng.pick("partials", "shared"), lanes)
    if how in ("sum", "mean"):
        joined = tiles.reduced("add", lanes) if k.rng.chance(0.3) else tiles.summed(lanes)
    else:
        joined = tiles.reduced(how, lanes) if k.rng.chance(0.3) else tiles.extreme(how, lanes)
    joined = k.let(k.rng.pick("joined", "block_total"), joined)
    verb = {"sum": "Sum", "mean": "Mean", "max": "Largest", "min": "Smallest"}[how]
    doc = f"{verb} of the {word} of each row, by {width} threads a row"
    if tally is not None:
        numbers = k.array(k.rng.pick("numbers", "large_counts"), I32, [count], None, "out")
        tally.interval = bounded(tally, 0, length).interval
        tiles.store(k, numbers, tiles.summed(tiles.of_threads(k, tally)), (i,))
        k.notes.append("How many exceed a level is stored as well" + " (of each four, the first)" * wide)
    ending = k.rng.pick("store", "lane", "lane", "atomic", "everyone")
    if ending == "atomic" and how == "sum" and joined.interval.magnitude * k.times() < 2**24:
        grand = k.array("grand_total", element, ["1"], {"constant": 0}, "inout")
        tiles.atomic_add(k, grand, joined)
        describe(k, f"{doc}, added up over all rows")
        return
    if ending == "everyone" and layout in ("matrix", "flat") and how != "mean" and not wide:
        out = k.array("centered", element, [count, str(width)], None, "out")
        first = data[(i * length + lane,) if layout == "flat" else (i, lane)]
        k.store(
            out, (i, lane), first - single(joined) if element.is_integer else first - 0.5 * single(joined)
        )
        part = "it" if element.is_integer else "half of it"
        describe(k, f"{doc}; the first elements of the row less {part} are stored")
        return
    if ending == "lane" or how == "mean" or ending == "everyone":
        kind = k.real if how == "mean" and element == I32 else element
        result: Expr = single(joined)
        if how == "mean":
            result = (convert(kind, result) if kind != element else result) / float(
                length * (4 if wide else 1)
            )
        out = k.array(k.rng.pick("results", "totals", "row_values"), kind, [count], None, "out")
        with k.when(lane.equals(0)):
            if kind == k.real and k.rng.chance(0.4):
                scale = coefficient(k, "scale", 0.2, 3.0, kinds="lp")
                result = scale * result
                doc += f", times {told(scale)}"
            k.store(out, i, result)
    else:
        out = k.array(k.rng.pick("results", "totals", "row_values"), element, [count], None, "out")
        tiles.store(k, out, joined, (i,))
    describe(k, doc)


def _of_four(k: Builder, x: Expr, noun: str, how: str) -> tuple[Expr, str]:
    """What a reduction takes of four numbers that are loaded together."""
    k.notes.append(f"Four {noun} are loaded at once")
    if how in ("max", "min"):
        better = getattr(ops, how)
        return better(better(x[0], x[1]), better(x[2], x[3])), noun
    match k.rng.below(3):
        case 0:
            return x[0] + x[1] + x[2] + x[3], noun
        case 1:
            return (x[0] + x[1]) + (x[2] + x[3]), noun
        case _:
            return ops.abs(x[0]) + ops.abs(x[1]) + ops.abs(x[2]) + ops.abs(x[3]), f"magnitudes of the {noun}"


def _whole_term(k: Builder, x: Expr, noun: str) -> tuple[Expr, str]:
    """What a sum of whole numbers takes of each."""
    x = x if isinstance(x, Name) else k.let("x", x)
    return k.rng.pick(
        (x, noun), (x * x, f"squares of the {noun}"), (ops.abs(x), f"magnitudes of the {noun}"),
        (ops.max(x, 0), f"positive parts of the {noun}"), (ops.min(x, 3), f"{noun} up to 3"),
    )  # fmt: skip


def tile_summary(k: Builder) -> None:
    """Numbers that summarise a tile: one or two reductions, combined."""
    piece = slab(k, ragged=False)
    exact = k.rng.chance(0.7)
    name = k.rng.pick("sample", "price", "reading", "weight", "score")
    bound = 6 if exact else 1.0
    data: Expr = piece.read(name, k.real, -bound, bound, whole=exact)
    if k.rng.chance(0.6):
        raw = data
        data, word = touched(k, data, name)
        data = data if data is raw else k.let("prepared", data)
    else:
        word = name
    how = (
        k.rng.pick("sum", "moments", "dot", "norm", "share", "mixed")
        if exact and data.interval.integral
        else "extremes"
    )
    size = float(piece.size)
    row_count = k.dims[0]
    i = k.index[0]
    results: dict[str, Expr] = {}
    if how == "extremes":
        low, high = (
            k.let("low", single(tiles.extreme("min", data))),
            k.let("high", single(tiles.extreme("max", data))),
        )
        picked = k.rng.pick("range", "middle", "both", "larger")
        if picked == "both":
            results = {"lowest": low, "highest": high}
        else:
            results = {
                "summary": {"range": high - low, "middle": 0.5 * (high + low), "larger": ops.max(high, -low)}[
                    picked
                ]
            }
        doc = (
            f"{picked.capitalize() if picked != 'both' else 'Smallest and largest'} of each {word}, by block"
            if picked == "both"
            else f"The {picked if picked != 'larger' else 'larger extent'} of the {word}, by block"
        )
    else:
        total = k.let(
            "total", single(tiles.reduced("add", data) if k.rng.chance(0.3) else tiles.summed(data))
        )
        if how == "sum":
            results, doc = (
                {"total_value": total / size if k.rng.chance(0.5) else total * 1.5},
                f"Scaled sum of the {word}",
            )
        elif how == "moments":
            squares = k.let("squares", single(tiles.summed(data * data)))
            mean = k.let("mean", total / size)
            results = {"mean_value": mean, "variance": squares / size - mean * mean}
            doc = f"Mean and variance of the {word}"
        elif how == "dot":
            other = piece.read("partner", k.real, -5, 5, whole=True)
            product = single(
                tiles.dot(tiles.reshaped(data, (piece.size,)), tiles.reshaped(other, (piece.size,)))
                if len(piece.shape) > 1
                else tiles.dot(data, other)
            )
            product = k.let("product", product)
            results = {
                "projection": product - total if k.rng.chance(0.5) else product / (1.0 + ops.abs(total))
            }
            doc = f"Dot product of the {word} with a partner, set against their sum"
        elif how == "norm":
            power = bounded(single(tiles.summed(data * data)), 0.0, 1e6)
            results = {"norm": ops.sqrt(power) + 0.1 * total}
            doc = f"Euclidean norm of the {word}, plus a tenth of the sum"
        elif how == "share":
            top = k.let("top", single(tiles.extreme("max", data)))
            results, doc = (
                {"peak": top * size - total},
                f"How far the largest {word} stands above the others, in sum",
            )
        else:
            sizes = k.let("sizes", single(tiles.summed(tiles.mapped("abs", data))))
            results = {"balance": total / (1.0 + sizes)}
            doc = f"Sum of the {word} over one more than the sum of magnitudes"
    first = next(iter(results))
    match k.rng.pick("as it is", "scaled", "offset", "compared", "kept"):
        case "scaled":
            scale = coefficient(k, "scale", 0.2, 3.0, kinds="lp")
            results[first] = scale * results[first]
            k.notes.append(f"The {words(first)} is multiplied by {told(scale)}")
        case "offset":
            base = k.array("baselines", k.real, [row_count], uniform(-1.0, 1.0))[i]
            results[first] = results[first] - base
            k.notes.append(f"The baseline of the block is subtracted from the {words(first)}")
        case "compared":
            limit = k.array("limits", k.real, [row_count], uniform(-0.5, 2.0))[i]
            results[first] = ops.max(results[first], limit)
            k.notes.append(f"The {words(first)} is at least the limit of the block")
        case "kept":
            old = k.array("estimates", k.real, [row_count], uniform(-1.0, 1.0))[i]
            rate = coefficient(k, "rate", 0.1, 0.6, kinds="lp")
            old = k.let("estimate", old)
            results[first] = old + rate * (results[first] - old)
            k.notes.append(f"The estimate of the block moves towards the {words(first)} by {told(rate)}")
        case _:
            pass
    for key, value in results.items():
        out = k.array(plural(key), k.real, [row_count], None, "out")
        tiles.store(k, out, tiles.filled("full", (1,), k.real, value), (i,))
    describe(k, f"{doc}, {piece.size} elements a tile")


def strided_atomics(k: Builder) -> None:
    """Each thread adds up several elements and brings one sum to a shared place."""
    chunk = k.rng.pick(4, 8, 16)
    strided = k.rng.chance(0.5)
    threads(k, 1, plain=strided, name=k.rng.pick("chunk", "worker", "tid"))
    (i,) = k.index
    kind: Scalar = k.rng.pick(F32, F32, F64, I32, I64)
    noun = k.rng.pick("samples", "charges", "tallies", "votes")
    data = k.array(noun, kind, [f"{chunk} * {k.shape[0]}"], {"integers": [-3, 4]})
    count = k.size("num_threads", k.shape[0]) if strided else None
    own = k.var(k.rng.pick("own", "partial", "subtotal"), 0, type=kind)
    style = k.rng.pick("plain", "plain", "skipping", "rated", "signed")
    skipped = k.array("skipped", I32, [str(chunk)], {"integers": [0, 2]}) if style == "skipping" else None
    losses = k.var("losses", 0, type=I32) if style == "signed" else own
    with k.loop("s", 0, chunk) as s:
        place = i * chunk + s
        if strided and count is not None:
            place = bounded(s * count + i, 0, 16 * 80_000)
            place.interval = (i * chunk + s).interval
        if skipped is not None:
            with k.when(skipped[s].equals(1)):
                k.jump("continue")
        x: Expr = k.let("x", data[place])
        if style == "rated":
            value, word = (
                x * k.array("rates", kind, [str(chunk)], {"integers": [1, 5]})[s],
                f"{noun} times their rates",
            )
        else:
            value, word = _whole_term(k, x, noun)
        if style == "signed":
            with k.when(x < 0):
                k.add(losses, 1)
        k.add(own, value)
    own.interval = bounded(own, -12 * chunk, 12 * chunk).interval
    groups = k.rng.pick("one", "modulo", "ids", "one")
    size, place_out = "1", 0
    group: Expr | int = place_out
    if groups == "modulo":
        size = str(k.rng.pick(4, 8, 16))
        group = k.let("slot", i % int(size))
    elif groups == "ids":
        k.sizes["bins"] = size = k.rng.pick("(n + 7) // 8", "12", "(n + 31) // 32")
        group = k.let("bin", k.array("bins_of", I32, k.shape, {"integers": [0, "bins"]})[k.index])
        size = "bins"
    totals = k.array(k.rng.pick("totals", "sums"), kind, [size], {"constant": 0}, "inout")
    add = k.rng.pick("add", "add", "+=", "sub")
    k.atomic(add, totals, group, own)
    if k.rng.chance(0.35):
        peaks = k.array("peaks", kind, [size], {"constant": -1000}, "inout")
        k.atomic("max", peaks, group, own)
        k.notes.append("The largest sum of one thread is kept as well")
    if k.rng.chance(0.4):
        least = k.rng.integer(0, 10)
        with k.when(own > least):
            k.atomic("add", k.array("above", I32, [size], {"constant": 0}, "inout"), group, 1)
        k.notes.append(f"Threads whose sum exceeds {least} are counted")
    if style == "signed":
        k.store(k.array("negative_counts", I32, k.shape, None, "out"), k.target, losses)
        k.notes.append(f"Each thread stores how many of its {noun} are negative")
    elif style == "skipping":
        k.notes.append(f"Of each {chunk}, those that are to be skipped do not count")
    where = {"one": "in all", "modulo": f"in {size} slots", "ids": "by bin"}[groups]
    how = "elements far apart" if strided else "elements in a row"
    taken = ", taken from a total" if add == "sub" else ""
    describe(k, f"Sum of the {word}, {where}{taken}; each thread adds up {chunk} {how}")
