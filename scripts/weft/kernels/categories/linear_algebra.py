"""Dense and sparse linear algebra on plain arrays: products, updates, small solvers, norms."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.idioms import coefficient, curve, read, signal, threads, through, uniform, whole
from weft.kernels.neighbors import field
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.types import Matrix, Vector

REVISION = 1
TEACHES = "linear algebra written out: matrix products, rank-one updates, sparse rows, small factorisations"


def _width(k: Builder, name: str, *choices: int) -> tuple[str, Expr | int]:
    """An inner dimension: its name as a size, and how the loop writes it."""
    k.sizes[name] = str(k.rng.pick(*choices))
    return name, k.size(name, name) if k.rng.chance(0.5) else int(k.sizes[name])


def _entry(k: Builder, name: str, shape: list[str], place: tuple[Expr, ...], low: float = -1.0) -> Expr:
    """An entry of a matrix, stored as it is, transposed, or flat in rows."""
    match k.rng.below(4) if len(shape) == 2 else 0:
        case 1:
            k.notes.append(f"{name.upper()} is stored transposed")
            return k.array(f"{name}_t", k.real, shape[::-1], uniform(low, 1.0))[place[::-1]]
        case _:
            return k.array(name, k.real, shape, uniform(low, 1.0))[place]


def matrix_times_vector(k: Builder) -> None:
    """One thread a row of a dense matrix."""
    threads(k, 1, name="row")
    (row,) = k.index
    cols, bound = _width(k, "cols", 5, 6, 8, 12, 16)
    x = k.array("x", k.real, [cols], uniform(-1.0, 1.0)) if k.rng.chance(0.6) else None
    total = k.var("total", 0.0)
    skip = k.rng.chance(0.25)
    with k.loop("j", 0, bound) as j:
        entry = _entry(k, "a", ["n", cols], (row, j))
        if skip:
            entry = k.let("entry", entry)
            with k.when(ops.abs(entry) < k.rng.number(0.1, 0.4)):
                k.jump("continue")
            k.notes.append("Small entries are left out")
        other = x[j] if x is not None else k.array("x", k.real, ["n", cols], uniform(-1.0, 1.0))[row, j]
        k.add(total, entry * other)
    value, doc = _scaled(k, total, "A x")
    finish(k, "y", value, doc)


def _scaled(k: Builder, product: Expr, what: str) -> tuple[Expr, str]:
    """The usual forms alpha P, alpha P + beta b, b - P, or the product under a function."""
    match k.rng.below(5):
        case 0:
            return coefficient(k, "alpha", 0.3, 2.0) * product, f"alpha {what}"
        case 1:
            alpha, beta = coefficient(k, "alpha", 0.3, 2.0), coefficient(k, "beta", 0.3, 2.0)
            return alpha * product + beta * read(
                k, "b", -1.0, 1.0, array="b_values"
            ), f"alpha {what} + beta b"
        case 2:
            return read(k, "b", -1.0, 1.0, array="b_values") - product, f"The residual b - {what}"
        case 3:
            shaped, word = curve(k, k.let("product", product))
            k.notes.append(f"Each entry {through(word)}")
            return shaped, f"Entries of {what} under a function"
        case _:
            return product, f"The product {what}"


def matrix_product(k: Builder) -> None:
    """One thread an entry of a product of two matrices."""
    threads(k, 2)
    (i, j), (rows, cols) = k.index, k.shape
    inner, bound = _width(k, "inner", 4, 5, 8, 12)
    total = k.var(k.rng.pick("total", "acc"), 0.0)
    kind = k.rng.pick("plain", "gram", "distance", "weighted", "largest")
    weights = k.array("d", k.real, [inner], uniform(0.2, 1.5)) if kind == "weighted" else None
    with k.loop(k.rng.pick("p", "t"), 0, bound) as p:
        a = _entry(k, "a", [rows, inner], (i, p))
        b = (
            _entry(k, "b", [inner, cols], (p, j))
            if kind != "gram"
            else k.array("b_rows", k.real, [cols, inner], uniform(-1.0, 1.0))[j, p]
        )
        match kind:
            case "distance":
                gap = k.let("gap", a - b)
                k.add(total, k.rng.pick(gap * gap, ops.abs(gap)))
            case "largest":
                k.set(total, ops.max(total, k.rng.pick(a + b, a * b)))
            case _:
                k.add(total, a * b if weights is None else a * weights[p] * b)
    words = {
        "plain": "A B",
        "gram": "A B^T",
        "distance": "distances between rows of A and columns of B",
        "weighted": "A D B with a diagonal D",
        "largest": "the largest of sums or products along A and B",
    }
    value, doc = _scaled(k, total, words[kind])
    finish(k, "c", value, doc)


def rank_one_update(k: Builder) -> None:
    """Outer products added to a matrix, entry by entry."""
    threads(k, 2)
    (i, j), (rows, cols) = k.index, k.shape
    x = k.array("x", k.real, [rows], uniform(-1.0, 1.0))
    y = k.array("y", k.real, [cols], uniform(-1.0, 1.0))
    alpha = coefficient(k, "alpha", 0.2, 2.0)
    update = k.rng.pick(alpha * x[i] * y[j], x[i] * (alpha * y[j]))
    doc = "A rank-one update of a matrix"
    if k.rng.chance(0.4):
        u, v = (
            k.array("u", k.real, [rows], uniform(-1.0, 1.0)),
            k.array("v", k.real, [cols], uniform(-1.0, 1.0)),
        )
        update, doc = k.rng.pick(update + u[i] * v[j], update - u[i] * v[j]), "A rank-two update of a matrix"
    if k.rng.chance(0.5):
        base = k.array("a", k.real, [rows, cols], uniform(-1.0, 1.0))[i, j]
        keep = coefficient(k, "beta", 0.3, 1.5) * base if k.rng.chance(0.5) else base
        update = keep + update
    if k.rng.chance(0.4):
        value = k.var("value", 0.0)
        with k.when(k.rng.pick(j <= i, j >= i, j < i)):
            k.set(value, update)
        update, doc = value, f"{doc}, of one triangle; the other is zero"
    finish(k, "entry", update, doc)


def sparse_row(k: Builder) -> None:
    """Sparse rows in the ELLPACK format, and banded ones."""
    threads(k, 1, name="row")
    (row,) = k.index
    slots, bound = _width(k, "slots", 3, 4, 6)
    columns = k.array("columns", I32, ["n", slots], {"integers": [-1, "n"]})
    values = k.array("values", k.real, ["n", slots], uniform(-1.0, 1.0))
    x = k.array("x", k.real, ["n"], uniform(-1.0, 1.0))
    total = k.var("total", 0.0)
    kind = k.rng.pick("product", "scaled", "symmetric", "peak")
    with k.loop("s", 0, bound) as s:
        column = k.let("column", columns[row, s])
        if kind == "peak":
            with k.when((column >= 0) & (ops.abs(values[row, s]) > k.rng.number(0.1, 0.5))):
                k.add(total, ops.abs(x[column]))
        else:
            stop = k.rng.pick("continue", "break")
            with k.when(column < 0):
                k.jump(stop)
            mark = "ends a row" if stop == "break" else "marks an empty slot"
            k.notes.append(f"A negative column {mark}")
            term = values[row, s] * x[column]
            k.add(total, ops.where(column.equals(row), 0.5 * term, term) if kind == "symmetric" else term)
    if kind == "scaled":
        diagonal = read(k, "diagonal", 1.0, 3.0)
        value, doc = (
            (read(k, "b", -1.0, 1.0, array="b_values") - total) / diagonal,
            "One Jacobi step with a sparse matrix",
        )
    elif kind == "peak":
        value, doc = total, "Sum of the magnitudes that large entries of a sparse row meet"
        k.notes.append("A negative column marks an empty slot")
    else:
        value, doc = _scaled(k, total, "A x for a sparse A")
        if kind == "symmetric":
            k.notes.append("Entries on the diagonal count half")
    finish(k, "y", value, doc)


def banded_product(k: Builder) -> None:
    """Tridiagonal and pentadiagonal products."""
    threads(k, 1)
    x = field(k, "x", -1.0, 1.0, boundaries=("zero", "periodic"))
    main = read(k, k.rng.pick("main", "diagonal"), 1.0, 3.0, inline=True)
    reach = k.rng.pick(1, 1, 2)
    total = main * x.array[k.index]
    for step in range(1, reach + 1):
        lower = coefficient(k, f"lower{step}" if reach > 1 else "lower", -1.0, 1.0)
        upper = (
            coefficient(k, f"upper{step}" if reach > 1 else "upper", -1.0, 1.0)
            if k.rng.chance(0.7)
            else lower
        )
        total = total + lower * k.let(f"before{step}" if reach > 1 else "before", x.at(-step))
        total = total + upper * k.let(f"after{step}" if reach > 1 else "after", x.at(step))
    kind = "tridiagonal" if reach == 1 else "pentadiagonal"
    value, doc = _scaled(k, total, f"A x for a {kind} A")
    finish(k, "y", value, doc)


def substitution(k: Builder) -> None:
    """Triangular systems, a small one in each thread."""
    threads(k, 1, every=True, indirect=False, name=k.rng.pick("system", "batch", "i"))
    (i,) = k.index
    order = k.rng.pick(3, 4, 5, 6)
    k.sizes["order"] = str(order)
    back, in_place = k.rng.chance(0.5), k.rng.chance(0.4)
    shared = k.rng.chance(0.4)
    shape = ["order", "order"] if shared else ["n", "order", "order"]
    matrix = k.array("upper" if back else "lower", k.real, shape, uniform(-0.4, 0.4))
    diagonal = k.array("diagonal", k.real, ["n", "order"], uniform(1.0, 2.0)) if k.rng.chance(0.6) else None
    b = None if in_place else k.array("b", k.real, ["n", "order"], uniform(-1.0, 1.0))
    x = k.array("x", k.real, ["n", "order"], uniform(-1.0, 1.0), "inout")
    relax = None if in_place else coefficient(k, "omega", 0.3, 0.9, kinds="lp") if k.rng.chance(0.4) else None
    sum_of = k.rng.pick("squares", "magnitudes", "values")
    total_of = k.var("norm" if sum_of != "values" else "sum_of_x", 0.0)
    with k.loop("step" if back else "r", 0, order) as step:
        r = k.let("r", order - 1 - step) if back else step
        rest = k.var("rest", x[i, r] if b is None else b[i, r])
        with k.loop("c", *((r + 1, order) if back else (0, r))) as c:
            entry = matrix[r, c] if shared else matrix[i, r, c]
            k.add(rest, entry * x[i, c], "-")
        solved = rest / diagonal[i, r] if diagonal is not None else rest
        if relax is not None:
            solved = x[i, r] + relax * (solved - x[i, r])
        solved = k.let("solved", solved)
        k.store(x, (i, r), solved)
        value = {"squares": solved * solved, "magnitudes": ops.abs(solved), "values": solved}[sum_of]
        k.add(total_of, value)
    unit = "" if diagonal is not None else " with a unit diagonal"
    way = "Back" if back else "Forward"
    where = "in place" if in_place else "relaxed" if relax is not None else "of b into x"
    doc = f"{way} substitution in {order} equations{unit}, {where}; the sum of the {sum_of} found"
    finish(k, "solution_sum", total_of, doc)


def small_solve(k: Builder) -> None:
    """Two or three unknowns by Cramer's rule, elimination, or the inverse; the diagonal dominates."""
    threads(k, 1, 2)
    n = k.rng.pick(2, 2, 3)
    from_matrix = n == 3 or k.rng.chance(0.5)
    names = [f"a{r}{c}" for r in range(n) for c in range(n)]
    if from_matrix:
        m = read(k, "matrix", -0.4, 0.4, Matrix(n, n, k.real), array="matrices")
        entry = {
            name: m[r, c]
            for name, (r, c) in zip(names, [(r, c) for r in range(n) for c in range(n)], strict=True)
        }
    else:
        entry = {name: signal(k, name, -0.4, 0.4) for name in names[: n * n]}
    shift = k.rng.number(1.5, 2.5)
    a = {
        name: k.let(f"m{name[1:]}", value + shift) if name[1] == name[2] else value
        for name, value in entry.items()
    }
    b = [read(k, f"b{r}", -1.0, 1.0, array=f"b{r}_values") for r in range(n)]
    if n == 2:
        det = bounded(k.let("det", a["a00"] * a["a11"] - a["a01"] * a["a10"]), 0.5, 12.0)
        x = [
            k.let("x0", (b[0] * a["a11"] - a["a01"] * b[1]) / det),
            k.let("x1", (a["a00"] * b[1] - b[0] * a["a10"]) / det),
        ]
        how = "Cramer's rule"
    else:
        f1 = k.let("f1", a["a10"] / bounded(a["a00"], 1.0, 3.0))
        f2 = k.let("f2", a["a20"] / bounded(a["a00"], 1.0, 3.0))
        m11 = bounded(k.let("e11", a["a11"] - f1 * a["a01"]), 0.7, 4.0)
        m12 = k.let("e12", a["a12"] - f1 * a["a02"])
        m21 = k.let("e21", a["a21"] - f2 * a["a01"])
        f3 = k.let("f3", m21 / m11)
        m22 = bounded(k.let("e22", a["a22"] - f2 * a["a02"] - f3 * m12), 0.4, 5.0)
        c1 = k.let("c1", b[1] - f1 * b[0])
        c2 = k.let("c2", b[2] - f2 * b[0] - f3 * c1)
        x2 = k.let("x2", c2 / m22)
        x1 = k.let("x1", (c1 - m12 * x2) / m11)
        x = [k.let("x0", (b[0] - a["a01"] * x1 - a["a02"] * x2) / bounded(a["a00"], 1.0, 3.0)), x1, x2]
        how = "elimination"
    doc = f"A system of {n} equations by {how}; {shift} is added to the diagonal"
    solution = construct(Vector(n, k.real), *(bounded(one, -20.0, 20.0) for one in x))
    finish(k, "solution", solution, doc)


