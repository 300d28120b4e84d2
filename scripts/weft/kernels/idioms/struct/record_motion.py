"""Records that change: bodies that move, states, statistics that grow sample by sample."""

from __future__ import annotations

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, lift, ops
from weft.kernels.idioms.struct.structs import (
    Members,
    Record,
    Schema,
    array_members,
    loaded,
    new_record,
    record_array,
    record_function,
    schema,
    some,
    space_of,
)
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import F32, I32
from weft.kernels.vocabulary import coefficient, enumerated, threads, uniform
from weft.types import Type


def step_bodies(k: Builder) -> None:
    """Bodies that move, in place or as new records."""
    k.real = F32
    space = space_of(k)
    optional: Members = {
        "position": (space, -2.0, 2.0),
        "velocity": (space, -3.0, 3.0),
        "mass": (F32, 0.5, 2.0),
        "radius": (F32, 0.05, 0.3),
        "force": (space, -5.0, 5.0),
        "drag": (F32, 0.01, 0.5),
        "age": (F32, 0.0, 10.0),
        "spin": (F32, -2.0, 2.0),
    }
    fields = some(k, optional, ("position", "velocity"))
    of = schema(k, k.rng.pick("Body", "Particle", "Ball"), "A body that moves.", fields)
    threads(k, 1)
    way = k.rng.pick("in place", "copy", "copy", "new", "function")
    dt = coefficient(k, "dt", 0.01, 0.05, kinds="lp")
    floor = k.rng.chance(0.4)
    gravity = -k.rng.number(1.0, 9.8) if k.rng.chance(0.5) else None

    def advance(b: Builder, old: Record, new: Record, step: Expr) -> None:
        push = old["velocity"]
        if "force" in fields:
            push = push + old["force"] * (step / old["mass"] if "mass" in fields else step)
        elif "mass" in fields:
            push = push * (1.0 - 0.1 * step / old["mass"])
        if gravity is not None:
            down = [0.0] * space.length
            down[1] = gravity
            push = push + step * construct(space, *down)
        if "drag" in fields:
            push = push * ops.exp(-old["drag"] * step)
        velocity = b.let("velocity", push)
        place = b.let("position", old["position"] + step * velocity)
        if floor:
            height = old["radius"] if "radius" in fields else lift(0.0, F32)
            hit = b.let("below", place[1] < height)
            flipped = [ops.abs(velocity[n]) if n == 1 else velocity[n] for n in range(space.length)]
            velocity = b.let("bounced", ops.where(hit, construct(space, *flipped), velocity))
        elif "radius" in fields:
            place = b.let("kept_inside", place * (1.0 - 0.01 * old["radius"]))
        new.put("velocity", velocity)
        new.put("position", place)
        if "age" in fields:
            new.put("age", old["age"] + step)
        if "spin" in fields:
            new.put("spin", old["spin"] * k.rng.number(0.9, 0.99))

    constant = [one for one in ("mass", "radius", "force", "drag") if one in fields]
    plural = {"Body": "bodies", "Particle": "particles", "Ball": "balls"}[of.definition.name]
    doc = f"Moves each of the {plural} by one step"
    if floor:
        k.notes.append("Those below the floor bounce")
    if way == "in place":
        bodies = record_array(k, plural, of, k.shape, "inout")
        body = Record(k, of, bodies[k.target])
        advance(k, body, body, dt)
        describe(k, f"{doc}, in place")
        return
    bodies = record_array(k, plural, of, k.shape, "inout" if way == "copy" else "in")
    outputs = bodies if way == "copy" else record_array(k, f"moved_{plural}", of, k.shape, "out")
    if way == "copy":
        body = loaded(k, "body", of, bodies[k.target])
        advance(k, body, body, dt)
        k.store(bodies, k.target, body.value)
    elif way == "new":
        body = loaded(k, "body", of, bodies[k.index])
        moved = new_record(k, "moved", of)
        advance(k, body, moved, dt)
        for field in constant:
            moved.put(field, body[field])
        k.store(outputs, k.target, moved.value)
    else:

        def body_of(b: Builder, old: Record, step: Expr) -> Expr:
            moved = new_record(b, "moved", of)
            advance(b, old, moved, step)
            for field in constant:
                moved.put(field, old[field])
            return moved.value

        extra = {"step": (F32, Interval(0.0, 0.1))}
        move = record_function(k, "advance", "The state after one step.", of, extra, body_of)
        k.store(outputs, k.target, move(bodies[k.index], dt))
    describe(k, doc)


