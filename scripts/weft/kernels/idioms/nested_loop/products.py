"""Products of matrices and polynomials, spectra."""

from collections.abc import Callable

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.program import Expr
from weft.kernels.results import finish, named
from weft.kernels.vocabulary import coefficient, curve, row, threads, through, uniform

Row = Callable[[Expr | int], Expr]


def small_matrix_product(k: Builder) -> None:
    """Products with a small dense matrix, written out as loops."""
    threads(k, 1, name=k.rng.pick("batch", "item"))
    rows, cols = k.rng.pick((3, 4), (4, 4), (4, 6), (5, 3))
    k.sizes["rows"], k.sizes["cols"] = str(rows), str(cols)
    shared = k.rng.chance(0.5)
    form = k.rng.pick("full", "full", "transposed", "lower", "banded")
    m = k.array(
        k.rng.pick("coefficients", "matrix"),
        k.real,
        _matrix_shape(form, shared),
        uniform(-1.0, 1.0),
    )
    v = row(k, k.rng.pick("vectors", "inputs"), "cols", cols, uniform(-1.0, 1.0))
    product = k.array("products", k.real, ["n", "rows"], None, "out") if k.rng.chance(0.6) else None
    goals = k.array("goals", k.real, ["n", "rows"], uniform(-1.0, 1.0)) if k.rng.chance(0.3) else None
    norm = k.var("norm", 0.0)
    with k.loop("r", 0, rows) as r:
        total = k.var("total", coefficient(k, "bias", -0.5, 0.5, kinds="lp") if k.rng.chance(0.4) else 0.0)
        stop = ops.min(r + 1, cols) if form == "lower" else cols
        with k.loop("c", 0, stop) as c:
            if form == "banded":
                with k.when(ops.abs(r - c) > 1):
                    k.jump("continue")
            place = (c, r) if form == "transposed" else (r, c)
            entry = m[place] if shared else m[k.index[0], *place]
            k.add(total, entry * v(c))
        value: Expr = total
        if goals is not None:
            value = k.let("defect", goals[k.index[0], r] - total)
        if k.rng.chance(0.5):
            shaped, word = curve(k, named(k, "entry", value))
            value = k.let("shaped", shaped)
            k.notes.append(
                f"Each entry of the {'defect' if goals is not None else 'product'} {through(word)}"
            )
        if product is not None:
            k.store(product, (k.target[0], r), value)
        measure, word = k.rng.pick((value * value, "squares"), (ops.abs(value), "magnitudes"))
        k.add(norm, measure)
    forms = {"transposed": "transposed ", "lower": "lower triangular ", "banded": "tridiagonal "}
    kind = f"{forms.get(form, '')}{rows} by {cols} matrix"
    what = f"the product of a {kind} with each vector"
    if goals is not None:
        what = f"what {what} lacks to its goal"
    finish(k, "norm", norm, f"Sum of the {word} in {what}")


def _matrix_shape(form: str, shared: bool) -> list[str]:
    shape = ["cols", "rows"] if form == "transposed" else ["rows", "cols"]
    return shape if shared else ["n", *shape]


def polynomial_product(k: Builder) -> None:
    """Convolution of two short rows."""
    threads(k, 1)
    left, right = k.rng.pick((3, 4), (4, 4), (5, 3))
    a = row(k, k.rng.pick("a", "left"), "p", left, uniform(-1.0, 1.0))
    b = row(k, k.rng.pick("b", "right"), "q", right, uniform(-1.0, 1.0))
    x = coefficient(k, "x", 0.3, 0.9) if k.rng.chance(0.5) else None
    wraps = k.rng.chance(0.3)
    degrees = right if wraps else left + right - 1
    products = k.array("products", k.real, ["n", str(degrees)], None, "out") if k.rng.chance(0.4) else None
    largest = k.rng.chance(0.4)
    checksum, power = (
        k.var("checksum", 0.0),
        k.var("power", 1.0, bounds=(0.0, 1.0)) if x is not None else None,
    )
    with k.loop("d", 0, degrees) as d:
        total = k.var("total", 0.0)
        if wraps:
            with k.loop("j", 0, left) as j:
                m = k.let("m", (d - j + 4 * right) % right)
                k.add(total, a(j) * b(m))
        elif k.rng.chance(0.5):
            with k.loop("j", ops.max(d - (right - 1), 0), ops.min(d + 1, left)) as j:
                k.add(total, a(j) * b(bounded(d - j, 0, right - 1)))
        else:
            with k.loop("j", 0, left) as j:
                m = k.let("m", d - j)
                with k.when((m >= 0) & (m < right)):
                    k.add(total, a(j) * b(m))
        if products is not None:
            k.store(products, (k.target[0], d), total)
        if power is not None and x is not None:
            k.add(checksum, total * power)
            k.set(power, bounded(power * x, 0.0, 1.0))
        elif largest:
            k.set(checksum, ops.max(checksum, ops.abs(total)))
        else:
            k.add(checksum, k.rng.pick(total * total, ops.abs(total)))
    what = "the circular convolution of two rows" if wraps else "the product of two polynomials"
    if products is not None:
        k.notes.append("Its coefficients are stored as well")
    finish(
        k,
        "value",
        checksum,
        f"Value at a point of {what}"
        if x is not None
        else f"Largest coefficient of {what}"
        if largest
        else f"Size of {what}",
    )


