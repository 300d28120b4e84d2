"""Flocks and contacts."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, ops
from weft.kernels.idioms.pairs import along, each_neighbor, zero
from weft.kernels.idioms.particle.forces import space_of
from weft.kernels.program import Expr
from weft.kernels.results import finish
from weft.kernels.vocabulary import coefficient, threads, told, uniform


def flock(k: Builder) -> None:
    """Birds that follow, match and avoid their neighbours."""
    threads(k, 1, name=k.rng.pick("i", "bird", "agent"))
    (i,) = k.index
    space = space_of(k)
    points = k.array("positions", space, ["n"], uniform(-1.0, 1.0))
    rules = k.rng.shuffled(["cohesion", "alignment", "separation"])
    rules = rules[: k.rng.pick(1, 2, 2, 3)]
    way = k.rng.pick("steer", "velocity", "limited", "turn")
    sight = rules == ["alignment"] or k.rng.chance(0.5)
    speeds = points
    x = v = points[i]
    x = k.let("x", x)
    if "alignment" in rules or way in ("velocity", "turn"):
        speeds = k.array("velocities", space, ["n"], uniform(-1.0, 1.0))
        v = k.let("v", speeds[i])
    averaged = k.rng.chance(0.5)
    sums = {
        rule: k.var({"cohesion": "center", "alignment": "heading", "separation": "away"}[rule], zero(space))
        for rule in rules
    }
    seen = k.var("seen", 0.0, bounds=(0.0, 8.0)) if averaged else None
    reach = coefficient(k, "sight", 0.8, 2.0, kinds="lp") if sight else None
    soft = k.rng.number(0.1, 0.3)

    def act(j: Expr, d: Expr, square: Expr | None) -> None:
        for rule in rules:
            match rule:
                case "cohesion":
                    k.add(sums[rule], d)
                case "alignment":
                    k.add(sums[rule], speeds[j] - v)
                case _:
                    near = square if square is not None else ops.dot(d, d)
                    k.add(sums[rule], d / (near + soft), "-")
        if seen is not None:
            k.set(seen, bounded(seen + 1.0, 1.0, 8.0))

    def visit(j: Expr, _: Expr) -> None:
        d = k.let("d", points[j] - x)
        if reach is None:
            act(j, d, None)
        else:
            square = k.let("square", ops.dot(d, d))
            with k.when(square < reach * reach):
                act(j, d, square)

    each_neighbor(k, visit, alone=k.rng.chance(0.3))
    steer: Expr | None = None
    for rule in rules:
        part = coefficient(k, f"{rule}_weight", 0.1, 1.0, kinds="lpe") * bounded(sums[rule], -60.0, 60.0)
        steer = part if steer is None else steer + part
    assert steer is not None
    if seen is not None:
        steer = steer / ops.max(seen, 1.0)
        k.notes.append("Sums are divided by the number of neighbours")
    steer = k.let("steer", steer)
    if reach is not None:
        k.notes.append(f"Only neighbours nearer than {told(reach)} are seen")
    listed = " and ".join(rules) if len(rules) < 3 else "cohesion, alignment and separation"
    doc = f"Steers each agent by {listed}"
    match way:
        case "steer":
            finish(k, "steering", steer, doc)
        case "velocity":
            dt = coefficient(k, "dt", 0.05, 0.5, kinds="lp")
            finish(k, "new_velocity", v + dt * steer, f"{doc}, and gives the new velocity")
        case "limited":
            top = coefficient(k, "max_force", 0.3, 1.0, kinds="lp")
            size = bounded(k.let("size", ops.max(ops.length(steer), 0.05)), 0.05, 400.0)
            factor = ops.min(top / size, 1.0)
            finish(k, "steering", steer * factor, f"{doc}, with a limited force")
        case _:
            wish = k.let("wish", v + steer)
            size = bounded(ops.length(wish), 0.0, 400.0)
            finish(
                k,
                "heading",
                wish / (size + soft),
                f"{doc}, and gives the direction that it takes, softened at rest",
            )


def contact_force(k: Builder) -> None:
    """Grains that touch an obstacle or their neighbours: springs, dashpots, friction."""
    lonely = k.rng.chance(0.45)
    threads(k, 1, name=k.rng.pick("i", "grain", "p"))
    (i,) = k.index
    space = space_of(k)
    points = k.array("positions", space, ["n"], uniform(-0.8, 0.8))
    moving = k.rng.chance(0.7)
    speeds = k.array("velocities", space, ["n"], uniform(-1.0, 1.0)) if moving else None
    x = k.let("x", points[i])
    v = k.let("v", speeds[i]) if speeds is not None else None
    sizes = k.array("radii", k.real, ["n"], uniform(0.2, 0.5)) if k.rng.chance(0.6) else None
    radius: Expr = (
        k.let("radius", sizes[i]) if sizes is not None else coefficient(k, "radius", 0.2, 0.5, kinds="lp")
    )
    stiffness = coefficient(k, "stiffness", 1.0, 9.0)
    damping = coefficient(k, "damping", 0.1, 0.9, kinds="lp") if moving and k.rng.chance(0.7) else None
    rubs = moving and (damping is None or k.rng.chance(0.5))
    grip = coefficient(k, "friction", 0.1, 0.7, kinds="lp") if rubs else None
    law = k.rng.pick("linear", "hertz", "square")

    def push(overlap: Expr, normal: Expr, relative: Expr | None, target: Expr) -> None:
        match law:
            case "linear":
                strength = stiffness * overlap
            case "hertz":
                strength = stiffness * overlap * ops.sqrt(overlap)
            case _:
                strength = stiffness * overlap * overlap
        if relative is not None:
            speed = k.let("normal_speed", ops.dot(relative, normal))
            if damping is not None:
                strength = strength - damping * speed
            if k.rng.chance(0.4):
                strength = ops.max(strength, 0.0)
            strength = k.let("strength", strength)
            force = strength * normal
            if grip is not None:
                slide = k.let("slide", relative - speed * normal)
                size = bounded(ops.length(slide), 0.0, 9.0)
                force = force - (grip * strength / (size + 0.1)) * slide
            k.add(target, force)
            return
        k.add(target, strength * normal)

    force = k.var("force", zero(space))
    if lonely:
        obstacle = k.rng.pick("ball", "floor")
        if obstacle == "ball":
            center = k.scalar("center", space, uniform(-0.3, 0.3))
            away = k.let("away", x - center)
            far = bounded(k.let("distance", ops.max(ops.length(away), 0.05)), 0.05, 4.0)
            overlap = k.let("overlap", radius + coefficient(k, "obstacle_radius", 0.3, 0.6, kinds="lp") - far)
            normal = away / far
        else:
            level = coefficient(k, "floor_level", -0.2, 0.2, kinds="lp")
            overlap = k.let("overlap", level + radius - x[1])
            normal = along(space, 1, 1.0)
        with k.when(overlap > 0.0):
            normal = k.let("normal", normal)
            push(bounded(overlap, 0.0, 2.0), normal, v, force)
        doc = f"Force of a {'ball' if obstacle == 'ball' else 'floor'} on each grain that touches it"
    else:

        def visit(j: Expr, _: Expr) -> None:
            away = k.let("away", x - points[j])
            far = bounded(k.let("distance", ops.max(ops.length(away), 0.05)), 0.05, 4.0)
            overlap = k.let("overlap", radius + (sizes[j] if sizes is not None else radius) - far)
            with k.when(overlap > 0.0):
                normal = k.let("normal", away / far)
                relative = None
                if v is not None and speeds is not None:
                    relative = k.let("relative", v - speeds[j])
                push(bounded(overlap, 0.0, 1.5), normal, relative, force)

        each_neighbor(k, visit, alone=True)
        doc = "Force of the neighbours that touch each grain"
    words = {"linear": "a linear spring", "hertz": "Hertz's law", "square": "a quadratic spring"}[law]
    if damping is not None:
        words += ", a dashpot"
    if grip is not None:
        words += " and friction"
    result: Expr = bounded(force, -300.0, 300.0)
    if k.rng.chance(0.4):
        result = result + along(space, 1, -coefficient(k, "weight", 0.5, 4.0, kinds="lp"))
        k.notes.append("Weight pulls against axis 1")
    finish(k, "contact", result, f"{doc}, by {words}")
