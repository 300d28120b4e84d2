"""Quadrature, shape functions, beams, and the elements around a node."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.idioms.fem.nodes import nodal_values, own_nodes
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import I32
from weft.kernels.vocabulary import coefficient, curve, read, threads, through, told, uniform


def line_quadrature(k: Builder) -> None:
    """Gauss quadrature of a function on an interval."""
    threads(k, 1, 2)
    points, weights = k.rng.pick(
        ((-0.57735, 0.57735), (1.0, 1.0)),
        ((-0.774597, 0.0, 0.774597), (0.555556, 0.888889, 0.555556)),
        ((-0.861136, -0.339981, 0.339981, 0.861136), (0.347855, 0.652145, 0.652145, 0.347855)),
    )
    a = k.let("a", read(k, "left_end", -1.0, 0.0))
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


def shape_table(k: Builder) -> None:
    """Values at quadrature points, from a table of shape functions."""
    threads(k, 1, name=k.rng.pick("element", "e", "cell"))
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
    t = k.let("t", read(k, "station", 0.0, 1.0))
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
            f"The {what} is {'squared and ' if what == 'curvature' else ''}multiplied by {told(stiffness)}"
        )
    finish(k, "beam_value", value, f"The {what} of a beam with cubic shape functions")


def valence(k: Builder) -> None:
    """Assembly by atomics: whole numbers that elements give to their nodes."""
    threads(k, 1, name="element")
    count = k.rng.pick(2, 3, 4)
    nodes = own_nodes(k, count)
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
        height = nodal_values(k, "heights", nodes)
        mean = height[0]
        for one in height[1:]:
            mean = mean + one
        shaped, word = curve(k, k.let("mean", mean / float(count)))
        k.store(k.array("element_values", k.real, ["n"], None, "out"), k.target, shaped)
        k.notes.append(f"The mean height of the element {through(word)} and is stored as well")
    describe(k, doc)
