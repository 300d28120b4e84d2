"""What a group of particles conserves."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.idioms.pairs import zero
from weft.kernels.idioms.particle.forces import space_of
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, threads, uniform


def conserved_quantities(k: Builder) -> None:
    """Energies and momenta of groups of particles."""
    threads(k, 1, 2, name=k.rng.pick("i", "group", "cluster"))
    space = space_of(k)
    members = k.rng.pick(3, 4, 6, 8)
    k.sizes["members"] = str(members)
    points = k.array("positions", space, [*k.shape, "members"], uniform(-1.0, 1.0))
    masses = k.array(
        "masses", k.real, ["members"] if k.rng.chance(0.4) else [*k.shape, "members"], uniform(0.5, 2.0)
    )
    what = k.rng.pick("center", "kinetic", "momentum", "spin", "spread", "temperature")
    speeds = points
    if what != "spread":
        speeds = k.array("velocities", space, [*k.shape, "members"], uniform(-1.0, 1.0))

    def mass(m: Expr) -> Expr:
        return masses[m] if len(masses.parameter.shape) == 1 else masses[(*k.index, m)]

    vector = what in ("center", "momentum") or (what == "spin" and space.length == 3)
    weight = k.var("weight", 0.0) if what in ("center", "spread", "temperature") else None
    total = k.var("total", zero(space)) if vector else k.var("total", 0.0)
    drift = k.var("drift", zero(space)) if what in ("spread", "temperature") else None
    with k.loop("m", 0, members) as m:
        one = k.let("mass", mass(m)) if weight is not None else mass(m)
        if weight is not None:
            k.add(weight, one)
        place = (*k.index, m)
        match what:
            case "center":
                shift = coefficient(k, "dt", 0.1, 0.5, kinds="lp")
                k.add(total, one * (points[place] + shift * speeds[place]))
            case "kinetic":
                v = k.let("v", speeds[place])
                k.add(
                    total,
                    0.5 * one * ops.dot(v, v)
                    + coefficient(k, "stiffness", 0.2, 2.0, kinds="lp") * ops.length_sq(points[place]),
                )
            case "momentum":
                pull = coefficient(k, "pull", 0.1, 0.9, kinds="lp")
                k.add(total, one * (speeds[place] - pull * points[place]))
            case "spin":
                x, v = k.let("x", points[place]), k.let("v", speeds[place])
                k.add(total, one * (ops.cross(x, v) if space.length == 3 else x[0] * v[1] - x[1] * v[0]))
            case _:
                x = k.let(
                    "x",
                    points[place]
                    if what == "spread"
                    else speeds[place] + coefficient(k, "rate", 0.1, 0.9, kinds="lp") * points[place],
                )
                k.add(total, one * ops.dot(x, x))
                assert drift is not None
                k.add(drift, one * x)
    value: Expr
    doc, name, value = {
        "center": ("Center of mass of each group after a step", "center", total),
        "kinetic": ("Energy of each group in a harmonic trap", "energy", total),
        "momentum": ("Momentum of each group, less a pull to the origin", "momentum", total),
        "spin": ("Angular momentum of each group", "spin", total),
        "spread": ("Second moment of each group about its center", "spread", total),
        "temperature": ("Energy of each group's motion about its mean", "heat", total),
    }[what]
    if weight is not None:
        heavy = bounded(weight, 0.5 * members, 2.0 * members)
        value = total / heavy if drift is None else total - ops.dot(drift, drift) / heavy
    finish(k, name, bounded(value, -100.0, 100.0), doc)
