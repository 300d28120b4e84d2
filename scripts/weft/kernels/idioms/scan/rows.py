"""One thread scans a row."""

from weft.kernels.builder import Builder
from weft.kernels.coefficients import coefficient, uniform
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.holes import term
from weft.kernels.idioms.rows import row
from weft.kernels.idioms.scan.sums import drawn_numbers
from weft.kernels.program import Expr, Name
from weft.kernels.results import describe, finish
from weft.kernels.types import I32


def prefix_row(k: Builder) -> None:
    """All prefixes of a row, one thread a row."""
    kind, values = drawn_numbers(k)
    found = row(k, kind, values, whole_rows=True, placed=True)
    how = k.rng.pick("sum", "sum", "sum", "largest", "smallest", "mean", "damped")
    if kind.is_integer and how in ("mean", "damped"):
        how = "sum"
    inclusive, backward = k.rng.chance(0.55), k.rng.chance(0.3)
    first = {"largest": -1000, "smallest": 1000}.get(how, 0)
    total = k.var(
        k.rng.pick("running", "total", "acc", "carry"),
        first,
        type=kind,
        bounds=(-1000, 1000) if first else None,
    )
    if how == "sum" and k.rng.chance(0.3):
        starts = k.array(k.rng.pick("starts", "carries"), kind, [k.shape[0]], values)
        k.set(total, starts[k.index[0]])
        k.notes.append("Each row begins with a carry of its own")
    out = k.array(k.rng.pick("prefixes", "scanned", "cumulative"), kind, found.shape, None, "out")
    decay = coefficient(k, "decay", 0.5, 0.95, kinds="lp") if how == "damped" else None
    with k.loop(k.rng.pick("j", "t", "step"), 0, found.length) as j:
        place: Expr = k.let("place", bounded(found.length - 1 - j, 0, found.length - 1)) if backward else j
        x = k.let("x", found.at(place))
        value, word = term(k, x, found.noun, simple=kind.is_integer, strict=bool(first))
        if not inclusive:
            k.store(out, found.place(place), total)
        match how:
            case "largest":
                k.set(total, bounded(ops.max(total, value), -1000, 1000))
            case "smallest":
                k.set(total, bounded(ops.min(total, value), -1000, 1000))
            case "damped":
                assert decay is not None
                k.set(total, decay * total + value)
            case _:
                k.add(total, value)
        if inclusive:
            seen = convert(kind, j) + 1.0 if how == "mean" else None
            k.store(out, found.place(place), total / bounded(seen, 1.0, 64.0) if seen is not None else total)
    if not inclusive and k.rng.chance(0.6):
        k.store(k.array("row_totals", kind, k.shape, None, "out"), k.target, total)
        k.notes.append("What all elements give together is stored apart")
    noun = {
        "sum": "sums",
        "largest": "maxima",
        "smallest": "minima",
        "mean": "means" if inclusive else "sums",
        "damped": "damped sums",
    }[how]
    scope, side = "Inclusive" if inclusive else "Exclusive", "suffix" if backward else "prefix"
    describe(k, f"{scope} {side} {noun} of the {word.rstrip(',')} along each row")


def segmented_row(k: Builder) -> None:
    """Prefix values that begin anew at marks or at changes."""
    kind, values = drawn_numbers(k)
    found = row(k, kind, values, whole_rows=True, placed=True)
    what = k.rng.pick("flags", "flags", "keys", "sign", "level")
    if kind.is_integer and what == "level":
        what = "flags"
    marks = k.array("heads", I32, found.shape, {"integers": [0, 2]}) if what == "flags" else None
    keys = k.array("keys", I32, found.shape, {"integers": [0, 3]}) if what == "keys" else None
    limit = coefficient(k, "limit", 1.0, 2.5, kinds="lp") if what == "level" else None
    total = k.var("running", 0, type=kind)
    last = k.var("last_key", -1, type=I32, bounds=(-1, 3)) if keys is not None else None
    segments = k.var("segments", 0, type=I32)
    out = k.array(k.rng.pick("scanned", "prefixes"), kind, found.shape, None, "out")
    inclusive = k.rng.chance(0.7)
    with k.loop("j", 0, found.length) as j:
        x = k.let("x", found.at(j))
        if not inclusive:
            k.store(out, found.place(j), total)
        if marks is not None:
            begins = marks[found.place(j)].equals(1)
        elif keys is not None and last is not None:
            key = k.let("key", keys[found.place(j)])
            begins = key.differs(last)
        elif limit is not None:
            begins = total > limit
        else:
            begins = x < 0
        with k.when(begins):
            k.set(total, lift(0, kind))
            k.add(segments, 1)
            if keys is not None and last is not None:
                k.set(last, key)
        value, word = term(k, x, found.noun, simple=True)
        k.add(total, value)
        if inclusive:
            k.store(out, found.place(j), total)
    why = {
        "flags": "the head of a segment",
        "keys": "a new key",
        "sign": "a negative element",
        "level": "what exceeds the limit",
    }[what]
    ending = k.rng.pick("segments", "segments", "tail")
    doc = f"Running sums of the {word.rstrip(',')} along each row that begin anew at {why}"
    if ending == "tail":
        k.store(k.array("tails", kind, k.shape, None, "out"), k.target, total)
        k.notes.append("The last sum of each row is stored apart")
    finish(k, "segment_number", segments, f"{doc}, and how often they do")


