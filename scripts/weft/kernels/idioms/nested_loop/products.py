"""Products of matrices and polynomials, spectra."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, ops
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, curve, row, threads, through, uniform


def small_matrix_product(k: Builder) -> None:
    """Products with a small dense matrix, written out as loops."""
    threads(k, 1, name=k.rng.pick("batch", "item"))
    rows, cols = k.rng.pick((3, 4), (4, 4), (4, 6), (5, 3))
    k.sizes["rows"], k.sizes["cols"] = str(rows), str(cols)
    shared = k.rng.chance(0.5)
    m = k.array(
        k.rng.pick("coefficients", "matrix"),
        k.real,
        ["rows", "cols"] if shared else ["n", "rows", "cols"],
        uniform(-1.0, 1.0),
    )
    v = row(k, k.rng.pick("vectors", "inputs"), "cols", cols, uniform(-1.0, 1.0))
    product = k.array("products", k.real, ["n", "rows"], None, "out") if k.rng.chance(0.6) else None
    norm = k.var("norm", 0.0)
    with k.loop("r", 0, rows) as r:
        total = k.var("total", coefficient(k, "bias", -0.5, 0.5, kinds="lp") if k.rng.chance(0.4) else 0.0)
        with k.loop("c", 0, cols) as c:
            entry = m[r, c] if shared else m[k.index[0], r, c]
            k.add(total, entry * v(c))
        value = total
        if k.rng.chance(0.5):
            shaped, word = curve(k, total)
            value = k.let("shaped", shaped)
            k.notes.append(f"Each entry of the product {through(word)}")
        if product is not None:
            k.store(product, (k.target[0], r), value)
        measure, word = k.rng.pick((value * value, "squares"), (ops.abs(value), "magnitudes"))
        k.add(norm, measure)
    finish(k, "norm", norm, f"Sum of the {word} in the product of a {rows} by {cols} matrix with each vector")


def polynomial_product(k: Builder) -> None:
    """Convolution of two short rows."""
    threads(k, 1)
    left, right = k.rng.pick((3, 4), (4, 4), (5, 3))
    a = row(k, k.rng.pick("a", "left"), "p", left, uniform(-1.0, 1.0))
    b = row(k, k.rng.pick("b", "right"), "q", right, uniform(-1.0, 1.0))
    x = coefficient(k, "x", 0.3, 0.9) if k.rng.chance(0.7) else None
    checksum, power = (
        k.var("checksum", 0.0),
        k.var("power", 1.0, bounds=(0.0, 1.0)) if x is not None else None,
    )
    with k.loop("d", 0, left + right - 1) as d:
        total = k.var("total", 0.0)
        if k.rng.chance(0.5):
            with k.loop("j", ops.max(d - (right - 1), 0), ops.min(d + 1, left)) as j:
                k.add(total, a(j) * b(bounded(d - j, 0, right - 1)))
        else:
            with k.loop("j", 0, left) as j:
                m = k.let("m", d - j)
                with k.when((m >= 0) & (m < right)):
                    k.add(total, a(j) * b(m))
        if power is not None and x is not None:
            k.add(checksum, total * power)
            k.set(power, bounded(power * x, 0.0, 1.0))
        else:
            k.add(checksum, k.rng.pick(total * total, ops.abs(total)))
    finish(
        k,
        "value",
        checksum,
        "Value at a point of the product of two polynomials"
        if x is not None
        else "Size of the product of two polynomials",
    )


def spectral_power(k: Builder) -> None:
    """Discrete Fourier sums over a short row."""
    threads(k, 1, name=k.rng.pick("channel", "row"))
    samples, bands = k.rng.pick(6, 8, 10), k.rng.pick(2, 3, 4)
    data = row(k, k.rng.pick("signals", "waves"), "samples", samples, uniform(-1.0, 1.0))
    window, shape = k.rng.pick("plain", "plain", "cosine", "triangle"), k.rng.pick("power", "amplitude")
    power = k.var("power", 0.0)
    with k.loop("band", 1, bands + 1) as band:
        re, im = k.var("re", 0.0), k.var("im", 0.0)
        step = k.let("omega", convert(k.real, band) * (6.2832 / samples))
        with k.loop("t", 0, samples) as t:
            phase = k.let("phase", step * convert(k.real, t))
            value = data(t)
            if window == "cosine":
                taper = 0.5 - 0.5 * ops.cos((6.2832 / (samples - 1)) * convert(k.real, t))
                value = k.let("tapered", value * taper)
            elif window == "triangle":
                middle = (samples - 1) / 2.0
                value = k.let(
                    "tapered", value * (1.0 - ops.abs(convert(k.real, t) - middle) / (middle + 1.0))
                )
            k.add(re, value * ops.cos(phase))
            k.add(im, value * ops.sin(phase), k.rng.pick("+", "-"))
        weighted = k.rng.chance(0.5)
        square = re * re + im * im
        if shape == "amplitude":
            square = ops.sqrt(bounded(square, 0.0, 1000.0) + 0.01)
        k.add(power, convert(k.real, band) * square if weighted else square / float(samples))
    word = ", weighted by their number" if weighted else ""
    if window != "plain":
        k.notes.append(f"Rows have a {window} window")
    if shape == "amplitude":
        k.notes.append("Of each band the softened amplitude counts, not its square")
    finish(k, "power", power, f"Power of each row in its {bands} lowest bands{word}")