def factor_entry(k: Builder) -> None:
    """Cholesky factors of small matrices that are made positive definite."""
    threads(k, 1, 2)
    a, b, c = (signal(k, name, -0.5, 0.5) for name in ("a", "b", "c"))
    shift = coefficient(k, "shift", 1.0, 3.0, kinds="lp")
    l00 = k.let("l00", ops.sqrt(a * a + shift))
    l10 = k.let("l10", b / l00)
    rest = k.let("rest", c * c + shift - l10 * l10)
    l11 = k.let("l11", ops.sqrt(ops.max(rest, 0.1)))
    match k.rng.below(4):
        case 0:
            value: Expr = construct(Vector(3, k.real), l00, l10, l11)
            doc = "Cholesky factor of a 2 by 2 matrix, its three entries in a vector"
        case 1:
            value, doc = (
                2.0 * (ops.log(l00) + ops.log(bounded(l11, 0.3, 3.0))),
                "Logarithm of the determinant, from a Cholesky factor",
            )
        case 2:
            y = k.let("y", read(k, "rhs", -1.0, 1.0) / l00)
            value = (read(k, "other_rhs", -1.0, 1.0) - l10 * y) / bounded(l11, 0.3, 3.0)
            doc = "Second unknown of the forward substitution with a Cholesky factor"
        case _:
            value, doc = l00 * l11 - l10, "Product of a Cholesky factor's diagonal less the entry below"
    finish(k, "factor", value, f"{doc}; the matrix is a^2 + shift, b, c^2 + shift")


