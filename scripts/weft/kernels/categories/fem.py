"""Finite elements on plain arrays: shape functions, gradients, strains, quadrature, residuals."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.idioms import coefficient, curve, read, signal, threads, through, told, uniform
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import I32
from weft.types import Matrix, Vector

REVISION = 1
TEACHES = "finite elements: nodes of elements, shape functions, gradients, quadrature, strain and stress"


def _nodes(k: Builder, count: int) -> list[Expr]:
    """The node numbers of this thread's element: rows of a table, a flat list, or a vector."""
    k.sizes["nodes"] = k.rng.pick("n + 2", "max(n // 2, 1)", "(n + 3) // 4 + 1")
    e = k.index[0]
    match k.rng.below(3) if count <= 4 else k.rng.below(2):
        case 0:
            table = k.array("connectivity", I32, ["n", str(count)], {"integers": [0, "nodes"]})
            return [k.let(f"n{at}", table[e, at]) for at in range(count)]
        case 1:
            flat = k.array("element_nodes", I32, [f"{count} * n"], {"integers": [0, "nodes"]})
            return [k.let(f"n{at}", flat[count * e + at] if at else flat[count * e]) for at in range(count)]
        case _:
            packed = k.array("elements", Vector(count, I32), ["n"], {"integers": [0, "nodes"]})
            nodes = k.let("element", packed[e])
            return [nodes[at] for at in range(count)]


def _values(k: Builder, name: str, nodes: list[Expr], low: float = -1.0, high: float = 1.0) -> list[Expr]:
    """A field at the nodes of the element."""
    handle = k.array(name, k.real, ["nodes"], uniform(low, high))
    return [k.let(f"{name[0]}{at}", handle[node]) for at, node in enumerate(nodes)]


def _weighted(weights: list[Expr], values: list[Expr]) -> Expr:
    total = weights[0] * values[0]
    for weight, value in zip(weights[1:], values[1:], strict=True):
        total = total + weight * value
    return total


def triangle_gradient(k: Builder) -> None:
    """Linear triangles: gradients of a field from its three nodes."""
    threads(k, 1, name=k.rng.pick("element", "t", "e"), indirect=False)
    nodes = _nodes(k, 3)
    edges = [k.array(f"edge_{one}", Vector(2, k.real), ["n"], uniform(0.2, 1.0)) for one in "ab"]
    a, b = (k.let(f"edge{one}", edge[k.index[0]]) for one, edge in zip("ab", edges, strict=True))
    u = _values(k, k.rng.pick("temperature", "potential", "level"), nodes)
    area = bounded(
        k.let("double_area", ops.abs(a[0] * b[1] - a[1] * b[0]) + k.rng.number(0.1, 0.4)), 0.1, 3.0
    )
    d1, d2 = k.let("d1", u[1] - u[0]), k.let("d2", u[2] - u[0])
    gx, gy = k.let("gx", (b[1] * d1 - a[1] * d2) / area), k.let("gy", (a[0] * d2 - b[0] * d1) / area)
    match k.rng.pick("energy", "flux", "vector", "entry"):
        case "energy":
            value: Expr = 0.5 * area * (gx * gx + gy * gy)
            doc = "Dirichlet energy of a linear triangle"
            value = value * coefficient(k, "conductivity", 0.5, 2.0)
        case "flux":
            normal = read(k, "normal", -1.0, 1.0, Vector(2, k.real))
            value, doc = (
                gx * normal[0] + gy * normal[1],
                "Flux through a linear triangle in a given direction",
            )
        case "vector":
            value, doc = construct(Vector(2, k.real), gx, gy), "Gradient in a linear triangle"
        case _:
            value = (b[1] * gx - b[0] * gy) * coefficient(k, "conductivity", 0.5, 2.0)
            doc = "Residual of a linear triangle at its second node"
    finish(k, "value", value, f"{doc}; areas are softened")


