"""Strains, gradients and stresses of simple elements."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.idioms.fem.nodes import nodal_values, own_nodes
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, curve, read, threads, through, uniform
from weft.types import Matrix, Vector


def _weighted(weights: list[Expr], values: list[Expr]) -> Expr:
    total = weights[0] * values[0]
    for weight, value in zip(weights[1:], values[1:], strict=True):
        total = total + weight * value
    return total


def triangle_gradient(k: Builder) -> None:
    """Linear triangles: gradients of a field from its three nodes."""
    threads(k, 1, name=k.rng.pick("element", "t", "e"))
    nodes = own_nodes(k, 3)
    edges = [k.array(f"edge_{one}", Vector(2, k.real), ["n"], uniform(0.2, 1.0)) for one in "ab"]
    a, b = (k.let(f"edge{one}", edge[k.index[0]]) for one, edge in zip("ab", edges, strict=True))
    u = nodal_values(k, k.rng.pick("temperature", "potential", "level"), nodes)
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
    threads(k, 1, name=k.rng.pick("bar", "element"))
    nodes = own_nodes(k, 2)
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
    threads(k, 1, name=k.rng.pick("element", "cell", "e"))
    nodes = own_nodes(k, 4)
    u = nodal_values(k, k.rng.pick("pressure", "height", "temperature"), nodes)
    what = k.rng.pick("value", "slope", "mean", "values")
    x = k.let("x", read(k, "xi", -1.0, 1.0)) if what != "slope" else None
    y = k.let("y", read(k, "eta", -1.0, 1.0))
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


def deformation(k: Builder) -> None:
    """Deformation gradients of tetrahedra and triangles, strains and energies."""
    threads(k, 1, name=k.rng.pick("tet", "element"))
    n = k.rng.pick(2, 3)
    nodes = own_nodes(k, n + 1)
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
    finish(k, "energy_density", value, f"{doc}, from the positions of {n + 1} nodes")


def hooke_stress(k: Builder) -> None:
    """Stress from strain in the plane: Hooke's law and what people do with it."""
    threads(k, 1, 2)
    exx, eyy, exy = (read(k, name, -0.5, 0.5) for name in ("exx", "eyy", "exy"))
    young = coefficient(k, "youngs_modulus", 1.0, 5.0)
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
