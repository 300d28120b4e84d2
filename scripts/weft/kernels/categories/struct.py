"""Structs: records of bodies and rays, settings with vectors and matrices, records that functions return."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import construct, convert, ops
from weft.kernels.idioms.struct import record_motion, record_shapes
from weft.kernels.idioms.struct.structs import (
    Members,
    Record,
    loaded,
    new_record,
    record_array,
    schema,
    some,
    space_of,
)
from weft.kernels.program import Expr
from weft.kernels.results import describe, finish
from weft.kernels.types import F32, I32, MAT22, VEC2, VEC3
from weft.kernels.vocabulary import coefficient, curve, enumerated, plural, read, threads
from weft.types import Vector

REVISION = 4
TEACHES = "structs: arrays of them, nested ones, as parameters and results, with vectors, matrices and arrays"


def step_bodies(k: Builder) -> None:
    """Bodies that move, in place or as new records."""
    record_motion.step_bodies(k)


def gather_members(k: Builder) -> None:
    """Numbers computed from the members of records, some of them stored apart."""
    k.real = F32
    vector = space_of(k)
    cases: dict[str, tuple[str, Members]] = {
        "Cell": (
            "A cell of a flow.",
            {
                "density": (F32, 0.5, 2.0),
                "momentum": (vector, -1.0, 1.0),
                "energy": (F32, 3.0, 5.0),
                "level": (I32, 0, 4),
            },
        ),
        "Star": (
            "A star of a catalogue.",
            {
                "brightness": (F32, 0.1, 5.0),
                "direction": (vector, -1.0, 1.0),
                "distance": (F32, 1.0, 9.0),
                "kind": (I32, 0, 3),
            },
        ),
        "Sample": (
            "A weighted sample.",
            {
                "weight": (F32, 0.1, 1.0),
                "point": (vector, -1.0, 1.0),
                "value": (F32, -2.0, 2.0),
                "count": (I32, 1, 9),
            },
        ),
        "Edge": (
            "An edge of a mesh.",
            {
                "length": (F32, 0.2, 2.0),
                "direction": (vector, -1.0, 1.0),
                "stiffness": (F32, 1.0, 9.0),
                "group": (I32, 0, 5),
            },
        ),
    }
    title = k.rng.pick(*cases)
    about, available = cases[title]
    fields = some(k, available, tuple(k.rng.shuffled(list(available))[:2]))
    of = schema(k, title, about, fields)
    threads(k, 1, 2)
    records = record_array(k, plural(title.lower()), of, k.shape)
    item = (
        loaded(k, title.lower(), of, records[k.index])
        if k.rng.chance(0.7)
        else Record(k, of, records[k.index])
    )
    numbers: list[Expr] = []
    for name, one in fields.items():
        value = item[name]
        if one[0] == I32:
            numbers.append(convert(F32, value))
        elif isinstance(one[0], Vector):
            numbers.append(
                k.rng.pick(
                    ops.length(value), ops.length_sq(value), value[0] + value[1], ops.dot(value, value)
                )
            )
        else:
            numbers.append(value)
        if k.rng.chance(0.25) and len(fields) > 2:
            k.store(k.array(plural(f"{title.lower()}_{name}"), one[0], k.shape, None, "out"), k.target, value)
            k.notes.append(f"The {name} is stored apart")
    total = numbers[0]
    for number in numbers[1:]:
        scaled = k.rng.number(0.1, 0.9) * number if k.rng.chance(0.5) else number
        total = k.rng.pick(
            total + scaled,
            total - scaled,
            total * (1.0 + (scaled if scaled.interval.lo >= 0.0 else ops.abs(scaled))),
        )
    finish(k, "score", total, f"Score of each {title.lower()} from its {enumerated(fields)}")


def assemble(k: Builder) -> None:
    """Records made from arrays, one for each member."""
    k.real = F32
    threads(k, 1, 2)
    space = space_of(k)
    fields: Members = {}
    sources: dict[str, Expr] = {}
    options = k.rng.shuffled(["center", "normal", "area", "kind", "spread", "lower", "frame", "weight"])
    for name in options[: k.rng.pick(3, 4, 5)]:
        if name in ("center", "normal", "lower"):
            a = read(k, f"{name}_source", -1.0, 1.0, space)
            value = {
                "center": a,
                "normal": ops.normalize(a),
                "lower": a - k.rng.number(0.1, 0.5) * ops.length(a) * construct(space, *[1.0] * space.length),
            }[name]
            value = k.rng.pick(value, k.rng.number(0.2, 0.9) * value) if name != "normal" else value
            fields[name] = (space, -2.0, 2.0)
        elif name == "kind":
            value = read(k, "category", 0, 9, I32)
            value = value % k.rng.pick(2, 3, 4) if k.rng.chance(0.5) else value + k.rng.pick(1, 10)
            fields[name] = (I32, 0, 99)
        elif name == "frame":
            axis = read(k, "axis", -1.0, 1.0, VEC2)
            value = construct(MAT22, axis[0], -axis[1], axis[1], axis[0])
            fields[name] = (MAT22, -2.0, 2.0)
        else:
            x = read(k, f"{name}_input", 0.1, 2.0)
            value = curve(k, x)[0] if k.rng.chance(0.6) else x * coefficient(k, f"{name}_scale", 0.5, 2.0)
            fields[name] = (F32, -9.0, 9.0)
        sources[name] = value
    of = schema(k, k.rng.pick("Facet", "Probe", "Patch"), "What is known of one element.", fields)
    name = of.definition.name.lower()
    record = new_record(k, name, of)
    for field in k.rng.shuffled(list(fields)):
        record.put(field, sources[field])
    if k.rng.chance(0.4):
        number = next((field for field in fields if fields[field][0] == F32), None)
        if number is not None:
            limit = k.rng.number(0.3, 0.9)
            with k.when(record[number] > limit):
                record.put(number, limit)
            k.notes.append(f"Its {number} is at most {limit}")
    k.store(
        record_array(k, plural(name), of, k.shape, "out"),
        k.target,
        record.value,
    )
    describe(k, f"Gathers the {enumerated(fields)} of each {name} in one record")


def settings(k: Builder) -> None:
    """A struct of vectors and matrices that all threads share."""
    record_shapes.settings(k)


def nested_records(k: Builder) -> None:
    """Structs within structs."""
    record_motion.nested_records(k)


def state_arrays(k: Builder) -> None:
    """A struct of arrays, one for each quantity."""
    record_motion.state_arrays(k)


def closest_hit(k: Builder) -> None:
    """Functions that return a record: distances, normals, flags."""
    record_shapes.closest_hit(k)


def box_records(k: Builder) -> None:
    """Boxes that join, overlap, grow and hold points."""
    record_shapes.box_records(k)


def material_table(k: Builder) -> None:
    """Records found by an index."""
    k.real = F32
    available: Members = {
        "conductivity": (F32, 0.2, 3.0),
        "density": (F32, 0.5, 5.0),
        "heat": (F32, 0.5, 2.0),
        "color": (VEC3, 0.1, 1.0),
        "phase": (I32, 0, 3),
    }
    fields = some(k, available, ("density",))
    of = schema(k, k.rng.pick("Material", "Species", "Medium"), "Constants of one kind of matter.", fields)
    count = k.rng.pick(4, 5, 8)
    k.sizes["kinds"] = str(count)
    threads(k)
    table = record_array(k, "table", of, ("kinds",))
    ids = read(k, "kind", 0, count - 1, I32, array=k.rng.pick("kinds_of", "material_ids"))
    entry = (
        loaded(k, "entry", of, table[ids]) if k.rng.chance(0.6) else Record(k, of, table[k.let("here", ids)])
    )
    x = read(k, k.rng.pick("temperature", "amount"), 0.2, 2.0)
    value = x * entry["density"]
    if "heat" in fields:
        value = value * entry["heat"]
    if "conductivity" in fields:
        value = k.rng.pick(value / (0.2 + entry["conductivity"]), value + entry["conductivity"] * x * x)
    if "phase" in fields:
        with_phase = k.var("total", value)
        with k.when(entry["phase"] > k.rng.pick(0, 1, 2)):
            k.set(with_phase, with_phase * k.rng.number(1.2, 2.0))
        value = with_phase
    if "color" in fields:
        finish(
            k,
            "glow",
            value * entry["color"],
            f"Color of each element from the {enumerated(fields)} of what it is made of",
        )
    else:
        finish(
            k,
            "content",
            value,
            f"Content of each element from the {enumerated(fields)} of what it is made of",
        )


def dual_numbers(k: Builder) -> None:
    """Pairs of numbers with an arithmetic of their own."""
    record_shapes.dual_numbers(k)


def best_candidate(k: Builder) -> None:
    """The best of a few records, found in a loop."""
    k.real = F32
    fields = some(
        k,
        {
            "cost": (F32, 0.0, 4.0),
            "gain": (F32, 0.0, 3.0),
            "label": (I32, 0, 99),
            "offset": (VEC2, -1.0, 1.0),
        },
        ("cost", "gain"),
    )
    of = schema(k, k.rng.pick("Offer", "Candidate", "Move"), "One of several choices.", fields)
    count = k.rng.pick(3, 4, 5, 8, 20)
    k.sizes["choices"] = str(count)
    (i,) = threads(k, 1, name=k.rng.pick("agent", "i"))
    table = record_array(k, "candidates", of, ("n", "choices"))
    most = k.rng.chance(0.5)
    weight = coefficient(k, "weight", 0.3, 2.0)
    best = k.var("best_score", -1000.0 if most else 1000.0, bounds=(-1000.0, 1000.0))
    chosen = k.var("chosen", 0, type=I32, bounds=(0, count))
    with k.loop("c", 0, count) as c:
        option = loaded(k, "option", of, table[i, c])
        score = option["gain"] - weight * option["cost"]
        if "offset" in fields:
            score = score - ops.length_sq(option["offset"])
        if "label" in fields:
            with k.when((option["label"] % k.rng.pick(3, 4, 5)).equals(0)):
                k.jump("continue")
        score = k.let("score", score)
        with k.when(score > best if most else score < best):
            k.set(best, score)
            k.set(chosen, c)
    k.store(k.array("choices_made", I32, ["n"], None, "out"), k.target, chosen)
    skipped = " whose label is not skipped" if "label" in fields else ""
    finish(
        k,
        "top_score" if most else "lowest_score",
        best,
        f"{'Highest' if most else 'Lowest'} score of {count} candidates{skipped}, and which one it is",
    )


def running_statistics(k: Builder) -> None:
    """Statistics in a record, updated sample by sample."""
    record_motion.running_statistics(k)


IDIOMS = (
    step_bodies,
    gather_members,
    assemble,
    settings,
    nested_records,
    state_arrays,
    closest_hit,
    box_records,
    material_table,
    dual_numbers,
    best_candidate,
    running_statistics,
)