def bar_strain(k: Builder) -> None:
    """Bars and trusses: strain, stress, axial force."""
    threads(k, 1, name=k.rng.pick("bar", "element"), indirect=False)
    nodes = _nodes(k, 2)
    space = Vector(k.rng.pick(2, 3), k.real)
    points = k.array("positions", space, ["nodes"], uniform(-1.0, 1.0))
    rest = read(k, "rest_length", 0.4, 2.0)
    axis = k.let("axis", points[nodes[1]] - points[nodes[0]])
    length = bounded(k.let("length", ops.length(axis)), 0.0, 4.0)
    measure = k.rng.pick("engineering", "Green", "logarithmic")
    match measure:
        case "engineering":
            strain = (length - rest) / rest
        case "Green":
            strain = 0.5 * (length * length - rest * rest) / (rest * rest)
        case _:
            strain = ops.log((length + 0.1) / rest)
    strain = k.let("strain", strain)
    modulus = coefficient(k, "modulus", 1.0, 5.0)
    match k.rng.pick("stress", "force", "energy", "yield"):
        case "stress":
            shaped, word = curve(k, k.let("stress", modulus * strain))
            k.notes.append(f"The stress {through(word)}")
            value, doc = shaped, f"Stress of a bar from its {measure} strain"
        case "force":
            value = axis * (modulus * strain / bounded(ops.max(length, 0.1), 0.1, 4.0))
            doc = f"Axial force of a bar as a vector, from its {measure} strain"
        case "energy":
            value, doc = (
                0.5 * modulus * (strain * strain) * rest,
                f"Energy of a bar, from its {measure} strain",
            )
        case _:
            limit = coefficient(k, "yield_stress", 0.5, 2.0)
            value = ops.min(modulus * strain, limit)
            doc = f"Stress of a bar from its {measure} strain, limited in tension"
    finish(k, "value", value, doc)


def quad_interpolation(k: Builder) -> None:
    """Bilinear quadrilaterals: values and slopes at a point of the reference square."""
    threads(k, 1, name=k.rng.pick("element", "cell", "e"), indirect=False)
    nodes = _nodes(k, 4)
    u = _values(k, k.rng.pick("pressure", "height", "temperature"), nodes)
    what = k.rng.pick("value", "slope", "mean", "values")
    x = k.let("x", signal(k, "xi", -1.0, 1.0)) if what != "slope" else None
    y = k.let("y", signal(k, "eta", -1.0, 1.0))
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    if x is None:
        weights = [0.25 * float(cx) * (1.0 + float(cy) * y) for cx, cy in corners]
        doc = "Slope along xi in a bilinear quadrilateral"
    elif what == "mean":
        a, b = (
            k.let("a", _weighted([0.5 * (1.0 - x), 0.5 * (1.0 + x)], u[:2])),
            k.let("b", _weighted([0.5 * (1.0 + x), 0.5 * (1.0 - x)], u[2:])),
        )
        finish(
            k,
            "value",
            0.5 * (1.0 - y) * a + 0.5 * (1.0 + y) * b,
            "Value in a bilinear quadrilateral, by two edges",
        )
        return
    else:
        below, above = k.let("low_y", 1.0 - y), k.let("high_y", 1.0 + y)
        left, right = k.let("low_x", 1.0 - x), k.let("high_x", 1.0 + x)
        weights = [0.25 * (right if cx > 0 else left) * (above if cy > 0 else below) for cx, cy in corners]
        doc = "Value in a bilinear quadrilateral at a point of the reference square"
    value = _weighted(weights, u)
    if what == "values" and k.rng.chance(0.7):
        value = value * read(k, "density", 0.5, 2.0)
        doc += ", times a density"
    finish(k, "value", value, doc)