def row_norm(k: Builder) -> None:
    """Norms of rows, and rows scaled by them."""
    threads(k, 1, every=True, indirect=False, name="row")
    (row,) = k.index
    cols, bound = _width(k, "cols", 4, 6, 8)
    kind = k.rng.pick("two", "one", "largest", "mean square", "spread")
    a = k.array("a", k.real, ["n", cols], uniform(0.1, 1.0))
    total = k.var("total", 0.0)
    mean = k.var("mean", 0.0) if kind == "spread" else None
    size = float(int(k.sizes[cols]))
    if mean is not None:
        with k.loop("j", 0, bound) as j:
            k.add(mean, a[row, j] / size)
    with k.loop("j", 0, bound) as j:
        entry = a[row, j]
        match kind:
            case "two" | "mean square":
                entry = k.let("entry", entry)
                k.add(total, entry * entry)
            case "one":
                k.add(total, ops.abs(entry - k.rng.number(0.2, 0.6)))
            case "largest":
                k.set(total, ops.max(total, entry))
            case _:
                assert mean is not None
                gap = k.let("gap", entry - mean)
                k.add(total, gap * gap)
    norm: Expr = total
    if kind in ("two", "mean square", "spread"):
        inside = total if kind == "two" else total / size
        norm = ops.sqrt(bounded(inside, 0.0, 100.0))
    words = {
        "two": "Euclidean norm",
        "one": "Sum of distances from a number",
        "largest": "Largest entry",
        "mean square": "Root mean square",
        "spread": "Standard deviation",
    }
    if k.rng.chance(0.5):
        norm = bounded(k.let("norm", norm), 0.0, 20.0)
        scaled = k.array("scaled", k.real, ["n", cols], None, "out")
        ease = k.rng.number(0.05, 0.5)
        with k.loop("j", 0, bound) as j:
            k.store(scaled, (row, j), a[row, j] / (norm + ease))
        k.notes.append(f"The row divided by it plus {ease} is stored as well")
    finish(k, "norm_value", norm, f"{words[kind]} of each row")