def running_record(k: Builder) -> None:
    """What a running extreme tells about a row."""
    found = row(k, k.real, whole_rows=False)
    largest = k.rng.chance(0.6)
    top = k.var(k.rng.pick("top", "record", "best"), -100.0 if largest else 100.0, bounds=(-100.0, 100.0))
    what = k.rng.pick("drop", "records", "since", "area", "drop", "gain")
    worst = k.var("worst", 0.0, bounds=(0.0, 200.0)) if what in ("drop", "gain") else None
    number = k.var("number", 0, type=I32) if what in ("records", "since") else None
    area = k.var("area", 0.0) if what == "area" else None
    with found.each() as (j, x):
        value, word = term(k, x, found.noun, strict=True)
        value = bounded(value if isinstance(value, Name) else k.let("level", value), -100.0, 100.0)
        if number is not None:
            with k.when(value > top if largest else value < top):
                k.set(top, value)
                if what == "records":
                    k.add(number, 1)
                else:
                    k.set(number, lift(0, I32))
            if what == "since":
                with k.otherwise():
                    k.add(number, 1)
        else:
            k.set(top, bounded((ops.max if largest else ops.min)(top, value), -100.0, 100.0))
            gap = top - value if largest else value - top
            if worst is not None:
                k.set(
                    worst,
                    bounded(
                        ops.max(worst, gap * (1.0 + 0.05 * convert(k.real, j)) if what == "gain" else gap),
                        0.0,
                        200.0,
                    ),
                )
            elif area is not None:
                k.add(area, gap)
    word, extreme = word.rstrip(","), "maximum" if largest else "minimum"
    if number is not None:
        doc = (
            f"Number of new records of the {word} in each row"
            if what == "records"
            else f"Steps since the {extreme} of the {word} in each row was set"
        )
        finish(k, "record_number", number, doc)
    elif worst is not None:
        late = ", later ones counting more," if what == "gain" else ""
        finish(
            k,
            "drawdown",
            bounded(worst, 0.0, 3.0),
            f"Largest distance{late} of the {word} in each row from their running {extreme}",
        )
    elif area is not None:
        finish(
            k,
            "shortfall",
            bounded(area, 0.0, 20.0),
            f"Sum of the distances of the {word} in each row from their running {extreme}",
        )


def recurrence(k: Builder) -> None:
    """Linear recurrences along a row: filters, discounted sums, gates."""
    placed = k.rng.chance(0.6)
    found = row(k, k.real, whole_rows=True, placed=placed)
    order = k.rng.pick("first", "first", "second", "gated", "trapezoid", "cascade")
    backward = k.rng.chance(0.3)
    out = (
        k.array(k.rng.pick("states", "filtered", "returns"), k.real, found.shape, None, "out")
        if placed
        else None
    )
    state = k.var(
        k.rng.pick("state", "level", "carry"),
        coefficient(k, "start", -0.5, 0.5, kinds="lp") if k.rng.chance(0.4) else 0.0,
    )
    older = k.var("older", 0.0) if order in ("second", "cascade", "trapezoid") else None
    decay = coefficient(k, k.rng.pick("decay", "discount", "pole"), 0.3, 0.9, kinds="lp")
    gates = (
        k.array("gates", k.real, [k.shape[0], str(found.length)], uniform(0.1, 0.9))
        if order == "gated"
        else None
    )
    second = coefficient(k, "damping", 0.05, 0.3, kinds="lp") if order == "second" else None
    with k.loop("t", 0, found.length) as t:
        place: Expr = k.let("place", bounded(found.length - 1 - t, 0, found.length - 1)) if backward else t
        x = k.let("x", found.at(place))
        value, word = term(k, x, found.noun, simple=k.rng.chance(0.5))
        if gates is not None:
            gate = k.let("gate", gates[k.index[0], place])
            k.set(state, (1.0 - gate) * state + gate * decay * value)
        elif order == "second" and older is not None and second is not None:
            fresh = k.let("fresh", decay * state - second * older + value)
            k.set(older, state)
            k.set(state, fresh)
        elif order == "trapezoid" and older is not None:
            value = value if isinstance(value, Name) else k.let("rate", value)
            k.set(state, state + 0.5 * decay * (value + older))
            k.set(older, value)
        elif older is not None:
            k.set(older, decay * older + (1.0 - decay) * value)
            k.set(state, decay * state + (1.0 - decay) * older)
        else:
            k.set(
                state,
                k.rng.pick(decay * state + value, decay * (state + value), state + decay * (value - state)),
            )
        if out is not None:
            k.store(out, found.place(place), state)
    final = bounded(state, -5.0, 5.0)
    names = {
        "first": "First-order recurrence",
        "second": "Second-order recurrence",
        "gated": "Recurrence with gates",
        "trapezoid": "Trapezoidal integral",
        "cascade": "Two smoothing filters in a row",
    }
    along = "backwards along" if backward else "along"
    doc = f"{names[order]} over the {word.rstrip(',')} {along} each row"
    finish(k, k.rng.pick("last_state", "final_level"), final, doc)