def line_quadrature(k: Builder) -> None:
    """Gauss quadrature of a function on an interval."""
    threads(k, 1, 2)
    points, weights = k.rng.pick(
        ((-0.57735, 0.57735), (1.0, 1.0)),
        ((-0.774597, 0.0, 0.774597), (0.555556, 0.888889, 0.555556)),
        ((-0.861136, -0.339981, 0.339981, 0.861136), (0.347855, 0.652145, 0.652145, 0.347855)),
    )
    a = k.let("a", signal(k, "left_end", -1.0, 0.0))
    half = bounded(k.let("half", 0.5 * read(k, "length", 0.2, 2.0)), 0.1, 1.0)
    center = k.let("center", a + half)
    word = ""
    if k.rng.chance(0.5):
        nodes = k.array("points", k.real, [str(len(points))], uniform(-1.0, 1.0))
        shares = k.array("weights", k.real, [str(len(points))], uniform(0.2, 1.0))
        total = k.var("total", 0.0)
        with k.loop("q", 0, len(points)) as q:
            x = k.let("x", center + half * nodes[q])
            shaped, word = curve(k, x)
            k.add(total, shares[q] * shaped)
        k.notes.append(f"The integrand is the {word}, points and weights come from tables")
        value: Expr = half * total
    else:
        terms: list[Expr] = []
        shaped, word = curve(k, center)
        scale = coefficient(k, "scale", 0.5, 2.0)
        for at, (point, weight) in enumerate(zip(points, weights, strict=True)):
            x = k.let(f"x{at}", center + half * point) if point else center
            value_here = x * x if k.rng.chance(0.5) else ops.exp(-(x * x))
            terms.append(weight * k.let(f"f{at}", value_here * scale))
        sum_of_terms = terms[0]
        for term in terms[1:]:
            sum_of_terms = sum_of_terms + term
        value = half * sum_of_terms + shaped
        k.notes.append(f"The integrand is written out at each point; the {word} of the center is added")
    finish(k, "integral", value, f"Gauss quadrature with {len(points)} points")


def deformation(k: Builder) -> None:
    """Deformation gradients of tetrahedra and triangles, strains and energies."""
    threads(k, 1, name=k.rng.pick("tet", "element"), indirect=False)
    n = k.rng.pick(2, 3)
    nodes = _nodes(k, n + 1)
    points = k.array("positions", Vector(n, k.real), ["nodes"], uniform(-0.3, 0.3))
    square = Matrix(n, n, k.real)
    origin = k.let("origin", points[nodes[0]])
    spans = [k.let(f"s{at}", points[node] - origin) for at, node in enumerate(nodes[1:])]
    shape = construct(square, *(spans[c][r] for r in range(n) for c in range(n)))
    inverse = read(k, "rest_inverse", -0.8, 0.8, square, array="rest_inverses")
    f = k.let("f", k.let("shape", shape) @ inverse)
    mu, lam = coefficient(k, "mu", 0.5, 2.0), coefficient(k, "lam", 0.2, 1.5)
    match k.rng.pick("green", "small", "corotated", "norm", "volume"):
        case "green":
            strain = k.let("strain", ops.transpose(f) @ f)
            value: Expr = mu * ops.ddot(strain, strain) + lam * ops.trace(strain)
            doc = "Energy from the right Cauchy-Green tensor"
        case "small":
            trace = k.let("trace", ops.trace(f) - float(n))
            value = mu * ops.ddot(f, f) + 0.5 * lam * trace * trace
            doc = "Quadratic energy of a deformation gradient"
        case "corotated":
            value = 2.0 * mu * f + lam * ops.transpose(f)
            doc = "A stress that is linear in the deformation gradient and its transpose"
        case "norm":
            size = bounded(k.let("size", ops.ddot(f, f)), 0.0, 60.0)
            value = mu * size / (1.0 + lam * size)
            doc = "A saturating energy of the deformation gradient"
        case _:
            j = k.let("j", ops.determinant(f))
            value = mu * bounded(j, -5.0, 5.0) + 0.5 * lam * (bounded(j, -5.0, 5.0) * bounded(j, -5.0, 5.0))
            doc = "Energy of a change of volume"
    finish(k, "energy_density", value, f"{doc}, from the positions of {n + 1} nodes", measured=False)