def spectral_power(k: Builder) -> None:
    """Discrete Fourier sums over a short row: term by term, by a turning vector, or by Goertzel's filter."""
    threads(k, 1, name=k.rng.pick("channel", "row"))
    samples, bands = k.rng.pick(6, 8, 10), k.rng.pick(2, 3, 4)
    data = row(k, k.rng.pick("signals", "waves"), "samples", samples, uniform(-1.0, 1.0))
    window, shape = k.rng.pick("plain", "plain", "cosine", "triangle"), k.rng.pick("power", "amplitude")
    how = k.rng.pick("terms", "terms", "turning", "filter")
    gains = k.array("band_gains", k.real, [str(bands + 1)], uniform(0.2, 2.0)) if k.rng.chance(0.3) else None
    powers = (
        k.array("powers", k.real, ["n", str(bands + 1)], uniform(0.0, 1.0), "inout")
        if k.rng.chance(0.35)
        else None
    )
    weighted = gains is None and k.rng.chance(0.5)
    power = k.var("power", 0.0)
    with k.loop("band", 1, bands + 1) as band:
        step = k.let("omega", convert(k.real, band) * round(6.2832 / samples, 5))
        if how == "filter":
            square = _goertzel(k, data, samples, step, window)
        else:
            square = _fourier_sum(k, data, samples, step, window, turning=how == "turning")
        if shape == "amplitude":
            square = ops.sqrt(bounded(square, 0.0, 1000.0) + 0.01)
        if gains is not None:
            square = gains[band] * square
        if powers is not None:
            square = k.let("band_power", square)
            k.store(powers, (k.target[0], band), square)
        k.add(power, convert(k.real, band) * square if weighted else square / float(samples))
    if window != "plain":
        k.notes.append(f"Rows have a {window} window")
    if shape == "amplitude":
        k.notes.append("Of each band the softened amplitude counts, not its square")
    if gains is not None:
        k.notes.append("Each band has a gain")
    if powers is not None:
        k.notes.append("Each band's power is stored as well")
    way = {"terms": "", "turning": ", by a vector that turns", "filter": ", by Goertzel's filter"}[how]
    word = ", weighted by their number" if weighted else ""
    finish(k, "power", power, f"Power of each row in its {bands} lowest bands{word}{way}")


def _windowed(k: Builder, data: Row, t: Expr, samples: int, window: str) -> Expr:
    value = data(t)
    if window == "cosine":
        taper = 0.5 - 0.5 * ops.cos(round(6.2832 / (samples - 1), 5) * convert(k.real, t))
        return k.let("tapered", value * taper)
    if window == "triangle":
        middle = (samples - 1) / 2.0
        taper = 1.0 - ops.abs(convert(k.real, t) - middle) / (middle + 1.0)
        return k.let("tapered", value * taper)
    return value


def _fourier_sum(k: Builder, data: Row, samples: int, step: Expr, window: str, *, turning: bool) -> Expr:
    re, im = k.var("re", 0.0), k.var("im", 0.0)
    sign = k.rng.pick("+", "-")
    if not turning:
        with k.loop("t", 0, samples) as t:
            phase = k.let("phase", step * convert(k.real, t))
            value = _windowed(k, data, t, samples, window)
            k.add(re, value * ops.cos(phase))
            k.add(im, value * ops.sin(phase), sign)
        return re * re + im * im
    c, s = k.let("c", ops.cos(step)), k.let("s", ops.sin(step))
    x, y = k.var("x", 1.0, bounds=(-1.5, 1.5)), k.var("y", 0.0, bounds=(-1.5, 1.5))
    with k.loop("t", 0, samples) as t:
        value = _windowed(k, data, t, samples, window)
        k.add(re, value * x)
        k.add(im, value * y, sign)
        turned = k.let("turned", c * x - s * y)
        k.set(y, bounded(s * x + c * y, -1.5, 1.5))
        k.set(x, bounded(turned, -1.5, 1.5))
    return re * re + im * im


def _goertzel(k: Builder, data: Row, samples: int, step: Expr, window: str) -> Expr:
    """Two states and one multiplication for each sample."""
    twice = k.let("twice", 2.0 * ops.cos(step))
    last, older = k.var("last", 0.0, bounds=(-40.0, 40.0)), k.var("older", 0.0, bounds=(-40.0, 40.0))
    with k.loop("t", 0, samples) as t:
        fresh = k.let("fresh", _windowed(k, data, t, samples, window) + twice * last - older)
        k.set(older, last)
        k.set(last, bounded(fresh, -40.0, 40.0))
    return last * last + older * older - twice * last * older