def nested_records(k: Builder) -> None:
    """Structs within structs."""
    k.real = F32
    space = space_of(k)
    inner = schema(
        k,
        "Motion",
        "Where something is and goes.",
        {"position": (space, -2.0, 2.0), "velocity": (space, -1.0, 1.0)},
    )
    material_fields = some(
        k,
        {"density": (F32, 0.5, 3.0), "stiffness": (F32, 1.0, 9.0), "damping": (F32, 0.05, 0.5)},
        ("density",),
    )
    material = schema(k, "Material", "What something is made of.", material_fields)
    extra = some(k, {"size": (F32, 0.1, 0.5), "group": (I32, 0, 3)})
    order: list[tuple[str, tuple[Type, float, float] | Schema]] = k.rng.shuffled(
        [("motion", inner), ("material", material), *extra.items()]
    )
    of = schema(k, "Grain", "A grain of a granular medium.", dict(order))
    threads(k, 1, 2)
    changes = k.rng.chance(0.5)
    grains = record_array(k, "grains", of, k.shape, "inout" if changes else "in")
    grain = loaded(k, "grain", of, grains[k.target if changes else k.index])
    motion, stuff = grain.part("motion"), grain.part("material")
    speed = k.let("speed", ops.length(motion["velocity"]))
    value = stuff["density"] * speed * speed * k.rng.pick(0.5, 0.25)
    if "stiffness" in material_fields:
        value = value + 0.5 * stuff["stiffness"] * ops.length_sq(motion["position"])
    if "damping" in material_fields:
        value = value * (1.0 - stuff["damping"] * k.rng.number(0.1, 0.9))
    if "size" in extra:
        value = value * grain["size"] * grain["size"]
    if "group" in extra:
        shares = k.array("group_shares", F32, ["4"], uniform(0.1, 1.0))
        value = shares[grain["group"]] * value
    if changes:
        motion.put(
            "position", motion["position"] + coefficient(k, "dt", 0.01, 0.1, kinds="lp") * motion["velocity"]
        )
        if k.rng.chance(0.5):
            motion.put("velocity", k.rng.number(0.9, 0.99) * motion["velocity"])
        k.store(grains, k.target, grain.value)
        finish(k, "energy", value, "Energy of each grain, which is moved on")
    else:
        finish(
            k,
            "energy",
            value + 0.1 * (motion["position"][0] + motion["position"][1]),
            "Energy of each grain on a slope",
        )


def state_arrays(k: Builder) -> None:
    """A struct of arrays, one for each quantity."""
    k.real = F32
    threads(k, 1, 2)
    space = space_of(k)
    available: dict[str, tuple[Type, str, float, float]] = {
        "positions": (space, "inout", -1.0, 1.0),
        "velocities": (space, "inout", -1.0, 1.0),
        "masses": (F32, "in", 0.5, 2.0),
        "forces": (space, "in", -2.0, 2.0),
        "energies": (F32, "out", 0.0, 0.0),
        "flags": (I32, "in", 0, 2),
        "damping": (F32, "in", 0.1, 0.9),
    }
    names = some(k, dict.fromkeys(available, (F32, 0.0, 0.0)), ("positions", "velocities"))
    chosen = {one: available[one] for one in names}
    title = k.rng.pick("State", "System", "Model")
    label = title.lower()
    arrays = array_members(k, label, title, "The arrays of a simulation.", chosen)
    here = k.target
    if "flags" in arrays:
        fixed = k.rng.pick(0, 1, 2)
        with k.when(arrays["flags"][here].equals(fixed)):
            k.jump("return")
        k.notes.append(f"Elements whose flag is {fixed} do not move")
    dt = coefficient(k, "dt", 0.01, 0.1, kinds="lp")
    velocity = arrays["velocities"][here]
    if "forces" in arrays:
        push = arrays["forces"][here]
        velocity = velocity + dt * (push / arrays["masses"][here] if "masses" in arrays else push)
    if "damping" in arrays:
        velocity = velocity * (1.0 - dt * arrays["damping"][here])
    new = k.let(
        "velocity", velocity if velocity.interval.magnitude != 1.0 else velocity * k.rng.number(0.8, 0.99)
    )
    place = arrays["positions"][here] + dt * new
    k.store(arrays["positions"], here, place)
    k.store(arrays["velocities"], here, new)
    if "energies" in arrays:
        energy = 0.5 * ops.dot(new, new)
        k.store(arrays["energies"], here, energy * arrays["masses"][here] if "masses" in arrays else energy)
        k.notes.append("Kinetic energies are stored as well")
    elif "masses" in arrays and "forces" not in arrays:
        k.store(k.array("momenta", space, k.shape, None, "out"), here, arrays["masses"][here] * new)
        k.notes.append("Momenta are stored as well")
    describe(k, f"Moves the elements of a {label} by one step")