def hooke_stress(k: Builder) -> None:
    """Stress from strain in the plane: Hooke's law and what people do with it."""
    threads(k, 1, 2)
    exx, eyy, exy = (signal(k, name, -0.5, 0.5) for name in ("exx", "eyy", "exy"))
    young = coefficient(k, "young", 1.0, 5.0)
    nu = k.rng.number(0.15, 0.4)
    plane = k.rng.pick("stress", "strain")
    if plane == "stress":
        factor = k.let("factor", young / round(1.0 - nu * nu, 4))
        sxx, syy = k.let("sxx", factor * (exx + nu * eyy)), k.let("syy", factor * (eyy + nu * exx))
        sxy = k.let("sxy", factor * round(0.5 * (1.0 - nu), 4) * exy)
    else:
        lam = k.let("lam", young * round(nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), 4))
        mu = k.let("mu", young / round(2.0 * (1.0 + nu), 4))
        sxx = k.let("sxx", lam * (exx + eyy) + 2.0 * mu * exx)
        syy = k.let("syy", lam * (exx + eyy) + 2.0 * mu * eyy)
        sxy = k.let("sxy", 2.0 * mu * exy)
    match k.rng.pick("mises", "vector", "principal", "pressure", "energy"):
        case "mises":
            value: Expr = ops.sqrt(bounded(sxx * sxx - sxx * syy + syy * syy + 3.0 * (sxy * sxy), 0.0, 1e4))
            doc = "Von Mises stress"
        case "vector":
            value, doc = construct(Vector(3, k.real), sxx, syy, sxy), "Stress in Voigt's notation"
        case "principal":
            half = k.let("half", 0.5 * (sxx - syy))
            value = 0.5 * (sxx + syy) + ops.sqrt(half * half + sxy * sxy)
            doc = "Larger principal stress"
        case "pressure":
            value, doc = -0.5 * (sxx + syy), "Mean pressure"
            k.store(k.array("shears", k.real, k.shape, None, "out"), k.target, sxy)
            k.notes.append("The shear stress is stored as well")
        case _:
            value, doc = 0.5 * (sxx * exx + syy * eyy) + sxy * exy, "Density of the strain energy"
    finish(k, "response", value, f"{doc} by Hooke's law in plane {plane}; Poisson's ratio is {nu}")


def shape_table(k: Builder) -> None:
    """Values at quadrature points, from a table of shape functions."""
    threads(k, 1, name=k.rng.pick("element", "e", "cell"), indirect=False)
    functions, points = k.rng.pick(3, 4, 6), k.rng.pick(2, 3, 4)
    k.sizes["nodes"] = k.rng.pick("n + 2", "max(n // 2, 1)")
    nodes_of = k.array("dofs", I32, ["n", str(functions)], {"integers": [0, "nodes"]})
    table = k.array("shape_values", k.real, [str(points), str(functions)], uniform(-0.3, 1.0))
    weights = k.array("weights", k.real, [str(points)], uniform(0.1, 0.5))
    u = k.array(k.rng.pick("u", "solution"), k.real, ["nodes"], uniform(-1.0, 1.0))
    kind = k.rng.pick("integral", "square", "mass", "load", "largest")
    total = k.var("total", 0.0)
    weight_field = read(k, "jacobian", 0.3, 1.5) if k.rng.chance(0.6) else None
    with k.loop("q", 0, points) as q:
        here = k.var("here", 0.0)
        with k.loop("i", 0, functions) as i:
            if kind == "load":
                k.add(here, table[q, i])
            else:
                k.add(here, table[q, i] * u[nodes_of[k.index[0], i]])
        match kind:
            case "square":
                k.add(total, weights[q] * here * here)
            case "mass":
                k.add(total, weights[q] * table[q, 0] * here)
            case "largest":
                k.set(total, ops.max(total, ops.abs(here) * weights[q]))
            case "load":
                source = u[nodes_of[k.index[0], 0]]
                k.add(total, weights[q] * here * source)
            case _:
                shaped, word = curve(k, here)
                k.add(total, weights[q] * shaped)
                k.notes.append(f"The integrand {through(word)}")
    words = {
        "integral": "Integral of a function of the field over an element",
        "square": "Integral of the squared field over an element",
        "mass": "Row of the mass matrix times the field, for the first shape function",
        "load": "Load of an element whose source is its first node's value",
        "largest": "Largest weighted magnitude of the field at the quadrature points",
    }
    value = total * weight_field if weight_field is not None else total
    finish(k, "integral", value, f"{words[kind]}, with {points} points and {functions} functions")