def orthonormal_pair(k: Builder) -> None:
    """Gram-Schmidt, projections and reflections of vectors with three or four components."""
    threads(k, 1, 2)
    space = Vector(k.rng.pick(3, 3, 4), k.real)
    u, v = read(k, "u", 0.1, 1.0, space, array="u_vectors"), read(k, "v", -1.0, 1.0, space, array="v_vectors")
    unit = k.let("unit", k.rng.pick(ops.normalize(u), u / bounded(ops.length(u), 0.1, 3.0)))
    along = k.let("along", ops.dot(v, unit))
    match k.rng.below(5):
        case 0:
            value, doc = v - along * unit, "The part of a vector that is orthogonal to another"
        case 1:
            value, doc = v - 2.0 * along * unit, "Householder reflection of a vector"
        case 2:
            value, doc = along * unit, "Projection of a vector on another"
        case 3:
            rest = k.let("rest", v - along * unit)
            value, doc = (
                rest / (ops.length(rest) + k.rng.number(0.05, 0.3)),
                "Second vector of a Gram-Schmidt process, softened",
            )
        case _:
            stretch = coefficient(k, "stretch", 0.2, 2.0)
            value, doc = v + (stretch - 1.0) * along * unit, "A vector stretched along another"
    finish(k, "vector", value, doc)


