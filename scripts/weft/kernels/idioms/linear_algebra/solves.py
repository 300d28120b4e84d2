"""Substitution, small systems, factors, rotations, iterations."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, read, threads, uniform
from weft.types import Matrix, Vector


def substitution(k: Builder) -> None:
    """Triangular systems, a small one in each thread."""
    threads(k, 1, name=k.rng.pick("system", "batch", "i"))
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
        entry = {name: read(k, name, -0.4, 0.4) for name in names[: n * n]}
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
    a, b, c = (read(k, name, -0.5, 0.5) for name in ("a", "b", "c"))
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
    a, b = read(k, "a", -1.0, 1.0), read(k, "b", -1.0, 1.0)
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