def beam_shape(k: Builder) -> None:
    """Cubic Hermite functions: deflection, slope and curvature of a beam."""
    threads(k, 1, 2)
    t = k.let("t", signal(k, "station", 0.0, 1.0))
    w0, w1 = read(k, "w0", -1.0, 1.0), read(k, "w1", -1.0, 1.0)
    r0, r1 = read(k, "r0", -0.5, 0.5), read(k, "r1", -0.5, 0.5)
    length = coefficient(k, "beam_length", 0.5, 2.0)
    r0, r1 = length * r0, length * r1
    what = k.rng.pick("deflection", "slope", "curvature", "horner")
    match what:
        case "deflection":
            s = k.let("s", 1.0 - t)
            value = (
                s * s * (1.0 + 2.0 * t) * w0 + t * t * (3.0 - 2.0 * t) * w1 + t * s * s * r0 - t * t * s * r1
            )
        case "horner":
            gap = k.let("gap", w1 - w0)
            value = w0 + t * (r0 + t * (3.0 * gap - 2.0 * r0 - r1 + t * (r0 + r1 - 2.0 * gap)))
            what = "deflection"
        case "slope":
            value = (
                6.0 * t * (1.0 - t) * (w1 - w0)
                + (1.0 - 4.0 * t + 3.0 * t * t) * r0
                + t * (3.0 * t - 2.0) * r1
            )
        case _:
            value = (6.0 - 12.0 * t) * (w1 - w0) + (6.0 * t - 4.0) * r0 + (6.0 * t - 2.0) * r1
    if k.rng.chance(0.4):
        stiffness = coefficient(k, "stiffness", 0.5, 3.0)
        value = stiffness * value if what != "curvature" else stiffness * value * value
        k.notes.append(
            f"It is {'squared and ' if what == 'curvature' else ''}multiplied by {told(stiffness)}"
        )
    finish(k, "beam_value", value, f"The {what} of a beam with cubic shape functions")


def valence(k: Builder) -> None:
    """Assembly by atomics: whole numbers that elements give to their nodes."""
    threads(k, 1, name="element", indirect=False)
    count = k.rng.pick(2, 3, 4)
    nodes = _nodes(k, count)
    kind = k.rng.pick("count", "material", "flags", "weights", "largest")
    target = k.array(k.rng.pick("valence", "node_sums"), I32, ["nodes"], {"constant": 0}, "inout")
    amount: Expr | int = 1
    doc = "Number of elements at each node"
    if kind in ("material", "largest"):
        amount = k.let("material", k.array("materials", I32, ["n"], {"integers": [0, 9]})[k.index[0]])
        doc = (
            "Sum of the materials of the elements at each node"
            if kind == "material"
            else "Largest material at each node"
        )
    elif kind == "weights":
        amount = k.let("load", k.array("loads", I32, ["n"], {"integers": [-5, 20]})[k.index[0]])
        doc = "Whole loads of elements, given to their nodes"
    elif kind == "flags":
        active = k.array("active", I32, ["n"], {"integers": [0, 2]})
        with k.when(active[k.index[0]].equals(0)):
            k.jump("return")
        doc = "Number of active elements at each node"
    atomic = "max" if kind == "largest" else k.rng.pick("add", "+=")
    for at, node in enumerate(nodes):
        share = amount
        if kind == "weights" and at == 0 and k.rng.chance(0.5) and isinstance(amount, Expr):
            share = 2 * amount
            k.notes.append("The first node gets twice as much")
        k.atomic(atomic, target, node, share)
    if k.rng.chance(0.6):
        height = _values(k, "heights", nodes)
        mean = height[0]
        for one in height[1:]:
            mean = mean + one
        shaped, word = curve(k, k.let("mean", mean / float(count)))
        k.store(k.array("element_values", k.real, ["n"], None, "out"), k.target, shaped)
        k.notes.append(f"The mean height of the element {through(word)} and is stored as well")
    describe(k, doc)