def running_statistics(k: Builder) -> None:
    """Statistics in a record, updated sample by sample."""
    k.real = F32
    parts: Members = {
        "count": (F32, 0.0, 0.0),
        "mean": (F32, 0.0, 0.0),
        "spread": (F32, 0.0, 0.0),
        "lowest": (F32, 0.0, 0.0),
        "highest": (F32, 0.0, 0.0),
    }
    fields = some(k, parts, ("count", "mean"))
    of = schema(k, k.rng.pick("Stats", "Summary", "Moments"), "What is known of the samples so far.", fields)
    wide = {name: Interval(-100.0, 100.0) for name in fields}
    wide["count"] = Interval(0.0, 100.0)

    def update(b: Builder, old: Record, x: Expr) -> Expr:
        old.bounds = dict(wide)
        new = new_record(b, "moved", of)
        count = b.let("count", old["count"] + 1.0)
        delta = b.let("delta", x - old["mean"])
        mean = b.let("mean", old["mean"] + delta / bounded(count, 1.0, 101.0))
        new.put("count", count)
        new.put("mean", mean)
        if "spread" in fields:
            new.put("spread", old["spread"] + delta * (x - mean))
        if "lowest" in fields:
            new.put("lowest", ops.min(old["lowest"], x))
        if "highest" in fields:
            new.put("highest", ops.max(old["highest"], x))
        return new.value

    add = record_function(
        k, "add_sample", "The statistics with one sample more.", of, {"x": (F32, Interval(-9.0, 9.0))}, update
    )
    (i,) = threads(k, 1, name=k.rng.pick("series", "sensor", "i"))
    length = k.rng.pick(5, 8, 12, 20)
    k.sizes["length"] = str(length)
    data = k.array(k.rng.pick("samples", "readings"), F32, ["n", "length"], uniform(-2.0, 2.0))
    stats = new_record(k, "stats", of)
    for field in fields:
        stats.put(field, {"lowest": 100.0, "highest": -100.0}.get(field, 0.0))
    step = k.rng.pick(1, 1, 2)
    with k.loop("j", 0, length, step) as j:
        x = data[i, j]
        if k.rng.chance(0.3):
            with k.when(x > k.rng.number(1.2, 1.8)):
                k.jump("continue")
            k.notes.append("Large samples are left out")
        stats.assign(add(stats.value, x))
    value = bounded(stats["mean"], -2.0, 2.0)
    if "spread" in fields:
        value = value + ops.sqrt(ops.max(bounded(stats["spread"], 0.0, 400.0), 0.0) / float(length))
    if "highest" in fields:
        value = value + k.rng.number(0.1, 0.5) * bounded(stats["highest"], -100.0, 2.0)
    if "lowest" in fields:
        value = value - k.rng.number(0.1, 0.5) * bounded(stats["lowest"], -2.0, 100.0)
    which = "second " if step == 2 else ""
    finish(k, "summary", value, f"One number from the {enumerated(fields)} of every {which}sample of a row")