def power_step(k: Builder) -> None:
    """Iterations with a small matrix: powers, Rayleigh quotients, fixed points."""
    threads(k, 1)
    n = k.rng.pick(2, 3)
    m = read(k, "matrix", 0.05, 0.5, Matrix(n, n, k.real), array="matrices")
    v = k.var("v", read(k, "start", 0.1, 1.0, Vector(n, k.real), array="starts"), bounds=(-5.0, 5.0))
    steps = k.rng.integer(2, 5)
    kind = k.rng.pick("power", "fixed", "damped")
    push = read(k, "push", -0.2, 0.2, Vector(n, k.real), array="pushes") if kind == "fixed" else None
    with k.loop(k.rng.pick("step", "_"), 0, steps):
        w = k.let("w", m @ v)
        if kind == "power":
            k.set(v, bounded(w / bounded(ops.length(w), 0.001, 10.0), -1.0, 1.0))
        elif push is not None:
            k.set(v, bounded(w * 0.5 + push, -5.0, 5.0))
        else:
            k.set(v, bounded(v + k.rng.number(0.2, 0.6) * (w - v), -5.0, 5.0))
    if k.rng.chance(0.5):
        quotient = ops.dot(v, m @ v)
        finish(
            k,
            "quotient",
            bounded(quotient, -40.0, 40.0),
            f"Product v^T A v after {steps} steps of {_iteration(kind)}",
        )
    else:
        finish(k, "vector", v, f"A vector after {steps} steps of {_iteration(kind)}")


