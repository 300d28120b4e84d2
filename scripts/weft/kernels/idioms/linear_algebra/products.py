"""Products of matrices and vectors: dense, sparse, banded."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import lift, ops
from weft.kernels.idioms.linear_algebra.entries import inner_width
from weft.kernels.neighbors import field
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, curve, read, threads, through, uniform, whole


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
    cols, bound = inner_width(k, "cols", 5, 6, 8, 12, 16)
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
    inner, bound = inner_width(k, "inner", 4, 5, 8, 12)
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
    slots, bound = inner_width(k, "slots", 3, 4, 6)
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


def count_structure(k: Builder) -> None:
    """Facts about a matrix that are whole numbers: non-zeros, band width, dominance."""
    threads(k, 1, name="row")
    (row,) = k.index
    cols, bound = inner_width(k, "cols", 6, 8, 10)
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
    finish(k, "structure", result, words[kind])