def _iteration(kind: str) -> str:
    return {
        "power": "the power iteration",
        "fixed": "a fixed-point iteration",
        "damped": "a damped iteration",
    }[kind]


def rotate_rows(k: Builder) -> None:
    """Givens rotations, applied to pairs of entries."""
    threads(k, 1, 2)
    a, b = signal(k, "a", -1.0, 1.0), signal(k, "b", -1.0, 1.0)
    a, b = k.let("upper_entry", a), k.let("lower_entry", b)
    if k.rng.chance(0.5):
        angle = coefficient(k, "angle", -3.0, 3.0)
        c, s = k.let("c", ops.cos(angle)), k.let("s", ops.sin(angle))
        doc = "A plane rotation of a pair of entries"
    else:
        p, q = read(k, "p", 0.1, 1.0), read(k, "q", -1.0, 1.0)
        r = bounded(k.let("r", ops.sqrt(p * p + q * q)), 0.1, 2.0)
        c, s = k.let("c", p / r), k.let("s", q / r)
        doc = "The Givens rotation that makes q zero, applied to a pair of entries"
    first, second = c * a + s * b, c * b - s * a
    match k.rng.below(3):
        case 0:
            finish(k, "pair", construct(Vector(2, k.real), first, second), doc)
        case 1:
            finish(k, "entry", first, f"{doc}; the upper one")
        case _:
            finish(k, "entry", second * coefficient(k, "weight", 0.3, 2.0), f"{doc}; the lower one, weighted")


def count_structure(k: Builder) -> None:
    """Facts about a matrix that are whole numbers: non-zeros, band width, dominance."""
    threads(k, 1, name="row")
    (row,) = k.index
    cols, bound = _width(k, "cols", 6, 8, 10)
    a = k.array("a", I32, ["n", cols], whole(-2, 2))
    kind = k.rng.pick("nonzeros", "band", "dominance", "signs", "first")
    count = k.var("count", 0 if kind != "first" else -1, (-1, 10) if kind in ("band", "first") else None, I32)
    own = k.var("own", 0, (0, 8), I32) if kind == "dominance" else None
    with k.loop("j", 0, bound) as j:
        entry = k.let("entry", a[row, j])
        match kind:
            case "nonzeros":
                with k.when(entry.differs(0)):
                    k.add(count, 1)
            case "band":
                with k.when(entry.differs(0)):
                    k.set(count, ops.max(count, ops.abs(j - row % int(k.sizes[cols]))))
            case "signs":
                k.add(
                    count,
                    ops.where(entry > 0, lift(1, I32), ops.where(entry < 0, lift(-1, I32), lift(0, I32))),
                )
            case "first":
                with k.when(entry.equals(k.rng.pick(1, 2, -1))):
                    k.set(count, j)
                    k.jump("break")
            case _:
                assert own is not None
                with k.when(j.equals(row % int(k.sizes[cols]))):
                    k.set(own, ops.abs(entry) * 4)
                with k.otherwise():
                    k.add(count, ops.abs(entry))
    words = {
        "nonzeros": "Entries of each row that are not zero",
        "band": "How far from the diagonal each row's entries reach",
        "dominance": "How much four times the diagonal entry exceeds the others of its row",
        "signs": "Positive less negative entries of each row",
        "first": "First column in each row that holds a given number, -1 if none does",
    }
    result: Expr = own - count if own is not None else count
    finish(k, "structure", result, words[kind], counted=kind != "first")
